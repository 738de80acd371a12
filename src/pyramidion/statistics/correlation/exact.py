"""Exact p values of Spearman's coefficient over few items, and of any coefficient of ±1: shares of all orders."""

from __future__ import annotations

import functools
import math

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.distributions import SMALLEST
from pyramidion.statistics.ties import SLACK, mid_ranks

MOST_EXACT = 9
"""Up to this many items, p of Spearman's coefficient is exact."""


def exact_spearman_p(x: Floats, z: Floats) -> float:
    """Two-sided: the share of all orders of one side whose |ρ| is at least as large; ties stay tied.

    With a = 2·(mid-rank) − (n + 1) on both sides, ρ is Σ a·c up to a constant, and its sums are whole numbers.
    """
    ranks = [np.rint(2 * mid_ranks(values) - (len(values) + 1)).astype(int) for values in (x, z)]
    observed = abs(int(ranks[0] @ ranks[1]))
    sums, counts = _sums_of_products(*(tuple(sorted(one.tolist())) for one in ranks))
    return sum(count for total, count in zip(sums, counts, strict=True) if abs(total) >= observed) / math.factorial(
        len(x)
    )


@functools.lru_cache(maxsize=256)
def _sums_of_products(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Σ first·second over all orders of the second: the sums that occur, and how often.

    Set by set of the second's items: the sums of the first k items with a set of k, from those of k − 1.
    """
    size = len(first)
    by_set: list[dict[int, int]] = [{} for _ in range(1 << size)]
    by_set[0] = {0: 1}
    for chosen in range((1 << size) - 1):
        factor = first[chosen.bit_count()]
        for place in range(size):
            if chosen >> place & 1:
                continue
            product, longer = factor * second[place], by_set[chosen | 1 << place]
            for total, count in by_set[chosen].items():
                longer[total + product] = longer.get(total + product, 0) + count
    found = by_set[-1]
    return list(found), list(found.values())


def perfect_p(x: Floats, z: Floats) -> float:
    """Two-sided p of a coefficient of ±1 over any number of items: the share of orders with ±1.

    Items that are tied may change places; and if one side is symmetric, its reverse is perfect, too.
    """
    ties = np.unique(z, return_counts=True)[1]
    orders = 2.0 if _symmetric(x) and _symmetric(z) else 1.0
    logarithm = math.log(orders) + sum(math.lgamma(tied + 1) for tied in ties.tolist()) - math.lgamma(len(x) + 1)
    return min(max(math.exp(logarithm), SMALLEST), 1.0)


def _symmetric(values: Floats) -> bool:
    """Whether the values, turned round their middle, are the same values."""
    ordered = np.sort(values)
    middle = ordered[0] + ordered[-1]
    return bool(np.abs(ordered + ordered[::-1] - middle).max() <= SLACK * np.ptp(ordered))
