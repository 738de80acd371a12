"""What the tests of sections share: the context of a report, what a section holds, and the records of its commands."""

import json
import shlex
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

from click.testing import CliRunner

from pyramidion.campaign import Campaign, Judgment, Problems
from pyramidion.cli import program
from pyramidion.options import Choice, ReportOptions
from pyramidion.present.section import Block, Dots, Figure, Section, Shaded
from pyramidion.reports.context import Context
from pyramidion.run.data import ScoreData
from pyramidion.run.evaluation import Evaluation
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table

Item = TypeVar("Item", Figure, Block)


def context_of(
    data: str | Campaign | ScoreTable, *measures: str, options: ReportOptions | None = None, **choice: Any
) -> Context:
    """As `report` makes it; one of the demo is made once for each choice of measures."""
    if data == "demo" and options is None and not choice:
        return demo_context(*measures)
    chosen = measures or None
    return Context(evaluation=Evaluation(data, Choice(**choice)), chosen=chosen, options=options or ReportOptions())


@cache
def demo_context(*measures: str) -> Context:
    """The context of a report on the demo; sections only read it."""
    return Context(evaluation=Evaluation("demo"), chosen=measures or None, options=ReportOptions())


def context_with(table: ScoreTable, *judgments: Judgment, resamples: int = 1000) -> Context:
    """A context of scores and judgments without texts."""
    data = JudgedScores(table, Choice(), Problems())
    data.judged = Campaign(judgments=judgments)
    return Context(evaluation=Evaluation(data), options=ReportOptions(resamples=resamples))


class JudgedScores(ScoreData):
    """A score table with the judgments of its summaries."""

    judged = Campaign()

    @property
    def campaign(self) -> Campaign:
        """The judgments."""
        return self.judged


def records_of(command: str) -> list[dict[str, Any]]:
    """The records that a command of the report prints."""
    name, *arguments = shlex.split(command)
    assert name == "pyramidion"
    done = CliRunner().invoke(program, [*arguments, "--format", "json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def items(section: Section) -> Iterator[Table | Figure | Block]:
    """All blocks, those of its parts included; the tables of those that are drawn."""
    for one in section.blocks:
        yield one.table if isinstance(one, Dots | Shaded) else one
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


def table_of(section: Section, record: str, part: str = "") -> Table:
    """The first table of this record in a section, or in a part of it."""
    place = next(one for one in section.parts if one.id == part) if part else section
    return next(item for item in items(place) if isinstance(item, Table) and item.record == record)


def cells(table: Table, name: str, *, by: str) -> dict[Any, Any]:
    """One column by another."""
    names = [column.name for column in table.columns]
    return {row[names.index(by)]: row[names.index(name)] for row in table.rows}


def words(section: Section) -> str:
    """All that it says."""
    return " ".join([*section.sentences, *section.notes, *map(words, section.parts)])
