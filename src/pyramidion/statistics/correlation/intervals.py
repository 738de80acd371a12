"""Intervals of correlations: Fisher's transformation, and bootstraps (percentile, studentized) over what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Coefficient, Level, Resampled, Sides
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.critical import critical_correlation
from pyramidion.statistics.correlation.draws import Draws, bootstrap_draws, cells_of
from pyramidion.statistics.correlation.weights import GridPairs, WeightedPairs
from pyramidion.statistics.intervals import FEWEST_STUDENTIZED
from pyramidion.statistics.resampling import ResamplingProgress, drawn_items, multiplicities
from pyramidion.statistics.values import SLACK, check_choice, check_matrices, snap_ties

FAR_OUT = 3.5
"""Robust standard deviations from the median from which on a value lies far out."""
LIMIT_ROUNDS = 60
"""Of the fixed point of a limit of Spearman's coefficient; each leaves less than half of the error."""


def fisher_interval(
    value: float, n: int, *, coefficient: Coefficient = "pearson", confidence: float = 95.0, sides: Sides = "one"
) -> tuple[float, float]:
    """tanh(atanh r ∓ z·c/√(n − b)); one-sided: the lower limit with z(confidence), and 1 (Dang 2006, Table 14).

    Pearson: c = 1, b = 3. Spearman: c = √(1 + r²/2), b = 3, and Kendall: c = √.437, b = 4 (Bonett & Wright 2000).
    NaN where r is not defined or n ≤ b, and at r = ±1: there the formula gives no width, however few the items.
    """
    from scipy import special

    check_choice("sides", sides, Sides)
    less, width = _fisher_scale(value, coefficient)
    if np.isnan(value) or n <= less or is_perfect(value):
        return np.nan, np.nan
    share = confidence / 100 if sides == "one" else 0.5 + confidence / 200
    half = float(special.ndtri(share)) * width / np.sqrt(n - less)
    lower, upper = np.tanh(np.arctanh(value) - half), np.tanh(np.arctanh(value) + half)
    return float(lower), (1.0 if sides == "one" else float(upper))


def fisher_p(value: float, n: int, *, coefficient: Coefficient = "pearson") -> float:
    """Two-sided p against no correlation by the distribution of `fisher_interval`, whose limits it goes with.

    >>> round(fisher_p(0.5, 20), 4)
    0.0235
    """
    from scipy import special

    less, width = _fisher_scale(value, coefficient)
    if np.isnan(value) or n <= less or is_perfect(value):
        return np.nan
    return float(2 * special.ndtr(-abs(np.arctanh(value)) * np.sqrt(n - less) / width))


def _fisher_scale(value: float, coefficient: Coefficient) -> tuple[int, float]:
    """How many items count less than there are, and the width, on Fisher's scale (Bonett & Wright 2000)."""
    # τ has variance .437/(n − 4) on Fisher's scale, the others have n − 3.
    less = 4 if coefficient == "kendall" else 3
    width = {"pearson": 1.0, "spearman": np.sqrt(1 + value * value / 2), "kendall": np.sqrt(0.437)}[coefficient]
    return less, float(width)


def inverted_test_interval(
    x: Floats,
    z: Floats,
    value: float,
    *,
    coefficient: Coefficient,
    confidence: float = 95.0,
    sides: Sides = "two",
) -> tuple[float, float]:
    """Limits of a coefficient of two vectors that exclude 0 exactly where its p is significant.

    A limit is the ζ with |atanh r − ζ| = a·c(ζ)/c(0), where a is atanh of the critical value of the test by which p is
    computed, and c the standard error's course: √(1 + ρ²/2) for Spearman, constant for Pearson and Kendall (Bonett &
    Wright 2000). One-sided: the lower limit, and 1. NaN where no value is significant, where r is not defined, at
    r = ±1, and of Pearson's coefficient of three items.
    """
    check_choice("sides", sides, Sides)
    if np.isnan(value) or is_perfect(value) or (coefficient == "pearson" and len(x) <= 3):
        return np.nan, np.nan
    level = (100 - confidence) / 100 * (2 if sides == "one" else 1)
    critical = critical_correlation(x, z, coefficient=coefficient, level=level)
    if np.isnan(critical) or critical >= 1:
        return np.nan, np.nan
    middle, half = float(np.arctanh(value)), float(np.arctanh(critical))
    limits = []
    for direction in (-1, 1):
        limit = middle + direction * half
        for _ in range(LIMIT_ROUNDS if coefficient == "spearman" else 0):
            limit = middle + direction * half * float(np.sqrt(1 + np.tanh(limit) ** 2 / 2))
        limits.append(float(np.tanh(limit)))
    return limits[0], (1.0 if sides == "one" else limits[1])


