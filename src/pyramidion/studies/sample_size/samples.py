"""Samples of correlations by the number of references or topics, and one-way tests between them.

A draw of k references or topics gives every summarizer a mean; the correlation of these means with a full score is one
value of a sample. Samples of the same measure form a column of a table, samples of the same k a row (Owczarzak & Dang
2009, §3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import ITSELF, SampleSizeOptions
from pyramidion.show.wording import defined
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.one_way import OneWay, one_way, significance_marks

PointKind = Literal["drawn", "bootstrapped", "actual", "halves", "extrapolated"]


@dataclass(frozen=True, kw_only=True)
class SampleSummary:
    """What a point says about a sample of correlations, or about an estimate; None where it is undefined."""

    mean: float | None
    sd: float | None
    n: int
    undefined: int
    """Correlations of the sample that are undefined."""
    lower: float | None
    upper: float | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ExtrapolatedCorrelation:
    """A correlation that is expected beyond the data; NaN: unknown. What lies beyond ±1 is brought back to it."""

    k: float
    """May be infinite."""
    value: float = np.nan
    error: float = np.nan
    """Standard error."""
    limits: tuple[float, float] = (np.nan, np.nan)
    n: int = 0
    """Resamples or replicates that the error rests on."""
    undefined: int = 0

    def summary(self) -> SampleSummary:
        """The estimate, its standard error and its interval."""
        # Dividing by a reliability below 1 can lead beyond a correlation of 1.
        value, lower, upper = (float(np.clip(number, -1, 1)) for number in (self.value, *self.limits))
        has_value = not np.isnan(self.value)
        has_error = has_value and not np.isnan(self.error)
        return SampleSummary(
            mean=value if has_value else None,
            sd=float(self.error) if has_error else None,
            n=self.n,
            undefined=self.undefined,
            lower=defined(lower) if has_error else None,
            upper=defined(upper) if has_error else None,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Samples:
    """Correlations of one measure by k."""

    measure: str
    drawn: Mapping[int, Floats]
    """By k; NaN where a draw has no correlation."""
    summarizers: int
    """How many enter the correlations."""
    topics: Mapping[int, int] = field(default_factory=dict)
    """By k, the topics that had enough references, where not all topics count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve(Samples):
    """One measure with one full score: a sample for each k, and what the full data gives."""

    with_: str
    full: int
    """All references, or all topics."""
    actual: float
    """The correlation on the full data."""
    bootstrapped: Floats
    """The full data with its summarizers resampled."""
    beyond: Sequence[ExtrapolatedCorrelation] = ()

    @property
    def fewest(self) -> int | None:
        """The smallest k that was drawn; None if none was."""
        return min(self.drawn, default=None)

    @property
    def samples(self) -> list[tuple[int, PointKind, Floats]]:
        """What is compared with each other: every k, then the full data bootstrapped.

        The last is left out for a measure with its own full version: it would always be 1.
        """
        samples: list[tuple[int, PointKind, Floats]] = [(k, "drawn", sample) for k, sample in self.drawn.items()]
        if self.with_ != ITSELF:
            samples.append((self.full, "bootstrapped", self.bootstrapped))
        return samples

    def named_samples(self) -> dict[str, Floats]:
        """All samples by the names of a table's rows: `3`, `4 (bootstrapped)`."""
        return {str(k) if kind == "drawn" else f"{k} ({kind})": sample for k, kind, sample in self.samples}


@dataclass(frozen=True, kw_only=True, eq=False)
class PartSamples:
    """What was drawn from one part of a campaign, or from the whole of it."""

    name: str
    """Empty: the whole."""
    curves: Sequence[Curve]
    halves: Sequence[Samples]
    """Correlations between two disjoint draws of k."""
    topics: int
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""

    def curves_with(self, target: str) -> list[Curve]:
        """The curves of all measures with one full score."""
        return [curve for curve in self.curves if curve.with_ == target]

    @property
    def targets(self) -> list[str]:
        """The full scores that measures are correlated with."""
        return list(dict.fromkeys(curve.with_ for curve in self.curves))


