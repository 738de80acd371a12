"""Coefficients with a third measure after two measures exchanged scores, for many exchanges at once.

x and y are two measures' scores of the same items, z those of the third. Where v = 1 the two change places. Whatever is
a sum over items or pairs is then linear in v for a given state of one item, so all exchanges are a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import quotient, row_correlations
from pyramidion.statistics.correlation.weights import MANY_ITEMS, PRECISE, sign_blocks, signs


def exchanged_correlations(
    x: Floats, y: Floats, z: Floats, exchanges: Bools, *, coefficient: Coefficient
) -> tuple[Floats, Floats]:
    """For each row of exchanges (permutations × items), the coefficients of both exchanged measures with z.

    NaN where fewer than two items, or no two different values of one side, are there.
    """
    if len(z) < 2 or (z == z[0]).all():
        nothing = np.full(len(exchanges), np.nan)
        return nothing, nothing.copy()
    if coefficient == "pearson":
        return _pearson(x, y, z, exchanges)
    if len(z) > MANY_ITEMS:
        one, other = np.where(exchanges, y, x), np.where(exchanges, x, y)
        return (
            row_correlations(one, z[None], coefficient=coefficient),
            row_correlations(other, z[None], coefficient=coefficient),
        )
    states = exchanges.astype(np.float64)
    return _spearman(x, y, z, states) if coefficient == "spearman" else _kendall(x, y, z, states)


def _spearman(x: Floats, y: Floats, z: Floats, states: Floats) -> tuple[Floats, Floats]:
    """With a_i = Σ_j sgn(x'_i − x'_j) = 2·(mid-rank of i) − (n + 1), and c of z alike: ρ = Σ a·c / √(Σ a² · Σ c²)."""
    product_x, product_y, square_x, square_y = (np.zeros(len(states)) for _ in range(4))
    square_z = 0.0
    for block in sign_blocks(len(x)):
        rank_z = signs(z[block], z).sum(axis=1)
        square_z += float(rank_z @ rank_z)
        rank_x, rank_y = _exchanged(_four(x, y, block), states, block)
        product_x += rank_x @ rank_z
        product_y += rank_y @ rank_z
        square_x += np.einsum("ij,ij->i", rank_x, rank_x)
        square_y += np.einsum("ij,ij->i", rank_y, rank_y)
    root = np.sqrt(square_z)
    return (
        quotient(product_x, np.sqrt(square_x) * root, where=square_x > 0),
        quotient(product_y, np.sqrt(square_y) * root, where=square_y > 0),
    )


def _kendall(x: Floats, y: Floats, z: Floats, states: Floats) -> tuple[Floats, Floats]:
    """τ-b = Σ sgn(x'_i − x'_j)·sgn(z_i − z_j) / √(pairs not tied in x' · pairs not tied in z), over ordered pairs."""
    score_x, score_y, untied_x, untied_y = (np.zeros(len(states)) for _ in range(4))
    untied_z = 0.0
    for block in sign_blocks(len(x)):
        sign_z = signs(z[block], z)
        untied_z += float(np.abs(sign_z).sum())
        four = _four(x, y, block)
        agreeing = _exchanged([one * sign_z for one in four], states, block)
        untied = _exchanged([np.abs(one) for one in four], states, block)
        for total, part in zip((score_x, score_y, untied_x, untied_y), (*agreeing, *untied), strict=True):
            total += part.sum(axis=1)
    root = np.sqrt(untied_z)
    return (
        quotient(score_x, np.sqrt(untied_x) * root, where=untied_x > 0),
        quotient(score_y, np.sqrt(untied_y) * root, where=untied_y > 0),
    )


def _four(x: Floats, y: Floats, block: slice) -> list[Floats]:
    """Signs of the differences of a block of items with all items: x with x, x with y, y with x, y with y."""
    return [signs(one[block], other) for one in (x, y) for other in (x, y)]


def _exchanged(four: Sequence[Floats], states: Floats, block: slice) -> tuple[Floats, Floats]:
    """Σ_j f(x'_i, x'_j) and Σ_j f(y'_i, y'_j) for the items i of a block: permutations × items, twice.

    Given are f of an item's score of one measure with all items' scores of the same or the other one. If i stays,
    x'_i = x_i and the sum is Σ f(x_i, x_j) + Σ v_j·(f(x_i, y_j) − f(x_i, x_j)); if it is exchanged, x'_i = y_i, and so
    on. The same two products serve both measures, since y' is x' with all states turned round.
    """
    xx, xy, yx, yy = four
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
