"""Rank coefficients of many items under many weights: items are sorted once, and each resample takes running sums.

The time grows with n·log n, where matrices of signs (`weights`) take n². Weights are whole numbers, and so are all sums
of them: nothing depends on the order of adding.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.correlation.coefficients import quotient


@dataclass(frozen=True, eq=False)
class OrderedPairs:
    """Items with two values each, sorted by both."""

    x: Floats
    z: Floats

    def spearman(self, weights: Integers) -> Floats:
        """ρ = Σ w·a·b / √(Σ w·a² · Σ w·b²), where a and b are twice the mid-rank less (Σ w + 1) (see `weights`)."""
        by_x, by_z = self._by_x, self._by_z
        rank_x = by_x.ranks(weights)
        rank_z = by_z.ranks(weights)
        weighted = weights * rank_x
        product = np.einsum("ij,ij->i", weighted, rank_z)
        square_x = np.einsum("ij,ij->i", weighted, rank_x)
        square_z = np.einsum("ij,ij,ij->i", weights.astype(np.float64), rank_z, rank_z)
        return quotient(product, np.sqrt(square_x) * np.sqrt(square_z), where=(square_x > 0) & (square_z > 0))

    def kendall(self, weights: Integers) -> Floats:
        """τ-b = (concordant − discordant) / √(pairs not tied in x · pairs not tied in z)."""
        untied_x, untied_z = (order.untied(weights).astype(np.float64) for order in (self._by_x, self._by_z))
        score = self._concordance.score(weights).astype(np.float64)
        return quotient(score, np.sqrt(untied_x) * np.sqrt(untied_z), where=(untied_x > 0) & (untied_z > 0))

    @cached_property
    def _by_x(self) -> _Order:
        return _Order.of(self.x)

    @cached_property
    def _by_z(self) -> _Order:
        return _Order.of(self.z)

    @cached_property
    def _concordance(self) -> _Concordance:
        """The side with fewer different values is the one that is divided."""
        turned = self._by_x.groups < self._by_z.groups
        return _Concordance.of(self._by_z, self._by_x) if turned else _Concordance.of(self._by_x, self._by_z)


@dataclass(frozen=True, eq=False)
class _Order:
    """Items in ascending order; equal values make a group."""

    order: Integers
    codes: Integers
    """Item by item: the number of its group."""
    edges: Integers
    """Where groups begin in the order, and the end."""

    @classmethod
    def of(cls, values: Floats) -> _Order:
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        begins = np.append(True, ordered[1:] != ordered[:-1])
        codes = np.empty(len(values), dtype=np.int64)
        codes[order] = np.cumsum(begins) - 1
        return cls(order, codes, np.append(np.flatnonzero(begins), len(values)))

    @property
    def groups(self) -> int:
        return len(self.edges) - 1

    def ranks(self, weights: Integers) -> Floats:
        """Σ_j w_j·sgn(x_i − x_j) of every item: what lies below, less what lies above."""
        sums = _at_edges(weights, self)
        both = sums[:, :-1] + sums[:, 1:] - sums[:, -1:]
        return both.astype(np.float64).take(self.codes, axis=1)

    def untied(self, weights: Integers) -> Integers:
        """Pairs of different values."""
        sums = _at_edges(weights, self)
        groups = np.diff(sums, axis=1)
        pairs: Integers = (sums[:, -1] ** 2 - np.einsum("ij,ij->i", groups, groups)) // 2
        return pairs


def _running(weights: Integers) -> Integers:
    """Sums of the first 0, 1, … items."""
    sums = np.zeros((len(weights), weights.shape[1] + 1), dtype=np.int64)
    np.cumsum(weights, axis=1, out=sums[:, 1:])
    return sums


def _at_edges(weights: Integers, order: _Order) -> Integers:
    return _running(weights.take(order.order, axis=1)).take(order.edges, axis=1)


@dataclass(frozen=True, eq=False)
class _BitLevel:
    """Items in groups of equal leading bits of z; each group is divided by the next bit, and is in order of x."""

    into: Integers
    """From the arrangement of the level before: in each group the items with bit 0, then those with bit 1."""
    ones: Integers
    """Places with bit 1."""
    lower: Integers
    """For each place with bit 1, how far the items of the group with bit 0 and less x reach."""
    upper: Integers
    """For each place with bit 1, how far the items of the group with bit 0 and less or equal x reach."""
    starts: Integers
    middles: Integers
    ends: Integers

    def score(self, weights: Integers) -> Integers:
        """Concordant less discordant pairs that differ in this bit first; weights as arranged here."""
        sums = _running(weights)
        below = sums.take(self.lower, axis=1)
        below += sums.take(self.upper, axis=1)
        score_sums = np.einsum("ij,ij->i", weights.take(self.ones, axis=1), below)
        start, middle, end = (sums.take(places, axis=1) for places in (self.starts, self.middles, self.ends))
        counted: Integers = score_sums - np.einsum("ij,ij->i", end - middle, start + middle)
        return counted


@dataclass(frozen=True, eq=False)
class _Concordance:
    """Counts concordant and discordant pairs: two different z differ first in one bit, on one level.

    On that level the item with bit 1 has the greater z. Below it in x are the items with bit 0 that a running sum over
    its group holds, so that a level takes a few passes over the items.
    """

    order: Integers
    levels: tuple[_BitLevel, ...]

    @classmethod
    def of(cls, by_x: _Order, by_z: _Order) -> _Concordance:
        places, starts = by_x.order, np.zeros(1, dtype=np.int64)
        levels: list[_BitLevel] = []
        # From the highest bit down: two values are met on the level of the first bit in which they differ, and only
        # there.
        for shift in reversed(range((by_z.groups - 1).bit_length())):
            ends = np.append(starts[1:], len(places))
            group = np.repeat(np.arange(len(starts)), ends - starts)
            bit = by_z.codes[places] >> shift & 1
            # Stable, so that each half stays in order of x.
            into = np.argsort(2 * group + bit, kind="stable")
            zeros = np.append(0, np.cumsum(1 - bit))
            x = by_x.codes[places]
            runs = np.append(np.flatnonzero(np.append(True, (np.diff(x) != 0) | (np.diff(group) != 0))), len(places))
            run = np.repeat(np.arange(len(runs) - 1), np.diff(runs))
            before = starts[group] - zeros[starts[group]]
            ones = np.flatnonzero(bit[into])
            chosen = into[ones]
            middles = starts + zeros[ends] - zeros[starts]
            levels.append(
                _BitLevel(
                    into=into,
                    ones=ones,
                    lower=(before + zeros[runs[run]])[chosen],
                    upper=(before + zeros[runs[run + 1]])[chosen],
                    starts=starts,
                    middles=middles,
                    ends=ends,
                )
            )
            places = places[into]
            edges = np.unique(np.concatenate([starts, middles]))
            starts = edges[edges < len(places)]
        return cls(by_x.order, tuple(levels))

    def score(self, weights: Integers) -> Integers:
        """Concordant less discordant pairs for each row of weights."""
        arranged = weights.take(self.order, axis=1)
        total = np.zeros(len(weights), dtype=np.int64)
        for level in self.levels:
            arranged = arranged.take(level.into, axis=1)
            total += level.score(arranged)
        return total
