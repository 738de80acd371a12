"""All pairs with their own variances: against scipy and statsmodels; when variances count as unequal."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from other_packages import multitest
from pyramidion.statistics.variance import PairSums, check_variances, own_variance_tests


def holed(rows: int, columns: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    values = generator.normal(0, 1, (rows, columns)) * generator.uniform(0.3, 3, (rows, 1)) + 10
    values += generator.normal(0, 2, columns) + np.linspace(0, 3, rows)[:, None]
    values[generator.random(values.shape) < 0.15] = np.nan
    return values


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("seed", range(3))
def test_each_pair_has_scipys_t_test_and_all_have_statsmodels_holm_correction(seed: int) -> None:
    values = holed(6, 20, seed)
    found = own_variance_tests(values, confidence=95)
    upper = np.triu_indices(6, 1)
    theirs = [stats.ttest_rel(values[a], values[b], nan_policy="omit").pvalue for a, b in combinations(range(6), 2)]
    assert found.p[upper] == pytest.approx(theirs)
    rejected, corrected, *_ = multitest.multipletests(theirs, method="holm")
    assert found.p_adjusted[upper] == pytest.approx(corrected)
    assert found.differs[upper].tolist() == list(rejected)
    assert np.array_equal(found.differs, found.differs.T)
    assert found.pairs == sum(rejected)


def test_sums_over_blocks_are_those_of_the_whole() -> None:
    values = holed(5, 40, 1)
    sums = PairSums(size=5)
    for start in range(0, 40, 7):
        sums.add(values[:, start : start + 7])
    found, whole = sums.tests(confidence=95), own_variance_tests(values, confidence=95)
    assert found.p == pytest.approx(whole.p, rel=1e-9, nan_ok=True)
    assert np.array_equal(found.differs, whole.differs)


def test_equal_differences_have_the_p_of_sign_flips_and_nothing_shared_has_none() -> None:
    nan = np.nan
    values = np.array([[3.0, 4, 5, 3], [2.0, 3, 4, 2], [3.0, 4, 5, 3], [nan, nan, nan, nan]])
    found = own_variance_tests(values, confidence=95)
    assert found.p[0, 1] == 2 / 2**4
    assert found.p[0, 2] == 1
    assert np.isnan(found.p[3]).all()
    assert found.untested == 3
    assert found.pairs == 0


@pytest.mark.parametrize(("rows", "columns"), [(5, 11), (16, 11), (8, 50)])
def test_equal_variances_count_as_unequal_in_about_1_of_100_campaigns(rows: int, columns: int) -> None:
    values = np.random.default_rng(8).normal(size=(300, rows, columns))
    found = [check_variances(one, seed=number) for number, one in enumerate(values)]
    assert sum(one is not None and one.unequal for one in found) <= 10  # 3 are expected; 10 has a chance of 1 in 1,000


def test_two_systems_of_three_times_the_spread_are_seen() -> None:
    values = np.random.default_rng(0).normal(size=(8, 20))
    values[:2] *= 3
    found = check_variances(values, seed=0)
    assert found is not None
    assert found.unequal
    differences = [np.std(values[a] - values[b], ddof=1) for a, b in combinations(range(8), 2)]
    assert found.ratio == pytest.approx(max(differences) / np.sqrt(np.mean(np.square(differences))))


def test_what_does_not_vary_is_not_checked() -> None:
    assert check_variances(np.ones((4, 6)), seed=0) is None
    assert check_variances(np.random.default_rng(0).normal(size=(2, 20)), seed=0) is None
