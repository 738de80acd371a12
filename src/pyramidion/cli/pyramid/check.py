"""`pyramidion pyramid check`: what is wrong with pyramids and annotations, and what deserves a look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note, problem_record, safe
from pyramidion.cli.pyramid.data import Files, FormatOptions, add_problems, read_each, read_together

if TYPE_CHECKING:
    from pyramidion.campaign import Problems
    from pyramidion.pyramids.checks import Place


def check(
    data: Files,
    option: FormatOptions = None,
    format: o.FormatOption = o.Format.table,
    strict: o.Strict = False,
) -> None:
    """Check pyramids: every problem with file, line, field and remedy. Exit code 1 if there are errors.

    Beyond what reading finds: words in several SCUs or in none, contributors twice in one model, empty SCUs, labels
    that are the same, content that was not marked.

    Example: pyramidion pyramid check demo
    """
    from pyramidion.campaign import Problems

    problems = Problems()
    for _, _, found in read_together(data, o.conditions(option, "--option")):
        add_problems(problems, found)
    if not problems.errors:  # else much would be said twice, or of what is not there
        add_problems(problems, _looked_over(data))
    if format is o.Format.table:
        for problem in problems:
            print(safe(str(problem)))
    else:
        emit(map(problem_record, problems), format)
    more = f" ({problems.dropped} not shown)" if problems.dropped else ""
    note(f"{problems.errors} errors, {problems.warnings} warnings{more}")
    if problems.errors or (strict and problems.warnings):
        raise typer.Exit(1)


def _looked_over(data: Sequence[str]) -> Problems:
    """What is to be said about pyramids that could be read: each file by itself, each pyramid once."""
    import pyramidion
    from pyramidion.campaign import Problems
    from pyramidion.pyramids import check_pyramids

    problems = Problems()
    seen: list[tuple[str, object]] = []
    # A .pan has a copy of the pyramid inside: the .pyr itself comes first.
    for name, campaign, _ in sorted(read_each(data), key=lambda found: bool(found[1].annotations)):
        path = getattr(pyramidion.source_of(name), "path", Path(name))
        new = tuple(pyramid for pyramid in campaign.pyramids if (pyramid.topic, pyramid.scus) not in seen)
        seen += [(pyramid.topic, pyramid.scus) for pyramid in new]
        places = dict(zip(map(id, campaign.pyramids), _places(path, "pyramids.jsonl", campaign.pyramids), strict=True))
        check_pyramids(
            campaign,
            problems,
            pyramids=new,
            pyramid_places=[places[id(pyramid)] for pyramid in new],
            annotation_places=_places(path, "annotations.jsonl", campaign.annotations),
        )
    return problems


def _places(path: Path, file: str, nouns: Sequence[object]) -> list[Place]:
    """File and line of each noun: a line of JSON each in a campaign folder, the file as a whole elsewhere."""
    table = path / file
    if not table.is_file():
        return [(path, None)] * len(nouns)
    with table.open("rb") as lines:
        numbers = [number for number, line in enumerate(lines, start=1) if line.strip()]
    return [(table, number) for number in numbers] if len(numbers) == len(nouns) else [(table, None)] * len(nouns)
