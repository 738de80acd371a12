"""Coefficients with a third measure after two measures exchanged scores, for many exchanges at once.

x and y are two measures' scores of the same items, z those of the third. Where v = 1 the two change places. Whatever is
a sum over items or pairs is then linear in v for a given state of one item, so all exchanges are a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation import weights
from pyramidion.statistics.correlation.coefficients import quotient, row_correlations
from pyramidion.statistics.correlation.weights import PRECISE, exact_type, sign_blocks, signs


@dataclass(frozen=True, eq=False)
class ExchangedPairs:
    """Items with a score by each of two measures, and by a third."""

    x: Floats
    y: Floats
    z: Floats

    def correlations(self, exchanges: Bools, *, coefficient: Coefficient) -> tuple[Floats, Floats]:
        """For each row of exchanges (permutations × items), the coefficients of both exchanged measures with z.

        NaN where fewer than two items, or no two different values of one side, are there.
        """
        x, y, z = self.x, self.y, self.z
        if len(z) < 2 or (z == z[0]).all():
            nothing = np.full(len(exchanges), np.nan)
            return nothing, nothing.copy()
        if coefficient == "pearson":
            return _pearson(x, y, z, exchanges)
        if len(z) > weights.MANY_ITEMS:
            states = exchanges.astype(np.float64)
            first, second = (
                self._both.correlations(np.concatenate(held, axis=1), coefficient=coefficient)
                for held in ((1 - states, states), (states, 1 - states))
            )
            return first, second
        return (_spearman if coefficient == "spearman" else _kendall)(x, y, z, exchanges)

    @cached_property
    def _both(self) -> weights.WeightedPairs:
        """The scores of both measures as items, of which an exchanged measure holds one half."""
        return weights.WeightedPairs(np.concatenate([self.x, self.y]), np.concatenate([self.z, self.z]))


def _spearman(x: Floats, y: Floats, z: Floats, exchanges: Bools) -> tuple[Floats, Floats]:
    """With a_i = Σ_j sgn(x'_i − x'_j) = 2·(mid-rank of i) − (n + 1), and c of z alike: ρ = Σ a·c / √(Σ a² · Σ c²).

    Without ties Σ a² = n(n² − 1)/3, whatever is exchanged.
    """
    states = exchanges.astype(exact_type(len(x) ** 3))
    tied = _tied(x, y)
    products = np.zeros((2, len(states)))
    squares = np.zeros((2, len(states))) if tied else np.full((2, len(states)), len(x) * (len(x) ** 2 - 1) / 3)
    square_z = 0.0
    for block in sign_blocks(len(x)):
        rank_z = signs(z[block], z).sum(axis=1)
        square_z += float(rank_z @ rank_z)
        for place, ranks in enumerate(_exchanged(_four(x, y, block), states, block)):
            products[place] += ranks @ rank_z.astype(states.dtype)
            if tied:
                squares[place] += np.einsum("ij,ij->i", ranks, ranks)
    first, second = quotient(products, np.sqrt(squares) * np.sqrt(square_z), where=squares > 0)
    return first, second


def _kendall(x: Floats, y: Floats, z: Floats, exchanges: Bools) -> tuple[Floats, Floats]:
    """τ-b = Σ sgn(x'_i − x'_j)·sgn(z_i − z_j) / √(pairs not tied in x' · pairs not tied in z), over ordered pairs."""
    states = exchanges.astype(exact_type(len(x) ** 2))
    tied = _tied(x, y)
    score = np.zeros((2, len(states)))
    untied = np.zeros((2, len(states))) if tied else np.full((2, len(states)), len(x) * (len(x) - 1.0))
    untied_z = 0.0
    for block in sign_blocks(len(x)):
        sign_z = signs(z[block], z)
        untied_z += float(np.abs(sign_z).sum())
        four = _four(x, y, block)
        score += [part.sum(axis=1) for part in _exchanged([one * sign_z for one in four], states, block)]
        if tied:
            untied += [part.sum(axis=1) for part in _exchanged([np.abs(one) for one in four], states, block)]
    first, second = quotient(score, np.sqrt(untied) * np.sqrt(untied_z), where=untied > 0)
    return first, second


def _tied(x: Floats, y: Floats) -> bool:
    """Whether any two scores of both measures are equal."""
    return len(np.unique(np.concatenate([x, y]))) < len(x) + len(y)


def _four(x: Floats, y: Floats, block: slice) -> list[Floats]:
    """Signs of the differences of a block of items with all items: x with x, x with y, y with x, y with y."""
    return [signs(one[block], other) for one in (x, y) for other in (x, y)]


def _exchanged(
    four: Sequence[Floats], states: NDArray[np.floating], block: slice
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Σ_j f(x'_i, x'_j) and Σ_j f(y'_i, y'_j) for the items i of a block: permutations × items, twice.

    Given are f of an item's score of one measure with all items' scores of the same or the other one. If i stays,
    x'_i = x_i and the sum is Σ f(x_i, x_j) + Σ v_j·(f(x_i, y_j) − f(x_i, x_j)); if it is exchanged, x'_i = y_i, and so
    on. The same two products serve both measures, since y' is x' with all states turned round.
    """
    xx, xy, yx, yy = (one.astype(states.dtype) for one in four)
    own, other = states[:, block], 1 - states[:, block]
    from_x, from_y = states @ (xy - xx).T, states @ (yy - yx).T
    of_x = other * (xx.sum(axis=1) + from_x) + own * (yx.sum(axis=1) + from_y)
    of_y = other * (yy.sum(axis=1) - from_y) + own * (xy.sum(axis=1) - from_x)
    return of_x, of_y


def _pearson(x: Floats, y: Floats, z: Floats, exchanges: Bools) -> tuple[Floats, Floats]:
    """From sums, squares and products with z, each a constant plus v times a difference."""
    middle = (x.mean() + y.mean()) / 2
    largest = max(np.abs(x - middle).max(), np.abs(y - middle).max())
    one, two = ((values - middle) / (largest or 1.0) for values in (x, y))
    other = z - z.mean()
    spread_z = np.sqrt(other @ other)
    features = [np.stack([values, values * values, values * other], axis=1) for values in (one, two)]
    moved = exchanges @ (features[1] - features[0])
    return (
        _from_sums(features[0].sum(axis=0) + moved, spread_z, x, y, z, exchanges),
        _from_sums(features[1].sum(axis=0) - moved, spread_z, y, x, z, exchanges),
    )


def _from_sums(sums: Floats, spread_z: float, x: Floats, y: Floats, z: Floats, exchanges: Bools) -> Floats:
    total, squares, product = sums.T
    n = len(z)
    variance = squares / n - (total / n) ** 2
    precise = variance > PRECISE
    values = quotient(product, np.sqrt(np.maximum(variance, 0) * n) * spread_z, where=precise)
    if not precise.all():
        exact = np.where(exchanges[~precise], y, x)
        values[~precise] = row_correlations(exact, z[None], coefficient="pearson")
    return values
