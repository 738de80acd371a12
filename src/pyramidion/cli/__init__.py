"""The command line: one file for each command; the only place that prints. Heavy imports stay inside the commands."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from pyramidion.cli.check import check
from pyramidion.cli.compare import compare
from pyramidion.cli.correlate import correlate
from pyramidion.cli.demo import demo
from pyramidion.cli.describe import describe
from pyramidion.cli.exchange import export, import_command
from pyramidion.cli.judgments import app as judgments
from pyramidion.cli.list import list_
from pyramidion.cli.look import look
from pyramidion.cli.output import note
from pyramidion.cli.power import power
from pyramidion.cli.pyramid import app as pyramid
from pyramidion.cli.report import report
from pyramidion.cli.score import score
from pyramidion.cli.simulate import app as simulate
from pyramidion.cli.study import app as study
from pyramidion.errors import PyramidionError
from pyramidion.version import VERSION

app = typer.Typer(
    name="pyramidion",
    help="Evaluate summaries, and the measures that evaluate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help needs no rich, and comes in half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo)
app.command()(score)
app.command()(compare)
app.command()(correlate)
app.command()(power)
app.command()(report)
app.command()(look)
app.command()(describe)
app.command()(check)
app.command("list")(list_)
app.command("import")(import_command)
app.command()(export)
app.add_typer(pyramid, name="pyramid")
app.add_typer(judgments, name="judgments")
app.add_typer(study, name="study")
app.add_typer(simulate, name="simulate")


def _version(asked: bool) -> None:
    if asked:
        print(VERSION)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """Run the program; an error that the user can mend is printed without a traceback."""
    try:
        app()
    except PyramidionError as error:
        note(f"pyramidion: {error}")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        note(f"pyramidion: {place}{error.strerror or error}; check the path, its permissions and the space on the disk")
        sys.exit(1)
