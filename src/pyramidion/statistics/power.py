"""Power of the paired t test: how many topics detect a difference, and which difference some topics can detect.

The mean of n paired differences with standard deviation s is tested two-sided at level α with n − 1 degrees of freedom.
With a true difference δ, t is noncentral with parameter δ√n/s (Cohen, Statistical Power Analysis, 1988, chapter 2).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pyramidion.errors import UsageError

MOST_TOPICS = 10**9
"""Beyond this a difference can't be detected in practice, and the search ends."""

EQUIVALENCE_STEPS = 2000
"""Quantiles of the standard deviation over which the power of equivalence is averaged."""


def paired_power(
    *, difference: float, sd: float, topics: int, alpha: float = 0.05, freedom_share: float = 1.0
) -> float:
    """The chance that n topics detect a difference of this size: P(|t| > t(1 − α/2; n − 1)) for noncentral t.

    The same for n clusters of topics; where these have unequal sizes, t has only a share of n − 1 degrees of freedom.
    """
    from scipy import special

    _check(sd=sd, alpha=alpha)
    if topics < 2:
        raise UsageError(f"topics {topics}: expected 2 or more, which the spread of differences needs")
    freedom = freedom_share * (topics - 1)
    shift = abs(difference) * math.sqrt(topics) / sd
    critical = float(special.stdtrit(freedom, 1 - alpha / 2))
    above, below = (float(special.nctdtr(freedom, shift, limit)) for limit in (critical, -critical))
    if math.isnan(above):  # the shift is so large that only the spread in the denominator still varies
        return float(special.chdtr(freedom, freedom * (shift / critical) ** 2))
    return min(1.0, max(0.0, 1 - above + (0.0 if math.isnan(below) else below)))


def equivalence_power(
    *, margin: float, sd: float, topics: int, alpha: float = 0.05, freedom_share: float = 1.0
) -> float:
    """The chance that the 1 − α interval of two equal systems lies within ±margin, with n topics.

    These are two one-sided tests at α/2 each (Schuirmann 1987): E[2Φ(margin·√n/σ − t(1 − α/2; n − 1)·s/σ) − 1] over the
    distribution of s, and 0 where the interval is wider than the margins.
    """
    from scipy import special

    _check(sd=sd, alpha=alpha)
    if topics < 2:
        raise UsageError(f"topics {topics}: expected 2 or more, which the spread of differences needs")
    freedom = freedom_share * (topics - 1)
    critical = float(special.stdtrit(freedom, 1 - alpha / 2))
    shares = (np.arange(EQUIVALENCE_STEPS) + 0.5) / EQUIVALENCE_STEPS
    spreads = np.sqrt(2 * special.gammaincinv(freedom / 2, shares) / freedom)
    room = margin * math.sqrt(topics) / sd - critical * spreads
    within = 2 * special.ndtr(np.maximum(room, 0.0)) - 1
    return float(within.mean())


def topics_for_equivalence(
    *, difference: float, sd: float, power: float = 0.8, alpha: float = 0.05, freedom_share: float = 1.0
) -> int | None:
    """The smallest number of topics that shows two equal systems to be within ±difference; None above a billion."""
    _check(sd=sd, alpha=alpha, power=power)

    def enough(topics: int) -> bool:
        chance = equivalence_power(margin=difference, sd=sd, topics=topics, alpha=alpha, freedom_share=freedom_share)
        return chance >= power

    return _smallest(enough)


def topics_needed(
    *, difference: float, sd: float, power: float = 0.8, alpha: float = 0.05, freedom_share: float = 1.0
) -> int | None:
    """The smallest number of topics that detects the difference with this power; None above a billion."""
    _check(sd=sd, alpha=alpha, power=power)
    if difference == 0 or not math.isfinite(difference):
        raise UsageError(f"difference {difference:g}: expected a difference other than 0")

    def enough(topics: int) -> bool:
        chance = paired_power(difference=difference, sd=sd, topics=topics, alpha=alpha, freedom_share=freedom_share)
        return chance >= power

    return _smallest(enough)


def _smallest(enough: Callable[[int], bool]) -> int | None:
    """The smallest number of topics that is enough; None above a billion."""
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST_TOPICS:
            return None
    low = high // 2  # not enough, or 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def detectable_difference(
    *, topics: int, sd: float, power: float = 0.8, alpha: float = 0.05, freedom_share: float = 1.0
) -> float:
    """The smallest difference that this number of topics detects with this power."""
    from scipy import optimize

    _check(sd=sd, alpha=alpha, power=power)
    if power <= alpha:
        raise UsageError(
            f"power {power:g}: the test finds a difference by chance with {alpha:g}; expected more than that"
        )

    def lacking(standardised: float) -> float:
        chance = paired_power(difference=standardised, sd=1.0, topics=topics, alpha=alpha, freedom_share=freedom_share)
        return chance - power

    high = 1.0
    while lacking(high) < 0:
        high *= 2
    return sd * float(optimize.brentq(lacking, 0.0, high, xtol=1e-12, rtol=1e-12))


def variance_limits(variance: float, degrees_of_freedom: float, *, confidence: float) -> tuple[float, float]:
    """The interval of a variance estimated with df degrees of freedom: df·s²/χ² quantiles."""
    from scipy import special

    tail = (100 - confidence) / 200
    lower, upper = (2 * float(special.gammaincinv(degrees_of_freedom / 2, share)) for share in (1 - tail, tail))
    total = variance * degrees_of_freedom
    return total / lower, total / upper


def _check(*, sd: float, alpha: float, power: float = 0.5) -> None:
    if not (sd > 0 and math.isfinite(sd)):
        raise UsageError(f"sd {sd:g}: expected the standard deviation of paired differences, more than 0")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha:g}: expected a level between 0 and 1, such as 0.05")
    if not 0 < power < 1:
        raise UsageError(f"power {power:g}: expected a chance between 0 and 1, such as 0.8")
