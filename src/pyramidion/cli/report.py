"""`pyramidion report`: one self-contained HTML page."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import note, writing
from pyramidion.cli.scoring import load_data, score_data
from pyramidion.errors import UsageError


def report(
    data: o.Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the page.")] = Path("report.html"),
    measures: o.Measures = None,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    intervals: o.IntervalsOption = o.Intervals.t,
    confidence: o.Confidence = 95.0,
    resamples: o.Resamples = 1000,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Write a report: the answer, the evidence and the detail on one page that needs nothing else.

    Example: pyramidion report demo -o report.html
    """
    from pyramidion.campaign import Problems
    from pyramidion.reports import Context, write_report
    from pyramidion.studies import compare

    o.check_resampling(confidence, resamples)
    o.refuse_overwriting(output, data, scores)
    if output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--output {output}: a report is a page; choose a name that ends in .html")
    problems = Problems()
    table = score_data(
        data,
        measures,
        where=where,
        peers=peers,
        scores=scores,
        seed=seed,
        strict=strict,
        quiet=quiet,
        problems=problems,
    )
    campaign = load_data(data, where=where, quiet=True)  # its warnings have been noted
    with steps(quiet=quiet) as step, writing(output):
        step("comparison")
        comparison = compare(table, confidence=confidence, method=intervals.value, resamples=resamples, seed=seed)
        context = Context(
            campaign=campaign,
            table=table,
            comparison=comparison,
            data=data,
            peers=peers.value,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            where=o.conditions(where),
            scores=None if scores is None else str(scores),
            asked=measures or [],
            problems=[problem for problem in problems if problem.severity == "warning"],
            warnings=problems.warnings,
            step=step,
        )
        write_report(output, context)
    note(f"report: {output}", quiet=quiet)


@contextlib.contextmanager
def steps(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """The part of the report that is being made, on stderr, only where someone is looking."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("report: {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        yield lambda title: bar.update(task, description=title)
