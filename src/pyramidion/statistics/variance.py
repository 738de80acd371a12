"""Two-way analysis of variance, summarizer + topic, one observation a cell, no interaction (Dang 2006, section 3).

Rows are summarizers and columns topics; NaN is a missing cell, and then everything is by least squares. Here are the
fit and the table; `tukey` compares the rows, `intervals` rests on the residual variance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.pairs import p_without_spread, paired_differences, paired_tests
from pyramidion.statistics.resampling import block_sizes
from pyramidion.statistics.values import SLACK, check_finite, f_p, quotients, t_p


@dataclass(frozen=True, kw_only=True)
class VarianceSource:
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
    row_table: VarianceSource
    column_table: VarianceSource
    residual_table: VarianceSource
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
    def table(self) -> tuple[VarianceSource, VarianceSource, VarianceSource]:
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
        # Singular like the fit itself; the pseudo-inverse gives the variances of differences all the same.
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
    is_present = ~np.isnan(values)
    rows, columns = np.nonzero(is_present.any(axis=1))[0], np.nonzero(is_present.any(axis=0))[0]
    values = values[np.ix_(rows, columns)]
    present = ~np.isnan(values)
    pieces = len(np.unique(piece_of_rows(present)))
    error_freedom = int(present.sum()) - len(rows) - len(columns) + pieces
    if error_freedom <= 0:
        return None
    # Sums of squares of numbers near 0 keep the digits that those of large numbers far from 0 would lose.
    centre = float(values[present].mean())
    cells = np.where(present, values - centre, 0.0)
    # The effects of the longer side are eliminated, so that one small system is solved.
    turned = len(rows) > len(columns)
    row_effects, column_effects = _effects(cells.T, present.T)[::-1] if turned else _effects(cells, present)
    residuals = np.where(present, cells - row_effects[:, None] - column_effects[None, :], 0.0)
    largest = float(np.abs(values[present]).max())
    # Rows that differ by a constant leave nothing but rounding, which F would take for an error to divide by.
    if np.abs(residuals).max() <= SLACK * largest:
        residuals = np.zeros_like(residuals)
    residual = float((residuals**2).sum())
    error = residual / error_freedom

    def row(source: str, squares: float, freedom: int) -> VarianceSource:
        return anova_row(source, squares, freedom, error, error_freedom)

    row_means = centre + row_effects + column_effects.mean()
    return TwoWayAnova(
        rows=rows,
        columns=columns,
        row_table=row("summarizer", _explained(cells, present, residual, largest), len(rows) - pieces),
        column_table=row("topic", _explained(cells.T, present.T, residual, largest), len(columns) - pieces),
        residual_table=row("residual", residual, error_freedom),
        # Between pieces the effects are determined only up to a constant each: means of two pieces can't be compared.
        row_means=row_means if pieces == 1 else np.full(len(rows), np.nan),
        missing=int((~present).sum()),
        pieces=pieces,
        present=present,
    )


def anova_row(source: str, squares: float, freedom: int, error: float, error_freedom: int) -> VarianceSource:
    """A line of the table: F = MS/MSE, and its p."""
    mean = squares / freedom if freedom else np.nan
    f = mean / error if source != "residual" and freedom and error else np.nan
    p = f_p(f, freedom, error_freedom) if np.isfinite(f) else np.nan
    return VarianceSource(
        source=source, sum_of_squares=squares, degrees_of_freedom=freedom, mean_square=mean, f=float(f), p=p
    )


def _effects(cells: Floats, present: Bools) -> tuple[Floats, Floats]:
    """Row and column effects by least squares; those of columns are eliminated first."""
    weights = present.astype(np.float64)
    normal, shared = _reduced(weights)
    # The normal equations are singular: effects are determined up to a constant. lstsq takes the shortest solution,
    # and a difference of effects is the same in all of them.
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
    # Type II: both fits have the columns; the difference of two nearly equal sums may come out below 0.
    return max(0.0, float((without**2).sum()) - residual)


def difference_variances(inverse: NDArray[np.floating[Any]], membership: NDArray[np.intp]) -> Floats:
    """Rows × rows from the inverse of the rows' normal equations; NaN between pieces of the design."""
    diagonal = np.diag(inverse)
    variances = np.asarray(diagonal[:, None] + diagonal[None, :] - 2 * inverse)
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


