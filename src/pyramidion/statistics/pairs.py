"""Paired differences over shared topics: sign-flip permutation test, effect size, wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.checks import check_finite
from pyramidion.statistics.means import mean_of_defined, spreads_of
from pyramidion.statistics.resampling import LARGE_BLOCK, block_sizes
from pyramidion.statistics.ties import SLACK, settled

PERMUTATIONS = 99_999
"""Enough for p values that stay small after correction over hundreds of pairs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTests:
    """One entry a pair."""

    difference: Floats
    """Mean difference over the shared topics; NaN if there is none."""
    effect: Floats
    """Cohen's d_z: mean difference / standard deviation of the differences; NaN where that is 0 or unknown."""
    p: Floats
    """Two-sided p of the permutation test; NaN if no topic is shared."""
    exact: Bools
    """Whether all sign flips were enumerated, not a sample of them."""
    higher: Integers
    """Topics on which the first is higher."""
    equal: Integers
    lower: Integers
    n: Integers
    """Shared topics."""


def paired_differences(values: Floats, pairs: list[tuple[int, int]]) -> Floats:
    """Pairs × topics: first less second, NaN where either has no value; 0 where they differ by rounding only.

    The differences are of the values as they are: rounded, thirds would no longer add up, and sums that are equal
    under a flip of signs would differ.
    """
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    rounded = settled(values)
    return np.where(rounded[first] == rounded[second], 0.0, values[first] - values[second])


def paired_tests(
    differences: Floats,
    *,
    permutations: int | None = PERMUTATIONS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> PairedTests:
    """Test every row of paired differences (pairs × topics, NaN where not shared); see `sign_flip_p`.

    Without `permutations` there is no test: p is NaN.
    """
    check_finite(differences, what="difference")
    present = ~np.isnan(differences)
    n = present.sum(axis=1)
    cells = np.where(present, differences, 0.0)
    mean = mean_of_defined(differences)
    spread = spreads_of(differences)
    tested = spread > SLACK * np.maximum(np.abs(mean), np.finfo(np.float64).tiny)
    effect: Floats = np.divide(mean, spread, out=np.full(len(n), np.nan), where=tested)
    p, exact = np.full(len(n), np.nan), np.zeros(len(n), dtype=np.bool_)
    if permutations is not None:
        p, exact = sign_flip_p(differences, permutations=permutations, seed=seed, progress=progress)
    return PairedTests(
        difference=mean,
        effect=effect,
        p=p,
        exact=exact,
        higher=(cells > 0).sum(axis=1),
        equal=(present & (cells == 0)).sum(axis=1),
        lower=(cells < 0).sum(axis=1),
        n=n,
    )


def sign_flip_p(
    differences: Floats, *, permutations: int, seed: int, progress: Callable[[int], None] | None = None
) -> tuple[Floats, Bools]:
    """Two-sided p of the mean of each row under random signs (Fisher's permutation test of paired differences).

    If A and B are exchangeable on every topic, each difference might as well have the other sign. If there are at most
    `permutations` + 1 assignments of signs, all are enumerated: p = share of them whose |sum| is at least the observed
    one. Otherwise p = (count + 1)/(permutations + 1) over seeded random assignments, the same for all rows;
    `progress` is called with the number of them done since the last call.
    """
    if permutations < 1:
        raise UsageError(f"permutations {permutations}: expected a number from 1 up")
    present = ~np.isnan(differences)
    n = present.sum(axis=1)
    exact = np.array([2 ** int(count) <= permutations + 1 for count in n], dtype=np.bool_)
    p = np.full(len(n), np.nan)
    for row in np.nonzero(exact & (n > 0))[0]:
        p[row] = _exact_p(differences[row, present[row]])
    sampled = np.nonzero(~exact)[0]
    if len(sampled):
        cells = np.where(present[sampled], differences[sampled], 0.0)
        p[sampled] = _sampled_p(cells, permutations, seed, progress)
    return p, exact


def least_p(topics: int, *, permutations: int) -> float:
    """The smallest p that the test can give with this many topics: all differences have one sign."""
    return max(2.0 ** (1 - topics), 1 / (permutations + 1))


def _exact_p(differences: Floats) -> float:
    sums = differences[:1]  # the first sign may stay: all signs changed give the same |sum|
    for difference in differences[1:]:
        sums = np.concatenate([sums + difference, sums - difference])
    return float((np.abs(sums) >= _observed(differences[None])[0]).mean())


def _sampled_p(cells: Floats, permutations: int, seed: int, progress: Callable[[int], None] | None) -> Floats:
    generator = np.random.default_rng(seed)
    rows, topics = cells.shape
    observed = _observed(cells)
    counts = np.zeros(rows, dtype=np.int64)
    for size in block_sizes(permutations, max(topics, rows), most=LARGE_BLOCK):
        signs = np.where(generator.random((size, topics)) < 0.5, -1.0, 1.0)
        sums = signs @ cells.T
        counts += (np.abs(sums, out=sums) >= observed).sum(axis=0)
        if progress:
            progress(size)
    p: Floats = (counts + 1) / (permutations + 1)
    return p


def _observed(cells: Floats) -> Floats:
    """|sum| of each row, less what the order of addition may change."""
    least: Floats = np.abs(cells.sum(axis=1)) - SLACK * np.abs(cells).sum(axis=1)
    return least
