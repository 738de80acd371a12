"""`pyramidion pyramid convert`: pyramids and annotations from one form into another."""

from __future__ import annotations

from pathlib import Path

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, writing
from pyramidion.errors import InputError, UsageError
from pyramidion.files import written_together
from pyramidion.files.targets import check_output, is_new_or_empty
from pyramidion.wording import counted

_CAMPAIGN = "campaign"
_DUCVIEW = "ducview"


@o.command()
@o.argument("source", metavar="IN", about="A campaign, `demo`, or a file or folder in another format.")
@o.argument("target", metavar="OUT", type=click.Path(path_type=Path), about="A new or empty folder.")
@click.option(
    "--to",
    metavar="FORMAT",
    help="`campaign`, or a format of `list formats`. Default: ducview for a campaign, campaign for anything else.",
)
@click.option("--from", "origin", metavar="FORMAT", help="The format of IN. Default: recognised by its content.")
@o.options_of_choice("option")
@o.strict
def convert(
    source: str, target: Path, to: str | None, origin: str | None, option: dict[str, str] | None, strict: bool
) -> None:
    """Convert pyramids, such as DUCView files to a campaign folder, or a campaign to DUCView files.

    Example: pyramidion pyramid convert demo demo-ducview
    """
    from pyramidion.campaign import Problems, write_folder
    from pyramidion.campaign.foreign import note_refused
    from pyramidion.campaign.sources import Source
    from pyramidion.formats import FormatSource, find_format
    from pyramidion.run.data import source_of

    found = None if origin else source_of(source)
    if isinstance(found, Source) and not found.path.exists():
        raise InputError(f"{source}: found nothing; expected a campaign, or a foreign file or folder. Check the path.")
    wanted = to or (_DUCVIEW if isinstance(found, Source) else _CAMPAIGN)
    if wanted == _CAMPAIGN and isinstance(found, Source):
        raise UsageError(f"{source} is a campaign already; choose --to FORMAT, one of `pyramidion list formats`")
    check_output(target, source)
    if not is_new_or_empty(target):
        raise UsageError(f"{target}: already exists; choose a new or empty folder")
    writer = None if wanted == _CAMPAIGN else find_format(wanted)
    for_writer = {key: value for key, value in (option or {}).items() if writer and key in writer.write_options}
    for_reader = {key: value for key, value in (option or {}).items() if key not in for_writer}
    problems = Problems()
    if found is None or isinstance(found, FormatSource):
        reader = find_format(origin or "") if found is None else found.format
        campaign = reader.read(Path(source), problems, **for_reader)
        problems.refuse(strict=strict)
        note_refused(campaign, problems.at(source))
    elif for_reader:
        raise UsageError(f"--option {next(iter(for_reader))}: the format {wanted} has no such option for export")
    else:
        campaign = found.read(problems)
    problems.refuse(strict=strict)
    with writing(target), written_together(target):
        if writer is None:
            write_folder(campaign, target)
        else:
            writer.write(campaign, target, problems, **for_writer)
        problems.refuse()
    for problem in problems:
        note(str(problem))
    topics = counted(len(campaign.topic_ids), "topic")
    note(f"{counted(len(campaign.summaries), 'summary', 'summaries')} of {topics} written to {target}")
