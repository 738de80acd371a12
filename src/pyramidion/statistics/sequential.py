"""Looking early: a test that stays valid after every topic (an e-value with a normal prior of the effect).

e_n = k^(−½)·[(1 + t²/ν)/(1 + t²/(νk))]^(n/2), k = 1 + g·n, ν = n − 1: the marginal likelihood of t under an effect
drawn from N(0, g), divided by that under no effect. P(e_n ≥ 1/α for some n) ≤ α if there is no difference, if topics
are independent and come in random order, and if differences are roughly normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.values import quotients

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
    """What all limits up to here have in common, as p is the smallest up to here; NaN while limits are infinite.

    NaN, too, where nothing is in common: then the differences are not what the test assumes.
    """
    upper: Floats
    is_shown: Bools
    """Whether enough topics were seen to rule out that unseen differences outweigh the mean.

    n topics do not rule out that a share of up to 1 − α^(1/n) of topics differs in a way that none of them does. Shown
    is a difference that would outweigh even this share, if it went the other way by the whole scale. Without a scale
    every difference counts as shown.
    """

    def decided(self, confidence: float) -> int | None:
        """After how many topics the evidence suffices; None if it does not."""
        enough = self.e >= 1 / (1 - confidence / 100)
        places = np.nonzero(enough & self.is_shown)[0]
        return int(places[0]) + 1 if len(places) else None


def sequential_test(differences: Floats, *, confidence: float, largest: float | None = None) -> SequentialTest:
    """Test paired differences one after the other, in the order given.

    Args:
        differences: one for each topic; roughly normal.
        confidence: in percent.
        largest: what a difference can be at most, whichever way, if the scores have a scale.
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
    is_shown = np.ones(len(differences), dtype=np.bool_)
    if largest is not None:
        is_shown = np.abs(mean) - half > largest * unseen_share(count, confidence=confidence)
    return SequentialTest(
        mean=mean,
        e=e,
        p=p,
        lower=np.where(in_common, lower, np.nan),
        upper=np.where(in_common, upper, np.nan),
        is_shown=is_shown,
    )


def unseen_share(n: Floats, *, confidence: float) -> Floats:
    """The largest share of topics of a kind that n random topics may all have missed: 1 − α^(1/n).

    >>> float(unseen_share(np.array(59.0), confidence=95).round(3))
    0.05
    """
    return np.asarray(1 - (1 - confidence / 100) ** (1 / n))


NORMAL_SKEWNESS = 2.576
"""Standard errors of the skewness within which 99 % of large normal samples stay."""
SKEWED = 0.5
"""A smaller skewness does the test no harm, however many topics show it."""


def skewness_of(differences: Floats) -> float:
    """The third standardised moment, Σ(d − m)³/n / (Σ(d − m)²/n)^(3/2); 0 if nothing varies."""
    centred = differences - differences.mean()
    spread = float(np.sqrt((centred**2).mean()))
    if spread <= np.abs(differences).max(initial=0.0) * 1e-12:
        return 0.0
    return float(((centred / spread) ** 3).mean())


def skewness_limit(n: int) -> float:
    """The skewness up to which n differences count as roughly normal.

    The standard error of the skewness of a normal sample is √(6(n − 2)/((n + 1)(n + 3))) (Fisher 1930).

    >>> round(skewness_limit(20), 2), skewness_limit(500)
    (1.22, 0.5)
    """
    error = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    return max(SKEWED, NORMAL_SKEWNESS * error)


def e_value(n: Floats, t: Floats) -> Floats:
    """The evidence of a paired t over n topics (n ≥ 2)."""
    freedom = np.maximum(n - 1, 1.0)
    k = 1 + PRIOR * n
    log = -0.5 * np.log(k) + n / 2 * (np.log1p(t**2 / freedom) - np.log1p(t**2 / (freedom * k)))
    return np.asarray(np.exp(np.minimum(log, 700.0)))
