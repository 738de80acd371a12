"""How the program starts and ends: streams in any encoding, signals, errors and exit codes.

A signal ends the program by an exception, so that unfinished files are removed on its way.
"""

from __future__ import annotations

import codecs
import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

import click

from pyramidion.cli.options import Program, group
from pyramidion.cli.output import NobodyReadsError, note
from pyramidion.errors import PyramidionError
from pyramidion.files.refusals import refusal_of

FEWEST_TO_COLLECT = 50_000
"""New objects before the garbage collector looks at them (Python's own: 700)."""
program: Program = group(
    "pyramidion",
    "Evaluate summaries, and the measures that evaluate them.",
    "Start with `pyramidion demo`; `pyramidion COMMAND --help` explains a command.",
)
PLAIN = str.maketrans(
    {
        **{"–": "-", "—": "-", "−": "-", "‑": "-", "·": ".", "•": "*", "…": "...", "’": "'", "‘": "'", "“": '"'},
        **{"”": '"', "×": "x", "±": "+/-", "≥": ">=", "≤": "<=", "→": "->", "½": "1/2", "²": "^2", "′": "'"},
        **{"∞": "inf", "α": "alpha", "β": "beta", "δ": "delta", "ρ": "rho", "τ": "tau", "χ": "chi", "Δ": "Delta"},
        **{"\xa0": " ", "\u202f": " ", "\u2009": " "},
    }
)
"""Signs of ours for terminals that know no others."""
REPLACING = "pyramidion"
"""The name of our way to treat what an encoding does not have."""


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


def prepare_streams() -> None:
    """Make standard output and error usable whatever they are: closed, or in an encoding that lacks our signs."""
    _open_closed_streams()
    codecs.register_error(REPLACING, _replaced)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a stream of Python's own
            # The encoding stays what the user's locale says; only what it lacks is replaced, so that no sign of ours
            # can end the program with a UnicodeEncodeError.
            stream.reconfigure(errors=REPLACING)  # type: ignore[union-attr]


def drop_output() -> None:
    """What is still to be printed goes nowhere; else Python would try, and fail, at the very end."""
    with contextlib.suppress(OSError, ValueError):
        # Python flushes stdout once more when it exits, and would print "Exception ignored … BrokenPipeError" there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_closed_streams() -> None:
    """Give streams that were closed somewhere to go; else the next file that is opened would get their number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  # until the end


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for characters that an encoding does not have: a plain sign, or the character's number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(PLAIN)
    return found.encode("ascii", "backslashreplace").decode("ascii"), error.end


ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
LATER = 0.01
"""Seconds until the next try where an exception would do harm."""
TRIES = 100
_IN_POLARS = f"{os.sep}polars{os.sep}"


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """End what is done inside by SystemExit on SIGTERM and SIGHUP, by KeyboardInterrupt on Ctrl-C."""
    # Python sets signal handlers in the main thread only; elsewhere signal.signal raises an error.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    handle = _Ending().handle
    # A signal that was ignored from outside, as nohup does with SIGHUP, stays ignored.
    before = {one: signal.signal(one, handle) for one in ENDING if signal.getsignal(one) in usual}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class _Ending:
    """The end of a program, which may have to wait a moment.

    Where Rust calls Python, as Polars does for its types, it panics at an exception: while Python is inside Polars,
    the signal is tried again a little later.
    """

    def __init__(self) -> None:
        self._number: int = signal.SIGTERM
        self._tries = 0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Take a signal."""
        self._number = number
        self._end(frame)

    def _again(self, _number: int, frame: FrameType | None) -> None:
        self._end(frame)

    def _end(self, frame: FrameType | None) -> None:
        self._tries += 1
        if _is_in_polars(frame) and self._tries < TRIES and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._again)
            signal.setitimer(signal.ITIMER_REAL, LATER)
            return
        self._tries = 0
        if self._number == signal.SIGINT:
            raise KeyboardInterrupt
        signal.signal(self._number, signal.SIG_IGN)  # a second signal does not interrupt the cleaning up
        # 128 + number is what shells report for a program that was ended by a signal.
        sys.exit(128 + self._number)


def _is_in_polars(frame: FrameType | None) -> bool:
    """Whether Polars waits for this frame: its own code, what it calls, or an earlier try that has not returned."""
    while frame is not None:
        if _IN_POLARS in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
