"""Quantiles of the studentised range against SciPy's distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pyramidion.statistics.studentized import studentized_range


@pytest.mark.parametrize("confidence", [50, 95, 99.9])
@pytest.mark.parametrize("groups", [2, 4, 35, 100])
@pytest.mark.parametrize("freedom", [1, 3, 60, 9990, np.inf])
def test_quantiles_are_those_of_scipys_distribution(confidence: float, groups: int, freedom: float) -> None:
    q = studentized_range(confidence, groups, freedom)
    assert stats.studentized_range.cdf(q, groups, freedom) == pytest.approx(confidence / 100, abs=1e-9)


def test_two_groups_are_a_t_test() -> None:
    """q(k = 2) = √2·t, by definition."""
    for freedom in (1, 5, 40, 4000):
        expected = np.sqrt(2) * stats.t.isf(0.025, freedom)
        assert studentized_range(95, 2, freedom) == pytest.approx(expected, rel=1e-9)
