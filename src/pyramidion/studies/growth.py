"""What the studies of models and of topics share: correlations of many draws, and the tables made of them.

After Owczarzak & Dang 2009.

A draw gives every summarizer a mean from a few models or topics; its correlation with a reference is one value of a
sample. Samples of the same measure form a column of a table, samples of the same k a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError
from pyramidion.statistics.checks import check_resampling
from pyramidion.statistics.correlation.coefficients import Coefficient, row_correlations
from pyramidion.studies.growth_tests import ITSELF, Column, GrowthTest, Kind, column_test, defined_of, row_tests
from pyramidion.wording import defined

DEFAULT_MEASURES = ("rouge-1.recall", "rouge-2.recall", "rouge-l.recall", "rouge-su4.recall", "pyramid.modified")
NO_CORRELATION = "no correlation is defined: fewer than two summarizers have both means, or these do not vary"


@dataclass(frozen=True, kw_only=True)
class Point:
    """A cell of the table. None: undefined."""

    measure: str
    reference: str
    k: int | None
    """None: without limit."""
    kind: Kind
    mean: float | None
    sd: float | None = None
    n: int = 0
    undefined: int = 0
    mark: str = ""
    topics: int | None = None
    """Topics that had enough models; None: all."""
    lower: float | None = None
    """With `upper`, the middle of the draws, or of the resamples where it is extrapolated, as wide as `confidence`."""
    upper: float | None = None
    reason: str = ""
    """Why something is undefined."""


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What all models or topics bring over the fewest, and the fewest that are nearly as good as all."""

    measure: str
    reference: str
    gain: float | None
    """The full correlation less that at the smallest k."""
    least: int | None
    """The smallest k whose mean correlation is within the tolerance of the full one."""
    tolerance: float


@dataclass(frozen=True, kw_only=True)
class GrowthStudy:
    """Mean correlations by the number of models or topics."""

    study: Literal["models", "topics"]
    measures: tuple[str, ...]
    references: tuple[str, ...]
    coefficient: Coefficient
    repetitions: int
    confidence: float
    seed: int
    points: tuple[Point, ...]
    tests: tuple[GrowthTest, ...]
    gains: tuple[Gain, ...]
    columns: tuple[Column, ...] = field(repr=False)
    halves: Mapping[str, Mapping[int, Floats]] = field(repr=False)
    """By measure and k: correlations between two disjoint draws of k."""
    summarizers: int
    topics: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""

    def column(self, measure: str, reference: str) -> Column:
        """The samples of one measure against one reference."""
        return next(one for one in self.columns if (one.measure, one.reference) == (measure, reference))


def default_measures(campaign: Campaign) -> list[str]:
    """What is studied when nothing is asked for: ROUGE and, where there is one, the pyramid."""
    return [name for name in DEFAULT_MEASURES if campaign.pyramids or not name.startswith("pyramid")]


def tabulate(columns: Sequence[Column], *, confidence: float) -> tuple[list[Point], list[GrowthTest]]:
    """Points with their marks, and the tests down the columns and across the rows."""
    points: list[Point] = []
    tests: list[GrowthTest] = []
    for column in columns:
        test, marks = column_test(column, confidence)
        if test:
            tests.append(test)
        for (k, kind, sample), mark in zip(column.samples, marks, strict=True):
            cell = _cell(column.measure, column.reference, k, kind, sample, confidence)
            points.append(replace(cell, mark=mark, topics=column.topics.get(k)))
        points.append(
            Point(
                measure=column.measure,
                reference=column.reference,
                k=column.full,
                kind="actual",
                mean=defined(column.actual),
                n=int(not np.isnan(column.actual)),
                undefined=int(np.isnan(column.actual)),
                topics=column.topics.get(column.full),
                reason=NO_CORRELATION if np.isnan(column.actual) else "one value, which has no spread",
            )
        )
    tests += row_tests(columns, confidence)
    return points, tests


def halves_points(
    halves: Mapping[str, Mapping[int, Floats]],
    *,
    confidence: float,
    topics: Mapping[tuple[str, int], int] | None = None,
) -> list[Point]:
    """How far two disjoint draws agree: the stability of a measure by itself.

    Args:
        halves: by measure and k.
        confidence: in per cent.
        topics: by measure and k, the topics that had enough models for both draws; None: all.
    """
    return [
        replace(_cell(measure, ITSELF, k, "halves", sample, confidence), topics=(topics or {}).get((measure, k)))
        for measure, samples in halves.items()
        for k, sample in samples.items()
    ]


