"""Heterogeneity of a set of measures, and the ranking that rests on it (Amigó, Gonzalo & Verdejo 2012).

Values are measures × summarizers × topics, high is good in all of them; NaN where a summary has no score. A summary
takes part only where every measure has a value. Values that differ by rounding alone are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Scope
from pyramidion.statistics.values import mean_of_defined, snap_measure_ties

Bits = NDArray[np.uint64]

CELLS_AT_ONCE = 2_000_000
PATTERNS_AT_ONCE = 4096
SETS_AT_ONCE = 256
"""What is held for so many sets and patterns fits in a processor's cache."""
SUBSET_SUMS_COST = 256
"""H of one of all subsets takes as long as so many patterns for one set."""
MOST_FOR_SUBSET_SUMS = 22
"""Measures up to which H of all their subsets fits in memory (32 MB)."""


@dataclass(frozen=True, eq=False)
class Heterogeneity:
    """How often measures contradict each other, estimated once over all pairs of summaries that are given.

    Each distinct pattern of a pair is kept with its number: which measures prefer the one summary, which the other.
    """

    measures: int
    preferring_first: Bits
    preferring_second: Bits
    counts: Floats
    pairs: int
    left_out: int
    """Pairs of which a summary lacks a value on some measure."""

    def of(self, sets: Bools) -> Floats:
        """H of each set (sets × measures): the share of pairs on which two of its measures contradict each other.

        H(S) = P(∃ x, x′ ∈ S: x(s) > x(s′) ∧ x′(s) < x′(s′)) (§2), strict both ways; NaN if there is no pair.
        """
        return self._of_packed(_pack_bits(sets))

    def _of_packed(self, sets: Bits) -> Floats:
        if not self.pairs:
            return np.full(len(sets), np.nan)
        # For many sets it is cheaper to have H of every subset, and look these up.
        if self.measures <= MOST_FOR_SUBSET_SUMS and len(sets) * len(self.counts) > SUBSET_SUMS_COST << self.measures:
            return self._of_all_sets()[sets[:, 0]]
        contradicted = np.zeros(len(sets))
        counts = self.counts.astype(np.int64)
        digit = 1  # patterns are counted by the binary digits of their numbers, so that each is one bit
        while (counts >= digit).any():
            having = np.nonzero(counts & digit)[0]
            for start in range(0, len(having), PATTERNS_AT_ONCE):
                patterns = having[start : start + PATTERNS_AT_ONCE]
                first, second = (
                    _OverlapIndex(side[patterns]) for side in (self.preferring_first, self.preferring_second)
                )
                for place in range(0, len(sets), SETS_AT_ONCE):
                    some = slice(place, place + SETS_AT_ONCE)
                    both = first.by(sets[some]) & second.by(sets[some])
                    contradicted[some] += digit * np.bitwise_count(both).sum(axis=1, dtype=np.int64)
            digit *= 2
        return contradicted / self.pairs

    def _of_all_sets(self) -> Floats:
        """H of every subset of the measures, by its bits.

        A pair is without contradiction in S where one side's preferring measures all lie outside S; the numbers of
        pairs with that property come for all complements at once from sums over subsets.
        """
        first, second = self.preferring_first[:, 0], self.preferring_second[:, 0]
        size = 1 << self.measures

        def number(masks: Bits) -> Floats:
            return np.bincount(masks.astype(np.int64), self.counts, size).astype(np.float64)

        # Pairs in which neither side is preferred inside S are in both of the first two.
        agreed = number(first) + number(second) - number(first | second)
        for measure in range(self.measures):
            halves = agreed.reshape(-1, 2, 1 << measure)
            halves[:, 1] += halves[:, 0]
        return (self.pairs - agreed[::-1]) / self.pairs  # the complement of a set has its bits reversed


