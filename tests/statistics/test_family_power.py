"""Power among all pairs: against the noncentral t, and against whole campaigns that are drawn and tested."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from pyramidion.statistics.design import design_power, judged_design
from pyramidion.statistics.family_power import (
    simulate_family_power,
    simulate_judged_power,
)
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.variance import own_variance_tests, two_way_anova

NEAR = 4 * math.sqrt(0.25 / 1000)
"""Four standard errors of a share of 1,000 simulations."""


@pytest.mark.parametrize("topics", [4, 12, 40])
def test_with_equal_variances_tukeys_power_is_that_of_the_noncentral_t(topics: int) -> None:
    """With one variance for all, the power of a pair is P(|t| ≥ q/√2) for noncentral t with (S − 1)(n − 1) degrees of
    freedom; on average over 15 pairs it is known more precisely than for one."""
    systems, difference = 6, 1.2
    covariance = np.eye(systems) + 0.7
    simulated = simulate_family_power(
        covariance, difference=difference, topics=topics, confidence=95, test="tukey", seed=0
    )
    freedom = (systems - 1) * (topics - 1)
    critical = studentized_range(95, systems, freedom) / math.sqrt(2)
    expected = float(design_power(difference, 2 / topics, freedom, alpha=0.05, critical=critical))
    assert simulated.mean == pytest.approx(expected, abs=NEAR / 2)


def test_two_systems_have_the_power_of_a_paired_t_test() -> None:
    covariance = np.array([[1.0, 0.3], [0.3, 2.0]])
    simulated = simulate_family_power(covariance, difference=0.9, topics=15, confidence=95, test="paired", seed=2)
    expected = float(design_power(0.9, (3.0 - 0.6) / 15, 14, alpha=0.05))
    assert simulated.pairs[0] == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize("test", ["tukey", "paired"])
def test_campaigns_that_are_drawn_topic_by_topic_are_tested_alike(test: str) -> None:
    """400 whole campaigns of four systems with unequal variances, tested as `compare` tests them."""
    generator = np.random.default_rng(3)
    deviations = np.array([0.5, 1.0, 1.0, 2.0])
    topics, difference, runs = 10, 1.5, 400
    pairs = list(combinations(range(4), 2))
    simulated = simulate_family_power(
        np.diag(deviations**2),
        difference=difference,
        topics=topics,
        confidence=95,
        test="tukey" if test == "tukey" else "paired",
        seed=0,
    )
    for place in (0, 5):
        a, b = pairs[place]
        shift = np.zeros(4)
        shift[[a, b]] = difference / 2, -difference / 2
        count = 0
        for _ in range(runs):
            values = shift[:, None] + deviations[:, None] * generator.standard_normal((4, topics))
            if test == "tukey":
                fit = two_way_anova(values)
                assert fit is not None
                critical = studentized_range(95, 4, fit.degrees_of_freedom) * math.sqrt(fit.mean_square / topics)
                count += abs(values[a].mean() - values[b].mean()) >= critical
            else:
                count += bool(own_variance_tests(values, confidence=95).differs[a, b])
        assert simulated.pairs[place] == pytest.approx(count / runs, abs=4 * math.sqrt(0.25 / runs + 0.25 / 1000))


@pytest.mark.parametrize("judgments", [1, 4])
def test_with_random_assessors_the_power_is_near_the_formula(judgments: int) -> None:
    """Noncentral t with Satterthwaite's degrees of freedom at the true variances, which ignores that variances are
    estimated as 0 now and then: within .05 of the simulation, where all of them are well above 0."""
    variance, freedom = judged_design(systems=5, topics=40, assessors=4, judgments=judgments, sa=0.05, st=0.2, e=0.3)
    critical = studentized_range(95, 5, float(freedom)) / math.sqrt(2)
    expected = float(design_power(0.7, variance, freedom, alpha=0.05, critical=critical))
    simulated = simulate_judged_power(
        systems=5,
        topics=40,
        assessors=4,
        judgments=judgments,
        sa=0.05,
        st=0.2,
        e=0.3,
        difference=0.7,
        confidence=95,
        seed=0,
    )
    assert simulated == pytest.approx(expected, abs=0.05 + NEAR)
