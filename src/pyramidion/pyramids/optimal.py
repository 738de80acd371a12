"""Optimal summaries: the sets of X SCUs that no other set of X outweighs (Nenkova & Passonneau 2004, §3, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Optimal:
    """What optimal summaries of a size have in common, and how many there are."""

    size: int
    """X, the number of SCUs asked for."""
    weight: float
    """Max(X)."""
    tier: float | None
    """Weight of the lowest tier that is drawn from; None when the pyramid has fewer than X SCUs, or X is 0."""
    taken: int | None
    """How many SCUs r are taken from that tier."""
    count: int
    """Number of optimal summaries: C(|T_j|, r), r = X − Σ_{i>j} |T_i|; 1 when every SCU is taken."""


def optimal(weights: Sequence[float] | Floats, size: int) -> Optimal:
    """How many sets of `size` SCUs have the greatest weight, and which tier they differ in.

    Args:
        weights: of the SCUs of one pyramid; those of weight 0 are not in it.
        size: X, from 0 up.
    """
    if size < 0:
        raise UsageError(f"X = {size}: expected a number of SCUs, from 0 up")
    there = np.sort(np.asarray(weights, dtype=np.float64))[::-1]
    there = there[there > 0]
    most = float(there[:size].sum())
    if size == 0 or size > len(there):
        return Optimal(size=size, weight=most, tier=None, taken=None, count=1)
    tier = float(there[size - 1])
    taken = size - int((there > tier).sum())
    return Optimal(size=size, weight=most, tier=tier, taken=taken, count=comb(int((there == tier).sum()), taken))


def optimal_summaries(
    weights: Sequence[float] | Floats, uids: Sequence[int], size: int, *, limit: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Every optimal summary as the uids of its SCUs, heaviest first; one at a time, at most `limit` of them."""
    found = optimal(weights, size)
    order = sorted(range(len(uids)), key=lambda index: -weights[index])
    there = [index for index in order if weights[index] > 0]
    if found.tier is None or found.taken is None:
        every: Iterator[tuple[int, ...]] = iter([tuple(uids[index] for index in (there if size else []))])
    else:
        above = tuple(uids[index] for index in there if weights[index] > found.tier)
        lowest = [uids[index] for index in there if weights[index] == found.tier]
        every = (above + chosen for chosen in combinations(lowest, found.taken))
    return islice(every, limit)
