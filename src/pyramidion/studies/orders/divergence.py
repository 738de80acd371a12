"""The order from which every pyramid separates two summaries (Nenkova & Passonneau 2004, §3.3, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.show.tables import ExplainedRow, hidden
from pyramidion.studies.orders.sets import DECIMALS, OrderScores, Pairs, split_blocks


class Divergence(ExplainedRow, record="orders-divergence"):
    """Where the scores of divergent pairs separate, over all sets of one size.

    A pair is separated at order n if the lowest score of the better one exceeds the highest score of the worse one
    over all pyramids of n others. By how much it exceeds it is the size of the divergence.
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
    first_size: float
    """Mean size of the divergence of divergent pairs, each at the lowest order at which it is separated."""
    last_size: float
    """Mean size of the divergence of the divergent pairs that are separated at the highest order below all others."""
    shrinking: int
    """Divergent pairs whose size of divergence, once they are separated, decreases from an order to the next."""
    never: int
    """Pairs, divergent or not, that no order below all others separates."""
    never_largest: float
    """The largest difference by all others of the pairs that are never separated."""
    exhaustive: bool
    """Whether all pyramids were scored; a sample may miss the lowest and highest scores."""
    separated: Mapping[int, int] = hidden()
    """By order, the number of divergent pairs that are separated."""
    sizes: Mapping[int, float] = hidden()
    """By order, the mean size of the divergence of the divergent pairs that are separated; no order without any."""

    def separations(self) -> Iterator[Separation]:
        """The number of separated pairs, order by order."""
        for order, count in self.separated.items():
            yield Separation(
                models=self.models,
                order=order,
                separated=count,
                divergent=self.divergent,
                size=self.sizes.get(order, float("nan")),
            )


class Separation(ExplainedRow, record="orders-separation"):
    """How many of the divergent pairs are separated at an order."""

    models: int
    order: int
    separated: int
    divergent: int
    size: float
    """Mean size of the divergence of the separated pairs."""


def divergence(sets: Sequence[tuple[OrderScores, ...]], *, threshold: float = 0.1) -> Divergence:
    """Points of divergence of all divergent pairs of sets that have the same size."""
    orders = [scores.order for scores in sets[0][:-1]]
    differences = np.concatenate([np.abs(Pairs.of(scores).difference) for scores in sets])
    all_gaps = np.concatenate([_measure_gaps(scores) for scores in sets])
    is_never = ~(all_gaps > 0).any(axis=1)
    gaps = all_gaps[differences > threshold]  # divergent pairs × orders
    is_separated = gaps > 0
    # From the highest order down: separated there and at all above. The paper says that pairs never merge again; a
    # few do, so both the first and the lasting order are reported.
    is_lasting = np.logical_and.accumulate(is_separated[:, ::-1], axis=1)[:, ::-1]
    was_separated = np.logical_or.accumulate(is_separated, axis=1)
    merges = (was_separated & ~is_separated).any(axis=1)
    shrinks = (is_separated[:, :-1] & (np.diff(gaps, axis=1) < 0)).any(axis=1)
    separating = is_separated.any(axis=1)
    first_gaps = gaps[separating, is_separated[separating].argmax(axis=1)] if separating.any() else np.empty(0)
    mean_gaps = [_mean(gaps[separated, place]) for place, separated in enumerate(is_separated.T)]
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
        first_size=_mean(first_gaps),
        last_size=mean_gaps[-1] if mean_gaps else float("nan"),
        shrinking=int(shrinks.sum()),
        never=int(is_never.sum()),
        never_largest=float(differences[is_never].max()) if is_never.any() else float("nan"),
        separated={order: int(count) for order, count in zip(orders, counts, strict=True)},
        sizes={order: gap for order, gap in zip(orders, mean_gaps, strict=True) if not np.isnan(gap)},
        exhaustive=all(at_order.exhaustive for scores in sets for at_order in scores),
    )


def _measure_gaps(scores: tuple[OrderScores, ...]) -> Floats:
    """Pairs × orders: the lowest score of the better summary minus the highest of the worse; positive: separated."""
    pairs = Pairs.of(scores)
    first_is_better = pairs.difference > 0
    better = np.where(first_is_better, pairs.first, pairs.second)
    worse = np.where(first_is_better, pairs.second, pairs.first)
    columns = [_measure_gaps_at(at_order, better, worse) for at_order in scores[:-1]]
    if not columns:
        return np.zeros((len(better), 0))
    gaps = np.stack(columns, axis=1)
    # Of two equal summaries none is the better one, whatever smaller pyramids say.
    gaps[pairs.difference == 0] = -np.inf
    return gaps


def _measure_gaps_at(scores: OrderScores, better: Integers, worse: Integers) -> Floats:
    """The lowest score of the better summary minus the highest of the worse one, pair by pair."""
    lowest = np.full(len(better), np.inf)
    highest = np.full(len(worse), -np.inf)
    # Rounded, because a tie must not count as a separation in the sixteenth digit.
    for values in split_blocks(np.round(scores.values, DECIMALS), len(better)):
        inside = np.isnan(values[:, better]) | np.isnan(values[:, worse])  # the pyramid contains one of the pair
        lowest = np.minimum(lowest, np.where(inside, np.inf, values[:, better]).min(axis=0))
        highest = np.maximum(highest, np.where(inside, -np.inf, values[:, worse]).max(axis=0))
    # Infinite: no pyramid of this order contains neither of the pair.
    gaps: Floats = np.where(np.isfinite(lowest), np.round(lowest - highest, DECIMALS), -np.inf)
    return gaps


def _mean_order(separated: Bools, orders: Sequence[int]) -> float:
    """Mean over the pairs that separate of the first order at which they do; NaN if none does."""
    separates = separated.any(axis=1)
    if not separates.any():
        return float("nan")
    first_orders = np.asarray(orders)[separated[separates].argmax(axis=1)]
    return float(first_orders.mean())


def _mean(values: Floats) -> float:
    """The mean; NaN without values."""
    if len(values):
        return float(values.mean())
    return float("nan")
