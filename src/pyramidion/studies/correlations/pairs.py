"""A measure correlated with another: coefficients with intervals, topics with a significant one, pairwise accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import (
    AccuracyTies,
    Coefficient,
    CorrelateOptions,
    CorrelationInterval,
    Level,
    Resampled,
    Sides,
)
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.tables import ExplainedRow, headed, hidden, optional
from pyramidion.show.wording import defined
from pyramidion.statistics.correlation.accuracy import (
    PairwiseAccuracy,
    calibrated_accuracy,
    cross_calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations,
    bootstrap_p,
    far_out,
    fisher_interval,
    fisher_p,
    inverted_test_interval,
    percentile_interval,
    studentized_interval,
)
from pyramidion.statistics.correlation.levels import LevelCorrelation, correlate_levels, topic_correlations
from pyramidion.statistics.intervals import FEWEST_STUDENTIZED
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.values import system_means
from pyramidion.studies.clusters import TopicClusters

AccuracyKind = Literal["plain", "ties", "tie-calibrated", "cross-calibrated", "soft"]
FEWEST_SUMMARIZERS = 5
"""Correlations over fewer are no findings."""


class AtLevel(ExplainedRow):
    """What a row is about: a measure and what it is compared with, at a level."""

    measure: str
    with_: str
    level: Level


class Correlation(AtLevel, record="correlation"):
    """A correlation of two measures; None where something is undefined, with the reason."""

    coefficient: Coefficient
    value: float | None
    p: float | None
    """Two-sided, against no correlation, by the same distribution as the interval."""
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
    population: Resampled | Literal[""]
    """What p and the interval generalize to: other systems, other topics, or both; empty where there is neither."""
    far_out: str = ""
    """Pearson at system level: systems whose mean lies far from those of the others."""
    value_without: float | None = optional()
    """The correlation without these."""
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
        return bool(self.resamples)


class SignificantTopics(ExplainedRow, record="micro"):
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
    """Differences of the measure up to this count as ties; cross-calibrated: the median over topics."""
    lower: float | None
    upper: float | None
    """Limits by the jackknife, Student's t on log odds."""
    confidence: float
    sides: Sides
    population: Resampled | Literal[""]
    """What the interval generalizes to: other systems (system level), or other systems and topics (topic level)."""
    error: float | None = hidden(default=None)
    """Standard error by the jackknife."""
    ties: AccuracyTies
    """How ties count at system level."""
    seed: int
    part: str = ""


@dataclass(frozen=True)
class _Interval:
    """Limits of a correlation and its p (NaN: none), what they generalize to, and what was drawn for them."""

    method: CorrelationInterval
    lower: float = np.nan
    upper: float = np.nan
    p: float = np.nan
    population: Resampled | Literal[""] = ""
    resampled: Resampled | Literal["none"] = "none"
    resamples: int = 0
    undefined_resamples: int = 0


