"""What the tests of sections share: the context of a report, and the records of the commands that a section names."""

import json
import shlex
from typing import Any

from click.testing import CliRunner

from pyramidion.campaign import Campaign
from pyramidion.cli import program
from pyramidion.evaluation import Evaluation
from pyramidion.options import Choice, ReportOptions
from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.scores import ScoreTable
from pyramidion.tables import Table


def context_of(
    data: str | Campaign | ScoreTable,
    measures: list[str] | None = None,
    options: ReportOptions | None = None,
    **choice: Any,
) -> Context:
    evaluation = Evaluation(data, Choice(**choice))
    return Context(
        evaluation=evaluation,
        table=evaluation.table(measures),
        comparison=evaluation.compare(measures),
        options=options or ReportOptions(),
        asked=measures or (),
    )


def records_of(command: str) -> list[dict[str, Any]]:
    name, *arguments = shlex.split(command)
    assert name == "pyramidion"
    done = CliRunner().invoke(program, [*arguments, "--format", "json", "--quiet"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def table_of(section: Section, record: str, part: str = "") -> Table:
    """The first table of this record in a section, or in a part of it."""
    place = next(one for one in section.parts if one.id == part) if part else section
    return next(block for block in place.blocks if isinstance(block, Table) and block.record == record)


def cells(table: Table, name: str, *, by: str) -> dict[Any, Any]:
    """One column by another."""
    names = [column.name for column in table.columns]
    return {row[names.index(by)]: row[names.index(name)] for row in table.rows}
