"""Tukey's honestly significant difference in the two-way analysis (Dang 2006); Tukey–Kramer with missing cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.ties import SLACK, settled
from pyramidion.statistics.variance import TwoWayAnova


@dataclass(frozen=True, kw_only=True, eq=False)
class TukeyTest:
    """Which rows differ, at one confidence level for all pairs together."""

    q: float
    """Quantile of the studentised range."""
    mean_square: float
    degrees_of_freedom: float
    critical_difference: float
    """What two means must differ by; NaN if it is not the same for all pairs."""
    least_difference: float
    """The smallest critical difference of a pair."""
    largest_difference: float
    """The largest."""
    differs: Bools
    """Rows × rows of the analysis."""

    @property
    def pairs(self) -> int:
        """How many pairs differ."""
        return int(np.triu(self.differs, 1).sum())


def tukey_test(anova: TwoWayAnova, *, confidence: float) -> TukeyTest | None:
    """Compare all pairs of rows: they differ if |difference| ≥ q(confidence; a, df)·√(MSE/b).

    With missing cells the means are least-squares means, and b gives way to the pair's own precision (Tukey–Kramer):
    |difference| ≥ q·√(MSE·v/2), v·σ² being the variance of the difference. Where every residual is zero, any
    difference counts. None if there is nothing to compare: a single row, or a design in pieces.
    """
    count = len(anova.rows)
    if count < 2 or anova.pieces > 1:
        return None
    q = studentized_range(confidence, count, anova.degrees_of_freedom)
    means = settled(anova.row_means)
    differences = np.abs(means[:, None] - means[None, :])
    critical = q * np.sqrt(anova.mean_square * anova.difference_variances / 2)
    differs = (differences >= critical * (1 - SLACK)) & (differences > 0)
    own = critical[~np.eye(count, dtype=np.bool_)]
    least, largest = float(own.min()), float(own.max())
    return TukeyTest(
        q=q,
        mean_square=anova.mean_square,
        degrees_of_freedom=anova.degrees_of_freedom,
        critical_difference=largest if math.isclose(least, largest, rel_tol=1e-9) else math.nan,
        least_difference=least,
        largest_difference=largest,
        differs=differs,
    )
