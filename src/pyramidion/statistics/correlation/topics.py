"""Means over topics of the coefficients with a third measure, after summarizers exchanged all their scores.

The same summarizers are exchanged in every topic, so all topics are one matrix product: of Pearson's sums, or of the
signs of all differences (`signed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.signed import SignedExchanges, signed_exchanges
from pyramidion.statistics.correlation.weights import PRECISE

BLOCK_CELLS = 100_000
"""Of arrays of exchanges × topics, and of topics × summarizers: small enough for a processor's cache."""


def usable_topics(z: Floats) -> Integers:
    """Topics with two summaries or more, and different scores by the third measure (summarizers × topics)."""
    has = ~np.isnan(z)
    highest, lowest = (np.where(has, z, empty) for empty in (-np.inf, np.inf))
    usable: Integers = np.nonzero((has.sum(axis=0) > 1) & (highest.max(axis=0) > lowest.min(axis=0)))[0]
    return usable


@dataclass(frozen=True, eq=False)
class ExchangedTopics:
    """Summarizers × topics: scores by each of two measures and by a third; NaN where one is missing, in all three."""

    x: Floats
    y: Floats
    z: Floats

    def correlations(self, exchanges: Bools, *, coefficient: Coefficient) -> tuple[Floats, Floats]:
        """For each row of exchanges (permutations × summarizers): means over topics of both measures' coefficients."""
        if coefficient == "pearson":
            totals, counts = self._pearson(exchanges)
        else:
            totals, counts = self._signed(exchanges, coefficient)
        first, second = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
        return first, second

    @cached_property
    def _usable(self) -> Integers:
        return usable_topics(self.z)

    def _pearson(self, exchanges: Bools) -> tuple[Floats, Floats]:
        """From sums, squares and products with z, each a constant plus v times a difference, as in `exchanges`."""
        totals, counts = np.zeros((2, len(exchanges))), np.zeros((2, len(exchanges)))
        states = exchanges.astype(np.float64)
        topics = max(1, BLOCK_CELLS // max(len(self.z), 1))
        for start in range(0, len(self._usable), topics):
            part = self._usable[start : start + topics]
            sums = _PearsonSums(self.x[:, part], self.y[:, part], self.z[:, part])
            size = max(1, BLOCK_CELLS // len(part))
            for first in range(0, len(states), size):
                block = slice(first, first + size)
                for place, values in enumerate(sums.correlations(states[block])):
                    total = values.sum(axis=1)
                    counts[place, block] += len(part)
                    # Seldom: only a measure that an exchange makes constant is undefined, and a plain sum is quicker.
                    if np.isnan(total).any():
                        counts[place, block] -= np.count_nonzero(np.isnan(values), axis=1)
                        total = np.nansum(values, axis=1)
                    totals[place, block] += total
        return totals, counts

    def _signed(self, exchanges: Bools, coefficient: Coefficient) -> tuple[Floats, Floats]:
        """Topics without ties are added up before scores are exchanged; the others one by one."""
        totals = self._untied[coefficient].summed(exchanges)
        counts = np.full(totals.shape, float(len(self._usable) - np.count_nonzero(self._tied)))
        if self._tied.any():
            signed = self._with_ties[coefficient].correlations(exchanges)
            defined = ~np.isnan(signed)
            totals += np.where(defined, signed, 0.0).sum(axis=2)
            counts += defined.sum(axis=2)
        return totals, counts

    @cached_property
    def _tied(self) -> Bools:
        """Usable topics in which two scores of both measures are equal."""
        # Scores of both measures, because any two of them may meet after an exchange; NaN equals nothing, not even
        # NaN.
        both = np.sort(np.concatenate([self.x, self.y])[:, self._usable], axis=0)
        tied: Bools = (both[1:] == both[:-1]).any(axis=0)
        return tied

    @cached_property
    def _untied(self) -> dict[Coefficient, SignedExchanges]:
        return self._part(self._usable[~self._tied])

    @cached_property
    def _with_ties(self) -> dict[Coefficient, SignedExchanges]:
        return self._part(self._usable[self._tied])

    def _part(self, topics: Integers) -> dict[Coefficient, SignedExchanges]:
        x, y, z = (values[:, topics].T for values in (self.x, self.y, self.z))
        return signed_exchanges(x, y, z)


class _PearsonSums:
    """Topics whose third measure varies: what means, mean squares and mean products become after an exchange."""

    def __init__(self, x: Floats, y: Floats, z: Floats) -> None:
        self._scores = x, y, z
        has = ~np.isnan(z)
        n = has.sum(axis=0)
        x_values, y_values, target = (np.where(has, values, 0.0) for values in (x, y, z))
        # One shift and one scale for both measures, because they exchange scores. Neither changes a correlation, and
        # sums of squares lose fewer digits.
        middle = (x_values.sum(axis=0) + y_values.sum(axis=0)) / (2 * n)
        x_values, y_values = (np.where(has, values - middle, 0.0) for values in (x_values, y_values))
        largest = np.maximum(np.abs(x_values).max(axis=0), np.abs(y_values).max(axis=0))
        x_values, y_values = (values / np.where(largest > 0, largest, 1.0) for values in (x_values, y_values))
        target = np.where(has, target - target.sum(axis=0) / n, 0.0)
        # Divided by its own part of the denominator, so that a product needs only the other's standard deviation.
        target = target / np.sqrt((target * target).sum(axis=0) * n)
        features = [(values / n, values * values / n, values * target) for values in (x_values, y_values)]
        self._moves = [of_y - of_x for of_x, of_y in zip(*features, strict=True)]
        self._means = [[feature.sum(axis=0) for feature in of_measure] for of_measure in features]

    def correlations(self, states: Floats) -> tuple[Floats, Floats]:
        """Exchanges × topics, for both measures."""
        moved = [states @ moves for moves in self._moves]
        x, y, _ = self._scores
        return (
            self._coefficients([mean + move for mean, move in zip(self._means[0], moved, strict=True)], states, x, y),
            self._coefficients([mean - move for mean, move in zip(self._means[1], moved, strict=True)], states, y, x),
        )

    def _coefficients(self, means: list[Floats], states: Floats, stays: Floats, comes: Floats) -> Floats:
        """Mean product by standard deviation; from the scores themselves where that would lose digits."""
        mean, variance, product = means
        mean *= mean
        variance -= mean
        lost = np.nonzero(variance.min(axis=0) <= PRECISE)[0]
        imprecise = variance[:, lost] <= PRECISE
        np.sqrt(np.maximum(variance, PRECISE, out=variance), out=variance)
        product /= variance
        for topic, rows in zip(lost, imprecise.T, strict=True):
            exact = np.where(states[rows] > 0, comes[:, topic], stays[:, topic])
            target = self._scores[2][:, topic]
            product[rows, topic] = row_correlations(exact, target[None], coefficient="pearson")
        return product
