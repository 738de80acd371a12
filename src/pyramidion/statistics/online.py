"""Decisions one after another: e-values of a loss, and e-LOND, which bounds the share of false ones among them.

Commits share topics, so their p values depend on each other in unknown ways; e-values allow any dependence.
"""

from __future__ import annotations

import math

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.betting import LARGEST_LOG, PRIOR_MEAN, PRIOR_VARIANCE

LARGEST_SHARE = 0.9
"""Of the wealth that can be lost in one bet: late decisions ask for much, which smaller bets hardly reach."""
SPENDING_TOTAL = 3.3878
"""Σ 1/(t·log²(t + 1)) over t ≥ 1, 3.38773…, rounded up, so that what is spent never exceeds α."""


def loss_process(differences: Floats, highest: float, *, level: float, sizes: Floats | None = None) -> Floats:
    """The evidence against "the mean is at least 0" after each of some differences, which are at most `highest`.

    A bet of λ on a loss multiplies the stake by 1 − λd/highest. If the mean is at least 0 this is a supermartingale,
    whatever the shape of d, as long as λ is chosen before d is seen and the stake stays above 0 (Waudby-Smith and
    Ramdas 2024, section 4): the process may be looked at whenever topics are added. The bets are those of
    `betting_sequence`, for one side and tuned to the level: with x = d/(2·highest) + ½ and σ̂² the variance of the x
    before, λ = √(2·log(1/level)/(σ̂²·t·log(t + 1)))/2, at most 0.9. So the order of differences matters, and must be
    chosen without a look at them.

    Args:
        differences: one for each topic, or the mean of each cluster.
        highest: the largest that is possible.
        level: one over the evidence that is sought; it must not depend on the differences.
        sizes: of clusters; a bet counts for the size as a share of the largest so far.

    >>> loss_process(np.array([-1.0, -1.0, -1.0]), highest=1.0, level=0.05).round(2).tolist()
    [1.9, 3.61, 6.86]
    """
    count = len(differences)
    number = np.arange(1, count + 1)
    shares = np.clip(differences / (2 * highest) + PRIOR_MEAN, 0.0, 1.0)
    means = (PRIOR_MEAN + np.cumsum(shares)) / (number + 1)
    variances = (PRIOR_VARIANCE + np.cumsum((shares - means) ** 2)) / (number + 1)
    variances_before = np.concatenate([[PRIOR_VARIANCE], variances[:-1]])[:count]
    bets = np.sqrt(2 * math.log(1 / level) / (variances_before * number * np.log(number + 1))) / 2
    # The largest so far, not of all: what was bet on the first clusters must not change when larger ones are added.
    weights = np.ones(count) if sizes is None else sizes / np.maximum.accumulate(sizes)
    log_wealth = np.cumsum(np.log1p(-np.minimum(bets, LARGEST_SHARE) * weights * (2 * shares - 1)))
    return np.asarray(np.exp(np.minimum(log_wealth, LARGEST_LOG)))


def spent_level(decision: int, fails_before: int, *, alpha: float) -> float:
    """e-LOND's level of a decision: α·γₜ·(R + 1), γₜ = 1/(t·log²(t + 1)) scaled to sum to 1 (Xu and Ramdas 2024).

    A decision is a fail if its e-value is at least one over this. Then the expected share of false fails among all
    fails is at most α, whatever the dependence between decisions. A decision that is looked at again keeps its number
    and its level: its e-value is that of a process, which may be stopped at any time, and later fails only add to R.
    """
    share = 1 / (decision * math.log(decision + 1) ** 2) / SPENDING_TOTAL
    return alpha * share * (fails_before + 1)
