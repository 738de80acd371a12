"""Looking early: a test that stays valid after every topic (an e-value with a normal prior of the effect).

e_n = k^(−½)·[(1 + t²/ν)/(1 + t²/(νk))]^(n/2), k = 1 + g·n, ν = n − 1: the marginal likelihood of t under an effect
drawn from N(0, g), divided by that under no effect. P(e_n ≥ 1/α for some n) ≤ α if there is no difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, quotients

PRIOR = 0.25
"""g, the variance of the effect (difference / standard deviation) that the test looks for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialTest:
    """One entry for each number of topics, from 1 on."""

    mean: Floats
    e: Floats
    """The evidence for a difference so far; 1 while there is no spread."""
    p: Floats
    """min(1, 1/max e) up to here."""
    lower: Floats
    """Limits that hold at all times together; NaN while they would be infinite."""
    upper: Floats

    def decided(self, confidence: float) -> int | None:
        """After how many topics the evidence suffices; None if it does not."""
        there = np.nonzero(self.e >= 1 / (1 - confidence / 100))[0]
        return int(there[0]) + 1 if len(there) else None


def sequential_test(differences: Floats, *, confidence: float) -> SequentialTest:
    """Test paired differences one after the other, in the order given."""
    count = np.arange(1, len(differences) + 1, dtype=np.float64)
    mean = np.cumsum(differences) / count
    centred = differences - differences.mean()
    squares = np.maximum(np.cumsum(centred**2) - np.cumsum(centred) ** 2 / count, 0.0)
    freedom = np.maximum(count - 1, 1.0)
    spread = np.where(count > 1, np.sqrt(squares / freedom), 0.0)
    scale = np.abs(mean).max(initial=0.0) * 1e-12
    varies = spread > scale
    t = np.divide(mean * np.sqrt(count), spread, out=np.zeros_like(mean), where=varies)
    e = np.where(varies, e_value(count, t), 1.0)
    p = np.minimum(1.0, 1.0 / np.maximum.accumulate(np.maximum(e, np.finfo(np.float64).tiny)))
    k = 1 + PRIOR * count
    alpha = 1 - confidence / 100
    ratio = (np.sqrt(k) / alpha) ** (2 / count)
    finite = varies & (ratio < k)
    inside = quotients(freedom * (ratio - 1), 1 - ratio / k, where=finite)
    half = spread / np.sqrt(count) * np.sqrt(inside)
    return SequentialTest(mean=mean, e=e, p=p, lower=mean - half, upper=mean + half)


def e_value(n: Floats, t: Floats) -> Floats:
    """The evidence of a paired t over n topics (n ≥ 2)."""
    freedom = np.maximum(n - 1, 1.0)
    k = 1 + PRIOR * n
    log = -0.5 * np.log(k) + n / 2 * (np.log1p(t**2 / freedom) - np.log1p(t**2 / (freedom * k)))
    return np.asarray(np.exp(np.minimum(log, 700.0)))
