"""The correlation of two measures at three levels: of system means, within topics, over all summaries.

Matrices are summarizers × topics, NaN where a summary has no score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.options import Coefficient, Level
from pyramidion.statistics.clusters import ClusterSums
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.values import check_choice, check_matrices, snap_ties, system_means, t_p


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


def correlate_levels(
    x: Floats, z: Floats, *, level: Level, coefficient: Coefficient, clusters: Integers | None = None
) -> LevelCorrelation:
    """Correlate two matrices, summarizers × topics.

    system: each measure's mean over its topics, then one coefficient over the summarizers that have both means.
    topic: a coefficient within each topic over the summarizers that have both scores, then the mean of those defined;
    its p is that of a t test of the topics' coefficients against 0. global: one coefficient over all summaries that
    have both scores; it has no p because summaries of one summarizer or of one topic are not independent. With
    `clusters` (a number for each topic), p at topic level is that of the t test of clusters (`statistics.clusters`).
    """
    check_matrices(x, z)
    check_choice("level", level, Level)
    if level == "topic":
        by_topic = row_correlations(snap_ties(x).T, snap_ties(z).T, coefficient=coefficient)
        is_defined = ~np.isnan(by_topic)
        defined = by_topic[is_defined]
        codes = None if clusters is None else clusters[is_defined]
        return LevelCorrelation(
            value=float(defined.mean()) if len(defined) else np.nan,
            n=len(defined),
            undefined=len(by_topic) - len(defined),
            p=_p_of_mean(defined, codes),
        )
    if level == "system":
        first, second = system_means(x), system_means(z)
    else:
        first, second = snap_ties(x).ravel(), snap_ties(z).ravel()
    in_first, in_second = ~np.isnan(first), ~np.isnan(second)
    both = in_first & in_second
    value = float(row_correlations(first[None, both], second[None, both], coefficient=coefficient)[0])
    return LevelCorrelation(
        value=value,
        n=int(both.sum()),
        undefined=int((in_first | in_second).sum() - both.sum()),
        p=correlation_p(first[both], second[both], value, coefficient=coefficient) if level == "system" else np.nan,
    )


def topic_correlations(x: Floats, z: Floats, *, coefficient: Coefficient) -> tuple[Floats, Floats]:
    """The correlation within each topic, and its two-sided p (Louis & Nenkova 2009, micro level); NaN if undefined."""
    check_matrices(x, z)
    first, second = snap_ties(x).T, snap_ties(z).T
    values = row_correlations(first, second, coefficient=coefficient)
    p = np.full(len(values), np.nan)
    for topic in np.nonzero(~np.isnan(values))[0]:
        both = ~(np.isnan(first[topic]) | np.isnan(second[topic]))
        p[topic] = correlation_p(first[topic, both], second[topic, both], values[topic], coefficient=coefficient)
    return values, p


def _p_of_mean(values: Floats, clusters: Integers | None) -> float:
    """Two-sided p of the t test that topics' coefficients have the mean 0."""
    if len(values) < 2:
        return np.nan
    if clusters is not None:
        (error,), (freedom,) = ClusterSums.of(values[None], clusters).errors()
        return float(t_p(float(values.mean()) / error, freedom))
    spread = float(values.std(ddof=1))
    if spread == 0:
        return np.nan
    statistic = float(values.mean()) / (spread / np.sqrt(len(values)))
    return float(t_p(statistic, len(values) - 1))
