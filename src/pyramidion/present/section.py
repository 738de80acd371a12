"""What a report is made of: sections that say something, and the tables and figures that show it.

A section knows nothing of HTML; `page` lays it out. Text from the data goes in as it is: the page escapes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyramidion.show.tables import Table

if TYPE_CHECKING:
    from pyramidion.present.chart import Chart


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing, with words for those who can't see it; exported as SVG and PNG."""

    id: str
    caption: str
    alt: str
    """What it shows, in a sentence or two."""
    draw: Callable[[], Chart]
    """Called when the page is laid out."""
    group: str = ""
    """Items of one group are shown one at a time: the reader chooses by `about`."""
    about: str = ""


@dataclass(frozen=True)
class Point:
    """A number and its interval; None where undefined."""

    value: float | None
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """A table that is drawn as well."""

    table: Table

    @property
    def group(self) -> str:
        """That of the table."""
        return self.table.group

    @property
    def about(self) -> str:
        """That of the table."""
        return self.table.about


@dataclass(frozen=True, kw_only=True)
class Dots(_Drawn):
    """Each row has a dot for a number and a line for its interval.

    The page draws it with its own text, so that it fits any font and any width.
    """

    alt: str
    """What it shows, in a sentence or two."""
    points: Sequence[Point]
    """What is drawn of each row of the table."""
    strong: frozenset[int] = frozenset()
    """Rows that stand out, such as those that do not differ significantly from the best."""
    zero: bool = False
    """Whether 0 is marked; it lies in the middle where each row has a scale of its own."""
    own: bool = False
    """Whether each row has a scale of its own, because their units differ."""
    spare: frozenset[str] = frozenset()
    """Columns that a narrow screen leaves out: the page has their numbers elsewhere."""
    counts: Sequence[tuple[int, int, int]] = ()
    """Of each row: wins, ties and losses, drawn as a bar."""
    first: int = 0
    """How many rows are shown before the others are folded; 0: all."""


@dataclass(frozen=True, kw_only=True)
class Shaded(_Drawn):
    """A table of correlations whose cells are coloured from −1 to 1."""


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
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the page."""

    id: str
    title: str
    """What it is about, in two or three words: for the contents."""
    finding: str = ""
    """What was found, in one line: the heading; by default the title."""
    sentences: tuple[str, ...] = ()
    """What it says, in plain words, before anything is shown."""
    blocks: tuple[Table | Dots | Shaded | Figure | Block, ...] = ()
    commands: tuple[str, ...] = ()
    """Commands that give the numbers shown."""
    notes: tuple[str, ...] = ()
    """What a reader must know, such as that judgments are simulated."""
    parts: tuple[Section, ...] = field(default_factory=tuple)
    """Sections inside it."""
    group: str = ""
    """Parts of one group are shown one at a time, like blocks. Groups of one name are chosen together in the page."""
    about: str = ""
    appendix: bool = False
    """Whether it is for specialists, and stands after the others."""
    invitation: str = ""
    """How the first screen points to it."""
    printed: bool = False
    """Whether it is open on paper; others print their heading only, unless the reader opened them."""
    mark: str = ""
    """A word next to the title, such as that judgments are simulated."""
