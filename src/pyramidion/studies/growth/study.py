"""What is found by studying the number of references or topics: tables, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.measures.names import parse
from pyramidion.measures.registry import default_rouge
from pyramidion.options import ITSELF
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.show.tables import Cell, Table, columns_of, grouped, pivot
from pyramidion.show.tables import Column as TableColumn
from pyramidion.show.wording import counted, defined, listed, notes_about, number, together
from pyramidion.studies.growth.rows import Gain, GrowthRows, Point
from pyramidion.studies.growth.samples import Column, Part, mean_of, summary
from pyramidion.studies.shared_topics import note_on_groups, refuse_unshared_topics


class GrowthStudy(GrowthRows):
    """Mean correlations by the number of references or topics, in the whole campaign or in each of its parts."""

    def of_parts(self, parts: Sequence[Part]) -> GrowthStudy:
        """The study of these parts."""
        if not any(part.columns for part in parts):
            raise UsageError(
                f"a measure can't be correlated with itself; use {mention('with_', ITSELF)} for its full version"
            )
        return replace(self, parts=tuple(parts))

    def __repr__(self) -> str:
        return f"<GrowthStudy of {self.study} with {', '.join(self.measures)}>"

    def tables(self) -> list[Table]:
        """For each part and target the answers and the means by k; the stability; the tests on request."""
        return [table for part in self.parts for table in self._tables(part)]

    def _tables(self, part: Part) -> Iterator[Table]:
        points = [point for point in self.points if point.part == part.name]
        for with_ in dict.fromkeys(column.with_ for column in part.columns):
            yield self._answers(part, with_)
            yield self._means(part, with_, [one for one in points if one.with_ == with_ and one.kind != "halves"])
        if halves := [one for one in points if one.kind == "halves"]:
            yield self._stability(part, halves)
        tests = [
            test for test in self.tests if test.part == part.name or (test.over == "parts" and part is self.parts[0])
        ]
        yield Table(
            record="point-test",
            title=f"One-way analyses of variance over samples{_of(part)}",
            columns=columns_of("over", "measure", "with", "k", "f", "df1", "df2", "p", "alike"),
            rows=[
                (one.over, one.measure, one.with_, one.k, one.f, *one.df, one.p, "; ".join(map(" = ".join, one.alike)))
                for one in tests
            ],
            heads=4,
            notes=("alike: pairs that do not differ significantly (Tukey's test).",),
            detail=True,
            about=part.name,
        )

    def _answers(self, part: Part, with_: str) -> Table:
        """A row for each measure: from the fewest to all."""
        columns = [column for column in part.columns if column.with_ == with_]
        gains = {gain.measure: gain for gain in self.gains if (gain.part, gain.with_) == (part.name, with_)}
        rows = []
        for column in columns:
            fewest = mean_of(column.drawn[min(column.drawn)]) if column.drawn else None
            gain = gains[column.measure]
            rows.append((column.measure, fewest, defined(column.actual), gain.gain, gain.least))
        smallest = min((min(column.drawn) for column in columns if column.drawn), default=1)
        answered = [column for column in columns if gains[column.measure].gain is not None]
        whose = f"{part.name}: " if part.name else ""
        return Table(
            record="gain",
            title=f"Correlation with {_target(with_)}, by number of {self.what}s{_of(part)}",
            columns=columns_of(
                "measure",
                TableColumn("fewest", counted(smallest, self.what), digits=3),
                TableColumn("full", f"all {columns[0].full}", digits=3),
                TableColumn("gain", digits=3),
                TableColumn("least", f"enough (within {self.options.tolerance:g})"),
            ),
            rows=rows,
            sentences=tuple(f"{whose}{sentence}" for sentence in self._answer(answered, gains)) if answered else (),
            about=with_,
        )

    def _answer(self, columns: Sequence[Column], gains: Mapping[str, Gain]) -> Iterator[str]:
        """What the automatic measure that correlates most highly says; how many are enough for the others."""
        automatic = [column for column in columns if parse(column.measure).base != "pyramid"]
        leading = max(automatic or columns, key=lambda column: abs(column.actual))
        confidence, what, name = self.options.confidence, self.what, leading.measure
        fewest, full = min(leading.drawn), leading.full
        numbers = summary(leading.drawn[fewest], confidence)
        assert numbers.mean is not None  # as the gain over it is defined
        spread = ""
        if numbers.lower is not None and numbers.upper is not None:
            spread = f" ({confidence:g} % of the samples: {number(numbers.lower)} to {number(numbers.upper)})"
        yield (
            f"With {counted(fewest, what)}, {name} correlates at {number(numbers.mean)} with {_target(leading.with_)} "
            f"on average{spread}; with all {full}, at {number(leading.actual)}."
        )
        near = f"within {self.options.tolerance:g} of that with all {full}"
        least = gains[name].least or full
        if least == full:
            yield f"For {name}, no smaller number of {what}s keeps the mean correlation over samples {near}."
        else:
            yield (
                f"{name} needs only {least} of {counted(full, what)}: its mean correlation over samples is {near}. A "
                "single sample may be further off."
            )
        yield from self._more(leading)
        yield from self._agreement(leading)
        rest = [column.measure for column in columns if column is not leading]
        if by_least := grouped(rest, lambda measure: gains[measure].least or full):
            others = [f"{'all ' if k == full else ''}{k} for {listed(names)}" for k, names in sorted(by_least.items())]
            yield f"By the same criterion, {what}s that are enough for the other measures: {'; '.join(others)}."

    def _more(self, column: Column) -> Iterator[str]:
        """What more would bring."""
        estimate = next((one for one in column.beyond if np.isfinite(one.k)), None)
        if estimate is None:
            return
        numbers = estimate.summary()
        if numbers.mean is None or numbers.lower is None or numbers.upper is None:
            yield f"What more {self.what}s would bring is unknown: {numbers.reason}."
            return
        interval = f"{self.options.confidence:g} % interval {number(numbers.lower)} to {number(numbers.upper)}"
        yield (
            f"Extrapolated to {estimate.k:g} {self.what}s, the correlation of {column.measure} is "
            f"{number(numbers.mean)} ({interval}), compared with {number(column.actual)} now."
        )

    def _agreement(self, column: Column) -> Iterator[str]:
        """How far two disjoint sets, as large as possible, agree."""
        halves = [half for part in self.parts if column in part.columns for half in part.halves]
        drawn = next((half.drawn for half in halves if half.measure == column.measure), {})
        known = {k: mean for k, sample in drawn.items() if (mean := mean_of(sample)) is not None}
        if known:
            k = max(known)
            yield (
                f"System means of {column.measure} from two disjoint sets of {counted(k, self.what)} correlate at "
                f"{number(known[k])}."
            )

    def _means(self, part: Part, with_: str, points: Sequence[Point]) -> Table:
        """Means by k with their marks, in the form of the paper's tables."""
        undefined = sum(point.undefined for point in points if point.kind in ("drawn", "bootstrapped"))
        counts = sorted({point.summarizers for point in points})
        enter = counted(counts[-1], "summarizer") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} summarizers"
        uneven = _uneven_topics([point for point in points if point.kind == "drawn"])
        notes = [
            f"{enter}, {counted(part.topics, 'topic')}, {self.options.resamples:,} samples, seed {self.seed}.",
            _MARKS if any(point.mark for point in points) else "",
            f"{uneven} Nothing is extrapolated, because the topics differ." if uneven else "",
            f"The correlation was undefined in {counted(undefined, 'sample')}." if undefined else "",
            _EXTRAPOLATED[self.study] if any(point.kind == "extrapolated" for point in points) and not uneven else "",
            _SHARED_TOPICS if self.study == "topics" else "",
            *notes_about(part.notes, [*(point.measure for point in points), with_]),
        ]
        correlation = f"Mean {self.coefficient.capitalize()} correlation with {_target(with_)}"
        return self._grid(
            points,
            title=f"{correlation}, by number of {self.what}s{_of(part)}",
            sentences=tuple(filter(None, (self._differing(part, with_), self._differing_parts(with_)))),
            notes=tuple(filter(None, notes)),
            about=with_,
        )

    def _stability(self, part: Part, points: Sequence[Point]) -> Table:
        sets = f"two disjoint sets of {self.what}s"
        return self._grid(
            points,
            title=f"Stability: mean {self.coefficient.capitalize()} correlation between {sets}{_of(part)}",
            notes=tuple(filter(None, (f"Each set has k {self.what}s, at most half of them.", _uneven_topics(points)))),
            about="stability",
        )

    def _grid(self, points: Sequence[Point], **facts: Any) -> Table:
        """A row for each k, a column for each measure."""
        cells: dict[tuple[str, str], Cell] = {}
        for point in points:
            kind = f" ({_KINDS[point.kind]})" if point.kind in _KINDS else ""
            cells[f"{'∞' if point.k is None else point.k}{kind}", point.measure] = _cell(point)
        return pivot(cells, TableColumn("k", f"{self.what}s"), record="point", **facts)

    def _differing(self, part: Part, with_: str) -> str:
        """Which measures differ across the rows of a table, as the paper says it below its tables."""
        tests = [test for test in self.tests if (test.over, test.part, test.with_) == ("row", part.name, with_)]
        alike = grouped([(pair, str(test.k)) for test in tests for pair in test.alike], lambda one: one[0])
        exceptions = [f"{' and '.join(pair)} at k = {', '.join(k for _, k in some)}" for pair, some in alike.items()]
        if not tests:
            return ""
        but = f", except: {'; '.join(exceptions)}" if exceptions else ""
        return (
            f"The order of the measures is stable across samples of {self.what}s for these systems (Tukey's test, "
            f"{self._level}){but}. It need not hold for other systems."
        )

    def _differing_parts(self, with_: str) -> str:
        """Which cells do not differ between the parts of a campaign."""
        tests = [test for test in self.tests if (test.over, test.with_) == ("parts", with_)]
        same = [f"{test.measure} at k = {test.k} ({' and '.join(pair)})" for test in tests for pair in test.alike]
        return self._all_but("The parts differ significantly in each cell", same) if tests else ""

    def _all_but(self, sentence: str, exceptions: Sequence[str]) -> str:
        but = f", except: {'; '.join(exceptions)}" if exceptions else ""
        return f"{sentence} ({self._level}; this concerns sampling for these systems only){but}."

    @property
    def _level(self) -> str:
        return f"{100 - self.options.confidence:g} % level"


