"""Two-way analysis of variance, summarizer + topic, one observation a cell, no interaction (Dang 2006).

Here is the residual variance that intervals rest on; tests and multiple comparison build on the same fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-12
ROUNDS = 10_000


@dataclass(frozen=True)
class TwoWayFit:
    """What is left after row and column effects: mean square of the residuals and its degrees of freedom."""

    mean_square: float
    degrees_of_freedom: int


def fit_two_way(values: NDArray[np.float64]) -> TwoWayFit | None:
    """Least squares of value = row effect + column effect over the cells that are not NaN.

    Complete: df = (a − 1)(b − 1). With missing cells: df = cells − a − b + (number of connected pieces), by
    alternating projections. None when no degree of freedom is left.
    """
    present = ~np.isnan(values)
    values = values[present.any(axis=1)][:, present.any(axis=0)]
    present = ~np.isnan(values)
    rows, columns = values.shape
    freedom = int(present.sum()) - rows - columns + _pieces(present)
    if freedom <= 0:
        return None
    residuals = np.where(present, values, 0.0)
    per_row, per_column = present.sum(axis=1), present.sum(axis=0)
    scale = max(float(np.abs(residuals).max()), 1e-300)
    for _ in range(ROUNDS):
        row_means = residuals.sum(axis=1) / per_row
        residuals = np.where(present, residuals - row_means[:, None], 0.0)
        column_means = residuals.sum(axis=0) / per_column
        residuals = np.where(present, residuals - column_means[None, :], 0.0)
        if max(np.abs(row_means).max(), np.abs(column_means).max()) <= TOLERANCE * scale:
            break
    return TwoWayFit(float((residuals**2).sum()) / freedom, freedom)


def _pieces(present: NDArray[np.bool_]) -> int:
    """Number of connected pieces of the rows and columns that share cells."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns = present.shape
    row, column = np.nonzero(present)
    links = coo_array((np.ones(len(row)), (row, rows + column)), shape=(rows + columns, rows + columns))
    count, _ = connected_components(links, directed=False)
    return int(count)
