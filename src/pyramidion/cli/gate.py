"""`pyramidion gate`: whether a build may go on, as an exit code and in the formats that CI servers read."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import (
    NobodyReadsError,
    is_unicode,
    note_unscored,
    print_finding,
    writing,
)
from pyramidion.cli.run import running, take_options
from pyramidion.options import Choice, GateOptions

if TYPE_CHECKING:
    from pyramidion.studies.gate import Gate

FORMATS = ("table", "json", "markdown", "github", "junit")
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Where GitHub says which file a step writes its summary to."""
_format = click.option(
    "--format",
    type=o.OneOf(FORMATS),
    default="table",
    help="Output format; json prints one record per line, github adds annotations and the summary of the step.",
)


@o.command()
@o.data
@o.measures_by_default("the only one of a score table; the first decides, the others guard")
@o.options_of(GateOptions)
@_format
@o.options_of(Choice)
@o.quiet
def gate(data: Any, quiet: bool, format: str, measures: list[str] | None = None, **flags: object) -> None:
    """Decide whether a candidate may replace a baseline. Exit codes: 0 pass, 3 fail, 4 undecided.

    The first measure decides: with a margin, the candidate passes if it is shown to lose less, and fails if it is shown
    to lose more; without one, it fails if it is significantly worse. Other measures and slices guard: a significant
    loss on one of them fails, too.

    Example: pyramidion gate demo --against 2 --candidate 16 -m rouge-2.recall
    """
    choice = take_options(Choice, flags)
    options = take_options(GateOptions, flags)
    with running(data, choice, measures=measures, quiet=quiet) as run:
        decided = run.evaluation.gate(measures, options)
    note_unscored(run.evaluation, asked=False, quiet=quiet)
    try:
        _print_gate(decided, format)
        sys.stdout.flush()
    except (NobodyReadsError, BrokenPipeError):
        from pyramidion.cli.process import drop_output

        drop_output()  # the verdict is the exit code, also if a reader such as `head` has seen enough
    click.get_current_context().exit(decided.exit_code)


def _print_gate(gate: Gate, format: str) -> None:
    """Print the decision in a format of our own, or as any finding."""
    if format in ("table", "json"):
        print_finding(gate, format)
        return
    from pyramidion.present.gate_formats import gate_annotations, gate_junit, gate_markdown

    if format == "junit":
        _write(gate_junit(gate))
    elif format == "markdown":
        _write(gate_markdown(gate))
    else:
        _print_for_github(gate_markdown(gate), gate_annotations(gate))


def _print_for_github(text: str, annotations: list[str]) -> None:
    """The Markdown between marks, so that no line of it is taken for a command, then the annotations."""
    # Outputs of systems are in the text: nobody can guess the mark that would end the part without commands.
    mark = secrets.token_hex(16)
    _write(f"::stop-commands::{mark}\n{text}\n::{mark}::\n")
    _write("\n".join(annotations) + "\n")
    summary = os.environ.get(STEP_SUMMARY)
    if summary:
        path = Path(summary)
        with writing(path), path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")


def _write(text: str) -> None:
    """Text for programs; what the stream can't take is escaped."""
    if not is_unicode(sys.stdout):
        text = text.encode("ascii", "backslashreplace").decode()
    print(text, end="")
