"""The command line: one file for each command; the only place that prints. Heavy imports stay inside the commands."""

from __future__ import annotations

import os
import sys

import click

from pyramidion.cli.assess import assess
from pyramidion.cli.check import check
from pyramidion.cli.compare import compare
from pyramidion.cli.correlate import correlate
from pyramidion.cli.demo import demo
from pyramidion.cli.describe import describe
from pyramidion.cli.design import design
from pyramidion.cli.doctor import completion, doctor
from pyramidion.cli.exchange import export, import_command, init
from pyramidion.cli.judgments import judgments
from pyramidion.cli.list import list_
from pyramidion.cli.look import look
from pyramidion.cli.options import group
from pyramidion.cli.output import note
from pyramidion.cli.power import power
from pyramidion.cli.pyramid import pyramid
from pyramidion.cli.report import report
from pyramidion.cli.score import score
from pyramidion.cli.simulate import simulate
from pyramidion.cli.study import study
from pyramidion.errors import PyramidionError
from pyramidion.version import VERSION

program = group(
    "pyramidion",
    "Evaluate summaries, and the measures that evaluate them.",
    "Start with `pyramidion demo`; `pyramidion COMMAND --help` explains a command.",
)
for command in (
    *(demo, score, compare, correlate, power, design, judgments, pyramid, study, report, assess),
    *(look, describe, check, list_, init, import_command, export, simulate, doctor, completion),
):
    program.add(command)
click.version_option(VERSION, message="%(version)s", help="Print the version.")(program)


def main() -> None:
    """Run the program; an error that the user can fix is printed without a traceback."""
    # Read when numpy is imported: by default OpenBLAS's threads wait busily for some 30 ms after each piece of work.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "18")
    try:
        program()
    except PyramidionError as error:
        note(f"pyramidion: {error}")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        note(f"pyramidion: {place}{error.strerror or error}; check the path, its permissions and the free disk space")
        sys.exit(1)
