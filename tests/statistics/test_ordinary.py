"""Defaults on ordinary data: lenient assessors, systems that lie far out, few systems, topics of the same systems."""

import pytest
from benchmarks.ordinary import correlation_coverage, pearson_coverage, regression_errors, topic_level_errors

from pyramidion.options import Coefficient

pytestmark = pytest.mark.slow


def test_lenient_assessors_make_up_no_relation_between_questions() -> None:
    with_effects, plain = regression_errors(150, (20, 4, 8), 0.5, nested=False, seed=1)
    assert with_effects <= 0.12  # 5 % is expected; the standard error of 150 campaigns is .018
    assert plain > 0.3


@pytest.mark.parametrize(("coefficient", "n"), [("spearman", 12), ("kendall", 8), ("pearson", 6)])
def test_p_and_interval_of_a_correlation_never_disagree(coefficient: Coefficient, n: int) -> None:
    fisher_covers, covers, fisher_disagrees, disagrees = correlation_coverage(300, coefficient, n, 0.5, seed=1)
    assert disagrees == 0
    if coefficient != "pearson":  # Fisher's interval and t differ little: in less than 1 % of samples
        assert fisher_disagrees > 0.02
    assert covers >= 0.9
    assert fisher_covers >= 0.9


def test_an_interval_of_pearsons_correlation_with_heavy_tails_covers_more_than_fishers() -> None:
    fisher, default = pearson_coverage(150, "heavy tails (t, 3 degrees of freedom)", 25, 0.6, seed=1)
    assert default > fisher + 0.05
    assert default >= 0.8  # 88 to 90 % in 300 samples; the standard error of 150 is .026


def test_measures_that_are_unrelated_over_systems_do_not_correlate_within_topics() -> None:
    both, disagreeing = topic_level_errors(60, 8, 20, "both", seed=1)
    topics, _ = topic_level_errors(60, 8, 20, "topics", seed=1)
    assert disagreeing == 0
    assert both <= 0.15  # 3 % in 300 campaigns; the standard error of 60 is .028 at 5 %
    assert topics > 0.2
