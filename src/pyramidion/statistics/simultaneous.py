"""Limits and p values of many comparisons at once, from one distribution: a limit is 0 exactly when p is the level."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.distributions import t_critical, t_p
from pyramidion.statistics.studentized import (
    largest_of_many,
    largest_of_many_p,
    studentized_range,
    studentized_range_p,
)

Family: TypeAlias = Literal["tukey", "dunnett", "bonferroni"]
"""All pairs of some groups; all others against one group; any comparisons that were named beforehand."""

DEGREE, FEWEST, WIDEST = 12, 5.0, 4.0
"""Of the polynomial through quantiles, and where there is one: df above the fewest, and at most this far apart."""


def critical_t(family: Family, count: int, degrees_of_freedom: Floats, *, confidence: float) -> Floats:
    """What |t| of a comparison must reach, for each of these degrees of freedom.

    Args:
        family: which comparisons are made.
        count: Tukey: the number of groups; Dunnett, Bonferroni: the number of comparisons.
        degrees_of_freedom: of the comparisons.
        confidence: of all of them together, in per cent.
    """
    if family == "bonferroni":
        return np.asarray(t_critical(100 - (100 - confidence) / count, degrees_of_freedom))
    if family == "tukey":
        return _each(partial(studentized_range, confidence, count), degrees_of_freedom) / math.sqrt(2)
    return _each(partial(largest_of_many, confidence, count), degrees_of_freedom)


def _each(quantile: Callable[[float, float | None], float], degrees_of_freedom: Floats) -> Floats:
    """The quantile for each of these; for many, from a polynomial in 1/df through a few of them.

    Quantiles are smooth in 1/df, and an integral takes milliseconds: a polynomial of degree 12 gives them to 10⁻¹⁰
    where the largest df is at most four times the smallest.
    """
    low, high = (float(limit) for limit in (degrees_of_freedom.min(), degrees_of_freedom.max()))
    if len(np.unique(degrees_of_freedom)) <= DEGREE + 1 or not FEWEST < low <= high <= WIDEST * low:
        return np.array([quantile(float(one), None) for one in degrees_of_freedom])

    def at(inverse: Floats) -> Floats:
        found: list[float] = []
        for one in inverse:
            found.append(quantile(float(1 / one), found[-1] if found else None))
        return np.array(found)

    fitted = np.polynomial.Chebyshev.interpolate(at, DEGREE, domain=[1 / high, 1 / low])
    return np.asarray(fitted(1 / degrees_of_freedom))


def adjusted_p(family: Family, count: int, t: Floats, degrees_of_freedom: Floats) -> Floats:
    """Two-sided p of each comparison, adjusted for all of them; never below the p of one comparison alone."""
    alone: Floats = np.asarray(t_p(t, degrees_of_freedom))
    if family == "bonferroni":
        return np.asarray(np.minimum(alone * count, 1.0))
    found = [
        studentized_range_p(math.sqrt(2) * abs(one), count, freedom)
        if family == "tukey"
        else largest_of_many_p(abs(one), count, freedom)
        for one, freedom in zip(t, degrees_of_freedom, strict=True)
    ]
    return np.asarray(np.maximum(np.array(found), alone))