def is_perfect(value: float) -> bool:
    """Whether a correlation is 1 or −1, up to rounding: it then says nothing about its own error.

    >>> is_perfect(0.9999999999999998), is_perfect(0.999)
    (True, False)
    """
    return abs(value) >= 1 - SLACK


def bootstrap_correlations(
    x: Floats,
    z: Floats,
    *,
    level: Level,
    coefficients: Sequence[Coefficient],
    resampled: Resampled = "both",
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
    clusters: Integers | None = None,
) -> dict[Coefficient, Floats]:
    """The correlation of each resample, NaN where it is not defined; the same draws for all coefficients.

    In each resample the summarizers are drawn, then the topics. System level: a summarizer's mean over the drawn topics
    that it has; one that was drawn twice is a tie. Summarizers or topics on which the measures never meet are not
    among those drawn from. With `clusters` (a number for each topic), whole clusters of topics are drawn.
    """
    check_matrices(x, z)
    x, z, columns = _meeting(x, z, level)
    codes = None if clusters is None else np.unique(clusters[columns], return_inverse=True)[1]
    samples: dict[Coefficient, list[Floats]] = {coefficient: [np.zeros(0)] for coefficient in coefficients}
    if not x.size:
        return {coefficient: np.full(resamples, np.nan) for coefficient in coefficients}
    kinds: dict[Level, type[_SystemLevel | _TopicLevel | _GlobalLevel]] = {
        "system": _SystemLevel,
        "topic": _TopicLevel,
        "global": _GlobalLevel,
    }
    at_level = kinds[level](x, z)
    cells = cells_of(x.shape, level)
    for draws in bootstrap_draws(
        x.shape, resampled=resampled, resamples=resamples, seed=seed, cells=cells, clusters=codes
    ):
        block = at_level.correlations(draws, coefficients)
        for coefficient in coefficients:
            samples[coefficient].append(block[coefficient])
        if progress:
            progress(len(draws))
    return {coefficient: np.concatenate(blocks) for coefficient, blocks in samples.items()}


def percentile_interval(samples: Floats, *, confidence: float = 95.0, sides: Sides = "two") -> tuple[float, float]:
    """Percentiles (linear) of the resamples that have a value; one-sided: the lower limit, and 1.

    NaN where the interval would have no width, because the resamples hardly differ: as at a correlation of ±1; and
    where resamples are so few that no p of `bootstrap_p` is significant at this level.
    """
    check_choice("sides", sides, Sides)
    defined = samples[~np.isnan(samples)]
    tail = (100 - confidence) / (1 if sides == "one" else 2)
    if not len(defined) or tail / 100 * (len(defined) + 1) <= 1:
        return np.nan, np.nan
    lower = float(np.percentile(defined, tail))
    upper = 1.0 if sides == "one" else float(np.percentile(defined, 100 - tail))
    if upper - lower <= SLACK or np.ptp(defined) <= SLACK:
        return np.nan, np.nan
    return lower, upper


class StudentizedInterval(NamedTuple):
    """Limits of a correlation, the p that goes with them, and how many resamples were left out."""

    lower: float
    upper: float
    p: float
    undefined: int


