"""`pyramidion pyramid convert`: pyramids and annotations from one form into another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.exchange import export, import_
from pyramidion.cli.output_old import note, writing
from pyramidion.errors import InputError, UsageError

_CAMPAIGN = "campaign"
_DUCVIEW = "ducview"


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A campaign, `demo`, or a foreign file or folder.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where to write.", show_default=False)],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="`campaign`, or a format of `list formats`. By default DUCView from a campaign, else a campaign.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--from", help="The format of IN, where it can't be told by its content.", show_default=False),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the foreign format, key=value.")
    ] = None,
    strict: o.Strict = False,
) -> None:
    """Convert pyramids: DUCView files into a campaign folder, a campaign into DUCView files, and so on.

    Example: pyramidion pyramid convert demo demo-ducview
    """
    own = origin is None and _is_campaign(source)
    wanted = to or (_DUCVIEW if own else _CAMPAIGN)
    if wanted == _CAMPAIGN:
        if own:
            raise UsageError(f"{source} is a campaign already; say --to FORMAT, one of `pyramidion list formats`")
        import_(origin or _format_of(source), Path(source), target, option=option, strict=strict)
        return
    if own:
        export(wanted, source, target, option=option)
        return
    _across(source, origin or _format_of(source), wanted, target, o.conditions(option, "--option"), strict=strict)


def _is_campaign(source: str) -> bool:
    from pyramidion.campaign import Source
    from pyramidion.evaluation import DEMO

    path = Path(source)
    return (
        source == DEMO
        or (path.is_dir() and (path / "summaries.jsonl").is_file())
        or (path.is_file() and Source.knows(path))
    )


def _format_of(source: str) -> str:
    from pyramidion.formats import detect_format

    path = Path(source)
    if not path.exists():
        raise InputError(f"{source}: found nothing; expected a campaign, or a foreign file or folder. Check the path.")
    if found := detect_format(path):
        return found.name
    raise UsageError(f"{source}: found no format that is known; say --from FORMAT, one of `pyramidion list formats`")


def _across(source: str, origin: str, wanted: str, target: Path, options: Mapping[str, str], *, strict: bool) -> None:
    """From one foreign format into another, without a campaign folder between them; options go to whoever has them."""
    from pyramidion.campaign import Problems
    from pyramidion.formats import find_format

    o.refuse_overwriting(target, source)
    reading, writer = find_format(origin), find_format(wanted)
    problems = Problems()
    of_writer = {key: value for key, value in options.items() if key in writer.write_options}
    of_reader = {key: value for key, value in options.items() if key not in of_writer}
    campaign = reading.read(Path(source), problems, **of_reader)
    problems.refuse(strict=strict)
    with writing(target):
        writer.write(campaign, target, problems, **of_writer)
    problems.refuse()
    for problem in problems:
        note(str(problem))
    note(f"written to {target}")
