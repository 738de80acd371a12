"""`pyramidion report`: one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import note, writing
from pyramidion.cli.scoring import load_data, score_data


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
    """Write a report: leaderboards, figures and signatures on one page that needs nothing else.

    Example: pyramidion report demo -o report.html
    """
    from pyramidion.reports import write_report
    from pyramidion.studies import compare

    o.check_resampling(confidence, resamples)
    o.refuse_overwriting(output, data, scores)
    table = score_data(data, measures, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
    campaign = load_data(data, where=where, quiet=True)  # its warnings have been noted
    comparison = compare(table, confidence=confidence, method=intervals.value, resamples=resamples, seed=seed)
    with writing(output):
        write_report(output, campaign, table, comparison)
    note(f"report: {output}", quiet=quiet)