def studentized_interval(
    x: Floats,
    z: Floats,
    *,
    confidence: float = 95.0,
    sides: Sides = "two",
    resamples: int = 1000,
    seed: int = 0,
) -> StudentizedInterval:
    """Limits of Pearson's r of two vectors, each resample of the items in units of its own error.

    tanh(ζ − q·s), ζ = atanh r and q the quantiles of (ζ* − ζ)/s*. The error s comes from the influence of each item on
    ζ, (uv − r(u² + v²)/2)/(1 − r²), u and v being standardised. One-sided: the lower limit, and 1. Resamples without
    an error are left out. p is that of the distribution of q, two-sided. NaN with fewer than `FEWEST_STUDENTIZED`
    items, where r is not defined, and at ±1.
    """
    check_choice("sides", sides, Sides)
    items = len(x)
    value, error = (float(statistic[0]) for statistic in _transformed(x[None], z[None]))
    if items < FEWEST_STUDENTIZED or np.isnan(value) or is_perfect(np.tanh(value)):
        return StudentizedInterval(np.nan, np.nan, np.nan, 0)
    samples = []
    for drawn in drawn_items(items, resamples=resamples, seed=seed, cells=items):
        values, errors = _transformed(x[drawn], z[drawn])
        defined = np.isfinite(values) & (errors > 0)
        samples.append((values[defined] - value) / errors[defined])
    t = np.concatenate(samples)
    if not len(t):
        return StudentizedInterval(np.nan, np.nan, np.nan, resamples)
    tail = (100 - confidence) / (1 if sides == "one" else 2)
    # The quantiles change places: a resample that overestimates by much says that the truth may lie far below.
    lower = float(np.tanh(value - np.percentile(t, 100 - tail) * error))
    upper = 1.0 if sides == "one" else float(np.tanh(value - np.percentile(t, tail) * error))
    # 0 is as far out as this: the same distribution, turned round
    return StudentizedInterval(lower, upper, bootstrap_p(value - t * error), resamples - len(t))


def _transformed(x: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Fisher's ζ of each row of x with that of z, and its error by the influence of the items; infinite at ±1."""
    r = row_correlations(x, z, coefficient="pearson")
    inside = np.abs(r) < 1
    value = np.where(inside, np.arctanh(np.where(inside, r, 0.0)), np.copysign(np.inf, r))
    u, v = (deviations - deviations.mean(axis=1, keepdims=True) for deviations in (x, z))
    u, v = (deviations / np.where(inside, np.sqrt((deviations**2).mean(axis=1)), 1.0)[:, None] for deviations in (u, v))
    influence = u * v - np.where(inside, r, 0.0)[:, None] * (u**2 + v**2) / 2
    error = np.sqrt((influence**2).mean(axis=1) / x.shape[1]) / np.where(inside, 1 - r**2, 1.0)
    return np.where(np.isnan(r), np.nan, value), error


def far_out(values: Floats) -> Bools:
    """Which values lie far from the others: more than 3.5 robust standard deviations from the median.

    Iglewicz & Hoaglin (1993): 1.4826 times the median absolute deviation; 1.2533 times the mean one where that is 0.

    >>> far_out(np.array([0.41, 0.44, 0.38, 0.42, 0.40, 0.05])).tolist()
    [False, False, False, False, False, True]
    """
    distances = np.abs(values - np.median(values)) if len(values) else values
    spread = 1.4826 * float(np.median(distances)) if len(values) else 0.0
    if spread == 0 and len(values):
        spread = 1.2533 * float(distances.mean())
    far: Bools = distances > FAR_OUT * spread
    return far


def bootstrap_p(samples: Floats) -> float:
    """Two-sided p against no correlation: the level from which on the percentile interval includes 0.

    2·h/(n − 1), where h is the place of 0 among the n sorted resamples, counted from its nearer end and interpolated
    as percentiles are; at least 2/(n + 1). NaN where no resample has a value.

    >>> samples = np.linspace(-0.1, 0.9, 101)  # 0 lies at the tenth of a hundred steps
    >>> round(bootstrap_p(samples), 3)
    0.2
    """
    defined = np.sort(samples[~np.isnan(samples)])
    if not len(defined):
        return np.nan
    # 0 counts on both sides: a resample without any correlation speaks for neither.
    nearer = min(_place_of_zero(defined), _place_of_zero(-defined[::-1]))
    return float(np.clip(2 * nearer / max(len(defined) - 1, 1), 2 / (len(defined) + 1), 1.0))


def _place_of_zero(ordered: Floats) -> float:
    """The last place, from 0, up to which ordered values are at most 0, interpolated between two; −1 if none is."""
    below = int(np.searchsorted(ordered, 0.0, side="right"))
    if below in (0, len(ordered)):
        return below - 1.0
    step = ordered[below] - ordered[below - 1]
    return below - 1 - float(ordered[below - 1] / step)


def _meeting(x: Floats, z: Floats, level: Level) -> tuple[Floats, Floats, Bools]:
    """The scores of summarizers and topics that can be drawn, and which topics these are.

    Within topics and over all summaries, only what both have.
    """
    if level == "system":
        rows = ~(np.isnan(x).all(axis=1) | np.isnan(z).all(axis=1))
        # At the level of systems, each measure has its own means: a topic counts if either has scores there.
        columns: Bools = np.asarray(~(np.isnan(x) & np.isnan(z)).all(axis=0))
        return x[rows][:, columns], z[rows][:, columns], columns
    both = ~(np.isnan(x) | np.isnan(z))
    rows, columns = both.any(axis=1), np.asarray(both.any(axis=0))
    # Ties before ranks: scores that differ by rounding alone would be ordered by it.
    first, second = np.where(both, snap_ties(x), np.nan), np.where(both, snap_ties(z), np.nan)
    return first[rows][:, columns], second[rows][:, columns], columns


@dataclass(frozen=True, eq=False)
class _SystemLevel:
    x: Floats
    z: Floats

    def correlations(self, draws: Draws, coefficients: Sequence[Coefficient]) -> dict[Coefficient, Floats]:
        means = [_drawn_means(values, draws) for values in (self.x, self.z)]
        if draws.rows is not None:
            means = [np.take_along_axis(np.broadcast_to(mean, draws.rows.shape), draws.rows, axis=1) for mean in means]
        return {coefficient: row_correlations(*means, coefficient=coefficient) for coefficient in coefficients}


def _drawn_means(values: Floats, draws: Draws) -> Floats:
    """Resamples × summarizers: means over the drawn topics; a single row if the topics stay as they are."""
    present = ~np.isnan(values)
    cells = np.where(present, values, 0.0)
    columns = values.shape[1]
    drawn_weights = draws.column_weights(columns)
    weights = np.ones((1, columns)) if drawn_weights is None else drawn_weights
    has_all = present.all() and draws.clusters is None  # clusters of unequal sizes draw more topics, or fewer
    counts = np.float64(columns) if has_all else weights @ present.T.astype(np.float64)
    sums = weights @ cells.T
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=np.broadcast_to(counts > 0, sums.shape))
    return snap_ties(means, like=values)


