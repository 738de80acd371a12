"""Exact p values of Spearman's and Kendall's coefficients over few items, and of any of ±1: shares of all orders."""

from __future__ import annotations

import functools
import math
from itertools import combinations

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.values import SLACK, SMALLEST, mid_ranks

MOST_EXACT = 9
"""Up to this many items, p of Spearman's and of Kendall's coefficient is exact."""


def exact_spearman_p(x: Floats, z: Floats) -> float:
    """Two-sided: the share of all orders of one side whose |ρ| is at least as large; ties stay tied.

    ρ is Σ r·s up to constants, where r and s are 2·(mid-rank − 1): sums of whole numbers.
    """
    # Doubled, because mid-ranks of ties end in .5: sums of whole numbers compare exactly.
    ranks = [np.rint(2 * mid_ranks(values) - 2).astype(int) for values in (x, z)]
    orders = orders_by_sum(*(tuple(sorted(sample.tolist())) for sample in ranks))
    middle = (len(x) - 1) * (len(x) - 1) * len(x)  # where ρ is 0
    extreme = np.abs(np.arange(len(orders)) - middle) >= abs(int(ranks[0] @ ranks[1]) - middle)
    return int(orders[extreme].sum()) / math.factorial(len(x))


@functools.lru_cache(maxsize=256)
def orders_by_sum(first: tuple[int, ...], second: tuple[int, ...]) -> Integers:
    """How many orders of the second have Σ first·second = 0, 1, 2, …; both rising, and not below 0.

    Set by set of the second's items: the sums of the first k items with a set of k, from those of k − 1.
    """
    largest = sum(x * y for x, y in zip(first, second, strict=True))
    by_set: dict[int, Integers] = {0: np.eye(1, largest + 1, dtype=np.int64)[0]}
    for factor in first:
        longer: dict[int, Integers] = {}
        for chosen, orders in by_set.items():
            for place, value in enumerate(second):
                if not chosen >> place & 1:
                    step = factor * value
                    sums = longer.setdefault(chosen | 1 << place, np.zeros(largest + 1, dtype=np.int64))
                    sums[step:] += orders[: largest + 1 - step]
        by_set = longer
    return by_set[(1 << len(second)) - 1]


def exact_kendall_p(x: Floats, z: Floats) -> float:
    """Two-sided: the share of all orders of one side whose |τ-b| is at least as large; ties stay tied.

    τ-b is the concordant less the discordant pairs up to a constant, because all orders have the same ties.
    """
    first, second = np.triu_indices(len(x), 1)
    score = int((np.sign(x[first] - x[second]) * np.sign(z[first] - z[second])).sum())
    groups, ranks = np.unique(x, return_counts=True)[1], np.unique(z, return_inverse=True)[1]
    orders = orders_by_score(tuple(groups.tolist()), tuple(sorted(ranks.tolist())))
    extreme = np.abs(np.arange(len(orders)) - len(orders) // 2) >= abs(score)
    return int(orders[extreme].sum()) / math.factorial(len(x))


@functools.lru_cache(maxsize=1024)
def orders_by_score(groups: tuple[int, ...], ranks: tuple[int, ...]) -> Integers:
    """How many orders of the ranks have as many concordant less discordant pairs as their place from the middle.

    The other side rises in groups of equal values. Group by group: a set of ranks that goes to a group, after those of
    the groups before it, gives the pairs between them; within the group there are none.
    """
    n = len(ranks)
    pairs = n * (n - 1) // 2
    signs = np.sign(np.subtract.outer(ranks, ranks))
    by_set: dict[int, Integers] = {0: np.eye(1, 2 * pairs + 1, pairs, dtype=np.int64)[0]}
    for size in groups:
        longer: dict[int, Integers] = {}
        for chosen, orders in by_set.items():
            before = [place for place in range(n) if chosen >> place & 1]
            above = signs[:, before].sum(axis=1).tolist()
            free = (place for place in range(n) if not chosen >> place & 1)
            for group in combinations(free, size):
                now = chosen | sum(1 << place for place in group)
                sums = longer.setdefault(now, np.zeros(2 * pairs + 1, dtype=np.int64))
                sums += math.factorial(size) * np.roll(orders, sum(above[place] for place in group))
        by_set = longer
    return by_set[(1 << n) - 1]


def perfect_p(x: Floats, z: Floats) -> float:
    """Two-sided p of a coefficient of ±1 over any number of items: the share of orders with ±1.

    Items that are tied may change places; and if one side is symmetric, its reverse is perfect, too.
    """
    ties = np.unique(z, return_counts=True)[1]
    orders = 2.0 if _symmetric(x) and _symmetric(z) else 1.0
    # By logarithms: n! is too large for a float from 171 items on.
    logarithm = math.log(orders) + sum(math.lgamma(tied + 1) for tied in ties.tolist()) - math.lgamma(len(x) + 1)
    return min(max(math.exp(logarithm), SMALLEST), 1.0)


def _symmetric(values: Floats) -> bool:
    """Whether the values, turned round their middle, are the same values."""
    ordered = np.sort(values)
    middle = ordered[0] + ordered[-1]
    return bool(np.abs(ordered + ordered[::-1] - middle).max() <= SLACK * np.ptp(ordered))
