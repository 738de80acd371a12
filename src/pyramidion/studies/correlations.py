"""How measures agree with one another: correlations with intervals, tests between measures, accuracy on pairs.

Here is what comes out and the verb; how a single pair of measures is treated is in `correlations_pairs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import get_args

import numpy as np

from pyramidion.campaign.sources import Readable, Source
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.measures.hbr import good_is_high
from pyramidion.measures.registry import DEFAULT_MEASURES, Selection, select_all
from pyramidion.scores import ScoreCube, ScoreTable, cube_of
from pyramidion.statistics.checks import check_resampling
from pyramidion.statistics.correlation.coefficients import COEFFICIENTS, Coefficient
from pyramidion.statistics.correlation.draws import RESAMPLED, Resampled
from pyramidion.statistics.correlation.intervals import SIDES, Sides
from pyramidion.statistics.correlation.levels import LEVELS, Level
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.studies.correlations_pairs import (
    Accuracy,
    Correlation,
    CorrelationInterval,
    CorrelationOptions,
    CorrelationTest,
    CorrelationTestMethod,
    SignificantTopics,
    accuracies,
    compare_pair,
    correlate_pair,
    significant_topics,
)
from pyramidion.wording import defined


@dataclass(frozen=True, kw_only=True)
class SystemPoint:
    """A summarizer's means on two measures: a point of the scatter plot."""

    summarizer: str
    measure: str
    with_: str
    value: float
    with_value: float
    n: int
    """Topics that the first mean rests on."""


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """Everything that was asked about some measures."""

    correlations: tuple[Correlation, ...]
    tests: tuple[CorrelationTest, ...] = ()
    significant: tuple[SignificantTopics, ...] = ()
    accuracies: tuple[Accuracy, ...] = ()
    points: tuple[SystemPoint, ...] = ()
    """The means behind the correlations at system level."""
    lower_is_better: tuple[str, ...] = ()
    """Measures where low is good: their correlations have the other sign."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""

    def value(
        self, measure: str, with_: str, *, level: Level = "system", coefficient: Coefficient = "pearson"
    ) -> float | None:
        """One correlation, in either order of the two; None if it is not defined."""
        wanted = ({measure, with_}, level, coefficient)
        for one in self.correlations:
            if ({one.measure, one.with_}, one.level, one.coefficient) == wanted:
                return one.value
        raise UsageError(f"{coefficient} of {measure} with {with_} at {level} level was not asked for")


def correlate(
    table: ScoreTable,
    *,
    with_: str | Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    levels: Sequence[Level] = ("system",),
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    interval: CorrelationInterval | None = None,
    sides: Sides | None = None,
    resampled: Resampled | None = None,
    test: CorrelationTestMethod | None = None,
    micro: bool = False,
    accuracy: bool = False,
    confidence: float = 95.0,
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> Correlations:
    """Correlate measures of a score table with one of them, with several in turn, or every two with each other.

    Args:
        table: the scores.
        with_: the measure to correlate with, such as an assessor's question; None: every two measures, each pair once.
        measures: the measures to correlate (default: all others of the table).
        levels: "system" (means over topics), "topic" (inside topics, then the mean), "global" (all summaries).
        coefficients: "pearson", "spearman", "kendall" (τ-b).
        interval: "fisher" or "bootstrap"; by default Fisher's at system level and the bootstrap elsewhere.
        sides: "one" (a lower limit) or "two"; by default one for Fisher's interval and two for the bootstrap.
        resampled: what is drawn: "systems", "topics" or "both"; by default both for the bootstrap and systems for
            permutation tests.
        test: "permutation" or "williams": between each two measures, whether they correlate equally with the third.
        micro: whether to count the topics inside which the correlation is significant.
        accuracy: whether to add pairwise accuracy: plain, with ties, tie-calibrated, soft.
        confidence: in per cent; what is left is the level of significance.
        resamples: of bootstrap and permutations.
        seed: of these.
        progress: called with the number of resamples done since the last call.
    """
    options = _checked(
        CorrelationOptions(
            levels=tuple(dict.fromkeys(levels)),
            coefficients=tuple(dict.fromkeys(coefficients)),
            interval=interval,
            sides=sides,
            resampled=resampled,
            test=test,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            progress=progress,
        )
    )
    targets = [] if with_ is None else list(dict.fromkeys([with_] if isinstance(with_, str) else with_))
    wanted = list(dict.fromkeys(table.measures if measures is None else measures))
    cube = cube_of(table, [*targets, *wanted]).sorted_by_name()
    pairs = _pairs(targets, wanted)
    if test and not targets:
        raise UsageError("a test between measures needs the measure that they are correlated with")
    if test and len({measure for measure, _ in pairs}) < 2:
        raise UsageError(f"a test compares two measures or more; found only {pairs[0][0]}")
    turned = replace(cube, values=good_is_high(cube.values, cube.higher_is_better))
    return Correlations(
        correlations=tuple(one for pair in pairs for one in correlate_pair(cube, *pair, options)),
        tests=tuple(_tests(turned, pairs, options)) if test else (),
        significant=tuple(_significant(cube, pairs, options)) if micro else (),
        accuracies=tuple(one for pair in pairs for one in accuracies(turned, *pair, options)) if accuracy else (),
        points=tuple(point for pair in pairs for point in _points(cube, *pair)),
        lower_is_better=tuple(
            name for name, high in zip(cube.measures, cube.higher_is_better, strict=True) if not high
        ),
        notes={name: note for name, note in table.notes.items() if name in cube.measures},
        names=table.names,
    )


def measures_to_score(
    measures: Sequence[Selection] | None, with_: Sequence[Selection], source: Readable | None = None
) -> list[Selection] | None:
    """What must be scored before it is correlated; None: what is scored when nothing is asked for.

    Without measures these are the default ones and those to correlate with; if the source is a table of scores, all.
    """
    if measures is not None:
        return list(dict.fromkeys([*measures, *with_]))
    defaults = select_all(DEFAULT_MEASURES)
    among = all(one in defaults or replace(one, statistic=None) in defaults for one in with_)
    if among or (isinstance(source, Source) and source.kind() == "scores"):
        return None
    return list(dict.fromkeys([*defaults, *with_]))


def _pairs(targets: Sequence[str], wanted: Sequence[str]) -> list[tuple[str, str]]:
    """Every measure with every target that it is not; without targets, every two measures."""
    pairs = [(measure, target) for target in targets for measure in wanted if measure not in targets]
    if not targets:
        pairs = list(combinations(wanted, 2))
    if not pairs:
        what = f"with {', '.join(targets)}" if targets else "with one another"
        raise UsageError(f"there is nothing to correlate {what}; found the measures {', '.join(wanted) or 'none'}")
    return pairs


def _tests(cube: ScoreCube, pairs: Sequence[tuple[str, str]], options: CorrelationOptions) -> Iterator[CorrelationTest]:
    """Every two measures that are correlated with the same third; p is corrected over those of one kind (Holm)."""
    for target in dict.fromkeys(target for _, target in pairs):
        measures = [measure for measure, other in pairs if other == target]
        for level in options.levels:
            for coefficient in options.coefficients:
                tests = [
                    compare_pair(cube, first, second, target, level=level, coefficient=coefficient, options=options)
                    for first, second in combinations(measures, 2)
                ]
                p = np.array([np.nan if one.p is None else one.p for one in tests])
                for one, corrected in zip(tests, adjusted(p), strict=True):
                    yield replace(one, p_adjusted=defined(corrected))


def _significant(
    cube: ScoreCube, pairs: Sequence[tuple[str, str]], options: CorrelationOptions
) -> Iterator[SignificantTopics]:
    for pair in pairs:
        for coefficient in options.coefficients:
            yield significant_topics(cube, *pair, coefficient=coefficient, confidence=options.confidence)


def _points(cube: ScoreCube, measure: str, with_: str) -> Iterator[SystemPoint]:
    x, z = cube[measure], cube[with_]
    for row, summarizer in enumerate(cube.summarizers):
        one, other = x[row][~np.isnan(x[row])], z[row][~np.isnan(z[row])]
        if len(one) and len(other):
            yield SystemPoint(
                summarizer=summarizer,
                measure=measure,
                with_=with_,
                value=float(one.mean()),
                with_value=float(other.mean()),
                n=len(one),
            )


def _checked(options: CorrelationOptions) -> CorrelationOptions:
    check_resampling(confidence=options.confidence, resamples=options.resamples)
    if options.seed < 0:
        raise UsageError(f"seed {options.seed}: expected a number from 0 up")
    for what, given, known in (
        ("level", options.levels, LEVELS),
        ("coefficient", options.coefficients, COEFFICIENTS),
        ("interval", (options.interval,), (None, *get_args(CorrelationInterval))),
        ("sides", (options.sides,), (None, *SIDES)),
        ("resampled", (options.resampled,), (None, *RESAMPLED)),
        ("test", (options.test,), (None, *get_args(CorrelationTestMethod))),
    ):
        names = [str(one) for one in known if one is not None]
        for one in given:
            if one not in known:
                raise UsageError(f"{what} {one!r}{did_you_mean(str(one), names)} expected {', '.join(names)}")
    if not options.levels or not options.coefficients:
        raise UsageError("give at least one level and one coefficient")
    return options
