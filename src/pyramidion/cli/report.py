"""`pyramidion report`: one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyramidion.cli import options as o
from pyramidion.cli.output import writing
from pyramidion.cli.run import check_written, running, take_options
from pyramidion.errors import UsageError
from pyramidion.options import Choice, ReportOptions


@o.command()
@o.data
@o.output("Where to write the page.")
@o.options_of(ReportOptions)
@o.measures
@o.options_of(Choice)
@o.replace
@o.quiet
def report(data: Any, output: Path, measures: list[str] | None, replace: bool, quiet: bool, **flags: object) -> None:
    """Write a report: the answer, the evidence and the details on one self-contained page.

    Example: pyramidion report demo -o report.html
    """
    from pyramidion.reports.page import write_report

    choice = take_options(Choice, flags)
    options = take_options(ReportOptions, flags)
    files = check_written(output, data, choice, measures, options, replace=replace)
    if output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--output {output}: a report is a page; choose a name that ends in .html")
    with running(data, choice, quiet=quiet, files=files) as run, writing(output):
        write_report(output, run.evaluation, measures, options)
    run.note(f"report: {output}")
