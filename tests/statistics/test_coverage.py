"""Intervals cover the truth and tests err as often as they say, on simulated campaigns with known truth."""

import pytest
from benchmarks.coverage import coverage, errors, pair_coverage, simulate

RUNS = 1500
"""The share of a 95 % interval then has a standard error of .0056: the bounds below are 3.5 of them away."""


@pytest.mark.slow
@pytest.mark.parametrize("topics", [20, 50])
def test_t_intervals_of_means_and_differences_cover_the_truth(topics: int) -> None:
    campaigns = simulate(RUNS, topics)
    assert 0.93 <= coverage(campaigns, "t").these <= 0.97
    assert 0.93 <= pair_coverage(campaigns) <= 0.97


@pytest.mark.slow
def test_intervals_with_the_own_variance_cover_the_truth_on_all_topics() -> None:
    found = coverage(simulate(RUNS, 20), "own")
    assert 0.93 <= found.all <= 0.97


@pytest.mark.slow
def test_among_equal_systems_tests_find_a_difference_in_at_most_6_of_100_campaigns() -> None:
    found = errors(simulate(4000, 20, system_sd=0.0, seed=1))
    assert found.tukey <= 0.06
    assert found.kramer <= 0.06
    assert found.nemenyi <= 0.06
    assert 0.04 <= found.f <= 0.06
    assert 0.04 <= found.permutation <= 0.06
