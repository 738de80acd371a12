"""Pairwise accuracy: how often a measure orders two summarizers, or two summaries of a topic, as people do.

Both measures must be better when high. Plain: Kocmi et al. (2021). With ties and a threshold for them: Deutsch, Foster
and Freitag (2023). Soft, by confidence instead of order: Thompson, Mathur, Deutsch and Khayrallah (2024).

Each accuracy is a mean over pairs of summarizers, and has a standard error from leaving out each summarizer in turn
(the jackknife); within topics, where topics differ in how hard they are, from leaving out each topic as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import AccuracyTies, Sides
from pyramidion.statistics.correlation.draws import BLOCK_CELLS
from pyramidion.statistics.resampling import ResamplingProgress, block_sizes
from pyramidion.statistics.values import SLACK, check_matrices, quotients, system_means, t_critical

MOST_FOLDS = 50
"""Into how many groups topics are divided, at most, to choose ε on the others."""


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
    error: float = np.nan
    """Standard error by the jackknife; NaN if there is none."""
    freedom: float = np.nan
    """Degrees of freedom of the error."""

    def limits(self, *, confidence: float = 95.0, sides: Sides = "two") -> tuple[float, float]:
        """The interval by Student's t on the scale of log odds, which keeps it between 0 and 1.

        NaN where there is no error, or where all pairs are right, or all wrong: such a share does not show its error.
        """
        if not (self.error > SLACK and SLACK < self.value < 1 - SLACK and self.freedom > 0):
            return np.nan, np.nan
        odds = np.log(self.value / (1 - self.value))
        level = confidence if sides == "two" else 2 * confidence - 100
        half = t_critical(level, self.freedom) * self.error / (self.value * (1 - self.value))
        lower, upper = (float(1 / (1 + np.exp(-limit))) for limit in (odds - half, odds + half))
        return lower, upper if sides == "two" else 1.0


def system_accuracy(x: Floats, z: Floats, *, ties: AccuracyTies = "half") -> PairwiseAccuracy:
    """The share of pairs of summarizers with different means on z whose means on x are in the same order.

    A tie of x alone is wrong. With ties="wmt" pairs with equal means on z count, too, and are right if x ties them.
    """
    check_matrices(x, z)
    first, second = (_difference_matrix(system_means(values)) for values in (x, z))
    both = ~np.isnan(first + second)
    np.fill_diagonal(both, val=False)
    counted = both if ties == "wmt" else both & (second != 0)
    right = counted & (np.sign(first) == np.sign(second))
    n = int(counted.sum()) // 2
    error, freedom = _jackknifed(right.sum(axis=1).astype(np.float64), counted.sum(axis=1).astype(np.float64))
    return PairwiseAccuracy(
        value=float(right.sum() / (2 * n)) if n else np.nan,
        n=n,
        undefined=int(both.sum()) // 2 - n,
        error=error,
        freedom=freedom,
    )


def topic_accuracy(x: Floats, z: Floats, *, epsilon: float = 0.0) -> PairwiseAccuracy:
    """Within each topic the share of pairs of summaries in the same order, or tied on both; then the mean over topics.

    Differences of x up to epsilon are ties.
    """
    pairs = topic_pairs(x, z)
    return pairs.accuracy(pairs.right(np.full(len(pairs.x), epsilon)), epsilon)


def calibrated_accuracy(x: Floats, z: Floats) -> PairwiseAccuracy:
    """`topic_accuracy` with the one epsilon for all topics that makes it highest (the smallest such epsilon).

    It has no standard error: the epsilon is fitted to these topics, so that the value is too high for others.
    """
    pairs = topic_pairs(x, z)
    if not pairs.topics:
        return pairs.accuracy(np.zeros(0), 0.0)
    value, epsilon = pairs.best_epsilon(np.ones(len(pairs.x), dtype=np.bool_))
    return PairwiseAccuracy(value=min(value, 1.0), n=pairs.topics, undefined=pairs.without, epsilon=epsilon)


def cross_calibrated_accuracy(x: Floats, z: Floats, *, seed: int = 0) -> PairwiseAccuracy:
    """`topic_accuracy` where the epsilon of each topic is the best of the other topics.

    Each topic is left out by itself; more than 50 are divided into 50 groups at random. The epsilon of the result is
    the median over topics. NaN with fewer than two topics.
    """
    pairs = topic_pairs(x, z)
    if pairs.topics < 2:
        return PairwiseAccuracy(value=np.nan, n=0, undefined=x.shape[1])
    epsilons = cross_validated_epsilons(pairs, seed=seed)
    return pairs.accuracy(pairs.right(epsilons[pairs.topic]), float(np.median(epsilons)))


def cross_validated_epsilons(pairs: TopicPairs, *, seed: int) -> Floats:
    """For each topic that has a pair, the epsilon that is best on the topics of other groups."""
    folds = np.arange(pairs.topics)
    if pairs.topics > MOST_FOLDS:
        folds = np.random.default_rng(seed).permutation(pairs.topics) % MOST_FOLDS
    epsilons = np.zeros(pairs.topics)
    for fold in range(int(folds.max()) + 1):
        is_held_out = folds == fold
        epsilons[is_held_out] = pairs.best_epsilon(~is_held_out[pairs.topic])[1]
    return epsilons


def soft_accuracy(
    x: Floats,
    z: Floats,
    *,
    ties: AccuracyTies = "half",
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> PairwiseAccuracy:
    """1 − the mean over pairs of summarizers of |p_x − p_z|.

    p is the one-sided p of a paired permutation test that the first is better than the second: the share of random
    changes of sign of their differences, topic by topic, whose sum is greater than theirs, equal sums counting half
    (ties="wmt": counting whole, so that the order of the summarizers matters). Both measures and all pairs have the
    same signs. Topics count on which both summarizers have both scores.
    """
    check_matrices(x, z)
    both = ~(np.isnan(x) | np.isnan(z))
    rows, columns = x.shape
    # As floats: NumPy has no fast product of truth values.
    meet = (both.astype(np.float64) @ both.T)[np.triu_indices(rows, 1)] > 0
    n = int(meet.sum())
    if not n:
        return PairwiseAccuracy(value=np.nan, n=0, undefined=len(meet))
    equal_counts = share_of_equal_sums(ties)
    above = np.zeros((2, len(meet)))
    generator = np.random.default_rng(seed)
    for size in block_sizes(resamples, rows + columns, most=BLOCK_CELLS):
        flips = np.where(generator.random((size, columns)) > 0.5, 1.0, -1.0)
        for measure, values in enumerate((x, z)):
            by_row = [
                count_not_below(values[row], values[row + 1 :], both[row] & both[row + 1 :], flips, equal_counts)
                for row in range(rows)
            ]
            above[measure] += np.concatenate(by_row)
        if progress:
            progress(size)
    agreement = np.zeros((rows, rows))
    agreement[np.triu_indices(rows, 1)] = np.where(meet, 1 - np.abs(above[0] - above[1]) / resamples, 0.0)
    agreement += agreement.T
    counted = np.zeros((rows, rows))
    counted[np.triu_indices(rows, 1)] = meet
    counted += counted.T
    error, freedom = _jackknifed(agreement.sum(axis=1), counted.sum(axis=1))
    return PairwiseAccuracy(
        value=float(agreement.sum() / (2 * n)), n=n, undefined=len(meet) - n, error=error, freedom=freedom
    )


def share_of_equal_sums(ties: AccuracyTies) -> float:
    """What a sum of randomly signed differences that equals the observed one adds to p."""
    return 1.0 if ties == "wmt" else 0.5


def count_not_below(first: Floats, others: Floats, both: Bools, flips: Floats, equal_counts: float) -> Floats:
    """For each other row: how many changes of sign make the sum of its differences from the first greater.

    Args:
        first: scores of a summarizer by topic.
        others: summarizers × topics.
        both: of the same shape: topics that count.
        flips: changes of sign × topics.
        equal_counts: what an equal sum adds.
    """
    # A difference of 0 adds nothing under either sign: topics that do not count need no mask further on.
    differences = np.where(both, first - others, 0.0)
    observed = differences.sum(axis=1)
    slack = SLACK * np.abs(differences).sum(axis=1)
    null = flips @ differences.T
    is_equal = np.abs(null - observed) <= slack
    count: Floats = (null > observed + slack).sum(axis=0) + equal_counts * is_equal.sum(axis=0)
    return count


def _jackknifed(right: Floats, counted: Floats) -> tuple[float, float]:
    """Standard error and degrees of freedom of Σ right / Σ counted, leaving out each unit in turn.

    Args:
        right: for each unit, what is right in the pairs that it is in.
        counted: for each unit, the pairs that it is in. Each pair is in two units.
    """
    has_pairs = counted > 0
    units = int(has_pairs.sum())
    rest = counted.sum() / 2 - counted[has_pairs]
    if units < 3 or (rest <= SLACK).any():
        return np.nan, np.nan
    without = (right.sum() / 2 - right[has_pairs]) / rest
    spread = float(((without - without.mean()) ** 2).sum())
    return float(np.sqrt((units - 1) / units * spread)), units - 1.0


def _difference_matrix(values: Floats) -> Floats:
    """Rows × columns: the value of the row less that of the column."""
    differences: Floats = values[:, None] - values[None, :]
    return differences


def _pairs(values: Floats) -> Floats:
    """Rows × pairs of columns: the difference of each pair."""
    first, second = np.triu_indices(values.shape[1], 1)
    differences: Floats = values[:, first] - values[:, second]
    return differences


@dataclass(frozen=True, kw_only=True, eq=False)
class TopicPairs:
    """All pairs of summaries of a topic, of all topics that have any."""

    x: Floats
    """Differences on the measure."""
    z: Floats
    """Signs of the differences on what it is compared with."""
    shares: Floats
    """What each pair has in the mean over topics of the means over pairs."""
    topic: Integers
    """The number of each pair's topic, among those with a pair."""
    first: Integers
    second: Integers
    """The rows of the two summaries."""
    rows: int
    """Summarizers."""
    topics: int
    without: int
    """Topics without a pair."""
    slack: float

    def right(self, epsilons: Floats) -> Bools:
        """Which pairs are in the same order, or tied on both; each has its epsilon up to which x is tied."""
        # Room for rounding: epsilon itself is a difference of two scores.
        tied = np.abs(self.x) <= epsilons + self.slack
        return np.asarray(np.where(tied, self.z == 0, np.sign(self.x) == self.z))

    def best_epsilon(self, counted: Bools) -> tuple[float, float]:
        """The highest accuracy of the pairs that count, and the smallest epsilon that has it.

        Raising epsilon turns pairs into ties in the order of their differences; each is right before if it is in the
        same order and right after if z ties it. So the best epsilon is the highest point of a running sum.
        """
        order, last, sizes = self._by_size
        shares = np.where(counted, self.shares, 0.0)[order]
        as_tie = self._is_tied_by_people[order] * shares
        as_order = self._is_in_order[order] * shares
        accuracy = np.cumsum(as_tie) + as_order.sum() - np.cumsum(as_order)
        candidates = accuracy[last]
        if sizes[0] > self.slack:  # at 0 no pair is tied
            candidates, sizes = np.append(as_order.sum(), candidates), np.append(0.0, sizes)
        # The first within rounding of the best: sums in another order must not choose another epsilon.
        best = int(np.argmax(candidates >= candidates.max() - SLACK))
        return float(candidates[best]), float(sizes[best])

    @cached_property
    def _by_size(self) -> tuple[Integers, Bools, Floats]:
        """The pairs by the size of their difference on x; which are the last of one size; these sizes."""
        order = np.argsort(np.abs(self.x), kind="stable")
        size = np.abs(self.x)[order]
        last = np.append(size[1:] > size[:-1] + self.slack, True)  # pairs of one size become ties together
        return order, last, size[last]

    @cached_property
    def _is_tied_by_people(self) -> Bools:
        return np.asarray(self.z == 0)

    @cached_property
    def _is_in_order(self) -> Bools:
        return np.asarray((np.sign(self.x) == self.z) & (np.abs(self.x) > self.slack))

    def accuracy(self, right: Bools | Floats, epsilon: float) -> PairwiseAccuracy:
        """The mean over topics of the shares of right pairs, with its standard error over summarizers and topics."""
        value = float((right * self.shares).sum())
        error, freedom = self._error(right, value)
        return PairwiseAccuracy(
            value=min(value, 1.0) if self.topics else np.nan,
            n=self.topics,
            undefined=self.without,
            epsilon=epsilon,
            error=error,
            freedom=freedom,
        )

    def _error(self, right: Bools | Floats, value: float) -> tuple[float, float]:
        """The standard error from the variances over summarizers and over topics, which add up.

        What summarizers and topics share in the error counts twice, which errs on the safe side. Degrees of freedom are
        Satterthwaite's.
        """
        points = right * self.shares
        of_rows, counted = (
            np.asarray(np.bincount(self.first, part, self.rows) + np.bincount(self.second, part, self.rows), np.float64)
            for part in (points, self.shares)
        )
        over_rows, row_freedom = _jackknifed(of_rows, counted)
        if self.topics < 2 or np.isnan(over_rows):
            return np.nan, np.nan
        by_topic = self.topics * np.bincount(self.topic, points, self.topics)
        squared_rows = over_rows**2
        squared_topics = float(((by_topic - value) ** 2).sum() / (self.topics * (self.topics - 1)))
        squared = squared_rows + squared_topics
        if squared <= SLACK**2:
            return 0.0, np.nan
        freedom = squared**2 / (squared_rows**2 / row_freedom + squared_topics**2 / (self.topics - 1))
        return float(np.sqrt(squared)), float(freedom)


