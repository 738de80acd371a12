"""Quantiles and p values, from scipy.special: importing scipy.stats would take half a second.

No p value is 0: one that is too small for a float is the smallest float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SMALLEST = float(np.finfo(np.float64).tiny)


def t_critical(confidence: float, degrees_of_freedom: Any) -> Any:
    """What |t| exceeds with a probability of 1 − confidence (in per cent); a number, or an array of them."""
    from scipy import special

    return special.stdtrit(degrees_of_freedom, 0.5 + confidence / 200)


def t_p(t: Any, degrees_of_freedom: Any) -> Any:
    """Two-sided p of a number, or of an array of them."""
    from scipy import special

    return np.maximum(2 * special.stdtr(degrees_of_freedom, -np.abs(t)), SMALLEST)


def f_p(f: float, numerator: float, denominator: float) -> float:
    """The probability that F with these degrees of freedom exceeds f."""
    from scipy import special

    return max(float(special.fdtrc(numerator, denominator, f)), SMALLEST)


def chi2_p(chi2: float, degrees_of_freedom: float) -> float:
    """The probability that χ² exceeds this value."""
    from scipy import special

    return max(float(special.chdtrc(degrees_of_freedom, chi2)), SMALLEST)


def normal_p(z: float) -> float:
    """Two-sided p of a standard normal value."""
    from scipy import special

    return max(float(2 * special.ndtr(-abs(z))), SMALLEST)


def sign_test_p(wins: int, losses: int) -> float:
    """The two-sided exact p of the sign test: 2·P(X ≤ min(wins, losses)) for X binomial with p = 1/2, at most 1.

    >>> round(sign_test_p(9, 1), 4)
    0.0215
    """
    from scipy import special

    return min(1.0, 2 * float(special.bdtr(min(wins, losses), wins + losses, 0.5)))
