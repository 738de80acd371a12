"""When two numbers count as equal, and what follows: means of the same values may differ in their last bits."""

from __future__ import annotations

import math

import numpy as np

from pyramidion.arrays import Floats

DECIMALS = 9
SLACK = 1e-12
"""What differs by less than this share of its size differs by rounding alone."""


def settled(values: Floats, *, like: Floats | None = None) -> Floats:
    """The values rounded to nine decimals, so that equal values compare equal.

    Where even the largest is below 1, nine digits after its first are kept; where it is above a million, fifteen
    digits in all, which is what a float holds. The largest is sought in `like` if that is given, so that parts of
    some values can be settled as the whole.
    """
    known = values if like is None else like
    finite = np.abs(known[np.isfinite(known)])
    return _rounded(values, _decimals(float(finite.max()) if finite.size else 0.0))


def settled_rows(values: Floats, largest: Floats) -> Floats:
    """The same for rows whose largest absolute values are given: each row is settled on its own scale."""
    decimals = [_decimals(float(one)) for one in largest]
    if len(set(decimals)) == 1:
        return _rounded(values, decimals[0])
    result = values.copy()
    for number in set(decimals):
        rows = [row for row, own in enumerate(decimals) if own == number]
        result[rows] = _rounded(values[rows], number)
    return result


def _decimals(largest: float) -> int | None:
    """The decimals to which values up to this size are rounded; None if they stay as they are."""
    if largest == 0:
        return None
    magnitude = math.floor(math.log10(largest))
    decimals = DECIMALS - magnitude if magnitude < 0 else min(DECIMALS, 14 - magnitude)
    return decimals if decimals < 300 else None


def _rounded(values: Floats, decimals: int | None) -> Floats:
    rounded: Floats = values if decimals is None else np.round(values, decimals)
    return rounded


def settled_measures(values: Floats, *, like: Floats | None = None) -> Floats:
    """Measures × …: each measure settled on its own scale."""
    scales = values if like is None else like
    result = values.copy()
    for number, scale in enumerate(scales):
        result[number] = settled(values[number], like=scale)
    return result


def mid_ranks(values: Floats, *, axis: int = -1) -> Floats:
    """Ranks from 1 (the lowest) along an axis; equal values share the middle rank, and NaN has none."""
    moved = np.moveaxis(values, axis, -1)
    order = np.argsort(moved, axis=-1, kind="stable")
    ordered = np.take_along_axis(moved, order, axis=-1)
    size = moved.shape[-1]
    places = np.arange(size)
    changes = np.ones(ordered.shape, dtype=np.bool_)  # where a new value begins
    changes[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(changes, places, 0), axis=-1)
    ends = np.ones(ordered.shape, dtype=np.bool_)
    ends[..., :-1] = changes[..., 1:]
    last = np.minimum.accumulate(np.where(ends, places, size)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(moved.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(moved)] = np.nan
    return np.moveaxis(ranks, -1, axis)
