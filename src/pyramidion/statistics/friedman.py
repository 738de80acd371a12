"""Friedman's test with Nemenyi's comparison of mean ranks: the non-parametric twin of the two-way analysis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.checks import check_finite
from pyramidion.statistics.distributions import chi2_p
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.ties import SLACK, mid_ranks, settled


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanTest:
    """Whether rows differ by their ranks within columns, and which."""

    chi2: float
    """Corrected for ties; NaN, as p, if every column has the same value in all rows."""
    degrees_of_freedom: int
    p: float
    mean_ranks: Floats
    """Rank 1 is the lowest value of a column; equal values share the middle rank."""
    nemenyi_difference: float
    """What two mean ranks must differ by."""
    differs: Bools
    """Rows × rows."""
    columns: int
    """How many columns have a value for every row; only they are used."""

    @property
    def pairs(self) -> int:
        """How many pairs differ by Nemenyi's comparison."""
        return int(np.triu(self.differs, 1).sum())


def friedman_test(values: Floats, *, confidence: float) -> FriedmanTest | None:
    """Friedman's test over the columns that are complete; None with a single row or without a complete column.

    χ² = (a − 1)·Σᵢ(Rᵢ − b(a + 1)/2)² / (Σ r² − b·a(a + 1)²/4), Rᵢ a row's sum of mid-ranks and Σ r² over all cells
    (Conover, Practical Nonparametric Statistics, 1999, 5.8), with a − 1 degrees of freedom. Two rows differ if their
    mean ranks differ by q(confidence; a, ∞)/√2·√(a(a + 1)/(6b)) or more (Nemenyi 1963; Demšar 2006).
    """
    check_finite(values)
    complete = values[:, ~np.isnan(values).any(axis=0)]
    count, columns = complete.shape
    if count < 2 or columns < 1:
        return None
    ranks = mid_ranks(settled(complete), axis=0)
    return friedman_from_ranks(ranks.sum(axis=1), float((ranks**2).sum()), columns, confidence=confidence)


def friedman_from_ranks(sums: Floats, squares: float, columns: int, *, confidence: float) -> FriedmanTest:
    """The test from each row's sum of mid-ranks, and the sum of the squares of all ranks."""
    count = len(sums)
    spread = squares - columns * count * (count + 1) ** 2 / 4
    between = float(((sums - columns * (count + 1) / 2) ** 2).sum())
    chi2 = (count - 1) * between / spread if spread > SLACK else np.nan
    mean_ranks = sums / columns
    critical = studentized_range(confidence, count, np.inf) / 2**0.5 * (count * (count + 1) / (6 * columns)) ** 0.5
    apart = np.abs(mean_ranks[:, None] - mean_ranks[None, :])
    return FriedmanTest(
        chi2=float(chi2),
        degrees_of_freedom=count - 1,
        p=chi2_p(float(chi2), count - 1),
        mean_ranks=mean_ranks,
        nemenyi_difference=critical,
        differs=apart >= critical * (1 - SLACK),
        columns=columns,
    )