def topic_pairs(x: Floats, z: Floats) -> TopicPairs:
    """The pairs of summaries within topics that have scores by both."""
    check_matrices(x, z)
    both = ~(np.isnan(x) | np.isnan(z))
    topics = np.nonzero(both.sum(axis=0) > 1)[0]
    of_x, of_z = (
        [np.zeros(0), *(_pairs(values[None, both[:, topic], topic])[0] for topic in topics)] for values in (x, z)
    )
    slack_x, slack_z = (SLACK * float(np.abs(values[both]).max(initial=0.0)) for values in (x, z))
    second = np.concatenate(of_z)
    counts = [len(differences) for differences in of_x[1:]]
    rows_of_topics = [np.flatnonzero(both[:, topic]) for topic in topics]
    places = [np.triu_indices(len(rows), 1) for rows in rows_of_topics]
    nothing = [np.zeros(0, dtype=np.intp)]
    return TopicPairs(
        x=np.concatenate(of_x),
        z=np.where(np.abs(second) <= slack_z, 0.0, np.sign(second)),
        shares=np.repeat(quotients(np.ones(len(topics)), np.array(counts) * len(topics)), counts),
        topic=np.repeat(np.arange(len(topics)), counts),
        first=np.concatenate(nothing + [rows[place[0]] for rows, place in zip(rows_of_topics, places, strict=True)]),
        second=np.concatenate(nothing + [rows[place[1]] for rows, place in zip(rows_of_topics, places, strict=True)]),
        rows=len(x),
        topics=len(topics),
        without=x.shape[1] - len(topics),
        slack=slack_x,
    )
