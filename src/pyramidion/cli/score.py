"""`pyramidion score`: the scores of every summary; with --by, the averages of every summarizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import no_values, note, note_unscored, print_finding, print_table, write_records, writing
from pyramidion.cli.run import check_written, running, take_options
from pyramidion.errors import InputError, UsageError
from pyramidion.options import AverageOptions, Choice, ShardOptions
from pyramidion.show.wording import printable


@o.command()
@o.data
@o.measures
@click.option(
    "--output",
    "-o",
    type=o.Target(),
    help="Write to this .parquet, .csv or .jsonl file (averages: .csv or .jsonl). With a folder or s3:// address, flat "
    "files of any size are scored in shards; run the same command again to resume a run that was stopped.",
)
@click.option(
    "--format",
    type=o.OneOf([*o.FORMATS, "rouge155"]),
    default="table",
    help="Output format; json prints one record per line, rouge155 what ROUGE-1.5.5 prints.",
)
@click.option("--by", type=o.OneOf(["summarizer"]), help="Print averages over topics instead of single scores.")
@o.options_of(AverageOptions)
@o.options_of(ShardOptions)
@click.option("--details", is_flag=True, help="With --format rouge155: also print the scores of each topic (-d).")
@o.options_of(Choice)
@o.replace
@o.quiet
def score(
    data: Any,
    measures: list[str] | None,
    output: Path | str | None,
    format: str,
    by: str | None,
    details: bool,
    replace: bool,
    quiet: bool,
    **flags: object,
) -> None:
    """Score summaries: one row for each measure, topic and summarizer, or averages over topics.

    Examples:
      pyramidion score demo -m rouge-2.recall --format json
      pyramidion score demo -m rouge-2 --by summarizer --bootstrap rouge155
      pyramidion score flat.parquet -m rouge-2 -o run --partition 100000
    """
    choice = take_options(Choice, flags)
    shard_options = take_options(ShardOptions, flags)
    # An address in an object store is a string, and a folder is a path without an ending.
    if isinstance(output, str) or (output is not None and not output.suffix):
        _score_in_shards(data, measures, output, format, by, choice=choice, quiet=quiet, options=shard_options)
        return
    if changed := shard_options.arguments():
        raise UsageError(f"{changed[0]} is for runs in shards: add -o FOLDER (without an ending) or -o s3://…")
    options = take_options(AverageOptions, flags)
    files = check_written(output, data, choice, measures, replace=replace)
    _check_combination(output, format, by, options, details=details)
    with running(data, choice, quiet=quiet, files=files) as run:
        if format == "rouge155":
            from pyramidion.cli.rouge155 import printed_lines

            lines = printed_lines(run.evaluation, measures, options, details=details)
        elif by:
            averages = run.evaluation.averages(measures, options)
        else:
            table = run.evaluation.table(measures)
    note_unscored(run.evaluation, asked=measures is not None, quiet=quiet)
    if format == "rouge155":
        print("\n".join(map(printable, lines)))
    elif by and output:
        write_records(averages.records(), output)
        run.note(f"averages written to {output}")
    elif by:
        print_finding(averages, format)
    elif output:
        from pyramidion.scores import write_scores

        with writing(output):
            write_scores(table, output)
        run.note(f"{table.by_run().height:,} scores written to {output}")
    else:
        from pyramidion.studies.scores import Scores

        print_finding(Scores(table), format)


def _score_in_shards(
    data: Any,
    measures: list[str] | None,
    output: Path | str,
    format: str,
    by: str | None,
    *,
    choice: Choice,
    quiet: bool,
    options: ShardOptions,
) -> None:
    """Score flat files into a folder; Ctrl-C leaves what is finished."""
    if by or format not in ("table", "json"):
        raise UsageError(f"-o {output}: a folder gets single scores; give a file, or leave out --by and --format")
    try:
        with running(data, choice, quiet=quiet, lines=True) as run:
            found = run.evaluation.score_into(output, measures, options)
    except KeyboardInterrupt:
        note(f"pyramidion: stopped; finished shards stay in {output}: run the same command again to resume")
        raise SystemExit(130) from None
    for measure, count in found.unscored.items():
        run.note(no_values(measure, count, some=count < found.facts.summaries))
    if found.facts.summaries and not found.facts.scores:
        raise InputError("nothing was scored: the data lacks what the measures need")
    for said in found.warnings:
        run.note(f"note: {said}")
    if format == "json":
        print_finding(found, format)
        return
    run.note("\n".join(found.sentences()))
    for table in found.tables():
        print_table(table)


def _check_combination(
    output: Path | None, format: str, by: str | None, options: AverageOptions, *, details: bool
) -> None:
    """Refuse options that do not go together, before anything is scored: none is ever ignored."""
    as_rouge155 = format == "rouge155"
    counts = options.average == "counts"
    # An option without effect would look like an answer to it: each is refused where nothing uses it.
    if details and not as_rouge155:
        raise UsageError("--details needs --format rouge155; for single scores leave --by out")
    if by is None and not as_rouge155 and (options.average != "macro" or options.bootstrap):
        raise UsageError("--average and --bootstrap are for averages: add --by summarizer")
    if counts and options.bootstrap:
        raise UsageError("--bootstrap: counts are sums, not estimates; choose --average macro or micro")
    if as_rouge155 and counts:
        raise UsageError("--average counts: --format rouge155 prints averages; choose macro (-t 0) or micro (-t 1)")
    if as_rouge155 and options.bootstrap == "percentile":
        raise UsageError("--bootstrap percentile: --format rouge155 uses the bootstrap of ROUGE-1.5.5; leave it out")
    if output is None:
        return
    if format != "table":
        raise UsageError(f"--format {format}: the file's ending decides the format; leave --format out")
    endings = (".parquet", ".csv", ".jsonl") if by is None else (".csv", ".jsonl")
    if output.suffix not in endings:
        what = "scores" if by is None else "averages"
        raise UsageError(f"{output}: {what} are written as {', '.join(endings)}; choose one of these endings")