_KINDS = {"bootstrapped": "all, systems bootstrapped", "actual": "all", "extrapolated": "extrapolated"}
_MARKS = "Values that share a mark do not differ significantly from the first value with that mark in the same column."
_SHARED_TOPICS = (
    "The human means are over all topics, including the sampled ones, so correlations are inflated as k approaches the "
    "number of topics."
)
_EXTRAPOLATED = {
    "models": "Extrapolated as if 1/r² were linear in 1/k; intervals by resampling summarizers.",
    "topics": "Extrapolated from variance components of both scores; intervals by the jackknife over summarizers and "
    "topics.",
}


def default_measures(campaign: Campaign) -> list[str]:
    """What is studied when nothing is asked for: ROUGE and, where there is one, the pyramid."""
    pyramid = ["pyramid.modified"] if campaign.pyramids else []
    return [*default_rouge(word_limit=campaign.word_limit), *pyramid]


def studied_cube(table: ScoreTable, measures: Sequence[str], targets: Sequence[str]) -> ScoreCube:
    """The scores of the measures and targets, in an order that does not depend on that of a file."""
    names = [name for name in measures if name in table.measures]
    wanted = [name for name in targets if name != ITSELF]
    missing = [name for name in wanted if name not in table.measures]
    if missing or not names:
        raise InputError(f"no summary has a score on {', '.join(missing or measures) or 'any measure'}")
    cube = cube_of(table, [*names, *wanted]).sorted_by_name()
    refuse_unshared_topics(cube, cube.measures, remedy="this study needs systems with scores on the same topics")
    notes = [together(note, note_on_groups(cube, [name])) for name, note in zip(cube.measures, cube.notes, strict=True)]
    return replace(cube, notes=tuple(notes))


def _of(part: Part) -> str:
    return f", {part.name}" if part.name else ""


def _target(name: str) -> str:
    return "its own full version" if name == ITSELF else name


def _cell(point: Point) -> str:
    if point.mean is None:
        return "–"
    if point.kind == "extrapolated" and point.lower is not None and point.upper is not None:
        return f"{point.mean:.4f} [{point.lower:.2f}, {point.upper:.2f}]"
    return f"{point.mean:.4f} {point.mark}".rstrip()


def _uneven_topics(points: Sequence[Point]) -> str:
    topics = {point.k: point.topics for point in points}
    counts = ", ".join(f"{count} at k = {k}" for k, count in topics.items())
    return f"Topics with enough references: {counts}." if len(set(topics.values())) > 1 else ""
