"""A measure correlated with another: coefficients with intervals, topics with a significant one, pairwise accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import Coefficient, CorrelateOptions, CorrelationInterval, Level, Resampled, Sides
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.tables import NotedRow, headed
from pyramidion.show.wording import defined, together, with_interval
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

AccuracyKind = Literal["plain", "ties", "tie-calibrated", "soft"]
FEW_SUMMARIZERS = 10
FEWEST_SUMMARIZERS = 5
"""Correlations over fewer are no findings."""
COUNTED = {"system": "summarizers", "topic": "topics", "global": "summaries"}
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

    @property
    def significant(self) -> bool | None:
        """Whether the interval excludes 0; None if there is none, or if a lower limit says nothing about it."""
        if self.value is None or self.lower is None or self.upper is None or (self.sides == "one" and self.value < 0):
            return None
        return not self.lower <= 0 <= self.upper

    @property
    def p_is_drawn(self) -> bool:
        """Whether p comes from the draws of the bootstrap."""
        return bool(self.resamples) and (self.level, self.resampled) not in _TESTED_BY_FORMULA

    def in_words(self, *, confidence: bool = True) -> str:
        """`0.71 (95 % interval 0.64 to 0.78)`."""
        return with_interval(self.value, self.lower, self.upper, confidence=self.confidence if confidence else None)


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

    @cached_property
    def _scores(self) -> tuple[Floats, Floats]:
        """Of both, without the summarizers and topics on which neither measure has a score."""
        x, z = self.cube[self.measure], self.cube[self.with_]
        neither = np.isnan(x) & np.isnan(z)
        rows, columns = ~neither.all(axis=1), ~neither.all(axis=0)
        return x[rows][:, columns], z[rows][:, columns]

    def correlations(self) -> Iterator[Correlation]:
        """The pair at every level, by every coefficient."""
        options, count = self.options, self.options.bootstrap_samples
        for level in options.level:
            # Fisher's interval is for independent summarizers.
            method: CorrelationInterval = options.interval or ("fisher" if level == "system" else "bootstrap")
            drawn: Resampled = options.resample or ("topics" if level == "topic" else "both")
            samples: dict[Coefficient, Floats] = {}
            if method == "bootstrap":
                samples = bootstrap_correlations(
                    *self._scores,
                    level=level,
                    coefficients=options.coefficient,
                    resampled=drawn,
                    resamples=count,
                    seed=self.seed,
                    progress=self.progress,
                )
            for coefficient in options.coefficient:
                found = correlate_levels(*self._scores, level=level, coefficient=coefficient)
                lower = upper = np.nan
                limits: dict[str, Any] = {"confidence": options.confidence, "sides": options.sides}
                made: dict[str, Any] = {"resampled": "none", "resamples": 0, "undefined_resamples": 0}
                if samples:
                    undefined = int(np.isnan(samples[coefficient]).sum())
                    made = {"resampled": drawn, "resamples": count, "undefined_resamples": undefined}
                if not np.isnan(found.value) and method == "bootstrap":
                    lower, upper = percentile_interval(samples[coefficient], **limits)
                    if (level, drawn) not in _TESTED_BY_FORMULA:
                        found = replace(found, p=bootstrap_p(samples[coefficient]))
                elif method == "studentized":
                    if (level, coefficient) == ("system", "pearson"):
                        lower, upper, left_out = self._studentized(**limits)
                        made = {"resampled": "systems", "resamples": count, "undefined_resamples": left_out}
                elif level == "system":
                    lower, upper = fisher_interval(found.value, found.n, coefficient=coefficient, **limits)
                yield Correlation(
                    measure=self.measure,
                    with_=self.with_,
                    level=level,
                    coefficient=coefficient,
                    value=defined(found.value),
                    p=defined(found.p),
                    lower=defined(lower),
                    upper=defined(upper),
                    method=method,
                    n=found.n,
                    undefined=found.undefined,
                    seed=self.seed,
                    confidence=options.confidence,
                    sides=options.sides,
                    **made,
                    note=self.note,
                    reason=_why_undefined(found, lower, level, coefficient, method),
                )

    def _studentized(self, **limits: Any) -> tuple[float, float, int]:
        """Limits of Pearson's coefficient of the summarizers' means, and how many samples have none."""
        first, second = (system_means(values) for values in self._scores)
        both = ~(np.isnan(first) | np.isnan(second))
        return studentized_interval(
            first[both], second[both], resamples=self.options.bootstrap_samples, seed=self.seed, **limits
        )

    def significant_topics(self) -> Iterator[SignificantTopics]:
        """Topics with two-sided p below 1 − confidence, by every coefficient."""
        for coefficient in self.options.coefficient:
            values, p = topic_correlations(*self._scores, coefficient=coefficient)
            there = ~np.isnan(values)
            significant = values[there & (p < 1 - self.options.confidence / 100)]
            strength = np.abs(significant)
            n = int(there.sum())
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
        for level, kind, found in kinds:
            yield Accuracy(
                measure=self.measure,
                with_=self.with_,
                level=level,
                kind=kind,
                value=defined(found.value),
                n=found.n,
                undefined=found.undefined,
                epsilon=found.epsilon,
                seed=self.seed,
                note=self.note,
                reason="there is no pair to order",
            )


_BASED_ON = {"system": "summarizers with both means", "topic": "topics", "global": "summaries with both scores"}


def _why_undefined(
    found: LevelCorrelation, lower: float, level: Level, coefficient: Coefficient, method: CorrelationInterval
) -> str:
    if np.isnan(found.value):
        if level == "topic":
            return "no topic has two summaries with both scores that vary"
        return f"fewer than two {_BASED_ON[level]}" if found.n < 2 else "the values of one measure are all equal"
    no_p = f"no p: too few {_BASED_ON[level]}, or no variation"
    if level == "global" and method != "bootstrap":
        no_p = 'no p: summaries of the same summarizer or topic are not independent; use `interval="bootstrap"`'
    no_interval = 'no interval: Fisher\'s is for system level; use `interval="bootstrap"`'
    if method == "bootstrap":
        no_interval = "no interval: the correlation was undefined or the same in every sample"
    elif method == "studentized" and (level, coefficient) != ("system", "pearson"):
        no_interval = (
            'no interval: studentized is for Pearson\'s coefficient at system level; use `interval="bootstrap"`'
        )
    elif level == "system" and is_perfect(found.value) and found.n > 3:  # fewer are too few for any value
        no_interval = f"no interval: a correlation of {found.value:.0f} does not show its own error"
    elif level == "system":
        needed = f"; studentized needs {FEWEST_STUDENTIZED}" if method == "studentized" else ""
        no_interval = f"no interval: too few summarizers{needed}"
    return together(no_p if np.isnan(found.p) else "", no_interval if np.isnan(lower) else "")
