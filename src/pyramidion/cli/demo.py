"""`pyramidion demo`: the embedded campaign, scored and compared, with a report."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.compare import print_comparison
from pyramidion.cli.options import Format
from pyramidion.cli.output import writing
from pyramidion.cli.report import steps

SHOWN = ["rouge-2.recall", "question.overall-responsiveness"]


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the report.")] = Path("report.html"),
    open_page: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the report in a browser; by default where someone is looking."),
    ] = None,
) -> None:
    """Show what pyramidion does, on a campaign that comes with it.

    The campaign was written for this project: its topics and models are fiction, its peers are the outputs of real
    summarizers, its judgments are simulated.
    """
    import pyramidion

    campaign = pyramidion.load(pyramidion.DEMO)
    print(f"{campaign.name}: {len(campaign.topic_ids)} topics, {len(campaign.summaries)} summaries")
    print(campaign.description)
    table = pyramidion.score(campaign, SHOWN)
    print_comparison(pyramidion.compare(table), table, Format.table)
    with steps() as step, writing(output):
        path = pyramidion.report(pyramidion.DEMO, output, progress=step).resolve()
    print(f"The report, with all measures and studies: {path}")
    if sys.stdout.isatty() if open_page is None else open_page:
        webbrowser.open(path.as_uri())
