"""Spearman's and Kendall's coefficients with a third measure after two exchanged scores, in many topics at once.

With s = −1 where the scores of an item change places and 1 where they stay, the numerator of either coefficient is
Σ_ij q_ij·sgn(x'_i − x'_j), q_ij = −q_ji from the third measure alone. For two items there are four cases, so the sum is
k + w·s + sᵀMs, and that of y', which is x' with all signs turned, k − w·s + sᵀMs. The denominator depends on how many
items of x' have the same value, which is linear in s.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Coefficient
from pyramidion.statistics.correlation.coefficients import quotient
from pyramidion.statistics.correlation.weights import exact_type

BLOCK_CELLS = 200_000
"""Of arrays of exchanges × topics × items, and of topics × pairs of items: small enough for a processor's cache."""


def signed_exchanges(x: Floats, y: Floats, z: Floats) -> dict[Coefficient, SignedExchanges]:
    """By coefficient, what is computed when first asked for."""
    coefficients: tuple[Coefficient, ...] = ("spearman", "kendall")
    return {coefficient: SignedExchanges(x, y, z, coefficient) for coefficient in coefficients}


@dataclass(frozen=True, eq=False)
class SignedExchanges:
    """Topics × items: scores by each of two measures and by a third; NaN where one is missing, in all three.

    Every topic has two items or more, and different scores by the third measure.
    """

    x: Floats
    y: Floats
    z: Floats
    coefficient: Coefficient

    def correlations(self, exchanges: Bools) -> Floats:
        """2 × exchanges × topics: the coefficients of both measures; NaN where an exchanged measure does not vary."""
        topics, items = self.z.shape
        found = np.empty((2, len(exchanges), topics))
        # Single precision where it holds whole numbers of this size exactly: half the time, the same result.
        exact = exact_type(4.0 * items**3)
        constants, linear, squares = (form.astype(exact) for form in self._forms)
        wide = squares.transpose(1, 0, 2).reshape(items, topics * items)
        size = max(1, BLOCK_CELLS // (topics * items))
        for start in range(0, len(exchanges), size):
            signs = np.where(exchanges[start : start + size], -1, 1).astype(exact)
            # x' and y' differ in the sign of this part alone, so that both measures come from one pass.
            odd = signs @ linear.T
            even = constants + np.einsum("bti,bi->bt", (signs @ wide).reshape(len(signs), topics, items), signs)
            spreads = self._spreads(signs)
            for place, sums in enumerate((even + odd, even - odd)):
                spread = spreads[place]
                found[place, start : start + size] = quotient(
                    sums / 4.0, np.sqrt(spread) * self._third, where=spread > 0
                )
        return found

    def summed(self, exchanges: Bools) -> Floats:
        """2 × exchanges: the coefficients of both measures added up over topics, none of which has ties."""
        constants, linear, squares = (np.tensordot(1 / self.scales, form, axes=1) for form in self._forms)
        signs = np.where(exchanges, -1.0, 1.0)
        odd, even = signs @ linear, constants + np.einsum("bi,bi->b", signs @ squares, signs)
        return np.stack([even + odd, even - odd])

    @cached_property
    def scales(self) -> Floats:
        """By topic: what the sums of `_forms` are divided by if there are no ties."""
        scales: Floats = np.sqrt(self._most) * self._third * 4
        return scales

    @cached_property
    def _counts(self) -> Floats:
        counts: Floats = (~np.isnan(self.z)).sum(axis=1).astype(np.float64)
        return counts

    @cached_property
    def _most(self) -> Floats:
        """By topic: ordered pairs of different values (Kendall), or Σ (2·rank − n − 1)² (Spearman), without ties."""
        n = self._counts
        most: Floats = n * (n - 1) if self.coefficient == "kendall" else n * (n * n - 1) / 3
        return most

    @cached_property
    def target(self) -> Floats:
        """Topics × items × items: q, which is 0 where a score is missing."""
        has = ~np.isnan(self.z)
        values = np.where(has, self.z, 0.0)
        both = has[:, :, None] & has[:, None, :]
        signs: Floats = np.sign(values[:, :, None] - values[:, None, :]) * both
        if self.coefficient == "kendall":
            return signs
        ranks = signs.sum(axis=2)
        halves: Floats = (ranks[:, :, None] - ranks[:, None, :]) / 2 * both
        return halves

    @cached_property
    def _third(self) -> Floats:
        """By topic, the root of what `_most` is of the third measure, ties counted."""
        squares: Floats = np.abs(self.target).sum(axis=(1, 2))
        if self.coefficient == "spearman":
            ranks = self.target.sum(axis=2) * 2 / self._counts[:, None]  # Σ_j (c_i − c_j)/2 = n·c_i/2, since Σ c = 0
            squares = (ranks * ranks).sum(axis=1)
        return np.sqrt(squares)

    @cached_property
    def _forms(self) -> tuple[Floats, Floats, Floats]:
        """Four times k, w and M of each topic: whole numbers, exact in any order of adding."""
        topics, items = self.z.shape
        constants, linear, squares = np.empty(topics), np.empty((topics, items)), np.empty((topics, items, items))
        x, y = (np.nan_to_num(values) for values in (self.x, self.y))
        size = max(1, BLOCK_CELLS // items**2)
        for start in range(0, topics, size):
            part = slice(start, start + size)
            x_items, y_items, target = x[part, :, None], y[part, :, None], self.target[part]
            from_both_x = np.sign(x_items - x[part, None, :]) * target
            from_both_y = np.sign(y_items - y[part, None, :]) * target
            from_x = np.sign(x_items - y[part, None, :]) * target
            from_y = from_x.transpose(0, 2, 1)  # both signs turn: that of the difference and that of q
            constants[part] = (from_both_x + from_both_y + 2 * from_x).sum(axis=(1, 2))
            linear[part] = 2 * (from_both_x + from_x - from_y - from_both_y).sum(axis=2)
            squares[part] = from_both_x - from_x - from_y + from_both_y
        return constants, linear, squares

    @cached_property
    def _ties(self) -> tuple[Floats, Floats, Integers]:
        """Scores that several items have: items × scores, how many of x' each sign adds; in all; the topic of each."""
        adding, totals, topics = [], [], []
        for topic, (x, y) in enumerate(zip(self.x, self.y, strict=True)):
            values, counts = np.unique(np.concatenate([x, y]), return_counts=True)
            for value in values[(counts > 1) & ~np.isnan(values)]:
                adding.append((x == value).astype(np.float64) - (y == value))
                totals.append(np.count_nonzero(x == value) + np.count_nonzero(y == value))
                topics.append(topic)
        shape = len(adding), self.z.shape[1]
        return np.array(adding).reshape(shape).T, np.array(totals, dtype=np.float64), np.array(topics, dtype=np.intp)

    def _spreads(self, signs: NDArray[np.floating]) -> tuple[Floats, Floats]:
        """2 × exchanges × topics: `_most` less what ties take, Σ g² − g (Kendall) or Σ (g³ − g)/3 over equal scores."""
        adding, totals, topics = self._ties
        if not len(topics):
            same = np.broadcast_to(self._most, (len(signs), len(self._most)))
            return same, same
        adding, totals = (
            numbers.astype(signs.dtype) for numbers in (adding, totals)
        )  # whole numbers, exact also in single
        moved = signs @ adding
        thirds = 1 if self.coefficient == "kendall" else 3
        starts = np.nonzero(np.diff(topics, prepend=-1))[0]
        spreads = []
        for sizes in ((totals + moved) / 2, (totals - moved) / 2):
            lost = sizes * (sizes - 1)
            if self.coefficient == "spearman":
                lost *= sizes + 1
            spread = np.tile(self._most, (len(signs), 1))
            # Ties are listed topic by topic, so that those of a topic stand together.
            spread[:, topics[starts]] -= np.add.reduceat(lost, starts, axis=1) / thirds
            spreads.append(spread)
        return spreads[0], spreads[1]
