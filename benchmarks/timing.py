"""Clocks: processor and wall time of a call, and the best of rounds in which all contestants take turns."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Result = TypeVar("Result")
Name = TypeVar("Name")


@dataclass(frozen=True)
class Seconds:
    """What a call took."""

    cpu: float
    wall: float

    def best(self, other: Seconds) -> Seconds:
        return Seconds(min(self.cpu, other.cpu), min(self.wall, other.wall))


@dataclass(frozen=True)
class Timed(Generic[Result]):
    """What a call gave, and what it took."""

    result: Result
    seconds: Seconds


@dataclass
class Stopwatch:
    """Filled in when its block ends."""

    seconds: Seconds = field(default=Seconds(0, 0))


@contextmanager
def stopwatch(*, children: bool = False) -> Iterator[Stopwatch]:
    """Times a block: the processor time of this process with all its threads, or that of finished child processes."""

    def cpu() -> float:
        if not children:
            return time.process_time()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    watch = Stopwatch()
    gc.collect()  # what others left behind is not this block's work
    wall_start, cpu_start = time.perf_counter(), cpu()
    yield watch
    watch.seconds = Seconds(cpu() - cpu_start, time.perf_counter() - wall_start)


def best_of_rounds(contestants: Mapping[Name, Callable[[], Seconds]], *, rounds: int) -> dict[Name, Seconds]:
    """The least time of each contestant. They take turns, so that a busy moment of the machine hurts all alike."""
    best: dict[Name, Seconds] = {}
    for _ in range(rounds):
        for name, run in contestants.items():
            seconds = run()
            best[name] = best[name].best(seconds) if name in best else seconds
    return best
