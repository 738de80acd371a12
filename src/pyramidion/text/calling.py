"""What every call of a kernel needs: whole numbers that are checked, a number of threads, errors in our own words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.errors import InputError, UsageError

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