def estimate_heterogeneity(
    values: Floats,
    *,
    scope: Scope = "topic",
    sample: int | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Heterogeneity:
    """Look at every pair of summaries (or at `sample` of them, drawn with replacement) and count the patterns.

    Args:
        values: measures × summarizers × topics.
        scope: whether the two summaries of a pair are of the same topic.
        sample: number of pairs to draw (the paper's 10,000); None enumerates all.
        seed: of the draw.
        progress: called with the number of pairs looked at since the last call.
    """
    groups = _groups(snap_measure_ties(values), scope)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    everyone = np.array([values.shape[1]] * values.shape[2] if scope == "topic" else [values[0].size], dtype=np.int64)
    none = _make_no_sets(len(values))
    patterns_and_counts = [(np.concatenate([none, none], axis=1), np.zeros(0))]
    blocks = _all_pairs(groups) if sample is None else _drawn_pairs(groups, sizes, sample, seed)
    for first, second in blocks:
        pairs = np.concatenate([_pack_bits(first > second), _pack_bits(first < second)], axis=1)
        patterns_and_counts.append(_count_patterns(pairs, np.ones(len(first))))
        # Blocks repeat each other's patterns: merged now and then, memory stays that of the distinct ones.
        if len(patterns_and_counts) > 64:
            patterns_and_counts = [_merge_counts(patterns_and_counts)]
        if progress:
            progress(len(first))
    patterns, counts = _merge_counts(patterns_and_counts)
    greater, less = np.split(patterns, 2, axis=1)
    return Heterogeneity(
        measures=len(values),
        preferring_first=greater,
        preferring_second=less,
        counts=counts,
        pairs=int(counts.sum()),
        left_out=int(_pairs_of(everyone).sum() - _pairs_of(sizes).sum()),
    )


def heterogeneity_ranking(corroborated: Floats) -> Floats:
    """HBR(s) = mean over the other summaries s′ of the topic of H({x : x(s) ≥ x(s′)}) (§3.2).

    Args:
        corroborated: what `corroboration` gives, topics × summarizers × others.

    Returns:
        Summarizers × topics; NaN where a summary lacks a value or has nothing to be compared with.
    """
    return mean_of_defined(corroborated).T


def corroboration(
    values: Floats,
    heterogeneity: Heterogeneity,
    *,
    compared_values: Floats | None = None,
    is_same: Bools | None = None,
) -> Floats:
    """H({x : x(s) ≥ x(s′)}) of every ordered pair (s, s′) of a topic: how diverse the measures are that prefer s.

    HBR is its mean, and the paper's Figure 1 sets it against the share of pairs in which s is at least as good.

    Args:
        values: measures × summarizers × topics.
        heterogeneity: estimated on these values, or on a frozen corpus.
        compared_values: the summaries to compare with, measures × summarizers × topics (the same topics), where these
            are not the values themselves.
        is_same: summarizers × compared summarizers: True for the pairs that are one and the same summarizer, which is
            not compared with itself; needed only where the compared values share some.

    Returns:
        Topics × summarizers × compared summarizers; NaN where one of the two lacks a value.
    """
    values = snap_measure_ties(values, like=compared_values)
    if compared_values is None:
        compared_values, is_same = values, np.eye(values.shape[1], dtype=np.bool_)
    else:
        compared_values = snap_measure_ties(compared_values)
        is_same = np.zeros((values.shape[1], compared_values.shape[1]), dtype=np.bool_) if is_same is None else is_same
    compared = _is_complete(values.T)[:, :, None] & _is_complete(compared_values.T)[:, None, :] & ~is_same
    sets = [_make_no_sets(len(values))]
    for topic in range(values.shape[2]):
        first, second = np.nonzero(compared[topic])
        sets.append(_pack_bits((values[:, first, topic] >= compared_values[:, second, topic]).T))
    distinct, which = _find_distinct(np.concatenate(sets))
    corroborated = np.full(compared.shape, np.nan)
    corroborated[compared] = heterogeneity._of_packed(distinct)[which]
    return corroborated


def _groups(values: Floats, scope: Scope) -> list[Floats]:
    """The summaries among which pairs are formed, each as summaries × measures."""
    if scope == "any":
        return [_complete(values.reshape(len(values), -1).T)]
    return [_complete(values[:, :, topic].T) for topic in range(values.shape[2])]


def _complete(summaries: Floats) -> Floats:
    complete: Floats = summaries[_is_complete(summaries)]
    return complete


def _is_complete(summaries: Floats) -> Bools:
    """Of each summary (… × measures), whether every measure has a value."""
    return np.asarray(~np.isnan(summaries).any(axis=-1))


def _pairs_of(sizes: Integers) -> Integers:
    pairs: Integers = sizes * (sizes - 1) // 2
    return pairs


def _all_pairs(groups: list[Floats]) -> Iterator[tuple[Floats, Floats]]:
    """Every pair of a group once, in blocks that stay small however large the group is."""
    for group in groups:
        summaries = np.arange(len(group))
        step = max(1, CELLS_AT_ONCE // max(1, group.size))
        for start in range(0, len(group), step):
            first, second = np.nonzero(summaries[start : start + step, None] < summaries)
            yield group[start + first], group[second]


def _drawn_pairs(groups: list[Floats], sizes: Integers, sample: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Pairs drawn with equal probability and with replacement; a group has more of them the larger it is."""
    random = np.random.default_rng(seed)
    pairs = _pairs_of(sizes)
    if not pairs.sum():
        return
    for group, count in zip(groups, random.multinomial(sample, pairs / pairs.sum()), strict=True):
        step = max(1, CELLS_AT_ONCE // max(1, group.shape[1]))
        for start in range(0, count, step):
            first = random.integers(0, len(group), size=min(step, count - start))
            # A step of at least 1 and less than the group: never the same summary, and each other one as likely.
            second = (first + random.integers(1, len(group), size=len(first))) % len(group)
            yield group[first], group[second]


def _pack_bits(flags: Bools) -> Bits:
    """Flags along the last axis as bits of 64-bit words, so that any number of measures is met in few operations."""
    packed = np.packbits(flags, axis=-1, bitorder="little")
    words = max(1, -(-packed.shape[-1] // 8))
    padded = np.zeros((*packed.shape[:-1], words * 8), dtype=np.uint8)
    padded[..., : packed.shape[-1]] = packed
    return padded.view("<u8")


class _OverlapIndex:
    """Which patterns have a measure in common with a set: patterns are bits, looked up for four measures at once."""

    def __init__(self, patterns: Bits) -> None:
        flags = np.unpackbits(patterns.view(np.uint8), axis=1, bitorder="little").astype(np.bool_)
        having = _pack_bits(flags.T).reshape(-1, 4, max(1, -(-len(patterns) // 64)))  # fours × measures of each × words
        self._unions = np.zeros((len(having), 16, having.shape[2]), dtype=np.uint64)
        """Fours of measures × their subsets × words."""
        for measure in range(4):
            half = 1 << measure
            self._unions[:, half : 2 * half] = self._unions[:, :half] | having[:, measure, None]
        self._needed = np.nonzero(having.any(axis=(1, 2)))[0]

    def by(self, sets: Bits) -> Bits:
        """Sets × words, a bit for each pattern."""
        in_bytes = sets.view(np.uint8)
        met = np.zeros((len(sets), self._unions.shape[2]), dtype=np.uint64)
        for four in self._needed:
            byte = in_bytes[:, four // 2]
            met |= self._unions[four].take(byte >> 4 if four % 2 else byte & 15, axis=0, mode="clip")
        return met


def _count_patterns(patterns: Bits, counts: Floats) -> tuple[Bits, Floats]:
    """Distinct patterns with their numbers."""
    distinct, which = _find_distinct(patterns)
    return distinct, np.bincount(which, counts, len(distinct)).astype(np.float64)


def _merge_counts(parts: list[tuple[Bits, Floats]]) -> tuple[Bits, Floats]:
    patterns, counts = zip(*parts, strict=True)
    return _count_patterns(np.concatenate(patterns), np.concatenate(counts))


def _make_no_sets(measures: int) -> Bits:
    return _pack_bits(np.zeros((0, measures), dtype=np.bool_))


def _find_distinct(rows: Bits) -> tuple[Bits, Integers]:
    """Distinct rows, and which of them each row is."""
    if rows.shape[1] == 1:  # much quicker than by rows
        values, which = np.unique(rows[:, 0], return_inverse=True)
        return values[:, None], which
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    return distinct, which.reshape(-1)
