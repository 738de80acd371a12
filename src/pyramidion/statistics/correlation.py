"""Correlation between two measures: Pearson, Spearman with mid-ranks, Kendall's τ-b, at three levels.

Matrices are summarizers × topics, NaN where a summary has no score. A vector that does not vary has no correlation:
the answer is NaN, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import UsageError
from pyramidion.statistics.ties import settled

Level = Literal["system", "topic", "global"]
Coefficient = Literal["pearson", "spearman", "kendall"]

LEVELS: tuple[Level, ...] = ("system", "topic", "global")
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")

_MANY_ITEMS = 512
"""From here on scipy's n·log n on each row is quicker than all pairs of all rows at once."""

_ROUNDING = 1e-15
"""What the last bits of a quotient are worth."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LevelCorrelation:
    """A correlation at one level, and what it rests on."""

    value: float
    """NaN if it is not defined."""
    n: int
    """Summarizers (system), topics with a defined correlation (topic), or summaries (global)."""
    undefined: int
    """Summarizers, topics or summaries that were left out because something is missing or does not vary."""
    p: float
    """Two-sided, against no correlation; NaN where there is no such test."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TopicCorrelations:
    """A correlation inside each topic."""

    values: Floats
    """NaN where it is not defined."""
    p: Floats
    """Two-sided, against no correlation."""


def correlate_levels(x: Floats, z: Floats, *, level: Level, coefficient: Coefficient) -> LevelCorrelation:
    """Correlate two matrices, summarizers × topics.

    system: each measure's mean over its topics, then one coefficient over the summarizers that have both means.
    topic: a coefficient inside each topic over the summarizers that have both scores, then the mean of those defined;
    its p is that of a t test of the topics' coefficients against 0. global: one coefficient over all summaries that
    have both scores; it has no p, for summaries of one summarizer or of one topic are not independent.
    """
    check_matrices(x, z)
    if level == "topic":
        by_topic = row_correlations(settled(x).T, settled(z).T, coefficient=coefficient)
        defined = by_topic[~np.isnan(by_topic)]
        return LevelCorrelation(
            value=float(defined.mean()) if len(defined) else np.nan,
            n=len(defined),
            undefined=len(by_topic) - len(defined),
            p=_p_of_mean(defined),
        )
    if level == "system":
        first, second = system_means(x), system_means(z)
    elif level == "global":
        first, second = settled(x).ravel(), settled(z).ravel()
    else:
        raise UsageError(f"level {level!r}: expected one of {', '.join(LEVELS)}")
    one, other = ~np.isnan(first), ~np.isnan(second)
    both = one & other
    value = float(row_correlations(first[None, both], second[None, both], coefficient=coefficient)[0])
    return LevelCorrelation(
        value=value,
        n=int(both.sum()),
        undefined=int((one | other).sum() - both.sum()),
        p=correlation_p(first[both], second[both], value, coefficient=coefficient) if level == "system" else np.nan,
    )


def topic_correlations(x: Floats, z: Floats, *, coefficient: Coefficient) -> TopicCorrelations:
    """The correlation inside each topic with its two-sided p (Louis & Nenkova 2009, micro level)."""
    check_matrices(x, z)
    first, second = settled(x).T, settled(z).T
    values = row_correlations(first, second, coefficient=coefficient)
    p = np.full(len(values), np.nan)
    for topic in np.nonzero(~np.isnan(values))[0]:
        both = ~(np.isnan(first[topic]) | np.isnan(second[topic]))
        p[topic] = correlation_p(first[topic, both], second[topic, both], values[topic], coefficient=coefficient)
    return TopicCorrelations(values=values, p=p)


def correlation_p(x: Floats, z: Floats, value: float, *, coefficient: Coefficient) -> float:
    """Two-sided p of a coefficient of two vectors against no correlation.

    Pearson and Spearman: t = r·√((n − 2)/(1 − r²)) with n − 2 degrees of freedom. Kendall: exact without ties and up
    to 33 values, else normal with the variance corrected for ties. NaN with fewer than three values.
    """
    from scipy import stats

    if np.isnan(value) or len(x) < 3:
        return np.nan
    if coefficient == "kendall":
        return float(stats.kendalltau(x, z).pvalue)
    freedom = len(x) - 2
    left = 1 - value * value
    return float(2 * stats.t.sf(abs(value) * np.sqrt(freedom / left), freedom)) if left > 0 else 0.0


def system_means(values: Floats) -> Floats:
    """Each row's mean over the topics that it has, settled so that equal means are equal; NaN without any."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    sums = np.where(present, values, 0.0).sum(axis=1)
    return settled(np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0))


def row_correlations(x: Floats, z: Floats, *, coefficient: Coefficient) -> Floats:
    """The coefficient of each row of x with the same row of z, over the places where neither is NaN.

    One row of z may stand for all. NaN where fewer than two places are left or where one side does not vary.
    """
    if coefficient not in COEFFICIENTS:
        raise UsageError(f"coefficient {coefficient!r}: expected one of {', '.join(COEFFICIENTS)}")
    x, z = _both_or_neither(x, z)
    if coefficient == "pearson":
        return _pearson_rows(x, z)
    if coefficient == "spearman":
        from scipy.stats import rankdata

        return _pearson_rows(rankdata(x, axis=1, nan_policy="omit"), rankdata(z, axis=1, nan_policy="omit"))
    return _kendall_rows(x, z)


def check_matrices(*matrices: Floats) -> None:
    """Refuse matrices that do not have the same summarizers and topics, or that hold infinities."""
    shapes = {matrix.shape for matrix in matrices}
    if len(shapes) > 1 or any(len(shape) != 2 for shape in shapes):
        found = ", ".join(map(str, (matrix.shape for matrix in matrices)))
        raise UsageError(f"found matrices of shapes {found}; expected the same summarizers × topics of each measure")
    if any(np.isinf(matrix).any() for matrix in matrices):
        raise UsageError("found an infinite score; expected finite numbers, and NaN where there is none")


def _p_of_mean(values: Floats) -> float:
    """Two-sided p of the t test that topics' coefficients have the mean 0."""
    from scipy import stats

    if len(values) < 2:
        return np.nan
    spread = float(values.std(ddof=1))
    if spread == 0:
        return np.nan
    statistic = float(values.mean()) / (spread / np.sqrt(len(values)))
    return float(2 * stats.t.sf(abs(statistic), len(values) - 1))


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
    if x.shape[1] > _MANY_ITEMS:
        return _kendall_by_row(x, np.broadcast_to(z, x.shape))
    # Items × rows, so that all pairs of items that are so far apart are two slices that lie together in memory.
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
        one, other = first[both], second[both]
        if len(one) > 1 and np.ptp(one) > 0 and np.ptp(other) > 0:
            values[row] = stats.kendalltau(one, other).statistic
    return values


def _signs(one: Floats, other: Floats) -> NDArray[np.int8]:
    """1 where greater, −1 where less, 0 where equal or NaN."""
    signs: NDArray[np.int8] = np.subtract(one > other, one < other, dtype=np.int8)
    return signs


def quotient(numerator: Floats, denominator: Floats, *, where: Bools) -> Floats:
    """A coefficient; NaN where it is not defined. Rounding carries it neither beyond ±1 nor just short of it."""
    where = np.broadcast_to(where, numerator.shape) & (denominator > 0)
    found: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=where)
    return np.where(np.abs(found) > 1 - _ROUNDING, np.sign(found), found)
