"""`pyramidion demo`: the embedded campaign, scored and compared, with a report."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.compare import print_comparison
from pyramidion.cli.options import Format
from pyramidion.cli.output import note, writing

SHOWN = ["rouge-2.recall", "question.overall-responsiveness"]


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the report.")] = Path("report.html"),
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the report in a browser.")] = True,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Run the embedded summarizers again and write the campaign anew.")
    ] = False,
) -> None:
    """Show what pyramidion does, on a campaign that comes with it.

    The campaign was written for this project: its topics and models are fiction, its peers are the outputs of real
    summarizers, its judgments are simulated.
    """
    import pyramidion

    if rebuild:
        from pyramidion.demo.build import rebuild as rebuild_campaign

        note(f"campaign written to {rebuild_campaign()}")
    campaign = pyramidion.load(pyramidion.DEMO)
    print(f"{campaign.name}: {len(campaign.topic_ids)} topics, {len(campaign.summaries)} summaries")
    print(campaign.description)
    table = pyramidion.score(campaign)
    comparison = pyramidion.compare(table)
    shown = [name for name in SHOWN if name in comparison.measures]
    shown_table = table.only(shown)
    print_comparison(pyramidion.compare(shown_table), shown_table, Format.table)
    from pyramidion.reports import write_report

    with writing(output):
        path = write_report(output, campaign, table, comparison).resolve()
    print(f"All {len(comparison.measures)} measures: {path}")
    if open_page:
        webbrowser.open(path.as_uri())
