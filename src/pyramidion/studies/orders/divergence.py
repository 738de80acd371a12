"""From which order on two summaries are told apart by every pyramid (Nenkova & Passonneau 2004, §3.3, figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.studies.orders.scores import DECIMALS, OrderScores, Pairs, in_blocks


@dataclass(frozen=True, kw_only=True)
class Divergence:
    """Where the scores of divergent pairs part, over all sets of one size.

    A pair is separated at order n if the lowest score of the better one exceeds the highest score of the worse one
    over all pyramids of n others.
    """

    models: int
    """Summaries in a set."""
    topics: int
    pairs: int
    divergent: int
    """Pairs whose scores by all others differ by more than the threshold."""
    threshold: float
    lasting_mean: float
    """Mean of the least order from which on, at it and at every higher one, a pair is separated."""
    lasting_never: int
    """Divergent pairs that are not separated at the highest order below all others."""
    first_mean: float
    """Mean of the least order at which a pair is separated."""
    first_never: int
    merging: int
    """Pairs that are separated and at a higher order not any more."""
    separated: Mapping[int, int]
    """By order, how many of the divergent pairs are separated."""
    exhaustive: bool
    """Whether all pyramids were looked at; a sample may miss the lowest and highest scores."""


def divergence(sets: Sequence[tuple[OrderScores, ...]], *, threshold: float = 0.1) -> Divergence:
    """Points of divergence of all divergent pairs of sets that have the same size."""
    tables = [_separated(scores, threshold) for scores in sets]
    orders = [scores.order for scores in sets[0][:-1]]
    table = np.concatenate(tables)  # divergent pairs × orders
    lasting = np.logical_and.accumulate(table[:, ::-1], axis=1)[:, ::-1]
    merging = (np.logical_or.accumulate(table, axis=1) & ~table).any(axis=1)
    size = len(orders) + 2
    return Divergence(
        models=size,
        topics=len(sets),
        pairs=len(sets) * size * (size - 1) // 2,
        divergent=len(table),
        threshold=threshold,
        lasting_mean=_mean_order(lasting, orders),
        lasting_never=int((~lasting.any(axis=1)).sum()),
        first_mean=_mean_order(table, orders),
        first_never=int((~table.any(axis=1)).sum()),
        merging=int(merging.sum()),
        separated={order: int(count) for order, count in zip(orders, table.sum(axis=0), strict=True)},
        exhaustive=all(one.exhaustive for scores in sets for one in scores),
    )


def _separated(scores: tuple[OrderScores, ...], threshold: float) -> Bools:
    """Divergent pairs × orders: whether the pair is separated."""
    pairs = Pairs.of(scores)
    divergent = np.abs(pairs.difference) > threshold
    first, second = pairs.first[divergent], pairs.second[divergent]
    better = np.where(pairs.difference[divergent] > 0, first, second)
    worse = np.where(pairs.difference[divergent] > 0, second, first)
    columns = [_separated_at(one, better, worse) for one in scores[:-1]]
    return np.stack(columns, axis=1) if columns else np.zeros((len(better), 0), dtype=np.bool_)


def _separated_at(scores: OrderScores, better: Integers, worse: Integers) -> Bools:
    lowest, highest = np.full(len(better), np.inf), np.full(len(worse), -np.inf)
    for values in in_blocks(np.round(scores.values, DECIMALS), len(better)):
        inside = np.isnan(values[:, better]) | np.isnan(values[:, worse])  # the pyramid contains one of the pair
        lowest = np.minimum(lowest, np.where(inside, np.inf, values[:, better]).min(axis=0))
        highest = np.maximum(highest, np.where(inside, -np.inf, values[:, worse]).max(axis=0))
    separated: Bools = (lowest > highest) & np.isfinite(lowest)
    return separated


def _mean_order(separated: Bools, orders: Sequence[int]) -> float:
    """Mean over the pairs that separate of the first order at which they do; NaN if none does."""
    some = separated.any(axis=1)
    if not some.any():
        return float("nan")
    return float(np.asarray(orders)[separated[some].argmax(axis=1)].mean())
