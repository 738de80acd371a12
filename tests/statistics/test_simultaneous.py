"""Limits of many comparisons: those of many degrees of freedom are those of each alone."""

import math

import numpy as np
import pytest

from pyramidion.statistics.simultaneous import Family, critical_t
from pyramidion.statistics.studentized import largest_of_many, studentized_range


@pytest.mark.slow
@pytest.mark.parametrize("family", ["tukey", "dunnett"])
@pytest.mark.parametrize(("low", "high"), [(5.5, 21.0), (60.0, 95.0)])
def test_many_degrees_of_freedom_have_the_limits_of_each_alone(family: Family, low: float, high: float) -> None:
    freedom = np.linspace(low, high, 25)
    found = critical_t(family, 20, freedom, confidence=95)
    for one, limit in zip(freedom[::6], found[::6], strict=True):
        alone = studentized_range(95, 20, one) / math.sqrt(2) if family == "tukey" else largest_of_many(95, 20, one)
        assert limit == pytest.approx(alone, abs=1e-10)
