"""The exact one-sided critical value of Spearman's rank correlation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.statistics.distributions import t_critical

LARGEST_EXACT = 12
"""Up to this many ranked summaries every permutation is counted; beyond, t with N − 2 degrees of freedom is used."""


@dataclass(frozen=True, kw_only=True)
class Critical:
    """The smallest r_s that independent rankings reach with a probability of at most 1 − confidence."""

    value: float
    """NaN if no r_s is that improbable: too few summaries are ranked."""
    p: float
    """The probability of reaching it."""
    method: Literal["exact", "t"]


def spearman_critical(n: int, *, confidence: float = 95.0) -> Critical:
    """The critical value for rankings of n without ties, one-sided.

    r_s = 1 − 6 Σd² / (n (n² − 1)), and under independence all n! permutations are equally likely. For n = 5 and 95 %
    it is .9 (p = 5/120).
    """
    level = (100 - confidence) / 100
    if n > LARGEST_EXACT:
        return _by_t(n, level)
    counts = _permutations_by_distance(n)
    tail = np.cumsum(counts) / counts.sum()  # Σd² small: r_s large
    reached = np.nonzero((tail <= level) & (counts > 0))[0]
    if n < 2 or not len(reached):
        return Critical(value=float("nan"), p=float("nan"), method="exact")
    distance = int(reached[-1])
    return Critical(value=1 - 6 * distance / (n * (n * n - 1)), p=float(tail[distance]), method="exact")


@cache
def _permutations_by_distance(n: int) -> Integers:
    """How many permutations of n have Σ (i − π(i))² = 0, 1, 2, …; counted place by place over the values used."""
    most = n * (n * n - 1) // 3
    ways = {0: np.eye(1, most + 1, dtype=np.int64)[0]}
    for place in range(n):
        following: dict[int, Integers] = {}
        for used, counts in ways.items():
            for value in range(n):
                if not used >> value & 1:
                    step = (place - value) ** 2
                    moved = np.concatenate([np.zeros(step, dtype=np.int64), counts[: most + 1 - step]])
                    both = used | 1 << value
                    following[both] = following[both] + moved if both in following else moved
        ways = following
    counted: Integers = ways[(1 << n) - 1]
    return counted


def _by_t(n: int, level: float) -> Critical:
    critical = float(t_critical(100 - 200 * level, n - 2))
    return Critical(value=critical / (n - 2 + critical**2) ** 0.5, p=level, method="t")
