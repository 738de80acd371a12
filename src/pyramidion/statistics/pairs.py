"""Paired differences over shared topics: a paired t, sign-flip or betting test with its interval, effect size, wins.

Test and interval come from one distribution, and each pair is tested with its own differences alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.options import PairMethod
from pyramidion.statistics.betting import betting_sequence
from pyramidion.statistics.clusters import ClusterSums, design_effects
from pyramidion.statistics.sign_flips import PairedValues, rows_by_topics, sign_flip_limits, sign_flip_p
from pyramidion.statistics.values import (
    SLACK,
    check_choice,
    check_finite,
    mean_of_defined,
    quotients,
    snap_row_ties,
    spreads_of,
    t_critical,
    t_p,
)

PERMUTATIONS = 99_999
"""Enough for p values that stay small after correction over hundreds of pairs."""


BISECTIONS = 60
"""Of the parameter of the noncentral t: more than its digits."""
MOST_FLIPPED = 50_000
"""Topics of a pair above which the t test and the permutation test agree, and the latter is left out next to it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTests:
    """One entry a pair."""

    difference: Floats
    """Mean difference over the shared topics; NaN if there is none."""
    lower: Floats
    """Limits of the mean difference; NaN where the method has none."""
    upper: Floats
    p: Floats
    """Two-sided p of the chosen method; NaN if no topic is shared."""
    df: Floats
    """Degrees of freedom of the t test; NaN where there is none."""
    p_permutation: Floats
    """Two-sided p of the sign-flip test; NaN if it was not made."""
    exact: Bools
    """Whether the sign-flip test counted all assignments of signs, not a sample of them."""
    spread: Floats
    """Standard deviation of the differences; NaN for fewer than two."""
    effect: Floats
    """Cohen's d_z: mean difference / standard deviation of the differences; NaN where that is 0 or unknown."""
    wins: Integers
    """Topics on which the difference is above 0."""
    ties: Integers
    losses: Integers
    n: Integers
    """Shared topics."""
    most_equal: Integers
    """How many of the differences have the value that is most frequent among them."""
    error: Floats
    """Standard error of the mean difference; NaN where there is none, and by the sign-flip test."""
    spread_error: Floats
    """The standard error of the t test, whichever the method."""
    units: Integers
    """What is taken as independent: the shared topics, or the clusters that they belong to."""
    design_effect: Floats
    """How many times clusters make the variance of the difference larger than independent topics would; else 1."""


def paired_differences(values: Floats, pairs: list[tuple[int, int]]) -> Floats:
    """Pairs × topics: first less second, NaN where either has no value; 0 where they differ by rounding only.

    The differences are of the values as they are: rounded, thirds would no longer add up, and sums that are equal
    under a flip of signs would differ. What is rounding is judged by the size of the two rows' own values.
    """
    first, second = (values[[pair[side] for pair in pairs]] for side in (0, 1))
    shared = ~np.isnan(first) & ~np.isnan(second)
    sizes = np.where(shared, np.maximum(np.abs(first), np.abs(second)), 0.0).max(axis=1, initial=0.0)
    equal = snap_row_ties(first, sizes) == snap_row_ties(second, sizes)
    return np.where(equal, 0.0, first - second)


