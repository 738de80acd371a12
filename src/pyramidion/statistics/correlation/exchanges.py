"""Coefficients with a third measure after two measures exchanged scores, for many exchanges at once.

x and y are two measures' scores of the same items, z those of the third. Where v = 1 the two change places. Sums over
items are then linear in v, so all exchanges are a matrix product; those over pairs of items are in `signed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation import weights
from pyramidion.statistics.correlation.coefficients import quotient, row_correlations
from pyramidion.statistics.correlation.signed import SignedExchanges, signed_exchanges
from pyramidion.statistics.correlation.weights import PRECISE


@dataclass(frozen=True, eq=False)
class ExchangedPairs:
    """Items with a score by each of two measures, and by a third."""

    x: Floats
    y: Floats
    z: Floats

    def correlations(self, exchanges: Bools, *, coefficient: Coefficient) -> tuple[Floats, Floats]:
        """For each row of exchanges (permutations × items), the coefficients of both exchanged measures with z.

        NaN where fewer than two items, or no two different values of one side, are there.
        """
        x, y, z = self.x, self.y, self.z
        if len(z) < 2 or (z == z[0]).all():
            nothing = np.full(len(exchanges), np.nan)
            return nothing, nothing.copy()
        if coefficient == "pearson":
            return _pearson(x, y, z, exchanges)
        if len(z) > weights.MANY_ITEMS:
            states = exchanges.astype(np.float64)
            first, second = (
                self._both.correlations(np.concatenate(sides, axis=1), coefficient=coefficient)
                for sides in ((1 - states, states), (states, 1 - states))
            )
            return first, second
        first, second = self._signed[coefficient].correlations(exchanges)[:, :, 0]
        return first, second

    @cached_property
    def _signed(self) -> dict[Coefficient, SignedExchanges]:
        return signed_exchanges(self.x[None], self.y[None], self.z[None])

    @cached_property
    def _both(self) -> weights.WeightedPairs:
        """The scores of both measures as items, of which an exchanged measure holds one half."""
        return weights.WeightedPairs(np.concatenate([self.x, self.y]), np.concatenate([self.z, self.z]))


def _pearson(x: Floats, y: Floats, z: Floats, exchanges: Bools) -> tuple[Floats, Floats]:
    """From sums, squares and products with z, each a constant plus v times a difference."""
    middle = (x.mean() + y.mean()) / 2
    largest = max(np.abs(x - middle).max(), np.abs(y - middle).max())
    first, second = ((values - middle) / (largest or 1.0) for values in (x, y))
    other = z - z.mean()
    spread_z = np.sqrt(other @ other)
    features = [np.stack([values, values * values, values * other], axis=1) for values in (first, second)]
    moved = exchanges @ (features[1] - features[0])
    return (
        _from_sums(features[0].sum(axis=0) + moved, spread_z, x, y, z, exchanges),
        _from_sums(features[1].sum(axis=0) - moved, spread_z, y, x, z, exchanges),
    )


def _from_sums(sums: Floats, spread_z: float, x: Floats, y: Floats, z: Floats, exchanges: Bools) -> Floats:
    total, squares, product = sums.T
    n = len(z)
    variance = squares / n - (total / n) ** 2
    precise = variance > PRECISE
    values = quotient(product, np.sqrt(np.maximum(variance, 0) * n) * spread_z, where=precise)
    if not precise.all():
        exact = np.where(exchanges[~precise], y, x)
        values[~precise] = row_correlations(exact, z[None], coefficient="pearson")
    return values
