"""Exact p values: shares of all orders, counted here one by one."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.correlation.levels import correlate_levels
from pyramidion.statistics.studentized import largest_of_many_p, studentized_range_p
from pyramidion.statistics.values import chi2_p, f_p, normal_p, t_p

VALUES = st.integers(3, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2).filter(
        lambda both: len(set(both[0])) > 1 and len(set(both[1])) > 1
    )
)


def share_of_orders(x: np.ndarray, z: np.ndarray, coefficient: Coefficient) -> float:
    """The share of orders of z with at least this |coefficient|."""
    orders = np.array(list(permutations(z)), dtype=float)
    values = np.abs(row_correlations(orders, x[None], coefficient=coefficient))
    return float((values >= values[0] - 1e-9).mean())


def p_of(x: np.ndarray, z: np.ndarray, coefficient: Coefficient) -> float:
    value = float(row_correlations(x[None], z[None], coefficient=coefficient)[0])
    return correlation_p(x, z, value, coefficient=coefficient)


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
@given(VALUES)
def test_p_over_few_items_is_the_share_of_all_orders(
    coefficient: Coefficient, both: tuple[list[int], list[int]]
) -> None:
    x, z = (np.array(one, dtype=float) for one in both)
    assert p_of(x, z, coefficient) == pytest.approx(share_of_orders(x, z, coefficient))


def test_p_of_kendall_over_few_items_without_ties_is_that_of_scipy() -> None:
    random = np.random.default_rng(5)
    for n in range(3, 10):
        x, z = random.normal(size=(2, n))
        assert p_of(x, z, "kendall") == pytest.approx(stats.kendalltau(x, z, method="exact").pvalue, rel=1e-12)


def test_two_groups_of_three_can_not_be_significantly_correlated() -> None:
    # Of the 20 ways to choose three of six, the best and its reverse have the largest |τ-b|; the normal p (scipy, asymptotic) is .025.
    assert p_of(np.arange(6.0), np.array([1.0, 1, 1, 2, 2, 2]), "kendall") == pytest.approx(2 / 20)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@given(st.lists(st.integers(0, 3), min_size=3, max_size=6).filter(lambda one: len(set(one)) > 1), st.booleans())
def test_p_of_a_perfect_correlation_is_the_share_of_perfect_orders(
    coefficient: Coefficient, values: list[int], turned: bool
) -> None:
    x = np.array(values, dtype=float)
    z = -2 * x if turned else 3 * x + 1
    assert p_of(x, z, coefficient) == pytest.approx(share_of_orders(x, z, coefficient))


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("n", [3, 4, 9, 10, 40, 200, 600])
def test_a_perfect_correlation_over_any_number_has_a_p_above_0(coefficient: Coefficient, n: int) -> None:
    x = np.arange(float(n))
    p = p_of(x, -x, coefficient)
    assert p > 0
    if n <= 40:
        assert p == pytest.approx(2 / math.factorial(n))  # of all orders only the same and its reverse
    near = np.concatenate([x[1::-1], x[2:]])
    assert p_of(x, near, coefficient) > 0


def test_three_summarizers_in_perfect_order_have_the_exact_third() -> None:
    scores = np.array([[1.0], [2.0], [3.0]])
    assert correlate_levels(scores, scores, level="system", coefficient="spearman").p == pytest.approx(1 / 3)


def test_from_ten_items_on_p_is_that_of_t() -> None:
    random = np.random.default_rng(4)
    x, z = random.normal(size=(2, 10))
    assert p_of(x, z, "spearman") == pytest.approx(stats.spearmanr(x, z).pvalue)
    assert p_of(x[:9], z[:9], "spearman") != pytest.approx(stats.spearmanr(x[:9], z[:9]).pvalue, abs=1e-6)


def test_no_test_gives_a_p_of_0() -> None:
    given = [
        t_p(1e6, 500), f_p(1e9, 3, 5000), chi2_p(1e6, 2), normal_p(60.0),
        studentized_range_p(500.0, 5, 100.0), largest_of_many_p(500.0, 5, 100.0),
    ]  # fmt: skip
    assert all(0 < p < 1e-10 for p in given)
