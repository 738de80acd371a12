"""Friedman's test with Nemenyi's comparison of mean ranks: the non-parametric twin of the two-way analysis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.values import SLACK, SMALLEST, check_finite, chi2_p, mid_ranks, snap_ties

MOST_STEPS = 1_200_000
"""Additions of a column's permuted ranks to rank sums that an exact p may take: about 0.2 seconds.

Without ties this allows 3 rows × 105 columns, 4 × 23, 5 × 8, 6 × 4, and two columns of 7 or 8 rows.
"""
MOST_ORDERS = 50_000
"""Orders of the ranks of one column that are listed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanTest:
    """Whether rows differ by their ranks within columns, and which."""

    chi2: float
    """Corrected for ties; NaN, as p, if every column has the same value in all rows."""
    degrees_of_freedom: int
    p: float
    exact: bool
    """Whether p is that of the permutations of ranks within columns, not of the χ² distribution."""
    mean_ranks: Floats
    """Rank 1 is the lowest value of a column; equal values share the middle rank."""
    nemenyi_difference: float
    """What two mean ranks must differ by; of two rows by the sign test, NaN where no difference would suffice."""
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

    p is exact where that is feasible: the share of permutations of ranks within columns, ties included, whose χ² is as
    large. With two rows this is the sign test, whose verdict is then that on the pair, too.

    >>> ranks = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    >>> test = friedman_test(ranks, confidence=95)
    >>> test.chi2, round(test.p, 4), test.exact
    (6.0, 0.0278, True)
    """
    check_finite(values)
    complete = values[:, ~np.isnan(values).any(axis=0)]
    count, columns = complete.shape
    if count < 2 or columns < 1:
        return None
    ranks = mid_ranks(snap_ties(complete), axis=0)
    test = friedman_from_ranks(ranks.sum(axis=1), float((ranks**2).sum()), columns, confidence=confidence)
    if test.exact or np.isnan(test.chi2):
        return test
    p = permutation_p(ranks)
    return test if p is None else replace(test, p=p, exact=True)


def friedman_from_ranks(sums: Floats, squares: float, columns: int, *, confidence: float) -> FriedmanTest:
    """The test from each row's sum of mid-ranks, and the sum of the squares of all ranks; exact for two rows."""
    count = len(sums)
    # With the actual squares, not with those of untied ranks, this is the correction for ties.
    spread = squares - columns * count * (count + 1) ** 2 / 4
    between = float(((sums - columns * (count + 1) / 2) ** 2).sum())
    chi2 = (count - 1) * between / spread if spread > SLACK else np.nan
    mean_ranks = sums / columns
    critical = studentized_range(confidence, count, np.inf) / 2**0.5 * (count * (count + 1) / (6 * columns)) ** 0.5
    # χ² is an approximation that is poor for few columns; `friedman_test` replaces it where it can count.
    p = chi2_p(float(chi2), count - 1)
    is_sign_test = count == 2 and not np.isnan(chi2)
    if is_sign_test:
        untied = round(2 * (squares - 4.5 * columns))  # ranks 1 and 2 have squares of 5, tied ones of 4.5
        p = sign_test_p(untied, abs(round(float(sums[0] - sums[1]))))
        # Two rows: the studentized range would use the normal approximation, and could call a pair different that the
        # exact p does not.
        critical = least_significant_lead(untied, confidence=confidence) / columns
    apart = np.abs(mean_ranks[:, None] - mean_ranks[None, :])
    return FriedmanTest(
        chi2=float(chi2),
        degrees_of_freedom=count - 1,
        p=p,
        exact=is_sign_test,
        mean_ranks=mean_ranks,
        nemenyi_difference=critical,
        differs=apart >= critical * (1 - SLACK),  # with NaN none does
        columns=columns,
    )


def sign_test_p(untied: int, lead: int) -> float:
    """Two-sided exact p of the sign test: `lead` is wins minus losses over the untied columns, whichever way.

    >>> sign_test_p(5, 5)
    0.0625
    """
    from scipy import special

    wins = (untied + lead) // 2
    if lead == 0:
        return 1.0
    return max(min(1.0, 2 * float(special.bdtrc(wins - 1, untied, 0.5))), SMALLEST)


