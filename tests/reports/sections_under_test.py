"""What the tests of sections share: the context of a report, and the records of the commands that a section names."""

import json
import shlex
from typing import Any

from typer.testing import CliRunner

import pyramidion
from pyramidion.campaign import Campaign
from pyramidion.cli import app
from pyramidion.reports.context import Context
from pyramidion.reports.section import Section, Table


def context_of(data: str | Campaign, measures: list[str] | None = None, **options: Any) -> Context:
    table = pyramidion.score(data, measures, peers=options.get("peers", "systems"))
    return Context(
        campaign=pyramidion.load(data),
        table=table,
        comparison=pyramidion.compare(table),
        data=data if isinstance(data, str) else "DATA",
        **options,
    )


def records_of(command: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, [*shlex.split(command), "--format", "json", "--quiet"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def table_of(section: Section, id: str) -> Table:
    blocks = [block for one in (section, *section.parts) for block in one.blocks]
    return next(block for block in blocks if isinstance(block, Table) and block.id == id)


def cells(table: Table, name: str, *, by: str) -> dict[Any, Any]:
    """One column by another."""
    names = [column.name for column in table.columns]
    return {row[names.index(by)]: row[names.index(name)] for row in table.rows}
