"""How far an assessor's answers lie from those of others, and whether that changes over time: arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats, Integers, quotients
from pyramidion.statistics.values import t_critical, t_p

Basis = Literal["summaries", "topics", "summarizers", "own"]
"""What an answer is compared with; see `Answers.deviations`."""
BASES: tuple[Basis, ...] = ("summaries", "topics", "summarizers", "own")


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
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
        own = np.unique(np.stack([groups, self.assessors]), axis=1, return_inverse=True)[1].ravel()
        total, count = np.bincount(groups, values)[groups], np.bincount(groups)[groups]
        mine, times = np.bincount(own, values)[own], np.bincount(own)[own]
        others = count - times
        return values - quotients(total - mine, others)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean or a trend with its interval; None where it is undefined."""

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    p: float | None = None
    n: int = 0
    topics: int = 0


def mean_over_topics(values: Floats, topics: Integers, *, confidence: float) -> Estimate:
    """The mean of the values; answers of one topic may depend on each other, so topics are what varies.

    Its variance is G/(G − 1) · Σ_g (Σ_{i in g} (v_i − mean))² / n² over G topics, with G − 1 degrees of freedom; if all
    topics have as many answers, that of the mean over topics.
    """
    there = ~np.isnan(values)
    kept, groups = values[there], np.unique(topics[there], return_inverse=True)[1]
    n, count = len(kept), len(np.unique(groups))
    if not n:
        return Estimate()
    mean = float(kept.mean())
    if count < 2:
        return Estimate(value=mean, n=n, topics=count)
    sums = np.bincount(groups, kept - mean)
    error = float(np.sqrt(count / (count - 1) * (sums**2).sum())) / n
    return _with_interval(mean, error, count - 1, confidence=confidence, n=n, topics=count)


def trend_over_topics(values: Floats, topics: Integers, places: Floats, *, confidence: float) -> Estimate:
    """The slope of the values over their places, by least squares on the means of topics, weighted by their answers.

    With places from 0 to 1 it is the change from the first answer to the last.
    """
    there = ~np.isnan(values) & ~np.isnan(places)
    groups = np.unique(topics[there], return_inverse=True)[1]
    n, weights = int(there.sum()), np.bincount(groups)
    count = len(weights)
    if count < 3:
        return Estimate(n=n, topics=count)
    x, y = (np.bincount(groups, one[there]) / weights for one in (places, values))
    x_spread, y_spread = x - np.average(x, weights=weights), y - np.average(y, weights=weights)
    spread = float((weights * x_spread**2).sum())
    if spread <= 1e-12:
        return Estimate(n=n, topics=count)
    slope = float((weights * x_spread * y_spread).sum()) / spread
    residual = float((weights * (y_spread - slope * x_spread) ** 2).sum()) / (count - 2)
    return _with_interval(slope, (residual / spread) ** 0.5, count - 2, confidence=confidence, n=n, topics=count)


def _with_interval(value: float, error: float, df: int, *, confidence: float, n: int, topics: int) -> Estimate:
    half = float(t_critical(confidence, df)) * error
    p = float(t_p(value / error, df)) if error > 1e-12 else None
    return Estimate(value=value, lower=value - half, upper=value + half, p=p, n=n, topics=topics)
