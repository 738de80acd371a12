"""`pyramidion score`: every summary gets its numbers; with --by, every summarizer its averages."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note, write_records, writing
from pyramidion.cli.scoring import score_data

if TYPE_CHECKING:
    from pyramidion.scores import ScoreTable
    from pyramidion.studies import Average


class ScoreFormat(StrEnum):
    """How scores are printed: as everywhere, or as ROUGE-1.5.5 prints them."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"
    rouge155 = "rouge155"


class By(StrEnum):
    """What is averaged over topics."""

    summarizer = "summarizer"


class AverageOption(StrEnum):
    """How topics are averaged."""

    macro = "macro"
    micro = "micro"
    counts = "counts"


class BootstrapOption(StrEnum):
    """Which bootstrap over topics."""

    percentile = "percentile"
    rouge155 = "rouge155"


def score(
    data: o.Data,
    measures: o.Measures = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this .parquet, .csv or .jsonl file (averages: .csv or .jsonl)."),
    ] = None,
    format: Annotated[
        ScoreFormat, typer.Option("--format", help="How to print; json is one record per line, rouge155 is as 1.5.5.")
    ] = ScoreFormat.table,
    by: Annotated[By | None, typer.Option("--by", help="Averages over topics instead of single scores.")] = None,
    average: Annotated[
        AverageOption, typer.Option("--average", help="Mean of scores, score of summed counts, or the counts.")
    ] = AverageOption.macro,
    bootstrap: Annotated[
        BootstrapOption | None, typer.Option("--bootstrap", help="Resample topics for an interval, with --by.")
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="With --format rouge155: the items too (-d).")] = False,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    scores: o.Scores = None,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Score summaries: a row for each measure, topic and summarizer.

    Example: pyramidion score demo -m rouge-2.recall --format json

    Averages: pyramidion score demo -m rouge-2 --by summarizer --bootstrap rouge155
    """
    from pyramidion.cli.rouge155 import as_printed
    from pyramidion.measures.registry import DEFAULT_MEASURES, select_all

    as_rouge155 = format is ScoreFormat.rouge155
    o.refuse_overwriting(output, data, scores)
    _check_combination(output, format, by, average, bootstrap, details=details)
    o.check_resampling(confidence, resamples)
    defaults = [name for name in DEFAULT_MEASURES if name.startswith("rouge")] if as_rouge155 else DEFAULT_MEASURES
    selections = select_all(measures or defaults)
    if as_rouge155:
        selections = as_printed(selections)
    table = score_data(
        data,
        selections if measures or as_rouge155 else None,
        where=where,
        peers=peers,
        scores=scores,
        seed=seed,
        strict=strict,
        quiet=quiet,
        keep_counts=average is not AverageOption.macro,
    )
    if as_rouge155:
        from pyramidion.cli.rouge155 import lines
        from pyramidion.studies import average as average_table

        averages = average_table(
            table, method=_method(average), bootstrap="rouge155", confidence=confidence, resamples=resamples
        )
        for line in lines(selections, table, averages, confidence=confidence, details=details):
            print(line)
    elif by is not None:
        records = _average_records(table, average, bootstrap, confidence, resamples, seed)
        if output is None:
            emit(records, o.Format(format.value), title=f"{average.value} averages by {by.value}")
        else:
            write_records(records, output)
            note(f"averages written to {output}", quiet=quiet)
    elif output is not None:
        from pyramidion.scores import write_scores

        with writing(output):
            write_scores(table, output)
        note(f"{len(table)} scores written to {output}", quiet=quiet)
    else:
        below = "" if format in (ScoreFormat.json, ScoreFormat.csv) else _signatures(table)
        emit(score_records(table, with_signatures=not below), o.Format(format.value), below=below)


def _check_combination(
    output: Path | None,
    format: ScoreFormat,
    by: By | None,
    average: AverageOption,
    bootstrap: BootstrapOption | None,
    *,
    details: bool,
) -> None:
    """Refuse options that do not go together, before anything is scored: none is ever ignored."""
    from pyramidion.errors import UsageError

    as_rouge155 = format is ScoreFormat.rouge155
    counts = average is AverageOption.counts
    if details and not as_rouge155:
        raise UsageError("--details: only --format rouge155 prints items below averages; leave --by out to get scores")
    if by is None and not as_rouge155 and (average is not AverageOption.macro or bootstrap):
        raise UsageError("--average, --bootstrap: averages need --by summarizer")
    if counts and bootstrap:
        raise UsageError("--bootstrap: counts are sums, not estimates; choose --average macro or micro")
    if as_rouge155 and counts:
        raise UsageError("--average counts: --format rouge155 prints averages; choose macro (-t 0) or micro (-t 1)")
    if as_rouge155 and bootstrap is BootstrapOption.percentile:
        raise UsageError("--bootstrap percentile: --format rouge155 has the bootstrap of ROUGE-1.5.5; leave it out")
    if output is None:
        return
    if format is not ScoreFormat.table:
        raise UsageError(f"--format {format.value}: -o writes what the ending says; leave --format out, or redirect")
    endings = (".parquet", ".csv", ".jsonl") if by is None else (".csv", ".jsonl")
    if output.suffix not in endings:
        what = "scores" if by is None else "averages"
        raise UsageError(f"{output}: {what} are written as {', '.join(endings)}; choose one of these endings")


def _signatures(table: ScoreTable) -> str:
    """Each distinct signature once, for those who read tables."""
    return "\n  ".join(signature for measure in table.measures for signature in table.signatures(measure))


def score_records(table: ScoreTable, *, with_signatures: bool = True) -> Iterator[dict[str, Any]]:
    """A record for each row of the table."""
    for measure, topic, summarizer, value, signature in table.frame.iter_rows():
        note = {"note": table.notes[measure]} if measure in table.notes else {}
        yield {
            "record": "score",
            "measure": measure,
            "topic": topic,
            "summarizer": summarizer,
            "value": value,
            **({"signature": signature} if with_signatures else {}),
            **note,
        }


def _method(average: AverageOption) -> Literal["macro", "micro"]:
    return "micro" if average is AverageOption.micro else "macro"


def _average_records(
    table: ScoreTable,
    average: AverageOption,
    bootstrap: BootstrapOption | None,
    confidence: float,
    resamples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    from dataclasses import asdict

    from pyramidion.studies import average as average_table
    from pyramidion.studies import summed_counts

    if average is AverageOption.counts:
        for counts in summed_counts(table):
            yield {"record": "counts", **asdict(counts)}
        return
    averages = average_table(
        table,
        method=_method(average),
        bootstrap=bootstrap.value if bootstrap else None,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    for one in averages:
        reason = _why_undefined(one, bootstrap)
        yield {
            "record": "mean",
            "measure": one.measure,
            "summarizer": one.summarizer,
            "value": one.value,
            "n": one.n,
            "missing": one.missing,
            "lower": one.lower,
            "upper": one.upper,
            "bootstrap_mean": one.bootstrap_mean,
            "confidence": confidence if bootstrap else None,
            "method": f"{average.value}, {bootstrap.value} bootstrap" if bootstrap else average.value,
            "seed": seed if bootstrap is BootstrapOption.percentile else None,
            **({"note": table.notes[one.measure]} if one.measure in table.notes else {}),
            **({"reason": reason} if reason else {}),
        }


def _why_undefined(average: Average, bootstrap: BootstrapOption | None) -> str:
    if bootstrap is None:
        return "no interval was asked for (--bootstrap)"
    reasons = ["no interval: too few topics"] if average.lower is None else []
    if bootstrap is BootstrapOption.rouge155:
        reasons.append("no seed: the bootstrap of ROUGE-1.5.5 has its own")
    return "; ".join(reasons)
