"""The terminal: its streams in any encoding, the signals that end a program, and tables that are never cut.

A signal ends the program by an exception, so that unfinished files are removed on its way. Columns of a table that do
not fit into a line follow in a second table, next to those that name the rows.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    from pyramidion.show.tables import Table

PLAIN = str.maketrans(
    {
        **{"–": "-", "—": "-", "−": "-", "‑": "-", "·": ".", "•": "*", "…": "...", "’": "'", "‘": "'", "“": '"'},
        **{"”": '"', "×": "x", "±": "+/-", "≥": ">=", "≤": "<=", "→": "->", "½": "1/2", "²": "^2", "′": "'"},
        **{"∞": "inf", "α": "alpha", "β": "beta", "δ": "delta", "ρ": "rho", "τ": "tau", "χ": "chi", "Δ": "Delta"},
        **{"\xa0": " ", "\u202f": " ", "\u2009": " "},
    }
)
"""Signs of ours for terminals that know no others."""
REPLACING = "pyramidion"
"""The name of our way to treat what an encoding does not have."""


class NobodyReadsError(Exception):
    """The reader of our output has seen enough, as `head` does: nothing is wrong."""


def prepare_streams() -> None:
    """Make standard output and error usable whatever they are: closed, or in an encoding that lacks our signs."""
    _open_closed_streams()
    codecs.register_error(REPLACING, _replaced)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a stream of Python's own
            stream.reconfigure(errors=REPLACING)  # type: ignore[union-attr]


def is_unicode(stream: object) -> bool:
    """Whether a stream can take every character."""
    return str(getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def drop_output() -> None:
    """What is still to be printed goes nowhere; else Python would try, and fail, at the very end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_closed_streams() -> None:
    """Give streams that were closed somewhere to go; else the next file that is opened would get their number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  # until the end


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for characters that an encoding does not have: a plain sign, or the character's number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(PLAIN)
    return found.encode("ascii", "backslashreplace").decode("ascii"), error.end


ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
LATER = 0.01
"""Seconds until the next try where an exception would do harm."""
TRIES = 100
_IN_POLARS = f"{os.sep}polars{os.sep}"


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """End what is done inside by SystemExit on SIGTERM and SIGHUP, by KeyboardInterrupt on Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    handle = _Ending().handle
    before = {one: signal.signal(one, handle) for one in ENDING if signal.getsignal(one) in usual}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class _Ending:
    """The end of a program, which may have to wait a moment.

    Where Rust calls Python, as Polars does for its types, it panics at an exception: while Python is inside Polars,
    the signal is tried again a little later.
    """

    def __init__(self) -> None:
        self._number: int = signal.SIGTERM
        self._tries = 0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Take a signal."""
        self._number = number
        self._end(frame)

    def _again(self, _number: int, frame: FrameType | None) -> None:
        self._end(frame)

    def _end(self, frame: FrameType | None) -> None:
        self._tries += 1
        if _is_in_polars(frame) and self._tries < TRIES and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._again)
            signal.setitimer(signal.ITIMER_REAL, LATER)
            return
        self._tries = 0
        if self._number == signal.SIGINT:
            raise KeyboardInterrupt
        signal.signal(self._number, signal.SIG_IGN)  # a second signal does not interrupt the cleaning up
        sys.exit(128 + self._number)


def _is_in_polars(frame: FrameType | None) -> bool:
    return frame is not None and _IN_POLARS in frame.f_code.co_filename


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
    from pyramidion.show.wording import printable

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
