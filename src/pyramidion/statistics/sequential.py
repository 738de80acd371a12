"""Looking early: tests that stay valid after every topic.

On a known scale the test is a betting confidence sequence (`statistics.betting`), exact whatever the differences.

Without a scale it is an e-value with a normal prior of the effect: e_n = k^(−½)·[(1 + t²/ν)/(1 + t²/(νk))]^(n/2) with
k = 1 + g·n and ν = n − 1: the marginal likelihood of t under an effect drawn from N(0, g), divided by that under none.
P(e_n ≥ 1/α for some n) ≤ α if there is no difference, if topics are independent and come in random order, and if
differences are roughly normal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.betting import betting_sequence
from pyramidion.statistics.values import quotients

PRIOR = 0.25
"""g, the variance of the effect (difference / standard deviation) that the test looks for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialTest:
    """One entry for each number of topics (or of clusters), from 1 on."""

    mean: Floats
    e: Floats
    """The evidence for a difference so far; 1 while there is none."""
    p: Floats
    """min(1, 1/max e) up to here."""
    lower: Floats
    """What all limits up to here have in common, as p is the smallest up to here; NaN while limits are infinite.

    NaN, too, where nothing is in common.
    """
    upper: Floats
    last_lower: float
    """Limits by all topics alone, whatever an earlier look excluded; NaN if they are infinite."""
    last_upper: float

    def decided(self, confidence: float) -> int | None:
        """After how many topics the evidence suffices; None if it does not."""
        places = np.nonzero(self.p <= (1 - confidence / 100) * (1 + 1e-12))[0]
        return int(places[0]) + 1 if len(places) else None


def bounded_test(
    differences: Floats, *, largest: float, confidence: float, sizes: Floats | None = None
) -> SequentialTest:
    """Bet on paired differences one after the other, in the order given.

    Args:
        differences: one for each topic, or the mean of each cluster.
        largest: what a difference can be at most, whichever way.
        confidence: in percent.
        sizes: of the clusters; larger ones count for more.
    """
    weights = None if sizes is None else sizes / sizes.max(initial=1.0)
    counts = np.ones(len(differences)) if sizes is None else sizes
    sequence = betting_sequence(
        differences, bounds=(-largest, largest), confidence=confidence, null=0.0, weights=weights
    )
    return SequentialTest(
        mean=np.cumsum(differences * counts) / np.cumsum(counts),
        e=sequence.e,
        p=sequence.p,
        lower=sequence.lower,
        upper=sequence.upper,
        last_lower=sequence.last_lower,
        last_upper=sequence.last_upper,
    )


def sequential_test(differences: Floats, *, confidence: float) -> SequentialTest:
    """Test paired differences one after the other, in the order given, by the e-value with a normal prior.

    Args:
        differences: one for each topic; roughly normal.
        confidence: in percent.
    """
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
    lower, upper = np.fmax.accumulate(mean - half), np.fmin.accumulate(mean + half)
    in_common = lower <= upper
    return SequentialTest(
        mean=mean,
        e=e,
        p=p,
        lower=np.where(in_common, lower, np.nan),
        upper=np.where(in_common, upper, np.nan),
        last_lower=float(mean[-1] - half[-1]),
        last_upper=float(mean[-1] + half[-1]),
    )


def skewness_of(differences: Floats) -> float:
    """The third standardised moment, Σ(d − m)³/n / (Σ(d − m)²/n)^(3/2); 0 if nothing varies."""
    centred = differences - differences.mean()
    spread = float(np.sqrt((centred**2).mean()))
    if spread <= np.abs(differences).max(initial=0.0) * 1e-12:
        return 0.0
    return float(((centred / spread) ** 3).mean())


def e_value(n: Floats, t: Floats) -> Floats:
    """The evidence of a paired t over n topics (n ≥ 2)."""
    freedom = np.maximum(n - 1, 1.0)
    k = 1 + PRIOR * n
    log = -0.5 * np.log(k) + n / 2 * (np.log1p(t**2 / freedom) - np.log1p(t**2 / (freedom * k)))
    return np.asarray(np.exp(np.minimum(log, 700.0)))
