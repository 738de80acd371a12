"""Means over topics that belong together: CR2 standard errors, Satterthwaite's df, sign flips of whole clusters."""

from itertools import product

import numpy as np
import pytest
from benchmarks.false_positives import clustered_letter_errors, clustered_pair_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.clusters import ClusterSums
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.regression import clustered_errors
from pyramidion.statistics.variance import own_variance_tests

SIZES = [(3, 3, 3, 3), (1, 2, 3, 5, 14), (7, 1), (1, 1, 1, 1, 1, 1), (20, 2, 2, 9)]


def drawn(sizes: tuple[int, ...], seed: int = 0) -> tuple[Floats, Integers]:
    generator = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    values = 0.3 + generator.normal(size=len(sizes))[codes] + generator.exponential(size=len(codes))
    return values, codes


def matrix_formula(values: Floats, codes: Integers) -> tuple[float, float]:
    """CR2 and Satterthwaite's df by the matrices of Bell and McCaffrey (2002), for X a column of ones."""
    n = len(values)
    design = np.ones((n, 1))
    inverse = np.linalg.inv(design.T @ design)
    hat = design @ inverse @ design.T
    residuals = values - hat @ values
    variance, columns = 0.0, []
    for cluster in np.unique(codes):
        rows = np.flatnonzero(codes == cluster)
        left = np.eye(len(rows)) - hat[np.ix_(rows, rows)]
        eigenvalues, vectors = np.linalg.eigh(left)
        root = vectors @ np.diag(1 / np.sqrt(eigenvalues)) @ vectors.T
        weights = (root @ design[rows] @ inverse)[:, 0]
        variance += float(weights @ residuals[rows]) ** 2
        columns.append((np.eye(n) - hat)[:, rows] @ weights)
    influence = np.array(columns).T
    products = influence.T @ influence
    return np.sqrt(variance), float(np.trace(products) ** 2 / (products**2).sum())


@pytest.mark.parametrize("sizes", SIZES)
def test_errors_and_freedom_are_those_of_the_matrix_formula(sizes: tuple[int, ...]) -> None:
    values, codes = drawn(sizes)
    errors, freedom = ClusterSums.of(values[None], codes).errors()
    assert (errors[0], freedom[0]) == pytest.approx(matrix_formula(values, codes), rel=1e-10)
    # `clustered_errors` agrees with clubSandwich 0.5.8 (golden/statistics/mixed.json)
    design = np.ones((len(values), 1))
    regression = clustered_errors(design, np.array([[1 / len(values)]]), values - values.mean(), codes)
    assert (errors[0], freedom[0]) == pytest.approx((regression[0][0], regression[1][0]), rel=1e-10)


@pytest.mark.parametrize("sizes", SIZES)
def test_errors_and_freedom_are_those_of_the_formulas_that_clubsandwich_tests_itself_with(
    sizes: tuple[int, ...],
) -> None:
    # tests/testthat/test_intercept_formulas.R of clubSandwich: a mean of clustered values, CR2 and Satterthwaite's df
    values, codes = drawn(sizes, seed=3)
    n, total = np.array(sizes), sum(sizes)
    means = np.array([values[codes == cluster].mean() for cluster in range(len(sizes))])
    variance = (n**2 * (means - values.mean()) ** 2 / (1 - n / total)).sum() / total**2
    inverse = (
        total**2 * (n**2 / (total - n) ** 2).sum()
        - 2 * total * (n**3 / (total - n) ** 2).sum()
        + (n**2 / (total - n)).sum() ** 2
    )
    errors, freedom = ClusterSums.of(values[None], codes).errors()
    assert errors[0] == pytest.approx(np.sqrt(variance), rel=1e-10)
    assert freedom[0] == pytest.approx(total**2 / inverse, rel=1e-10)


@pytest.mark.parametrize("method", ["t", "sign-flip"])
def test_clusters_of_one_topic_each_are_independent_topics(method: str) -> None:
    values = np.random.default_rng(1).exponential(size=(4, 13)) - 0.7
    values[1, 3:6] = np.nan
    plain = paired_tests(values, method=method)  # type: ignore[arg-type]
    clustered = paired_tests(values, method=method, clusters=np.arange(13))  # type: ignore[arg-type]
    for name in ("difference", "lower", "upper", "p", "df", "p_permutation", "design_effect"):
        assert getattr(clustered, name) == pytest.approx(getattr(plain, name), rel=1e-12, nan_ok=True)


def test_clusters_of_equal_size_have_the_t_test_of_their_means() -> None:
    values, codes = drawn((4,) * 7)
    means = [values[codes == cluster].mean() for cluster in range(7)]
    expected = stats.ttest_1samp(means, 0)
    found = paired_tests(values[None], permutations=None, clusters=codes)
    assert found.p[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.df[0] == pytest.approx(6)
    assert (found.lower[0], found.upper[0]) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=9), seed=st.integers(0, 1000))
