"""Two measures beside each other, or two beside a third: one value each with what it rests on, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.scores import ScoreCube
from pyramidion.statistics.correlation.accuracy import (
    PairwiseAccuracy,
    calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)
from pyramidion.statistics.correlation.coefficients import COEFFICIENTS, Coefficient
from pyramidion.statistics.correlation.draws import Resampled
from pyramidion.statistics.correlation.intervals import (
    Sides,
    bootstrap_correlations,
    fisher_interval,
    percentile_interval,
)
from pyramidion.statistics.correlation.levels import Level, LevelCorrelation, correlate_levels, topic_correlations
from pyramidion.statistics.correlation.tests import permutation_test, williams_test
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.wording import defined

CorrelationInterval = Literal["fisher", "bootstrap"]
CorrelationTestMethod = Literal["permutation", "williams"]
AccuracyKind = Literal["plain", "ties", "tie-calibrated", "soft"]


@dataclass(frozen=True, kw_only=True)
class CorrelationOptions:
    """What is asked of every pair; None: as fits the level and the method."""

    levels: tuple[Level, ...] = ("system",)
    coefficients: tuple[Coefficient, ...] = COEFFICIENTS
    interval: CorrelationInterval | None = None
    sides: Sides | None = None
    resampled: Resampled | None = None
    test: CorrelationTestMethod | None = None
    confidence: float = 95.0
    resamples: int = 1000
    seed: int = 0
    progress: ResamplingProgress | None = None

    def interval_at(self, level: Level) -> CorrelationInterval:
        """Fisher's interval is for independent summarizers: system level."""
        return self.interval or ("fisher" if level == "system" else "bootstrap")

    @property
    def bootstrapped(self) -> Resampled:
        """What the bootstrap draws: with both, an interval is for other summarizers and other topics."""
        return self.resampled or "both"

    @property
    def permuted(self) -> Resampled:
        """What a test exchanges: with summarizers, it finds no more differences than it should."""
        return self.resampled or "systems"

    def sides_of(self, interval: CorrelationInterval) -> Sides:
        """Fisher's interval is printed one-sided (Dang 2006), percentiles two-sided."""
        return self.sides or ("one" if interval == "fisher" else "two")


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """A correlation of two measures; None where something is undefined, and then a reason."""

    measure: str
    with_: str
    level: Level
    coefficient: Coefficient
    value: float | None
    p: float | None
    """Two-sided, against no correlation."""
    lower: float | None
    upper: float | None
    method: CorrelationInterval
    n: int
    """Summarizers (system), topics (topic) or summaries (global) that it rests on."""
    undefined: int
    """Those that were left out."""
    seed: int
    confidence: float
    sides: Sides
    resampled: Resampled | Literal["none"]
    resamples: int
    undefined_resamples: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """Whether two measures correlate equally with a third; both are turned so that high is good."""

    first: str
    second: str
    with_: str
    level: Level
    coefficient: Coefficient
    difference: float | None
    """Correlation of the first less that of the second."""
    p: float | None
    method: CorrelationTestMethod
    seed: int
    n: int
    """Summarizers (system), topics (topic) or summaries (global) that have all three scores."""
    resampled: Resampled | Literal["none"]
    resamples: int
    undefined_resamples: int
    p_adjusted: float | None = None
    """After Holm, over all tests with the same third measure, level and coefficient."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class SignificantTopics:
    """Inside how many topics the correlation is significant, and how strong it is there (paper 004, Table 3)."""

    measure: str
    with_: str
    coefficient: Coefficient
    largest: float | None
    """The strongest of the significant correlations, with its sign."""
    smallest: float | None
    """The weakest of them."""
    significant: int
    percentage: float | None
    """Of the topics with a defined correlation."""
    n: int
    undefined: int
    confidence: float
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """How often a measure orders pairs as another does; both are turned so that high is good."""

    measure: str
    with_: str
    level: Level
    kind: AccuracyKind
    value: float | None
    n: int
    """Pairs of summarizers (system level) or topics (topic level)."""
    undefined: int
    epsilon: float
    """Differences of the measure up to here count as ties."""
    seed: int
    reason: str = ""


def correlate_pair(cube: ScoreCube, measure: str, with_: str, options: CorrelationOptions) -> Iterator[Correlation]:
    """The pair at every level, by every coefficient."""
    x, z = _on_shared(cube[measure], cube[with_])
    for level in options.levels:
        method = options.interval_at(level)
        sides = options.sides_of(method)
        samples: dict[Coefficient, Floats] = {}
        if method == "bootstrap":
            samples = bootstrap_correlations(
                x,
                z,
                level=level,
                coefficients=options.coefficients,
                resampled=options.bootstrapped,
                resamples=options.resamples,
                seed=options.seed,
                progress=options.progress,
            )
        for coefficient in options.coefficients:
            found = correlate_levels(x, z, level=level, coefficient=coefficient)
            lower = upper = np.nan
            if not np.isnan(found.value) and method == "bootstrap":
                lower, upper = percentile_interval(samples[coefficient], confidence=options.confidence, sides=sides)
            elif level == "system":
                lower, upper = fisher_interval(
                    found.value, found.n, coefficient=coefficient, confidence=options.confidence, sides=sides
                )
            yield Correlation(
                measure=measure,
                with_=with_,
                level=level,
                coefficient=coefficient,
                value=defined(found.value),
                p=defined(found.p),
                lower=defined(lower),
                upper=defined(upper),
                method=method,
                n=found.n,
                undefined=found.undefined,
                seed=options.seed,
                confidence=options.confidence,
                sides=sides,
                resampled=options.bootstrapped if samples else "none",
                resamples=options.resamples if samples else 0,
                undefined_resamples=int(np.isnan(samples[coefficient]).sum()) if samples else 0,
                reason=_why_undefined(found, lower, level, method),
            )


def compare_pair(
    cube: ScoreCube,
    first: str,
    second: str,
    with_: str,
    *,
    level: Level,
    coefficient: Coefficient,
    options: CorrelationOptions,
) -> CorrelationTest:
    """Two measures with a third, at one level and by one coefficient; high must be good on all."""
    x, y, z = cube[first], cube[second], cube[with_]
    difference = p = np.nan
    reason = ""
    undefined = 0
    common = ~np.isnan(x + y + z)
    n = int({"system": common.any(axis=1), "topic": common.any(axis=0), "global": common}[level].sum())
    if options.test == "williams":
        values = [
            correlate_levels(*(np.where(common, one, np.nan) for one in two), level=level, coefficient=coefficient)
            for two in ((x, z), (y, z), (x, y))
        ]
        difference = values[0].value - values[1].value
        if level == "system" and coefficient == "pearson":
            p = williams_test(values[0].value, values[1].value, values[2].value, values[0].n).p
            reason = "" if not np.isnan(p) else "Williams' test needs four summarizers or more, and means that vary"
        else:
            reason = "Williams' test is for Pearson's coefficient at system level; --test permutation is for all"
    else:
        result = permutation_test(
            x,
            y,
            z,
            level=level,
            coefficient=coefficient,
            resampled=options.permuted,
            resamples=options.resamples,
            seed=options.seed,
            progress=options.progress,
        )
        difference, p, undefined = result.difference, result.p, result.undefined
    if np.isnan(difference):
        reason = "a correlation is not defined on the summaries that have all three scores"
    drawn = options.test == "permutation"
    return CorrelationTest(
        first=first,
        second=second,
        with_=with_,
        level=level,
        coefficient=coefficient,
        difference=defined(difference),
        p=defined(p),
        method="permutation" if drawn else "williams",
        seed=options.seed,
        n=n,
        resampled=options.permuted if drawn else "none",
        resamples=options.resamples if drawn else 0,
        undefined_resamples=undefined,
        reason=reason,
    )


def significant_topics(
    cube: ScoreCube, measure: str, with_: str, *, coefficient: Coefficient, confidence: float
) -> SignificantTopics:
    """Topics with two-sided p below 1 − confidence."""
    found = topic_correlations(*_on_shared(cube[measure], cube[with_]), coefficient=coefficient)
    defined = ~np.isnan(found.values)
    significant = found.values[defined & (found.p < 1 - confidence / 100)]
    strength = np.abs(significant)
    n = int(defined.sum())
    reasons = ["no topic has a defined correlation"] if not n else []
    if n and not len(significant):
        reasons.append("no topic has a significant correlation")
    return SignificantTopics(
        measure=measure,
        with_=with_,
        coefficient=coefficient,
        largest=float(significant[strength.argmax()]) if len(significant) else None,
        smallest=float(significant[strength.argmin()]) if len(significant) else None,
        significant=len(significant),
        percentage=100 * len(significant) / n if n else None,
        n=n,
        undefined=len(found.values) - n,
        confidence=confidence,
        reason="; ".join(reasons),
    )


def accuracies(cube: ScoreCube, measure: str, with_: str, options: CorrelationOptions) -> Iterator[Accuracy]:
    """All kinds of pairwise accuracy of a measure; high must be good on both."""
    x, z = _on_shared(cube[measure], cube[with_])

    def accuracy(level: Level, kind: AccuracyKind, found: PairwiseAccuracy) -> Accuracy:
        return Accuracy(
            measure=measure,
            with_=with_,
            level=level,
            kind=kind,
            value=defined(found.value),
            n=found.n,
            undefined=found.undefined,
            epsilon=found.epsilon,
            seed=options.seed,
            reason="" if found.n else "there is no pair to order",
        )

    yield accuracy("system", "plain", system_accuracy(x, z))
    yield accuracy("topic", "ties", topic_accuracy(x, z))
    yield accuracy("topic", "tie-calibrated", calibrated_accuracy(x, z))
    soft = soft_accuracy(x, z, resamples=options.resamples, seed=options.seed, progress=options.progress)
    yield accuracy("system", "soft", soft)


def _on_shared(x: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Without the summarizers and topics on which neither measure has a score."""
    neither = np.isnan(x) & np.isnan(z)
    rows, columns = ~neither.all(axis=1), ~neither.all(axis=0)
    return x[rows][:, columns], z[rows][:, columns]


_RESTS_ON = {"system": "summarizers with both means", "topic": "topics", "global": "summaries with both scores"}


def _why_undefined(found: LevelCorrelation, lower: float, level: Level, method: CorrelationInterval) -> str:
    if np.isnan(found.value):
        if level == "topic":
            return "in no topic two summaries have both scores and both vary"
        return f"fewer than two {_RESTS_ON[level]}" if found.n < 2 else "the values of one measure are all equal"
    reasons: list[str] = []
    if np.isnan(found.p):
        reasons.append(
            "no p: summaries of one summarizer or topic are not independent"
            if level == "global"
            else f"no p: too few {_RESTS_ON[level]}, or no variation"
        )
    if np.isnan(lower):
        if method == "bootstrap":
            reasons.append("no interval: no resample has a value")
        elif level == "system":
            reasons.append("no interval: too few summarizers")
        else:
            reasons.append("no interval: Fisher's is for system level; ask for a bootstrap")
    return "; ".join(reasons)
