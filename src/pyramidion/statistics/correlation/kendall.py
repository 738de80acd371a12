"""The p value of Kendall's τ-b as scipy.stats.kendalltau computes it, but never 0; importing it takes half a second."""

from __future__ import annotations

import math

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.values import SMALLEST, normal_p

MOST_EXACT = 33
"""Without ties, p is exact up to this many values."""
MANY = 512
"""From here on scipy's n·log n is quicker than all pairs."""


def kendall_p(x: Floats, z: Floats) -> float:
    """Two-sided p of at least three pairs: exact without ties, else normal with the variance corrected for ties."""
    n = len(x)
    if n > MANY:
        from scipy import stats

        return max(float(stats.kendalltau(x, z).pvalue), SMALLEST)
    first, second = np.triu_indices(n, 1)
    signs = np.sign(x[first] - x[second]) * np.sign(z[first] - z[second])
    discordant, pairs = int((signs < 0).sum()), len(signs)
    ties_x, ties_z = count_ties(x), count_ties(z)
    fewest = min(discordant, pairs - discordant)
    # scipy's own rule for method="auto", so that p is the same as there.
    if not (ties_x[0] or ties_z[0]) and (n <= MOST_EXACT or fewest <= 1):
        return exact_p(n, fewest)
    return normal_p(int(signs.sum()) / np.sqrt(score_variance(n, ties_x, ties_z)))


def score_variance(n: int, ties_x: tuple[int, int, int], ties_z: tuple[int, int, int]) -> float:
    """Variance of the concordant less the discordant pairs of n values without a correlation, corrected for ties."""
    tied_x, x0, x1 = ties_x
    tied_z, z0, z1 = ties_z
    m = n * (n - 1.0)
    return (m * (2 * n + 5) - x1 - z1) / 18 + (2 * tied_x * tied_z) / m + x0 * z0 / (9 * m * (n - 2))


def count_ties(values: Floats) -> tuple[int, int, int]:
    """Pairs of equal values, and the two sums over groups of equal values that the variance needs."""
    counts = np.unique(values, return_counts=True)[1]
    terms = (counts * (counts - 1) // 2, counts * (counts - 1) * (counts - 2), counts * (counts - 1) * (2 * counts + 5))
    return int(terms[0].sum()), int(terms[1].sum()), int(terms[2].sum())


def exact_p(n: int, discordant: int) -> float:
    """Twice the share of all orders of n values with at most this many discordant pairs (Kendall 1970)."""
    if 4 * discordant == n * (n - 1):
        return 1.0
    if discordant <= 1:
        # 171! is larger than any float.
        return 2.0 / math.factorial(n - discordant) if n - discordant < 171 else SMALLEST
    orders = np.zeros(discordant + 1)
    orders[0:2] = 1.0
    for size in range(3, n + 1):
        orders = np.cumsum(orders)
        if size <= discordant:
            orders[size:] -= orders[: discordant + 1 - size]
    return min(2.0 * float(np.sum(orders)) / math.factorial(n), 1.0)
