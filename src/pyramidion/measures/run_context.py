"""What a run offers to measures: a folder to cache results in, whom to report progress to, and the whole campaign.

A measure sees topics and nothing else; without a context it works all the same, silently and from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pyramidion.campaign import Campaign

Remembered = TypeVar("Remembered")
Progress = Callable[[str, int, int], None]
"""Called with (what is done, how many are done, how many there are), such as ("texts parsed", 12, 400)."""


@dataclass(frozen=True)
class RunContext:
    """Where to cache, whom to report progress to, and what is scored; None: nowhere, nobody, unknown."""

    cache: Path | None = None
    progress: Progress | None = None
    campaign: Campaign | None = None
    """The campaign that topics come from, if it is in memory."""
    _remembered: dict[str, Any] = field(default_factory=dict)

    def remembered(self, key: str, find: Callable[[], Remembered]) -> Remembered:
        """What was found in the campaign under this key; found once."""
        if key not in self._remembered:
            self._remembered[key] = find()
        value: Remembered = self._remembered[key]
        return value


_CURRENT: ContextVar[RunContext] = ContextVar("run", default=RunContext())  # noqa: B039  # frozen


def current() -> RunContext:
    """The context of the run that is going on."""
    return _CURRENT.get()


@contextmanager
def running_with(
    *, cache: Path | None = None, progress: Progress | None = None, campaign: Campaign | None = None
) -> Iterator[None]:
    """Within, measures have this cache, progress and campaign; what is not given stays as it was."""
    settings = {"cache": cache, "progress": progress, "campaign": campaign}
    changes: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    if campaign is not None:
        changes["_remembered"] = {}
    token = _CURRENT.set(replace(_CURRENT.get(), **changes))
    try:
        yield
    finally:
        _CURRENT.reset(token)