def gains_of(columns: Sequence[Column], tolerance: float) -> list[Gain]:
    """By column: what the full data brings, and the least k that is within the tolerance of it."""
    gains = []
    for column in columns:
        means = {k: _mean(sample) for k, sample in column.drawn.items()}
        smallest = means.get(min(means)) if means else None
        sign = -1 if column.actual < 0 else 1  # a divergence correlates negatively, and grows downwards
        enough = abs(column.actual) - tolerance - 1e-12
        near = [k for k, mean in means.items() if mean is not None and mean * sign >= enough]
        gains.append(
            Gain(
                measure=column.measure,
                reference=column.reference,
                gain=defined(column.actual - smallest) if smallest is not None else None,
                least=min(near, default=column.full) if not np.isnan(column.actual) else None,
                tolerance=tolerance,
            )
        )
    return gains


def bootstrapped(
    values: Floats, reference: Floats, *, repetitions: int, coefficient: Coefficient, random: np.random.Generator
) -> Floats:
    """Correlations of the full data with its summarizers resampled (resampled topics do not give the paper's)."""
    both = ~(np.isnan(values) | np.isnan(reference))
    values, reference = values[both], reference[both]
    if not len(values):
        return np.full(repetitions, np.nan)
    drawn = random.integers(0, len(values), size=(repetitions, len(values)))
    return row_correlations(values[drawn], reference[drawn], coefficient=coefficient)


def extrapolated(
    column: Column,
    size: float,
    value: float,
    confidence: float,
    *,
    error: float = np.nan,
    limits: tuple[float, float] | None = None,
    n: int = 0,
    undefined: int = 0,
) -> Point:
    """A point beyond the data; what lies beyond ±1 is brought back to it.

    Args:
        column: what it belongs to.
        size: number of models or topics; may be infinite.
        value: the estimate; NaN if there is none.
        confidence: in per cent.
        error: its standard error; NaN if that is not known.
        limits: of the interval; by default as a normal distribution with that error says.
        n: resamples or replicates that the error rests on.
        undefined: those that had no value.
    """
    if limits is None:
        width = NormalDist().inv_cdf(0.5 + confidence / 200) * error
        limits = value - width, value + width
    known = not np.isnan(value)
    spread = known and not np.isnan(error)
    reasons = [
        "" if known else "what was found at the k below does not allow to go beyond them",
        "too few estimates for an interval" if known and not spread else "",
        "k is without limit" if np.isinf(size) else "",
    ]
    lower, upper = (float(np.clip(limit, -1, 1)) for limit in limits)
    return Point(
        measure=column.measure,
        reference=column.reference,
        k=None if np.isinf(size) else int(size),
        kind="extrapolated",
        mean=float(np.clip(value, -1, 1)) if known else None,
        sd=float(error) if spread else None,
        n=n,
        undefined=undefined,
        lower=lower if spread else None,
        upper=upper if spread else None,
        reason="; ".join(filter(None, reasons)),
    )


def check_study(
    measures: Sequence[str], references: Sequence[str], *, repetitions: int, tolerance: float, confidence: float
) -> None:
    """Refuse what makes no sense, before long work."""
    check_resampling(confidence=confidence, resamples=1)
    if not measures:
        raise UsageError("there is no measure to study; name one, such as rouge-2.recall")
    if not references:
        raise UsageError("there is no reference; name a judgment or measure, such as question.overall-responsiveness")
    if repetitions < 2:
        raise UsageError(f"{repetitions} repetitions; expected at least 2")
    if tolerance < 0:
        raise UsageError(f"a tolerance of {tolerance:g}; expected 0 or more")


def _cell(measure: str, reference: str, k: int, kind: Kind, sample: Floats, confidence: float) -> Point:
    known = defined_of(sample)
    several = len(known) > 1
    lower, upper = middle(known, confidence) if several else (None, None)
    return Point(
        measure=measure,
        reference=reference,
        k=k,
        kind=kind,
        mean=_mean(sample),
        sd=float(known.std(ddof=1)) if several else None,
        n=len(known),
        undefined=len(sample) - len(known),
        lower=lower,
        upper=upper,
        reason="" if several else "one draw has no spread" if len(known) else NO_CORRELATION,
    )


def middle(sample: Floats, confidence: float) -> tuple[float, float]:
    """What is left when as much is cut off at both ends."""
    tail = (100 - confidence) / 2
    lower, upper = np.percentile(sample, [tail, 100 - tail])
    return float(lower), float(upper)


def _mean(sample: Floats) -> float | None:
    known = defined_of(sample)
    return float(known.mean()) if len(known) else None
