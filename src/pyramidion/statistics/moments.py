"""Sufficient statistics of a two-way design with many columns: sums over topics, not a matrix of all cells.

Columns (topics) come in blocks, each column whole in one block. What is kept has the size rows × rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.friedman import FriedmanTest, friedman_from_ranks
from pyramidion.statistics.values import SLACK, check_finite, mid_ranks, snap_ties
from pyramidion.statistics.variance import TwoWayAnova, VarianceSource, anova_row, difference_variances, piece_of_rows


@dataclass
class Moments:
    """What the analyses of summarizers × topics need to know, added up block by block.

    With presence w and values y of a topic, n = Σ w: the normal equations of the rows after elimination of the
    topics are N = Σ (diag w − w wᵀ/n) and r = Σ (y − w·ȳ) (as in `two_way_anova`); the effects of rows are N⁺r.
    """

    size: int
    centre: float = 0.0
    """Is subtracted from all values, so that squares do not lose digits."""
    columns: int = 0
    complete: int = 0
    """Columns with a value in every row."""
    normal: Floats = field(init=False)
    reduced: Floats = field(init=False)
    counts: Floats = field(init=False)
    sums: Floats = field(init=False)
    squares: Floats = field(init=False)
    shares: Floats = field(init=False)
    """Σ over columns of each row's share of the column."""
    column_means: float = 0.0
    """Σ over columns of the column's mean."""
    within: float = 0.0
    """Σ over columns of the squares around the column's mean."""
    rank_sums: Floats = field(init=False)
    rank_squares: float = 0.0
    largest: float = 0.0

    def __post_init__(self) -> None:
        self.normal = np.zeros((self.size, self.size))
        self.reduced, self.counts, self.sums, self.squares = np.zeros((4, self.size))
        self.shares, self.rank_sums = np.zeros((2, self.size))

    def add(self, values: Floats) -> None:
        """Add a block: rows × columns, NaN where there is no value."""
        check_finite(values)
        present = ~np.isnan(values)
        values, present = values[:, present.any(axis=0)], present[:, present.any(axis=0)]
        if not values.shape[1]:
            return
        weights = present.astype(np.float64)
        cells = np.where(present, values - self.centre, 0.0)
        n = weights.sum(axis=0)
        means = cells.sum(axis=0) / n
        self.columns += values.shape[1]
        # The same elimination as in `variance`, column by column: no matrix of all cells is needed.
        self.normal += np.diag(weights.sum(axis=1)) - (weights / n) @ weights.T
        self.reduced += (cells - weights * means).sum(axis=1)
        self.shares += (weights / n).sum(axis=1)
        self.column_means += float(means.sum())
        self.counts += weights.sum(axis=1)
        self.sums += cells.sum(axis=1)
        self.squares += (cells**2).sum(axis=1)
        self.within += float((np.where(present, cells - means, 0.0) ** 2).sum())
        self.largest = max(self.largest, float(np.abs(values[present]).max()))
        full = values[:, present.all(axis=0)]
        self.complete += full.shape[1]
        ranks = mid_ranks(snap_ties(full), axis=0)
        self.rank_sums += ranks.sum(axis=1)
        self.rank_squares += float((ranks**2).sum())

    @property
    def means(self) -> Floats:
        """The plain mean of each row."""
        means_of_rows: Floats = self.centre + self.sums / self.counts
        return means_of_rows

    def anova(self) -> TwoWayAnova | None:
        """The analysis that `two_way_anova` makes of the whole matrix, up to rounding."""
        # Two rows that share a topic have a negative entry, so that the matrix itself shows the pieces.
        membership = piece_of_rows(self.normal != 0)
        pieces = len(np.unique(membership))
        freedom = int(self.counts.sum()) - self.size - self.columns + pieces
        if freedom <= 0:
            return None
        inverse = np.linalg.pinv(self.normal, hermitian=True)
        effects = inverse @ self.reduced
        explained = float(effects @ self.reduced)
        # Squares that rounding alone would leave in so many cells.
        floor = (SLACK * self.largest) ** 2 * float(self.counts.sum())
        residual = max(self.within - explained, 0.0)
        residual = 0.0 if residual <= floor else residual
        of_columns = float((self.squares - self.sums**2 / self.counts).sum()) - residual
        error = residual / freedom

        def row(source: str, squares: float, source_freedom: int) -> VarianceSource:
            return anova_row(source, 0.0 if squares <= floor else squares, source_freedom, error, freedom)

        of_column = (self.column_means - float(self.shares @ effects)) / self.columns  # the mean effect of a column
        two_way = TwoWayAnova(
            rows=np.arange(self.size),
            # Only their number is asked for: millions of topics as one broadcast zero.
            columns=np.broadcast_to(np.intp(0), (self.columns,)),
            row_table=row("summarizer", explained, self.size - pieces),
            column_table=row("topic", of_columns, self.columns - pieces),
            residual_table=anova_row("residual", residual, freedom, error, freedom),
            row_means=self.centre + effects + of_column if pieces == 1 else np.full(self.size, np.nan),
            missing=self.size * self.columns - int(self.counts.sum()),
            pieces=pieces,
            present=np.zeros((self.size, 0), dtype=np.bool_),
        )
        if two_way.missing:
            two_way.__dict__["difference_variances"] = difference_variances(inverse, membership)
        return two_way

    def friedman(self, confidence: float) -> FriedmanTest | None:
        """Friedman's test over the complete columns."""
        if self.size < 2 or not self.complete:
            return None
        return friedman_from_ranks(self.rank_sums, self.rank_squares, self.complete, confidence=confidence)