def paired_tests(
    differences: Floats,
    *,
    method: PairMethod = "t",
    confidence: float = 95.0,
    permutations: int | None = PERMUTATIONS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    source: PairedValues | None = None,
    bounds: Floats | None = None,
    clusters: Integers | None = None,
) -> PairedTests:
    """Test every row of paired differences (pairs × topics, NaN where not shared), each by itself.

    `t` is the paired t test: t = mean/(s/√n) with n − 1 degrees of freedom, and mean ± t·s/√n. Where s is 0 or unknown
    (all differences equal, a single topic) there is no t: p is then that of the sign-flip test, 2/2ⁿ, or 1 if all
    differences are 0, and there are no limits. `sign-flip`: see `sign_flip_p` and `sign_flip_limits`.
    `bounded`: see `bounded_tests`.

    With clusters, the mean over topics has the standard error and the degrees of freedom of `ClusterSums.errors`, and
    the signs of whole clusters are flipped.

    Args:
        differences: pairs × topics.
        method: which test gives p and the limits.
        confidence: of each interval alone, in per cent.
        permutations: of the sign-flip test; None leaves it out where the t test decides.
        seed: of its draws.
        progress: called with the number of permutations done since the last call.
        source: what the differences are of, which saves time where many pairs of few summarizers are tested.
        bounds: pairs × 2, the least and the largest difference that the scale allows, for `bounded`.
        clusters: the number of each topic's cluster, from 0; None if topics are independent.
    """
    check_choice("method", method, PairMethod)
    check_finite(differences, what="difference")
    present = ~np.isnan(differences)
    n = present.sum(axis=1)
    cells = np.where(present, differences, 0.0)
    largest = np.abs(cells).max(axis=1, initial=0.0)
    mean, spread = np.full((2, len(n)), np.nan)
    for rows, topics in rows_by_topics(present, n > 0):  # so that not even rounding depends on topics of others
        shared = differences[np.ix_(rows, topics)]
        mean[rows], spread[rows] = mean_of_defined(shared), spreads_of(shared)
    mean[np.abs(mean) <= SLACK * largest] = 0.0  # a rest of rounding
    varies = spread > SLACK * np.maximum(largest, np.finfo(np.float64).tiny)
    items, sizes, units = differences, None, n
    if clusters is not None:
        # The shortcut for many pairs of few summarizers flips topics, and here whole clusters are flipped.
        source = None
        items, sizes, error, freedom = _clustered(differences, clusters)
        units = (~np.isnan(items)).sum(axis=1)
    else:
        freedom = np.where(varies, n - 1.0, np.nan)
        error = np.where(varies, spread, np.nan) / np.sqrt(np.maximum(n, 1))
    p_permutation, exact = np.full(len(n), np.nan), np.zeros(len(n), dtype=np.bool_)
    flipped = n > 0 if method == "sign-flip" else (n > 0) & (units <= MOST_FLIPPED)
    if permutations is not None and flipped.any():
        chosen = None
        if source is not None:
            chosen = PairedValues(source.values, [source.pairs[row] for row in np.nonzero(flipped)[0].tolist()])
        p_permutation[flipped], exact[flipped] = sign_flip_p(
            items[flipped], permutations=permutations, seed=seed, progress=progress, source=chosen
        )
    effect, spread_error = design_effects(error, spread, n), error
    if method == "sign-flip":
        flips = PERMUTATIONS if permutations is None else permutations
        lower, upper = sign_flip_limits(items, confidence=confidence, permutations=flips, seed=seed, sizes=sizes)
        p = p_permutation
        error, freedom = np.full((2, len(n)), np.nan)
    elif method == "bounded":
        p, lower, upper = bounded_tests(items, bounds=bounds, confidence=confidence, seed=seed, sizes=sizes)
        error, freedom = np.full((2, len(n)), np.nan)
    else:
        half = t_critical(confidence, freedom) * error
        lower, upper = mean - half, mean + half
        is_tested = ~np.isnan(error)
        p = np.where(is_tested, t_p(quotients(mean, error), freedom), p_without_spread(mean, units))
    return PairedTests(
        difference=mean,
        lower=lower,
        upper=upper,
        p=p,
        df=freedom,
        p_permutation=p_permutation,
        exact=exact,
        spread=spread,
        effect=quotients(mean, spread, where=varies),
        wins=(cells > 0).sum(axis=1),
        ties=(present & (cells == 0)).sum(axis=1),
        losses=(cells < 0).sum(axis=1),
        n=n,
        most_equal=_most_equal(snap_row_ties(differences, largest)),
        error=error,
        spread_error=spread_error,
        units=units,
        design_effect=effect,
    )


def effect_limits(effect: Floats, n: Integers, *, confidence: float) -> tuple[Floats, Floats]:
    """Limits of Cohen's d_z = mean/s of n independent differences, by the noncentral t; NaN where it is undefined.

    t = d_z·√n is noncentral t with n − 1 degrees of freedom and parameter δ·√n: the limits are the δ under which t lies
    at its upper and at its lower α/2 quantile (Steiger and Fouladi 1997). They include 0 exactly when the paired t test
    is not significant at this level.

    >>> [round(float(limit[0]), 3) for limit in effect_limits(np.array([0.5]), np.array([20]), confidence=95)]
    [0.028, 0.96]
    """
    is_defined = ~np.isnan(effect) & (n > 1)
    # Of absolute values: the limits of −d_z are those of d_z turned round.
    t = np.abs(np.where(is_defined, effect, 0.0)) * np.sqrt(n)
    freedom = np.maximum(n - 1, 1).astype(np.float64)
    tail = (1 - confidence / 100) / 2
    near, far = (_noncentrality(freedom, share, t) / np.sqrt(np.maximum(n, 1)) for share in (1 - tail, tail))
    lower, upper = np.where(effect < 0, -far, near), np.where(effect < 0, -near, far)
    return np.where(is_defined, lower, np.nan), np.where(is_defined, upper, np.nan)


