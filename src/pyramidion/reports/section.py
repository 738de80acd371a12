"""What a report is made of: sections that say something, and the tables and figures that show it.

A section knows nothing of HTML; `page` lays it out. Text from the data goes in as it is: the page escapes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pyramidion.reports.figures.chart import Chart

Cell = str | int | float | None
Align = Literal["left", "right"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a table."""

    name: str
    align: Align = "right"
    digits: int | None = None
    """Decimals of numbers; None: as they are."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows that can be sorted by every column and exported as CSV and LaTeX."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    """None is shown as a dash."""
    header_columns: int = 1
    """So many columns on the left name the row."""
    marked: frozenset[tuple[int, int]] = frozenset()
    """Cells (row, column) that stand out, such as the best of a column."""
    below: str = ""
    group: str = ""
    """Blocks of one group are shown one at a time: the reader chooses by `choice`."""
    choice: str = ""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing, with words for those who can't see it; exported as SVG and PNG."""

    id: str
    caption: str
    alt: str
    """What it shows, in a sentence or two."""
    chart: Chart
    """Rendered when the page is laid out."""
    group: str = ""
    choice: str = ""


@dataclass(frozen=True, kw_only=True)
class Block:
    """Something that only one section has: a template of its own with what it shows, and data for the script."""

    id: str
    template: str
    """File in templates/, rendered with `values`; everything in it is escaped."""
    values: Mapping[str, Any]
    data: Any = None
    """What the page's script reads (as JSON in an inert element `<id>-data`); None if nothing."""
    group: str = ""
    choice: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the page."""

    id: str
    title: str
    sentences: tuple[str, ...] = ()
    """What it says, in plain words, before anything is shown."""
    blocks: tuple[Table | Figure | Block, ...] = ()
    commands: tuple[str, ...] = ()
    """Commands (without `--format json`) that give what is shown."""
    notes: tuple[str, ...] = ()
    """What must be said, such as that judgments are simulated."""
    parts: tuple[Section, ...] = field(default_factory=tuple)
    """Sections inside it."""
    group: str = ""
    """Parts of one group are shown one at a time, like blocks. Groups of one name are chosen together in the page."""
    choice: str = ""
    mark: str = ""
    """A word beside the title, such as that judgments are simulated."""
