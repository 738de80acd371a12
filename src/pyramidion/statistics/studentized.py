"""Tukey's and Dunnett's distributions: the largest difference of equal means, or from one of them, in units of error.

By quadrature on a fixed grid: as exact as SciPy's general-purpose integration, and quick enough to be asked many times.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.values import SMALLEST

INNER_NODES, OUTER_NODES = 160, 160
OUTER_NODES_IF_FEW, FEW = 500, 10
"""With few degrees of freedom the error spreads over many orders of magnitude."""
FARTHEST = 8.5
"""Standard deviations beyond which a normal variable is not looked for (probability 10⁻¹⁷)."""
NEAR = 0.002
"""How far from a quantile that of similar degrees of freedom is looked for first."""
TAIL = 1e-15
"""Of the error's distribution, what is cut off at each end."""


@cache
def studentized_range(confidence: float, groups: int, degrees_of_freedom: float, near: float | None = None) -> float:
    """q(confidence in per cent; groups, df): what the range of that many equal means, standardised, rarely exceeds.

    Args:
        confidence: above 0 and below 100.
        groups: at least 2.
        degrees_of_freedom: of the error; may be infinite.
        near: a quantile for similar degrees of freedom, to start from; it does not change the result.
    """
    return _quantile(_tukey(groups, degrees_of_freedom), confidence, near)


@cache
def largest_of_many(confidence: float, comparisons: int, degrees_of_freedom: float, near: float | None = None) -> float:
    """Dunnett's critical value: what the largest |t| of that many comparisons with one mean rarely exceeds."""
    return _quantile(_dunnett(comparisons, degrees_of_freedom), confidence, near)


def studentized_range_p(q: float, groups: int, degrees_of_freedom: float) -> float:
    """The probability that the studentised range of that many equal means exceeds q."""
    return max(1 - _tukey(groups, degrees_of_freedom).below(q), SMALLEST)


def largest_of_many_p(t: float, comparisons: int, degrees_of_freedom: float) -> float:
    """Dunnett: the probability that the largest |t| of that many comparisons with one mean exceeds t."""
    return max(1 - _dunnett(comparisons, degrees_of_freedom).below(t), SMALLEST)


def _quantile(distribution: _Distribution, confidence: float, near: float | None = None) -> float:
    """Where the probability is the confidence (in per cent); `near` is a value that is probably close to it."""
    probability = confidence / 100
    low, at_low, high = 0.0, -probability, max(near * (1 + NEAR), 1.0) if near else 8.0
    while (at_high := distribution.below(high) - probability) < 0:
        low, at_low, high = high, at_high, 2 * high
    if near and low == 0 and (at_near := distribution.below(near * (1 - NEAR)) - probability) < 0:
        low, at_low = near * (1 - NEAR), at_near
    last = 0
    # Not scipy.optimize.brentq: importing scipy.optimize takes longer than all that is computed here.
    for _ in range(200):  # false position, each end's value halved when the other end moves twice (Illinois)
        q = (low * at_high - high * at_low) / (at_high - at_low)
        value = distribution.below(q) - probability
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
    """P(Q ≤ q) = ∫ f(s)·W(q·s) ds, s being the error found over the true one; W is a subclass's."""

    def __init__(self, degrees_of_freedom: float) -> None:
        from scipy import special

        nodes, weights = _nodes(INNER_NODES)
        self._ndtr = special.ndtr
        self._z = FARTHEST * nodes
        self._weights = FARTHEST * weights * np.exp(-(self._z**2) / 2) / math.sqrt(2 * math.pi)
        self._errors, self._shares = _errors(degrees_of_freedom)

    def below(self, q: float) -> float:
        """The probability that the largest difference is at most q."""
        return float(self._shares @ (self._inside(q * self._errors[:, None]) @ self._weights))

    def _inside(self, w: Floats) -> Floats:
        """For each error and each node z: the probability that no other mean lies outside."""
        raise NotImplementedError


class _Tukey(_Distribution):
    """W(w) = k ∫ φ(z)·(Φ(z) − Φ(z − w))^(k − 1) dz: the range of k means where the error is known."""

    def __init__(self, groups: int, degrees_of_freedom: float) -> None:
        super().__init__(degrees_of_freedom)
        self._weights = groups * self._weights
        self._below_z = self._ndtr(self._z)
        self._others = groups - 1

    def _inside(self, w: Floats) -> Floats:
        return _power(self._below_z - self._ndtr(self._z - w), self._others)


class _Dunnett(_Distribution):
    """W(w) = ∫ φ(z)·(Φ(z + √2·w) − Φ(z − √2·w))^k dz: k means against one where the error is known."""

    def __init__(self, comparisons: int, degrees_of_freedom: float) -> None:
        super().__init__(degrees_of_freedom)
        self._others = comparisons

    def _inside(self, w: Floats) -> Floats:
        wide = math.sqrt(2) * w
        return _power(self._ndtr(self._z + wide) - self._ndtr(self._z - wide), self._others)


def _power(base: Floats, exponent: int) -> Floats:
    """baseⁿ for a whole n, by squaring: several times as quick as NumPy's power."""
    if exponent == 0:
        return np.ones_like(base)
    half = _power(base, exponent // 2)
    return half * half * base if exponent % 2 else half * half


_tukey = lru_cache(maxsize=256)(_Tukey)
_dunnett = lru_cache(maxsize=256)(_Dunnett)


@cache
def _nodes(count: int) -> tuple[Floats, Floats]:
    """Gauss's nodes between −1 and 1 and their weights; finding them is the slowest part of all."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def _errors(degrees_of_freedom: float) -> tuple[Floats, Floats]:
    """Nodes for s = χ/√df and their shares: density f(s) = 2·(df/2)^(df/2)/Γ(df/2)·s^(df − 1)·exp(−df·s²/2).

    Nodes are laid out by log s: with few degrees of freedom, small s decide.
    """
    from scipy import special

    # Nemenyi's comparison of ranks knows its error: one node, s = 1.
    if math.isinf(degrees_of_freedom):
        return np.ones(1), np.ones(1)
    half = degrees_of_freedom / 2
    least = math.log(special.gammaincinv(half, TAIL) / half) / 2
    largest = math.log(special.gammainccinv(half, TAIL) / half) / 2
    nodes, weights = _nodes(OUTER_NODES if degrees_of_freedom >= FEW else OUTER_NODES_IF_FEW)
    logarithms = (largest - least) / 2 * nodes + (largest + least) / 2
    errors = np.exp(logarithms)
    density = half * math.log(half) - special.gammaln(half) + 2 * half * logarithms - half * errors**2
    # Only proportions matter: they are scaled to sum to 1, which makes up for the tails that are cut off as well.
    shares = weights * np.exp(density - density.max())
    return errors, shares / shares.sum()
