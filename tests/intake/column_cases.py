"""Tables in short, for tests of what their columns mean: column_tables.txt says how they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

FORMATS = ("jsonl", "csv", "parquet", "memory")
TOPICS, SYSTEMS = 3, ("bart", "gpt")
EVENTS = ("a ferry burned off the coast of Kiel", "the mayor of Bonn stepped down", "heavy rain fell in the north")


class Spot(NamedTuple):
    """A row of such a table."""

    row: int
    topic: int
    system: int


CELLS: dict[str, Callable[[Spot], Any]] = {
    "topic": lambda spot: f"t{spot.topic}",
    "whole": lambda spot: spot.topic,
    "whole_text": lambda spot: str(spot.topic),
    "with_point": lambda spot: f"{spot.topic}.0",
    "version": lambda spot: f"{spot.topic}.1",
    "row": lambda spot: spot.row,
    "system": lambda spot: SYSTEMS[spot.system],
    "one_system": lambda _: "bart",
    "run": lambda spot: spot.system + 1,
    "run_text": lambda spot: f"run{spot.system + 1}",
    "seed": lambda spot: 1000 + 7 * spot.row,
    "prose": lambda spot: f"{SYSTEMS[spot.system]} says that {EVENTS[spot.topic]} on Monday",
    "shared": lambda spot: f"People report that {EVENTS[spot.topic]} on Monday at noon",
    "document": lambda spot: " ".join([f"Report: {EVENTS[spot.topic]}."] * 12),
    "same": lambda _: "Summarise the following article in one or two sentences.",
    "short": lambda spot: f"ferry {SYSTEMS[spot.system]} {spot.topic}",
    "label": lambda spot: ("good", "bad")[spot.row % 2],
    "kanji": lambda spot: f"東京で大きな地震があり多くの人が避難した{spot.row}",
    "number": lambda spot: spot.row + 1,
    "decimal": lambda spot: spot.row / 4,
    "number_text": lambda spot: str(spot.row / 4),
    "gaps": lambda spot: [1.5, None, "NA", 2, "", 3][spot.row],
    "slip": lambda spot: spot.row if spot.row else "good",
    "none": lambda _: None,
    "blank": lambda _: " ",
    "texts": lambda spot: [f"{EVENTS[spot.topic]} on Monday at noon", f"{EVENTS[spot.topic]} at last it was said"],
    "object": lambda spot: {"fluency": spot.row + 1},
    "nested": lambda spot: [spot.row, 2],
    "empty_list": lambda _: [],
    "truth": lambda spot: spot.row % 2 == 0,
}


def rows_of(table: str, *, each_topic_once: bool = False, are_text: bool = False) -> list[dict[str, Any]]:
    """The rows of a table in short."""
    columns = [word.rpartition(":") for word in table.split()]
    systems = SYSTEMS[:1] if each_topic_once else SYSTEMS
    spots = [
        Spot(TOPICS * system + topic, topic, system) for system, _ in enumerate(systems) for topic in range(TOPICS)
    ]
    rows = [{name.replace("~", " "): CELLS[cells](spot) for name, _, cells in columns} for spot in spots]
    if are_text:
        rows = [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]
    return rows


class Case(NamedTuple):
    """A table, and what is expected of it."""

    table: str
    named: dict[str, str]
    """By role, the columns that the user names."""
    answer: str
    formats: tuple[str, ...] = FORMATS

    def __str__(self) -> str:
        return f"{self.table} | {self.named}"


def read_cases(section: str) -> list[Case]:
    """The cases in a section of column_tables.txt."""
    text = Path(__file__).with_name("column_tables.txt").read_text(encoding="utf-8")
    _, _, rest = text.partition(f"== {section} ==\n")
    lines = [line for line in rest.partition("\n== ")[0].splitlines() if line and not line.startswith("#")]
    cases: list[Case] = []
    table, named = "", {}
    for line in lines:
        if not line.startswith(" "):
            table, _, option = line.partition(" | ")
            named = dict(pair.split("=", 1) for pair in option.split(",")) if option else {}
            continue
        first, _, answer = line.strip().partition(": ")
        if {*first.split()} <= {*FORMATS}:
            cases.append(Case(table, named, answer, tuple(first.split())))
        else:
            cases.append(Case(table, named, line.strip()))
    return cases
