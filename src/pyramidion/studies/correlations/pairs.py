"""A measure correlated with another: coefficients with intervals, topics with a significant one, pairwise accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.options import Coefficient, CorrelateOptions, CorrelationInterval, Level, Resampled, Sides
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.tables import NotedRow, headed, optional
from pyramidion.show.wording import defined, together
from pyramidion.statistics.correlation.accuracy import (
    PairwiseAccuracy,
    calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations,
    bootstrap_p,
    fisher_interval,
    is_perfect,
    percentile_interval,
    studentized_interval,
)
from pyramidion.statistics.correlation.levels import LevelCorrelation, correlate_levels, topic_correlations
from pyramidion.statistics.intervals import FEWEST_STUDENTIZED
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.values import system_means
from pyramidion.studies.clusters import TopicClusters

AccuracyKind = Literal["plain", "ties", "tie-calibrated", "soft"]
FEWEST_SUMMARIZERS = 5
"""Correlations over fewer are no findings."""
_TESTED_BY_FORMULA = {("system", "systems"), ("topic", "topics")}
"""Levels whose own p speaks of what was drawn; elsewhere p comes from the draws."""


class AtLevel(NotedRow):
    """What a row is about: a measure and what it is compared with, at a level."""

    measure: str
    with_: str
    level: Level


class Correlation(AtLevel, record="correlation"):
    """A correlation of two measures; None where something is undefined, with the reason."""

    coefficient: Coefficient
    value: float | None
    p: float | None
    """Two-sided, against no correlation, about the same population as the interval: other summarizers (Fisher), other
    topics (at topic level), or what was drawn."""
    lower: float | None
    upper: float | None
    method: CorrelationInterval
    n: int
    """Summarizers (system), topics (topic) or summaries (global) that it is based on."""
    undefined: int
    """Those that were left out."""
    seed: int
    confidence: float
    sides: Sides
    resampled: Resampled | Literal["none"]
    resamples: int
    undefined_resamples: int
    part: str = ""
    """With --by: the group of topics."""
    cluster: str = ""
    """With --cluster: the field by which topics belong together."""
    topic_clusters: int | None = optional()
    """With --cluster: how many clusters the topics are of; where topics are resampled, these are."""

    @property
    def significant(self) -> bool | None:
        """Whether the interval excludes 0; None if there is none, or if a lower limit says nothing about it."""
        if self.value is None or self.lower is None or self.upper is None:
            return None
        if self.sides == "one" and self.value < 0:
            return None
        return not self.lower <= 0 <= self.upper

    @property
    def p_is_drawn(self) -> bool:
        """Whether p comes from the draws of the bootstrap."""
        return bool(self.resamples) and (self.level, self.resampled) not in _TESTED_BY_FORMULA


class SignificantTopics(NotedRow, record="micro"):
    """Within how many topics the correlation of two measures is significant, and how strong it is there."""

    measure: str
    with_: str
    coefficient: Coefficient
    largest: float | None
    """The strongest of the significant correlations, with its sign."""
    smallest: float | None
    """The weakest of them."""
    significant: int
    percentage: float | None = headed(digits=1)
    """Of the topics with a defined correlation."""
    n: int = headed("topics")
    undefined: int
    confidence: float
    part: str = ""


class Accuracy(AtLevel, record="accuracy"):
    """How often a measure orders pairs as another does; measures for which lower is better are reversed."""

    kind: AccuracyKind
    value: float | None
    n: int
    """Pairs of summarizers (system level) or topics (topic level)."""
    undefined: int
    epsilon: float
    """Differences of the measure up to this count as ties."""
    seed: int
    part: str = ""


@dataclass(frozen=True)
class _Interval:
    """Limits of a correlation (NaN: none), and what was drawn for them."""

    lower: float = np.nan
    upper: float = np.nan
    resampled: Resampled | Literal["none"] = "none"
    resamples: int = 0
    undefined_resamples: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasurePair:
    """Two measures, and how they are correlated."""

    cube: ScoreCube
    measure: str
    with_: str
    options: CorrelateOptions
    seed: int
    note: str
    progress: ResamplingProgress | None = None
    clusters: TopicClusters | None = None
    """Which topics belong together; None if they are independent."""

    @cached_property
    def _codes(self) -> Integers | None:
        """The number of the cluster of each topic that has a score."""
        if self.clusters is None:
            return None
        has_any = ~(np.isnan(self.cube[self.measure]) & np.isnan(self.cube[self.with_]))
        topics = [self.cube.topics[column] for column in np.flatnonzero(has_any.any(axis=0))]
        return self.clusters.codes(topics)

    @cached_property
    def _scores(self) -> tuple[Floats, Floats]:
        """Of both, without the summarizers and topics on which neither measure has a score."""
        x, z = self.cube[self.measure], self.cube[self.with_]
        # Rows and columns that neither has would be drawn by the bootstrap, and thin it out.
        has_any = ~(np.isnan(x) & np.isnan(z))
        rows, columns = has_any.any(axis=1), has_any.any(axis=0)
        return x[rows][:, columns], z[rows][:, columns]

    def correlations(self) -> Iterator[Correlation]:
        """The pair at every level, by every coefficient."""
        options = self.options
        for level in options.level:
            # Fisher's interval is for independent summarizers.
            method: CorrelationInterval = options.interval or ("fisher" if level == "system" else "bootstrap")
            # Within topics the systems are the items that are ranked; only other topics are a new sample.
            resampled: Resampled = options.resample or ("topics" if level == "topic" else "both")
            samples: dict[Coefficient, Floats] = {}
            if method == "bootstrap":
                samples = bootstrap_correlations(
                    *self._scores,
                    level=level,
                    coefficients=options.coefficient,
                    resampled=resampled,
                    resamples=options.bootstrap_samples,
                    seed=self.seed,
                    progress=self.progress,
                    clusters=self._codes,
                )
            for coefficient in options.coefficient:
                result = correlate_levels(*self._scores, level=level, coefficient=coefficient, clusters=self._codes)
                if samples:
                    result, interval = self._bootstrapped(result, samples[coefficient], level, resampled)
                else:
                    interval = self._computed_interval(result, level, coefficient, method)
                yield Correlation(
                    measure=self.measure,
                    with_=self.with_,
                    level=level,
                    coefficient=coefficient,
                    value=defined(result.value),
                    p=defined(result.p),
                    lower=defined(interval.lower),
                    upper=defined(interval.upper),
                    method=method,
                    n=result.n,
                    undefined=result.undefined,
                    seed=self.seed,
                    confidence=options.confidence,
                    sides=options.sides,
                    resampled=interval.resampled,
                    resamples=interval.resamples,
                    undefined_resamples=interval.undefined_resamples,
                    cluster="" if self.clusters is None else self.clusters.field,
                    topic_clusters=None if self._codes is None else len(np.unique(self._codes)),
                    note=self.note,
                    reason=_why_undefined(result, interval.lower, level, coefficient, method),
                )

    @property
    def _limit_options(self) -> dict[str, Any]:
        return {"confidence": self.options.confidence, "sides": self.options.sides}

    def _bootstrapped(
        self, result: LevelCorrelation, sample: Floats, level: Level, resampled: Resampled
    ) -> tuple[LevelCorrelation, _Interval]:
        """The correlation with the p of the draws, where a formula's p is about something else; and its interval."""
        lower = upper = np.nan
        if not np.isnan(result.value):
            lower, upper = percentile_interval(sample, **self._limit_options)
            if (level, resampled) not in _TESTED_BY_FORMULA:
                result = replace(result, p=bootstrap_p(sample))
        undefined = int(np.isnan(sample).sum())
        return result, _Interval(lower, upper, resampled, self.options.bootstrap_samples, undefined)

    def _computed_interval(
        self, result: LevelCorrelation, level: Level, coefficient: Coefficient, method: CorrelationInterval
    ) -> _Interval:
        """Fisher's interval, or the studentized one; without limits where there is none."""
        if level != "system":
            return _Interval()
        if method == "studentized":
            return self._studentized() if coefficient == "pearson" else _Interval()
        lower, upper = fisher_interval(result.value, result.n, coefficient=coefficient, **self._limit_options)
        return _Interval(lower, upper)

    def _studentized(self) -> _Interval:
        """The studentized interval of Pearson's coefficient of the summarizers' means."""
        first, second = (system_means(values) for values in self._scores)
        has_both = ~(np.isnan(first) | np.isnan(second))
        resamples = self.options.bootstrap_samples
        lower, upper, undefined = studentized_interval(
            first[has_both], second[has_both], resamples=resamples, seed=self.seed, **self._limit_options
        )
        return _Interval(lower, upper, "systems", resamples, undefined)

    def significant_topics(self) -> Iterator[SignificantTopics]:
        """Topics with two-sided p below 1 − confidence, by every coefficient."""
        for coefficient in self.options.coefficient:
            values, p = topic_correlations(*self._scores, coefficient=coefficient)
            is_defined = ~np.isnan(values)
            # Louis and Nenkova (2009) count topics with p < .05, and keep the sign.
            significant = values[is_defined & (p < 1 - self.options.confidence / 100)]
            strength = np.abs(significant)
            n = int(is_defined.sum())
            yield SignificantTopics(
                measure=self.measure,
                with_=self.with_,
                coefficient=coefficient,
                largest=float(significant[strength.argmax()]) if len(significant) else None,
                smallest=float(significant[strength.argmin()]) if len(significant) else None,
                significant=len(significant),
                percentage=100 * len(significant) / n if n else None,
                n=n,
                undefined=len(values) - n,
                confidence=self.options.confidence,
                note=self.note,
                reason=f"no topic has a {'significant' if n else 'defined'} correlation",
            )

    def accuracies(self) -> Iterator[Accuracy]:
        """All kinds of pairwise accuracy of the measure; higher must be better on both."""
        x, z = self._scores
        soft = soft_accuracy(x, z, resamples=self.options.permutations, seed=self.seed, progress=self.progress)
        kinds: list[tuple[Level, AccuracyKind, PairwiseAccuracy]] = [
            ("system", "plain", system_accuracy(x, z)),
            ("topic", "ties", topic_accuracy(x, z)),
            ("topic", "tie-calibrated", calibrated_accuracy(x, z)),
            ("system", "soft", soft),
        ]
        for level, kind, accuracy in kinds:
            yield Accuracy(
                measure=self.measure,
                with_=self.with_,
                level=level,
                kind=kind,
                value=defined(accuracy.value),
                n=accuracy.n,
                undefined=accuracy.undefined,
                epsilon=accuracy.epsilon,
                seed=self.seed,
                note=self.note,
                reason="there is no pair to order",
            )


