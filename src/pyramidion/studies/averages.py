"""Averages over topics: macro (mean of scores), micro (scores of summed counts) and the counts themselves.

A bootstrap over topics adds intervals; `rouge155` is the bootstrap of ROUGE-1.5.5, whose mean is what that program
prints as average. To that program a jackknife is a file with an evaluation for each model that is left out, so it draws
from these evaluations, not from topics; so does `rouge155` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from pyramidion.arrays import Bools, Floats
from pyramidion.engines.evidence_store import TopicEvidence
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure
from pyramidion.measures.names import parse
from pyramidion.measures.overlap import OverlapMeasure
from pyramidion.measures.registry import Selection
from pyramidion.options import AverageOptions
from pyramidion.scores import Score, ScoreTable
from pyramidion.scores.overlap import STATISTICS, OverlapRule
from pyramidion.scores.stored import StoredScores
from pyramidion.scores.table import COUNT_COLUMNS
from pyramidion.show.tables import ExplainedRow, Finding, Row, headed
from pyramidion.show.wording import defined
from pyramidion.statistics.intervals import percentile_limits, resampled_sums
from pyramidion.statistics.rouge155 import rouge155_interval, rouge155_sums
from pyramidion.statistics.values import quotients
from pyramidion.studies.judge_offsets import JudgeOffset


class Average(ExplainedRow, record="average"):
    """A summarizer's average on one measure; mean and limits of the bootstrap are None if there was none."""

    measure: str
    summarizer: str
    value: float = headed("average")
    n: int = headed("topics")
    missing: int
    lower: float | None = None
    upper: float | None = None
    bootstrap_mean: float | None = None
    confidence: float | None
    method: str
    seed: int | None


class Counts(Row, record="counts"):
    """What an overlap measure counted for a summarizer over all topics."""

    measure: str
    summarizer: str
    hits: float
    model_count: float
    peer_count: float
    n: int = headed("topics")


class Averages(Finding, eq=True):
    """Averages of every summarizer on every measure, or the counts behind them."""

    options: AverageOptions
    averages: tuple[Average, ...] = ()
    counts: tuple[Counts, ...] = ()
    offsets: tuple[JudgeOffset, ...] = ()
    """How far judges whose means these are lie from people who answered the same question."""

    def __repr__(self) -> str:
        return f"<Averages ({self.options.average}): {len(self.averages) or len(self.counts)} rows>"


def average(
    table: ScoreTable, options: AverageOptions | None = None, *, seed: int = 0, leave_one_out: ScoreTable | None = None
) -> Averages:
    """Average every summarizer on every measure.

    Args:
        table: scores; for micro averages and counts scored with `keep_counts`.
        options: how to average, and which bootstrap over topics.
        seed: of the percentile bootstrap; that of ROUGE-1.5.5 has its own seeds.
        leave_one_out: of jackknifed measures the scores with one model left out (`tabulate_leave_one_out`), from which
            the bootstrap of ROUGE-1.5.5 draws.
    """
    options = options or AverageOptions()
    if options.average == "counts":
        return Averages(options=options, counts=tuple(_summed_counts(table)))
    list_series = _macro_series if options.average == "macro" else _micro_series
    drawn_series = {}
    if leave_one_out is not None and options.bootstrap == "rouge155":
        # By summarizer, because a human has one evaluation a topic where a system has as many as there are models.
        drawn_series = {(series.measures, series.summarizer): series for series in list_series(leave_one_out)}
    averages: list[Average] = []
    for series in list_series(table):
        drawn = drawn_series.get((series.measures, series.summarizer))
        bounds = _bounds(drawn or series, options, seed)
        bootstrap_fields = _bootstrap_fields(options, seed, leaves_one_out=drawn is not None)
        values = series.combine(series.items[series.present].sum(axis=0)[None])[0]
        n = int(series.present.sum())
        for column, measure in enumerate(series.measures):
            limits = {name: defined(bound[column]) for name, bound in bounds.items()}
            average = Average(
                measure=measure,
                summarizer=series.summarizer,
                value=float(values[column]),
                n=n,
                missing=table.topic_total - n,
                note=table.notes.get(measure, ""),
                lower=limits.get("lower"),
                upper=limits.get("upper"),
                bootstrap_mean=limits.get("bootstrap_mean"),
                **bootstrap_fields,
            )
            averages.append(average)
    measures = {measure: position for position, measure in enumerate(table.measures)}
    summarizers = {summarizer: position for position, summarizer in enumerate(table.summarizers)}
    averages.sort(key=lambda average: (measures[average.measure], summarizers[average.summarizer]))
    return Averages(options=options, averages=tuple(averages))