def _noncentrality(freedom: Floats, share: float, t: Floats) -> Floats:
    """The parameter of the noncentral t under which a share of its distribution lies below t, by bisection."""
    low, high = np.full(t.shape, -10.0), 2 * t + 10
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        # The distribution function falls as the parameter rises.
        is_above = _shares_below(t, freedom, middle) > share
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return np.asarray((low + high) / 2)


def _shares_below(t: Floats, freedom: Floats, shift: Floats) -> Floats:
    """The distribution function of the noncentral t."""
    from scipy import special

    shares = np.asarray(special.nctdtr(freedom, shift, t), dtype=np.float64)
    if np.isnan(shares).any():
        # Slower to import, but without a limit of the shift.
        from scipy import stats

        shares = np.where(np.isnan(shares), stats.nct.cdf(t, freedom, shift), shares)
    # Both fail far out in the tails, where nearly all or nearly nothing lies below.
    return np.where(np.isnan(shares), (shift < t).astype(np.float64), shares)


def bounded_tests(
    differences: Floats, *, bounds: Floats | None, confidence: float, seed: int, sizes: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """The p value and limits of each row's mean by betting (`betting_sequence`); the number of topics is known.

    They are exact for differences within the bounds, whatever their shape. Topics are taken in the order that the seed
    draws for their number, so that topics and rows of others do not matter. NaN where no topic is shared. Where the
    first topics exclude what all of them show on average, which random order makes unlikely, p is 1 without limits.

    Args:
        differences: pairs × topics, or the sums of differences in each cluster; NaN where there are none.
        bounds: pairs × 2, the least and the largest difference.
        confidence: in percent.
        seed: of the order of topics or clusters.
        sizes: pairs × clusters, the number of topics in each; then clusters take the place of topics.

    Raises:
        UsageError: without bounds.
    """
    if bounds is None:
        raise UsageError('`method="bounded"` needs the scale of the scores: give it, such as `scale=(1, 5)`')
    p, lower, upper = np.full((3, len(differences)), np.nan)
    for row, cells in enumerate(differences):
        is_shared = ~np.isnan(cells)
        count = int(is_shared.sum())
        if not count:
            continue
        order = np.nonzero(is_shared)[0][random_order(count, seed)]
        topics = np.ones(count) if sizes is None else sizes[row, order]
        least, largest = bounds[row].tolist()
        sequence = betting_sequence(
            cells[order] / topics,
            bounds=(least, largest),
            confidence=confidence,
            planned=count,
            weights=topics / topics.max(),
        )
        mean = cells[order].sum() / topics.sum()
        p[row] = 1.0
        if sequence.lower[-1] <= mean <= sequence.upper[-1]:
            p[row], lower[row], upper[row] = sequence.p[-1], sequence.lower[-1], sequence.upper[-1]
    return p, lower, upper


def random_order(count: int, seed: int) -> Integers:
    """The order in which a betting test takes this many topics."""
    return np.random.default_rng(seed).permutation(count)


def _clustered(differences: Floats, clusters: Integers) -> tuple[Floats, Floats, Floats, Floats]:
    """Sums and sizes of clusters (pairs × clusters, sums NaN where there is no topic), standard errors, df."""
    present = ~np.isnan(differences)
    shape = len(differences), int(clusters.max(initial=-1)) + 1
    sums, sizes = np.full(shape, np.nan), np.zeros(shape)
    error, freedom = np.full((2, len(differences)), np.nan)
    for rows, topics in rows_by_topics(
        present, present.sum(axis=1) > 0
    ):  # rounding depends on the pair's own topics alone
        numbers, codes = np.unique(clusters[topics], return_inverse=True)
        group = ClusterSums.of(differences[np.ix_(rows, topics)], codes)
        cells = np.ix_(rows, numbers)
        sums[cells], sizes[cells] = group.sums, group.sizes
        error[rows], freedom[rows] = group.errors()
    return sums, sizes, error, freedom


def p_without_spread(means: Floats, counts: Integers | Floats) -> Floats:
    """Sign-flip p of differences that are all equal: 2/2ⁿ, or 1 if they are 0; NaN if there are none."""
    # Beyond a thousand topics 2/2ⁿ underflows; no p is 0, so the smallest number stands for it.
    p = np.where(means == 0, 1.0, 2.0 ** (1.0 - counts))
    return np.where(counts > 0, np.maximum(p, np.finfo(np.float64).tiny), np.nan)


def _most_equal(differences: Floats) -> Integers:
    """How often the most frequent value of each row occurs; NaN does not count."""
    most = np.zeros(len(differences), dtype=np.int64)
    for row, cells in enumerate(differences):
        _, counts = np.unique(cells[~np.isnan(cells)], return_counts=True)
        most[row] = counts.max(initial=0)
    return most
