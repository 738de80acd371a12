"""Power among all pairs: how often the tests that a leaderboard prints find a difference, by simulation of a model.

Two systems differ by δ, and all others lie in the middle between them. For one pair planned beforehand the power is
that of a t test (`statistics.power`, `statistics.design`); where all pairs are tested, it is lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.studentized import studentized_range

FamilyTest = Literal["tukey", "paired"]
SAMPLES = 1000
"""Campaigns that are simulated; fewer where all pairs of many systems are corrected by Holm's method."""
CELLS = 4_000_000
"""Samples × pairs × pairs that Holm's correction orders at most."""
FEWEST_SAMPLES = 100
GRID = 8
"""Degrees of freedom at which Tukey's quantile is computed; it is interpolated between them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FamilyPower:
    """The power of each pair of systems, in the order of `itertools.combinations`."""

    pairs: Floats
    samples: int

    @property
    def mean(self) -> float:
        """On average over pairs."""
        return float(self.pairs.mean())


def simulate_family_power(
    covariance: Floats, *, difference: float, topics: int, confidence: float, test: FamilyTest, seed: int
) -> FamilyPower:
    """The power of each pair among all pairs, if scores are normal with this covariance between systems.

    Means over n topics and the covariance that is estimated from them are drawn from their distributions, normal and
    Wishart, and tested as a leaderboard does: by Tukey's test with the residual mean square of all systems, or by
    paired t tests with Holm's correction.

    Args:
        covariance: of the systems over topics.
        difference: between the two systems of a pair.
        topics: how many there are, 2 or more.
        confidence: of all tests together, in percent.
        test: which one.
        seed: of the draws.
    """
    systems = len(covariance)
    pairs = np.array(list(combinations(range(systems), 2)))
    samples = SAMPLES
    if test == "paired":
        samples = int(np.clip(CELLS // len(pairs) ** 2, FEWEST_SAMPLES, SAMPLES))
    generator = np.random.default_rng(seed)
    root = _root_of(covariance)
    means = generator.standard_normal((samples, systems)) @ root.T / np.sqrt(topics)
    estimated = _draw_covariances(root, topics - 1, samples, generator)
    noise = means[:, pairs[:, 0]] - means[:, pairs[:, 1]]
    if test == "tukey":
        trace = np.trace(estimated, axis1=1, axis2=2)
        mean_square = (trace - estimated.sum(axis=(1, 2)) / systems) / (systems - 1)
        critical = studentized_range(confidence, systems, (systems - 1) * (topics - 1)) * np.sqrt(mean_square / topics)
        return FamilyPower(pairs=(np.abs(noise + difference) >= critical[:, None]).mean(axis=0), samples=samples)
    variances = np.diagonal(estimated, axis1=1, axis2=2)
    shared = estimated[:, pairs[:, 0], pairs[:, 1]]
    errors = np.sqrt((variances[:, pairs[:, 0]] + variances[:, pairs[:, 1]] - 2 * shared) / topics)
    powers = np.empty(len(pairs))
    for place, (a, b) in enumerate(pairs):
        shift = np.zeros(systems)
        shift[a], shift[b] = difference / 2, -difference / 2
        t = np.abs(noise + shift[pairs[:, 0]] - shift[pairs[:, 1]]) / errors
        powers[place] = _rejected_by_holm(t, topics - 1, confidence)[:, place].mean()
    return FamilyPower(pairs=powers, samples=samples)


def _root_of(covariance: Floats) -> Floats:
    """A matrix whose product with its transpose is the covariance; eigenvalues below 0, of missing scores, become 0."""
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def _draw_covariances(root: Floats, freedom: int, samples: int, generator: np.random.Generator) -> Floats:
    """Estimates of the covariance with these degrees of freedom: Wishart, by Bartlett's decomposition if it has one."""
    systems = len(root)
    if freedom < systems:
        drawn = generator.standard_normal((samples, systems, freedom))
    else:
        drawn = np.tril(generator.standard_normal((samples, systems, systems)), -1)
        places = np.arange(systems)
        drawn[:, places, places] = np.sqrt(generator.chisquare(freedom - places, (samples, systems)))
    factors = root @ drawn
    return np.asarray(factors @ factors.transpose(0, 2, 1) / freedom)


