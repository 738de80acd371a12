"""How measures agree with human scores, or with each other: the result, and the verbs that compute it.

`correlate` takes a score table; `correlate_parts` groups of topics, such as those with specific and with general
requests (Dang 2006, Table 16); `correlate_large` scores that do not fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
import polars as pl

from pyramidion.errors import UsageError
from pyramidion.measures.hbr import reorient
from pyramidion.options import Coefficient, CorrelateOptions, Level
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.scores.stored import StoredScores
from pyramidion.show.tables import Finding, grouped
from pyramidion.show.wording import counted, note_on, together
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.correlations.pairs import Accuracy, Correlation, MeasurePair, SignificantTopics
from pyramidion.studies.correlations.tests import (
    AccuracyTest,
    Cluster,
    CorrelationTest,
    MeanRank,
    compare_accuracies,
    compare_correlations,
    find_clusters,
    mean_ranks,
)
from pyramidion.studies.shared_topics import note_on_groups, refuse_unshared_topics

Family = tuple[str, Level, Coefficient]
"""What tests are corrected together: those with the same third measure, at one level, by one coefficient."""
LARGE = 2_000_000
"""Values of a measure from which on means are correlated without reading them into memory."""
UNDEFINED_AGREEMENT = -2.0
"""Undefined correlations are ranked below all others."""


@dataclass(frozen=True, kw_only=True)
class SystemPoint:
    """A summarizer's means on two measures: a point of the scatter plot."""

    summarizer: str
    measure: str
    with_: str
    value: float
    with_value: float
    n: int
    """Topics that the first mean is over."""


