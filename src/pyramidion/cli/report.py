"""`pyramidion report`: one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import note, plain_warnings


def report(
    data: o.Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the page.")] = Path("report.html"),
    measures: o.Measures = None,
    peers: o.PeersOption = o.Peers.systems,
    confidence: o.Confidence = 95.0,
    seed: o.Seed = 0,
    quiet: o.Quiet = False,
) -> None:
    """Write a report: leaderboards, figures and signatures on one page that needs nothing else.

    Example: pyramidion report demo -o report.html
    """
    import pyramidion

    with plain_warnings(quiet=quiet):
        path = pyramidion.report(data, output, measures, peers=peers.value, confidence=confidence, seed=seed)
    note(f"report: {path}", quiet=quiet)
