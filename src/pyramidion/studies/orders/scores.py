"""The scores of every summary by every pyramid of the others, order by order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.options import PyramidScoreName
from pyramidion.pyramids.scores import score_subsets
from pyramidion.studies.orders.sets import Drawn, SummarySet, draw_subsets

DECIMALS = 9
"""Differences are rounded to this many decimals before they are compared with a threshold."""
BLOCK_CELLS = 4_000_000
"""Subsets × pairs that are compared at a time: memory stays bounded, whatever the number of summaries."""


@dataclass(frozen=True, eq=False)
class OrderScores:
    """Scores by pyramids of one order."""

    order: int
    values: Floats
    """Subsets × summaries; NaN where the summary is in the pyramid: a pyramid never scores its own models."""
    exhaustive: bool
    """Whether all subsets of this order were taken."""


def scores_by_order(
    summaries: SummarySet, *, score: PyramidScoreName = "original", limit: int = 20_000, seed: int = 0
) -> tuple[OrderScores, ...]:
    """Scores by the pyramids of orders 1 … N − 1 (at N − 1, leave-one-out), for a set of N summaries."""
    size = len(summaries)
    found = []
    for order in range(1, size):
        most = limit if order < size - 1 else size  # leave-one-out is never a sample
        drawn = draw_subsets(range(size), order, width=size, limit=most, topic=summaries.topic, seed=seed)
        found.append(OrderScores(order, pyramid_scores(summaries, drawn, score), drawn.exhaustive))
    return tuple(found)


def pyramid_scores(summaries: SummarySet, drawn: Drawn, score: PyramidScoreName) -> Floats:
    """Subsets × summaries; NaN where the summary is in the pyramid."""
    scores = score_subsets(summaries.incidence, drawn.masks, include_self=True)
    values: Floats = getattr(scores, score)
    return np.where(drawn.masks, np.nan, values)


def leave_one_out(summaries: SummarySet, score: PyramidScoreName = "original") -> Floats:
    """Each summary by the pyramid of all others: what the paper treats as reliable (order 9 of ten)."""
    masks = ~np.eye(len(summaries), dtype=np.bool_)
    values: Floats = np.diagonal(pyramid_scores(summaries, Drawn(masks, exhaustive=True), score)).copy()
    return values


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of summaries of a set, and how their scores differ by the pyramid of all others."""

    first: Integers
    second: Integers
    difference: Floats
    """First − second at order N − 1, rounded."""

    @classmethod
    def of(cls, scores: tuple[OrderScores, ...]) -> Pairs:
        """The pairs of the scored summaries."""
        reliable = np.nanmax(scores[-1].values, axis=0)  # one pyramid has a value for each
        first, second = np.triu_indices(len(reliable), k=1)
        return cls(first, second, np.round(reliable[first] - reliable[second], DECIMALS))

    def differences(self, scores: OrderScores) -> Iterator[Floats]:
        """First − second by each pyramid that contains neither, rounded; NaN if it contains one.

        Subsets × pairs, some subsets at a time.
        """
        for values in in_blocks(scores.values, len(self.first)):
            yield np.round(values[:, self.first] - values[:, self.second], DECIMALS)


def in_blocks(values: Floats, pairs: int) -> Iterator[Floats]:
    """Some rows at a time: with this number of pairs they have at most `BLOCK_CELLS` cells."""
    rows = max(1, BLOCK_CELLS // max(pairs, 1))
    return (values[start : start + rows] for start in range(0, len(values), rows))
