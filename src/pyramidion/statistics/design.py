"""What a design of topics, assessors and references can detect, from variance components.

The variance of a difference of two summarizers' means is v = 2·(σ²sa/A + σ²st/T + σ²e/(T·m)) with A assessors, T topics
and m judgments of each summary, or v = 2·(σ²st/T + σ²sm/(T·M)) with M references for an automatic measure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats


def judged_design(
    *, systems: int, topics: Any, assessors: Any, judgments: Any, sa: Any, st: Any, e: Any
) -> tuple[Floats, Floats]:
    """Variance and degrees of freedom of a difference; arguments may be arrays.

    One judgment of each summary: df = (S − 1)(A − 1). Several: Satterthwaite's, from the mean squares of summarizer ×
    assessor, summarizer × topic and error; exact in v, and up to 5 % high in df where 1 < m < A.
    """
    topics, assessors, judgments, sa, st, e = np.broadcast_arrays(
        *(np.asarray(numbers, dtype=np.float64) for numbers in (topics, assessors, judgments, sa, st, e))
    )
    error = 2 * e / (topics * judgments)
    by_assessor, by_topic = 2 * sa / assessors + error, 2 * st / topics + error
    variance = 2 * sa / assessors + 2 * st / topics + error
    rest = np.maximum(topics * judgments - topics - assessors + 1, 1.0)
    # Shares of the variance, because the squares of very small or very large variances can't be computed.
    parts = [(by_assessor, assessors - 1), (by_topic, topics - 1), (error, rest)]
    spread = sum((part / variance) ** 2 / freedom for part, freedom in parts)
    several = (systems - 1) / spread
    return variance, np.where(judgments == 1, (systems - 1) * (assessors - 1), several)


def measured_design(*, systems: int, topics: Any, models: Any, st: Any, sm: Any) -> tuple[Floats, Floats]:
    """Variance and degrees of freedom of a difference on an automatic measure: df = (S − 1)(T − 1)."""
    topics, models, st, sm = np.broadcast_arrays(
        *(np.asarray(numbers, dtype=np.float64) for numbers in (topics, models, st, sm))
    )
    return 2 * (st / topics + sm / (topics * models)), (systems - 1) * (topics - 1)


LARGEST_SHIFT = 37.0
"""Of the noncentral t that scipy computes."""


def design_power(
    difference: float, variance: Any, freedom: Any, *, alpha: float, critical: float | None = None
) -> Floats:
    """The chance that a two-sided t test detects the difference: noncentral t, shifted by δ/√v.

    The critical value is that of a single test at level α; another one, such as q/√2 of Tukey's test of all pairs, can
    be given instead.

    Shifts beyond `LARGEST_SHIFT`, which the noncentral t can't be computed for, are so large that only the estimated
    standard error still varies: the test detects them if χ²/df is below (shift / critical value)².
    """
    from scipy import special

    shift = np.asarray(difference / np.sqrt(variance))
    if critical is None:
        critical = special.stdtrit(freedom, 1 - alpha / 2)
    above, below = (special.nctdtr(freedom, np.minimum(shift, LARGEST_SHIFT), limit) for limit in (critical, -critical))
    power = 1 - above + np.nan_to_num(below)
    power = np.where(np.isnan(above), 1.0, power)
    of_large_shift = special.chdtr(freedom, freedom * (shift / critical) ** 2)
    return np.asarray(np.clip(np.where(shift > LARGEST_SHIFT, of_large_shift, power), 0.0, 1.0))


def detectable_shift(freedom: Any, *, power: float, alpha: float) -> Floats:
    """The difference, in units of its standard error, that a two-sided t test detects with this power.

    >>> float(detectable_shift(1e6, power=0.8, alpha=0.05).round(3))  # z(.975) + z(.8)
    2.802
    """
    freedom = np.asarray(freedom, dtype=np.float64)
    low, high = np.zeros(freedom.shape), np.ones(freedom.shape)

    def is_enough(shift: Floats) -> Bools:
        return np.asarray(design_power(1.0, 1 / np.maximum(shift, 1e-12) ** 2, freedom, alpha=alpha) >= power)

    while (lacking := ~is_enough(high)).any():
        high = np.where(lacking, 2 * high, high)
    for _ in range(50):
        middle = (low + high) / 2
        enough = is_enough(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def least_topics(is_enough: Callable[[Floats], Bools], *, draws: int, fewest: int = 2, most: int = 10**6) -> Floats:
    """For each draw of the variances the fewest topics that suffice; infinite where even `most` do not.

    Args:
        is_enough: for these numbers of topics, one for each draw, whether they suffice.
        draws: how many there are.
        fewest: topics that a design has at least.
        most: topics that a design can have.
    """
    low = np.full(draws, fewest - 1.0)
    high = np.full(draws, float(fewest))
    while (lacking := ~is_enough(high) & (high < most)).any():
        low = np.where(lacking, high, low)
        high = np.where(lacking, np.minimum(2 * high, most), high)
    reached = is_enough(high)
    while (open_ := reached & (high - low > 1)).any():
        middle = np.where(open_, np.floor((low + high) / 2), high)
        enough = is_enough(middle)
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle, low)
    return np.where(reached, high, np.inf)
