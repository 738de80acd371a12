"""What every call of a kernel checks: whole numbers, a number of threads, errors in our own words, and length limits.

Length limits are applied as in ROUGE-1.5.5 (-l, -b): to the raw text, before tokens are made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.errors import InputError, UsageError
from pyramidion.text import _native

MOST_THREADS: Final = 4096


def checked_pairs(pairs: Integers, name: str, row: str) -> Integers:
    """Pairs of indices as the kernels take them; nothing is rounded, and nothing else is taken for a number.

    Args:
        pairs: rows of two indices each.
        name: what messages call them.
        row: what a row is, as in "(peer, model)".

    Raises:
        UsageError: if these are no rows of two whole numbers.
    """
    try:
        given = np.asarray(pairs)
    except ValueError:  # rows of different lengths
        raise UsageError(f"{name} have rows of different lengths: expected rows {row}") from None
    if not given.size:
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2:
        raise UsageError(f"{name} have the shape {given.shape}: expected rows {row}")
    if given.dtype.kind not in "iu" or given.max() > np.iinfo(np.int64).max:
        there = given.ravel().tolist()
        wrong = next((one for one in there if type(one) is not int or one > np.iinfo(np.int64).max), there[0])
        raise UsageError(f"{name} contain {wrong!r}: expected rows {row} of indices, as an array of integers")
    return np.ascontiguousarray(given, dtype=np.int64)


def thread_count(threads: int | None) -> int:
    """How many threads share the work: as many as asked for, as PYRAMIDION_THREADS says, or as there are processors."""
    if threads is None and (given := os.environ.get("PYRAMIDION_THREADS", "")).isdigit():
        threads = int(given)
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not is_whole(threads) or not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"threads={threads}: give a whole number, 1 or more, {MOST_THREADS:,} at most")
    return int(threads)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Errors of the kernels in the words of the package."""
    try:
        yield
    except IndexError as error:
        raise UsageError(str(error)) from None
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


LONGEST: Final = 10**15
"""More words or bytes than any text has."""


def check_limits(words: int | None, bytes: int | None) -> None:
    """Refuses limits that mean nothing."""
    if words is not None and bytes is not None:
        raise UsageError("a text is cut to words or to bytes, not to both: give one of words=, bytes=")
    for name, limit in (("words", words), ("bytes", bytes)):
        if limit is not None and not is_whole(limit):
            raise UsageError(f"{name}={limit}: a limit is a whole number")
        if limit is not None and limit < 1:
            raise UsageError(f"{name}={limit}: a limit is 1 or more; leave it out for no limit")
        if limit is not None and limit > LONGEST:
            raise UsageError(f"{name}={limit:g}: no text is that long; leave it out for no limit")


def check_cells(max_cells: int | None) -> None:
    """Refuses a size of tables that means nothing; None is the usual one."""
    if max_cells is not None and not (is_whole(max_cells) and 0 <= max_cells <= LONGEST):
        raise UsageError(f"max_cells={max_cells}: expected a whole number of cells, {LONGEST:,} at most")


def cut(text: str, *, words: int | None = None, bytes: int | None = None, leading_blank_is_word: bool = True) -> str:
    r"""The text, cut to a number of words or bytes.

    Sentences, the lines of the text, are kept whole while the total stays below the limit;
    the next one is cut to what remains, and the rest is dropped. Words are what stands between white space; a
    sentence that starts with white space has an empty first word. Bytes are those of UTF-8; the line breaks between
    sentences are not counted, and a character that the limit cuts through is dropped.

    >>> cut("one two three\nfour five", words=4)
    'one two three\nfour'
    """
    kept = cut_sentences(text.split("\n"), words=words, bytes=bytes, leading_blank_is_word=leading_blank_is_word)
    return "\n".join(kept)


def cut_sentences(
    sentences: Sequence[str],
    *,
    words: int | None = None,
    bytes: int | None = None,
    leading_blank_is_word: bool = True,
) -> list[str]:
    """As `cut`, for a text whose sentences are known."""
    check_limits(words, bytes)
    sizes = _native.cut_sizes(sentences, _native.Limit(words or 0, bytes or 0, leading_blank_is_word))
    return [
        sentence.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")
        for sentence, size in zip(sentences, sizes, strict=False)
    ]
