"""Confidence intervals of means: t with the two-way residual variance, t with the own variance, or a bootstrap.

They answer two questions. With the residual variance the topics are taken as given: where does the mean on these very
topics lie? That is what matters when summarizers are compared, for the topics are the same for all. The own variance
and the bootstrap take the topics as drawn from many: where would the mean lie on other topics?
"""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.statistics.variance import fit_two_way

_BLOCK_CELLS = 4_000_000


def t_intervals(values: Floats, *, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of each row's mean: mean ± t(df)·√(MSE/n), MSE from the two-way fit.

    A single row has no two-way residual: its own variance and n − 1 degrees of freedom are used. NaN where no
    degree of freedom is left.
    """
    from scipy import stats

    counts = (~np.isnan(values)).sum(axis=1)
    means = _means(values)
    half = np.full(len(values), np.nan)
    if len(values) == 1:
        if counts[0] > 1:
            half[0] = (
                stats.t.ppf(0.5 + confidence / 200, counts[0] - 1) * np.nanstd(values[0], ddof=1) / counts[0] ** 0.5
            )
    elif (fit := fit_two_way(values)) is not None:
        critical = stats.t.ppf(0.5 + confidence / 200, fit.degrees_of_freedom)
        half = critical * np.sqrt(fit.mean_square / np.maximum(counts, 1))
    return means - half, means + half


def t_difference_intervals(differences: Floats, *, of: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Limits of the mean of each row of paired differences: mean ± t(df)·√(2·MSE/n), MSE from the fit of all rows.

    NaN where a row has no value, or where no degree of freedom is left.

    Args:
        differences: pairs × topics; NaN where a topic is not shared.
        of: all summarizers × topics, which the residual variance is taken from.
        confidence: in per cent.
    """
    from scipy import stats

    means = _means(differences)
    fit = fit_two_way(of)
    if fit is None:
        return np.full(len(means), np.nan), np.full(len(means), np.nan)
    counts = (~np.isnan(differences)).sum(axis=1)
    critical = stats.t.ppf(0.5 + confidence / 200, fit.degrees_of_freedom)
    half = critical * np.sqrt(2 * fit.mean_square / np.maximum(counts, 1))
    return means - half, means + half


def own_intervals(values: Floats, *, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of each row's mean: mean ± t(n − 1)·s/√n, s the row's own standard deviation.

    The textbook interval of a mean over topics that are drawn at random; of differences, that of the paired t test.
    NaN where a row has fewer than two values.
    """
    from scipy import stats

    counts = (~np.isnan(values)).sum(axis=1)
    means, spreads = _means(values), spreads_of(values)
    half = stats.t.ppf(0.5 + confidence / 200, np.maximum(counts - 1, 1)) * spreads / np.sqrt(np.maximum(counts, 1))
    return means - half, means + half


def spreads_of(values: Floats) -> Floats:
    """Each row's standard deviation (n − 1) over what is not NaN; NaN with fewer than two values."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    apart = np.where(present, values - _means(values)[:, None], 0.0)
    squares = (apart**2).sum(axis=1)
    variances: Floats = np.divide(squares, counts - 1, out=np.full(len(values), np.nan), where=counts > 1)
    return np.sqrt(variances)


def bootstrap_intervals(values: Floats, *, confidence: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Percentile limits of each row's mean over resampled topics (columns), the same draws for all rows."""
    present = ~np.isnan(values)
    items = np.concatenate([np.where(present, values, 0.0), present.astype(np.float64)]).T
    sums = resampled_sums(items, resamples=resamples, seed=seed)
    totals, counts = sums[:, : len(values)], sums[:, len(values) :]
    means = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
    return percentile_limits(means, confidence=confidence)


def resampled_sums(items: Floats, *, resamples: int, seed: int) -> Floats:
    """Resamples × columns: sums of the items (topics × columns) that each resample draws with replacement.

    How often each topic is drawn is a matrix, and the sums are its product with the items, block after block.
    """
    topics = len(items)
    generator = np.random.default_rng(seed)
    block = max(1, _BLOCK_CELLS // max(topics, 1))
    sums = [np.zeros((0, items.shape[1]))]
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        draws = generator.integers(0, topics, size=(size, topics)) + np.arange(size)[:, None] * topics
        weights = np.bincount(draws.ravel(), minlength=size * topics).reshape(size, topics)
        sums.append(weights.astype(np.float64) @ items)
    return np.concatenate(sums)


def percentile_limits(means: Floats, *, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper percentile of each column of bootstrap means; resamples without a value (NaN) are left out."""
    tail = (100 - confidence) / 2
    limits = np.full((2, means.shape[1]), np.nan)
    there = ~np.isnan(means).all(axis=0)
    limits[:, there] = np.nanpercentile(means[:, there], [tail, 100 - tail], axis=0)
    return limits[0], limits[1]


def check_resampling(*, confidence: float, resamples: int) -> None:
    """Refuse levels and numbers that make no sense."""
    if not 1 <= confidence < 100:
        raise UsageError(f"confidence {confidence:g}: expected a percentage from 1 up and below 100, such as 95")
    if resamples < 1:
        raise UsageError(f"resamples {resamples}: expected a number from 1 up")


def _means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    sums = np.where(present, values, 0.0).sum(axis=1)
    counts = present.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
    return means
