"""Processes that were forked after tables were worked on: they lack the threads of Polars and would wait for ever.

On Linux, `multiprocessing` forks by default up to Python 3.13. What would hang is an error instead.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from pyramidion.errors import UsageError

_THREAD = re.compile(r"polars-\d|async-executor-")
"""Names of the threads in which Polars works; it starts them when they are first needed."""


class _Fork:
    """What is known about how this process came about."""

    threads_before = False
    """Whether the threads existed when this process last forked."""
    without_threads = False
    """Whether this process is the fork of one that had them."""


def check_fork() -> None:
    """Refuse to work in a process that would wait for threads that it does not have.

    Raises:
        UsageError: with what to do instead.
    """
    if _Fork.without_threads:
        raise UsageError(
            "this process was forked after pyramidion had started its threads, which a fork does not have: it would "
            'wait for ever. Use multiprocessing.get_context("spawn") for worker processes, or start them before '
            "anything is read or scored."
        )


def _before() -> None:
    _Fork.threads_before = _has_threads()


def _in_child() -> None:
    _Fork.without_threads = _Fork.without_threads or _Fork.threads_before


def _has_threads() -> bool:
    if "polars" not in sys.modules:
        return False
    try:
        return any(_THREAD.match((task / "comm").read_text()) for task in Path("/proc/self/task").iterdir())
    except OSError:  # not Linux, where fork is not the default
        return False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_child=_in_child)
