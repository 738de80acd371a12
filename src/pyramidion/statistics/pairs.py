"""Paired differences over shared topics: permutation test (see `sign_flips`), effect size, wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers, quotients
from pyramidion.statistics.checks import check_finite
from pyramidion.statistics.means import mean_of_defined, spreads_of
from pyramidion.statistics.sign_flips import Source, sign_flip_p
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
    source: Source | None = None,
) -> PairedTests:
    """Test every row of paired differences (pairs × topics, NaN where not shared); see `sign_flip_p`.

    Without `permutations` there is no test: p is NaN.
    """
    check_finite(differences, what="difference")
    present = ~np.isnan(differences)
    n = present.sum(axis=1)
    cells = np.where(present, differences, 0.0)
    mean = mean_of_defined(differences)
    mean[np.abs(mean) <= SLACK * np.abs(cells).max(axis=1, initial=0.0)] = 0.0  # a rest of rounding
    spread = spreads_of(differences)
    tested = spread > SLACK * np.maximum(np.abs(mean), np.finfo(np.float64).tiny)
    effect = quotients(mean, spread, where=tested)
    p, exact = np.full(len(n), np.nan), np.zeros(len(n), dtype=np.bool_)
    if permutations is not None:
        p, exact = sign_flip_p(differences, permutations=permutations, seed=seed, progress=progress, source=source)
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
