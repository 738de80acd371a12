"""Limits and p values of many comparisons at once, from one distribution: a limit is 0 exactly when p is the level."""

from __future__ import annotations

import math
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
        return np.array([studentized_range(confidence, count, one) / math.sqrt(2) for one in degrees_of_freedom])
    return np.array([largest_of_many(confidence, count, one) for one in degrees_of_freedom])


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
