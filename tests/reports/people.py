"""What the tests of the sections about people share: contexts, their blocks, and the commands that they name."""

import json
import shlex
import sys
from collections.abc import Iterator
from typing import Any, TypeVar

import pytest

from pyramidion.campaign import Campaign, Judgment
from pyramidion.cli import main
from pyramidion.evaluation import Evaluation
from pyramidion.options import Choice, ReportOptions
from pyramidion.reports.context import Context
from pyramidion.reports.section import Block, Figure, Section
from pyramidion.scores import ScoreTable
from pyramidion.tables import Table

Item = TypeVar("Item", Figure, Block)


def context_of(data: str | Campaign, *measures: str, resamples: int = 1000, **choice: Any) -> Context:
    """As `report` makes it."""
    return _context(Evaluation(data, Choice(**choice)), list(measures), resamples)


def context_with(table: ScoreTable, *judgments: Judgment, resamples: int = 1000) -> Context:
    """A context of scores and judgments without texts."""
    evaluation = Evaluation(table)
    evaluation.__dict__["campaign"] = Campaign(judgments=judgments)
    return _context(evaluation, [], resamples)


def _context(evaluation: Evaluation, measures: list[str], resamples: int) -> Context:
    return Context(
        evaluation=evaluation,
        table=evaluation.table(measures or None),
        comparison=evaluation.compare(measures or None),
        options=ReportOptions(resamples=resamples),
        asked=measures,
    )


def items(section: Section) -> Iterator[Table | Figure | Block]:
    """All blocks, those of its parts included."""
    yield from section.blocks
    for part in section.parts:
        yield from items(part)


def block(section: Section, id: str, kind: type[Item]) -> Item:
    """The figure or block of an id."""
    found = next(item for item in items(section) if not isinstance(item, Table) and item.id == id)
    assert isinstance(found, kind)
    return found


def table_called(section: Section, start: str) -> Table:
    """The first table whose title starts like this."""
    return next(item for item in items(section) if isinstance(item, Table) and item.title.startswith(start))


def words(section: Section) -> str:
    """All that it says."""
    return " ".join([*section.sentences, *section.notes, *map(words, section.parts)])


def repeat(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """The records that a command of the report prints."""
    program, *arguments = shlex.split(command)
    assert program == "pyramidion"
    monkeypatch.setattr(sys, "argv", [program, *arguments, "--format", "json", "--quiet"])
    try:
        main()
    except SystemExit as end:
        assert not end.code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
