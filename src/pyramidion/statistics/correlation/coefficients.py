"""Pearson's, Spearman's (with mid-ranks) and Kendall's (τ-b) coefficients of many vectors at once.

A vector that does not vary has no correlation: the answer is NaN, never 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.exact import MOST_EXACT, exact_kendall_p, exact_spearman_p, perfect_p
from pyramidion.statistics.correlation.kendall import MANY, kendall_p
from pyramidion.statistics.values import check_choice, mid_ranks, t_p

_ROUNDING = 1e-15
"""What the last bits of a quotient are worth."""


def correlation_p(x: Floats, z: Floats, value: float, *, coefficient: Coefficient) -> float:
    """Two-sided p of a coefficient of two vectors against no correlation.

    Pearson and Spearman: t = r·√((n − 2)/(1 − r²)) with n − 2 degrees of freedom; at ±1, and for Spearman with up to
    nine values, the exact share of all orders. Kendall: exact with up to nine values, without ties up to 33, else
    normal with the variance corrected for ties. NaN with fewer than three values; never 0.
    """
    if np.isnan(value) or len(x) < 3:
        return np.nan
    if coefficient != "pearson" and len(x) <= MOST_EXACT:
        return exact_spearman_p(x, z) if coefficient == "spearman" else exact_kendall_p(x, z)
    if coefficient == "kendall":
        return kendall_p(x, z)
    left = 1 - value * value
    if left <= 0:
        return perfect_p(x, z) if coefficient == "pearson" else perfect_p(mid_ranks(x), mid_ranks(z))
    freedom = len(x) - 2
    return float(t_p(value * np.sqrt(freedom / left), freedom))


def row_correlations(x: Floats, z: Floats, *, coefficient: Coefficient) -> Floats:
    """The coefficient of each row of x with the same row of z, over the places where neither is NaN.

    One row of z may stand for all. NaN where fewer than two places are left or where one side does not vary.
    """
    check_choice("coefficient", coefficient, Coefficient)
    x, z = _both_or_neither(x, z)
    if coefficient == "pearson":
        return _pearson_rows(x, z)
    if coefficient == "spearman":
        return _pearson_rows(mid_ranks(x), mid_ranks(z))
    return _kendall_rows(x, z)


def _both_or_neither(x: Floats, z: Floats) -> tuple[Floats, Floats]:
    missing = np.isnan(x) | np.isnan(z)
    if not missing.any():
        return x, z
    return np.where(missing, np.nan, x), np.where(missing, np.nan, z)


def _pearson_rows(x: Floats, z: Floats) -> Floats:
    first, spread_x, varies_x = _centred(x)
    second, spread_z, varies_z = _centred(z)
    products = np.einsum("ij,ij->i", first, np.broadcast_to(second, first.shape))
    return quotient(products, spread_x * spread_z, where=varies_x & varies_z)


def _centred(values: Floats) -> tuple[Floats, Floats, Bools]:
    """Rows less their means (0 where NaN), the roots of their sums of squares, and which rows vary."""
    present = ~np.isnan(values)
    if values.shape[1] == 0:
        return values, np.zeros(len(values)), np.zeros(len(values), dtype=np.bool_)
    if present.all():
        centred = values - values.mean(axis=1, keepdims=True)
        varies = values.max(axis=1) > values.min(axis=1)
    else:
        counts = np.maximum(present.sum(axis=1, keepdims=True), 1)
        mean = np.where(present, values, 0.0).sum(axis=1, keepdims=True) / counts
        centred = np.where(present, values - mean, 0.0)
        highest, lowest = np.where(present, values, -np.inf), np.where(present, values, np.inf)
        varies = highest.max(axis=1) > lowest.min(axis=1)
    return centred, np.sqrt(np.einsum("ij,ij->i", centred, centred)), varies


def _kendall_rows(x: Floats, z: Floats) -> Floats:
    """τ-b = (concordant − discordant) / √(pairs not tied in x · pairs not tied in z), NaN belonging to no pair."""
    if x.shape[1] > MANY:
        return _kendall_by_row(x, np.broadcast_to(z, x.shape))
    # Items × rows, so that all pairs of items at one distance are two slices that lie together in memory.
    first, second = np.ascontiguousarray(x.T), np.ascontiguousarray(z.T)
    score = np.zeros(first.shape[1])
    untied_x, untied_z = np.zeros(first.shape[1]), np.zeros(second.shape[1])
    for apart in range(1, len(first)):
        sign_x = _signs(first[apart:], first[:-apart])
        sign_z = _signs(second[apart:], second[:-apart])
        score += (sign_x * sign_z).sum(axis=0)
        untied_x += np.count_nonzero(sign_x, axis=0)
        untied_z += np.count_nonzero(sign_z, axis=0)
    return quotient(score, np.sqrt(untied_x) * np.sqrt(untied_z), where=(untied_x > 0) & (untied_z > 0))


def _kendall_by_row(x: Floats, z: Floats) -> Floats:
    from scipy import stats

    values = np.full(len(x), np.nan)
    for row, (first, second) in enumerate(zip(x, z, strict=True)):
        both = ~np.isnan(first)
        x_row, z_row = first[both], second[both]
        if len(x_row) > 1 and np.ptp(x_row) > 0 and np.ptp(z_row) > 0:
            values[row] = stats.kendalltau(x_row, z_row).statistic
    return values


def _signs(x: Floats, y: Floats) -> NDArray[np.int8]:
    """1 where greater, −1 where less, 0 where equal or NaN."""
    signs: NDArray[np.int8] = np.subtract(x > y, x < y, dtype=np.int8)
    return signs


def quotient(numerator: Floats, denominator: Floats, *, where: Bools) -> Floats:
    """A coefficient; NaN where it is not defined. Rounding carries it neither beyond ±1 nor just short of it."""
    where = np.broadcast_to(where, numerator.shape) & (denominator > 0)
    ratio: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=where)
    return np.where(np.abs(ratio) > 1 - _ROUNDING, np.sign(ratio), ratio)
