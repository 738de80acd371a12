"""Tukey's test of all pairs of means; letters that say which of them do not differ significantly; ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.values import SLACK, snap_ties
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
    means = snap_ties(anova.row_means)
    differences = np.abs(means[:, None] - means[None, :])
    critical = q * np.sqrt(anova.mean_square * anova.difference_variances / 2)
    # DUC's rule is "at least", so a difference that equals the critical one up to rounding counts; where all
    # residuals are 0 the critical difference is 0, too, and equal means still do not differ.
    differs = (differences >= critical * (1 - SLACK)) & (differences > 0)
    off_diagonal = critical[~np.eye(count, dtype=np.bool_)]
    least, largest = float(off_diagonal.min()), float(off_diagonal.max())
    return TukeyTest(
        q=q,
        mean_square=anova.mean_square,
        degrees_of_freedom=anova.degrees_of_freedom,
        # With missing cells every pair has its own; a single number would be wrong for most of them.
        critical_difference=largest if math.isclose(least, largest, rel_tol=1e-9) else math.nan,
        least_difference=least,
        largest_difference=largest,
        differs=differs,
    )


def rank_intervals(is_better: Bools) -> tuple[Integers, Integers]:
    """The best and the worst rank of each row that significant differences leave open.

    From 1 + the number of rows significantly better to the number of rows less those significantly worse. If the tests
    of all pairs together make a false finding, or one in the wrong direction, with a chance of at most α, all intervals
    together contain the true ranks with a confidence of at least 1 − α (Mogstad, Romano, Shaikh and Wilhelm, Rev. Econ.
    Stud. 91, 2024, section 3); of rows that are equal, they contain each rank that these rows share.

    Args:
        is_better: rows × rows: whether the row is significantly better than the column.

    >>> lower, upper = rank_intervals(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    >>> lower.tolist(), upper.tolist()
    ([1, 1, 2], [2, 3, 3])
    """
    lower = 1 + is_better.sum(axis=0)
    upper = len(is_better) - is_better.sum(axis=1)
    return lower, upper


MOST_GROUPS = 2000
"""Nobody can read more groups than this; only odd relations of many rows have them."""


def letter_groups(differs: Bools, order: Sequence[int]) -> list[list[int]] | None:
    """The groups of rows that share a letter, by insert-and-absorb (Piepho, J. Comput. Graph. Stat. 13, 2004).

    At first one group holds all rows. For each row, a group that also holds rows from which it differs is split into
    the group without the row and the group without the others; a group that lies within another is absorbed. (The
    pairs of one row are inserted at once: the groups are the same, whatever the order of insertion.)

    Args:
        differs: rows × rows, symmetric: whether a pair differs significantly.
        order: the rows from best to worst.

    Returns:
        Groups in the order of their letters, by the best member, then by the next; rows of a group best first. None
        when there are more groups than anyone can read.
    """
    size = len(differs)
    if differs.shape != (size, size) or sorted(order) != list(range(size)):
        raise UsageError("letters need a square matrix of pairs, and an order that names every row once")
    if not np.array_equal(differs, differs.T) or differs.diagonal().any():
        raise UsageError("letters need a symmetric relation in which no row differs from itself")
    if size == 0:
        return []
    ranked = differs[np.ix_(order, order)]
    # A set of rows is one integer of Python: a split is an AND, however many rows there are.
    rivals = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in ranked]
    groups = [(1 << size) - 1]
    for place, rival_bits in enumerate(rivals):
        bit = 1 << place
        groups = _absorb(_split(groups, bit, rival_bits))
        if len(groups) > MOST_GROUPS:
            return None
    # Places are ranks, so sorting the lists orders groups by their best member, then by the next.
    members = sorted([place for place in range(size) if group >> place & 1] for group in groups)
    return [[order[place] for place in group] for group in members]


def assign_letters(differs: Bools, order: Sequence[int]) -> list[str] | None:
    """For each row the letters of its groups, A for the group of the best; see `letter_groups`.

    From the 27th group on, letters have two characters (AA, AB, …), and then blanks stand between letters.
    """
    groups = letter_groups(differs, order)
    if groups is None:
        return None
    names = [letter_name(number) for number in range(len(groups))]
    between = " " if len(groups) > 26 else ""
    return [
        between.join(name for name, group in zip(names, groups, strict=True) if row in group)
        for row in range(len(differs))
    ]


def letter_name(number: int) -> str:
    """The letter of a group: A … Z, AA, AB, … for 0, 1, …."""
    name = ""
    number += 1
    while number:
        # Bijective base 26, as columns of spreadsheets are named: there is no letter for zero.
        number, digit = divmod(number - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def _split(groups: list[int], bit: int, rival_bits: int) -> list[int]:
    """The groups (sets as bits) after all pairs of one row have been inserted."""
    after: list[int] = []
    for group in groups:
        if group & bit and group & rival_bits:
            after += [group & ~bit, group & ~rival_bits]
        else:
            after.append(group)
    return after


def _absorb(groups: list[int]) -> list[int]:
    """The groups that lie within no other; equal ones once."""
    kept: list[int] = []
    # From the largest down, a group can lie only within one that was kept before it.
    for group in sorted(set(groups), key=int.bit_count, reverse=True):
        if not any(group & larger == group for larger in kept):
            kept.append(group)
    return kept
