"""The rows of a study of references or topics: points, tests and gains, made of samples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import ITSELF, Coefficient, GrowthOptions
from pyramidion.show.tables import Finding, NotedRow, Row
from pyramidion.show.wording import defined, note_on, together
from pyramidion.studies.growth.samples import (
    Column,
    Kind,
    Part,
    Samples,
    SampleSummary,
    Tested,
    mean_of,
    summary,
    tested,
)

Study = Literal["models", "topics"]


class GrowthRow(NotedRow):
    """What a row is about: a measure with a full score, in the whole campaign or in a part of it."""

    study: Study
    measure: str
    with_: str
    coefficient: Coefficient
    seed: int
    part: str = ""


class Point(GrowthRow, record="point"):
    """The correlation of a measure with a full score, for one number of references or topics; the mean of samples."""

    k: int | None
    """None: unlimited."""
    kind: Kind
    mean: float | None
    sd: float | None
    n: int
    """Samples that have a correlation."""
    undefined: int
    mark: str
    lower: float | None
    """With `upper`, the middle of the samples (of the resamples where it is extrapolated), as wide as `confidence`."""
    upper: float | None
    topics: int
    summarizers: int
    """How many enter the correlation."""


class GrowthTest(NotedRow, record="point-test"):
    """A one-way analysis of variance over samples, and the pairs that Tukey's test does not distinguish."""

    study: Study
    over: Literal["column", "row", "parts"]
    measure: str | None
    """None: over all measures."""
    with_: str
    k: int | None
    """None: over all k."""
    f: float | None
    df: tuple[int, int]
    p: float | None
    alike: tuple[tuple[str, str], ...]
    seed: int
    part: str = ""


class Gain(GrowthRow, record="gain"):
    """What all references or topics bring over the fewest, and the fewest that are nearly as good as all."""

    gain: float | None
    """The full correlation less that at the smallest k."""
    least: int | None
    """The smallest k whose mean correlation is within the tolerance of the full one."""
    tolerance: float


