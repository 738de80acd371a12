"""Which summarizer is better: for each measure a leaderboard, the tests behind its letters, and chosen pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np
import polars as pl

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.statistics.checks import check_resampling
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, t_intervals
from pyramidion.statistics.multiple import Correction
from pyramidion.statistics.pairs import PERMUTATIONS
from pyramidion.statistics.ties import settled
from pyramidion.statistics.variance import TwoWayAnova
from pyramidion.studies.comparison_pairs import (
    IntervalMethod,
    PairComparison,
    PairOptions,
    Pairs,
    chosen_pairs,
    compare_pairs,
)
from pyramidion.studies.comparison_tests import Analysis, analyse
from pyramidion.studies.values import defined

FEWER_MODELS = "Some summarizers are scored with fewer models than others; the option jackknife=yes makes them equal."


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A summarizer's place on one measure; what is undefined is None.

    Limits are None where the data leaves no degree of freedom, letters where summarizers can't be compared.
    """

    measure: str
    summarizer: str
    rank: int
    value: float
    n: int
    missing: int
    lower: float | None
    upper: float | None
    letters: str | None = None
    """Two summarizers share a letter exactly when Tukey's test does not tell them apart; A is for the best."""
    adjusted: float | None = None
    """The least-squares mean, which the letters compare: the mean itself unless topics are missing."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """Leaderboards, one for each measure, best first; the analyses behind them, and the pairs that were asked for."""

    standings: tuple[Standing, ...]
    confidence: float
    method: IntervalMethod
    seed: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""
    analyses: tuple[Analysis, ...] = ()
    """One for each measure: ANOVA with Tukey's test, Friedman's test with Nemenyi's."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """By measure, what makes its summarizers unequal."""
    pairs: tuple[PairComparison, ...] = ()
    """For each measure the pairs in the order asked for."""
    correction: Correction = "holm"
    """Of the pairs of a measure."""
    lower_is_better: frozenset[str] = frozenset()
    """Measures where low is good."""

    def analysis(self, measure: str) -> Analysis:
        """The analyses of one measure."""
        return self.analyses[self._place(measure)]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order of the table."""
        return tuple(dict.fromkeys(standing.measure for standing in self.standings))

    def leaderboard(self, measure: str) -> list[Standing]:
        """The standings on one measure, best first."""
        self._place(measure)
        return [standing for standing in self.standings if standing.measure == measure]

    def __repr__(self) -> str:
        summarizers = len({standing.summarizer for standing in self.standings})
        return f"<Comparison of {summarizers} summarizers on {', '.join(self.measures) or 'nothing'}>"

    def title(self, measure: str) -> str:
        """The heading of a leaderboard, with what must be said of the measure's values."""
        good = ", low is good" if measure in self.lower_is_better else ""
        noted = f", {self.notes[measure]}" if measure in self.notes else ""
        return f"{measure} ({self.confidence:g} % intervals{good}{noted})"

    def _place(self, measure: str) -> int:
        if measure not in self.measures:
            hint = did_you_mean(measure, self.measures)
            raise UsageError(
                f"nothing was compared on {measure!r}{hint} it was on: {', '.join(self.measures) or 'nothing'}"
            )
        return self.measures.index(measure)


