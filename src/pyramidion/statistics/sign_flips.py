"""Fisher's permutation test of paired differences: how often random signs give a sum as far from 0 as the one found.

Signs are drawn as single bits and become numbers block by block; sums are matrix products. Where many pairs of few
summarizers are compared, the sums of a pair are differences of the sums of its two summarizers: one product for each
summarizer instead of one for each pair. A pair's draws depend on the number of its own topics alone, so that neither p
nor the limits change with what else is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.resampling import LARGE_BLOCK, block_sizes
from pyramidion.statistics.values import SLACK, mean_of_defined, quotients

EXHAUSTIVE = 16
"""Up to this many topics, all assignments of signs are counted."""
WORD = 64
"""Signs in one random number."""
MANY = 4
"""Pairs for each summarizer from which on sums of summarizers are cheaper."""
CACHED = 512
"""Sums of a summarizer that are compared at a time, so that those of all stay in the processor's cache."""

Count = Callable[[Floats], Integers]
"""For signs (draws × topics; 1 is a changed sign, 0 none): how many draws are as far from 0, for each pair."""


@dataclass(frozen=True, eq=False)
class PairedValues:
    """The values (summarizers × topics) whose differences are tested, and which two rows each pair is of."""

    values: Floats
    pairs: Sequence[tuple[int, int]]


def sign_flip_p(
    differences: Floats,
    *,
    permutations: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
    source: PairedValues | None = None,
) -> tuple[Floats, Bools]:
    """Two-sided p of the mean of each row under random signs (Fisher's permutation test of paired differences).

    If A and B are exchangeable on every topic, each difference might as well have the other sign. Up to 16 topics all
    assignments of signs are enumerated: p = share of them whose |sum| is at least the observed one. With more, the B
    assignments besides the observed one are its opposite and seeded random ones, each with its opposite, and
    p = (1 + k)/(B + 1), k of them being as far from 0. (B is `permutations`, or one more if that is even.)

    Args:
        differences: pairs × topics, NaN where not shared.
        permutations: B, where signs are drawn.
        seed: of the draws, which are the same for all rows with the same topics.
        progress: called with the number of assignments counted since the last call.
        source: changes no value, but saves time where many pairs of few summarizers are tested.

    Returns:
        p of each row, NaN where no topic is shared; and whether all assignments were counted.
    """
    check_permutations(permutations)
    present = ~np.isnan(differences)
    n = present.sum(axis=1)
    exact: Bools = n <= EXHAUSTIVE
    p = np.full(len(n), np.nan)
    for row in np.nonzero(exact & (n > 0))[0]:
        p[row] = _exact_p(differences[row, present[row]])
    for rows, topics in rows_by_topics(present, ~exact):
        cells = differences[np.ix_(rows, topics)]
        chosen = None
        if source is not None:
            chosen = PairedValues(source.values[:, topics], [source.pairs[row] for row in rows.tolist()])
        p[rows] = _sampled_p(cells, chosen, permutations, seed, progress)
    return p, exact


def sign_flip_limits(
    differences: Floats, *, confidence: float, permutations: int, seed: int, sizes: Floats | None = None
) -> tuple[Floats, Floats]:
    """Limits of each row's mean that agree with `sign_flip_p`: 0 is outside exactly when p is at most the level α.

    For a set F of flipped topics, Σ s(d − δ) ≥ Σ (d − δ) holds exactly when the mean of d over F is at most δ. So the
    limits are order statistics of the means of non-empty subsets (Hartigan, J. Amer. Statist. Assoc. 64, 1969): the
    j-th smallest and largest of all of them with j = ⌊α·2ⁿ⁻¹⌋ up to 16 topics, with more of those that the draws of
    `sign_flip_p` give, j = ⌊α(B + 1)/2⌋. NaN where j is 0: then no scores could make p as small as α.

    Where whole clusters are flipped, `differences` are their sums and `sizes` (of the same shape) say how many topics
    each has: means of subsets are then ratios of sums.

    >>> lower, upper = sign_flip_limits(np.arange(1.0, 7.0)[None], confidence=95, permutations=99_999, seed=0)
    >>> lower.tolist(), upper.tolist()  # 6 topics: j = 1, the least and the largest difference
    ([1.0], [6.0])
    """
    check_permutations(permutations)
    lower, upper = np.full((2, len(differences)), np.nan)
    all_sizes = np.ones(differences.shape) if sizes is None else sizes
    for row, cells in enumerate(differences):
        present = ~np.isnan(cells)
        shared, shared_sizes = cells[present], all_sizes[row, present]
        place = limit_place(len(shared), confidence=confidence, permutations=permutations)
        if place == 0:
            continue
        if len(shared) <= EXHAUSTIVE:
            smallest = largest = _all_subset_means(shared, shared_sizes)
        else:
            smallest, largest = _drawn_subset_means(shared, shared_sizes, permutations, seed)
        lower[row] = np.partition(smallest, place - 1)[place - 1]
        upper[row] = -np.partition(-largest, place - 1)[place - 1]
    return lower, upper


