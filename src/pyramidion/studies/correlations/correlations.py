"""How measures agree with human scores, or with each other: what was found, and the verb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.measures.hbr import reorient
from pyramidion.options import Coefficient, CorrelateOptions, Level
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.show.tables import P_VALUES, Cell, Column, Finding, Table, columns_of, grouped, table_of
from pyramidion.show.wording import (
    carried_decimals,
    counted,
    listed,
    note_on,
    notes_about,
    number,
    p_in_words,
    together,
)
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.studies.correlations.clusters import (
    Cluster,
    MeanRank,
    cluster_table,
    clusters_of,
    mean_rank_table,
    mean_ranks,
)
from pyramidion.studies.correlations.pairs import (
    COUNTED,
    FEW_SUMMARIZERS,
    FEWEST_SUMMARIZERS,
    Accuracy,
    Correlation,
    MeasurePair,
    SignificantTopics,
)
from pyramidion.studies.correlations.tests import (
    METHODS,
    NO_LEAST_P,
    CorrelationTest,
    compare_correlations,
    tests_in_words,
)
from pyramidion.studies.shared_topics import note_on_groups, refuse_unshared_topics

Family = tuple[str, Level, Coefficient]
"""What tests are corrected together: those with the same third measure, at one level, by one coefficient."""


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
    )

    correlations: tuple[Correlation, ...]
    options: CorrelateOptions
    tests: tuple[CorrelationTest, ...] = ()
    significant: tuple[SignificantTopics, ...] = ()
    accuracies: tuple[Accuracy, ...] = ()
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
        return tuple(dict.fromkeys(one.measure for one in self.correlations))

    @property
    def targets(self) -> tuple[str, ...]:
        """What they were correlated with."""
        return tuple(dict.fromkeys(one.with_ for one in self.correlations))

    def at(
        self, measure: str, with_: str, *, level: Level = "system", coefficient: Coefficient = "pearson"
    ) -> Correlation:
        """One correlation, in either order of the two."""
        wanted = ({measure, with_}, level, coefficient)
        for one in self.correlations:
            if ({one.measure, one.with_}, one.level, one.coefficient) == wanted:
                return one
        raise UsageError(f"{coefficient} of {measure} with {with_} at {level} level was not computed")

    def value(
        self, measure: str, with_: str, *, level: Level = "system", coefficient: Coefficient = "pearson"
    ) -> float | None:
        """The value of one correlation; None if it is undefined."""
        return self.at(measure, with_, level=level, coefficient=coefficient).value

    def ranked(
        self, with_: str, *, level: Level = "system", coefficient: Coefficient | None = None
    ) -> list[Correlation]:
        """The correlations with a measure by the first coefficient, or this one, highest first, undefined ones last."""
        wanted = (with_, level, coefficient or self.options.coefficient[0])
        found = [one for one in self.correlations if (one.with_, one.level, one.coefficient) == wanted]
        return sorted(found, key=lambda one: -self._agreement(one))

    def _agreement(self, one: Correlation) -> float:
        """The value, reversed if lower is better for one of the two."""
        if one.value is None:
            return -2.0
        return -one.value if (one.measure in self.lower_is_better) != (one.with_ in self.lower_is_better) else one.value

    @cached_property
    def _families(self) -> dict[Family, list[CorrelationTest]]:
        """The tests that were corrected together."""
        return grouped(self.tests, _family)

    def is_best(self, one: Correlation, others: Iterable[Correlation]) -> bool:
        """Whether a measure correlates significantly better than each of these, by the tests that were made."""
        beaten = {
            name
            for test in self._families.get(_family(one), ())
            if test.better(self._significance) == one.measure
            for name in (test.first, test.second)
        }
        return all(other.measure in beaten for other in others)

    @property
    def _significance(self) -> float:
        return 1 - self.options.confidence / 100

    def clustered(self) -> Correlations:
        """With clusters of measures, if they were tested, and mean ranks, if there are several human scores."""
        clusters = tuple(
            cluster
            for (target, level, coefficient), tests in self._families.items()
            if any(one.p is not None for one in tests)
            for cluster in clusters_of(
                self.ranked(target, level=level, coefficient=coefficient), tests, confidence=self.options.confidence
            )
        )
        ranks: list[MeanRank] = []
        if len(self.targets) > 1 and not self.options.matrix:
            for level, coefficient in product(self.options.level, self.options.coefficient):
                ranked = [self.ranked(target, level=level, coefficient=coefficient) for target in self.targets]
                agreed = [[(one, self._agreement(one)) for one in found] for found in ranked]
                own = [one for one in clusters if (one.level, one.coefficient) == (level, coefficient)]
                ranks += mean_ranks(agreed, own)
        return replace(self, clusters=clusters, mean_ranks=tuple(ranks))

    def answer(self) -> tuple[str, ...]:
        """Which measure correlates better, if that was tested."""
        groups = grouped(self.tests, _target_and_level).values()
        return tuple(line for tests in groups for line in tests_in_words(tests, self._significance))

    def main_record(self) -> str:
        """What was asked for besides correlations, if it is one thing; else the correlations."""
        further = [rows[0].record for rows in (self.tests, self.significant, self.accuracies) if rows]
        return further[0] if len(further) == 1 else "correlation"

    def tables(self) -> list[Table]:
        """A table for each measure correlated with and each level, or a matrix for each level and coefficient."""
        if self.options.matrix:
            return list(self._matrices())
        return [
            *(self.correlation_table(target, level) for target in self.targets for level in self.options.level),
            *(
                _table(self, columns, rows)
                for every, columns in ((self.tests, _TEST), (self.significant, _MICRO), (self.accuracies, _ACCURACY))
                for rows in grouped(every, _target_and_level).values()
            ),
            *(cluster_table(rows) for rows in grouped(self.clusters, _family).values()),
            *(mean_rank_table(self.targets, rows) for rows in grouped(self.mean_ranks, lambda one: one.level).values()),
        ]

    def correlation_table(self, target: str, level: Level) -> Table:
        """The correlations with one measure at one level, and what they say."""
        rows = [one for one in self.correlations if (one.with_, one.level) == (target, level)]
        drawn = carried_decimals(rows[0].resamples) if rows[0].resamples else None
        columns: tuple[Column | str, ...] = (
            *_CORRELATION,
            Column("p", digits=drawn if rows[0].p_is_drawn else None),
            *(Column(limit, digits=drawn) for limit in ("lower", "upper")),
            Column("n", COUNTED[level]),
        )
        return _table(self, columns, rows)

    def sentences_on(self, target: str, level: Level, among: Iterable[str] = ()) -> list[str]:
        """Which measure correlates most highly and which do not significantly; of all measures or of some."""
        chosen = [one for one in self.ranked(target, level=level) if not among or one.measure in among]
        there = [one for one in chosen if one.value is not None]
        if not there:
            return [f"No correlation with {target} is defined."] if chosen else []
        best, *others = there
        if level == "system" and best.n < FEWEST_SUMMARIZERS:
            return [
                f"No finding: only {counted(best.n, 'summarizer')} have both scores, and a correlation over fewer than "
                f"{FEWEST_SUMMARIZERS} says nothing reliable."
            ]
        what = f"{best.coefficient.capitalize()} {best.in_words()}"
        verb = "has the strongest correlation" if others else "correlates"
        if others and self.is_best(best, others):
            verb = "correlates best"
        said = [f"{best.measure} {verb} with {target}: {what}."]
        if others:
            said[0] += f" Next is {others[0].measure}: {others[0].in_words(confidence=False)}."
        if undecided := [one.measure for one in there if one.significant is False]:
            said.append(f"Not significantly correlated (the interval includes 0): {listed(undecided)}.")
        if level == "system" and best.n < FEW_SUMMARIZERS:
            said.append(f"Correlations over only {counted(best.n, 'summarizer')} are not reliable.")
        return said

    def verdict(self, better: str, worse: str, target: str) -> str:
        """Whether two measures correlate differently with a third, as the end of a sentence."""
        test = next(
            (one for one in self.tests if {one.first, one.second} == {better, worse} and one.with_ == target), None
        )
        if test is None or test.p is None:
            return f"the two can't be tested ({test.reason if test else 'no test was asked for'})"
        level = self._significance
        corrected = test.p if test.p_adjusted is None else test.p_adjusted
        family = len(self._families[_family(test)])
        method = f"{METHODS[test.method]}, {p_in_words(test.p, test.decimals)}"
        p = p_in_words(corrected, test.decimals)
        holm = f"after Holm correction for {counted(family, 'pair')}"
        if test.p >= level:
            return f"the difference is not significant ({method})"
        if corrected >= level:
            return f"the difference is significant if tested alone ({method}) but not {holm} ({p})"
        return f"the difference is significant ({method if family == 1 else f'{method}; {p} {holm}'})"

    def direction_notes(self, *names: str) -> list[str]:
        """For which of these measures lower is better, if it is not so for all."""
        low = [name for name in dict.fromkeys(names) if name in self.lower_is_better]
        if not low or len(low) == len(set(names)):
            return []
        return [f"For {listed(low)}, lower is better: agreement shows as a negative correlation."]

    def _matrices(self) -> Iterator[Table]:
        """A lower triangle for each level and coefficient; the columns are the numbers of the rows."""
        names = list(dict.fromkeys(name for one in self.correlations for name in (one.measure, one.with_)))
        numbered = (Column(str(place), digits=3) for place in range(1, len(names)))
        columns = columns_of(Column("number", "no."), "measure", *numbered)
        for level, coefficient in dict.fromkeys((one.level, one.coefficient) for one in self.correlations):
            rows: list[list[Cell]] = []
            for place, name in enumerate(names):
                values = [self.value(name, other, level=level, coefficient=coefficient) for other in names[:place]]
                rows.append([place + 1, name, *values, *([""] * (len(names) - 1 - place))])
            yield Table(
                record="correlation",
                title=f"{coefficient.capitalize()} correlation of every two measures, {level} level",
                columns=columns[: len(names) + 1],
                rows=[row[: len(names) + 1] for row in rows],
                heads=2,
                sentences=tuple(self._closest(level, coefficient)),
                notes=(*notes_about(self.notes, names), *self.direction_notes(*names)),
                about=f"{coefficient}, {level} level",
            )

    def _closest(self, level: Level, coefficient: Coefficient) -> Iterator[str]:
        """Which two measures agree most, and which least."""
        ranked = sorted(
            (one for one in self.correlations if (one.level, one.coefficient) == (level, coefficient)),
            key=lambda one: -abs(one.value or 0.0),
        )
        there = [one for one in ranked if one.value is not None]
        if not there:
            yield "No correlation of two measures is defined."
            return
        closest, weakest = (
            (f"{one.measure} and {one.with_}", f"({number(one.value or 0.0)})") for one in (there[0], there[-1])
        )
        yield f"{closest[0]} are correlated most closely {closest[1]}."
        if len(there) > 1:
            yield f"The weakest correlation is that of {weakest[0]} {weakest[1]}."


_CORRELATION = ("measure", "coefficient", "value")
_TEST = ("first", "second", "coefficient", "difference", "p", "p_adjusted", "n")
_ABOUT = {
    "systems": "p and intervals generalize to new systems, but not to new topics.",
    "topics": 'p and intervals generalize to new topics, but not to new systems; `resample="both"` covers both.',
    "both": "p and intervals generalize to new systems and new topics.",
}
_MICRO = ("measure", "coefficient", "largest", "smallest", "significant", "percentage", "n")
_ACCURACY = ("measure", "kind", "value", "n", "epsilon")


def _target_and_level(row: Any) -> tuple[str, str]:
    return row.with_, getattr(row, "level", "")


def _family(row: Correlation | CorrelationTest | Cluster) -> Family:
    return row.with_, row.level, row.coefficient


def _table(found: Correlations, columns: Sequence[Column | str], rows: Sequence[Any]) -> Table:
    """A table of rows of one kind, with the same measure to correlate with and the same level."""
    first = rows[0]
    target, level = _target_and_level(first)
    measures = dict.fromkeys(
        name
        for row in rows
        for name in ([row.first, row.second] if isinstance(row, CorrelationTest) else [row.measure])
    )
    notes = notes_about(found.notes, (*measures, target))
    sentences: list[str] = []
    if isinstance(first, Correlation):
        sentences = found.sentences_on(target, first.level)
        notes += (directions := found.direction_notes(*measures, target))
        if directions and first.sides == "one":
            notes.append('A one-sided interval has only a lower limit; `sides="two"` gives both.')
        if level == "topic":
            notes.append("Means of the correlations within topics.")
        if first.resamples:
            notes.append(_ABOUT[first.resampled])
            notes.append(f"Limits are rounded to what {first.resamples:,} samples can show.")
    elif isinstance(first, Accuracy):
        decimals = carried_decimals(found.options.permutations)
        columns = [Column(one, digits=decimals) if one == "value" else one for one in columns]
    elif isinstance(first, CorrelationTest):
        sentences = list(tests_in_words(rows, found._significance))
        columns = [Column(one, digits=first.decimals) if one in P_VALUES else one for one in columns]
        if reversed_ := [name for name in measures if name in found.lower_is_better]:
            notes.append(f"Reversed, because lower is better: {listed(reversed_)}.")
    reasons = dict.fromkeys(reason for row in rows if (reason := row.fields().get("reason")) not in (None, NO_LEAST_P))
    notes += [f"Undefined: {reason}." for reason in reasons]
    lacking = [key for key in ("undefined", "undefined_resamples") if any(getattr(row, key, 0) for row in rows)]
    return table_of(
        rows,
        (*columns, *lacking),
        title=_title(first),
        heads=2,
        sentences=tuple(sentences),
        notes=tuple(notes),
        about=f"{target}, {level} level" if level else target,
    )


def _title(first: Correlation | CorrelationTest | SignificantTopics | Accuracy) -> str:
    if isinstance(first, SignificantTopics):
        level = f"{1 - first.confidence / 100:.4g}"
        return f"Topics with a significant correlation with {first.with_} (two-sided p < {level})"
    if isinstance(first, Accuracy):
        return f"Share of pairs in the order of {first.with_}, {first.level} level"
    where = f"{first.with_}, {first.level} level"
    samples = f"{first.resamples:,} samples of {first.resampled.replace('both', 'systems and topics')}"
    drawn = f", {samples}, seed {first.seed}" if first.resamples else ""
    if isinstance(first, CorrelationTest):
        return f"Differences between correlations with {where} ({METHODS[first.method]}{drawn})"
    method = {"fisher": "Fisher", "studentized": "studentized bootstrap"}.get(first.method, "bootstrap")
    return f"Correlation with {where} ({first.confidence:g} % intervals, {first.sides}-sided: {method}{drawn})"


def correlate(
    table: ScoreTable,
    measures: Sequence[str] | None = None,
    with_: Sequence[str] = (),
    options: CorrelateOptions | None = None,
    *,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> Correlations:
    """Correlate measures of a score table with others, or every two with each other.

    Args:
        table: the scores.
        measures: the columns to correlate (default: all others).
        with_: the columns to correlate with, such as a question; none: every two measures, each pair once.
        options: levels, coefficients, intervals, tests.
        seed: of bootstrap and permutations.
        progress: called with the number of samples drawn since the last call.
    """
    options = options or CorrelateOptions()
    targets = list(dict.fromkeys(with_))
    wanted = list(dict.fromkeys(table.measures if measures is None else measures))
    cube = cube_of(table, [*targets, *wanted]).sorted_by_name()
    pairs = _pairs(targets, wanted)
    if "system" in options.level:
        refuse_unshared_topics(cube, cube.measures, remedy='`level="global"` correlates over summaries')
    notes = _notes(table, cube, options.level)
    compared = list(dict.fromkeys(measure for measure, _ in pairs))
    if options.test and not targets:
        raise UsageError("a test between measures needs the measure that they are correlated with")
    if options.test and len(compared) < 2:
        raise UsageError(f"`test=` compares at least two measures; found only {compared[0]}")
    reversed_ = replace(cube, values=reorient(cube.values, cube.higher_is_better))
    facts: dict[str, Any] = {"options": options, "seed": seed, "progress": progress}
    two = [
        MeasurePair(cube=cube, measure=measure, with_=target, note=note_on(notes, measure, target), **facts)
        for measure, target in pairs
    ]
    found = Correlations(
        correlations=tuple(one for pair in two for one in pair.correlations()),
        options=options,
        tests=tuple(
            one
            for target in (targets if options.test else ())
            for one in compare_correlations(reversed_, compared, target, notes=notes, **facts)
        ),
        significant=tuple(one for pair in two if options.micro for one in pair.significant_topics()),
        accuracies=tuple(one for pair in two if options.accuracy for one in replace(pair, cube=reversed_).accuracies()),
        points=tuple(point for pair in pairs for point in _points(cube, *pair)),
        lower_is_better=tuple(name for name in cube.measures if not table.is_higher_better(name)),
        notes=notes,
        names=table.names,
        kinds=table.kinds,
    )
    return found.clustered()


def _notes(table: ScoreTable, cube: ScoreCube, levels: Sequence[Level]) -> dict[str, str]:
    """By measure, what one must know about its values, and about means over topics that systems do not share."""
    notes = {name: note for name, note in table.notes.items() if name in cube.measures}
    if "system" not in levels:
        return notes
    for name in cube.measures:
        note = together(notes.get(name, ""), note_on_groups(cube, [name]))
        if note:
            notes[name] = note
    return notes


def _pairs(targets: Sequence[str], wanted: Sequence[str]) -> list[tuple[str, str]]:
    """Every measure with every target; without targets, every two measures."""
    pairs = [(measure, target) for target in targets for measure in wanted if measure not in targets]
    if not targets:
        pairs = list(combinations(wanted, 2))
    if not pairs:
        what = f"with {', '.join(targets)}" if targets else "with one another"
        raise UsageError(f"there is nothing to correlate {what}; found the measures {', '.join(wanted) or 'none'}")
    return pairs


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
