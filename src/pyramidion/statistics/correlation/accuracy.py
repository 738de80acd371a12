"""Pairwise accuracy: how often a measure orders two summarizers, or two summaries of a topic, as people do.

Both measures must be better when high. Plain: Kocmi et al. (2021). With ties and a threshold for them: Deutsch, Foster
and Freitag (2023). Soft, by confidence instead of order: Thompson, Mathur, Deutsch and Khayrallah (2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.correlation.draws import BLOCK_CELLS
from pyramidion.statistics.resampling import ResamplingProgress, block_sizes
from pyramidion.statistics.values import SLACK, check_matrices, system_means


@dataclass(frozen=True, kw_only=True)
class PairwiseAccuracy:
    """A share of pairs, and what it rests on."""

    value: float
    """NaN if there is no pair."""
    n: int
    """Pairs of summarizers, or topics."""
    undefined: int
    """Pairs with equal human scores (plain), or topics without a pair."""
    epsilon: float = 0.0
    """Differences of the measure up to here count as ties."""


def system_accuracy(x: Floats, z: Floats) -> PairwiseAccuracy:
    """The share of pairs of summarizers with different means on z whose means on x are in the same order.

    A tie of x alone is wrong.
    """
    check_matrices(x, z)
    first, second = (_pairs(system_means(values)[None])[0] for values in (x, z))
    both = ~np.isnan(first + second)
    different = both & (second != 0)
    right = different & (np.sign(first) == np.sign(second))
    n = int(different.sum())
    return PairwiseAccuracy(value=float(right.sum() / n) if n else np.nan, n=n, undefined=int(both.sum()) - n)


def topic_accuracy(x: Floats, z: Floats, *, epsilon: float = 0.0) -> PairwiseAccuracy:
    """Within each topic the share of pairs of summaries in the same order, or tied on both; then the mean over topics.

    Differences of x up to epsilon are ties.
    """
    pairs = _topic_pairs(x, z)
    # Room for rounding: epsilon itself is a difference of two scores.
    tied = np.abs(pairs.x) <= epsilon + pairs.slack
    right = np.where(tied, pairs.z == 0, np.sign(pairs.x) == pairs.z)
    return pairs.accuracy(float((right * pairs.shares).sum()), epsilon)


def calibrated_accuracy(x: Floats, z: Floats) -> PairwiseAccuracy:
    """`topic_accuracy` with the one epsilon for all topics that makes it highest (the smallest such epsilon).

    Raising epsilon turns pairs into ties in the order of their differences; each is right before if it is in the same
    order and right after if z ties it. So the best epsilon is the highest point of a running sum.
    """
    pairs = _topic_pairs(x, z)
    if not pairs.topics:
        return pairs.accuracy(np.nan, 0.0)
    by_size = np.argsort(np.abs(pairs.x), kind="stable")
    first, second, shares = pairs.x[by_size], pairs.z[by_size], pairs.shares[by_size]
    size = np.abs(first)
    as_tie = (second == 0) * shares
    as_order = (np.sign(first) == second) * (size > pairs.slack) * shares
    accuracy = np.cumsum(as_tie) + as_order.sum() - np.cumsum(as_order)
    last = np.append(size[1:] > size[:-1] + pairs.slack, True)  # pairs of one size become ties together
    candidates, sizes = accuracy[last], size[last]
    if sizes[0] > pairs.slack:  # at 0 no pair is tied
        candidates, sizes = np.append(as_order.sum(), candidates), np.append(0.0, sizes)
    # The first within rounding of the best: sums in another order must not choose another epsilon.
    best = int(np.argmax(candidates >= candidates.max() - SLACK))
    return pairs.accuracy(float(candidates[best]), float(sizes[best]))


def soft_accuracy(
    x: Floats, z: Floats, *, resamples: int = 1000, seed: int = 0, progress: ResamplingProgress | None = None
) -> PairwiseAccuracy:
    """1 − the mean over pairs of summarizers of |p_x − p_z|.

    p is the one-sided p of a paired permutation test that the first is better than the second: the share of random
    changes of sign of their differences, topic by topic, whose sum is greater than theirs, equal sums counting half.
    Both measures and all pairs have the same signs. Topics count on which both summarizers have both scores.
    """
    check_matrices(x, z)
    both = ~(np.isnan(x) | np.isnan(z))
    rows, columns = x.shape
    # As floats: NumPy has no fast product of truth values.
    meet = (both.astype(np.float64) @ both.T)[np.triu_indices(rows, 1)] > 0
    n = int(meet.sum())
    if not n:
        return PairwiseAccuracy(value=np.nan, n=0, undefined=len(meet))
    above = np.zeros((2, len(meet)))
    generator = np.random.default_rng(seed)
    for size in block_sizes(resamples, rows + columns, most=BLOCK_CELLS):
        flips = np.where(generator.random((size, columns)) > 0.5, 1.0, -1.0)
        for measure, values in enumerate((x, z)):
            above[measure] += np.concatenate([_not_below(values, both, row, flips) for row in range(rows)])
        if progress:
            progress(size)
    difference = np.abs(above[0] - above[1])[meet] / resamples
    return PairwiseAccuracy(value=float(1 - difference.mean()), n=n, undefined=len(meet) - n)


def _not_below(values: Floats, both: Bools, row: int, flips: Floats) -> Floats:
    """For each later row: how many changes of sign make the sum of its differences greater; an equal sum is half."""
    # A difference of 0 adds nothing under either sign: topics that do not count need no mask further on.
    differences = np.where(both[row] & both[row + 1 :], values[row] - values[row + 1 :], 0.0)
    observed = differences.sum(axis=1)
    slack = SLACK * np.abs(differences).sum(axis=1)
    null = flips @ differences.T
    count: Floats = (null > observed + slack).sum(axis=0) + (np.abs(null - observed) <= slack).sum(axis=0) / 2
    return count


def _pairs(values: Floats) -> Floats:
    """Rows × pairs of columns: the difference of each pair."""
    first, second = np.triu_indices(values.shape[1], 1)
    differences: Floats = values[:, first] - values[:, second]
    return differences


@dataclass(frozen=True, kw_only=True, eq=False)
class _TopicPairs:
    """All pairs of summaries of a topic, of all topics that have any."""

    x: Floats
    """Differences on the measure."""
    z: Floats
    """Signs of the differences on what it is compared with."""
    shares: Floats
    """What each pair has in the mean over topics of the means over pairs."""
    topics: int
    without: int
    """Topics without a pair."""
    slack: float

    def accuracy(self, value: float, epsilon: float) -> PairwiseAccuracy:
        return PairwiseAccuracy(
            value=min(value, 1.0) if self.topics else np.nan, n=self.topics, undefined=self.without, epsilon=epsilon
        )


def _topic_pairs(x: Floats, z: Floats) -> _TopicPairs:
    check_matrices(x, z)
    both = ~(np.isnan(x) | np.isnan(z))
    topics = np.nonzero(both.sum(axis=0) > 1)[0]
    of_x, of_z = (
        [np.zeros(0), *(_pairs(values[None, both[:, topic], topic])[0] for topic in topics)] for values in (x, z)
    )
    slack_x, slack_z = (SLACK * float(np.abs(values[both]).max(initial=0.0)) for values in (x, z))
    second = np.concatenate(of_z)
    return _TopicPairs(
        x=np.concatenate(of_x),
        z=np.where(np.abs(second) <= slack_z, 0.0, np.sign(second)),
        shares=np.concatenate(
            [np.full(len(topic_pairs), 1 / max(len(topic_pairs) * len(topics), 1)) for topic_pairs in of_x]
        ),
        topics=len(topics),
        without=x.shape[1] - len(topics),
        slack=slack_x,
    )
