"""The order from which every pyramid separates two summaries (Nenkova & Passonneau 2004, §3.3, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.show.tables import NotedRow, Row, hidden
from pyramidion.studies.orders.sets import DECIMALS, OrderScores, Pairs, split_blocks


class Divergence(NotedRow, record="orders-divergence"):
    """Where the scores of divergent pairs separate, over all sets of one size.

    A pair is separated at order n if the lowest score of the better one exceeds the highest score of the worse one
    over all pyramids of n others.
    """

    models: int
    """Summaries in a set."""
    topics: int
    pairs: int
    threshold: float
    divergent: int
    """Pairs whose scores by all others differ by more than the threshold."""
    lasting_mean: float
    """Mean of the lowest order from which a pair stays separated."""
    lasting_never: int
    """Divergent pairs that are not separated at the highest order below all others."""
    first_mean: float
    """Mean of the lowest order at which a pair is separated."""
    first_never: int
    merging: int
    """Pairs that are separated and at a higher order not any more."""
    exhaustive: bool
    """Whether all pyramids were scored; a sample may miss the lowest and highest scores."""
    separated: Mapping[int, int] = hidden()
    """By order, the number of divergent pairs that are separated."""
    reason: str = "no pair diverges, or none separates"

    def separations(self) -> Iterator[Separation]:
        """The number of separated pairs, order by order."""
        for order, count in self.separated.items():
            yield Separation(models=self.models, order=order, separated=count, divergent=self.divergent)


class Separation(Row, record="orders-separation"):
    """How many of the divergent pairs are separated at an order."""

    models: int
    order: int
    separated: int
    divergent: int


def divergence(sets: Sequence[tuple[OrderScores, ...]], *, threshold: float = 0.1) -> Divergence:
    """Points of divergence of all divergent pairs of sets that have the same size."""
    orders = [scores.order for scores in sets[0][:-1]]
    is_separated = np.concatenate([_find_separated(scores, threshold) for scores in sets])  # divergent pairs × orders
    # From the highest order down: separated there and at all above. The paper says that pairs never merge again; a
    # few do, so both the first and the lasting order are reported.
    is_lasting = np.logical_and.accumulate(is_separated[:, ::-1], axis=1)[:, ::-1]
    was_separated = np.logical_or.accumulate(is_separated, axis=1)
    merges = (was_separated & ~is_separated).any(axis=1)
    counts = is_separated.sum(axis=0)
    size = len(orders) + 2
    return Divergence(
        models=size,
        topics=len(sets),
        pairs=len(sets) * size * (size - 1) // 2,
        threshold=threshold,
        divergent=len(is_separated),
        lasting_mean=_mean_order(is_lasting, orders),
        lasting_never=int((~is_lasting.any(axis=1)).sum()),
        first_mean=_mean_order(is_separated, orders),
        first_never=int((~is_separated.any(axis=1)).sum()),
        merging=int(merges.sum()),
        separated={order: int(count) for order, count in zip(orders, counts, strict=True)},
        exhaustive=all(at_order.exhaustive for scores in sets for at_order in scores),
    )


def _find_separated(scores: tuple[OrderScores, ...], threshold: float) -> Bools:
    """Divergent pairs × orders: whether the pair is separated."""
    pairs = Pairs.of(scores)
    is_divergent = np.abs(pairs.difference) > threshold
    first, second = pairs.first[is_divergent], pairs.second[is_divergent]
    first_is_better = pairs.difference[is_divergent] > 0
    better = np.where(first_is_better, first, second)
    worse = np.where(first_is_better, second, first)
    columns = [_find_separated_at(at_order, better, worse) for at_order in scores[:-1]]
    if not columns:
        return np.zeros((len(better), 0), dtype=np.bool_)
    return np.stack(columns, axis=1)


def _find_separated_at(scores: OrderScores, better: Integers, worse: Integers) -> Bools:
    """Whether the lowest score of the better summary exceeds the highest of the worse one, pair by pair."""
    lowest = np.full(len(better), np.inf)
    highest = np.full(len(worse), -np.inf)
    # Rounded, because a tie must not count as a separation in the sixteenth digit.
    for values in split_blocks(np.round(scores.values, DECIMALS), len(better)):
        inside = np.isnan(values[:, better]) | np.isnan(values[:, worse])  # the pyramid contains one of the pair
        lowest = np.minimum(lowest, np.where(inside, np.inf, values[:, better]).min(axis=0))
        highest = np.maximum(highest, np.where(inside, -np.inf, values[:, worse]).max(axis=0))
    # Infinite: no pyramid of this order contains neither of the pair.
    separated: Bools = (lowest > highest) & np.isfinite(lowest)
    return separated


def _mean_order(separated: Bools, orders: Sequence[int]) -> float:
    """Mean over the pairs that separate of the first order at which they do; NaN if none does."""
    separates = separated.any(axis=1)
    if not separates.any():
        return float("nan")
    first_orders = np.asarray(orders)[separated[separates].argmax(axis=1)]
    return float(first_orders.mean())
