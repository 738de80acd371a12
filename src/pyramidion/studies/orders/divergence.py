"""The order from which every pyramid separates two summaries (Nenkova & Passonneau 2004, §3.3, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.show.tables import NotedRow, Row, hidden
from pyramidion.studies.orders.scores import DECIMALS, OrderScores, Pairs, in_blocks


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

    @property
    def sentence(self) -> str:
        """The divergence in words."""
        if not self.divergent:
            return f"No two of {self.models} models differ by more than {self.threshold:g}."
        by_all = f"with the pyramid of all others ({self.models} models)"
        found = f"{self.divergent} of {self.pairs} pairs differ by more than {self.threshold:g} {by_all}"
        if self.lasting_never < self.divergent:
            pyramids = "every pyramid" if self.exhaustive else "every sampled pyramid"
            found += f"; on average, {pyramids} of order {self.lasting_mean:.2f} or higher separates them"
        if self.lasting_never:
            found += f"; {self.lasting_never} are not separated below order {self.models - 1}"
        if self.merging:
            found += f"; {self.merging} separate and merge again at a higher order"
        return f"{found}."


class Separation(Row, record="orders-separation"):
    """How many of the divergent pairs are separated at an order."""

    models: int
    order: int
    separated: int
    divergent: int


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
        threshold=threshold,
        divergent=len(table),
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
