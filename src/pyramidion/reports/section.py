"""What a report is made of: sections that say something, and the tables and figures that show it.

A section knows nothing of HTML; `page` lays it out. Text from the data goes in as it is: the page escapes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyramidion.tables import Table

if TYPE_CHECKING:
    from pyramidion.reports.figures.chart import Chart


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
    sentences: tuple[str, ...] = ()
    """What it says, in plain words, before anything is shown."""
    blocks: tuple[Table | Figure | Block, ...] = ()
    commands: tuple[str, ...] = ()
    """Commands that give the numbers shown."""
    notes: tuple[str, ...] = ()
    """What a reader must know, such as that judgments are simulated."""
    parts: tuple[Section, ...] = field(default_factory=tuple)
    """Sections inside it."""
    group: str = ""
    """Parts of one group are shown one at a time, like blocks. Groups of one name are chosen together in the page."""
    about: str = ""
    mark: str = ""
    """A word next to the title, such as that judgments are simulated."""