@dataclass(frozen=True, eq=False)
class _TopicLevel:
    x: Floats
    z: Floats

    def correlations(self, draws: Draws, coefficients: Sequence[Coefficient]) -> dict[Coefficient, Floats]:
        columns = self.x.shape[1]
        drawn_times = draws.column_weights(columns)
        times = np.ones((len(draws), columns)) if drawn_times is None else drawn_times
        found: dict[Coefficient, Floats] = {}
        for coefficient in coefficients:
            total, count = np.zeros(len(draws)), np.zeros(len(draws))
            if draws.rows is None:
                value = row_correlations(self.x.T, self.z.T, coefficient=coefficient)
                total, count = (
                    times @ cells for cells in (np.nan_to_num(value), (~np.isnan(value)).astype(np.float64))
                )
            else:
                weights = multiplicities(draws.rows, len(self.x))
                for topic, (has, pairs) in enumerate(self._topics):
                    drawn = weights if has.all() else weights[:, has]
                    value = pairs.correlations(drawn, coefficient=coefficient)
                    defined = ~np.isnan(value)
                    total += times[:, topic] * np.where(defined, value, 0.0)
                    count += times[:, topic] * defined
            found[coefficient] = np.divide(total, count, out=np.full(len(draws), np.nan), where=count > 0)
        return found

    @cached_property
    def _topics(self) -> list[tuple[Bools, WeightedPairs]]:
        """For each topic, who has both scores there, and their scores."""
        has = ~np.isnan(self.x)
        return [
            (rows, WeightedPairs(self.x[rows, topic], self.z[rows, topic]))
            for topic, rows in enumerate(np.transpose(has))
        ]


@dataclass(frozen=True, eq=False)
class _GlobalLevel:
    x: Floats
    z: Floats

    def correlations(self, draws: Draws, coefficients: Sequence[Coefficient]) -> dict[Coefficient, Floats]:
        row_count, column_count = self.x.shape
        rows = np.ones((1, row_count)) if draws.rows is None else multiplicities(draws.rows, row_count)
        drawn_columns = draws.column_weights(column_count)
        columns = np.ones((1, column_count)) if drawn_columns is None else drawn_columns
        return {name: self._cells.correlations(rows, columns, coefficient=name) for name in coefficients}

    @cached_property
    def _cells(self) -> GridPairs:
        return GridPairs(self.x, self.z)