PERMUTATIONS = 999
BLOCK = 20_000
"""Cells of the matrices that are permuted at a time, few enough for the processor's cache."""
UNEQUAL = 0.01
"""The level at which variances count as unequal."""
CLOSE = 1e-6
"""The share of their squares that rows differ by where sums are too coarse: there, half of the digits are lost."""
CLOSE_PAIRS = 1000
"""Pairs that are tested by their differences at a time."""
MOST_CELLS = 20_000
"""Scores that are enough to see whether variances differ."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnVarianceTests:
    """Rows × rows: which pairs differ at one confidence level for all of them together."""

    differences: Floats
    """Mean difference over the shared columns, row less column; NaN where there is none."""
    p: Floats
    """Of each pair alone; NaN where it can't be tested."""
    p_adjusted: Floats
    """Holm's."""
    differs: Bools

    @property
    def pairs(self) -> int:
        """How many pairs differ."""
        return int(np.triu(self.differs, 1).sum())

    @property
    def untested(self) -> int:
        """How many pairs have nothing in common to be tested with."""
        return int(np.isnan(self.p[np.triu_indices(len(self.p), 1)]).sum())


@dataclass
class PairSums:
    """For all pairs of rows: shared columns, sums and squares of their differences, added up block by block."""

    size: int
    counts: Floats = field(init=False)
    sums: Floats = field(init=False)
    squares: Floats = field(init=False)
    sizes: Floats = field(init=False)
    """Squares of both rows' values, whose difference is what rounding leaves of the squares of differences."""
    largest: float = 0.0

    def __post_init__(self) -> None:
        self.counts, self.sums, self.squares, self.sizes = np.zeros((4, self.size, self.size))

    def add(self, values: Floats) -> None:
        """Add a block: rows × columns, NaN where there is no value."""
        present = ~np.isnan(values)
        values, present = values[:, present.any(axis=0)], present[:, present.any(axis=0)]
        if not values.shape[1]:
            return
        weights = present.astype(np.float64)
        means = np.where(present, values, 0.0).sum(axis=0) / weights.sum(axis=0)
        cells = np.where(present, values - means, 0.0)  # no difference has the mean, and smaller numbers lose less
        squares = cells**2 @ weights.T
        sums = cells @ weights.T
        self.counts += weights @ weights.T
        self.sums += sums - sums.T
        # Σ(x - y)² = Σx² + Σy² - 2Σxy over the shared columns: all pairs by three products, no pair by itself.
        self.squares += squares + squares.T - 2 * cells @ cells.T
        self.sizes += squares + squares.T
        self.largest = max(self.largest, float(np.abs(values[present]).max()))

    def tests(self, *, confidence: float, values: Floats | None = None) -> OwnVarianceTests:
        """Paired t tests of all pairs, corrected by Holm; what differs by rounding only does not differ.

        The sums lose the digits of rows that are nearly a constant apart: with the values, these pairs are tested by
        their differences; without, they count as constant.
        """
        rounding = SLACK * self.largest
        means = quotients(self.sums, self.counts)
        means[np.abs(means) <= rounding] = 0.0
        # Rounding can leave a little less than 0 where all differences are equal.
        squares = np.maximum(self.squares - self.counts * np.nan_to_num(means) ** 2, 0.0)
        variances = quotients(squares, self.counts - 1)
        varies = (variances > rounding**2) & (squares > SLACK * self.sizes)
        errors = np.sqrt(quotients(np.where(varies, variances, np.nan), self.counts))
        t = quotients(means, errors, where=varies)
        p = np.where(varies, t_p(t, np.maximum(self.counts - 1, 1)), p_without_spread(means, self.counts))
        np.fill_diagonal(p, np.nan)
        if values is not None:
            is_close = (self.counts > 0) & (squares <= CLOSE * self.sizes)
            _test_by_differences(values, np.argwhere(np.triu(is_close, 1)), means, p)
        return tests_from_p(means, p, confidence=confidence)


def _test_by_differences(values: Floats, pairs: Integers, means: Floats, p: Floats) -> None:
    """Put the mean differences of some pairs and their p, as of a pair by itself, into the matrices of all pairs."""
    for block in np.split(pairs, range(CLOSE_PAIRS, len(pairs), CLOSE_PAIRS)) if len(pairs) else []:
        listed_pairs = [(int(first), int(second)) for first, second in block]
        tests = paired_tests(paired_differences(values, listed_pairs), permutations=None)
        first, second = block.T
        means[first, second], means[second, first] = tests.difference, -tests.difference
        p[first, second] = p[second, first] = tests.p


def own_variance_tests(values: Floats, *, confidence: float, clusters: Integers | None = None) -> OwnVarianceTests:
    """Paired t tests of all pairs of rows over the columns that both have (NaN: no value), corrected by Holm.

    With `clusters` (a number for each column, from 0), columns of one cluster may depend on each other: each pair has
    the standard error and the degrees of freedom of `statistics.clusters`.
    """
    if clusters is not None:
        return _clustered_tests(values, clusters, confidence=confidence)
    sums = PairSums(size=len(values))
    sums.add(values)
    return sums.tests(confidence=confidence, values=values)


