"""Texts in Arrow columns: counted where they lie, without becoming Python objects.

Anything with Arrow's `__arrow_c_stream__` or `__arrow_c_array__` can be read: pyarrow, Polars, DuckDB, pandas, Daft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.text import _native
from pyramidion.text.limits import check_cells, check_limits, clear_errors, thread_count
from pyramidion.text.overlap import (
    MAX_CELLS,
    Kind,
    Quirks,
    kernel_kinds,
    kernel_quirks,
    rouge_score_kinds,
)
from pyramidion.text.tokens import Stems, stems_name, tokens_name
from pyramidion.text.word_lists import word_lists

ArrowNumbers = _native.ArrowNumbers
_Reading = tuple[str, str, bool, _native.Limit, _native.Quirks, int, int]


@dataclass(frozen=True, eq=False)
class RowCounts:
    """Counts of the rows of a `TextTable`; a row has a pair for each of its references."""

    counts: Floats
    """Pairs × kinds × 4, as `count_overlaps` gives them."""
    starts: Integers
    """The first pair of each row, and one more at the end; a row without a summary or a reference has no pairs."""
    has_long_line: bool
    """Whether some text is one line with more words than `long_line`."""
    has_unread_letters: bool
    """Whether some text has letters, but none that `tokens="rouge155"` reads."""


def pool_rows(counts: Floats, starts: Integers, *, best_f: bool, alpha: float) -> tuple[Floats, Floats]:
    """Recall, precision and F of rows, and the hits, model counts and peer counts that they are made of.

    Args:
        counts: pairs × 4, those of one kind.
        starts: as in `RowCounts`.
        best_f: take the reference with the best F = 2·P·R / (P + R); otherwise all of a row's references together,
            with F = P·R / ((1 − α)·P + α·R).
        alpha: α.

    Returns:
        Rows × 3 each, NaN where a row has no pairs.
    """
    return _native.pool_rows(counts, starts, best_f, alpha)


class TextTable:
    """Two Arrow columns: summaries, and the references of each.

    A summary is a string, or a list of sentences. The references of a row are a string, a list of strings, or a list
    of lists of sentences. Null means that there is none. Strings may be of every Arrow type: string, large_string,
    string_view, or a dictionary of these; they are neither copied nor decoded.

    Args:
        data: an Arrow table or batch, or a pair (column of summaries, column of references).
        summary: the name of the column of summaries, where `data` is a table.
        references: the name of the column of references.

    Raises:
        InputError: if this is no Arrow data, a column has another type, or offsets and lengths contradict each other.
        UsageError: if there is no such column.
    """

    def __init__(self, data: Any, *, summary: str = "summary", references: str = "references") -> None:
        with clear_errors():
            if isinstance(data, tuple):
                self._summaries, self._references = map(_open, data)
                self._names = ("", "")
                return
            self._summaries = self._references = _open(data)
        for name in (summary, references):
            if name not in self._summaries.names:
                known = self._summaries.names
                hint = did_you_mean(name, known)
                raise UsageError(f"there is no column {name!r}{hint} the table has: {', '.join(known) or 'none'}")
        self._names = (summary, references)

    def __len__(self) -> int:
        return self._summaries.rows

    def count(
        self,
        kinds: Sequence[Kind],
        *,
        tokens: str = "rouge155",
        stem: bool | Stems = True,
        stop: bool = False,
        words: int | None = None,
        bytes: int | None = None,
        quirks: Quirks = Quirks(),  # noqa: B008  (frozen)
        threads: int | None = None,
        max_cells: int = MAX_CELLS,
        long_line: int = 0,
    ) -> RowCounts:
        """As `count_overlaps`, for each summary with each of its references."""
        check_limits(words, bytes)
        limit = _native.Limit(words or 0, bytes or 0, quirks.leading_blank_is_word, quirks.lcs_forgets_bytes)
        reading = (tokens_name(tokens), stems_name(stem), stop, limit, kernel_quirks(quirks), max_cells, long_line)
        return self._count(kernel_kinds(kinds), reading, threads)

    def count_rouge_score(
        self, kinds: Sequence[str], *, stem: bool = False, threads: int | None = None, max_cells: int = MAX_CELLS
    ) -> RowCounts:
        """As the function `count_rouge_score`, for each summary with each of its references."""
        stems = "nltk" if stem else "none"
        reading = ("rouge_score", stems, False, _native.Limit(), _native.Quirks(), max_cells, 0)
        return self._count(rouge_score_kinds(kinds), reading, threads)

    def _count(self, kinds: list[tuple[str, float]], reading: _Reading, threads: int | None) -> RowCounts:
        first, second = self._names
        tokens, stems, stop, limit, quirks, max_cells, long_line = reading
        check_cells(max_cells)
        with clear_errors():
            found = _native.count_arrow(
                self._summaries, self._references, first, second, kinds, word_lists(), tokens, stems, stop, limit,
                quirks, max_cells, long_line, thread_count(threads),
            )  # fmt: skip
        return RowCounts(*found)


def _open(data: Any) -> _native.ArrowTable:
    try:
        return _native.ArrowTable(data)
    except RuntimeError as error:
        raise InputError(str(error)) from None