def compare(
    table: ScoreTable,
    *,
    confidence: float = 95.0,
    method: IntervalMethod = "t",
    resamples: int = 1000,
    seed: int = 0,
    pairs: Pairs | Literal["all"] = (),
    against: str | None = None,
    correction: Correction = "holm",
    permutations: int = PERMUTATIONS,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Rank the summarizers on every measure of the table, and test whether they differ.

    Intervals are t with the two-way residual variance: they take the topics as given, which is right for comparing.
    `method="own"` takes each summarizer's own variance and `method="percentile"` resamples topics: both take the
    topics as drawn from many (a percentile bootstrap covers too little on few topics).

    Args:
        table: the scores.
        confidence: in per cent, of intervals and tests.
        method: of the intervals.
        resamples: of the bootstrap.
        seed: of the bootstrap and of permutation tests.
        pairs: (a, b) of summarizers to compare, or "all".
        against: a summarizer that every other is compared with.
        correction: of p over the pairs of a measure.
        permutations: of the tests of pairs with so many topics that not all sign flips can be counted.
        progress: called with the number of permutations done since the last call.
    """
    check_resampling(confidence=confidence, resamples=resamples)
    if method not in get_args(IntervalMethod):
        raise UsageError(f"method {method!r}: expected {', '.join(get_args(IntervalMethod))}")
    options = PairOptions(
        confidence=confidence,
        method=method,
        correction=correction,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
    )
    wanted = chosen_pairs(table.summarizers, pairs=pairs, against=against)
    standings: list[Standing] = []
    analyses: list[Analysis] = []
    compared: list[PairComparison] = []
    for measure in table.measures:
        matrix = _scored(table.matrix(measure))
        if not matrix.summarizers:
            continue
        analysis = analyse(matrix, confidence=confidence)
        standings += _standings(matrix, _limits(matrix.values, analysis.anova, options), table.topic_total, analysis)
        analyses.append(analysis)
        compared += compare_pairs(matrix, analysis.anova, wanted, options, progress)
    return Comparison(
        standings=tuple(standings),
        confidence=confidence,
        method=method,
        seed=seed,
        notes=table.notes,
        names=table.names,
        analyses=tuple(analyses),
        remarks=dict.fromkeys(_uneven(table), FEWER_MODELS),
        pairs=tuple(compared),
        correction=correction,
        lower_is_better=frozenset(name for name in table.measures if not table.is_higher_better(name)),
    )


def _scored(matrix: ScoreMatrix) -> ScoreMatrix:
    """The summarizers that have a score at all, for a table may name others with NaN; topics in the order of names.

    So that a seed draws the same topics in whatever order the rows of a table come.
    """
    there = np.nonzero((~np.isnan(matrix.values)).any(axis=1))[0]
    order = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    return replace(
        matrix,
        summarizers=tuple(matrix.summarizers[row] for row in there),
        topics=tuple(matrix.topics[column] for column in order),
        values=matrix.values[there][:, order],
    )


def _uneven(table: ScoreTable) -> list[str]:
    """Measures that rest on different numbers of models inside of a topic: humans are scored without their own."""
    signatures = table.frame.group_by("measure", "topic").agg(pl.col("signature").n_unique())
    found = signatures.filter(pl.col("signature") > 1)["measure"].cast(pl.String)
    return [measure for measure in table.measures if measure in set(found)]


def _limits(values: Floats, anova: TwoWayAnova | None, options: PairOptions) -> tuple[Floats, Floats]:
    if options.method == "t":
        return t_intervals(values, anova, confidence=options.confidence)
    if options.method == "own":
        return own_intervals(values, confidence=options.confidence)
    return bootstrap_intervals(values, confidence=options.confidence, resamples=options.resamples, seed=options.seed)


def _standings(matrix: ScoreMatrix, limits: tuple[Floats, Floats], topics: int, analysis: Analysis) -> list[Standing]:
    means: Floats = np.nanmean(matrix.values, axis=1)
    goodness = settled(means if matrix.higher_is_better else -means)
    counts = (~np.isnan(matrix.values)).sum(axis=1)
    standings = [
        Standing(
            measure=matrix.measure,
            summarizer=matrix.summarizers[row],
            rank=int((goodness > goodness[row]).sum()) + 1,
            value=float(means[row]),
            n=int(counts[row]),
            missing=topics - int(counts[row]),
            lower=defined(limits[0][row]),
            upper=defined(limits[1][row]),
            letters=analysis.letters.get(matrix.summarizers[row]),
            adjusted=analysis.adjusted.get(matrix.summarizers[row]),
        )
        for row in range(len(means))
    ]
    return sorted(standings, key=lambda standing: (standing.rank, standing.summarizer))
