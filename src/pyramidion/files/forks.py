"""Processes that were forked after tables were worked on: they lack the threads of Polars and would wait for ever.

On Linux, `multiprocessing` forks by default up to Python 3.13. What would hang is an error instead.
"""

from __future__ import annotations

import os

from pyramidion.errors import UsageError


class _FirstUse:
    """The process that first worked with tables, which started the threads; a fork inherits the number."""

    process: int | None = None


def check_fork() -> None:
    """Refuse to work with tables in a process that would wait for threads that it does not have.

    It is called before everything that Polars may do in its threads.

    Raises:
        UsageError: if this process was forked from one that had called this before.
    """
    process = os.getpid()
    if _FirstUse.process is None:
        _FirstUse.process = process
    if _FirstUse.process != process:
        raise UsageError(
            "this process was forked after pyramidion had started its threads, which a fork does not have: it would "
            'wait for ever. Use multiprocessing.get_context("spawn") for worker processes, or start them before '
            "anything is read or scored."
        )
