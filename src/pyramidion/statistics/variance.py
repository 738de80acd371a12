"""Two-way analysis of variance, summarizer + topic, one observation a cell, no interaction (Dang 2006, section 3).

Rows are summarizers and columns topics; NaN is a missing cell, and then everything is by least squares. Here are the
fit and the table; `tukey` compares the rows, `intervals` rests on the residual variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.checks import check_finite
from pyramidion.statistics.distributions import f_p
from pyramidion.statistics.ties import SLACK


@dataclass(frozen=True, kw_only=True)
class AnovaRow:
    """One source of variation; f and p are NaN where there is nothing to test or to test against."""

    source: str
    sum_of_squares: float
    degrees_of_freedom: int
    mean_square: float
    f: float
    p: float


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoWayAnova:
    """The analysis of one matrix. Rows and columns without any value are left out of it."""

    rows: NDArray[np.intp]
    """Which rows of the matrix are in it."""
    columns: NDArray[np.intp]
    """Which columns."""
    row_table: AnovaRow
    column_table: AnovaRow
    residual_table: AnovaRow
    row_means: Floats
    """Least-squares means: what each row would average over all columns; NaN if the design is in pieces."""
    missing: int
    """Cells without a value."""
    pieces: int
    """Parts of the design that share neither row nor column; between them nothing can be compared."""
    present: Bools
    """Which cells of the rows and columns in it have a value."""

    @property
    def mean_square(self) -> float:
        """MSE: the mean square of the residuals; exactly 0 if there are none but rounding."""
        return self.residual_table.mean_square

    @property
    def degrees_of_freedom(self) -> int:
        """Of the residuals."""
        return self.residual_table.degrees_of_freedom

    @property
    def table(self) -> tuple[AnovaRow, AnovaRow, AnovaRow]:
        """Rows, columns and residual."""
        return (self.row_table, self.column_table, self.residual_table)

    @cached_property
    def difference_variances(self) -> Floats:
        """Rows × rows: variance of the difference of two least-squares means, as a multiple of the error variance.

        2/b when complete. NaN between pieces of the design.
        """
        if not self.missing:
            variances = np.full((len(self.rows),) * 2, 2 / len(self.columns))
            np.fill_diagonal(variances, 0.0)
            return variances
        weights = self.present.astype(np.float64)
        normal, _ = _reduced(weights)
        return difference_variances(np.linalg.pinv(normal, hermitian=True), piece_of_rows(self.present))


def two_way_anova(values: Floats) -> TwoWayAnova | None:
    """The table of the two-way analysis, one observation a cell, or None if no degree of freedom is left for error.

    Least squares of value = row effect + column effect over the cells that are not NaN. Complete: df = (a − 1)(b − 1);
    with missing cells: df = cells − a − b + (number of connected pieces). Sums of squares are of type II: each source
    is adjusted for the other (without interaction that is type III as well; when no cell is missing all types agree).
    F = MS/MSE with (df, df of the residual) degrees of freedom. In a design of several pieces a source has one degree
    of freedom less for each piece: only differences within a piece are tested.
    """
    check_finite(values)
    there = ~np.isnan(values)
    rows, columns = np.nonzero(there.any(axis=1))[0], np.nonzero(there.any(axis=0))[0]
    values = values[np.ix_(rows, columns)]
    present = ~np.isnan(values)
    pieces = len(np.unique(piece_of_rows(present)))
    error_freedom = int(present.sum()) - len(rows) - len(columns) + pieces
    if error_freedom <= 0:
        return None
    centre = float(values[present].mean())
    cells = np.where(present, values - centre, 0.0)
    # The effects of the longer side are eliminated, so that one small system is solved.
    turned = len(rows) > len(columns)
    row_effects, column_effects = _effects(cells.T, present.T)[::-1] if turned else _effects(cells, present)
    residuals = np.where(present, cells - row_effects[:, None] - column_effects[None, :], 0.0)
    largest = float(np.abs(values[present]).max())
    if np.abs(residuals).max() <= SLACK * largest:
        residuals = np.zeros_like(residuals)
    residual = float((residuals**2).sum())
    error = residual / error_freedom

    def row(source: str, squares: float, freedom: int) -> AnovaRow:
        return anova_row(source, squares, freedom, error, error_freedom)

    row_means = centre + row_effects + column_effects.mean()
    return TwoWayAnova(
        rows=rows,
        columns=columns,
        row_table=row("summarizer", _explained(cells, present, residual, largest), len(rows) - pieces),
        column_table=row("topic", _explained(cells.T, present.T, residual, largest), len(columns) - pieces),
        residual_table=row("residual", residual, error_freedom),
        row_means=row_means if pieces == 1 else np.full(len(rows), np.nan),
        missing=int((~present).sum()),
        pieces=pieces,
        present=present,
    )


def anova_row(source: str, squares: float, freedom: int, error: float, error_freedom: int) -> AnovaRow:
    """A line of the table: F = MS/MSE, and its p."""
    mean = squares / freedom if freedom else np.nan
    f = mean / error if source != "residual" and freedom and error else np.nan
    p = f_p(f, freedom, error_freedom) if np.isfinite(f) else np.nan
    return AnovaRow(
        source=source, sum_of_squares=squares, degrees_of_freedom=freedom, mean_square=mean, f=float(f), p=p
    )


def _effects(cells: Floats, present: Bools) -> tuple[Floats, Floats]:
    """Row and column effects by least squares; those of columns are eliminated first."""
    weights = present.astype(np.float64)
    normal, shared = _reduced(weights)
    row_effects, *_ = np.linalg.lstsq(normal, cells.sum(axis=1) - shared @ cells.sum(axis=0), rcond=None)
    column_effects = (cells - weights * row_effects[:, None]).sum(axis=0) / weights.sum(axis=0)
    return row_effects, column_effects


def _reduced(weights: Floats) -> tuple[Floats, Floats]:
    """The normal equations of the rows after elimination of the columns, and each column's shares."""
    shared = weights / weights.sum(axis=0)
    return np.diag(weights.sum(axis=1)) - shared @ weights.T, shared


def _explained(cells: Floats, present: Bools, residual: float, largest: float) -> float:
    """What the rows explain beyond the columns: the residual without them, less the residual with them."""
    means = cells.sum(axis=0) / present.sum(axis=0)
    without = np.where(present, cells - means, 0.0)
    if np.abs(without).max() <= SLACK * largest:
        return 0.0
    return max(0.0, float((without**2).sum()) - residual)


def difference_variances(inverse: NDArray[np.floating[Any]], membership: NDArray[np.intp]) -> Floats:
    """Rows × rows from the inverse of the rows' normal equations; NaN between pieces of the design."""
    own = np.diag(inverse)
    variances = np.asarray(own[:, None] + own[None, :] - 2 * inverse)
    variances[membership[:, None] != membership[None, :]] = np.nan
    np.fill_diagonal(variances, 0.0)
    return variances


def piece_of_rows(present: Bools) -> NDArray[np.intp]:
    """For each row the lowest row of its connected piece; columns connect the rows that have cells in them."""
    piece = np.arange(len(present))
    none = len(present)
    while True:
        of_column = np.where(present, piece[:, None], none).min(axis=0, initial=none)
        joined = np.where(present, of_column, none).min(axis=1, initial=none)
        if np.array_equal(joined, piece):
            return piece
        piece = joined
