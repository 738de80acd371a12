"""Which summarizer is better: a leaderboard for each measure, means with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.statistics import bootstrap_intervals, check_resampling, t_intervals

Floats = NDArray[np.float64]
IntervalMethod = Literal["t", "percentile"]


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A summarizer's place on one measure; the limits are None where the data leaves no degree of freedom."""

    measure: str
    summarizer: str
    rank: int
    value: float
    n: int
    missing: int
    lower: float | None
    upper: float | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Leaderboards, one for each measure, best first."""

    standings: tuple[Standing, ...]
    confidence: float
    method: IntervalMethod
    seed: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order of the table."""
        return tuple(dict.fromkeys(standing.measure for standing in self.standings))

    def leaderboard(self, measure: str) -> list[Standing]:
        """The standings on one measure, best first."""
        found = [standing for standing in self.standings if standing.measure == measure]
        if not found:
            hint = did_you_mean(measure, self.measures)
            raise UsageError(
                f"nothing was compared on {measure!r}{hint} it was on: {', '.join(self.measures) or 'nothing'}"
            )
        return found


def compare(
    table: ScoreTable,
    *,
    confidence: float = 95.0,
    method: IntervalMethod = "t",
    resamples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Rank the summarizers on every measure of the table.

    Intervals are t with the two-way residual variance (a percentile bootstrap of a mean covers too little on few
    topics); `method="percentile"` resamples topics.
    """
    check_resampling(confidence=confidence, resamples=resamples)
    standings: list[Standing] = []
    topics = table.topic_total
    for measure in table.measures:
        matrix = table.matrix(measure)
        if method == "t":
            limits = t_intervals(matrix.values, confidence=confidence)
        else:
            limits = bootstrap_intervals(matrix.values, confidence=confidence, resamples=resamples, seed=seed)
        standings += _standings(matrix, limits, topics)
    return Comparison(
        standings=tuple(standings),
        confidence=confidence,
        method=method,
        seed=seed,
        notes=table.notes,
        names=table.names,
    )


def _standings(matrix: ScoreMatrix, limits: tuple[Floats, Floats], topics: int) -> list[Standing]:
    means: Floats = np.nanmean(matrix.values, axis=1)
    goodness = np.round(means if matrix.higher_is_better else -means, 9)
    counts = (~np.isnan(matrix.values)).sum(axis=1)
    standings = [
        Standing(
            measure=matrix.measure,
            summarizer=matrix.summarizers[row],
            rank=int((goodness > goodness[row]).sum()) + 1,
            value=float(means[row]),
            n=int(counts[row]),
            missing=topics - int(counts[row]),
            lower=_defined(limits[0][row]),
            upper=_defined(limits[1][row]),
        )
        for row in range(len(means))
    ]
    return sorted(standings, key=lambda standing: standing.rank)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
