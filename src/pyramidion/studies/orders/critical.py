"""The exact one-sided critical value of Spearman's rank correlation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.statistics.correlation.exact import orders_by_sum
from pyramidion.statistics.values import t_critical

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
    counts = orders_by_sum(tuple(range(n)), tuple(range(n)))[::-1]  # by Σd²/2 = Σi² − Σi·π(i); small: r_s large
    tail = np.cumsum(counts) / counts.sum()
    reached = np.nonzero((tail <= level) & (counts > 0))[0]
    if n < 2 or not len(reached):
        return Critical(value=float("nan"), p=float("nan"), method="exact")
    half = int(reached[-1])
    return Critical(value=1 - 6 * (2 * half) / (n * (n * n - 1)), p=float(tail[half]), method="exact")


def _by_t(n: int, level: float) -> Critical:
    critical = float(t_critical(100 - 200 * level, n - 2))
    return Critical(value=critical / (n - 2 + critical**2) ** 0.5, p=level, method="t")
