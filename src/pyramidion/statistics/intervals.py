"""Confidence intervals of means: t with the two-way residual variance, or a percentile bootstrap over topics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramidion.statistics.variance import fit_two_way

Floats = NDArray[np.float64]


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


def bootstrap_intervals(values: Floats, *, confidence: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Percentile limits of each row's mean over resampled topics (columns), the same draws for all rows.

    Weights are counts of drawn topics, so that all resamples are one matrix product.
    """
    weights = resampled_topics(values.shape[1], resamples=resamples, seed=seed)
    present = ~np.isnan(values)
    sums = np.where(present, values, 0.0) @ weights.T
    counts = present.astype(np.float64) @ weights.T
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    tail = (100 - confidence) / 2
    lower, upper = np.nanpercentile(means, [tail, 100 - tail], axis=1)
    return lower, upper


def resampled_topics(topics: int, *, resamples: int, seed: int) -> Floats:
    """Resamples × topics: how often each resample, drawn with replacement, holds each topic."""
    draws = np.random.default_rng(seed).integers(0, topics, size=(resamples, topics))
    flat = draws + np.arange(resamples)[:, None] * topics
    return np.bincount(flat.ravel(), minlength=resamples * topics).reshape(resamples, topics).astype(np.float64)


def _means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    sums = np.where(present, values, 0.0).sum(axis=1)
    counts = present.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
    return means
