"""Friedman's test and Nemenyi's comparison, against scipy, scikit-posthocs and golden values."""

from itertools import permutations, product

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
def test_where_permutations_are_too_many_the_test_is_that_of_scipy(ties: bool) -> None:
    generator = np.random.default_rng(1)
    values = generator.integers(1, 9, size=(8, 12)).astype(float) if ties else generator.normal(size=(8, 12))
    test = friedman_test(values, confidence=95)
    theirs = stats.friedmanchisquare(*values)
    assert test is not None
    assert not test.exact
    assert test.chi2 == pytest.approx(theirs.statistic)
    assert test.p == pytest.approx(theirs.pvalue)


PUBLISHED = [  # Hollander and Wolfe, Nonparametric Statistical Methods, table A.15; Siegel 1956, table N
    ([[1, 2, 3], [1, 2, 3], [1, 2, 3]], 6.0, 0.028),
    ([[1, 2, 3], [1, 2, 3], [1, 3, 2]], 4.667, 0.194),
    ([[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]], 6.5, 0.042),
    ([[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]], 8.0, 0.0046),
    ([[1, 2, 3, 4], [1, 2, 3, 4]], 6.0, 0.042),
    ([[1, 2, 3, 4], [1, 2, 4, 3]], 5.4, 0.167),
    ([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], 9.0, 0.0017),
]


@pytest.mark.parametrize(("topics", "chi2", "p"), PUBLISHED)
def test_p_is_that_of_published_tables(topics: list[list[float]], chi2: float, p: float) -> None:
    test = friedman_test(np.array(topics, dtype=float).T, confidence=95)
    assert test is not None
    assert test.exact
    assert test.chi2 == pytest.approx(chi2, abs=5e-4)
    assert test.p == pytest.approx(p, abs=5e-4 if p > 0.01 else 5e-5)


@pytest.mark.parametrize(("rows", "columns", "scale"), [(3, 4, 2), (3, 5, 3), (3, 5, 1000), (4, 3, 3), (4, 3, 1000)])
def test_exact_p_is_the_share_of_all_permutations_within_topics(rows: int, columns: int, scale: int) -> None:
    values = np.random.default_rng(rows + columns + scale).integers(0, scale, size=(rows, columns)).astype(float)
    test = friedman_test(values, confidence=95)
    assert test is not None
    ranks = stats.rankdata(values, axis=0)
    orders = [list(permutations(column)) for column in ranks.T]
    arranged = np.array(list(product(*orders)))  # every arrangement × topics × systems
    inequality = ((arranged.sum(axis=1) - columns * (rows + 1) / 2) ** 2).sum(axis=1)
    observed = ((ranks.sum(axis=1) - columns * (rows + 1) / 2) ** 2).sum()
    assert test.exact
    assert test.p == pytest.approx((inequality >= observed - 1e-9).mean(), rel=1e-12)


@pytest.mark.parametrize(("wins", "losses", "ties"), [(5, 0, 0), (9, 1, 0), (6, 0, 3), (3, 3, 1), (700, 612, 40)])
def test_two_rows_have_the_exact_sign_test(wins: int, losses: int, ties: int) -> None:
    first = np.array([1.0] * wins + [0.0] * losses + [0.5] * ties)
    values = np.array([first, np.full(len(first), 0.5)])
    test = friedman_test(values, confidence=95)
    expected = stats.binomtest(wins, wins + losses).pvalue
    assert test is not None
    assert test.exact
    assert test.p == pytest.approx(expected, rel=1e-9)
    assert test.differs[0, 1] == (expected <= 0.05)


def test_five_topics_can_not_show_a_difference_of_two_rows() -> None:
    test = friedman_test(np.array([[2.0] * 5, [1.0] * 5]), confidence=95)
    assert test is not None
    assert test.p == 0.0625
    assert np.isnan(test.nemenyi_difference)


def test_a_single_topic_shows_nothing() -> None:
    test = friedman_test(np.array([[1.0], [2.0], [3.0], [4.0]]), confidence=95)
    assert test is not None
    assert (test.p, test.exact) == (1.0, True)


def test_exact_tests_keep_their_level() -> None:
    generator = np.random.default_rng(4)
    rejected = [
        test.p <= 0.05
        for values in generator.integers(0, 5, size=(2000, 3, 5)).astype(float)
        if (test := friedman_test(values, confidence=95)) is not None
    ]
    assert np.mean(rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


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
    assert test.p == pytest.approx(10 / 16)


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