def limit_place(topics: int, *, confidence: float, permutations: int) -> int:
    """Which of the smallest subset means is the lower limit, counted from 1; 0 if there is none."""
    if topics == 0:
        return 0
    level = 1 - confidence / 100
    return int(level / least_sign_flip_p(topics, permutations=permutations) + 1e-9)


def least_sign_flip_p(topics: int, *, permutations: int) -> float:
    """The smallest p that `sign_flip_p` can give: all differences have one sign, so that only the opposite is as far.

    2/2ⁿ up to 16 topics, 2/(B + 1) with more.
    """
    return 2.0 ** (1 - topics) if topics <= EXHAUSTIVE else 1 / (_pairs_of_signs(permutations) + 1)


def fewest_topics(confidence: float) -> int | None:
    """The fewest topics with which `sign_flip_p` can reach significance; None if that takes more than 16."""
    level = (1 - confidence / 100) * (1 + SLACK)
    reached = [topics for topics in range(1, EXHAUSTIVE + 1) if 2.0 ** (1 - topics) <= level]
    return reached[0] if reached else None


def check_permutations(permutations: int) -> None:
    """Refuse a number of permutations below 1."""
    if permutations < 1:
        raise UsageError(f"permutations {permutations}: expected a number from 1 up")


def least_p(topics: int, *, permutations: int) -> float:
    """The smallest p of a test that exchanges this many items at random, enumerated or drawn one by one."""
    return max(2.0 ** (1 - topics), 1 / (permutations + 1))


def _pairs_of_signs(permutations: int) -> int:
    """How many assignments are drawn: each has its opposite, and so has the observed one."""
    return permutations // 2


