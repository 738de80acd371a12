"""Limits and p values of many comparisons at once, from one distribution: a limit is 0 exactly when p is the level."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.studentized import largest_of_many, largest_of_many_p, studentized_range, studentized_range_p
from pyramidion.statistics.values import t_critical, t_p

Family: TypeAlias = Literal["tukey", "dunnett", "bonferroni"]
"""All pairs of some groups; all others against one group; any comparisons that were named beforehand."""

DEGREE, FEWEST, WIDEST = 12, 5.0, 4.0
"""Of the polynomials through quantiles, and where they are: df above the fewest, each up to this many times as many."""
_QUANTILES: Mapping[str, Callable[..., float]] = {"tukey": studentized_range, "dunnett": largest_of_many}


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
    critical = _each(family, confidence, count, degrees_of_freedom)
    return critical / math.sqrt(2) if family == "tukey" else critical


def _each(family: Family, confidence: float, count: int, degrees_of_freedom: Floats) -> Floats:
    """The quantile for each of these; for many, from polynomials in 1/df through a few of them.

    Quantiles are smooth in 1/df, and an integral takes milliseconds: a polynomial of degree 12 gives them to 10⁻¹⁰
    between some df and four times as many.
    """
    quantile = _QUANTILES[family]
    if len(np.unique(degrees_of_freedom)) <= DEGREE + 1:
        return np.array([quantile(confidence, count, float(freedom)) for freedom in degrees_of_freedom])
    critical = np.empty(len(degrees_of_freedom))
    many = (degrees_of_freedom > FEWEST) & np.isfinite(degrees_of_freedom)
    critical[~many] = [quantile(confidence, count, float(freedom)) for freedom in degrees_of_freedom[~many]]
    ranges = np.floor(np.log(np.where(many, degrees_of_freedom, FEWEST) / FEWEST) / math.log(WIDEST))
    for range_number in np.unique(ranges[many]):
        is_in_range = many & (ranges == range_number)
        quantile_between = _between(family, confidence, count, int(range_number))
        critical[is_in_range] = quantile_between(1 / degrees_of_freedom[is_in_range])
    return critical


@lru_cache(maxsize=256)
def _between(family: Family, confidence: float, count: int, place: int) -> np.polynomial.Chebyshev:
    """The polynomial from FEWEST·4^place degrees of freedom to four times as many; measures share them."""
    low = FEWEST * WIDEST**place

    def at(inverse: Floats) -> Floats:
        values: list[float] = []
        for value in inverse:
            values.append(_QUANTILES[family](confidence, count, float(1 / value), values[-1] if values else None))
        return np.array(values)

    return np.polynomial.Chebyshev.interpolate(at, DEGREE, domain=[1 / (WIDEST * low), 1 / low])


def adjusted_p(family: Family, count: int, t: Floats, degrees_of_freedom: Floats) -> Floats:
    """Two-sided p of each comparison, adjusted for all of them; never below the p of one comparison alone."""
    alone: Floats = np.asarray(t_p(t, degrees_of_freedom))
    if family == "bonferroni":
        return np.asarray(np.minimum(alone * count, 1.0))
    p_values = [
        studentized_range_p(math.sqrt(2) * abs(statistic), count, freedom)
        if family == "tukey"
        else largest_of_many_p(abs(statistic), count, freedom)
        for statistic, freedom in zip(t, degrees_of_freedom, strict=True)
    ]
    return np.asarray(np.maximum(np.array(p_values), alone))
