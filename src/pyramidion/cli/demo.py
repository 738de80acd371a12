"""`pyramidion demo`: the demo campaign, scored and compared, with a report."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import print_finding, writing
from pyramidion.cli.run import running
from pyramidion.files.targets import check_output
from pyramidion.options import Choice

SHOWN = ["rouge-2.recall", "question.overall-responsiveness"]


@o.command()
@o.output("Where to write the report.")
@click.option(
    "--open/--no-open",
    "open_page",
    default=None,
    help="Open the report in a browser. Default: only from an interactive terminal.",
)
@o.replace_without_data
def demo(output: Path, open_page: bool | None, replace: bool) -> None:
    """Try pyramidion on the campaign that comes with it: a leaderboard, and a report with everything else.

    The topics and reference summaries of this campaign are fiction, written for this project; the system summaries are
    the output of real summarizers; the judgments are simulated.
    """
    from pyramidion.reports.page import write_report

    check_output(output, (), replace=replace)
    with running("demo", Choice(), quiet=False) as run:
        evaluation = run.evaluation
        campaign = evaluation.campaign
        print(f"{campaign.name}: {len(campaign.topic_ids)} topics, {len(campaign.summaries)} summaries")
        print(campaign.description)
        print_finding(evaluation.compare(SHOWN), "table")
        with writing(output):
            path = write_report(output, evaluation).resolve()
    print(f"The report, with all measures and studies: {path}")
    if sys.stdout.isatty() if open_page is None else open_page:
        import webbrowser

        webbrowser.open(path.as_uri())
