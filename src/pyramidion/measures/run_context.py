"""What a run offers to measures that take long (parsing): a folder to cache results in, and whom to report progress to.

A measure sees topics and nothing else; without a context it works all the same, silently and from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

Progress = Callable[[str, int, int], None]
"""Called with (what is done, how many are done, how many there are), such as ("texts parsed", 12, 400)."""


@dataclass(frozen=True)
class RunContext:
    """Where to cache, and whom to report progress to; None: nowhere and nobody."""

    cache: Path | None = None
    progress: Progress | None = None


_CURRENT: ContextVar[RunContext] = ContextVar("run", default=RunContext())  # noqa: B039  # frozen


def current() -> RunContext:
    """The context of the run that is going on."""
    return _CURRENT.get()


@contextmanager
def running_with(*, cache: Path | None = None, progress: Progress | None = None) -> Iterator[None]:
    """Within, measures cache in this folder and report to this function; what is not given stays as it was."""
    before = _CURRENT.get()
    token = _CURRENT.set(RunContext(cache or before.cache, progress or before.progress))
    try:
        yield
    finally:
        _CURRENT.reset(token)
