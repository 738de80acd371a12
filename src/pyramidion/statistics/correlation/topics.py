"""Means over topics of the coefficients with a third measure, after summarizers exchanged all their scores.

The same summarizers are exchanged in every topic, so all topics are one matrix product: of Pearson's sums, or of the
signs of all differences, which are added up over the topics beforehand. Topics with equal scores, where the number of
ties depends on the exchange, are left to `exchanges`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.exchanges import ExchangedPairs
from pyramidion.statistics.correlation.weights import PRECISE

BLOCK_CELLS = 100_000
"""Of arrays of exchanges × topics, and of topics × pairs of summarizers: small enough for a processor's cache."""


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
        """Topics with two summaries or more, and different scores by the third measure."""
        has = ~np.isnan(self.z)
        highest, lowest = (np.where(has, self.z, empty) for empty in (-np.inf, np.inf))
        usable: Integers = np.nonzero((has.sum(axis=0) > 1) & (highest.max(axis=0) > lowest.min(axis=0)))[0]
        return usable

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
                    missing = np.isnan(values)
                    counts[place, block] += len(part) - np.count_nonzero(missing, axis=1)
                    totals[place, block] += np.where(missing, 0.0, values).sum(axis=1)
        return totals, counts

    def _signed(self, exchanges: Bools, coefficient: Coefficient) -> tuple[Floats, Floats]:
        """Σ_ij sgn(x'_i − x'_j)·q_ij, q of z alone: a quadratic form in the exchanges, whose matrices add up."""
        states = exchanges.astype(np.float64)
        count = len(self._untied)
        totals, counts = np.zeros((2, len(states))), np.full((2, len(states)), float(count))
        if count:
            (xx, xy), (yx, yy) = self._summed(coefficient)
            squares = np.einsum("ij,ij->i", states @ (xx - xy - yx + yy), states)
            for place, (own, given, taken) in enumerate(((xx, xy, yx), (yy, yx, xy))):
                linear = given.sum(axis=0) + taken.sum(axis=1) - own.sum(axis=0) - own.sum(axis=1)
                totals[place] = own.sum() + states @ linear + squares
        for topic in np.setdiff1d(self._usable, self._untied):
            has = ~np.isnan(self.z[:, topic])
            pairs = ExchangedPairs(*(one[has, topic] for one in (self.x, self.y, self.z)))
            found = np.stack(pairs.correlations(exchanges[:, has], coefficient=coefficient))
            defined = ~np.isnan(found)
            totals += np.where(defined, found, 0.0)
            counts += defined
        return totals, counts

    @cached_property
    def _untied(self) -> Integers:
        """Usable topics in which no two scores of both measures are equal."""
        both = np.sort(np.concatenate([self.x, self.y])[:, self._usable], axis=0)
        untied: Integers = self._usable[~(both[1:] == both[:-1]).any(axis=0)]
        return untied

    def _summed(self, coefficient: Coefficient) -> Floats:
        """2 × 2 × summarizers × summarizers: f(x_i, x_j), f(x_i, y_j), f(y_i, x_j), f(y_i, y_j), over untied topics.

        Kendall: f = sgn(x_i − x_j)·sgn(z_i − z_j) / √(n(n − 1)·pairs not tied in z). Spearman: sgn(x_i − x_j)·c_i /
        √(n(n² − 1)/3 · Σ c²) with c_i = Σ_j sgn(z_i − z_j).
        """
        items = len(self.z)
        totals = np.zeros((2, 2, items, items))
        size = max(1, BLOCK_CELLS // items**2)
        for start in range(0, len(self._untied), size):
            part = self._untied[start : start + size]
            x, y, z = (one[:, part].T for one in (self.x, self.y, self.z))
            n = (~np.isnan(z)).sum(axis=1).astype(np.float64)
            target = _signs(z, z)
            if coefficient == "kendall":
                scale = np.sqrt(n * (n - 1)) * np.sqrt(np.abs(target).sum(axis=(1, 2)))
            else:
                ranks = target.sum(axis=2)
                target = np.broadcast_to(ranks[:, :, None], target.shape)
                scale = np.sqrt(n * (n * n - 1) / 3) * np.sqrt((ranks**2).sum(axis=1))
            weighted = target / scale[:, None, None]
            for one, first in enumerate((x, y)):
                for other, second in enumerate((x, y)):
                    totals[one, other] += np.einsum("tij,tij->ij", _signs(first, second), weighted)
        return totals


def _signs(one: Floats, other: Floats) -> Floats:
    """Topics × summarizers × summarizers: the sign of every difference; 0 where a score is missing."""
    return np.nan_to_num(np.sign(one[:, :, None] - other[:, None, :]))


class _PearsonSums:
    """Topics whose third measure varies: what means, mean squares and mean products become after an exchange."""

    def __init__(self, x: Floats, y: Floats, z: Floats) -> None:
        self._scores = x, y, z
        has = ~np.isnan(z)
        n = has.sum(axis=0)
        one, two, other = (np.where(has, values, 0.0) for values in (x, y, z))
        middle = (one.sum(axis=0) + two.sum(axis=0)) / (2 * n)
        one, two = (np.where(has, values - middle, 0.0) for values in (one, two))
        largest = np.maximum(np.abs(one).max(axis=0), np.abs(two).max(axis=0))
        one, two = (values / np.where(largest > 0, largest, 1.0) for values in (one, two))
        other = np.where(has, other - other.sum(axis=0) / n, 0.0)
        other = other / np.sqrt((other * other).sum(axis=0) * n)
        features = [(values / n, values * values / n, values * other) for values in (one, two)]
        self._moves = [two - one for one, two in zip(*features, strict=True)]
        self._means = [[one.sum(axis=0) for one in own] for own in features]

    def correlations(self, states: Floats) -> tuple[Floats, Floats]:
        """Exchanges × topics, for both measures."""
        moved = [states @ moves for moves in self._moves]
        x, y, _ = self._scores
        return (
            self._coefficients([mean + one for mean, one in zip(self._means[0], moved, strict=True)], states, x, y),
            self._coefficients([mean - one for mean, one in zip(self._means[1], moved, strict=True)], states, y, x),
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
