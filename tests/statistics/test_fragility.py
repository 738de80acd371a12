"""The fewest topics that change an answer, against the enumeration of all sets of topics."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from pyramidion.statistics.fragility import find_leader_change, may_have_changed, removal_orders

Array = np.ndarray


def leaders_of(values: Array) -> set[int]:
    sums = values.sum(axis=1)
    return {row for row in range(len(values)) if sums[row] == sums.max()}


def fewest_by_enumeration(values: Array) -> int | None:
    """How many columns have to go before the only leader is behind another row, by trying all sets."""
    (leader,) = leaders_of(values)
    columns = values.shape[1]
    for size in range(1, columns):
        for removed in combinations(range(columns), size):
            if leader not in leaders_of(np.delete(values, removed, axis=1)):
                return size
    return None


tables = st.tuples(st.integers(2, 4), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 4))
)


@given(tables)
def test_complete_tables_have_the_exact_number_of_columns(table: Array) -> None:
    values = table.astype(np.float64)
    change = find_leader_change(values)
    assert change.is_exact
    assert set(change.leaders) == leaders_of(table)
    if len(change.leaders) > 1:
        assert change.removed == ()
        return
    expected = fewest_by_enumeration(table)
    if expected is None:
        assert change.removed is None
        assert (table[change.leaders[0]] >= table).all() or table.shape[1] == 1
        return
    assert change.removed is not None
    assert len(change.removed) == expected
    rest = np.delete(table, change.removed, axis=1)
    assert set(change.new_leaders) == leaders_of(rest)
    assert change.leaders[0] not in change.new_leaders


def test_the_new_leader_is_whoever_leads_then_not_the_rival_that_was_overtaken() -> None:
    # Without the first column, the second row passes the first, and so does the third, which is then the best.
    values = np.array([[9.0, 2, 2], [3, 3, 3], [0, 6, 3.5]])
    change = find_leader_change(values)
    assert change.removed == (0,)
    assert change.new_leaders == (2,)


def test_missing_values_are_compared_by_least_squares_means_and_the_result_is_not_called_exact() -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(size=(4, 12)) + np.array([[0.5], [0.2], [0.0], [-1.0]])
    values[2, :3] = np.nan
    change = find_leader_change(values)
    assert not change.is_exact
    assert change.removed
    rest = find_leader_change(np.delete(values, change.removed, axis=1))
    assert rest.leaders == change.new_leaders
    assert not set(change.leaders) & set(change.new_leaders)


def test_rounding_is_no_lead() -> None:
    # 0.1 + 0.2 is not 0.3 in binary, but the two rows are equal.
    change = find_leader_change(np.array([[0.1, 0.2, 0.5], [0.3, 0.0, 0.5]]))
    assert change.leaders == (0, 1)


@given(arrays(np.float64, st.integers(4, 12), elements=st.integers(-5, 5).map(float)), st.sampled_from([1, -1]))
def test_orders_name_each_difference_once_and_leave_two(differences: Array, sign: int) -> None:
    for order in removal_orders(differences, sign=sign):
        assert len(set(order.tolist())) == len(order) == len(differences) - 2


def test_the_second_order_removes_what_lowers_t_most() -> None:
    differences = np.array([1.0, 1.1, 0.9, 5.0, 1.2, 0.8])
    order = removal_orders(differences, sign=1)[1]
    t = [float(stats.ttest_1samp(np.delete(differences, place), 0).statistic) for place in range(6)]
    assert order[0] == int(np.argmin(t))


@given(
    arrays(np.float64, st.integers(5, 10), elements=st.floats(-3, 3).map(lambda value: round(value, 2))),
    st.integers(1, 4),
)
def test_removals_that_are_not_tested_could_not_have_changed_the_verdict(differences: Array, tests: int) -> None:
    if np.ptp(differences) < 0.1:
        return
    p = stats.ttest_1samp(differences, 0).pvalue
    decided = bool(tests * p <= 0.05)  # as the smallest of several p values
    order = removal_orders(differences, sign=1)[0]
    may_change = may_have_changed(differences, order, level=0.05, tests=tests, decided=decided)
    for size in np.flatnonzero(~may_change) + 1:
        kept = np.delete(differences, order[:size])
        p_kept = stats.ttest_1samp(kept, 0).pvalue
        if decided:
            assert tests * p_kept <= 0.05
            assert np.sign(kept.mean()) == np.sign(differences.mean())
        else:
            assert p_kept > 0.05


@pytest.mark.parametrize("columns", [1, 2])
def test_the_last_column_is_never_removed(columns: int) -> None:
    values = np.vstack([np.ones(columns), np.zeros(columns)])
    assert find_leader_change(values).removed is None
