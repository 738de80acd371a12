"""Does one measure order pairs as people do more often than another? Permutation tests of pairwise accuracy.

The two measures are standardised and exchange their scores. Where whole summarizers exchange them, an accuracy is a sum
over pairs of summarizers of what their two states give, and the difference of the two accuracies is linear in the
signs s of the exchanges, so that all exchanges are one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import AccuracyTies, Level, Resampled
from pyramidion.statistics.correlation.accuracy import (
    TopicPairs,
    count_not_below,
    cross_validated_epsilons,
    share_of_equal_sums,
    soft_accuracy,
    system_accuracy,
    topic_pairs,
)
from pyramidion.statistics.correlation.draws import BLOCK_CELLS, permutation_draws
from pyramidion.statistics.correlation.tests import PermutationTest, snap_mean_ties, standardised
from pyramidion.statistics.resampling import ResamplingProgress, block_sizes
from pyramidion.statistics.values import SLACK, check_matrices

TestedAccuracy = Literal["plain", "ties", "cross-calibrated", "soft"]
MOST_FLIPS = 1_000
"""Changes of sign behind a soft accuracy that is computed anew after each exchange."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairPoints:
    """What each pair of summarizers adds to an accuracy, by whose score the first and the second have: x's or y's.

    Rows × columns, and only above the diagonal: the row is the first of the pair.
    """

    xx: Floats
    xy: Floats
    yx: Floats
    yy: Floats

    @property
    def slopes(self) -> Floats:
        """By summarizer, what the sign of its exchange adds to the difference of accuracies, x less y.

        The accuracy of the measure that begins as x is Σ over pairs of ¼[(1 + s)(1 + s')·xx + (1 + s)(1 − s')·xy +
        (1 − s)(1 + s')·yx + (1 − s)(1 − s')·yy], that of the other one the same with −s: of the difference, only what
        is linear in s is left.
        """
        as_first = (self.xx + self.xy - self.yx - self.yy).sum(axis=1)
        as_second = (self.xx - self.xy + self.yx - self.yy).sum(axis=0)
        slopes: Floats = (as_first + as_second) / 2
        return slopes


