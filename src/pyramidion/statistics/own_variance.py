"""All pairs of summarizers, each tested with the variance of its own differences; and whether variances differ.

Tukey's test takes one variance for all pairs. Where that does not hold, or where scores are missing so that pairs have
different topics, each pair has a paired t test, and Holm's correction holds the level over all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pyramidion.arrays import Bools, Floats, quotients
from pyramidion.statistics.distributions import t_p
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.pairs import p_without_spread
from pyramidion.statistics.resampling import block_sizes
from pyramidion.statistics.ties import SLACK

PERMUTATIONS = 999
BLOCK = 20_000
"""Cells of the matrices that are permuted at a time, few enough for the processor's cache."""
UNEQUAL = 0.01
"""The level at which variances count as unequal."""
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
    largest: float = 0.0

    def __post_init__(self) -> None:
        self.counts, self.sums, self.squares = np.zeros((3, self.size, self.size))

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
        self.squares += squares + squares.T - 2 * cells @ cells.T
        self.largest = max(self.largest, float(np.abs(values[present]).max()))

    def tests(self, *, confidence: float) -> OwnVarianceTests:
        """Paired t tests of all pairs, corrected by Holm; what differs by rounding only does not differ."""
        rounding = SLACK * self.largest
        means = quotients(self.sums, self.counts)
        means[np.abs(means) <= rounding] = 0.0
        squares = np.maximum(self.squares - self.counts * np.nan_to_num(means) ** 2, 0.0)
        variances = quotients(squares, self.counts - 1)
        varies = variances > rounding**2
        errors = np.sqrt(quotients(np.where(varies, variances, np.nan), self.counts))
        t = quotients(means, errors, where=varies)
        p = np.where(varies, t_p(t, np.maximum(self.counts - 1, 1)), p_without_spread(means, self.counts))
        np.fill_diagonal(p, np.nan)
        return tests_from_p(means, p, confidence=confidence)


def own_variance_tests(values: Floats, *, confidence: float) -> OwnVarianceTests:
    """Paired t tests of all pairs of rows over the columns that both have (NaN: no value), corrected by Holm."""
    sums = PairSums(size=len(values))
    sums.add(values)
    return sums.tests(confidence=confidence)


def tests_from_p(differences: Floats, p: Floats, *, confidence: float) -> OwnVarianceTests:
    """Which pairs differ, from differences and p values of all pairs (rows × rows), corrected by Holm."""
    upper = np.triu_indices(len(p), 1)
    corrected = np.full_like(p, np.nan)
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
    most = round(UNEQUAL * (PERMUTATIONS + 1)) - 1
    generator = np.random.default_rng(seed)
    reached = 0
    for size in block_sizes(PERMUTATIONS, max(rows * rows, by_column.size), most=BLOCK):
        batch = np.broadcast_to(by_column, (size, *by_column.shape))
        ratios = _ratios(generator.permuted(batch, axis=2).transpose(0, 2, 1))
        reached += int((ratios >= observed * (1 - SLACK)).sum())
        if reached > most:
            return VarianceCheck(ratio=observed, unequal=False)
    return VarianceCheck(ratio=observed, unequal=True)


def _ratios(residuals: Floats) -> Floats:
    """Of each matrix: the largest standard deviation of the differences of two rows by the root mean square of all."""
    count = residuals.shape[1]
    centred = np.ascontiguousarray(residuals - residuals.mean(axis=2, keepdims=True))
    products = centred @ centred.transpose(0, 2, 1)
    own = np.diagonal(products, axis1=1, axis2=2).copy()
    total = 2 * count * own.sum(axis=1) - 2 * products.sum(axis=(1, 2))
    products *= -2
    products += own[:, :, None]
    products += own[:, None, :]  # now the variances of differences, up to a factor
    return np.sqrt(quotients(products.max(axis=(1, 2)), total / (count * (count - 1))))
