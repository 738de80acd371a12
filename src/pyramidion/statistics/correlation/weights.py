"""Coefficients of fixed values under many weights at once: what a bootstrap needs within a topic or over all summaries.

The values stay where they are; only how often each item was drawn differs between resamples. So ranks and pairs are
products of the weights with matrices of signs, and their sums are whole numbers: exact in any order of adding.
"""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import quotient, row_correlations

MANY_ITEMS = 2_000
"""From here on sorting the items of each resample costs less than all pairs of items."""
_SIGN_CELLS = 1_000_000
PRECISE = 1e-4
"""Below this share of the largest squared value, a variance from sums of squares loses too many digits."""


def weighted_correlations(x: Floats, z: Floats, weights: Floats, *, coefficient: Coefficient) -> Floats:
    """One coefficient for each row of weights (whole numbers ≥ 0): items drawn twice count twice, as an exact tie.

    NaN where fewer than two items, or no two different values of one side, have weight.
    """
    if coefficient == "pearson":
        return _pearson(x, z, weights)
    if len(x) > MANY_ITEMS:
        return _by_repeating(x, z, weights, coefficient)
    return _spearman(x, z, weights) if coefficient == "spearman" else _kendall(x, z, weights)


def signs(one: Floats, other: Floats) -> Floats:
    """Items × other items: the sign of every difference."""
    return np.sign(one[:, None] - other[None, :])


def sign_blocks(items: int) -> list[slice]:
    """Slices of items such that a matrix of signs of one with all items stays small."""
    size = max(1, _SIGN_CELLS // max(items, 1))
    return [slice(start, start + size) for start in range(0, items, size)]


def _spearman(x: Floats, z: Floats, weights: Floats) -> Floats:
    """With a_i = Σ_j w_j·sgn(x_i − x_j) = 2·(mid-rank of i) − (n + 1): ρ = Σ w·a·b / √(Σ w·a² · Σ w·b²).

    Σ w·a = 0, since every pair occurs with both signs: nothing needs to be centred.
    """
    product, square_x, square_z = (np.zeros(len(weights)) for _ in range(3))
    for block in sign_blocks(len(x)):
        drawn = weights[:, block]
        rank_x = weights @ signs(x[block], x).T
        rank_z = weights @ signs(z[block], z).T
        weighted = drawn * rank_x
        product += np.einsum("ij,ij->i", weighted, rank_z)
        square_x += np.einsum("ij,ij->i", weighted, rank_x)
        square_z += np.einsum("ij,ij,ij->i", drawn, rank_z, rank_z)
    return quotient(product, np.sqrt(square_x) * np.sqrt(square_z), where=(square_x > 0) & (square_z > 0))


def _kendall(x: Floats, z: Floats, weights: Floats) -> Floats:
    """τ-b = wᵀ(X∘Z)w / √(wᵀ|X|w · wᵀ|Z|w), X and Z the signs of all differences."""
    score, untied_x, untied_z = (np.zeros(len(weights)) for _ in range(3))
    for block in sign_blocks(len(x)):
        drawn = weights[:, block]
        sign_x, sign_z = signs(x[block], x), signs(z[block], z)
        for total, matrix in ((score, sign_x * sign_z), (untied_x, np.abs(sign_x)), (untied_z, np.abs(sign_z))):
            total += np.einsum("ij,ij->i", drawn, weights @ matrix.T)
    return quotient(score, np.sqrt(untied_x) * np.sqrt(untied_z), where=(untied_x > 0) & (untied_z > 0))


def _by_repeating(x: Floats, z: Floats, weights: Floats, coefficient: Coefficient) -> Floats:
    values = np.full(len(weights), np.nan)
    for row, drawn in enumerate(weights.astype(np.int64)):
        one, other = np.repeat(x, drawn)[None], np.repeat(z, drawn)[None]
        values[row] = row_correlations(one, other, coefficient=coefficient)[0]
    return values


def _pearson(x: Floats, z: Floats, weights: Floats) -> Floats:
    """From weighted sums of squares and products; where these would lose digits, from deviations."""
    if not len(x):
        return np.full(len(weights), np.nan)
    first, second = scaled(x), scaled(z)
    moments = np.stack([np.ones_like(first), first, second, first * first, second * second, first * second], axis=1)
    count, sum_x, sum_z, square_x, square_z, product = (weights @ moments).T
    count = np.maximum(count, 1)
    variance_x, variance_z = square_x / count - (sum_x / count) ** 2, square_z / count - (sum_z / count) ** 2
    precise = (variance_x > PRECISE) & (variance_z > PRECISE)
    spread = np.sqrt(np.maximum(variance_x, 0)) * np.sqrt(np.maximum(variance_z, 0))
    values = quotient(product / count - sum_x * sum_z / count**2, spread, where=precise)
    if not precise.all():
        values[~precise] = _pearson_by_deviations(x, z, weights[~precise])
    return values


def _pearson_by_deviations(x: Floats, z: Floats, weights: Floats) -> Floats:
    values = np.full(len(weights), np.nan)
    size = max(1, _SIGN_CELLS // len(x))
    for start in range(0, len(weights), size):
        drawn = weights[start : start + size]
        one, varies_x = _deviations(x, drawn)
        other, varies_z = _deviations(z, drawn)
        product = np.einsum("ij,ij,ij->i", drawn, one, other)
        spread = np.sqrt(np.einsum("ij,ij,ij->i", drawn, one, one)) * np.sqrt(
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
