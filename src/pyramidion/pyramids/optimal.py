"""Optimal summaries: the sets of X SCUs that no other set of X outweighs (Nenkova & Passonneau 2004, §3, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb
from typing import Literal, TypedDict

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.pyramids.incidence import whole
from pyramidion.show.tables import Row


class Optimal(Row, record="pyramid-optimal"):
    """What the optimal summaries of a size have in common, and how many there are."""

    topic: str = ""
    annotator: str = ""
    models: tuple[str, ...] = ()
    order: int = 0
    """Number of models in the pyramid."""
    X: int
    """The number of SCUs asked for."""
    max: float
    """Max(X)."""
    lowest_tier: float | None
    """Weight of the lowest tier that is drawn from; None if the pyramid has fewer than X SCUs, or X is 0."""
    taken_from_it: int | None
    """How many SCUs r are taken from that tier."""
    count: int
    """Number of optimal summaries: C(|T_j|, r), r = X − Σ_{i>j} |T_i|; 1 if every SCU is taken."""
    reason: str = ""

    def place_of(self, weight: float) -> Literal["all", "some", "none"]:
        """Which of the optimal summaries contain an SCU of this weight."""
        if self.lowest_tier is None:
            if self.X:
                return "all"
            return "none"
        if weight == self.lowest_tier and self.count > 1:
            return "some"
        if weight >= self.lowest_tier:
            return "all"
        return "none"


class OptimalSummary(Row, record="pyramid-optimal-summary"):
    """One of the optimal summaries."""

    topic: str
    annotator: str
    models: tuple[str, ...]
    X: int
    uids: tuple[int, ...]
    """Of its SCUs, heaviest first."""


class PyramidKey(TypedDict):
    """Which pyramid something is about."""

    topic: str
    annotator: str
    models: tuple[str, ...]


def optimal(weights: Sequence[float] | Floats, size: int, *, order: int = 0, key: PyramidKey | None = None) -> Optimal:
    """How many sets of `size` SCUs have the greatest weight, and which tier they differ in.

    Args:
        weights: of the SCUs of one pyramid; those of weight 0 are not in it.
        size: X, from 0 up.
        order: the number of models in the pyramid.
        key: which pyramid it is.
    """
    if key is None:
        key = {"topic": "", "annotator": "", "models": ()}
    if size < 0:
        raise UsageError(f"X = {size}: expected a number of SCUs, 0 or more")
    positive = np.sort(np.asarray(weights, dtype=np.float64))[::-1]
    positive = positive[positive > 0]
    most = whole(positive[:size].sum())
    if size == 0 or size > len(positive):
        reason = "every SCU is taken, or none: no tier is divided"
        return Optimal(
            X=size, max=most, lowest_tier=None, taken_from_it=None, count=1, reason=reason, order=order, **key
        )
    tier = whole(positive[size - 1])
    taken = size - int((positive > tier).sum())
    count = comb(int((positive == tier).sum()), taken)
    return Optimal(X=size, max=most, lowest_tier=tier, taken_from_it=taken, count=count, order=order, **key)


def optimal_summaries(
    weights: Sequence[float] | Floats, uids: Sequence[int], size: int, *, limit: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Every optimal summary as the uids of its SCUs, heaviest first; one at a time, at most `limit` of them."""
    best = optimal(weights, size)
    order = sorted(range(len(uids)), key=lambda index: -weights[index])
    in_pyramid = [index for index in order if weights[index] > 0]
    if best.lowest_tier is None or best.taken_from_it is None:
        taken = in_pyramid if size else []
        every: Iterator[tuple[int, ...]] = iter([tuple(uids[index] for index in taken)])
    else:
        above = tuple(uids[index] for index in in_pyramid if weights[index] > best.lowest_tier)
        lowest = [uids[index] for index in in_pyramid if weights[index] == best.lowest_tier]
        every = (above + chosen for chosen in combinations(lowest, best.taken_from_it))
    return islice(every, limit)
