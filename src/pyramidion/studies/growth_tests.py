"""Tests over the samples of the studies of models and of topics, and the sentences that say what came out.

Down a column (one measure, growing k), across a row (one k, all measures), and between two parts of a campaign: one-way
analyses of variance with Tukey's test (Owczarzak & Dang 2009, §3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics import one_way
from pyramidion.statistics.one_way import OneWay, significance_marks
from pyramidion.wording import defined

if TYPE_CHECKING:
    from pyramidion.studies.growth import GrowthStudy

Kind = Literal["drawn", "bootstrapped", "actual", "halves", "extrapolated"]
ITSELF = "itself"
"""The reference that stands for a measure's own full version."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """One measure against one reference: a sample of correlations for each k, and what the full data gives."""

    measure: str
    reference: str
    drawn: Mapping[int, Floats]
    """By k; NaN where a draw has no correlation."""
    full: int
    """All models, or all topics."""
    actual: float
    bootstrapped: Floats
    """The full data with its summarizers resampled."""
    topics: Mapping[int, int] = field(default_factory=dict)
    """By k, the topics that had enough models."""

    @property
    def samples(self) -> list[tuple[int, Kind, Floats]]:
        """What is compared with each other: every k, then the full data bootstrapped.

        Of a measure against its own full version the last would be 1 whatever is drawn: it is left out.
        """
        drawn: list[tuple[int, Kind, Floats]] = [(k, "drawn", sample) for k, sample in self.drawn.items()]
        full: tuple[int, Kind, Floats] = (self.full, "bootstrapped", self.bootstrapped)
        return drawn if self.reference == ITSELF else [*drawn, full]


@dataclass(frozen=True, kw_only=True)
class GrowthTest:
    """A one-way analysis of variance over samples, and the pairs that Tukey's test does not tell apart."""

    over: Literal["column", "row", "parts"]
    reference: str
    measure: str | None = None
    k: int | None = None
    f: float | None
    between: int
    within: int
    p: float | None
    alike: tuple[tuple[str, str], ...] = ()


def column_test(column: Column, confidence: float) -> tuple[GrowthTest | None, list[str]]:
    """Do the k of a column differ? And the marks that say so, one for each of its samples.

    A sample without a single correlation takes no part, and has no mark.
    """
    samples = [
        (f"{k} ({kind})" if kind != "drawn" else str(k), defined_of(sample)) for k, kind, sample in column.samples
    ]
    there = [number for number, (_, sample) in enumerate(samples) if len(sample)]
    tested = one_way([samples[number][1] for number in there], confidence=confidence)
    marks = [""] * len(samples)
    if tested is None:
        return None, marks
    for number, mark in zip(there, significance_marks(tested.differs), strict=True):
        marks[number] = mark
    labels = [samples[number][0] for number in there]
    return _test("column", column.reference, tested, labels, measure=column.measure), marks


def row_tests(columns: Sequence[Column], confidence: float) -> Iterator[GrowthTest]:
    """For each reference and k: do the measures differ?"""
    for reference in dict.fromkeys(column.reference for column in columns):
        here = [column for column in columns if column.reference == reference]
        rows: dict[tuple[int, Kind], dict[str, Floats]] = {}
        for column in here:
            for k, kind, sample in column.samples:
                if len(known := defined_of(sample)):
                    rows.setdefault((k, kind), {})[column.measure] = known
        for (k, _), samples in rows.items():
            if tested := one_way(list(samples.values()), confidence=confidence):
                yield _test("row", reference, tested, list(samples), k=k)


def compare_parts(studies: Mapping[str, GrowthStudy], *, confidence: float = 95.0) -> list[GrowthTest]:
    """Between two parts of a campaign, such as initial and update: each cell's two samples (§3, §4).

    Cells that only one of the parts has (a measure, a reference or a k) are not compared.
    """
    tests = []
    for (first, one), (second, other) in combinations(studies.items(), 2):
        twins = {(column.measure, column.reference): column for column in other.columns}
        for column in one.columns:
            twin = twins.get((column.measure, column.reference))
            if twin is None:
                continue
            theirs = {(k, kind): sample for k, kind, sample in twin.samples}
            for k, kind, sample in column.samples:
                if (k, kind) not in theirs:
                    continue
                groups = [defined_of(sample), defined_of(theirs[k, kind])]
                if tested := one_way(groups, confidence=confidence):
                    test = _test("parts", column.reference, tested, [first, second], measure=column.measure, k=k)
                    tests.append(test)
    return tests


def row_sentence(study: GrowthStudy, reference: str) -> str:
    """Which measures differ across the rows of a table, as the paper says it below its tables."""
    rows = [test for test in study.tests if test.over == "row" and test.reference == reference]
    if not rows:
        return ""
    alike: dict[tuple[str, str], list[str]] = {}
    for test in rows:
        for pair in test.alike:
            alike.setdefault(pair, []).append(str(test.k))
    said = f"Values in each row are significantly different from each other at the {study.confidence:g} % level"
    exceptions = "; ".join(f"{one} and {other} at k = {', '.join(sizes)}" for (one, other), sizes in alike.items())
    return f"{said} except {exceptions}" if alike else said


def part_sentence(tests: Sequence[GrowthTest], reference: str, *, confidence: float = 95.0) -> str:
    """Which cells do not differ between the parts of a campaign."""
    cells = [test for test in tests if test.over == "parts" and test.reference == reference]
    if not cells:
        return ""
    same = [f"{test.measure} at k = {test.k} ({' and '.join(pair)})" for test in cells for pair in test.alike]
    said = f"Values of the parts are significantly different from their counterparts at the {confidence:g} % level"
    return f"{said} except {'; '.join(same)}" if same else said


def defined_of(sample: Floats) -> Floats:
    """What of a sample is not NaN."""
    found: Floats = sample[~np.isnan(sample)]
    return found


def _test(
    over: Literal["column", "row", "parts"],
    reference: str,
    tested: OneWay,
    names: Sequence[str],
    *,
    measure: str | None = None,
    k: int | None = None,
) -> GrowthTest:
    alike = tuple(
        (names[one], names[other])
        for one, other in combinations(range(len(names)), 2)
        if not tested.differs[one, other]
    )
    return GrowthTest(
        over=over,
        reference=reference,
        measure=measure,
        k=k,
        f=defined(tested.f),
        between=tested.between,
        within=tested.within,
        p=defined(tested.p),
        alike=alike,
    )
