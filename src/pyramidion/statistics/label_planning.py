"""How wide the limits of a difference will be if people answer a share: from a pilot's residuals, by the design.

With u the sum of w·(y − m) over what is drawn together (a topic, or an SCU in all systems), S² the variance of u within
a stratum, and n of N drawn in it, the variance of a mean is Σ_strata N²·(1/n − 1/N)·S² (Cochran, Sampling Techniques,
1977, equation 5.6). For a population of topics, the variance between topics over T is added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.predictions import (
    Estimate,
    Population,
    Units,
    covariance_of,
    estimate_means,
    fit_slopes,
    pair_variances,
)

FEWEST_PILOT_TOPICS = 5
"""A pilot of fewer topics says too little about variances."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """What a pilot says about what is drawn together, stratum by stratum; matrices are systems × systems."""

    sizes: Integers
    """Of each stratum, how much there is to draw: topics, or SCUs of a topic."""
    covariances: Floats
    """Strata × systems × systems: of the sums of residuals."""
    raw_moments: Floats
    """The same without subtracting the mean, which is what a stratum with a single drawn cluster is charged."""
    between: Floats
    """Covariance of means by the choice of topics: what a population of topics adds, for as many topics."""
    contributions: Floats
    """Whole topics: what each topic of the pilot adds to the mean variance of a difference; else none."""
    is_topics: bool
    """Whether whole topics are drawn."""

    @property
    def pilot_topics(self) -> int:
        """Number of topics of the pilot that it rests on."""
        return len(self.contributions) if self.is_topics else len(self.sizes)


@dataclass(frozen=True, kw_only=True)
class Precision:
    """What a share of answers gives, for the difference of two systems."""

    clusters: float
    """Number of clusters drawn."""
    variance: float
    """Mean over pairs."""
    least_variance: float
    largest_variance: float
    freedom: float
    relative_error: float
    """Standard error of the variance over the variance, from how much topics of the pilot differ."""


def pilot_spread(units: Units, *, draws_topics: bool, topics: int) -> Spread:
    """What the answers of a pilot say about the residuals of what would be drawn.

    Args:
        units: the pilot: what was judged, with predictors.
        draws_topics: whether whole topics would be drawn; else the clusters of the pilot within each topic.
        topics: number of topics of the campaign that is planned.
    """
    estimate = estimate_means(units, fit_slopes(units))
    size = units.system_count
    clusters = units.topics if draws_topics else units.clusters
    sums, is_judged = _residual_sums(units, estimate, clusters, size)
    strata = np.zeros(len(sums), dtype=np.int64)
    if not draws_topics:
        strata[clusters] = units.topics
    pilot_topics = len(np.unique(units.topics))
    # Weights of means are over the pilot's topics: with other topics, a cluster weighs otherwise.
    sums = sums * (pilot_topics / topics)
    spreads: list[Floats] = []
    moments: list[Floats] = []
    sizes: list[int] = []
    for stratum in np.unique(strata[is_judged]):
        is_here = strata == stratum
        drawn = sums[is_here & is_judged]
        if len(drawn) < 2:
            continue
        apart = drawn - drawn.mean(axis=0)
        spreads.append(apart.T @ apart / (len(drawn) - 1))
        moments.append(drawn.T @ drawn / len(drawn))
        sizes.append(topics if draws_topics else int(is_here.sum()))
    covariances = np.array(spreads).reshape(len(spreads), size, size)
    return Spread(
        sizes=np.array(sizes, dtype=np.int64),
        covariances=covariances,
        raw_moments=np.array(moments).reshape(len(moments), size, size),
        between=_between(units, estimate) * pilot_topics / topics,
        contributions=_contributions(sums[is_judged]) if draws_topics else np.zeros(0),
        is_topics=draws_topics,
    )


def expected_precision(spread: Spread, share: float, *, topics: int, population: Population = "these") -> Precision:
    """The variance of a difference between two systems, and its degrees of freedom, if this share is drawn.

    Args:
        spread: what the pilot says.
        share: of the clusters, up to 1; of topics as many as are next to it.
        topics: number of topics of the campaign that is planned.
        population: these topics, or topics of which these are a sample.
    """
    if spread.is_topics:
        count = max(round(share * topics), 1)
        covariance = topics**2 * (1 / count - 1 / topics) * spread.covariances[0]
        clusters, freedom = float(count), float(count - 1)
        contributions = spread.contributions
    else:
        parts, clusters, freedom = _drawn_within_topics(spread, share, topics, charges_singles=population == "these")
        covariance = parts.sum(axis=0)
        contributions = _pooled(parts)
    if population == "topics":
        covariance = covariance + spread.between
        freedom = freedom if spread.is_topics else float(topics - 1)
    variances = pair_variances(covariance)[np.triu_indices(len(covariance), k=1)]
    return Precision(
        clusters=clusters,
        variance=float(variances.mean()),
        least_variance=float(variances.min()),
        largest_variance=float(variances.max()),
        freedom=freedom,
        relative_error=_relative_error(contributions),
    )


def _drawn_within_topics(
    spread: Spread, share: float, topics: int, *, charges_singles: bool
) -> tuple[Floats, float, float]:
    """What each topic of the pilot stands for in the covariance, if a share of its clusters is drawn.

    A share of 2.3 clusters is two in seven of ten topics and three in the others, as `allocate` draws.

    Args:
        spread: what the pilot says.
        share: of the clusters.
        topics: number of topics of the campaign that is planned.
        charges_singles: whether a topic with one drawn cluster has its size for its spread, which is more.

    Returns:
        Topics × systems × systems; the number of clusters; the degrees of freedom.
    """
    sizes = spread.sizes.astype(np.float64)
    low = np.clip(np.floor(share * sizes + 1e-9), 1, sizes)
    high = np.minimum(low + 1, sizes)
    chance_of_high = np.clip(share * sizes - low, 0.0, 1.0)
    scale = topics / len(sizes)
    parts = np.zeros(spread.covariances.shape)
    clusters = freedom = 0.0
    for counts, chances in ((low, 1 - chance_of_high), (high, chance_of_high)):
        is_single: Bools = (counts == 1) & (sizes > 1)
        is_charged: Bools = is_single & charges_singles
        factors = np.where(is_charged, 0.0, sizes**2 * (1 / counts - 1 / sizes)) * chances
        singles = np.where(is_charged, sizes**2, 0.0) * chances
        parts += factors[:, None, None] * spread.covariances + singles[:, None, None] * spread.raw_moments
        clusters += float((counts * chances).sum())
        freedom += float((np.maximum(counts - 1, is_single) * chances).sum())
    return scale * parts, scale * clusters, scale * freedom


def _residual_sums(units: Units, estimate: Estimate, clusters: Integers, size: int) -> tuple[Floats, Bools]:
    """Clusters × systems: sums of w·(y − m); and which clusters are judged as a whole."""
    is_judged = units.is_judged
    residuals = np.where(is_judged, units.weights * (units.answers - estimate.predicted), 0.0)
    count = int(clusters.max(initial=-1)) + 1
    sums = np.bincount(clusters * size + units.systems, weights=residuals, minlength=count * size)
    judged = np.bincount(clusters, weights=is_judged.astype(np.float64), minlength=count)
    members = np.bincount(clusters, minlength=count)
    is_whole: Bools = (members > 0) & (judged == members)
    return np.asarray(sums, dtype=np.float64).reshape(count, size), is_whole


def _between(units: Units, estimate: Estimate) -> Floats:
    """Covariance of means by the choice of topics alone."""
    topics, _, _ = covariance_of(units, estimate, population="topics")
    drawing, _, _ = covariance_of(units, estimate, population="these")
    return topics - drawing


def _pooled(covariances: Floats) -> Floats:
    """Of each matrix, the mean variance of a difference of two systems."""
    size = covariances.shape[-1]
    traces = np.trace(covariances, axis1=-2, axis2=-1)
    sums = covariances.sum(axis=(-2, -1))
    return np.asarray(2 * (traces - sums / size) / max(size - 1, 1))


def _contributions(sums: Floats) -> Floats:
    """What each topic adds to the pooled variance of a difference."""
    apart = sums - sums.mean(axis=0)
    return np.asarray(_pooled(apart[:, :, None] * apart[:, None, :]))


def _relative_error(parts: Floats) -> float:
    """Standard error of a mean over the mean."""
    count = len(parts)
    if count < 2 or not parts.mean() > 0:
        return math.nan
    return float(parts.std(ddof=1) / math.sqrt(count) / parts.mean())
