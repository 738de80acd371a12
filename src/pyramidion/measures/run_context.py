"""What a run offers to measures: a folder to cache results in, whom to report progress to, and the whole campaign.

A measure sees topics and nothing else; without a run it works all the same, silently and from scratch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pyramidion.campaign import Campaign
from pyramidion.options import Progress

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class RunContext:
    """Where to cache, whom to report progress to, and what is scored; None: nowhere, nobody, unknown."""

    cache: Path | None = None
    progress: Progress | None = None
    campaign: Campaign | None = None
    """The campaign that topics come from, if it is in memory."""
    _results: dict[str, Any] = field(default_factory=dict)
    _announced: Counter[str] = field(default_factory=Counter)

    def remember(self, key: str, compute: Callable[[], Result]) -> Result:
        """What was computed from the campaign under this key; computed once."""
        if key not in self._results:
            self._results[key] = compute()
        result: Result = self._results[key]
        return result

    def watch(self, what: str) -> Callable[[int, int], None] | None:
        """What one piece of long work calls with how much of it is done so far, and how much there is."""
        report = self.progress
        if report is None:
            return None
        previous = 0

        def count_steps(done: int, total: int) -> None:
            nonlocal previous
            if not previous:  # the next piece: its steps come on top of those before
                self._announced[what] += total
            report(what, done - previous, self._announced[what])
            previous = done

        return count_steps


NO_RUN = RunContext()
"""Of measures that are computed by themselves."""
