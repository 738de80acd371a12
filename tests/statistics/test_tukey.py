"""Tukey's test in the two-way analysis, against golden values, statsmodels and printed tables."""

import numpy as np
import pytest

from other_packages import studentized
from pyramidion.statistics.letters import tukey_test
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.variance import two_way_anova
from studies.meta_golden import CASES, expected, matrix


def test_the_quantile_for_duc_2006_is_the_one_given() -> None:
    # 35 systems, 50 topics: q(.95; 35, 34·49) = 5.4175
    assert studentized_range(95, 35, 34 * 49) == pytest.approx(5.4175, abs=5e-5)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("groups", [2, 3, 13, 35])
@pytest.mark.parametrize("freedom", [5, 40, 1666, np.inf])
@pytest.mark.parametrize("confidence", [90, 95, 99])
def test_quantiles_are_those_of_statsmodels(groups: int, freedom: float, confidence: float) -> None:
    theirs = studentized.qsturng(confidence / 100, groups, freedom)  # an approximation of its own
    assert studentized_range(confidence, groups, freedom) == pytest.approx(theirs, rel=2e-3)


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_golden_critical_differences_and_pairs(name: str, measure: str) -> None:
    golden = expected(name, measure)
    anova = two_way_anova(matrix(name, measure)[1])
    assert anova is not None
    test = tukey_test(anova, confidence=95)
    assert test is not None
    assert test.q == pytest.approx(golden["q_95"], abs=1e-4)
    assert test.critical_difference == pytest.approx(golden["critical_difference"], rel=1e-5)
    assert test.pairs == golden["n_significant_pairs"]


def test_with_missing_cells_the_critical_difference_is_the_pair_s_own() -> None:
    values = np.random.default_rng(2).normal(size=(4, 10)) + np.arange(4)[:, None]
    values[0, :5] = np.nan
    anova = two_way_anova(values)
    assert anova is not None
    test = tukey_test(anova, confidence=95)
    assert test is not None
    assert np.isnan(test.critical_difference)
    # Rows 1 to 3 have all ten topics: for them it is that of complete data, and row 0 is known less well.
    assert test.least_difference == pytest.approx(test.q * np.sqrt(anova.mean_square / 10))
    assert test.largest_difference > test.least_difference


def test_two_rows_differ_exactly_when_the_paired_t_test_says_so() -> None:
    from scipy import stats

    verdicts = set()
    for seed in range(60):
        values = np.random.default_rng(seed).normal(size=(2, 8)) + np.array([[0.0], [1.0]])
        anova = two_way_anova(values)
        assert anova is not None
        test = tukey_test(anova, confidence=95)
        assert test is not None
        p = stats.ttest_rel(values[0], values[1]).pvalue  # of two means, the studentised range is |t|·√2
        assert test.differs[0, 1] == (p <= 0.05)
        verdicts.add(bool(test.differs[0, 1]))
    assert verdicts == {True, False}


def test_where_nothing_is_left_over_any_difference_counts_and_no_difference_does_not() -> None:
    values = np.add.outer([0.1, 0.3, 0.3], [0.2, 0.5, 0.9])
    anova = two_way_anova(values)
    assert anova is not None
    test = tukey_test(anova, confidence=95)
    assert test is not None
    assert test.differs.tolist() == [[False, True, True], [True, False, False], [True, False, False]]


def test_pieces_that_share_nothing_are_not_compared() -> None:
    values = np.full((4, 6), np.nan)
    values[:2, :3] = np.random.default_rng(0).normal(size=(2, 3))
    values[2:, 3:] = np.random.default_rng(1).normal(size=(2, 3))
    anova = two_way_anova(values)
    assert anova is not None
    assert tukey_test(anova, confidence=95) is None