def accuracy_test(
    x: Floats,
    y: Floats,
    z: Floats,
    *,
    kind: TestedAccuracy,
    ties: AccuracyTies = "half",
    resampled: Resampled = "systems",
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> PermutationTest:
    """Whether x and y have equal accuracy against z, on the summaries that all three have.

    Scores are exchanged as in tests of correlations, by default those of whole summarizers.
    With "topics" or "both", topics exchange scores (rows XOR columns); cross-calibrated accuracy has no such test,
    because its epsilon belongs to one measure.
    """
    check_matrices(x, y, z)
    missing = np.isnan(x) | np.isnan(y) | np.isnan(z)
    level: Level = "system" if kind in ("plain", "soft") else "topic"
    x, y, z = (standardised(values, missing, level) for values in (x, y, z))
    n = int((~np.isnan(z)).sum())
    if not n:
        return PermutationTest.of(np.nan, count=0, defined=0, resamples=resamples, n=n)
    if resampled == "systems":
        points = _POINTS[kind](x, y, z, ties, resamples, seed)
        return _test_by_signs(points.slopes, n=n, resamples=resamples, seed=seed, progress=progress)
    return _test_by_exchanges(
        x, y, z, kind=kind, ties=ties, resampled=resampled, resamples=resamples, seed=seed, n=n, progress=progress
    )


def _test_by_signs(
    slopes: Floats, *, n: int, resamples: int, seed: int, progress: ResamplingProgress | None
) -> PermutationTest:
    """The test whose difference is Σ slope·sign, the signs being those of exchanged summarizers."""
    observed = float(slopes.sum())
    count = 0
    if np.isnan(observed):
        return PermutationTest.of(observed, count=0, defined=0, resamples=resamples, n=n)
    draws = permutation_draws(
        (len(slopes), 0), resampled="systems", resamples=resamples, seed=seed, cells=max(len(slopes), 1)
    )
    for exchanges in draws:
        differences = np.where(exchanges.rows, -1.0, 1.0) @ slopes
        count += int(np.count_nonzero(np.abs(differences) >= abs(observed) - SLACK))
        if progress:
            progress(len(exchanges))
    return PermutationTest.of(observed, count=count, defined=resamples, resamples=resamples, n=n)


def _test_by_exchanges(
    x: Floats,
    y: Floats,
    z: Floats,
    *,
    kind: TestedAccuracy,
    ties: AccuracyTies,
    resampled: Resampled,
    resamples: int,
    seed: int,
    n: int,
    progress: ResamplingProgress | None,
) -> PermutationTest:
    """The test that computes both accuracies anew after each exchange."""
    pairs = topic_pairs(x, z)
    column = _columns_of(pairs, z)

    def tie_accuracy(scores: Floats) -> float:
        difference = scores[pairs.first, column] - scores[pairs.second, column]
        right = np.where(np.abs(difference) <= pairs.slack, pairs.z == 0, np.sign(difference) == pairs.z)
        return float((right * pairs.shares).sum())

    value: dict[TestedAccuracy, Callable[[Floats], float]] = {
        "plain": lambda scores: system_accuracy(scores, z, ties=ties).value,
        "ties": tie_accuracy if pairs.topics else lambda _: np.nan,
        "soft": lambda scores: (
            soft_accuracy(scores, z, ties=ties, resamples=min(resamples, MOST_FLIPS), seed=seed).value
        ),
    }
    if kind not in value:
        return PermutationTest.of(np.nan, count=0, defined=0, resamples=resamples, n=n)
    accuracy = value[kind]
    observed = accuracy(x) - accuracy(y)
    count = defined = 0
    if not np.isnan(observed):
        draws = permutation_draws(z.shape, resampled=resampled, resamples=resamples, seed=seed, cells=z.size)
        for exchanges in draws:
            for cells in exchanges.cells:
                difference = accuracy(np.where(cells, y, x)) - accuracy(np.where(cells, x, y))
                count += abs(difference) >= abs(observed) - SLACK
                defined += not np.isnan(difference)
            if progress:
                progress(len(exchanges))
    return PermutationTest.of(observed, count=count, defined=defined, resamples=resamples, n=n)


def _plain_points(x: Floats, y: Floats, z: Floats, ties: AccuracyTies, resamples: int, seed: int) -> PairPoints:  # noqa: ARG001
    """Right pairs of means, as a share of all pairs that count."""
    first, second, target = (snap_mean_ties(values, like=z) for values in (x, y, z))
    sign = np.sign(target[:, None] - target[None, :])
    counted = np.ones(sign.shape, dtype=np.bool_) if ties == "wmt" else sign != 0
    counted = np.triu(counted, 1)
    total = counted.sum() or np.nan

    def points(row: Floats, column: Floats) -> Floats:
        right: Floats = (counted & (np.sign(row[:, None] - column[None, :]) == sign)) / total
        return right

    return PairPoints(
        xx=points(first, first), xy=points(first, second), yx=points(second, first), yy=points(second, second)
    )


def _tie_points(x: Floats, y: Floats, z: Floats, ties: AccuracyTies, resamples: int, seed: int) -> PairPoints:  # noqa: ARG001
    """Pairs of summaries in the same order, or tied on both sides."""
    zeros = np.zeros(x.shape[1])
    return _topic_points(x, y, topic_pairs(x, z), zeros, zeros)


def _cross_calibrated_points(
    x: Floats,
    y: Floats,
    z: Floats,
    ties: AccuracyTies,  # noqa: ARG001
    resamples: int,  # noqa: ARG001
    seed: int,
) -> PairPoints:
    """Pairs of summaries in the same order or tied, up to the epsilon of each measure, chosen on other topics.

    Between a score of x and one of y, the mean of both epsilons makes ties.
    """
    of_x, of_y = topic_pairs(x, z), topic_pairs(y, z)
    if of_x.topics < 2:
        nothing = np.full((len(x), len(x)), np.nan)
        return PairPoints(xx=nothing, xy=nothing, yx=nothing, yy=nothing)
    epsilons = (cross_validated_epsilons(pairs, seed=seed) for pairs in (of_x, of_y))
    return _topic_points(x, y, of_x, *epsilons)


def _topic_points(x: Floats, y: Floats, pairs: TopicPairs, of_x: Floats, of_y: Floats) -> PairPoints:
    """Points of all pairs of summaries within topics, summed by their two summarizers.

    Args:
        x: summarizers × topics.
        y: of the same shape.
        pairs: the pairs that count, with the signs of z.
        of_x: by topic that has a pair, up to which difference x is tied.
        of_y: the same for y.
    """
    column = _columns_of(pairs, x)
    scores = {"x": x, "y": y}
    epsilons = {"x": of_x, "y": of_y}
    size = len(x)

    def points(row: str, other: str) -> Floats:
        difference = scores[row][pairs.first, column] - scores[other][pairs.second, column]
        epsilon = (epsilons[row] + epsilons[other])[pairs.topic] / 2
        is_tied = np.abs(difference) <= epsilon + pairs.slack
        right = np.where(is_tied, pairs.z == 0, np.sign(difference) == pairs.z)
        cells = np.bincount(pairs.first * size + pairs.second, right * pairs.shares, size * size)
        return np.asarray(cells.reshape(size, size), dtype=np.float64)

    return PairPoints(xx=points("x", "x"), xy=points("x", "y"), yx=points("y", "x"), yy=points("y", "y"))


def _columns_of(pairs: TopicPairs, scores: Floats) -> Integers:
    """The column of each pair's topic in matrices with the same missing scores."""
    columns: Integers = np.flatnonzero((~np.isnan(scores)).sum(axis=0) > 1)[pairs.topic]
    return columns


def _soft_points(x: Floats, y: Floats, z: Floats, ties: AccuracyTies, resamples: int, seed: int) -> PairPoints:
    """1 − |p − p of z|, by pair of summarizers; the signs are those of the accuracies themselves."""
    both = ~np.isnan(z)
    rows, columns = z.shape
    combinations = {"xx": (x, x), "xy": (x, y), "yx": (y, x), "yy": (y, y), "zz": (z, z)}
    above = {name: np.zeros((rows, rows)) for name in combinations}
    equal_counts = share_of_equal_sums(ties)
    generator = np.random.default_rng(seed)
    for size in block_sizes(resamples, rows + columns, most=BLOCK_CELLS):
        flips = np.where(generator.random((size, columns)) > 0.5, 1.0, -1.0)
        for name, (first, second) in combinations.items():
            for row in range(rows - 1):
                later = slice(row + 1, None)
                above[name][row, later] += count_not_below(
                    first[row], second[later], both[row] & both[later], flips, equal_counts
                )
    meet: Bools = np.triu((both.astype(np.float64) @ both.T) > 0, 1)
    total = meet.sum() or np.nan

    def points(name: str) -> Floats:
        agreement: Floats = np.where(meet, 1 - np.abs(above[name] - above["zz"]) / resamples, 0.0) / total
        return agreement

    return PairPoints(xx=points("xx"), xy=points("xy"), yx=points("yx"), yy=points("yy"))


_POINTS: dict[TestedAccuracy, Callable[[Floats, Floats, Floats, AccuracyTies, int, int], PairPoints]] = {
    "plain": _plain_points,
    "ties": _tie_points,
    "cross-calibrated": _cross_calibrated_points,
    "soft": _soft_points,
}