def average_stored(stored: StoredScores, measures: Sequence[str], options: AverageOptions) -> Averages:
    """Average every summarizer on every measure of a table that may be larger than memory: the mean of the scores."""
    averages = [
        Average(
            measure=measure,
            summarizer=summarizer,
            value=value,
            n=n,
            missing=max(stored.facts.topic_count, n) - n,
            note=stored.facts.notes.get(measure, ""),
            **_bootstrap_fields(options),
        )
        for measure in measures
        for summarizer, value, n in stored.means_of(measure).select("summarizer", "value", "n").iter_rows()
    ]
    return Averages(options=options, averages=tuple(averages))


def tabulate_leave_one_out(
    evidence: Iterable[TopicEvidence], selections: Iterable[Selection], *, seed: int = 0
) -> ScoreTable:
    """The scores, and their counts, that jackknifed measures average; in place of a topic the evaluation, TOPIC-MODEL.

    Args:
        evidence: of the jackknifed measures, topic by topic.
        selections: measures; those without a jackknife are left out.
        seed: by which models are drawn (`use=`).
    """
    measures = {selection.measure for selection in selections if is_jackknifed(selection.measure)}
    scores: list[Score] = []
    counts: list[tuple[Any, ...]] = []
    rules: dict[str, OverlapRule] = {}
    for topic in evidence:
        for measure, measure_evidence in topic.evidence.items():
            if measure not in measures or not isinstance(measure, OverlapMeasure):
                continue
            rules[measure.name()] = measure.micro_rule
            items = measure.leave_one_out(measure_evidence, topic=topic.topic, seed=seed)
            names = [measure.name(statistic) for statistic in measure_evidence.statistics]
            for subset, model in enumerate(items.left_out):
                evaluation = f"{topic.topic}-{model}"
                for place, peer in enumerate(measure_evidence.peers):
                    values = items.values[subset, place]
                    # A human meets only the evaluation that leaves its own model out.
                    if np.isnan(values).any():
                        continue
                    for name, value in zip(names, values, strict=True):
                        scores.append(Score(name, evaluation, peer, float(value)))
                    if items.counts is not None:
                        counts.append((measure.name(), evaluation, peer, *items.counts[subset, place].tolist()))
    counts_frame = pl.DataFrame(counts, schema=dict(COUNT_COLUMNS), orient="row")
    return replace(ScoreTable.of(scores), counts=counts_frame, rules=rules)


def is_jackknifed(measure: Measure) -> bool:
    """Whether it is ROUGE or Basic Elements with jackknife=yes."""
    return isinstance(measure, OverlapMeasure) and measure.jackknife


def _bootstrap_fields(options: AverageOptions, seed: int = 0, *, leaves_one_out: bool = False) -> dict[str, Any]:
    """What a row says about its bootstrap, if there was one."""
    bootstrap = options.bootstrap
    method = f"{options.average}, {bootstrap} bootstrap"
    if leaves_one_out:
        method += " of leave-one-out scores"
    return {
        "confidence": options.confidence if bootstrap else None,
        "method": method if bootstrap else options.average,
        "seed": seed if bootstrap == "percentile" else None,
    }


def _summed_counts(table: ScoreTable) -> Iterator[Counts]:
    """Hits, model counts and peer counts of every summarizer, summed over topics."""
    grouped = _kept_counts(table).group_by("measure", "summarizer", maintain_order=True)
    summed = grouped.agg(pl.col("hits", "model_count", "peer_count").sum(), pl.len())
    for measure, summarizer, hits, model, peer, n in summed.iter_rows():
        yield Counts(measure=measure, summarizer=summarizer, hits=hits, model_count=model, peer_count=peer, n=n)