class GrowthRows(Finding):
    """Samples of all parts, and the rows made of them."""

    study: Study
    measures: tuple[str, ...]
    targets: tuple[str, ...]
    """What they are correlated with."""
    options: GrowthOptions
    seed: int
    parts: tuple[Part, ...] = ()

    @property
    def coefficient(self) -> Coefficient:
        """Of correlation."""
        return self.options.coefficient

    @property
    def what(self) -> str:
        """What is sampled, as readers call it."""
        return "reference" if self.study == "models" else "topic"

    @property
    def columns(self) -> list[Column]:
        """The samples of all parts."""
        return [column for part in self.parts for column in part.columns]

    def column(self, measure: str, with_: str, part: str = "") -> Column:
        """The samples of one measure with one target."""
        columns = next(one.columns for one in self.parts if one.name == part)
        return next(one for one in columns if (one.measure, one.with_) == (measure, with_))

    def rows(self) -> Iterator[Row]:
        """Points, tests and gains."""
        yield from (*self.points, *self.tests, *self.gains)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Every cell of the tables."""
        return tuple(point for part in self.parts for point in self._points(part))

    @cached_property
    def tests(self) -> tuple[GrowthTest, ...]:
        """Down the columns, across the rows, and between parts."""
        return (*(test for part in self.parts for test in self._tests(part)), *self._between_parts())

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """One for each column."""
        return tuple(self._gain(part, column) for part in self.parts for column in part.columns)

    @cached_property
    def _tested(self) -> dict[int, Tested | None]:
        """By the identity of a column, the test over its samples."""
        return {id(column): tested(column.labelled(), self.options.confidence) for column in self.columns}

    def _points(self, part: Part) -> Iterator[Point]:
        confidence = self.options.confidence
        for column in part.columns:
            found = self._tested[id(column)]
            marks = {} if found is None else found.marks
            for (k, kind, sample), name in zip(column.samples, column.labelled(), strict=True):
                mark = marks.get(name, "")
                yield self._point(part, column, column.with_, k, kind, summary(sample, confidence), mark=mark)
            actual = summary(np.array([column.actual]), confidence)
            yield self._point(part, column, column.with_, column.full, "actual", actual)
        for column in part.columns:
            for estimate in column.beyond:
                size = None if np.isinf(estimate.k) else int(estimate.k)
                yield self._point(part, column, column.with_, size, "extrapolated", estimate.summary())
        for half in part.halves:
            for k, sample in half.drawn.items():
                yield self._point(part, half, ITSELF, k, "halves", summary(sample, confidence))

    def _point(
        self,
        part: Part,
        samples: Samples,
        with_: str,
        k: int | None,
        kind: Kind,
        numbers: SampleSummary,
        *,
        mark: str = "",
    ) -> Point:
        return Point(
            study=self.study,
            measure=samples.measure,
            with_=with_,
            coefficient=self.coefficient,
            seed=self.seed,
            part=part.name,
            k=k,
            kind=kind,
            mean=numbers.mean,
            sd=numbers.sd,
            n=numbers.n,
            undefined=numbers.undefined,
            mark=mark,
            lower=numbers.lower,
            upper=numbers.upper,
            topics=part.topics if k is None else samples.topics.get(k, part.topics),
            summarizers=samples.summarizers,
            note=note_on(part.notes, samples.measure, with_),
            reason=numbers.reason,
        )

    def _tests(self, part: Part) -> Iterator[GrowthTest]:
        for column in part.columns:
            yield from self._test("column", self._tested[id(column)], column.with_, column.measure, part=part.name)
        rows: dict[tuple[str, int, Kind], dict[str, Floats]] = {}
        for column in part.columns:
            for k, kind, sample in column.samples:
                rows.setdefault((column.with_, k, kind), {})[column.measure] = sample
        for (with_, k, _), samples in rows.items():
            yield from self._test("row", tested(samples, self.options.confidence), with_, k=k, part=part.name)

    def _between_parts(self) -> Iterator[GrowthTest]:
        """Each cell that two parts have (§3, §4)."""
        for one, other in combinations(self.parts, 2):
            twins = {
                (column.measure, column.with_, k, kind): sample
                for column in other.columns
                for k, kind, sample in column.samples
            }
            for column in one.columns:
                for k, kind, sample in column.samples:
                    twin = twins.get((column.measure, column.with_, k, kind))
                    if twin is not None:
                        found = tested({one.name: sample, other.name: twin}, self.options.confidence)
                        yield from self._test("parts", found, column.with_, column.measure, k)

    def _test(
        self,
        over: Literal["column", "row", "parts"],
        found: Tested | None,
        with_: str,
        measure: str | None = None,
        k: int | None = None,
        part: str = "",
    ) -> Iterator[GrowthTest]:
        if found is None:
            return
        result = found.result
        reasons = [
            "over all measures" if measure is None else "",
            "over all k" if k is None else "",
            "" if np.isfinite(result.f) else "no sample varies",
        ]
        yield GrowthTest(
            study=self.study,
            over=over,
            measure=measure,
            with_=with_,
            k=k,
            f=defined(result.f),
            df=(result.between, result.within),
            p=defined(result.p),
            alike=found.alike,
            seed=self.seed,
            part=part,
            reason=together(*reasons),
        )

    def _gain(self, part: Part, column: Column) -> Gain:
        means = {k: mean_of(sample) for k, sample in column.drawn.items()}
        smallest = means[min(means)] if means else None
        sign = -1 if column.actual < 0 else 1  # a divergence correlates negatively, and grows downwards
        enough = abs(column.actual) - self.options.tolerance - 1e-12
        near = [k for k, mean in means.items() if mean is not None and mean * sign >= enough]
        return Gain(
            study=self.study,
            measure=column.measure,
            with_=column.with_,
            coefficient=self.coefficient,
            seed=self.seed,
            part=part.name,
            gain=defined(column.actual - smallest) if smallest is not None else None,
            least=min(near, default=column.full) if not np.isnan(column.actual) else None,
            tolerance=self.options.tolerance,
            note=note_on(part.notes, column.measure, column.with_),
            reason="the full correlation, or that at the smallest k, is undefined",
        )
