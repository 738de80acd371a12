"""What surrounds a run: a folder beside the data where costly intermediate results are kept, and who is watching.

A measure sees topics and nothing else. Those that take long and could use what an earlier run found (parsing) ask here;
without surroundings they work all the same, silently and from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

Watcher = Callable[[str, int, int], None]
"""Told (what is done, how many are done, how many there are), such as ("texts parsed", 12, 400)."""

_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)
_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def keeping_in(folder: Path | None) -> Iterator[None]:
    """Within, intermediate results are kept in this folder (None: nowhere)."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Within, steps that take long are told to this watcher."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def kept_in() -> Path | None:
    """The folder for intermediate results; None if there is none."""
    return _FOLDER.get()


def tell(what: str, done: int, total: int) -> None:
    """Tell whoever watches."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(what, done, total)
