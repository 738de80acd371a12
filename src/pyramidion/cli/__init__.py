"""The command line: a file for each kind of command; the only place that prints. Heavy imports stay in the commands."""

from __future__ import annotations

import gc
import os
import sys

import click

from pyramidion.cli.analyses import compare, correlate, describe, design, power
from pyramidion.cli.assess import assess
from pyramidion.cli.check import check
from pyramidion.cli.demo import demo
from pyramidion.cli.doctor import completion, doctor
from pyramidion.cli.gate import gate
from pyramidion.cli.import_export import export, import_command, init
from pyramidion.cli.judgments import judgments
from pyramidion.cli.list import list_
from pyramidion.cli.look import look
from pyramidion.cli.options import Program, group
from pyramidion.cli.output import note
from pyramidion.cli.pyramid import pyramid
from pyramidion.cli.report import report
from pyramidion.cli.score import score
from pyramidion.cli.simulate import simulate
from pyramidion.cli.study import study
from pyramidion.cli.terminal import NobodyReadsError, drop_output, ended_by_signals, prepare_streams
from pyramidion.errors import PyramidionError
from pyramidion.files.problems import refusal_of
from pyramidion.version import VERSION

FEWEST_TO_COLLECT = 50_000
"""New objects before the garbage collector looks at them (Python's own: 700)."""
program: Program = group(
    "pyramidion",
    "Evaluate summaries, and the measures that evaluate them.",
    "Start with `pyramidion demo`; `pyramidion COMMAND --help` explains a command.",
)
_COMMANDS: tuple[click.Command, ...] = (
    *(demo, score, compare, gate, correlate, power, design, judgments, pyramid, study, report, assess),
    *(look, describe, check, list_, init, import_command, export, simulate, doctor, completion),
)
for _command in _COMMANDS:
    program.add(_command)
click.version_option(VERSION, message="%(version)s", help="Print the version.")(program)


def main() -> None:
    """Run the program; an error that the user can fix is printed without a traceback."""
    # Read when numpy is imported. Matrices here are small: more threads of OpenBLAS would wait more than they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Little of what a command makes refers to itself; looking for that as often as Python does takes time for nothing.
    gc.set_threshold(FEWEST_TO_COLLECT)
    prepare_streams()
    try:
        with ended_by_signals():
            code = _run()
            sys.stdout.flush()  # while an error can still be told
    except (NobodyReadsError, BrokenPipeError):
        drop_output()
        code = 0
    except OSError as error:
        drop_output()
        note(f"pyramidion: {_described(error)}")
        code = 1
    sys.exit(code)


def _run() -> int:
    """Run the command; the exit code."""
    try:
        ended = program.main(standalone_mode=False)
    except PyramidionError as error:
        note(f"pyramidion: {error}")
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        note("Aborted!")
        return 1
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return ended if isinstance(ended, int) else 0


def _described(error: OSError) -> str:
    """What the system refuses, where, and what to do."""
    place = f"{error.filename}: " if error.filename else ""
    refusal = refusal_of(error)
    return f"{place}{refusal.reason}. {refusal.remedy}"
