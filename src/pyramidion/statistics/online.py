"""Decisions one after another: e-values of a loss, and e-LOND, which bounds the share of false ones among them.

Commits share topics, so their p values depend on each other in unknown ways; e-values allow any dependence.
"""

from __future__ import annotations

import math

import numpy as np

from pyramidion.arrays import Floats

BETS = 12
"""Bets that are averaged, from nearly everything down by factors of √2."""
LARGEST_BET = 0.95
SPENDING_TOTAL = 3.3878
"""Σ 1/(t·log²(t + 1)) over t ≥ 1, 3.38773…, rounded up, so that what is spent never exceeds α."""


def loss_e_value(differences: Floats, highest: float) -> float:
    """The e-value against "the mean is at least 0" of differences that are at most `highest`.

    A bet of λ on a loss multiplies its stake by 1 − λd at each topic. For 0 ≤ λ < 1/highest this is never below 0 and,
    if the mean is at least 0, a supermartingale whatever the shape of d (Waudby-Smith and Ramdas 2024, section 4). The
    average over several λ is one, too: it may be looked at whenever topics are added.

    The bets are fixed, not the predictable ones of `betting_sequence`, which serve narrow limits: a mixture does not
    depend on the order of topics, so that nobody can choose one, and it mostly grows faster towards the large
    thresholds of late decisions (a loss of half a standard deviation, .3 of the scale, on 100 topics: 69 % of 300
    simulations reach 500 instead of 51; in two of the cases that were tried, predictable bets were slightly ahead).

    >>> round(loss_e_value(np.array([-1.0, -1.0, -1.0]), highest=1.0), 2)
    2.36
    """
    bets = LARGEST_BET / highest * 2.0 ** (-np.arange(BETS) / 2)
    wealth = np.log1p(-bets[:, None] * differences).sum(axis=1)
    # Logarithms are averaged after the largest is taken out: products over hundreds of topics overflow.
    largest = float(wealth.max())
    return math.exp(min(largest, 700.0)) * float(np.exp(wealth - largest).mean())


def spent_level(decision: int, fails_before: int, *, alpha: float) -> float:
    """e-LOND's level of a decision: α·γₜ·(R + 1), γₜ = 1/(t·log²(t + 1)) scaled to sum to 1 (Xu and Ramdas 2024).

    A decision is a fail if its e-value is at least one over this. Then the expected share of false fails among all
    fails is at most α, whatever the dependence between decisions. A decision that is looked at again keeps its number
    and its level: its e-value is that of a process, which may be stopped at any time, and later fails only add to R.
    """
    share = 1 / (decision * math.log(decision + 1) ** 2) / SPENDING_TOTAL
    return alpha * share * (fails_before + 1)