def rows_by_topics(present: Bools, chosen: Bools) -> Iterator[tuple[Integers, Integers]]:
    """Rows that have the same topics, and these topics."""
    rows = np.nonzero(chosen)[0]
    if not len(rows):
        return
    # Pairs with the same topics share their draws, and so one matrix product.
    patterns, group = np.unique(present[rows], axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield rows[group.ravel() == number], np.nonzero(pattern)[0]


def _all_subset_means(differences: Floats, item_sizes: Floats) -> Floats:
    """The mean of every non-empty subset; an item counts as many times as its size says."""
    sums, sizes = np.zeros(1), np.zeros(1)
    for difference, size in zip(differences, item_sizes, strict=True):
        sums = np.concatenate([sums, sums + difference])
        sizes = np.concatenate([sizes, sizes + size])
    return _without_rounding(sums[1:], differences) / sizes[1:]


def _drawn_subset_means(differences: Floats, item_sizes: Floats, permutations: int, seed: int) -> tuple[Floats, Floats]:
    """Means of the drawn subsets and their complements, and of all; an empty one counts below and above all others."""
    topics = len(differences)
    blocks = list(_signs(_pairs_of_signs(permutations), topics, seed, 1))
    sums = np.concatenate([changed @ differences for changed in blocks])
    sizes = np.concatenate([changed @ item_sizes for changed in blocks])
    total = differences.sum()
    both = _without_rounding(np.concatenate([sums, total - sums, [total]]), differences)
    total_size = item_sizes.sum()
    both_sizes = np.concatenate([sizes, total_size - sizes, [total_size]])
    means = quotients(both, both_sizes)
    empty = both_sizes == 0
    return np.where(empty, -np.inf, means), np.where(empty, np.inf, means)


def _without_rounding(sums: Floats, differences: Floats) -> Floats:
    """Sums of subsets; those that differ from 0 by the order of addition alone are 0."""
    return np.where(np.abs(sums) <= SLACK / 2 * np.abs(differences).sum(), 0.0, sums)


def _exact_p(differences: Floats) -> float:
    sums = differences[:1]  # the first sign may stay: all signs changed give the same |sum|
    for difference in differences[1:]:
        sums = np.concatenate([sums + difference, sums - difference])
    return float((np.abs(sums) >= _observed(differences[None])[0]).mean())


def _sampled_p(
    cells: Floats, source: PairedValues | None, permutations: int, seed: int, progress: Callable[[int], None] | None
) -> Floats:
    counters = list(_counters(cells, source))
    widest = max(width for _, width, _ in counters)
    counts = np.zeros(len(cells), dtype=np.int64)
    drawn = _pairs_of_signs(permutations)
    for changed in _signs(drawn, cells.shape[1], seed, widest):
        for rows, _, count in counters:
            counts[rows] += count(changed)
        if progress:
            progress(2 * len(changed))
    p: Floats = (counts + 1) / (drawn + 1)  # opposites are as far from 0: (2·counts + 2)/(2·drawn + 2)
    return p


def _signs(permutations: int, topics: int, seed: int, cells: int) -> Iterator[Floats]:
    """Blocks of draws × topics: 1 where the sign changes. The draws do not depend on the size of the blocks."""
    generator = np.random.default_rng(seed)
    words = -(-topics // WORD)
    for size in block_sizes(permutations, max(topics, cells), most=LARGE_BLOCK):
        # 64 signs from one number: a call for each sign would take most of the time. "<u8" fixes the order of bytes,
        # so that a seed gives the same signs on any machine.
        drawn = generator.integers(0, 2**64, size=(size, words), dtype=np.uint64).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=topics, bitorder="little")
        yield bits.astype(np.float64)


def _counters(cells: Floats, source: PairedValues | None) -> Iterator[tuple[Integers, int, Count]]:
    """Which rows are counted together, how many sums a draw has for them, and how they are counted."""
    observed = _observed(cells)
    shared = _by_summarizer(cells, source)
    if source is not None and shared.any():
        rows = np.nonzero(shared)[0]
        chosen = PairedValues(source.values, [source.pairs[row] for row in rows.tolist()])
        yield rows, len(source.values), _of_summarizers(chosen, observed[rows])
    if not shared.all():
        rows = np.nonzero(~shared)[0]
        yield rows, len(rows), _of_pairs(cells[rows], observed[rows])


def _of_pairs(cells: Floats, observed: Floats) -> Count:
    twice, totals = 2 * cells.T, cells.sum(axis=1)

    def count(changed: Floats) -> Integers:
        sums = changed @ twice
        sums -= totals
        return np.asarray((np.abs(sums, out=sums) >= observed).sum(axis=0))

    return count


def _by_summarizer(cells: Floats, source: PairedValues | None) -> Bools:
    """Which pairs can be counted from the sums of summarizers: complete ones, not too alike for the loss of digits."""
    # One product for each summarizer pays only if there are several times as many pairs.
    if source is None or len(cells) < MANY * len(source.values):
        return np.zeros(len(cells), dtype=np.bool_)
    first, second = np.array(source.pairs).T
    sizes = np.abs(_centred(source.values)).sum(axis=1)
    # Differences of large sums lose digits; pairs that are nearly equal are summed by themselves.
    lost = 4 * np.sqrt(cells.shape[1]) * np.finfo(np.float64).eps * (sizes[first] + sizes[second])
    return np.asarray(lost < SLACK / 2 * np.abs(cells).sum(axis=1))  # NaN, where a value is missing, is not


def _centred(values: Floats) -> Floats:
    """Less the mean of each topic, which no difference has: smaller numbers lose fewer digits."""
    return values - mean_of_defined(values.T)


def _of_summarizers(source: PairedValues, observed: Floats) -> Count:
    values = _centred(source.values)
    values[np.isnan(values).any(axis=1)] = 0.0  # none of the pairs has them
    twice, totals = 2 * values, values.sum(axis=1)
    first, second = np.array(source.pairs).T
    order = np.argsort(first, kind="stable")
    starts = np.nonzero(np.diff(first[order], prepend=-1))[0]
    groups = [(int(first[rows[0]]), rows, second[rows]) for rows in np.split(order, starts[1:])]

    def count(changed: Floats) -> Integers:
        counts = np.zeros(len(observed), dtype=np.int64)
        for start in range(0, len(changed), CACHED):
            sums = twice @ changed[start : start + CACHED].T
            sums -= totals[:, None]
            for first, rows, partners in groups:
                apart = sums[partners]
                apart -= sums[first]
                np.abs(apart, out=apart)
                counts[rows] += np.count_nonzero(apart >= observed[rows, None], axis=1)
        return counts

    return count


def _observed(cells: Floats) -> Floats:
    """|sum| of each row, less what the order of addition may change."""
    # The observed assignment is among those that are counted, and must count whatever the order of addition.
    least: Floats = np.abs(cells.sum(axis=1)) - SLACK * np.abs(cells).sum(axis=1)
    return least