_BASED_ON = {"system": "summarizers with both means", "topic": "topics", "global": "summaries with both scores"}


def _why_undefined(
    result: LevelCorrelation, lower: float, level: Level, coefficient: Coefficient, method: CorrelationInterval
) -> str:
    """Why a correlation, its p or its interval is undefined; empty if nothing is."""
    if np.isnan(result.value):
        if level == "topic":
            return "no topic has two summaries with both scores that vary"
        if result.n < 2:
            return f"fewer than two {_BASED_ON[level]}"
        return "the values of one measure are all equal"
    no_p, no_interval = "", ""
    if np.isnan(result.p):
        no_p = f"no p: too few {_BASED_ON[level]}, or no variation"
        if level == "global" and method != "bootstrap":
            no_p = 'no p: summaries of the same summarizer or topic are not independent; use `interval="bootstrap"`'
    if np.isnan(lower):
        no_interval = f"no interval: {_why_no_interval(result, level, coefficient, method)}"
    return together(no_p, no_interval)


def _why_no_interval(
    result: LevelCorrelation, level: Level, coefficient: Coefficient, method: CorrelationInterval
) -> str:
    """Why a correlation has no interval."""
    if method == "bootstrap":
        return "the correlation was undefined or the same in every sample"
    if method == "studentized" and (level, coefficient) != ("system", "pearson"):
        return 'studentized is for Pearson\'s coefficient at system level; use `interval="bootstrap"`'
    if level != "system":
        return 'Fisher\'s is for system level; use `interval="bootstrap"`'
    if is_perfect(result.value) and result.n > 3:  # fewer are too few for any value
        return f"a correlation of {result.value:.0f} does not show its own error"
    if method == "studentized":
        return f"too few summarizers; studentized needs {FEWEST_STUDENTIZED}"
    return "too few summarizers"