def _rejected_by_holm(t: Floats, freedom: int, confidence: float) -> Bools:
    """Samples × pairs: which two-sided t tests Holm's correction rejects."""
    from scipy import special

    tests = t.shape[1]
    alpha = 1 - confidence / 100
    critical = special.stdtrit(freedom, 1 - alpha / 2 / np.arange(tests, 0, -1))
    order = np.argsort(-t, axis=1)
    is_passed = np.logical_and.accumulate(np.take_along_axis(t, order, axis=1) >= critical, axis=1)
    rejected = np.empty_like(is_passed)
    np.put_along_axis(rejected, order, is_passed, axis=1)
    return rejected


def simulate_judged_power(
    *,
    systems: int,
    topics: int,
    assessors: int,
    judgments: int,
    sa: float,
    st: float,
    e: float,
    difference: float,
    confidence: float,
    seed: int,
) -> float:
    """The power of a pair in Tukey's test of all pairs, with assessors as a random sample.

    Mean squares of a balanced design are drawn from their χ² distributions, variances estimated from them, none below
    0, and tested with Satterthwaite's degrees of freedom. The arguments are those of `statistics.design.judged_design`.
    """
    generator = np.random.default_rng(seed)
    pairs = systems - 1
    if judgments == 1:
        freedom, rest = pairs * (assessors - 1), max(pairs * (topics - assessors), 1)
        of_error = 2 * (st + e) / topics
        by_assessor = (of_error + 2 * sa / assessors) * generator.chisquare(freedom, SAMPLES) / freedom
        within = of_error * generator.chisquare(rest, SAMPLES) / rest
        is_zero = by_assessor < within
        pooled = (by_assessor * freedom + within * rest) / (freedom + rest)
        variance = np.where(is_zero, pooled, by_assessor)
        degrees = np.where(is_zero, freedom + rest, freedom)
        actual = of_error + 2 * sa / assessors
    else:
        rest = max(topics * judgments - topics - assessors + 1, 1)
        of_error = 2 * e / (topics * judgments)
        counts = (assessors - 1, topics - 1, rest)
        expected = (of_error + 2 * sa / assessors, of_error + 2 * st / topics, of_error)
        squares = [
            value * generator.chisquare(pairs * count, SAMPLES) / (pairs * count)
            for value, count in zip(expected, counts, strict=True)
        ]
        by_assessor, by_topic, error = squares
        has_assessors, has_topics = by_assessor > error, by_topic > error
        by_assessor, by_topic = np.maximum(by_assessor, error), np.maximum(by_topic, error)
        variance = by_assessor + by_topic - error
        spread = has_assessors * by_assessor**2 / counts[0] + has_topics * by_topic**2 / counts[1]
        spread = spread + np.where(has_assessors == has_topics, error**2 / rest, 0.0)
        degrees = pairs * variance**2 / spread
        actual = expected[0] + expected[1] - of_error
    differences = difference + np.sqrt(actual) * generator.standard_normal(SAMPLES)
    critical = _tukey_quantiles(confidence, systems, degrees) * np.sqrt(variance / 2)
    return float((np.abs(differences) >= critical).mean())


def _tukey_quantiles(confidence: float, groups: int, degrees: Any) -> Floats:
    """Quantiles of the studentized range at many degrees of freedom, interpolated over their reciprocals."""
    reciprocals = 1 / np.asarray(degrees, dtype=np.float64)
    grid = np.unique(reciprocals)
    if len(grid) > GRID:
        grid = np.linspace(grid[0], grid[-1], GRID)
    quantiles = [studentized_range(confidence, groups, 1 / point) for point in grid]
    return np.asarray(np.interp(reciprocals, grid, quantiles))
