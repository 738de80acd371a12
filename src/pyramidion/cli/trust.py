"""`pyramidion trust`: what a judge or a measure may be used for, as an answer, a page and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import NobodyReadsError, note_unscored, print_finding, writing
from pyramidion.cli.run import check_written, running, take_options
from pyramidion.errors import UsageError
from pyramidion.options import Choice, TableOptions, TrustOptions

_output = click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Also write the card: one self-contained page (.html)."
)
_show = click.option(
    "--show",
    multiple=True,
    type=o.RecordChoice("studies.trust.results:Trust"),
    help="Show only these records; repeatable.",
)


@o.command()
@o.data
@o.measures_by_default("all judges that answered the question")
@o.options_of(TrustOptions)
@_output
@o.format
@_show
@o.replace
@o.options_of(TableOptions)
@o.options_of(Choice, without=TrustOptions.unused_choice)
@o.quiet
def trust(
    data: Any,
    quiet: bool,
    format: str,
    output: Path | None = None,
    show: Sequence[str] = (),
    measures: list[str] | None = None,
    replace: bool = False,
    **flags: object,
) -> None:
    """Put a judge or a measure on trial against people: may it rank systems, decide between two, replace people?

    A judge is an assessor that is a program, or a column of its scores (--judge NAME). With --require, the command
    ends with exit code 3 unless the verdict is yes.

    Example: pyramidion trust demo -m rouge-2.recall --with question.overall-responsiveness
    """
    table = take_options(TableOptions, flags)
    choice = take_options(Choice, flags)
    options = take_options(TrustOptions, flags)
    files = check_written(output, data, choice, measures, options, replace=replace)
    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--output {output}: a card is a page; choose a name that ends in .html")
    with running(data, choice, measures=measures, quiet=quiet, files=files) as run:
        found = run.evaluation.trust(measures, options)
    note_unscored(run.evaluation, asked=bool(measures), quiet=quiet)
    if output is not None:
        from pyramidion.reports.card import write_card

        with writing(output):
            write_card(output, found)
        run.note(f"card: {output}")
    try:
        print_finding(found, format, show, table)
        sys.stdout.flush()
    except (NobodyReadsError, BrokenPipeError):
        from pyramidion.cli.process import drop_output

        drop_output()  # the verdict is the exit code, also if a reader such as `head` has seen enough
    click.get_current_context().exit(found.exit_code)
