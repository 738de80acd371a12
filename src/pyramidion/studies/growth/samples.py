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
from pyramidion.options import ITSELF, GrowthOptions
from pyramidion.show.wording import defined, together
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.one_way import OneWay, one_way, significance_marks

Kind = Literal["drawn", "bootstrapped", "actual", "halves", "extrapolated"]
NO_CORRELATION = "no correlation is defined: fewer than two summarizers have both means, or the means do not vary"


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
    reason: str
    """Why something is undefined."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate:
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
        known = not np.isnan(self.value)
        spread = known and not np.isnan(self.error)
        value, lower, upper = (float(np.clip(one, -1, 1)) for one in (self.value, *self.limits))
        reason = together(
            "" if known else "the correlations at smaller k do not allow extrapolation",
            "too few estimates for an interval" if known and not spread else "",
            "k is unlimited" if np.isinf(self.k) else "",
        )
        return SampleSummary(
            mean=value if known else None,
            sd=float(self.error) if spread else None,
            n=self.n,
            undefined=self.undefined,
            lower=defined(lower) if spread else None,
            upper=defined(upper) if spread else None,
            reason=reason,
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
class Column(Samples):
    """One measure with one full score: a sample for each k, and what the full data gives."""

    with_: str
    full: int
    """All references, or all topics."""
    actual: float
    bootstrapped: Floats
    """The full data with its summarizers resampled."""
    beyond: Sequence[Estimate] = ()

    @property
    def samples(self) -> list[tuple[int, Kind, Floats]]:
        """What is compared with each other: every k, then the full data bootstrapped.

        The last is left out for a measure with its own full version: it would always be 1.
        """
        drawn: list[tuple[int, Kind, Floats]] = [(k, "drawn", sample) for k, sample in self.drawn.items()]
        full: tuple[int, Kind, Floats] = (self.full, "bootstrapped", self.bootstrapped)
        return drawn if self.with_ == ITSELF else [*drawn, full]

    def labelled(self) -> dict[str, Floats]:
        """The same samples by what the rows of a table are called."""
        return {f"{k} ({kind})" if kind != "drawn" else str(k): sample for k, kind, sample in self.samples}


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """What was drawn from one part of a campaign, or from the whole of it."""

    name: str
    """Empty: the whole."""
    columns: Sequence[Column]
    halves: Sequence[Samples]
    """Correlations between two disjoint draws of k."""
    topics: int
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""


def columns_of(
    means: Mapping[str, Floats],
    drawn: Mapping[str, Mapping[int, Floats]],
    targets: Sequence[str],
    options: GrowthOptions,
    *,
    full: int,
    random: np.random.Generator,
    topics: Callable[[str], Mapping[int, int]] = lambda _: {},
) -> list[Column]:
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
    columns = []
    for with_, (name, by_size) in product(targets, drawn.items()):
        if name == with_:
            continue
        own, target = means[name], means[name if with_ == ITSELF else with_]
        both = ~(np.isnan(own) | np.isnan(target))
        columns.append(
            Column(
                measure=name,
                with_=with_,
                drawn={k: _correlations(found, target, options) for k, found in by_size.items()},
                full=full,
                actual=float(_correlations(own[None], target, options)[0]),
                bootstrapped=_bootstrapped(own[both], target[both], options, random),
                summarizers=int(both.sum()),
                topics=topics(name),
            )
        )
    return columns


def halves_of(
    means: Mapping[str, Floats],
    drawn: Mapping[str, Mapping[int, Floats]],
    topics: Callable[[str], Mapping[int, int]] = lambda _: {},
) -> list[Samples]:
    """Correlations between two disjoint draws, by measure and k."""
    return [
        Samples(measure=name, drawn=by_size, summarizers=int((~np.isnan(means[name])).sum()), topics=topics(name))
        for name, by_size in drawn.items()
    ]


def _correlations(rows: Floats, target: Floats, options: GrowthOptions) -> Floats:
    return row_correlations(rows, target[None, :], coefficient=options.coefficient)


def _bootstrapped(values: Floats, target: Floats, options: GrowthOptions, random: np.random.Generator) -> Floats:
    """With the summarizers resampled (resampled topics do not give the paper's values)."""
    if not len(values):
        return np.full(options.resamples, np.nan)
    drawn = random.integers(0, len(values), size=(options.resamples, len(values)))
    return row_correlations(values[drawn], target[drawn], coefficient=options.coefficient)


@dataclass(frozen=True, eq=False)
class Tested:
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
        """By sample, the marks that say the same."""
        return dict(zip(self.names, significance_marks(self.result.differs), strict=True))


def tested(samples: Mapping[str, Floats], confidence: float) -> Tested | None:
    """Do samples differ? One without a single value takes no part."""
    there = {name: known for name, sample in samples.items() if len(known := defined_of(sample))}
    result = one_way(list(there.values()), confidence=confidence)
    return None if result is None else Tested(tuple(there), result)


def summary(sample: Floats, confidence: float) -> SampleSummary:
    """Mean, standard deviation and the middle of a sample of correlations."""
    known = defined_of(sample)
    several = len(known) > 1
    lower, upper = middle(known, confidence) if several else (None, None)
    reason = ""
    if not several:
        reason = "a single value has no spread" if len(known) else NO_CORRELATION
    return SampleSummary(
        mean=mean_of(sample),
        sd=float(known.std(ddof=1)) if several else None,
        n=len(known),
        undefined=len(sample) - len(known),
        lower=lower,
        upper=upper,
        reason=reason,
    )


def mean_of(sample: Floats) -> float | None:
    """The mean of what is defined."""
    known = defined_of(sample)
    return float(known.mean()) if len(known) else None


def middle(sample: Floats, confidence: float) -> tuple[float, float]:
    """What is left when as much is cut off at both ends."""
    tail = (100 - confidence) / 2
    lower, upper = np.percentile(sample, [tail, 100 - tail])
    return float(lower), float(upper)


def defined_of(sample: Floats) -> Floats:
    """What of a sample is not NaN."""
    found: Floats = sample[~np.isnan(sample)]
    return found
