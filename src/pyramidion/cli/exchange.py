"""`pyramidion import` and `pyramidion export`: campaigns and scores in other people's formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import note

SCORES = "scores"
FLAT = "flat"

FormatName = Annotated[
    str, typer.Argument(metavar="FORMAT", help="The format's name, as in `list formats`.", show_default=False)
]


def import_(
    format: FormatName,
    source: Annotated[Path, typer.Argument(help="What to import.", show_default=False)],
    campaign: Annotated[Path, typer.Argument(help="The campaign folder to write or to add to.", show_default=False)],
    option: Annotated[list[str] | None, typer.Option("--option", help="An option of the format, key=value.")] = None,
    strict: o.Strict = False,
) -> None:
    """Import a foreign format as a new campaign folder, or a table of `scores` into an existing one.

    Example: pyramidion import scores judge.csv my-campaign
    """
    from pyramidion.campaign import Problems, write_folder
    from pyramidion.errors import UsageError
    from pyramidion.formats import find_format

    if format == SCORES:
        _import_scores(source, campaign, strict=strict)
        return
    if (campaign / "summaries.jsonl").exists():
        raise UsageError(f"{campaign} holds a campaign already; name a new folder")
    problems = Problems()
    imported = find_format(format).read(source, problems, **o.conditions(option, "--option"))
    problems.refuse(strict=strict)
    for problem in problems:
        note(str(problem))
    write_folder(imported, campaign)
    note(f"{len(imported.summaries)} summaries of {len(imported.topic_ids)} topics written to {campaign}")


def export(
    format: FormatName,
    campaign: Annotated[str, typer.Argument(help="The campaign to export.", show_default=False)],
    target: Annotated[Path, typer.Argument(help="Where to write.", show_default=False)],
) -> None:
    """Export a campaign to a foreign format, or to a `flat` .jsonl or .parquet file.

    Example: pyramidion export flat demo demo.jsonl
    """
    import pyramidion
    from pyramidion.campaign import Problems, write_flat
    from pyramidion.formats import find_format

    loaded = pyramidion.load(campaign)
    if format == FLAT:
        write_flat(loaded, target)
    else:
        problems = Problems()
        find_format(format).write(loaded, target, problems)
        problems.refuse()
        for problem in problems:
            note(str(problem))
    note(f"written to {target}")


def _import_scores(source: Path, campaign: Path, *, strict: bool) -> None:
    from pyramidion.campaign import Problems, Source, join_imported, read_score_file, write_score_file
    from pyramidion.errors import UsageError

    if not campaign.is_dir():
        raise UsageError(f"{campaign} is not a campaign folder; scores are imported into one that exists")
    problems = Problems()
    scores = read_score_file(source, problems)
    problems.refuse(strict=strict)
    for _ in join_imported(Source(campaign).shards(problems), scores, file=source, problems=problems):
        pass
    problems.refuse(strict=strict)
    target = campaign / "scores" / f"{source.stem}.parquet"
    write_score_file(target, scores)
    columns = ", ".join(f"imported.{name}" for name in dict.fromkeys(score.measure for score in scores))
    note(f"{len(scores)} scores written to {target}: {columns}")
