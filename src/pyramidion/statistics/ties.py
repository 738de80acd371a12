"""When two numbers count as equal: means of the same values may differ in the last bits, which must not rank them."""

from __future__ import annotations

import math

import numpy as np

from pyramidion.arrays import Floats

DECIMALS = 9


def settled(values: Floats, *, like: Floats | None = None) -> Floats:
    """The values rounded so far that noise of the last bits is gone: to nine decimals.

    Where even the largest is below 1, nine digits after its first are kept; where it is above a million, fifteen
    digits in all, which is what a float holds. The largest is sought in `like` if that is given, so that parts of
    some values can be settled as the whole.
    """
    known = values if like is None else like
    finite = np.abs(known[np.isfinite(known)])
    largest = float(finite.max()) if finite.size else 0.0
    if largest == 0:
        return values
    magnitude = math.floor(math.log10(largest))
    decimals = DECIMALS - magnitude if magnitude < 0 else min(DECIMALS, 14 - magnitude)
    rounded: Floats = np.round(values, decimals) if decimals < 300 else values
    return rounded
