"""Critical values of correlations: from which |r|, |ρ| or |τ| on the p of `correlation_p` is below a level."""

from __future__ import annotations

import bisect
import functools
import math

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.exact import MOST_EXACT, orders_by_score, orders_by_sum
from pyramidion.statistics.correlation.kendall import (
    MOST_EXACT as MOST_UNTIED,
)
from pyramidion.statistics.correlation.kendall import count_ties, exact_p, score_variance
from pyramidion.statistics.values import mid_ranks, t_critical


def critical_correlation(x: Floats, z: Floats, *, coefficient: Coefficient, level: float) -> float:
    """The |r|, |ρ| or |τ-b| of two vectors beyond which the two-sided p is below the level; NaN if p never is.

    The distribution is that of `correlation_p`: t (Pearson, Spearman), all orders of few values (Spearman, Kendall), or
    Kendall's own. Where only some values are possible, it lies halfway between the last that is not significant and
    the first that is.

    >>> eight = np.arange(8.0)
    >>> round(critical_correlation(eight, eight, coefficient="kendall", level=0.05), 3)  # .571 is not, .643 is
    0.607
    """
    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(z) == 0:
        return np.nan
    if coefficient == "kendall":
        return _kendall(x, z, level)
    if coefficient == "spearman" and n <= MOST_EXACT:
        return _exact_spearman(x, z, level)
    quantile = float(t_critical(100 * (1 - level), n - 2))
    return quantile / math.sqrt(quantile * quantile + n - 2)


def _exact_spearman(x: Floats, z: Floats, level: float) -> float:
    """Over all orders of one side; ρ is a sum of products of ranks up to constants (`exact_spearman_p`)."""
    ranks = [np.rint(2 * mid_ranks(values) - 2).astype(int) for values in (x, z)]
    orders = orders_by_sum(*(tuple(sorted(sample.tolist())) for sample in ranks))
    n = len(x)
    scale = math.sqrt(math.prod(float(((sample - (n - 1)) ** 2).sum()) for sample in ranks))
    return _halfway(np.abs(np.arange(len(orders)) - n * (n - 1) ** 2), orders, level) / scale


def _kendall(x: Floats, z: Floats, level: float) -> float:
    """By the distribution that `correlation_p` takes for the number of values and their ties."""
    n = len(x)
    pairs = n * (n - 1) // 2
    ties_x, ties_z = count_ties(x), count_ties(z)
    scale = math.sqrt((pairs - ties_x[0]) * (pairs - ties_z[0]))
    if n <= MOST_EXACT:
        groups, ranks = np.unique(x, return_counts=True)[1], np.unique(z, return_inverse=True)[1]
        orders = orders_by_score(tuple(groups.tolist()), tuple(sorted(ranks.tolist())))
        return _halfway(np.abs(np.arange(len(orders)) - len(orders) // 2), orders, level) / scale
    if n <= MOST_UNTIED and not (ties_x[0] or ties_z[0]):
        return _untied_kendall(n, level)
    from scipy import special

    quantile = float(special.ndtri(1 - level / 2))
    return quantile * math.sqrt(score_variance(n, ties_x, ties_z)) / scale


@functools.lru_cache(maxsize=1024)
def _untied_kendall(n: int, level: float) -> float:
    """The critical |τ| of n values without ties; p rises with the number of discordant pairs."""
    pairs = n * (n - 1) // 2
    too_many = bisect.bisect_left(range(pairs // 2 + 1), level, key=lambda discordant: exact_p(n, discordant))
    if not too_many:
        return np.nan
    return (pairs - 2 * (too_many - 0.5)) / pairs


def _halfway(distances: Integers, orders: Integers, level: float) -> float:
    """Between the largest distance from the middle whose p is not below the level, and the next that is possible."""
    possible = np.unique(distances[orders > 0])
    counts = np.array([int(orders[distances >= distance].sum()) for distance in possible], dtype=np.float64)
    significant = counts / int(orders.sum()) < level
    if not significant.any():
        return np.nan
    first = int(significant.argmax())
    return (float(possible[first - 1]) + float(possible[first])) / 2
