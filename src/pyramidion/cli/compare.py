"""`pyramidion compare`: which summarizer is better, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, writing
from pyramidion.cli.scoring import score_data

if TYPE_CHECKING:
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import Comparison, Standing


def compare(
    data: o.Data,
    measures: o.Measures = None,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    intervals: o.IntervalsOption = o.Intervals.t,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Compare summarizers: a leaderboard for each measure, means with intervals.

    Example: pyramidion compare demo -m rouge-2.recall
    """
    from pyramidion.studies import compare as compare_table

    o.refuse_overwriting(figure, data, scores)
    table = score_data(data, measures, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    comparison = compare_table(table, confidence=confidence, method=intervals.value, resamples=resamples, seed=seed)
    print_comparison(comparison, table, format)
    if figure is not None:
        from pyramidion.reports import write_leaderboards

        with writing(figure):
            write_leaderboards(comparison, figure)
        note(f"figure: {figure}", quiet=quiet)


def print_comparison(comparison: Comparison, table: ScoreTable, format: o.Format) -> None:
    """All leaderboards: one table each for people, one stream of records for programs."""
    if format in (o.Format.table, o.Format.markdown, o.Format.latex):
        from pyramidion.reports import remarks_on

        for measure in comparison.measures:
            noted = f", {comparison.notes[measure]}" if measure in comparison.notes else ""
            title = f"{measure} ({comparison.confidence:g} % intervals{noted})"
            rows = [_row(standing, comparison) for standing in comparison.leaderboard(measure)]
            emit(rows, format, title=title, below=remarks_on(table, measure))
    else:
        emit([_record(standing, comparison) for standing in comparison.standings], format)


def _row(standing: Standing, comparison: Comparison) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "summarizer": standing.summarizer,
        "name": comparison.names.get(standing.summarizer),
        "mean": standing.value,
        "lower": standing.lower,
        "upper": standing.upper,
        "n": standing.n,
        "missing": standing.missing,
    }


def _record(standing: Standing, comparison: Comparison) -> dict[str, Any]:
    record: dict[str, Any] = {
        "record": "mean",
        "measure": standing.measure,
        "summarizer": standing.summarizer,
        "value": standing.value,
        "n": standing.n,
        "missing": standing.missing,
        "lower": standing.lower,
        "upper": standing.upper,
        "confidence": comparison.confidence,
        "method": comparison.method,
        "seed": comparison.seed,
        "rank": standing.rank,
    }
    if standing.measure in comparison.notes:
        record["note"] = comparison.notes[standing.measure]
    if standing.lower is None:
        record["reason"] = "no degree of freedom is left for an interval"
    return record
