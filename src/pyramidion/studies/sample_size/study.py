"""How many references or topics an evaluation needs: the result, with points, tests and gains made of samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.measures.names import parse
from pyramidion.measures.registry import default_rouge
from pyramidion.options import ITSELF, Coefficient, SampleSizeOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.show.tables import ExplainedRow, Finding, Row
from pyramidion.show.wording import defined, note_on, together
from pyramidion.studies.sample_size.samples import (
    Curve,
    PartSamples,
    PointKind,
    SampleComparison,
    Samples,
    SampleSummary,
    compare_samples,
    mean_of,
    summarize_sample,
)
from pyramidion.studies.shared_topics import note_on_groups, refuse_unshared_topics

Sampled = Literal["models", "topics"]
"""What is sampled."""
TestScope = Literal["column", "row", "parts"]
"""What a test compares: every k of one measure, measures at one k, or parts of a campaign."""
ROUNDING = 1e-12
"""By this much a mean may lie below the tolerance: it is a rounding error."""


class SampleSizeRow(ExplainedRow):
    """What a row is about: a measure with a full score, in the whole campaign or in a part of it."""

    study: Sampled
    measure: str
    with_: str
    coefficient: Coefficient
    seed: int
    part: str = ""


class CurvePoint(SampleSizeRow, record="point"):
    """The correlation of a measure with a full score, for one number of references or topics; the mean of samples."""

    k: int | None
    """None: unlimited."""
    kind: PointKind
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


class CurveTest(ExplainedRow, record="point-test"):
    """A one-way analysis of variance over samples, and the pairs that Tukey's test does not distinguish."""

    study: Sampled
    over: TestScope
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


class Gain(SampleSizeRow, record="gain"):
    """What all references or topics bring over the fewest, and the fewest that are nearly as good as all."""

    gain: float | None
    """The full correlation less that at the smallest k."""
    least: int | None
    """The smallest k whose mean correlation is within the tolerance of the full one."""
    tolerance: float