def make_curves(
    means: Mapping[str, Floats],
    drawn: Mapping[str, Mapping[int, Floats]],
    targets: Sequence[str],
    options: SampleSizeOptions,
    *,
    full: int,
    random: np.random.Generator,
    topics: Callable[[str], Mapping[int, int]] = lambda _: {},
) -> list[Curve]:
    """Correlate the means of each draw with each target.

    Args:
        means: by measure, those of the full data.
        drawn: by measure and k, draws × summarizers.
        targets: measures, or "itself".
        options: coefficient and number of samples.
        full: the number of all references or topics.
        random: resamples the summarizers of the full data.
        topics: by measure, for each k the topics that had enough references.
    """
    curves = []
    for target, (measure, by_size) in product(targets, drawn.items()):
        if measure == target:
            continue
        values = means[measure]
        target_values = means[measure if target == ITSELF else target]
        has_both = ~(np.isnan(values) | np.isnan(target_values))
        curves.append(
            Curve(
                measure=measure,
                with_=target,
                drawn={k: _correlate_draws(rows, target_values, options) for k, rows in by_size.items()},
                full=full,
                actual=float(_correlate_draws(values[None], target_values, options)[0]),
                bootstrapped=_bootstrap_summarizers(values[has_both], target_values[has_both], options, random),
                summarizers=int(has_both.sum()),
                topics=topics(measure),
            )
        )
    return curves


def make_halves(
    means: Mapping[str, Floats],
    drawn: Mapping[str, Mapping[int, Floats]],
    topics: Callable[[str], Mapping[int, int]] = lambda _: {},
) -> list[Samples]:
    """Correlations between two disjoint draws, by measure and k."""
    return [
        Samples(measure=name, drawn=by_size, summarizers=int((~np.isnan(means[name])).sum()), topics=topics(name))
        for name, by_size in drawn.items()
    ]


def _correlate_draws(rows: Floats, target: Floats, options: SampleSizeOptions) -> Floats:
    """The correlation of each draw's means with the target."""
    return row_correlations(rows, target[None, :], coefficient=options.coefficient)


def _bootstrap_summarizers(
    values: Floats, target: Floats, options: SampleSizeOptions, random: np.random.Generator
) -> Floats:
    """Correlations with the summarizers resampled (resampled topics do not give the paper's values)."""
    if not len(values):
        return np.full(options.resamples, np.nan)
    # The same draws for values and target: pairs of means are resampled, not each side by itself.
    drawn = random.integers(0, len(values), size=(options.resamples, len(values)))
    return row_correlations(values[drawn], target[drawn], coefficient=options.coefficient)


@dataclass(frozen=True, eq=False)
class SampleComparison:
    """A one-way analysis of variance over samples, with Tukey's test."""

    names: tuple[str, ...]
    """Of the samples that have a value."""
    result: OneWay

    @property
    def alike(self) -> tuple[tuple[str, str], ...]:
        """The pairs that do not differ."""
        pairs = combinations(range(len(self.names)), 2)
        return tuple((self.names[a], self.names[b]) for a, b in pairs if not self.result.differs[a, b])

    @property
    def marks(self) -> dict[str, str]:
        """By sample, its significance marks: samples that share one do not differ."""
        return dict(zip(self.names, significance_marks(self.result.differs), strict=True))


def compare_samples(samples: Mapping[str, Floats], confidence: float) -> SampleComparison | None:
    """Test whether samples differ; one without a single value takes no part. None if nothing can be tested."""
    values_by_name = {name: defined_values(sample) for name, sample in samples.items()}
    compared = {name: values for name, values in values_by_name.items() if len(values)}
    result = one_way(list(compared.values()), confidence=confidence)
    return None if result is None else SampleComparison(tuple(compared), result)


def summarize_sample(sample: Floats, confidence: float) -> SampleSummary:
    """Mean, standard deviation and the middle of a sample of correlations."""
    values = defined_values(sample)
    lower: float | None = None
    upper: float | None = None
    spread: float | None = None
    if len(values) > 1:
        lower, upper = middle_interval(values, confidence)
        spread = float(values.std(ddof=1))
    return SampleSummary(
        mean=mean_of(sample),
        sd=spread,
        n=len(values),
        undefined=len(sample) - len(values),
        lower=lower,
        upper=upper,
    )


def mean_of(sample: Floats) -> float | None:
    """The mean of the values that are defined; None if none is."""
    values = defined_values(sample)
    return float(values.mean()) if len(values) else None


def middle_interval(sample: Floats, confidence: float) -> tuple[float, float]:
    """What is left when as much is cut off at both ends."""
    tail = (100 - confidence) / 2
    lower, upper = np.percentile(sample, [tail, 100 - tail])
    return float(lower), float(upper)


def defined_values(sample: Floats) -> Floats:
    """The values of a sample that are not NaN."""
    values: Floats = sample[~np.isnan(sample)]
    return values
