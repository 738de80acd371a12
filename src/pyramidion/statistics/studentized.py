"""The studentised range: the range of k equal means in units of their error.

By quadrature on a fixed grid: as exact as SciPy's general-purpose integration, and quick enough to be asked many times.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from pyramidion.arrays import Floats

INNER_NODES, OUTER_NODES = 160, 160
OUTER_NODES_IF_FEW, FEW = 500, 10
"""With few degrees of freedom the error spreads over many orders of magnitude."""
FARTHEST = 8.5
"""Standard deviations beyond which a normal variable is not looked for (probability 10⁻¹⁷)."""
TAIL = 1e-15
"""Of the error's distribution, what is cut off at each end."""


@cache
def studentized_range(confidence: float, groups: int, degrees_of_freedom: float) -> float:
    """q(confidence in per cent; groups, df): what the range of that many equal means, standardised, rarely exceeds.

    Args:
        confidence: above 0 and below 100.
        groups: at least 2.
        degrees_of_freedom: of the error; may be infinite.
    """
    wanted = confidence / 100
    distribution = _Distribution(groups, degrees_of_freedom)
    low, high = 0.0, 8.0
    while distribution.below(high) < wanted:
        low, high = high, 2 * high
    at_low, at_high = distribution.below(low) - wanted, distribution.below(high) - wanted
    last = 0
    for _ in range(200):  # false position, each end's value halved when the other end moves twice (Illinois)
        q = (low * at_high - high * at_low) / (at_high - at_low)
        value = distribution.below(q) - wanted
        if abs(value) < 1e-15 or high - low < 1e-12 * high:
            return q
        if value < 0:
            low, at_low = q, value
            at_high /= 2 if last < 0 else 1
        else:
            high, at_high = q, value
            at_low /= 2 if last > 0 else 1
        last = -1 if value < 0 else 1
    return q


class _Distribution:
    """P(Q ≤ q) = ∫ f(s)·W(q·s) ds, s being the error found over the true one.

    W(w) = k ∫ φ(z)·(Φ(z) − Φ(z − w))^(k − 1) dz is the distribution of the range where the error is known.
    """

    def __init__(self, groups: int, degrees_of_freedom: float) -> None:
        from scipy import special

        nodes, weights = _gauss(INNER_NODES)
        self._ndtr = special.ndtr
        self._z = FARTHEST * nodes
        density = np.exp(-(self._z**2) / 2) / math.sqrt(2 * math.pi)
        self._weights = groups * FARTHEST * weights * density
        self._below_z = special.ndtr(self._z)
        self._power = groups - 1
        self._errors, self._shares = _errors(degrees_of_freedom)

    def below(self, q: float) -> float:
        """The probability that the range is at most q."""
        inside = self._below_z - self._ndtr(self._z - q * self._errors[:, None])
        return float(self._shares @ (inside**self._power @ self._weights))


@cache
def _gauss(nodes: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss-Legendre quadrature."""
    return np.polynomial.legendre.leggauss(nodes)


def _errors(degrees_of_freedom: float) -> tuple[Floats, Floats]:
    """Nodes for s = χ/√df and their shares: density f(s) = 2·(df/2)^(df/2)/Γ(df/2)·s^(df − 1)·exp(−df·s²/2).

    Nodes are laid out by log s: with few degrees of freedom, small s decide.
    """
    from scipy import special

    if math.isinf(degrees_of_freedom):
        return np.ones(1), np.ones(1)
    half = degrees_of_freedom / 2
    least = math.log(special.gammaincinv(half, TAIL) / half) / 2
    largest = math.log(special.gammainccinv(half, TAIL) / half) / 2
    nodes, weights = _gauss(OUTER_NODES if degrees_of_freedom >= FEW else OUTER_NODES_IF_FEW)
    logarithms = (largest - least) / 2 * nodes + (largest + least) / 2
    errors = np.exp(logarithms)
    density = half * math.log(half) - special.gammaln(half) + 2 * half * logarithms - half * errors**2
    shares = weights * np.exp(density - density.max())
    return errors, shares / shares.sum()
