"""Fisher's permutation test of paired differences: how often random signs give a sum as far from 0 as the one found.

Signs are drawn as single bits and become numbers block by block; sums are matrix products. Where many pairs of few
summarizers are compared, the sums of a pair are differences of the sums of its two summarizers: one product for each
summarizer instead of one for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.means import mean_of_defined
from pyramidion.statistics.resampling import LARGE_BLOCK, block_sizes
from pyramidion.statistics.ties import SLACK

WORD = 64
"""Signs in one random number."""
MANY = 4
"""Pairs for each summarizer from which on sums of summarizers are cheaper."""
CACHED = 512
"""Sums of a summarizer that are compared at a time, so that those of all stay in the processor's cache."""

Count = Callable[[Floats], Integers]
"""For signs (draws × topics; 1 is a changed sign, 0 none): how many draws are as far from 0, for each pair."""


@dataclass(frozen=True, eq=False)
class Source:
    """The values (summarizers × topics) whose differences are tested, and which two rows each pair is of."""

    values: Floats
    pairs: Sequence[tuple[int, int]]


def sign_flip_p(
    differences: Floats,
    *,
    permutations: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
    source: Source | None = None,
) -> tuple[Floats, Bools]:
    """Two-sided p of the mean of each row under random signs (Fisher's permutation test of paired differences).

    If A and B are exchangeable on every topic, each difference might as well have the other sign. If there are at most
    `permutations` + 1 assignments of signs, all are enumerated: p = share of them whose |sum| is at least the observed
    one. Otherwise p = (count + 1)/(permutations + 1) over seeded random assignments, the same for all rows;
    `progress` is called with the number of them done since the last call. A `source` changes no value: it saves time.
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
        chosen = Source(source.values, [source.pairs[row] for row in sampled.tolist()]) if source else None
        p[sampled] = _sampled_p(cells, chosen, permutations, seed, progress)
    return p, exact


def least_p(topics: int, *, permutations: int) -> float:
    """The smallest p that the test can give with this many topics: all differences have one sign."""
    return max(2.0 ** (1 - topics), 1 / (permutations + 1))


def _exact_p(differences: Floats) -> float:
    sums = differences[:1]  # the first sign may stay: all signs changed give the same |sum|
    for difference in differences[1:]:
        sums = np.concatenate([sums + difference, sums - difference])
    return float((np.abs(sums) >= _observed(differences[None])[0]).mean())


def _sampled_p(
    cells: Floats, source: Source | None, permutations: int, seed: int, progress: Callable[[int], None] | None
) -> Floats:
    counters = list(_counters(cells, source))
    widest = max(width for _, width, _ in counters)
    counts = np.zeros(len(cells), dtype=np.int64)
    for changed in _signs(permutations, cells.shape[1], seed, widest):
        for rows, _, count in counters:
            counts[rows] += count(changed)
        if progress:
            progress(len(changed))
    p: Floats = (counts + 1) / (permutations + 1)
    return p


def _signs(permutations: int, topics: int, seed: int, cells: int) -> Iterator[Floats]:
    """Blocks of draws × topics: 1 where the sign changes. The draws do not depend on the size of the blocks."""
    generator = np.random.default_rng(seed)
    words = -(-topics // WORD)
    for size in block_sizes(permutations, max(topics, cells), most=LARGE_BLOCK):
        drawn = generator.integers(0, 2**64, size=(size, words), dtype=np.uint64).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=topics, bitorder="little")
        yield bits.astype(np.float64)


def _counters(cells: Floats, source: Source | None) -> Iterator[tuple[Integers, int, Count]]:
    """Which rows are counted together, how many sums a draw has for them, and how they are counted."""
    observed = _observed(cells)
    shared = _by_summarizer(cells, source)
    if source is not None and shared.any():
        rows = np.nonzero(shared)[0]
        chosen = Source(source.values, [source.pairs[row] for row in rows.tolist()])
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


def _by_summarizer(cells: Floats, source: Source | None) -> Bools:
    """Which pairs can be counted from the sums of summarizers: complete ones, not too alike for the loss of digits."""
    if source is None or len(cells) < MANY * len(source.values):
        return np.zeros(len(cells), dtype=np.bool_)
    first, second = np.array(source.pairs).T
    sizes = np.abs(_centred(source.values)).sum(axis=1)
    lost = 4 * np.sqrt(cells.shape[1]) * np.finfo(np.float64).eps * (sizes[first] + sizes[second])
    return np.asarray(lost < SLACK / 2 * np.abs(cells).sum(axis=1))  # NaN, where a value is missing, is not


def _centred(values: Floats) -> Floats:
    """Less the mean of each topic, which no difference has: smaller numbers lose fewer digits."""
    return values - mean_of_defined(values.T)


def _of_summarizers(source: Source, observed: Floats) -> Count:
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
            for one, rows, others in groups:
                apart = sums[others]
                apart -= sums[one]
                np.abs(apart, out=apart)
                counts[rows] += np.count_nonzero(apart >= observed[rows, None], axis=1)
        return counts

    return count


def _observed(cells: Floats) -> Floats:
    """|sum| of each row, less what the order of addition may change."""
    least: Floats = np.abs(cells.sum(axis=1)) - SLACK * np.abs(cells).sum(axis=1)
    return least
