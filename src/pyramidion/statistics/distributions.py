"""Quantiles and p values of Student's t, from scipy.special: importing scipy.stats would take half a second."""

from __future__ import annotations

from typing import Any

import numpy as np


def t_critical(confidence: float, degrees_of_freedom: Any) -> Any:
    """What |t| exceeds with a probability of 1 − confidence (in per cent); a number, or an array of them."""
    from scipy import special

    return special.stdtrit(degrees_of_freedom, 0.5 + confidence / 200)


def t_p(t: Any, degrees_of_freedom: Any) -> Any:
    """Two-sided p of a number, or of an array of them."""
    from scipy import special

    return 2 * special.stdtr(degrees_of_freedom, -np.abs(t))