def test_sign_flips_of_clusters_are_those_of_an_enumeration_of_all_signs(sizes: list[int], seed: int) -> None:
    values, codes = drawn(tuple(sizes), seed)
    sums = np.array([values[codes == cluster].sum() for cluster in range(len(sizes))])
    signs = np.array(list(product([1, -1], repeat=len(sizes))))
    expected = (np.abs(signs @ sums) >= abs(sums.sum()) - 1e-12).mean()
    found = paired_tests(values[None], method="sign-flip", clusters=codes)
    assert found.p[0] == pytest.approx(expected)
    assert found.exact[0]
    place = int(0.05 * 2 ** (len(sizes) - 1) + 1e-9)
    if not place:
        assert np.isnan(found.lower[0])
        return
    subsets = np.array(list(product([0, 1], repeat=len(sizes))))[1:]
    ratios = np.sort((subsets @ sums) / (subsets @ np.array(sizes)))
    assert (found.lower[0], found.upper[0]) == pytest.approx((ratios[place - 1], ratios[-place]))


@settings(max_examples=30, deadline=None)
@given(clusters=st.integers(2, 30), shift=st.sampled_from([0.0, 0.5, 1.0]), seed=st.integers(0, 1000))
def test_the_interval_excludes_0_exactly_if_p_is_at_most_the_level(clusters: int, shift: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    values, codes = drawn(tuple(generator.integers(1, 6, clusters).tolist()), seed)
    for method in ("t", "sign-flip"):
        tests = paired_tests(values[None] - 1.3 + shift, method=method, permutations=999, clusters=codes)
        if not np.isnan(tests.lower[0]):
            assert (not tests.lower[0] <= 0 <= tests.upper[0]) == (tests.p[0] <= 0.05 * (1 + 1e-9))


def test_one_cluster_tests_nothing_and_equal_clusters_have_the_p_of_their_signs() -> None:
    one = paired_tests(np.array([[0.2, 0.4, 0.9]]), clusters=np.zeros(3, dtype=np.int64))
    assert one.p[0] == 1.0
    assert np.isnan(one.lower[0])
    equal = paired_tests(np.array([[0.2, 0.4, 0.4, 0.2, 0.3, 0.3]]), clusters=np.array([0, 0, 1, 1, 2, 2]))
    assert equal.p[0] == pytest.approx(2 / 2**3)
    assert np.isnan(equal.lower[0])
    two = paired_tests(np.array([[1.0, 2.0, 3.0]]), clusters=np.array([0, 0, 1]))
    assert two.units[0] == 2
    assert two.df[0] == pytest.approx(1.0)


def test_letters_come_from_the_tests_of_pairs() -> None:
    generator = np.random.default_rng(5)
    codes = np.repeat(np.arange(8), 3)
    values = generator.normal(size=(4, 24)) + np.arange(4)[:, None] / 2
    values[2, 4:9] = np.nan
    all_pairs = own_variance_tests(values, confidence=95, clusters=codes)
    for first, second in ((0, 1), (1, 2), (0, 3)):
        alone = paired_tests((values[first] - values[second])[None], permutations=None, clusters=codes)
        assert all_pairs.p[first, second] == pytest.approx(alone.p[0], rel=1e-12)
        assert all_pairs.differences[first, second] == pytest.approx(alone.difference[0])


def test_intervals_of_means_have_clusters_as_units() -> None:
    values, codes = drawn((2, 5, 3, 4, 4, 6))
    lower, upper = own_intervals(values[None], confidence=95, clusters=codes)
    error, freedom = matrix_formula(values, codes)
    half = stats.t.ppf(0.975, freedom) * error
    assert (lower[0], upper[0]) == pytest.approx((values.mean() - half, values.mean() + half))
    # a bootstrap of clusters: means are 0 (a quarter of draws), ⅓ (half of them) and 1 (a quarter)
    small, pair = np.array([[0.0, 0.0, 1.0]]), np.array([0, 0, 1])
    for confidence, expected in ((40, (1 / 3, 1 / 3)), (60, (0.0, 1.0))):
        low, high = bootstrap_intervals(small, confidence=confidence, resamples=2000, seed=1, clusters=pair)
        assert (low[0], high[0]) == pytest.approx(expected)


@pytest.mark.parametrize("clusters", [5, 10, 20])
@pytest.mark.parametrize("icc", [0.2, 0.3])
def test_a_pair_of_equal_systems_differs_in_about_5_of_100_campaigns_of_clusters(icc: float, clusters: int) -> None:
    by_clusters, by_topics = clustered_pair_errors(4000, clusters, icc, seed=clusters)
    assert 0.036 <= by_clusters <= 0.069  # 4 to 6.5 %, and a standard error of .0034 to .0039
    assert by_topics > 0.12  # what topics as independent give


@pytest.mark.slow
def test_letters_of_clusters_find_fewer_differences_that_are_not_there() -> None:
    by_clusters, by_topics = clustered_letter_errors(300, 5, 10, 0.3, seed=2)
    assert by_clusters <= 0.09  # at most 5 % is expected; the standard error of 300 campaigns is .0126
    assert by_topics > 0.2
