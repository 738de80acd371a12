"""What the tests of the sections about people share: contexts, their blocks, and the commands that they name."""

import json
import shlex
import sys
from collections.abc import Iterator
from typing import Any, TypeVar

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Judgment, PeerChoice
from pyramidion.cli import main
from pyramidion.reports.context import Context
from pyramidion.reports.section import Block, Figure, Section, Table
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.comparison import compare

Item = TypeVar("Item", Table, Figure)


def context_of(data: str | Campaign, *measures: str, peers: PeerChoice = "systems", **options: Any) -> Context:
    """As `report` makes it."""
    table = pyramidion.score(data, list(measures) or None, peers=peers)
    campaign = pyramidion.load(data)
    name = data if isinstance(data, str) else "DATA"
    return Context(campaign=campaign, table=table, comparison=compare(table), data=name, peers=peers, **options)


def context_with(table: ScoreTable, *judgments: Judgment) -> Context:
    """A context of scores and judgments without texts."""
    return Context(campaign=Campaign(judgments=judgments), table=table, comparison=compare(table))


def items(section: Section) -> Iterator[Table | Figure | Block]:
    """All blocks, those of its parts included."""
    yield from section.blocks
    for part in section.parts:
        yield from items(part)


def block(section: Section, id: str, kind: type[Item]) -> Item:
    """The block of an id."""
    found = next(item for item in items(section) if item.id == id)
    assert isinstance(found, kind)
    return found


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
