"""Confidence intervals of means: t with the two-way residual variance, t with the own variance, or a bootstrap.

They answer two questions. With the residual variance the topics are taken as given: where does the mean on these very
topics lie? That is what matters when summarizers are compared, because the topics are the same for all. The own
variance and the bootstrap treat the topics as a sample: where would the mean lie on other topics?
"""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.clusters import ClusterSums
from pyramidion.statistics.resampling import drawn_items, multiplicities
from pyramidion.statistics.values import SLACK, mean_of_defined, quotients, spreads_of, t_critical
from pyramidion.statistics.variance import TwoWayAnova

FEWEST_STUDENTIZED = 8
"""Topics that a studentised bootstrap needs: with fewer its limits are too wide to be of use."""


def t_intervals(values: Floats, anova: TwoWayAnova | None, *, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of each row's mean: mean ± t(df)·√(MSE/n), MSE from the two-way analysis.

    A single row has no two-way residual: its own variance and n − 1 degrees of freedom are used. NaN where a row has no
    value, or where no degree of freedom is left.

    Args:
        values: summarizers × topics; NaN where there is no score.
        anova: `two_way_anova` of all summarizers × topics.
        confidence: in per cent.
    """
    if len(values) == 1:
        return own_intervals(values, confidence=confidence)
    # Rows without values have a mean of NaN, and so NaN limits; the 1 only avoids a division by 0.
    counts = np.maximum((~np.isnan(values)).sum(axis=1), 1)
    return residual_limits(mean_of_defined(values), counts, anova, confidence=confidence)


def residual_limits(
    means: Floats, counts: Floats | Integers, anova: TwoWayAnova | None, *, confidence: float
) -> tuple[Floats, Floats]:
    """The same from means and the numbers of values that they are over."""
    half = np.full(len(means), np.nan)
    if anova is not None:
        half = t_critical(confidence, anova.degrees_of_freedom) * np.sqrt(anova.mean_square / counts)
    return means - half, means + half


def own_intervals(values: Floats, *, confidence: float, clusters: Integers | None = None) -> tuple[Floats, Floats]:
    """Lower and upper limits of each row's mean: mean ± t(n − 1)·s/√n, s the row's own standard deviation.

    The textbook interval of a mean over topics that are drawn at random; of differences, that of the paired t test.
    With `clusters` (a number for each topic, from 0), clusters of topics are drawn: see `statistics.clusters`. NaN
    where a row has fewer than two values or clusters.
    """
    if clusters is not None:
        sums = ClusterSums.of(values, clusters)
        errors, freedom = sums.errors()
        errors = np.where(sums.counts > 1, np.nan_to_num(errors), np.nan)
        half = t_critical(confidence, np.nan_to_num(freedom, nan=1.0)) * errors
        return sums.means - half, sums.means + half
    counts = (~np.isnan(values)).sum(axis=1)
    means, spreads = mean_of_defined(values), spreads_of(values)
    half = t_critical(confidence, np.maximum(counts - 1, 1)) * spreads / np.sqrt(np.maximum(counts, 1))
    return means - half, means + half


def bootstrap_intervals(
    values: Floats, *, confidence: float, resamples: int, seed: int, clusters: Integers | None = None
) -> tuple[Floats, Floats]:
    """Percentile limits of each row's mean over resampled topics (columns), the same draws for all rows.

    With `clusters` (a number for each topic, from 0), whole clusters are drawn.
    """
    codes = np.arange(values.shape[1]) if clusters is None else clusters
    sums_of_clusters = ClusterSums.of(values, codes)
    # Sums and counts are resampled together, because a resample may draw a missing cell more or less often.
    items = np.concatenate([sums_of_clusters.sums, sums_of_clusters.sizes]).T
    sums = resampled_sums(items, resamples=resamples, seed=seed)
    totals, counts = sums[:, : len(values)], sums[:, len(values) :]
    return percentile_limits(quotients(totals, counts), confidence=confidence)


def studentized_intervals(values: Floats, *, confidence: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Limits of each row's mean over resampled topics, each resample in units of its own error.

    mean − q·s/√n, q the quantiles of (m* − m)/(s*/√n); resamples without spread are left out. NaN with fewer than
    `FEWEST_STUDENTIZED` values.
    """
    present = ~np.isnan(values)
    means, spreads = mean_of_defined(values), spreads_of(values)
    # Centred first: Σx² - n·mean² of raw values would lose all digits where the mean is large against the spread.
    centred = np.where(present, values - np.nan_to_num(means)[:, None], 0.0)
    count = len(values)
    items = np.concatenate([centred, centred**2, present.astype(np.float64)]).T
    sums = resampled_sums(items, resamples=resamples, seed=seed)
    totals, squares, counts = sums[:, :count], sums[:, count : 2 * count], sums[:, 2 * count :]
    drawn = quotients(totals, counts, where=counts > 1)
    variances = (squares - counts * drawn**2) / np.maximum(counts - 1, 1)
    errors = np.sqrt(np.maximum(variances, 0.0) / np.maximum(counts, 1))
    # A resample that drew one topic again and again has no error of its own, and its t would be infinite.
    varies = errors > SLACK * np.maximum(np.nan_to_num(spreads), np.finfo(np.float64).tiny)
    t = quotients(drawn, errors, where=varies)
    lowest, highest = percentile_limits(t, confidence=confidence)
    n = present.sum(axis=1)
    error = np.where(n >= FEWEST_STUDENTIZED, spreads / np.sqrt(np.maximum(n, 1)), np.nan)
    # The quantiles change sides: a resample that lies too high says that the true mean lies lower.
    return means - highest * error, means - lowest * error


def resampled_sums(items: Floats, *, resamples: int, seed: int) -> Floats:
    """Resamples × columns: sums of the items (topics × columns) that each resample draws with replacement."""
    topics = len(items)
    blocks = drawn_items(topics, resamples=resamples, seed=seed, cells=topics)
    return np.concatenate([multiplicities(drawn, topics) @ items for drawn in blocks])


def percentile_limits(means: Floats, *, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper percentile of each column of bootstrap means; resamples without a value (NaN) are left out."""
    tail = (100 - confidence) / 2
    limits = np.full((2, means.shape[1]), np.nan)
    is_defined = ~np.isnan(means).all(axis=0)
    # nanpercentile warns about columns that are NaN throughout, so it never sees them.
    limits[:, is_defined] = np.nanpercentile(means[:, is_defined], [tail, 100 - tail], axis=0)
    return limits[0], limits[1]


def jackknife_limits(value: float, without: Floats, confidence: float) -> tuple[float, float]:
    """Limits of a value from its values without each cluster in turn; NaN where one of them is undefined."""
    count = len(without)
    if count < 2 or np.isnan(value) or np.isnan(without).any():
        return float("nan"), float("nan")
    error = float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))
    half = float(t_critical(confidence, count - 1)) * error
    return value - half, value + half
