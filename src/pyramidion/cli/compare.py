"""`pyramidion compare`: which summarizer is better, and how sure that is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer

from pyramidion.cli import options as o
from pyramidion.cli.compare_records import RECORDS, TABLES, Kind
from pyramidion.cli.output import emit, note, progress, safe, writing
from pyramidion.cli.scoring import score_data
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import Comparison


class Corrections(StrEnum):
    """How p values of many pairs are corrected."""

    holm = "holm"
    bonferroni = "bonferroni"
    benjamini_hochberg = "benjamini-hochberg"
    none = "none"


PairOption = Annotated[
    list[Any] | None,  # of pairs: typer has no lists of tuples, click has
    typer.Option(
        "--pair", click_type=click.Tuple([str, str]), metavar="A B", help="Compare two summarizers; several times."
    ),
]


def compare(
    data: o.Data,
    measures: o.Measures = None,
    pair: PairOption = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="A", help="Compare every other summarizer with this one.")
    ] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare all pairs of summarizers.")] = False,
    correction: Annotated[
        Corrections, typer.Option("--correction", help="Of p over the pairs of a measure.")
    ] = Corrections.holm,
    show: Annotated[
        list[Kind] | None,
        typer.Option("--show", help="Only this; several times. By default means, and pairs if asked for; json: all."),
    ] = None,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    intervals: o.IntervalsOption = o.Intervals.t,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    permutations: Annotated[int, typer.Option("--permutations", help="Sign flips that test a pair.")] = 99_999,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Compare summarizers: means with intervals and letters, analysis of variance, Friedman's test, pairs.

    Example: pyramidion compare demo -m rouge-2.recall --pair 15 16
    """
    from pyramidion.studies import compare as compare_table

    o.check_figure(figure, data, scores)
    asked = bool(pair or against is not None or all_pairs)
    if all_pairs and (pair or against is not None):
        raise UsageError("--all-pairs has every pair: leave out --pair and --against, or leave out --all-pairs")
    kinds = _kinds(show, format, pairs=asked)
    if Kind.pairs in kinds and show and not asked:
        raise UsageError("--show pairs: no pair was asked for; add --pair A B, --against A or --all-pairs")
    table = score_data(data, measures, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    with progress("sign flips", quiet=quiet) as advance:
        comparison = compare_table(
            table,
            confidence=confidence,
            method=intervals.value,
            resamples=resamples,
            seed=seed,
            pairs="all" if all_pairs else [(a, b) for a, b in pair or []],
            against=against,
            correction=correction.value,
            permutations=permutations,
            progress=advance if asked else None,
        )
    print_comparison(comparison, table, format, kinds)
    if figure is not None:
        from pyramidion.reports import draw_leaderboards, write_chart

        with writing(figure):
            write_chart(draw_leaderboards(comparison), figure)
        note(f"figure: {figure}", quiet=quiet)


def _kinds(show: list[Kind] | None, format: o.Format, *, pairs: bool) -> list[Kind]:
    """What to print: CSV is one table, JSON has everything, and people see the leaderboard and what they asked for."""
    if show:
        if format is o.Format.csv and len(set(show)) > 1:
            raise UsageError("CSV is one table: give --show once, or use --format json")
        return [kind for kind in Kind if kind in show]
    if format is o.Format.json:
        return list(Kind)
    if format is o.Format.csv:
        return [Kind.pairs if pairs else Kind.means]
    return [Kind.means, Kind.pairs]


def print_comparison(
    comparison: Comparison,
    table: ScoreTable,
    format: o.Format,
    kinds: list[Kind] | None = None,
) -> None:
    """Tables for people, measure by measure; one stream of records for programs."""
    kinds = [Kind.means, Kind.pairs] if kinds is None else kinds
    if format in (o.Format.json, o.Format.csv):
        emit((record for kind in kinds for record in RECORDS[kind](comparison)), format)
        return
    for measure in comparison.measures:
        for kind in kinds:
            shown = TABLES[kind](comparison, table, measure)
            if not shown.rows:
                continue
            in_caption = format is o.Format.latex  # too short for findings: they stand below as comments
            below = shown.must_be_said if in_caption else [*shown.must_be_said, *shown.findings]
            emit(shown.rows, format, title=shown.title, below="\n  ".join(below))
            if in_caption:
                print("".join(f"% {safe(' '.join(finding.split()))}\n" for finding in shown.findings))
