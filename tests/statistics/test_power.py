"""Power of the paired t test, against statsmodels and by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from other_packages import power as others
from pyramidion.errors import UsageError
from pyramidion.statistics.power import (
    detectable_difference,
    equivalence_power,
    paired_power,
    topics_for_equivalence,
    topics_needed,
    variance_limits,
)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("topics", [2, 3, 5, 11, 20, 50, 100])
@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_power_is_that_of_statsmodels(effect: float, topics: int, alpha: float) -> None:
    theirs = others.TTestPower().power(effect, topics, alpha)
    assert paired_power(difference=3 * effect, sd=3, topics=topics, alpha=alpha) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("effect", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_needed_topics_are_those_of_statsmodels_rounded_up(effect: float, power: float) -> None:
    theirs = others.TTestPower().solve_power(effect_size=effect, alpha=0.05, power=power)
    assert topics_needed(difference=effect, sd=1, power=power) == math.ceil(theirs)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("topics", [5, 20, 100])
def test_by_statsmodels_the_detectable_difference_has_the_power_asked_for(topics: int) -> None:
    found = detectable_difference(topics=topics, sd=0.2, power=0.8)
    assert others.TTestPower().power(found / 0.2, topics, 0.05) == pytest.approx(0.8, abs=1e-9)


def test_simulated_t_tests_find_the_difference_as_often_as_said() -> None:
    needed = topics_needed(difference=0.02, sd=0.04)
    assert needed is not None
    samples = np.random.default_rng(0).normal(0.02, 0.04, size=(4000, needed))
    found = np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05)
    said = paired_power(difference=0.02, sd=0.04, topics=needed)
    assert 0.8 <= said < 0.83
    assert abs(found - said) < 4 * (0.8 * 0.2 / 4000) ** 0.5


@given(st.floats(0.02, 3), st.floats(0.1, 0.99), st.floats(0.0001, 0.09))
def test_the_needed_number_is_the_least_that_suffices(effect: float, power: float, alpha: float) -> None:
    needed = topics_needed(difference=effect, sd=1, power=power, alpha=alpha)
    assert needed is not None
    assert paired_power(difference=effect, sd=1, topics=needed, alpha=alpha) >= power
    if needed > 2:
        assert paired_power(difference=effect, sd=1, topics=needed - 1, alpha=alpha) < power


@given(st.integers(2, 500), st.floats(0.15, 0.99))
def test_the_detectable_difference_has_the_power_asked_for(topics: int, power: float) -> None:
    difference = detectable_difference(topics=topics, sd=1, power=power)
    assert paired_power(difference=difference, sd=1, topics=topics) == pytest.approx(power, abs=1e-8)


def test_extreme_differences_have_an_answer() -> None:
    assert topics_needed(difference=1e9, sd=1) == 2
    assert topics_needed(difference=1e-9, sd=1) is None
    # t with one degree of freedom and a huge shift: |t| > c exactly when the spread is small enough
    critical = stats.t.ppf(1 - 1e-8 / 2, 1)
    assert paired_power(difference=1e6, sd=math.sqrt(2), topics=2, alpha=1e-8) == pytest.approx(
        stats.chi2.cdf((1e6 / critical) ** 2, 1)
    )


def test_the_interval_of_a_variance_covers_it_as_often_as_it_says() -> None:
    samples = np.random.default_rng(1).normal(0, 2, size=(2000, 8)).var(axis=1, ddof=1)
    limits = [variance_limits(float(sample), 7, confidence=90) for sample in samples]
    covered = np.mean([low <= 4 <= high for low, high in limits])
    assert abs(covered - 0.9) < 4 * (0.9 * 0.1 / 2000) ** 0.5


@pytest.mark.parametrize(
    "wrong", [{"sd": 0}, {"sd": -1}, {"sd": math.nan}, {"alpha": 0}, {"alpha": 1}, {"topics": 1}, {"topics": 0}]
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    options = {"difference": 0.1, "sd": 1, "topics": 10, "alpha": 0.05} | wrong
    with pytest.raises(UsageError):
        paired_power(**options)  # type: ignore[arg-type]  # whichever it is
    with pytest.raises(UsageError):
        topics_needed(difference=0, sd=1)
    with pytest.raises(UsageError):
        topics_needed(difference=1, sd=1, power=1)
    with pytest.raises(UsageError, match="by chance"):
        detectable_difference(topics=5, sd=1, power=0.01)


@pytest.mark.parametrize(("margin", "topics"), [(0.5, 20), (0.5, 40), (0.3, 100)])
def test_the_power_of_equivalence_is_that_of_simulated_intervals(margin: float, topics: int) -> None:
    generator = np.random.default_rng(topics)
    samples = generator.normal(size=(20_000, topics))
    half = stats.t.ppf(0.975, topics - 1) * samples.std(axis=1, ddof=1) / np.sqrt(topics)
    means = samples.mean(axis=1)
    within = ((means - half > -margin) & (means + half < margin)).mean()
    found = equivalence_power(margin=margin, sd=1.0, topics=topics)
    assert found == pytest.approx(within, abs=4 * (0.25 / 20_000) ** 0.5)


def test_the_fewest_topics_for_equivalence_are_the_fewest() -> None:
    needed = topics_for_equivalence(difference=0.4, sd=1.0, power=0.8)
    assert needed is not None
    assert equivalence_power(margin=0.4, sd=1.0, topics=needed) >= 0.8
    assert equivalence_power(margin=0.4, sd=1.0, topics=needed - 1) < 0.8
