"""The signals that end a program: they do so by an exception, so that unfinished files are removed on its way."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
LATER = 0.01
"""Seconds until the next try where an exception would do harm."""
TRIES = 100
_IN_POLARS = f"{os.sep}polars{os.sep}"


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """End what is done inside by SystemExit on SIGTERM and SIGHUP, by KeyboardInterrupt on Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    handle = _Ending().handle
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
        sys.exit(128 + self._number)


def _is_in_polars(frame: FrameType | None) -> bool:
    return frame is not None and _IN_POLARS in frame.f_code.co_filename
