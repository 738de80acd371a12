"""Coefficients of fixed values under many weights at once: what a bootstrap needs within a topic or over all summaries.

The values stay where they are; only how often each item was drawn differs between resamples. So ranks and pairs are
products of the weights with matrices of signs, and their sums are whole numbers: exact in any order of adding. Many
items are sorted instead (`ordered`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import quotient
from pyramidion.statistics.correlation.ordered import OrderedPairs

MANY_ITEMS = 500
"""From here on sorting the items costs less than all pairs of items."""
_SIGN_CELLS = 1_000_000
PRECISE = 1e-4
"""Below this share of the largest squared value, a variance from sums of squares loses too many digits."""
_EXACT_IN_SINGLE = 2**24
"""Whole numbers below this are exact in single precision."""


@dataclass(frozen=True, eq=False)
class WeightedPairs:
    """Items with two values each, whose coefficients are wanted under many weights."""

    x: Floats
    z: Floats

    def correlations(self, weights: Floats, *, coefficient: Coefficient) -> Floats:
        """One coefficient for each row of weights (whole numbers ≥ 0): items drawn twice count twice, as an exact tie.

        NaN where fewer than two items, or no two different values of one side, have weight.
        """
        if coefficient == "pearson":
            return self.pearson(weights @ self.moments, lambda chosen: weights[chosen])
        # All pairs grow with the square of the items, sorting nearly in proportion to them.
        if len(self.x) > MANY_ITEMS:
            drawn = weights.astype(np.int64)
            return self._ordered.spearman(drawn) if coefficient == "spearman" else self._ordered.kendall(drawn)
        return (_spearman if coefficient == "spearman" else _kendall)(self.x, self.z, weights)

    @cached_property
    def _ordered(self) -> OrderedPairs:
        return OrderedPairs(self.x, self.z)

    @cached_property
    def moments(self) -> Floats:
        """Items × what Pearson's coefficient needs the weighted sums of."""
        x, z = (scaled(values) if len(values) else values for values in (self.x, self.z))
        return np.stack([np.ones_like(x), x, z, x * x, z * z, x * z], axis=1)

    def pearson(self, sums: Floats, weights: Callable[[Bools], Floats]) -> Floats:
        """From sums of moments; where these would lose digits, from deviations, with the weights of some resamples."""
        count, sum_x, sum_z, square_x, square_z, product = sums.T
        count = np.maximum(count, 1)
        variance_x, variance_z = square_x / count - (sum_x / count) ** 2, square_z / count - (sum_z / count) ** 2
        # E(x²) - E(x)² of values scaled to 1: below this, fewer than half of the digits are left.
        precise = (variance_x > PRECISE) & (variance_z > PRECISE)
        spread = np.sqrt(np.maximum(variance_x, 0)) * np.sqrt(np.maximum(variance_z, 0))
        values = quotient(product / count - sum_x * sum_z / count**2, spread, where=precise)
        if len(self.x) and not precise.all():
            values[~precise] = _pearson_by_deviations(self.x, self.z, weights(~precise))
        return values


@dataclass(frozen=True, eq=False)
class GridPairs:
    """Items that are cells of a grid, NaN where there is none; weights are those of the row times the column."""

    x: Floats
    z: Floats

    def correlations(self, rows: Floats, columns: Floats, *, coefficient: Coefficient) -> Floats:
        """One coefficient for each resample; weights are resamples × rows and × columns, or a single row for all."""

        def weights(chosen: Bools | slice) -> Floats:
            drawn = (draws if len(draws) == 1 else draws[chosen] for draws in (rows, columns))
            first, second = (draws.take(place, axis=1) for draws, place in zip(drawn, self._places, strict=True))
            return first * second

        if coefficient == "pearson":  # Σ w·f = rᵀFc, which needs no matrix of resamples × items
            sums = [np.einsum("ij,ij->i", *np.broadcast_arrays(rows @ moment, columns)) for moment in self._moments]
            return self._pairs.pearson(np.stack(sums, axis=1), weights)
        return self._pairs.correlations(weights(slice(None)), coefficient=coefficient)

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        rows, columns = np.nonzero(~np.isnan(self.x))
        return rows, columns

    @cached_property
    def _pairs(self) -> WeightedPairs:
        return WeightedPairs(self.x[self._places], self.z[self._places])

    @cached_property
    def _moments(self) -> Floats:
        grid = np.zeros((self._pairs.moments.shape[1], *self.x.shape))
        grid[:, *self._places] = self._pairs.moments.T
        return grid


def signs(x: Floats, y: Floats) -> Floats:
    """Items × other items: the sign of every difference."""
    return np.sign(x[:, None] - y[None, :])