def _clustered_tests(values: Floats, clusters: Integers, *, confidence: float) -> OwnVarianceTests:
    """All pairs by the t tests of `paired_tests`, so that letters and single pairs agree."""
    count = len(values)
    differences, p = np.full((2, count, count), np.nan)
    np.fill_diagonal(differences, 0.0)
    for first in range(count - 1):
        pairs = [(first, second) for second in range(first + 1, count)]
        tests = paired_tests(paired_differences(values, pairs), permutations=None, clusters=clusters)
        differences[first, first + 1 :], differences[first + 1 :, first] = tests.difference, -tests.difference
        p[first, first + 1 :] = p[first + 1 :, first] = tests.p
    return tests_from_p(differences, p, confidence=confidence)


def tests_from_p(differences: Floats, p: Floats, *, confidence: float) -> OwnVarianceTests:
    """Which pairs differ, from differences and p values of all pairs (rows × rows), corrected by Holm."""
    upper = np.triu_indices(len(p), 1)
    corrected = np.full_like(p, np.nan)
    # Only the upper half: each pair is one test, and the matrix has it twice.
    corrected[upper] = adjusted(p[upper], correction="holm")
    corrected = np.where(np.isnan(corrected), corrected.T, corrected)
    level = (1 - confidence / 100) * (1 + SLACK)
    differs = (np.nan_to_num(corrected, nan=1.0) <= level) & (np.nan_to_num(differences) != 0)
    return OwnVarianceTests(differences=differences, p=p, p_adjusted=corrected, differs=differs)


@dataclass(frozen=True, kw_only=True)
class VarianceCheck:
    """How far the variances of paired differences lie apart, and whether that may be chance."""

    ratio: float
    """The largest standard deviation of paired differences by their root mean square."""
    unequal: bool
    """Whether equal variances would give such a ratio in at most 1 % of cases."""


def check_variances(values: Floats, *, seed: int) -> VarianceCheck | None:
    """Whether the standard deviations of paired differences differ more than by chance.

    The ratio of the largest to the root mean square is compared with its distribution under equal variances: 999 times
    the residuals of row + column change places within their columns. (A fixed ratio such as 1.3 would be exceeded with
    16 equal rows and 11 columns, too.) Counting stops as soon as the ratio can't be among the highest 1 %.

    Args:
        values: rows × columns; columns with a missing value are left out, and many are more than enough.
        seed: of the permutations.

    Returns:
        None with fewer than three rows or columns, or if nothing varies.
    """
    complete = values[:, ~np.isnan(values).any(axis=0)]
    rows = len(complete)
    complete = complete[:, : max(MOST_CELLS // max(rows, 1), 3)]
    if rows < 3 or complete.shape[1] < 3:
        return None
    residuals = complete - complete.mean(axis=0)
    residuals -= residuals.mean(axis=1, keepdims=True)
    if np.abs(residuals).max() <= SLACK * np.abs(complete).max():
        return None
    observed = float(_ratios(residuals[None])[0])
    by_column = np.ascontiguousarray(residuals.T)
    # p = (reached + 1)/(999 + 1) is at most 1 % while no more than nine permutations reach the ratio.
    most = round(UNEQUAL * (PERMUTATIONS + 1)) - 1
    generator = np.random.default_rng(seed)
    reached = 0
    for size in block_sizes(PERMUTATIONS, max(rows * rows, by_column.size), most=BLOCK):
        batch = np.broadcast_to(by_column, (size, *by_column.shape))
        ratios = _ratios(generator.permuted(batch, axis=2).transpose(0, 2, 1))
        # With slack: a permutation that gives the same matrix in another order must count as equal.
        reached += int((ratios >= observed * (1 - SLACK)).sum())
        if reached > most:
            return VarianceCheck(ratio=observed, unequal=False)
    return VarianceCheck(ratio=observed, unequal=True)


def _ratios(residuals: Floats) -> Floats:
    """Of each matrix: the largest standard deviation of the differences of two rows by the root mean square of all."""
    count = residuals.shape[1]
    centred = np.ascontiguousarray(residuals - residuals.mean(axis=2, keepdims=True))
    products = centred @ centred.transpose(0, 2, 1)
    diagonals = np.diagonal(products, axis1=1, axis2=2).copy()
    total = 2 * count * diagonals.sum(axis=1) - 2 * products.sum(axis=(1, 2))
    products *= -2
    products += diagonals[:, :, None]
    products += diagonals[:, None, :]  # now the variances of differences, up to a factor
    return np.sqrt(quotients(products.max(axis=(1, 2)), total / (count * (count - 1))))
