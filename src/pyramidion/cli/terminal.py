"""Tables in the terminal: nothing is cut, however narrow it is.

Columns that do not fit into a line follow in a second table, next to those that name the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyramidion.cli.streams import NobodyReadsError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    from pyramidion.tables import Table

WIDEST = 160
"""Lines of this length where no terminal says how long they may be; numbers and names may make them longer."""
LONGEST_IN_ONE_LINE = 24
"""Cells up to this length are never folded, however narrow the terminal is."""
NARROWEST_TEXT = 14
"""Columns of longer texts are not folded more narrowly than this."""
LOOSE, TIGHT = 3, 1
"""Spaces between two columns."""


def safe(text: str) -> str:
    """The text with everything escaped that a terminal would obey; line breaks stay."""
    from pyramidion.files.problems import printable

    return "\n".join(map(printable, text.split("\n")))


def screen(widest: int) -> Console:
    """The terminal; where there is none, lines of at most this width."""
    from rich.console import Console

    class Screen(Console):
        """Rich's own would end the program with 1 if nobody reads its output."""

        def on_broken_pipe(self) -> None:
            raise NobodyReadsError from None

    return Screen(width=None if sys.stdout.isatty() else widest, highlight=False)


def print_in_terminal(table: Table, mark: str) -> None:
    """A table with its title, its sentences and its notes; `mark` follows cells that stand out."""
    console = screen(WIDEST)
    heads = [_cell(column.name) for column in table.columns]
    rows = [[_cell(text) for text in row] for row in table.cells(mark)]
    longest = [max((row[place].cell_len for row in rows), default=0) for place in range(len(heads))]
    short = [length <= LONGEST_IN_ONE_LINE for length in longest]
    natural = [max(head.cell_len, length) for head, length in zip(heads, longest, strict=True)]
    least = [
        max(length if is_short else NARROWEST_TEXT, *(part.cell_len for part in head.split(" ")), 1)
        for head, length, is_short in zip(heads, longest, short, strict=True)
    ]
    if not sys.stdout.isatty():  # a line may be as long as it needs to be
        least = [full if is_short else few for full, few, is_short in zip(natural, least, short, strict=True)]
        console.width = max(console.width, _width(least, LOOSE))
    title = table.title
    for places in _blocks(least, table.heads, console.width):
        if title:
            console.print(_cell(title), style="bold")
        some = [least[place] for place in places]
        gap = LOOSE if _width(some, LOOSE) <= console.width else TIGHT
        console.width = max(console.width, _width(some, gap))
        shown = _drawn(gap)
        for place, width in zip(
            places, _widths([natural[place] for place in places], some, console.width, gap), strict=True
        ):
            justify = "right" if table.is_numeric(place) else "left"
            shown.add_column(heads[place], justify=justify, overflow="fold", width=width)  # type: ignore[arg-type]
        for row in rows:
            shown.add_row(*(row[place] for place in places))
        console.print(shown)
        title = f"{table.title or 'The same rows'} (more columns)"
    for line in (*table.sentences, *table.notes):
        print(f"  {safe(line)}")
    if table.sentences or table.notes:
        print()


def _cell(text: str) -> Text:
    """Never a str: rich would read markup in it."""
    from rich.text import Text

    return Text(safe(text))


def _drawn(gap: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    shown = RichTable(box=box.SIMPLE_HEAD)
    if gap == TIGHT:
        shown.padding, shown.pad_edge = (0, 0), False
    return shown


def _width(columns: Sequence[int], gap: int) -> int:
    """Of a line: the columns, the space between two of them and at the edges."""
    return sum(columns) + gap * len(columns) + 1


def _blocks(least: Sequence[int], heads: int, width: int) -> Iterator[list[int]]:
    """The places of columns that fit into one line; those that name the row begin each block."""
    named = list(range(heads))
    block = list(named)
    for place in range(heads, len(least)):
        if len(block) > heads and _width([least[one] for one in (*block, place)], TIGHT) > width:
            yield block
            block = list(named)
        block.append(place)
    yield block


def _widths(natural: Sequence[int], least: Sequence[int], width: int, gap: int) -> list[int]:
    """The widths of columns that share a line: the widest gives way first, none below what it needs."""
    widths = list(natural)
    while _width(widths, gap) > width:
        place = max(range(len(widths)), key=lambda one: (widths[one] > least[one], widths[one]))
        if widths[place] <= least[place]:
            break
        widths[place] -= 1
    return widths