def sign_blocks(items: int) -> list[slice]:
    """Slices of items such that a matrix of signs of one with all items stays small."""
    size = max(1, _SIGN_CELLS // max(items, 1))
    return [slice(start, start + size) for start in range(0, items, size)]


def exact_type(largest: float) -> type[np.floating]:
    """Single precision if whole numbers up to this are exact in it: products of matrices then take half the time."""
    return np.float32 if largest < _EXACT_IN_SINGLE else np.float64


def _compact(weights: Floats, power: int) -> NDArray[np.floating]:
    """The weights in a type that holds their sums to this power."""
    return weights.astype(exact_type(float(weights.sum(axis=1).max(initial=0.0)) ** power))


def _spearman(x: Floats, z: Floats, weights: Floats) -> Floats:
    """With a_i = Σ_j w_j·sgn(x_i − x_j) = 2·(mid-rank of i) − (n + 1): ρ = Σ w·a·b / √(Σ w·a² · Σ w·b²).

    Σ w·a = 0, since every pair occurs with both signs: nothing needs to be centred.
    """
    compact = _compact(weights, 3)
    product, square_x, square_z = (np.zeros(len(weights)) for _ in range(3))
    for block in sign_blocks(len(x)):
        drawn = compact[:, block]
        rank_x = compact @ signs(x[block], x).T.astype(compact.dtype)
        rank_z = compact @ signs(z[block], z).T.astype(compact.dtype)
        weighted = drawn * rank_x
        product += np.einsum("ij,ij->i", weighted, rank_z)
        square_x += np.einsum("ij,ij->i", weighted, rank_x)
        square_z += np.einsum("ij,ij->i", drawn * rank_z, rank_z)
    return quotient(product, np.sqrt(square_x) * np.sqrt(square_z), where=(square_x > 0) & (square_z > 0))


def _kendall(x: Floats, z: Floats, weights: Floats) -> Floats:
    """τ-b = wᵀ(X∘Z)w / √(wᵀ|X|w · wᵀ|Z|w), X and Z the signs of all differences.

    wᵀ|X|w = (Σ w)² − Σ g², over the weights g of groups of equal values.
    """
    compact = _compact(weights, 2)
    score = np.zeros(len(weights))
    for block in sign_blocks(len(x)):
        both = (signs(x[block], x) * signs(z[block], z)).astype(compact.dtype)
        score += np.einsum("ij,ij->i", compact[:, block], compact @ both.T)
    untied_x, untied_z = (_untied(values, compact) for values in (x, z))
    return quotient(score, np.sqrt(untied_x) * np.sqrt(untied_z), where=(untied_x > 0) & (untied_z > 0))


def _untied(values: Floats, weights: NDArray[np.floating]) -> Floats:
    """Ordered pairs of different values."""
    groups, codes = np.unique(values, return_inverse=True)
    total = weights.sum(axis=1)
    if len(groups) < len(values):
        weights = weights @ (codes[:, None] == np.arange(len(groups))).astype(weights.dtype)
    pairs: Floats = (total * total - np.einsum("ij,ij->i", weights, weights)).astype(np.float64)
    return pairs


def _pearson_by_deviations(x: Floats, z: Floats, weights: Floats) -> Floats:
    values = np.full(len(weights), np.nan)
    size = max(1, _SIGN_CELLS // len(x))
    for start in range(0, len(weights), size):
        drawn = weights[start : start + size]
        x_deviations, varies_x = _deviations(x, drawn)
        other, varies_z = _deviations(z, drawn)
        product = np.einsum("ij,ij,ij->i", drawn, x_deviations, other)
        spread = np.sqrt(np.einsum("ij,ij,ij->i", drawn, x_deviations, x_deviations)) * np.sqrt(
            np.einsum("ij,ij,ij->i", drawn, other, other)
        )
        values[start : start + size] = quotient(product, spread, where=varies_x & varies_z)
    return values


def _deviations(values: Floats, weights: Floats) -> tuple[Floats, Bools]:
    """Each item less the weighted mean of its resample, and whether two different values have weight."""
    has = weights > 0
    highest, lowest = np.where(has, values, -np.inf).max(axis=1), np.where(has, values, np.inf).min(axis=1)
    mean = weights @ values / np.maximum(weights.sum(axis=1), 1)
    return values[None, :] - mean[:, None], highest > lowest


def scaled(values: Floats) -> Floats:
    """Less their mean along the last axis, with 1 as the largest magnitude: this changes no correlation."""
    centred = values - values.mean(axis=-1, keepdims=True)
    largest = np.abs(centred).max(axis=-1, keepdims=True)
    ratio: Floats = centred / np.where(largest > 0, largest, 1.0)
    return ratio