class Correlations(Finding):
    """Correlations of measures, tests between them, and pairwise accuracy, as far as they were asked for."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "correlation",
        "correlation-test",
        "cluster",
        "mean-rank",
        "micro",
        "accuracy",
        "accuracy-test",
    )

    correlations: tuple[Correlation, ...]
    options: CorrelateOptions
    tests: tuple[CorrelationTest, ...] = ()
    significant: tuple[SignificantTopics, ...] = ()
    accuracies: tuple[Accuracy, ...] = ()
    accuracy_tests: tuple[AccuracyTest, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    mean_ranks: tuple[MeanRank, ...] = ()
    points: tuple[SystemPoint, ...] = ()
    """The means behind the correlations at system level."""
    lower_is_better: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what one must know about its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """By summarizer: human, baseline or participant."""

    def __repr__(self) -> str:
        return f"<Correlations of {counted(len(self.measures), 'measure')} with {', '.join(self.targets)}>"

    @property
    def measures(self) -> tuple[str, ...]:
        """What was correlated, in the order of the table."""
        return tuple(dict.fromkeys(correlation.measure for correlation in self.correlations))

    @property
    def targets(self) -> tuple[str, ...]:
        """What they were correlated with."""
        return tuple(dict.fromkeys(correlation.with_ for correlation in self.correlations))

    @property
    def significance(self) -> float:
        """The p below which a difference is significant."""
        return 1 - self.options.confidence / 100

    def at(
        self, measure: str, with_: str, *, level: Level = "system", coefficient: Coefficient | None = None
    ) -> Correlation:
        """One correlation, in either order of the two, by the first coefficient or this one."""
        coefficient = coefficient or self.options.coefficient[0]
        key = ({measure, with_}, level, coefficient)
        for correlation in self.correlations:
            if ({correlation.measure, correlation.with_}, correlation.level, correlation.coefficient) == key:
                return correlation
        raise UsageError(f"{coefficient} of {measure} with {with_} at {level} level was not computed")

    def value(
        self, measure: str, with_: str, *, level: Level = "system", coefficient: Coefficient | None = None
    ) -> float | None:
        """The value of one correlation, by the first coefficient or this one; None if it is undefined."""
        return self.at(measure, with_, level=level, coefficient=coefficient).value

    def ranked(
        self, with_: str, *, level: Level = "system", coefficient: Coefficient | None = None
    ) -> list[Correlation]:
        """The correlations with a measure by the first coefficient, or this one, highest first, undefined ones last."""
        family = (with_, level, coefficient or self.options.coefficient[0])
        members = [correlation for correlation in self.correlations if family_of(correlation) == family]
        return sorted(members, key=lambda correlation: -self._agreement(correlation))

    def _agreement(self, correlation: Correlation) -> float:
        """The value, reversed if lower is better for one of the two."""
        if correlation.value is None:
            return UNDEFINED_AGREEMENT
        is_measure_reversed = correlation.measure in self.lower_is_better
        is_target_reversed = correlation.with_ in self.lower_is_better
        # Correlations keep their raw sign in records, as in the papers; only ranks go by agreement.
        return -correlation.value if is_measure_reversed != is_target_reversed else correlation.value

    @cached_property
    def families(self) -> dict[Family, list[CorrelationTest]]:
        """The tests that were corrected together."""
        return grouped(self.tests, family_of)

    def is_best(self, best: Correlation, rivals: Iterable[Correlation]) -> bool:
        """Whether a measure correlates significantly better than each of its rivals, by the tests that were made."""
        beaten: set[str] = set()
        for test in self.families.get(family_of(best), ()):
            if test.better(self.significance) == best.measure:
                beaten |= {test.first, test.second}
        return all(rival.measure in beaten for rival in rivals)

    def test_of(self, first: str, second: str, target: str) -> CorrelationTest | None:
        """The test between two measures, in either order; None if there is none."""
        for test in self.tests:
            if {test.first, test.second} == {first, second} and test.with_ == target:
                return test
        return None

    @property
    def significant_differences(self) -> int:
        """How many pairs of measures differ significantly."""
        return sum(bool(test.better(self.significance)) for test in self.tests)

    @property
    def has_only_ties(self) -> bool:
        """Whether measures were tested against each other, and none differ significantly."""
        was_tested = any(test.p_adjusted is not None for test in self.tests)
        return was_tested and not self.significant_differences

    def means_by_kind(self, measure: str) -> tuple[list[float], list[float]]:
        """The means of humans and of systems on a measure."""
        return self._split_by_kind(
            [(point.summarizer, point.value) for point in self.points if point.measure == measure]
        )

    def target_means_by_kind(self) -> tuple[list[float], list[float]]:
        """The means of humans and of systems on what measures were correlated with."""
        return self._split_by_kind([(point.summarizer, point.with_value) for point in self.points])

    def _split_by_kind(self, means: Sequence[tuple[str, float]]) -> tuple[list[float], list[float]]:
        humans = [value for summarizer, value in means if self.kinds.get(summarizer) == "human"]
        systems = [value for summarizer, value in means if self.kinds.get(summarizer) != "human"]
        return humans, systems

    def main_record(self) -> str:
        """What was asked for besides correlations, if it is one thing; else the correlations."""
        further = [rows[0].record for rows in (self.tests, self.significant, self.accuracies) if rows]
        return further[0] if len(further) == 1 else "correlation"


class PartCorrelations(Correlations):
    """The same correlations in each group of topics; `part` of a row says of which."""

    by: str
    """The field or attribute of topics that makes the groups."""
    parts: Mapping[str, Correlations]
    topics: Mapping[str, int]
    """Topics of each group."""

    def __repr__(self) -> str:
        return f"<PartCorrelations by {self.by}: {', '.join(self.parts)}>"

    def values_by_part(self, measure: str, target: str) -> dict[str, float]:
        """By group, the correlation at the first level by the first coefficient, where it is defined."""
        level, coefficient = self.options.level[0], self.options.coefficient[0]
        values: dict[str, float] = {}
        for part, correlations in self.parts.items():
            value = correlations.value(measure, target, level=level, coefficient=coefficient)
            if value is not None:
                values[part] = value
        return values


def family_of(row: Correlation | CorrelationTest | Cluster) -> Family:
    """What a row is corrected and ranked together with."""
    return row.with_, row.level, row.coefficient


def correlate(
    table: ScoreTable,
    measures: Sequence[str] | None = None,
    with_: Sequence[str] = (),
    options: CorrelateOptions | None = None,
    *,
    clusters: TopicClusters | None = None,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> Correlations:
    """Correlate measures of a score table with others, or every two with each other.

    Args:
        table: the scores.
        measures: the columns to correlate (default: all others).
        with_: the columns to correlate with, such as a question; none: every two measures, each pair once.
        options: levels, coefficients, intervals, tests.
        clusters: which topics belong together: where topics are resampled, whole clusters are.
        seed: of bootstrap and permutations.
        progress: called with the number of samples drawn since the last call.
    """
    options = options or CorrelateOptions()
    targets = list(dict.fromkeys(with_))
    asked = list(dict.fromkeys(table.measures if measures is None else measures))
    cube = cube_of(table, [*targets, *asked]).sorted_by_name()
    names = _pair_measures(targets, asked)
    if "system" in options.level:
        # Means over different topics differ because the topics do, and a correlation of such means says nothing.
        refuse_unshared_topics(cube, cube.measures, remedy='`level="global"` correlates over summaries')
    notes = _collect_notes(table, cube, options.level)
    for measure, target in names:
        if not (~np.isnan(cube[measure]) & ~np.isnan(cube[target])).any():
            unshared = f"no summary has a score and one of {target}, so that the means are of different topics"
            notes[measure] = together(notes.get(measure, ""), unshared)
    compared = list(dict.fromkeys(measure for measure, _ in names))
    if options.test and not targets:
        raise UsageError("a test between measures needs the measure that they are correlated with")
    if options.test and len(compared) < 2:
        raise UsageError(f"`test=` compares at least two measures; found only {compared[0]}")
    # Tests and accuracies ask which measure agrees more, so divergences must point the other way.
    oriented = replace(cube, values=reorient(cube.values, cube.higher_is_better))
    settings: dict[str, Any] = {"options": options, "seed": seed, "progress": progress}
    cluster_note = _note_on_clusters(cube, clusters, options)
    pairs = [
        MeasurePair(
            cube=cube,
            measure=measure,
            with_=target,
            note=together(note_on(notes, measure, target), cluster_note),
            clusters=clusters,
            **settings,
        )
        for measure, target in names
    ]
    tests: list[CorrelationTest] = []
    significant: list[SignificantTopics] = []
    accuracies: list[Accuracy] = []
    accuracy_tests: list[AccuracyTest] = []
    correlations = [correlation for pair in pairs for correlation in pair.correlations()]
    if options.test:
        for target in targets:
            tests += compare_correlations(oriented, compared, target, notes=notes, **settings)
    if options.micro:
        significant = [row for pair in pairs for row in pair.significant_topics()]
    if options.accuracy:
        accuracies = [row for pair in pairs for row in replace(pair, cube=oriented).accuracies()]
    if options.accuracy and options.test == "permutation":
        for target in targets:
            accuracy_tests += compare_accuracies(oriented, compared, target, notes=notes, **settings)
    result = Correlations(
        correlations=tuple(correlations),
        options=options,
        tests=tuple(tests),
        significant=tuple(significant),
        accuracies=tuple(accuracies),
        accuracy_tests=tuple(accuracy_tests),
        points=tuple(point for pair in names for point in _make_points(cube, *pair)),
        lower_is_better=tuple(name for name in cube.measures if not table.is_higher_better(name)),
        notes=notes,
        names=table.names,
        kinds=table.kinds,
    )
    return _add_clusters(result)


def _note_on_clusters(cube: ScoreCube, clusters: TopicClusters | None, options: CorrelateOptions) -> str:
    """Which topics count as clusters of their own, and that an interval over systems draws no topics."""
    if clusters is None:
        return ""
    draws_topics = options.interval == "bootstrap" or any(level != "system" for level in options.level)
    unused = "the interval is about other systems and takes the topics as they are, so that clusters do not matter"
    return together(clusters.note_on(cube.topics), "" if draws_topics else unused)


def _add_clusters(result: Correlations) -> Correlations:
    """With clusters of measures, if they were tested, and mean ranks, if there are several human scores."""
    clusters: list[Cluster] = []
    for (target, level, coefficient), tests in result.families.items():
        if any(test.p is not None for test in tests):
            ranked = result.ranked(target, level=level, coefficient=coefficient)
            clusters += find_clusters(ranked, tests, confidence=result.options.confidence)
    ranks: list[MeanRank] = []
    if len(result.targets) > 1 and not result.options.matrix:
        for level, coefficient in product(result.options.level, result.options.coefficient):
            by_target = []
            for target in result.targets:
                ranked = result.ranked(target, level=level, coefficient=coefficient)
                by_target.append([(correlation, result._agreement(correlation)) for correlation in ranked])
            same = [cluster for cluster in clusters if (cluster.level, cluster.coefficient) == (level, coefficient)]
            ranks += mean_ranks(by_target, same)
    return replace(result, clusters=tuple(clusters), mean_ranks=tuple(ranks))


def _collect_notes(table: ScoreTable, cube: ScoreCube, levels: Sequence[Level]) -> dict[str, str]:
    """By measure, what one must know about its values, and about means over topics that systems do not share."""
    notes = {name: note for name, note in table.notes.items() if name in cube.measures}
    if "system" not in levels:
        return notes
    for name in cube.measures:
        note = together(notes.get(name, ""), note_on_groups(cube, [name]))
        if note:
            notes[name] = note
    return notes


def _pair_measures(targets: Sequence[str], measures: Sequence[str]) -> list[tuple[str, str]]:
    """Every measure with every target; without targets, every two measures."""
    pairs = [(measure, target) for target in targets for measure in measures if measure not in targets]
    if not targets:
        pairs = list(combinations(measures, 2))
    if not pairs:
        what = f"with {', '.join(targets)}" if targets else "with one another"
        raise UsageError(f"there is nothing to correlate {what}; found the measures {', '.join(measures) or 'none'}")
    return pairs


def _make_points(cube: ScoreCube, measure: str, with_: str) -> Iterator[SystemPoint]:
    """The means of every summarizer that has a score by both measures."""
    for summarizer, row, target_row in zip(cube.summarizers, cube[measure], cube[with_], strict=True):
        values = row[~np.isnan(row)]
        target_values = target_row[~np.isnan(target_row)]
        if len(values) and len(target_values):
            yield SystemPoint(
                summarizer=summarizer,
                measure=measure,
                with_=with_,
                value=float(values.mean()),
                with_value=float(target_values.mean()),
                n=len(values),
            )


def correlate_parts(
    tables: Mapping[str, ScoreTable],
    by: str,
    measures: Sequence[str],
    with_: Sequence[str],
    options: CorrelateOptions,
    *,
    clusters: TopicClusters | None = None,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> PartCorrelations:
    """Correlate measures in each group of topics; the tables are by the value that the topics of a group share."""
    parts = {
        part: correlate(table, measures, with_, options, clusters=clusters, seed=seed, progress=progress)
        for part, table in tables.items()
    }
    first = next(iter(parts.values()))
    rows: dict[str, Any] = {
        name: tuple(replace(row, part=part) for part, result in parts.items() for row in getattr(result, name))
        for name in ("correlations", "tests", "significant", "accuracies", "accuracy_tests", "clusters", "mean_ranks")
    }
    return PartCorrelations(
        by=by,
        parts=parts,
        topics={part: table.topic_total for part, table in tables.items()},
        options=options,
        lower_is_better=first.lower_is_better,
        notes=first.notes,
        names=first.names,
        kinds=first.kinds,
        **rows,
    )


def is_large(stored: StoredScores, measures: Sequence[str], options: CorrelateOptions) -> bool:
    """Whether means suffice for what is asked, and a matrix would be large."""
    if options.level != ("system",) or options.interval == "bootstrap":
        return False
    if options.test or options.micro or options.accuracy or options.by or options.cluster:
        return False
    return max(map(stored.rows_of, measures), default=0) >= LARGE


def correlate_large(
    stored: StoredScores, measures: Sequence[str], with_: Sequence[str], options: CorrelateOptions, *, seed: int
) -> Correlations:
    """Correlate measures as `correlate` does at system level, where the means of the summarizers are enough."""
    names = list(dict.fromkeys((*with_, *measures)))
    means = stored.means.filter(pl.col("measure").is_in(names))
    facts = stored.facts
    table = replace(
        ScoreTable.from_columns(
            measure=means["measure"].cast(pl.String).to_list(),
            topic=["all"] * means.height,
            summarizer=means["summarizer"].cast(pl.String).to_list(),
            value=means["value"].to_list(),
            higher_is_better=facts.higher_is_better,
        ),
        notes=facts.notes,
        names=facts.names,
        kinds=facts.kinds,
    )
    rows = means.select("measure", "summarizer", "n").iter_rows()
    counts = {(measure, summarizer): n for measure, summarizer, n in rows}
    result = correlate(table.in_order(names), measures, with_, options, seed=seed)
    points = tuple(replace(point, n=counts[point.measure, point.summarizer]) for point in result.points)
    return replace(result, points=points)
