"""Kendall's p value is that of scipy.stats.kendalltau, to the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.statistics.correlation import kendall


@given(st.integers(3, 60), st.sampled_from([2, 5, 1000]), st.sampled_from([0.0, 0.01, 1.0]), st.integers(0, 10_000))
def test_p_is_that_of_scipy_with_and_without_ties(n: int, values: int, noise: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = random.integers(0, values, n).astype(float)
    z = x + np.round(noise * random.normal(size=n), 2)
    if np.ptp(x) and np.ptp(z):
        assert kendall.kendall_p(x, z) == stats.kendalltau(x, z).pvalue


@pytest.mark.parametrize("swapped", [0, 1, 2])
def test_p_of_long_vectors_is_that_of_scipy(swapped: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(180.0)
    z = np.concatenate([x[swapped::-1], x[swapped + 1 :]])
    expected = max(stats.kendalltau(x, z).pvalue, np.finfo(float).tiny)  # scipy's is 0 for a perfect order
    assert kendall.kendall_p(x, z) == expected
    monkeypatch.setattr(kendall, "MANY", 100)
    assert kendall.kendall_p(x, z) == expected