class SampleSizeStudy(Finding):
    """Mean correlations by the number of references or topics, in the whole campaign or in each of its parts."""

    record_kinds: ClassVar[tuple[str, ...]] = ("point", "point-test", "gain")

    study: Sampled
    measures: tuple[str, ...]
    targets: tuple[str, ...]
    """What they are correlated with."""
    options: SampleSizeOptions
    seed: int
    parts: tuple[PartSamples, ...]
    """What was drawn."""

    def __repr__(self) -> str:
        return f"<SampleSizeStudy of {self.study} with {', '.join(self.measures)}>"

    @property
    def coefficient(self) -> Coefficient:
        """Of correlation."""
        return self.options.coefficient

    @property
    def curves(self) -> list[Curve]:
        """The samples of all parts."""
        return [curve for part in self.parts for curve in part.curves]

    def curve(self, measure: str, with_: str, part: str = "") -> Curve:
        """The samples of one measure with one target."""
        curves = next(samples.curves for samples in self.parts if samples.name == part)
        return next(curve for curve in curves if (curve.measure, curve.with_) == (measure, with_))

    def gains_in(self, part: str, with_: str) -> dict[str, Gain]:
        """By measure, what all references or topics bring in a part of the campaign."""
        return {gain.measure: gain for gain in self.gains if (gain.part, gain.with_) == (part, with_)}

    def leading_curve(self, part: PartSamples, with_: str) -> Curve | None:
        """The curve of the automatic measure with the highest full correlation, of those whose gain is defined.

        Where people annotated all measures, it is the curve of one of these; None if no gain is defined.
        """
        gains = self.gains_in(part.name, with_)
        curves = [curve for curve in part.curves_with(with_) if gains[curve.measure].gain is not None]
        # A pyramid score is people's work: whoever asks how many references suffice means ROUGE.
        automatic = [curve for curve in curves if parse(curve.measure).base != "pyramid"]
        return max(automatic or curves, key=lambda curve: abs(curve.actual), default=None)

    def rows(self) -> Iterator[Row]:
        """Points, tests and gains."""
        yield from (*self.points, *self.tests, *self.gains)

    @cached_property
    def points(self) -> tuple[CurvePoint, ...]:
        """Every cell of the tables."""
        return tuple(point for part in self.parts for point in self._make_points(part))

    @cached_property
    def tests(self) -> tuple[CurveTest, ...]:
        """Down the columns, across the rows, and between parts."""
        return (*(test for part in self.parts for test in self._make_tests(part)), *self._compare_parts())

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """One for each curve."""
        return tuple(self._make_gain(part, curve) for part in self.parts for curve in part.curves)

    @cached_property
    def _comparisons(self) -> dict[int, SampleComparison | None]:
        """By the identity of a curve, the test over its samples: points take marks from it, and it is a row itself."""
        # By identity, because curves hold arrays, which have no hash.
        return {id(curve): compare_samples(curve.named_samples(), self.options.confidence) for curve in self.curves}

    def _make_points(self, part: PartSamples) -> Iterator[CurvePoint]:
        """Of every curve the samples and the full data; then extrapolations; then disjoint draws."""
        confidence = self.options.confidence
        for curve in part.curves:
            comparison = self._comparisons[id(curve)]
            marks = {} if comparison is None else comparison.marks
            for (k, kind, sample), name in zip(curve.samples, curve.named_samples(), strict=True):
                numbers = summarize_sample(sample, confidence)
                yield self._make_point(part, curve, curve.with_, k, kind, numbers, mark=marks.get(name, ""))
            actual = summarize_sample(np.array([curve.actual]), confidence)
            yield self._make_point(part, curve, curve.with_, curve.full, "actual", actual)
        for curve in part.curves:
            for estimate in curve.beyond:
                size = None if np.isinf(estimate.k) else int(estimate.k)
                yield self._make_point(part, curve, curve.with_, size, "extrapolated", estimate.summary())
        for half in part.halves:
            for k, sample in half.drawn.items():
                yield self._make_point(part, half, ITSELF, k, "halves", summarize_sample(sample, confidence))

    def _make_point(
        self,
        part: PartSamples,
        samples: Samples,
        with_: str,
        k: int | None,
        kind: PointKind,
        numbers: SampleSummary,
        *,
        mark: str = "",
    ) -> CurvePoint:
        return CurvePoint(
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
        )

    def _make_tests(self, part: PartSamples) -> Iterator[CurveTest]:
        """Over the samples of every curve, and over the measures at every k."""
        for curve in part.curves:
            comparison = self._comparisons[id(curve)]
            yield from self._make_test("column", comparison, curve.with_, curve.measure, part=part.name)
        samples_by_row: dict[tuple[str, int, PointKind], dict[str, Floats]] = {}
        for curve in part.curves:
            for k, kind, sample in curve.samples:
                samples_by_row.setdefault((curve.with_, k, kind), {})[curve.measure] = sample
        for (with_, k, _), samples in samples_by_row.items():
            comparison = compare_samples(samples, self.options.confidence)
            yield from self._make_test("row", comparison, with_, k=k, part=part.name)

    def _compare_parts(self) -> Iterator[CurveTest]:
        """Each cell that two parts have (§3, §4)."""
        for first, second in combinations(self.parts, 2):
            samples_of_second = {
                (curve.measure, curve.with_, k, kind): sample
                for curve in second.curves
                for k, kind, sample in curve.samples
            }
            for curve in first.curves:
                for k, kind, sample in curve.samples:
                    counterpart = samples_of_second.get((curve.measure, curve.with_, k, kind))
                    if counterpart is not None:
                        samples = {first.name: sample, second.name: counterpart}
                        comparison = compare_samples(samples, self.options.confidence)
                        yield from self._make_test("parts", comparison, curve.with_, curve.measure, k)

    def _make_test(
        self,
        over: TestScope,
        comparison: SampleComparison | None,
        with_: str,
        measure: str | None = None,
        k: int | None = None,
        part: str = "",
    ) -> Iterator[CurveTest]:
        if comparison is None:
            return
        result = comparison.result
        yield CurveTest(
            study=self.study,
            over=over,
            measure=measure,
            with_=with_,
            k=k,
            f=defined(result.f),
            df=(result.between, result.within),
            p=defined(result.p),
            alike=comparison.alike,
            seed=self.seed,
            part=part,
        )

    def _make_gain(self, part: PartSamples, curve: Curve) -> Gain:
        means = {k: mean_of(sample) for k, sample in curve.drawn.items()}
        mean_of_fewest = None if curve.fewest is None else means[curve.fewest]
        return Gain(
            study=self.study,
            measure=curve.measure,
            with_=curve.with_,
            coefficient=self.coefficient,
            seed=self.seed,
            part=part.name,
            gain=None if mean_of_fewest is None else defined(curve.actual - mean_of_fewest),
            least=self._least_enough(curve),
            tolerance=self.options.tolerance,
            note=note_on(part.notes, curve.measure, curve.with_),
        )

    def _least_enough(self, curve: Curve) -> int | None:
        """The smallest k whose mean correlation is within the tolerance of the full one; None if that is undefined."""
        if np.isnan(curve.actual):
            return None
        sign = -1 if curve.actual < 0 else 1  # a divergence correlates negatively, and grows downwards
        enough = abs(curve.actual) - self.options.tolerance - ROUNDING
        sizes = []
        for k, sample in curve.drawn.items():
            mean = mean_of(sample)
            if mean is not None and mean * sign >= enough:
                sizes.append(k)
        return min(sizes, default=curve.full)


def make_study(
    sampled: Sampled,
    measures: Sequence[str],
    targets: Sequence[str],
    options: SampleSizeOptions,
    *,
    seed: int,
    parts: Sequence[PartSamples],
) -> SampleSizeStudy:
    """The study of what was drawn from the parts of a campaign.

    Raises:
        UsageError: if every measure was to be correlated with itself alone.
    """
    if not any(part.curves for part in parts):
        raise UsageError(
            f"a measure can't be correlated with itself; use {mention('with_', ITSELF)} for its full version"
        )
    return SampleSizeStudy(
        study=sampled,
        measures=tuple(measures),
        targets=tuple(targets),
        options=options,
        seed=seed,
        parts=tuple(parts),
    )


def default_measures(campaign: Campaign) -> list[str]:
    """What is studied when nothing is asked for: ROUGE and, where there is one, the pyramid."""
    has_models = any(pyramid.models for pyramid in campaign.pyramids)
    pyramid = ["pyramid.modified"] if has_models else []
    return [*default_rouge(word_limit=campaign.word_limit), *pyramid]


def studied_cube(table: ScoreTable, measures: Sequence[str], targets: Sequence[str]) -> ScoreCube:
    """The scores of the measures and targets, in an order that does not depend on that of a file."""
    names = [name for name in measures if name in table.measures]
    target_names = [name for name in targets if name != ITSELF]
    missing = [name for name in target_names if name not in table.measures]
    if missing or not names:
        raise InputError(f"no summary has a score on {', '.join(missing or measures) or 'any measure'}")
    cube = cube_of(table, [*names, *target_names]).sorted_by_name()
    refuse_unshared_topics(cube, cube.measures, remedy="this study needs systems with scores on the same topics")
    notes = [together(note, note_on_groups(cube, [name])) for name, note in zip(cube.measures, cube.notes, strict=True)]
    return replace(cube, notes=tuple(notes))
