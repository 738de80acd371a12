"""`pyramidion import` and `pyramidion export`: campaigns and scores in other people's formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import note, note_warnings, writing
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign, Problems
    from pyramidion.scores import ScoreTable

SCORES = "scores"
FLAT = "flat"
TABLE = ".parquet"

FormatName = Annotated[
    str, typer.Argument(metavar="FORMAT", help="The format's name, as in `list formats`.", show_default=False)
]


Option = Annotated[list[str] | None, typer.Option("--option", help="An option of the format, key=value.")]


def import_command(
    format: FormatName,
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE...", help="What to import: files, or a folder.", show_default=False)
    ],
    campaign: Annotated[
        Path,
        typer.Argument(
            help="The campaign folder to write or to add to; for scores alone also a new .parquet table.",
            show_default=False,
        ),
    ],
    option: Option = None,
    strict: o.Strict = False,
) -> None:
    """Import a foreign format or a `flat` file as a new campaign folder, or a table of `scores` into an existing one.

    Scores without texts are data of their own as a new .parquet table.

    Example: pyramidion import scores judge.csv my-campaign
    """
    import_(format, sources, campaign, option=option, strict=strict)


def import_(
    format: str, source: Path | Sequence[Path], campaign: Path, *, option: list[str] | None = None, strict: bool = False
) -> None:
    """What `pyramidion import` does; several sources are read together."""
    from pyramidion.campaign import Problems
    from pyramidion.formats import find_format
    from pyramidion.scores.reading import read_columns

    problems = Problems()
    sources = [source] if isinstance(source, Path) else list(source)
    if format in (SCORES, FLAT):
        if option:
            raise UsageError(f"--option: the format {format} has no options")
        if len(sources) > 1:
            raise UsageError(f"the format {format} is read from one file; found {len(sources)}. Import one by one.")
    source = sources[0]
    if format == SCORES:
        (scores,) = read_columns([source], problems).values()
        _keep_scores(scores, source, campaign, problems, strict=strict)
        return
    if format == FLAT:
        imported = _read_flat(source, problems)
    else:
        imported = find_format(format).read(sources, problems, **o.conditions(option, "--option"))
    if imported.imported and not imported.summaries:
        names = {id: who.name for id, who in imported.summarizers.items() if who.name}
        _keep_scores(replace(imported.imported, names=names), source, campaign, problems, strict=strict)
        return
    _write_new(imported, campaign, problems, strict=strict)


def export(
    format: FormatName,
    campaign: Annotated[str, typer.Argument(help="The campaign to export.", show_default=False)],
    target: Annotated[Path, typer.Argument(help="Where to write.", show_default=False)],
    option: Option = None,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
) -> None:
    """Export a campaign to a foreign format, or to a `flat` .jsonl or .parquet file.

    Example: pyramidion export flat demo demo.jsonl
    """
    from pyramidion.campaign import Problems, write_flat
    from pyramidion.cli.scoring import load_data
    from pyramidion.formats import find_format

    o.refuse_overwriting(target, campaign)
    if not force and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target}: found something there; choose another place, or say --force to write over it")
    options = o.conditions(option, "--option")
    if format == FLAT and options:
        raise UsageError(f"--option: the format {format} has no options")
    loaded = load_data(campaign)
    problems = Problems()
    with writing(target):
        if format == FLAT:
            write_flat(loaded, target, problems=problems)
        else:
            find_format(format).write(loaded, target, problems, **options)
    problems.refuse()
    _note_all(problems)
    note(f"written to {target}")


def _read_flat(source: Path, problems: Problems) -> Campaign:
    from pyramidion.campaign import Source

    if (kind := Source(source).kind()) != "flat":
        found = "a folder" if kind == "folder" else "a table of scores"
        raise UsageError(f"{source}: found {found}; expected a flat .jsonl or .parquet file, one row per summary")
    return Source(source).read(problems)


def _write_new(imported: Campaign, folder: Path, problems: Problems, *, strict: bool) -> None:
    from pyramidion.campaign import write_folder

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: found something there; expected a new or empty folder")
    problems.refuse(strict=strict)
    _note_all(problems)
    with writing(folder):
        write_folder(imported, folder)
    note(f"{len(imported.summaries)} summaries of {len(imported.topic_ids)} topics written to {folder}")


def _keep_scores(
    scores: ScoreTable,
    source: Path,
    target: Path,
    problems: Problems,
    *,
    strict: bool,
) -> None:
    """Write scores into the campaign that has their texts, or as a table of their own."""
    if target.suffix.lower() != TABLE or target.is_dir():
        _add_scores(scores, source, target, problems, strict=strict)
        return
    if target.exists():
        raise UsageError(f"{target} is there already; remove it, or give another name")
    problems.refuse(strict=strict)
    _note_all(problems)
    _write_table(scores, target, base="")


def _add_scores(
    scores: ScoreTable,
    source: Path,
    folder: Path,
    problems: Problems,
    *,
    strict: bool,
) -> None:
    """Write the scores of summaries that a campaign folder has as a table in it, if they fit."""
    from pyramidion.campaign import Problems, Source
    from pyramidion.campaign.join import join_scores
    from pyramidion.formats.base import AVERAGE

    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a campaign folder; scores are imported into one that exists, or into a new {TABLE} file"
        )
    problems.refuse(strict=strict)
    of_campaign = Problems()
    campaign = Source(folder).read(of_campaign)
    of_campaign.refuse(strict=strict)
    note_warnings(of_campaign, str(folder))
    if set(scores.topics) == {AVERAGE} and AVERAGE not in campaign.topic_ids:
        problems.add(
            "error",
            file=source,
            field="topic",
            found="means over topics",
            expected="scores of the campaign's topics",
            remedy=f"Import the scores of each topic; or give a new file such as means{TABLE} in place of {folder}.",
        )
        problems.refuse()
    target = folder / "scores" / f"{source.stem}{TABLE}"
    if target.exists():
        raise UsageError(f"{target} is there already; remove it, or rename {source.name}")
    (joined,) = join_scores([campaign], {source: scores}, problems)
    problems.refuse(strict=strict)
    _note_all(problems)
    _write_table(scores.within(joined.imported), target, base="imported")


def _write_table(scores: ScoreTable, target: Path, *, base: str) -> None:
    """Write the scores, and list the names by which measures find them."""
    from pyramidion.measures.names import MeasureName
    from pyramidion.scores import write_scores

    with writing(target):
        write_scores(scores, target)
    columns = ", ".join(str(MeasureName(base, statistic=name)) if base else name for name in scores.measures)
    note(f"{len(scores)} {'score' if len(scores) == 1 else 'scores'} written to {target}: {columns}")


def _note_all(problems: Problems) -> None:
    for problem in problems:
        note(str(problem))
