"""`pyramidion pyramid convert`: pyramids and annotations from one form into another."""

from __future__ import annotations

from pathlib import Path

import click

from pyramidion.cli import options as o
from pyramidion.cli.import_export import import_as_new, note_problems, write_export
from pyramidion.cli.output import note
from pyramidion.errors import InputError, UsageError
from pyramidion.files.targets import check_output, is_new_or_empty
from pyramidion.options import ImportOptions
from pyramidion.show.wording import counted

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
    from pyramidion.campaign import Problems
    from pyramidion.campaign.importing import note_refused
    from pyramidion.campaign.sources import Source
    from pyramidion.formats import FormatSource, find_format
    from pyramidion.run.data import source_of

    data = FormatSource(find_format(origin), [Path(source)]) if origin else source_of(source)
    if isinstance(data, Source) and not data.path.exists():
        raise InputError(f"{source}: found nothing; expected a campaign, or a foreign file or folder. Check the path.")
    is_foreign = isinstance(data, FormatSource)
    target_format = to or (_CAMPAIGN if is_foreign else _DUCVIEW)
    if target_format == _CAMPAIGN and not is_foreign:
        raise UsageError(f"{source} is a campaign already; choose --to FORMAT, one of `pyramidion list formats`")
    check_output(target, source)
    if not is_new_or_empty(target):
        raise UsageError(f"{target}: already exists; choose a new or empty folder")
    options = option or {}
    if isinstance(data, FormatSource) and target_format == _CAMPAIGN:
        import_as_new(data.format.name, data.paths, target, ImportOptions(option=options, strict=strict))
        return
    written = find_format(target_format).write_options
    write_options = {key: value for key, value in options.items() if key in written}
    read_options = {key: value for key, value in options.items() if key not in written}
    problems = Problems()
    if isinstance(data, FormatSource):
        campaign = data.with_options(read_options, source).read(problems)
        problems.refuse(strict=strict)
        note_refused(campaign, problems.at(source))
    elif read_options:
        name = next(iter(read_options))
        raise UsageError(f"--option {name}: the format {target_format} has no such option for export")
    else:
        campaign = data.read(problems)
    problems.refuse(strict=strict)
    write_export(target_format, campaign, target, problems, write_options)
    note_problems(problems)
    summaries = counted(len(campaign.summaries), "summary", "summaries")
    note(f"{summaries} of {counted(len(campaign.topic_ids), 'topic')} written to {target}")
