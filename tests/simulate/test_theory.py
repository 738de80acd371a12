"""The closed forms against textbook cases and against simulation by numpy and scipy alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.simulate import ScoreDesign
from pyramidion.simulate.theory import expected_correlations

spreads = st.floats(0.001, 10)
designs = st.builds(ScoreDesign, system_sd=spreads, topic_sd=spreads, interaction_sd=spreads, noise_sd=spreads)


def test_kendall_of_a_correlation_of_one_half_is_one_third() -> None:
    # 2/π·asin(1/2) = 2/π·π/6 (Greiner 1909).
    assert expected_correlations(0.5, 17).kendall == pytest.approx(1 / 3)


@pytest.mark.parametrize("n", [3, 10, 100])
def test_without_correlation_the_variance_of_kendall_is_that_of_the_null_hypothesis(n: int) -> None:
    # 2(2n + 5)/(9n(n − 1)): Kendall 1938.
    expected = expected_correlations(0.0, n)
    assert expected.kendall_sd**2 == pytest.approx(2 * (2 * n + 5) / (9 * n * (n - 1)))
    assert expected.pearson == expected.spearman == expected.kendall == 0


@pytest.mark.parametrize("n", [2, 3, 50])
def test_a_perfect_correlation_stays_perfect(n: int) -> None:
    expected = expected_correlations(1.0, n)
    assert (expected.pearson, expected.spearman, expected.kendall) == pytest.approx((1, 1, 1))
    assert expected.kendall_sd == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize(("r", "n"), [(0.3, 3), (0.9, 5), (-0.6, 8), (0.99, 30)])
def test_expected_coefficients_are_those_of_bivariate_normal_samples(r: float, n: int) -> None:
    samples = 800
    draws = np.random.default_rng(17).multivariate_normal([0, 0], [[1, r], [r, 1]], size=(samples, n))
    x, y = draws[..., 0], draws[..., 1]
    expected = expected_correlations(r, n)
    pearson = stats.pearsonr(x, y, axis=1).statistic
    spearman = stats.pearsonr(stats.rankdata(x, axis=1), stats.rankdata(y, axis=1), axis=1).statistic
    signs = (np.sign(one[:, :, None] - one[:, None, :]) for one in (x, y))
    kendall = np.multiply(*signs).sum(axis=(1, 2)) / (n * (n - 1))
    found = np.stack([pearson, spearman, kendall], axis=1)
    errors = found.std(axis=0) / math.sqrt(samples)
    assert found[:, 0].mean() == pytest.approx(expected.pearson, abs=4 * errors[0])
    assert found[:, 1].mean() == pytest.approx(expected.spearman, abs=4 * errors[1])
    assert found[:, 2].mean() == pytest.approx(expected.kendall, abs=4 * errors[2])
    taus = found[:, 2]
    # The standard error of a standard deviation, by the fourth moment.
    error = math.sqrt(max(((taus - taus.mean()) ** 4).mean() - taus.var() ** 2, 0) / samples) / (2 * taus.std())
    assert taus.std() == pytest.approx(expected.kendall_sd, abs=4 * error)


def test_too_few_systems_and_a_constant_truth_are_undefined() -> None:
    assert math.isnan(expected_correlations(0.5, 1).kendall)
    still = ScoreDesign(system_sd=0, topic_sd=1, interaction_sd=1, noise_sd=1)
    assert math.isnan(still.expected_correlations("score").pearson)
    assert still.expected_reliability() == 0
    assert math.isnan(ScoreDesign(system_sd=0, interaction_sd=0, noise_sd=0).expected_reliability())


@pytest.mark.parametrize("n", [99, 100, 198, 333, 5000])
def test_pearson_is_defined_however_many_systems_and_however_high_the_correlation(n: int) -> None:
    # Hotelling 1953, with m = n − 1: E r = ρ(1 − (1 − ρ²)(1/(2m) + (9ρ² − 1)/(8m²) + O(1/m³))).
    m = n - 1
    for r in (0.5, 0.9, 0.996, 0.99999):
        loss = r * (1 - r**2)
        expected = r - loss * (1 / (2 * m) + (9 * r**2 - 1) / (8 * m**2))
        assert expected_correlations(r, n).pearson == pytest.approx(expected, abs=4 * loss / m**3 + 1e-11)


@given(designs, st.integers(1, 1000))
def test_reliability_follows_spearman_and_brown(design: ScoreDesign, topics: int) -> None:
    # Lengthening a test b times turns ρ into bρ/(1 + (b − 1)ρ) (Spearman 1910, Brown 1910).
    one = design.expected_reliability(1)
    assert design.expected_reliability(topics) == pytest.approx(topics * one / (1 + (topics - 1) * one))


@given(designs, st.floats(0.01, 0.99))
def test_the_number_of_topics_for_a_reliability_is_the_least_that_has_it(design: ScoreDesign, wanted: float) -> None:
    topics = design.topics_for(wanted)
    assert topics is not None
    assert design.expected_reliability(topics) >= wanted * (1 - 1e-12)
    assert topics == 1 or design.expected_reliability(topics - 1) < wanted * (1 + 1e-12)
