"""Regression with two groups left out at a time: a row is predicted from the rows that share neither of its groups.

With topics and systems as groups this is the double leave-one-out of Louis & Nenkova (2009, §4.4): the value of system
s on input i is predicted by a fit that saw neither i nor s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError

_BLOCK_CELLS = 2_000_000
_SAFE = 1e-6
"""A training set that keeps less than this share of a direction's squares is fitted anew: downdating would lose digits.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class LeaveTwoOut:
    """Predictions, and what they rest on."""

    predictions: Floats
    """Per row; NaN where a feature is missing, or where no row is left to learn from."""
    rank: int
    """Of the intercept and the standardised features on all rows: less than their number where some say the same."""
    refitted: int
    """Rows whose training set was fitted anew instead of by downdating."""


def predict_leaving_two_out(features: Floats, target: Floats, first: Integers, second: Integers) -> LeaveTwoOut:
    """Predict each row by least squares on the rows that have another first and another second group.

    With X the intercept and the features (standardised over all rows), G = XᵀX and g = Xᵀy over the rows that can be
    learned from, and the same sums for each first group i, second group s and cell (i, s):

        β(i, s) = (G − G_i − G_s + G_is)⁺ (g − g_i − g_s + g_is)

    so that no training set is ever gathered. To lose no digits by squaring, X is first replaced by an orthonormal
    basis of its columns, which drops directions that are null on all rows (a duplicated feature). Where a training
    set leaves a further direction undetermined, or nearly so, it is fitted anew, with the least-norm solution.

    Args:
        features: rows × columns; a row with a NaN is neither learned from nor predicted.
        target: per row; a row with NaN is predicted, but not learned from.
        first: per row, the number of its first group (such as its topic).
        second: per row, the number of its second group (such as its system).

    Raises:
        UsageError: if lengths differ, or if fewer than two groups of either kind can be learned from.
    """
    rows = len(features)
    if features.ndim != 2 or not (rows == len(target) == len(first) == len(second)):
        raise UsageError("features, target and groups must have one entry for each row")
    usable = np.isfinite(features).all(axis=1)
    learned = usable & np.isfinite(target)
    for groups, which in ((first, "first"), (second, "second")):
        if len(np.unique(groups[learned])) < 2:
            raise UsageError(f"the rows to learn from are all of one {which} group: none is left when it is left out")
    predictions = np.full(rows, np.nan)
    design = np.column_stack([np.ones(int(usable.sum())), _standardise(features[usable])])
    problem = _LeftOutSums.of(design, target[usable], learned[usable], first[usable], second[usable])
    predictions[usable], refitted = problem.predict()
    return LeaveTwoOut(predictions=predictions, rank=problem.basis.shape[1], refitted=refitted)


def _standardise(features: Floats) -> Floats:
    """Mean 0 and standard deviation 1 over all rows; a constant column (but for rounding) becomes 0."""
    centred = features - features.mean(axis=0)
    spread = features.std(axis=0)
    constant = spread <= 1e-12 * np.abs(features).max(axis=0, initial=0.0)
    scaled: Floats = np.where(constant, 0.0, centred / np.where(constant, 1.0, spread))
    return scaled


@dataclass(frozen=True, eq=False)
class _LeftOutSums:
    """The rows with all features, their orthonormal basis, and the sums that are taken away from the whole."""

    design: Floats
    basis: Floats
    target: Floats
    """0 where it is not known."""
    learned: Bools
    first: Integers
    second: Integers

    @classmethod
    def of(cls, design: Floats, target: Floats, learned: Bools, first: Integers, second: Integers) -> _LeftOutSums:
        # The basis spans what is learned from; a row that is only predicted is written in the same coordinates.
        _, lengths, directions = np.linalg.svd(design[learned], full_matrices=False)
        kept = lengths > lengths[0] * max(design.shape) * np.finfo(np.float64).eps
        # In this basis G is the identity, so that what is left of it after downdating says directly what share of a
        # direction a training set keeps.
        basis = design @ (directions[kept].T / lengths[kept])
        learned_target = np.where(learned, target, 0.0)
        return cls(design, basis, learned_target, learned, _number_groups(first), _number_groups(second))

    def predict(self) -> tuple[Floats, int]:
        """Per row its prediction, and how many rows had to be fitted anew."""
        weighted = self.basis * self.learned[:, None]
        whole = weighted.T @ self.basis, weighted.T @ self.target
        by_first, by_second = self._sums(weighted, self.first), self._sums(weighted, self.second)
        cell_of = _number_groups(self.first * (int(self.second.max()) + 1) + self.second)
        # Usually a system has one summary a topic, and its sums are the row itself.
        by_cell = self._sums(weighted, cell_of) if len(np.unique(cell_of)) < len(cell_of) else None
        predictions = np.full(len(self.basis), np.nan)
        refitted = 0
        size = max(1, _BLOCK_CELLS // max(self.basis.shape[1] ** 2, 1))
        for start in range(0, len(self.basis), size):
            block = slice(start, start + size)
            i, s = self.first[block], self.second[block]
            if by_cell is None:  # one row a cell: its own squares
                row_products = np.einsum("ra,rb->rab", weighted[block], self.basis[block])
                own_products = weighted[block] * self.target[block, None]
            else:
                row_products, own_products = by_cell[0][cell_of[block]], by_cell[1][cell_of[block]]
            # What both groups share was taken away twice.
            squares = whole[0] - by_first[0][i] - by_second[0][s] + row_products
            products = whole[1] - by_first[1][i] - by_second[1][s] + own_products
            values, vectors = np.linalg.eigh(squares)
            safe = values[:, 0] > _SAFE
            along = np.einsum("rab,ra->rb", vectors, products)
            scaled = np.divide(along, values, out=np.zeros_like(along), where=safe[:, None])
            solved = np.einsum("rab,rb->ra", vectors, scaled)
            predicted = np.einsum("ra,ra->r", self.basis[block], solved)
            for row in np.nonzero(~safe)[0]:
                predicted[row] = self._refit(start + int(row))
            predictions[block] = predicted
            refitted += int((~safe).sum())
        return predictions, refitted

    def _sums(self, weighted: Floats, groups: Integers) -> tuple[Floats, Floats]:
        """Per group, the sums of squares (groups × rank × rank) and of products with the target (groups × rank)."""
        order = np.argsort(groups, kind="stable")
        ends = np.cumsum(np.bincount(groups))
        squares = np.zeros((len(ends), weighted.shape[1], weighted.shape[1]))
        products = np.zeros((len(ends), weighted.shape[1]))
        for group, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            members = order[start:end]
            squares[group] = weighted[members].T @ self.basis[members]
            products[group] = weighted[members].T @ self.target[members]
        return squares, products

    def _refit(self, row: int) -> float:
        """The prediction of one row by a fit of its own; NaN if there is no row to learn from."""
        is_used = self.learned & (self.first != self.first[row]) & (self.second != self.second[row])
        if not is_used.any():
            return float("nan")
        # lstsq, not solve: a duplicated feature leaves directions undetermined, and must not crash.
        coefficients, *_ = np.linalg.lstsq(self.design[is_used], self.target[is_used], rcond=None)
        return float(self.design[row] @ coefficients)


def _number_groups(groups: Integers) -> Integers:
    """The same groups, numbered from 0 without gaps."""
    return np.unique(groups, return_inverse=True)[1].ravel().astype(np.int64)
