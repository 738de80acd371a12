"""Sorting many items gives what matrices of signs give."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.options import Coefficient
from pyramidion.statistics.correlation import weights
from pyramidion.statistics.correlation.ordered import OrderedPairs
from pyramidion.statistics.correlation.weights import GridPairs, WeightedPairs


@given(
    st.integers(2, 40),
    st.sampled_from([2, 3, 7, 1000]),
    st.sampled_from([2, 5, 1000]),
    st.integers(0, 10_000),
    st.sampled_from(["spearman", "kendall"]),
)
def test_sorted_items_give_the_coefficients_of_all_pairs(
    n: int, values_x: int, values_z: int, seed: int, coefficient: Literal["spearman", "kendall"]
) -> None:
    random = np.random.default_rng(seed)
    x, z = (random.integers(0, most, n).astype(float) for most in (values_x, values_z))
    drawn = random.integers(0, 4, (5, n)).astype(float)
    drawn[0] = 0
    drawn[1, 1:] = 0
    wanted = WeightedPairs(x, z).correlations(drawn, coefficient=coefficient)
    ordered = OrderedPairs(x, z)
    found = getattr(ordered, coefficient)(drawn.astype(np.int64))
    assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 10_000))
def test_weights_of_a_grid_are_products_of_rows_and_columns(rows: int, columns: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, rows, columns))
    x[random.random(x.shape) < 0.2] = np.nan
    has = ~np.isnan(x)
    of_rows, of_columns = (random.integers(0, 3, (4, size)).astype(float) for size in (rows, columns))
    for by_row in (of_rows, np.ones((1, rows))):
        dense = (by_row[:, :, None] * of_columns[:, None, :])[:, has]
        found = GridPairs(x, z).correlations(by_row, of_columns, coefficient="pearson")
        wanted = WeightedPairs(x[has], z[has]).correlations(dense, coefficient="pearson")
        assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_whole_numbers_too_large_for_single_precision_stay_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    pairs = WeightedPairs(*random.integers(0, 9, (2, 60)).astype(float))
    drawn = random.integers(0, 5, (20, 60)).astype(float)
    ranked: tuple[Coefficient, ...] = ("spearman", "kendall")
    short = {one: pairs.correlations(drawn, coefficient=one) for one in ranked}
    monkeypatch.setattr(weights, "_EXACT_IN_SINGLE", 0)
    for one, values in short.items():
        np.testing.assert_array_equal(pairs.correlations(drawn, coefficient=one), values)