def _wider(tested: _Interval, studentized: _Interval) -> _Interval:
    """The outer limits of both, and the larger p: 0 is outside if it is outside of both."""
    return replace(
        studentized,
        method="robust",
        lower=float(np.minimum(tested.lower, studentized.lower)),
        upper=float(np.maximum(tested.upper, studentized.upper)),
        p=float(np.fmax(tested.p, studentized.p)),
    )


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
            # A measure is wanted for other systems and other topics than these.
            resampled: Resampled = options.resample or "both"
            samples: dict[Coefficient, Floats] = {}
            if options.interval == "bootstrap" or (options.interval is None and level != "system"):
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
                if level == "system" and result.n == 2:
                    # Two points always lie on a line: 1 or -1 says nothing.
                    result = replace(result, value=np.nan, p=np.nan)
                if samples:
                    interval = self._bootstrapped(result, samples[coefficient], resampled)
                else:
                    interval = self._computed_interval(result, level, coefficient)
                outliers = ""
                value_without = np.nan
                if (level, coefficient) == ("system", "pearson"):
                    outliers = ", ".join(self._far_out)
                    value_without = self._value_without_far_out()
                yield Correlation(
                    measure=self.measure,
                    with_=self.with_,
                    level=level,
                    coefficient=coefficient,
                    value=defined(result.value),
                    p=defined(interval.p),
                    lower=defined(interval.lower),
                    upper=defined(interval.upper),
                    method=interval.method,
                    n=result.n,
                    undefined=result.undefined,
                    seed=self.seed,
                    confidence=options.confidence,
                    sides=options.sides,
                    resampled=interval.resampled,
                    resamples=interval.resamples,
                    undefined_resamples=interval.undefined_resamples,
                    population=interval.population,
                    far_out=outliers,
                    value_without=defined(value_without),
                    cluster="" if self.clusters is None else self.clusters.field,
                    topic_clusters=None if self._codes is None else len(np.unique(self._codes)),
                    note=self.note,
                )

    @property
    def _limit_options(self) -> dict[str, Any]:
        return {"confidence": self.options.confidence, "sides": self.options.sides}

    def _bootstrapped(self, result: LevelCorrelation, sample: Floats, resampled: Resampled) -> _Interval:
        """The interval and the p of the draws."""
        lower = upper = p = np.nan
        if not np.isnan(result.value):
            lower, upper = percentile_interval(sample, **self._limit_options)
            p = bootstrap_p(sample)
        undefined = int(np.isnan(sample).sum())
        population: Resampled = resampled
        x, z = self._scores
        if resampled == "both" and (~np.isnan(x) & ~np.isnan(z)).any(axis=0).sum() < 2:
            population = "systems"  # drawn again and again, a single topic says nothing about others
        return _Interval("bootstrap", lower, upper, p, population, resampled, self.options.bootstrap_samples, undefined)

    def _computed_interval(self, result: LevelCorrelation, level: Level, coefficient: Coefficient) -> _Interval:
        """The interval by a formula, or the studentized one, with its p; without limits where there is none."""
        chosen = self.options.interval
        if level != "system":
            p = result.p if level == "topic" else np.nan
            return _Interval(chosen or "bootstrap", p=p, population="topics" if level == "topic" else "")
        if chosen == "fisher":
            limits = fisher_interval(result.value, result.n, coefficient=coefficient, **self._limit_options)
            p = fisher_p(result.value, result.n, coefficient=coefficient)
            # Where there are no limits, as at ±1, there is no p by their distribution, either: that of the test stays.
            return _Interval("fisher", *limits, p=result.p if np.isnan(p) else p, population="systems")
        if chosen == "studentized" and coefficient != "pearson":
            return _Interval("studentized", p=result.p, population="systems")
        if chosen == "studentized":
            return self._studentized()
        limits = inverted_test_interval(*self._means, result.value, coefficient=coefficient, **self._limit_options)
        tested = _Interval("test", *limits, p=result.p, population="systems")
        is_robust = chosen == "robust" or (chosen is None and bool(self._far_out))
        if coefficient == "pearson" and is_robust and result.n >= FEWEST_STUDENTIZED:
            return _wider(tested, self._studentized())
        return tested

    def _studentized(self) -> _Interval:
        """The studentized interval of Pearson's coefficient of the summarizers' means."""
        resamples = self.options.bootstrap_samples
        lower, upper, p, undefined = studentized_interval(
            *self._means, resamples=resamples, seed=self.seed, **self._limit_options
        )
        return _Interval("studentized", lower, upper, p, "systems", "systems", resamples, undefined)

    @cached_property
    def _has_both(self) -> Bools:
        """Which summarizers of the cube have a score by both measures."""
        first, second = self.cube[self.measure], self.cube[self.with_]
        return np.asarray(~(np.isnan(first).all(axis=1) | np.isnan(second).all(axis=1)))

    @cached_property
    def _means(self) -> tuple[Floats, Floats]:
        """Of both measures, of the summarizers that have both."""
        first, second = (system_means(self.cube[name]) for name in (self.measure, self.with_))
        return first[self._has_both], second[self._has_both]

    @cached_property
    def _far_out(self) -> tuple[str, ...]:
        """Summarizers whose mean by one of the two lies far from those of the others; none among too few."""
        first, second = self._means
        if len(first) < FEWEST_SUMMARIZERS:
            return ()
        names = [name for name, has in zip(self.cube.summarizers, self._has_both, strict=True) if has]
        is_far = far_out(first) | far_out(second)
        return tuple(name for name, far in zip(names, is_far, strict=True) if far)

    def _value_without_far_out(self) -> float:
        """Pearson's coefficient of the means without the summarizers that lie far out; NaN if none does."""
        if not self._far_out:
            return np.nan
        names = [name for name, has in zip(self.cube.summarizers, self._has_both, strict=True) if has]
        is_kept = np.array([name not in self._far_out for name in names])
        first, second = self._means
        return float(row_correlations(first[None, is_kept], second[None, is_kept], coefficient="pearson")[0])

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
            )

    def accuracies(self) -> Iterator[Accuracy]:
        """All kinds of pairwise accuracy of the measure; higher must be better on both."""
        x, z = self._scores
        ties = self.options.ties
        soft = soft_accuracy(
            x, z, ties=ties, resamples=self.options.permutations, seed=self.seed, progress=self.progress
        )
        kinds: list[tuple[Level, AccuracyKind, PairwiseAccuracy]] = [
            ("system", "plain", system_accuracy(x, z, ties=ties)),
            ("topic", "ties", topic_accuracy(x, z)),
            ("topic", "tie-calibrated", calibrated_accuracy(x, z)),
            ("topic", "cross-calibrated", cross_calibrated_accuracy(x, z, seed=self.seed)),
            ("system", "soft", soft),
        ]
        for level, kind, accuracy in kinds:
            lower, upper = accuracy.limits(confidence=self.options.confidence, sides=self.options.sides)
            population: Resampled = "systems" if level == "system" else "both"
            yield Accuracy(
                measure=self.measure,
                with_=self.with_,
                level=level,
                kind=kind,
                value=defined(accuracy.value),
                n=accuracy.n,
                undefined=accuracy.undefined,
                epsilon=accuracy.epsilon,
                error=defined(accuracy.error),
                lower=defined(lower),
                upper=defined(upper),
                confidence=self.options.confidence,
                sides=self.options.sides,
                population="" if np.isnan(lower) else population,
                ties=ties,
                seed=self.seed,
                note=self.note,
            )
