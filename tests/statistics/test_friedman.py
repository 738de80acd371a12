"""Friedman's test and Nemenyi's comparison, against scipy, scikit-posthocs and golden values."""

import numpy as np
import pytest
from scipy import stats

from other_packages import scikit_posthocs
from pyramidion.statistics.friedman import friedman_test
from studies.meta_golden import CASES, expected, matrix


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_golden_tests(name: str, measure: str) -> None:
    summarizers, values = matrix(name, measure)
    golden = expected(name, measure)
    test = friedman_test(values, confidence=95)
    assert test is not None
    assert test.chi2 == pytest.approx(golden["friedman"]["chi2"], abs=1e-4)
    assert test.degrees_of_freedom == golden["friedman"]["df"]
    assert test.p == pytest.approx(golden["friedman"]["p"], rel=1e-3)
    assert test.nemenyi_difference == pytest.approx(golden["nemenyi"]["critical_difference"], abs=1e-4)
    assert test.pairs == golden["nemenyi"]["n_significant_pairs"]
    assert test.columns == values.shape[1]
    ranks = dict(zip(summarizers, test.mean_ranks, strict=True))
    assert ranks == pytest.approx(golden["nemenyi"]["mean_ranks"], abs=1e-5)


@pytest.mark.parametrize("ties", [False, True])
def test_the_statistic_is_that_of_scipy(ties: bool) -> None:
    generator = np.random.default_rng(1)
    values = generator.integers(1, 5, size=(4, 12)).astype(float) if ties else generator.normal(size=(4, 12))
    test = friedman_test(values, confidence=95)
    theirs = stats.friedmanchisquare(*values)
    assert test is not None
    assert test.chi2 == pytest.approx(theirs.statistic)
    assert test.p == pytest.approx(theirs.pvalue)


@pytest.mark.slow  # imports what it compares with
def test_pairs_differ_where_scikit_posthocs_finds_p_below_the_level() -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(size=(6, 20)) + np.linspace(0, 2, 6)[:, None]
    test = friedman_test(values, confidence=95)
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(values.T).to_numpy()
    assert test is not None
    assert 0 < test.pairs < 15
    assert np.array_equal(test.differs, theirs <= 0.05)


def test_two_rows_without_ties_are_tested_by_their_wins() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 3.0]])  # the second wins three of four
    test = friedman_test(values, confidence=95)
    assert test is not None
    assert test.chi2 == pytest.approx((3 - 1) ** 2 / 4)  # the sign test's normal approximation, squared


def test_only_complete_topics_count() -> None:
    values = np.random.default_rng(0).normal(size=(3, 10))
    holes = np.concatenate([values, [[1.0], [np.nan], [2.0]]], axis=1)
    whole, found = friedman_test(values, confidence=95), friedman_test(holes, confidence=95)
    assert whole is not None
    assert found is not None
    assert (found.columns, found.chi2) == (10, whole.chi2)


def test_values_that_differ_by_rounding_only_are_tied() -> None:
    exact = np.array([[0.3, 0.2, 0.5], [0.3, 0.1, 0.4], [0.1, 0.3, 0.2]])
    noisy = exact.copy()
    noisy[0, 0] = 0.1 + 0.2  # not 0.3
    first, second = friedman_test(exact, confidence=95), friedman_test(noisy, confidence=95)
    assert first is not None
    assert second is not None
    assert first.chi2 == second.chi2


def test_where_all_are_equal_everywhere_the_statistic_is_undefined() -> None:
    test = friedman_test(np.full((3, 5), 0.7), confidence=95)
    assert test is not None
    assert np.isnan(test.chi2)
    assert np.isnan(test.p)
    assert not test.differs.any()


@pytest.mark.parametrize("values", [np.zeros((1, 4)), np.full((3, 2), np.nan), np.zeros((3, 0))])
def test_without_two_rows_or_a_complete_column_there_is_no_test(values: np.ndarray) -> None:
    assert friedman_test(values, confidence=95) is None
