"""How often the intervals of extrapolated correlations hold the truth, in simulated evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion.statistics.correlation.attenuation import (
    attenuation,
    correlation_by_components,
    jackknife_variance,
    jackknifed_components,
    resampled_correlations,
)
from pyramidion.statistics.values import mean_of_defined

Floats = NDArray[np.float64]
EVALUATIONS = 200
DRAWS = 100
BOOTSTRAPS = 200


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """What came out for one design."""

    study: str
    summarizers: int
    topics: int
    models: int | None = None
    rho: float
    at: Floats
    truth: Floats
    estimate: Floats
    coverage: Floats


def topics_coverage(seed: int = 0) -> Iterator[Coverage]:
    """Quality of variance 1 and correlation ρ, with noise of its own on every topic for both measures."""
    random = np.random.default_rng(seed)
    for summarizers, topics, rho, noise_x, noise_z in (
        (58, 48, 0.9, 3.0, 3.0),
        (58, 48, 0.97, 3.0, 3.0),
        (25, 50, 0.95, 4.0, 4.0),
        (16, 50, 0.5, 2.0, 3.0),
        (20, 12, 0.9, 1.5, 2.0),
        (10, 10, 0.8, 1.0, 1.0),
    ):
        at = np.array([2.0 * topics, np.inf])
        truth = rho / np.sqrt((1 + noise_x**2 / at) * (1 + noise_z**2 / at))
        covered, estimates = np.zeros(2), []
        for _ in range(EVALUATIONS):
            quality = random.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=summarizers)
            x = quality[:, :1] + noise_x * random.normal(size=(summarizers, topics))
            z = quality[:, 1:] + noise_z * random.normal(size=(summarizers, topics))
            (value,) = correlation_by_components(x, z, at)
            error = np.sqrt(sum(map(jackknife_variance, jackknifed_components(x, z, at))))
            covered += (value - 1.96 * error <= truth) & (truth <= value + 1.96 * error)
            estimates.append(np.clip(value, -1, 1))
        yield Coverage(
            study="topics",
            summarizers=summarizers,
            topics=topics,
            rho=rho,
            at=at,
            truth=truth,
            estimate=np.nanmean(estimates, axis=0),
            coverage=covered / EVALUATIONS,
        )


def models_coverage(seed: int = 0) -> Iterator[Coverage]:
    """As above, with noise of every model on every topic for the measure; topics stay as they are."""
    random = np.random.default_rng(seed)
    for summarizers, topics, models, rho, noise_topic, noise_model, noise_z in (
        (58, 48, 4, 0.9, 2.0, 2.0, 2.0),
        (16, 50, 11, 0.5, 2.0, 2.0, 2.0),
        (20, 12, 4, 0.9, 1.0, 2.0, 1.0),
    ):
        at = np.array([2.0 * models, np.inf])
        sizes = np.arange(1.0, models + 1)
        truth = rho / np.sqrt(
            (1 + noise_topic**2 / topics + noise_model**2 / (topics * at)) * (1 + noise_z**2 / topics)
        )
        covered, estimates = np.zeros(2), []
        for _ in range(EVALUATIONS):
            quality = random.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=summarizers)
            x = quality[:, 0, None, None] + noise_topic * random.normal(size=(summarizers, topics, 1))
            x = x + noise_model * random.normal(size=(summarizers, topics, models))
            z = (quality[:, 1:] + noise_z * random.normal(size=(summarizers, topics))).mean(axis=1)
            means = [_drawn(x, size, random) for size in range(1, models)] + [x.mean(axis=(1, 2))[None]]
            once = np.ones((1, summarizers))
            weights = random.multinomial(summarizers, np.full(summarizers, 1 / summarizers), size=BOOTSTRAPS)
            value = attenuation(sizes, _curves(means, z, once), at)[0]
            sample = attenuation(sizes, _curves(means, z, weights.astype(np.float64)), at)
            lower, upper = np.nanpercentile(sample, [2.5, 97.5], axis=0)
            covered += (lower <= truth) & (truth <= upper)
            estimates.append(value)
        yield Coverage(
            study="models",
            summarizers=summarizers,
            topics=topics,
            models=models,
            rho=rho,
            at=at,
            truth=truth,
            estimate=np.nanmean(estimates, axis=0),
            coverage=covered / EVALUATIONS,
        )


def _drawn(x: Floats, size: int, random: np.random.Generator) -> Floats:
    """Means with `size` drawn models a topic: draws × summarizers."""
    _, topics, models = x.shape
    rows = []
    for _ in range(DRAWS):
        chosen = random.random((topics, models)).argsort(axis=1)[:, :size]
        rows.append(np.take_along_axis(x, chosen[None], axis=2).mean(axis=(1, 2)))
    return np.array(rows)


def _curves(means: list[Floats], z: Floats, weights: Floats) -> Floats:
    """Weights × sizes: mean correlations over the draws of each size."""
    return np.stack([mean_of_defined(resampled_correlations(one, z, weights).T) for one in means], axis=1)
