"""How far an assessor's answers lie from those of others, and whether that changes over time: arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.values import quotients, t_critical, t_p

Basis = Literal["summaries", "topics", "summarizers", "own"]
"""What an answer is compared with; see `NumberedAnswers.deviations`."""
BASES: tuple[Basis, ...] = ("summaries", "topics", "summarizers", "own")


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberedAnswers:
    """The answers to one question: whose, about which summary, of which topic, by which summarizer; all are numbers."""

    assessors: Integers
    summaries: Integers
    topics: Integers
    summarizers: Integers
    values: Floats

    def deviations(self, basis: Basis) -> Floats:
        """Each answer minus what it is compared with; NaN where there is nothing.

        summaries: the mean answer of the other assessors about the same summary.
        topics: the mean of their answers about the same topic, all minus the mean of their summarizer.
        summarizers: the mean of their answers about the same summarizer, on any topic.
        own: the mean of all answers about the same summarizer; says nothing about an assessor's level, only about its
        change.
        """
        if basis == "own":
            return self._centred()
        if basis == "topics":
            return self._minus_others(self._centred(), self.topics)
        return self._minus_others(self.values, self.summaries if basis == "summaries" else self.summarizers)

    def _centred(self) -> Floats:
        counts = np.bincount(self.summarizers)
        means = np.bincount(self.summarizers, self.values) / np.maximum(counts, 1)
        centred: Floats = self.values - means[self.summarizers]
        return centred

    def _minus_others(self, values: Floats, groups: Integers) -> Floats:
        """Minus the mean of the other assessors' values in the same group."""
        cells = np.unique(np.stack([groups, self.assessors]), axis=1, return_inverse=True)[1].ravel()
        group_sum, group_count = np.bincount(groups, values)[groups], np.bincount(groups)[groups]
        own_sum, own_count = np.bincount(cells, values)[cells], np.bincount(cells)[cells]
        return values - quotients(group_sum - own_sum, group_count - own_count)


@dataclass(frozen=True, kw_only=True)
class IntervalEstimate:
    """A mean or a trend with its interval; None where it is undefined."""

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    p: float | None = None
    n: int = 0
    topics: int = 0


def mean_over_topics(values: Floats, topics: Integers, *, confidence: float) -> IntervalEstimate:
    """The mean of the values; answers of one topic may depend on each other, so topics are what varies.

    Its variance is G/(G − 1) · Σ_g (Σ_{i in g} (v_i − mean))² / n² over G topics, with G − 1 degrees of freedom; if all
    topics have as many answers, that of the mean over topics.
    """
    is_defined = ~np.isnan(values)
    defined_values = values[is_defined]
    groups = np.unique(topics[is_defined], return_inverse=True)[1]
    n, topic_count = len(defined_values), len(np.unique(groups))
    if not n:
        return IntervalEstimate()
    mean = float(defined_values.mean())
    if topic_count < 2:
        return IntervalEstimate(value=mean, n=n, topics=topic_count)
    sums = np.bincount(groups, defined_values - mean)
    error = float(np.sqrt(topic_count / (topic_count - 1) * (sums**2).sum())) / n
    return _with_interval(mean, error, topic_count - 1, confidence=confidence, n=n, topics=topic_count)


def trend_over_topics(values: Floats, topics: Integers, positions: Floats, *, confidence: float) -> IntervalEstimate:
    """The slope of the values over time, by least squares on the means of topics, weighted by their answers.

    Positions from 0 to 1 make it the change from the first answer to the last.
    """
    is_defined = ~np.isnan(values) & ~np.isnan(positions)
    groups = np.unique(topics[is_defined], return_inverse=True)[1]
    n, weights = int(is_defined.sum()), np.bincount(groups)
    topic_count = len(weights)
    if topic_count < 3:
        return IntervalEstimate(n=n, topics=topic_count)
    x = np.bincount(groups, positions[is_defined]) / weights
    y = np.bincount(groups, values[is_defined]) / weights
    x_centred = x - np.average(x, weights=weights)
    y_centred = y - np.average(y, weights=weights)
    spread = float((weights * x_centred**2).sum())
    if spread <= 1e-12:
        return IntervalEstimate(n=n, topics=topic_count)
    slope = float((weights * x_centred * y_centred).sum()) / spread
    residual = float((weights * (y_centred - slope * x_centred) ** 2).sum()) / (topic_count - 2)
    error = (residual / spread) ** 0.5
    return _with_interval(slope, error, topic_count - 2, confidence=confidence, n=n, topics=topic_count)


def _with_interval(value: float, error: float, df: int, *, confidence: float, n: int, topics: int) -> IntervalEstimate:
    half = float(t_critical(confidence, df)) * error
    p = float(t_p(value / error, df)) if error > 1e-12 else None
    return IntervalEstimate(value=value, lower=value - half, upper=value + half, p=p, n=n, topics=topics)
