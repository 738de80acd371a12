"""Two-way analysis of variance, summarizer + topic, one observation a cell, no interaction (Dang 2006).

Here is the residual variance that intervals rest on; tests and multiple comparison build on the same fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TwoWayFit:
    """What is left after row and column effects: mean square of the residuals and its degrees of freedom."""

    mean_square: float
    degrees_of_freedom: int


def fit_two_way(values: NDArray[np.float64]) -> TwoWayFit | None:
    """Least squares of value = row effect + column effect over the cells that are not NaN.

    Complete: df = (a − 1)(b − 1). With missing cells: df = cells − a − b + (number of connected pieces). None when no
    degree of freedom is left. The effects of the longer side are eliminated, so that one small system is solved.
    """
    present = ~np.isnan(values)
    values = values[present.any(axis=1)][:, present.any(axis=0)]
    if values.shape[0] > values.shape[1]:
        values = values.T
    present = ~np.isnan(values)
    rows, columns = values.shape
    freedom = int(present.sum()) - rows - columns + _pieces(present)
    if freedom <= 0:
        return None
    cells = np.where(present, values, 0.0)
    weights = present.astype(np.float64)
    per_column = weights.sum(axis=0)
    shared = weights / per_column
    normal = np.diag(weights.sum(axis=1)) - shared @ weights.T
    row_effects, *_ = np.linalg.lstsq(normal, cells.sum(axis=1) - shared @ cells.sum(axis=0), rcond=None)
    column_effects = (cells - weights * row_effects[:, None]).sum(axis=0) / per_column
    residuals = np.where(present, cells - row_effects[:, None] - column_effects[None, :], 0.0)
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
