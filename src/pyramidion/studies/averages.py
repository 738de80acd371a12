"""Averages over topics: macro (mean of scores), micro (scores of summed counts) and the counts themselves.

Beside the plain average stands, if asked for, what a bootstrap over topics says; `rouge155` is the bootstrap of
ROUGE-1.5.5, whose mean is what that program prints as average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pyramidion.errors import UsageError
from pyramidion.measures import OverlapMeasure, select
from pyramidion.scores import ScoreTable
from pyramidion.statistics import resampled_topics, rouge155_interval, rouge155_sums

Floats = NDArray[np.float64]
AverageMethod = Literal["macro", "micro"]
Bootstrap = Literal["percentile", "rouge155"]


@dataclass(frozen=True, kw_only=True)
class Average:
    """A summarizer's average on one measure; mean and limits of the bootstrap are None if there was none."""

    measure: str
    summarizer: str
    value: float
    n: int
    missing: int
    lower: float | None = None
    upper: float | None = None
    bootstrap_mean: float | None = None


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What an overlap measure counted for a summarizer over all topics."""

    measure: str
    summarizer: str
    hits: float
    model_count: float
    peer_count: float
    n: int


def average(
    table: ScoreTable,
    *,
    method: AverageMethod = "macro",
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    resamples: int = 1000,
    seed: int = 0,
) -> list[Average]:
    """Average every summarizer on every measure.

    Args:
        table: scores; for micro averages scored with `keep_counts`.
        method: "macro", the mean over topics, or "micro", the score of the counts summed over topics.
        bootstrap: over topics: "percentile", or "rouge155" with that program's generator and interval.
        confidence: in per cent.
        resamples: of the bootstrap.
        seed: of the percentile bootstrap; that of ROUGE-1.5.5 has its own seeds.
    """
    topics = table.frame["topic"].n_unique()
    averages: list[Average] = []
    for series in _macro(table) if method == "macro" else _micro(table):
        items = len(series.items)
        bounds = _Bounds(bootstrap, confidence, resamples, seed).of(series)
        values = series.combine(series.items.sum(axis=0)[None])[0]
        for column, measure in enumerate(series.measures):
            averages.append(
                Average(
                    measure=measure,
                    summarizer=series.summarizer,
                    value=float(values[column]),
                    n=items,
                    missing=topics - items,
                    **({name: float(found[column]) for name, found in bounds.items()}),
                )
            )
    measures = {measure: position for position, measure in enumerate(table.measures)}
    summarizers = {summarizer: position for position, summarizer in enumerate(table.summarizers)}
    return sorted(averages, key=lambda one: (measures[one.measure], summarizers[one.summarizer]))


def summed_counts(table: ScoreTable) -> list[Counts]:
    """Hits, model counts and peer counts of every summarizer, summed over topics."""
    grouped = _kept_counts(table).group_by("measure", "summarizer", maintain_order=True)
    summed = grouped.agg(pl.col("hits", "model_count", "peer_count").sum(), pl.len())
    return [
        Counts(measure=measure, summarizer=who, hits=hits, model_count=model, peer_count=peer, n=n)
        for measure, who, hits, model, peer, n in summed.iter_rows()
    ]


@dataclass(frozen=True)
class _Series:
    """The items of one summarizer in the order of ROUGE-1.5.5, and how sums of them give averages."""

    measures: tuple[str, ...]
    summarizer: str
    items: Floats
    combine: Callable[[Floats], Floats]
    """Sums over items (resamples × columns) → averages (resamples × measures)."""


@dataclass(frozen=True)
class _Bounds:
    bootstrap: Bootstrap | None
    confidence: float
    resamples: int
    seed: int

    def of(self, series: _Series) -> dict[str, Floats]:
        if self.bootstrap is None:
            return {}
        if self.bootstrap == "rouge155":
            means = series.combine(rouge155_sums(series.items, resamples=self.resamples))
            interval = rouge155_interval(means, confidence=self.confidence)
            return {"bootstrap_mean": interval.mean, "lower": interval.lower, "upper": interval.upper}
        weights = resampled_topics(len(series.items), resamples=self.resamples, seed=self.seed)
        means = series.combine(weights @ series.items)
        tail = (100 - self.confidence) / 2
        lower, upper = np.percentile(means, [tail, 100 - tail], axis=0)
        return {"bootstrap_mean": means.mean(axis=0), "lower": lower, "upper": upper}


def _macro(table: ScoreTable) -> Iterator[_Series]:
    for (measure, summarizer), rows in _ordered(table.frame).group_by("measure", "summarizer", maintain_order=True):
        values = rows["value"].to_numpy()[:, None]
        yield _Series((str(measure),), str(summarizer), values, _divided_by(len(values)))


def _divided_by(items: int) -> Callable[[Floats], Floats]:
    return lambda sums: sums / items


def _micro(table: ScoreTable) -> Iterator[_Series]:
    wanted = set(table.measures)
    grouped = _ordered(_kept_counts(table)).group_by("measure", "summarizer", maintain_order=True)
    for (name, summarizer), rows in grouped:
        measure = select(str(name)).measure
        if not isinstance(measure, OverlapMeasure) or measure.statistics is None:
            continue
        counts = rows.select("hits", "model_count", "peer_count").to_numpy()
        names = [measure.name(statistic) for statistic in measure.statistics]
        columns = [position for position, one in enumerate(names) if one in wanted]
        yield _Series(tuple(names[column] for column in columns), str(summarizer), counts, _score_of(measure, columns))


def _score_of(measure: OverlapMeasure, columns: list[int]) -> Callable[[Floats], Floats]:
    return lambda sums: measure.micro_rule.scores(sums)[:, columns]


def _kept_counts(table: ScoreTable) -> pl.DataFrame:
    if table.counts is None or table.counts.is_empty():
        raise UsageError(
            "there are no counts to add up: only overlap measures (ROUGE) can be micro-averaged, and only when they "
            "were scored with keep_counts=True"
        )
    return table.counts


def _ordered(frame: pl.DataFrame) -> pl.DataFrame:
    """Items as ROUGE-1.5.5 sorts them: as strings "topic.summarizer"."""
    key = pl.concat_str(pl.col("topic").cast(pl.String), pl.lit("."), pl.col("summarizer").cast(pl.String))
    return frame.with_columns(key.alias("item")).sort("item", maintain_order=True).drop("item")
