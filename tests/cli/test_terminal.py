"""Tables in the terminal lose nothing: heads wrap, columns that do not fit follow in a second table."""

from __future__ import annotations

import io
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.cli.output import WIDEST, print_in_terminal
from pyramidion.show.tables import Table, columns_of

TOPICS = ["D01", "D02"]
HEADS = ("topic", "mean score of references", "mean score of summarizers", "share in one reference only", "SCUs")


def wide(heads: tuple[str, ...] = HEADS, value: float | str = 0.5) -> Table:
    return Table(
        record="wide",
        title="Pyramids",
        columns=columns_of(*heads),
        rows=[[topic, *([value] * (len(heads) - 1))] for topic in TOPICS],
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(table: Table, width: int | None = None) -> list[str]:
    """What is printed in a terminal of this width, or into a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.setenv("TERM", "xterm")
        if width is None:
            patch.delenv("COLUMNS")
        stream = Terminal() if width else io.StringIO()
        patch.setattr(sys, "stdout", stream)
        print_in_terminal(table, "*")
    return re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()).splitlines()


def test_where_there_is_no_terminal_every_head_is_in_one_line_however_long() -> None:
    heads = tuple(f"a column with the name {number}" for number in range(12))
    lines = printed(wide(heads))
    assert all(head in lines[2] for head in heads)
    assert len(lines[2]) > WIDEST
    assert lines[4].split() == ["D01", *["0.50000"] * 11]


def test_heads_wrap_at_words_in_a_terminal_that_is_a_little_narrow() -> None:
    lines = printed(wide(), 60)
    assert all(len(line) <= 60 for line in lines)
    assert sum("D01" in line for line in lines) == 1
    assert " ".join(lines).split().count("mean") == 2


def test_columns_that_do_not_fit_follow_with_the_names_of_the_rows() -> None:
    lines = printed(wide(), 30)
    assert all(len(line) <= 30 for line in lines)
    rows = [line.split() for line in lines if "D01" in line]
    assert len(rows) > 1
    assert sum(len(row) - 1 for row in rows) == len(HEADS) - 1
    titles = [line.strip() for line in lines if "Pyramids" in line]
    assert titles == ["Pyramids", *["Pyramids (more columns)"] * (len(rows) - 1)]


def test_long_texts_are_folded_where_there_is_no_terminal() -> None:
    lines = printed(wide(("topic", "text"), "word " * 100))
    assert max(map(len, lines)) == WIDEST
    assert " ".join(lines).split().count("word") == 200


@given(
    heads=st.lists(st.text("ab cd", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=8),
    value=st.floats(0, 1e6) | st.text("xyz ", min_size=1, max_size=60),
    width=st.none() | st.integers(20, 200),
)
def test_no_letter_is_lost(heads: list[str], value: float | str, width: int | None) -> None:
    table = wide(("topic", *heads), value)
    shown = "".join(printed(table, width)).replace(" ", "")
    for head in heads:
        assert all(shown.count(letter) >= head.count(letter) for letter in "abcd")
    cells = "".join(cell for row in table.cells() for cell in row[1:])
    digits = "0123456789xyz"
    assert sum(shown.count(one) for one in digits) >= sum(cells.count(one) for one in digits)