def least_significant_lead(untied: int, *, confidence: float) -> float:
    """The smallest wins minus losses that the sign test finds significant; NaN if even winning everywhere is not.

    >>> least_significant_lead(10, confidence=95)  # 9 wins and 1 loss
    8.0
    """
    # 1 - 95/100 is a little below 0.05 in binary, and p values of the sign test can be exactly 1/32 or 1/16.
    alpha = (1 - confidence / 100) * (1 + SLACK)
    if sign_test_p(untied, untied) > alpha:
        return math.nan
    too_small, enough = (untied - 1) // 2, untied  # wins; the search halves what lies between
    while enough - too_small > 1:
        middle = (too_small + enough) // 2
        if sign_test_p(untied, 2 * middle - untied) <= alpha:
            enough = middle
        else:
            too_small = middle
    return float(2 * enough - untied)


def permutation_p(ranks: Floats) -> float | None:
    """The share of all permutations of ranks within columns whose rank sums are as unequal; None if too many.

    Args:
        ranks: rows × columns, equal values with their middle rank.
    """
    centred = np.rint(2 * ranks).astype(np.int64) - (len(ranks) + 1)  # whole numbers, 0 where all are tied
    columns = [tuple(map(int, column)) for column in np.sort(centred, axis=0).T]
    untied = sorted(column for column in columns if any(column))
    distribution = null_distribution(tuple(untied))
    if distribution is None:
        return None
    inequality, probabilities = distribution
    observed = int((centred.sum(axis=1) ** 2).sum())
    # All are whole numbers, so >= needs no slack: that is why ranks were doubled.
    return max(min(1.0, float(probabilities[inequality >= observed].sum())), SMALLEST)


@lru_cache(maxsize=8)  # the measures of a table often have the same: it depends on nothing but ties
def null_distribution(columns: tuple[tuple[int, ...], ...]) -> tuple[Integers, Floats] | None:
    """The sums of squared rank sums that permutations of ranks give, with their probabilities; None if too many.

    The columns are added one by one. What is kept are the different rank sums that can arise, each sorted (which row
    has which sum does not matter, neither for the statistic nor for what follows), and the probability of each.

    Args:
        columns: each with its centred, doubled ranks in ascending order.
    """
    if not columns:
        return None
    count = len(columns[0])
    reach = len(columns) * (count - 1)
    # Rank sums become one integer each, to the base 2·reach + 1; it must fit into 64 bits with a sign.
    if (2 * reach + 1) ** (count - 1) >= 2**62:
        return None
    powers = (2 * reach + 1) ** np.arange(count - 1, dtype=np.int64)
    sums = np.array(columns[:1])  # of the first column any order will do: rows are exchangeable
    probabilities: Floats = np.ones(1)
    steps = 0
    orders_by_column: dict[tuple[int, ...], Integers] = {}
    for column in columns[1:]:
        order_count = count_orders(column)
        steps += len(sums) * order_count
        if steps > MOST_STEPS or order_count > MOST_ORDERS:
            return None
        if column not in orders_by_column:
            orders_by_column[column] = np.array(sorted(set(permutations(column))))
        grown = (sums[:, None, :] + orders_by_column[column]).reshape(-1, count)
        grown.sort(axis=1)
        codes = (grown[:, :-1] + reach) @ powers  # the last sum follows from the others
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        sums = grown[first]
        weights = np.repeat(probabilities / order_count, order_count)
        probabilities = np.bincount(place, weights=weights).astype(np.float64)
    return (sums**2).sum(axis=1), probabilities


def count_orders(values: Sequence[int]) -> int:
    """How many different orders some values have.

    >>> count_orders([1, 1, 2])
    3
    """
    orders = math.factorial(len(values))
    for value in set(values):
        orders //= math.factorial(values.count(value))
    return orders
