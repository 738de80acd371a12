"""`pyramidion demo`: the embedded campaign, scored and compared, with a report."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import print_finding, writing
from pyramidion.cli.run import running
from pyramidion.options import Choice

SHOWN = ["rouge-2.recall", "question.overall-responsiveness"]


@click.command(context_settings=o.SETTINGS)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), default="report.html", help="Where to write the report."
)
@click.option(
    "--open/--no-open",
    "open_page",
    default=None,
    help="Open the report in a browser; by default in an interactive terminal.",
)
def demo(output: Path, open_page: bool | None) -> None:
    """Show what pyramidion does, on a campaign that comes with it.

    The campaign was written for this project: its topics and models are fiction, its peers are the outputs of real
    summarizers, its judgments are simulated.
    """
    with running("demo", Choice(), quiet=False) as run:
        evaluation = run.evaluation
        campaign = evaluation.campaign
        print(f"{campaign.name}: {len(campaign.topic_ids)} topics, {len(campaign.summaries)} summaries")
        print(campaign.description)
        print_finding(evaluation.compare(SHOWN), "table")
        with writing(output):
            path = evaluation.report(output).resolve()
    print(f"The report, with all measures and studies: {path}")
    if sys.stdout.isatty() if open_page is None else open_page:
        import webbrowser

        webbrowser.open(path.as_uri())