@dataclass(frozen=True, eq=False)
class _Series:
    """What one summarizer has on one measure, topic by topic, and how sums of it give averages."""

    measures: tuple[str, ...]
    summarizer: str
    topics: tuple[str, ...]
    items: Floats
    """Topics × columns; zeros where there is nothing."""
    present: Bools
    combine: Callable[[Floats], Floats]
    """Sums over topics (resamples × columns) → averages (resamples × measures)."""


def _bounds(series: _Series, options: AverageOptions, seed: int) -> dict[str, Floats]:
    """Mean and limits of the bootstrap, if one was asked for."""
    confidence, resamples = options.confidence, options.resamples
    if options.bootstrap is None:
        return {}
    if options.bootstrap == "rouge155":
        # ROUGE-1.5.5 draws from items in this order, so its seeds only give its numbers with the same order
        scored = np.nonzero(series.present)[0]
        # As strings, "evalID.peerID", as the Perl sorts the keys of its hash: 10 comes before 2.
        order = sorted(scored, key=lambda topic: f"{series.topics[topic]}.{series.summarizer}")
        means = series.combine(rouge155_sums(series.items[order], resamples=resamples))
        mean, lower, upper = rouge155_interval(means, confidence=confidence)
    else:
        means = series.combine(resampled_sums(series.items, resamples=resamples, seed=seed))
        lower, upper = percentile_limits(means, confidence=confidence)
        mean = np.nanmean(means, axis=0)
    return {"bootstrap_mean": mean, "lower": lower, "upper": upper}


def _macro_series(table: ScoreTable) -> Iterator[_Series]:
    for measure in table.measures:
        matrix = table.matrix(measure)
        for summarizer, values in zip(matrix.summarizers, matrix.values, strict=True):
            present = ~np.isnan(values)
            # The number of topics is resampled with their sum: a resample may draw fewer that have a score.
            items = np.stack([np.where(present, values, 0.0), present.astype(np.float64)], axis=1)
            yield _Series((measure,), summarizer, matrix.topics, items, present, _mean)


def _mean(sums: Floats) -> Floats:
    """The first column over the second, which counts the topics."""
    return quotients(sums[:, :1], sums[:, 1:])


def _micro_series(table: ScoreTable) -> Iterator[_Series]:
    measures_to_average = set(table.measures)
    for (name,), rows in _kept_counts(table).group_by("measure", maintain_order=True):
        parsed, rule = parse(str(name)), table.rules[str(name)]
        # Counts are kept once for recall, precision and F, which are three measures of the table.
        names = [str(replace(parsed, statistic=statistic)) for statistic in STATISTICS]
        columns = [column for column, measure in enumerate(names) if measure in measures_to_average]
        topics = tuple(rows["topic"].unique(maintain_order=True).cast(pl.String))
        position = {topic: number for number, topic in enumerate(topics)}
        for (summarizer,), counts in rows.group_by("summarizer", maintain_order=True):
            places = [position[topic] for topic in counts["topic"].cast(pl.String)]
            items, present = np.zeros((len(topics), 3)), np.zeros(len(topics), dtype=np.bool_)
            items[places] = counts.select("hits", "model_count", "peer_count").to_numpy()
            present[places] = True
            measures = tuple(names[column] for column in columns)
            yield _Series(measures, str(summarizer), topics, items, present, _score_of(rule, columns))


def _score_of(rule: OverlapRule, columns: list[int]) -> Callable[[Floats], Floats]:
    return lambda sums: rule.scores(sums)[:, columns]


def _kept_counts(table: ScoreTable) -> pl.DataFrame:
    if table.counts is None or table.counts.is_empty():
        raise UsageError(
            "there are no counts to sum: only overlap measures (ROUGE) can be micro-averaged, and only if they were "
            "scored with keep_counts=True"
        )
    return table.counts
