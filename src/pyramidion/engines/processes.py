"""The local engine of a run in shards: processes on this computer, each with a pipe; a lost one is replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from pyramidion.engines.plan import Shard
from pyramidion.engines.shard import Job, ShardEntry, score_shard
from pyramidion.errors import InputError, PyramidionError
from pyramidion.text.tokens import thread_count

TRIES = 5
"""How often a shard may end the process that scores it: memory that runs out does so each time."""
ONE_THREAD = {"PYRAMIDION_THREADS": "1", "POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""As many processes as processors: none needs threads of its own."""


@dataclass(frozen=True)
class Failure:
    """A shard that could not be scored."""

    shard: Shard
    error: Exception


Outcome = tuple[Shard, ShardEntry] | Failure


class LocalEngine:
    """Scores shards in processes of this computer.

    Args:
        workers: how many processes; by default as many as there are processors. One works in this process, with the
            threads of the kernels.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers: int = thread_count(workers)

    def run(self, job: Job, shards: Sequence[Shard]) -> Iterator[Outcome]:
        """The entries of the shards, as they are finished."""
        if self.workers == 1 or len(shards) == 1:
            yield from _here(job, shards)
            return
        with _environment(ONE_THREAD), _Pool(job, min(self.workers, len(shards))) as pool:
            yield from pool.run(shards)


def _here(job: Job, shards: Iterable[Shard]) -> Iterator[Outcome]:
    for shard in shards:
        yield outcome_of(job, shard)


def outcome_of(job: Job, shard: Shard) -> Outcome:
    """Score a shard; an error that a user can mend is an outcome, too."""
    try:
        return shard, score_shard(job, shard)
    except (PyramidionError, OSError) as error:
        return Failure(shard, error)


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """What processes that are started within inherit."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal: for those that are started within it waits, until they ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # where it must start its process, it would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    shard: Shard | None = None


class _Pool:
    """Processes that each score one shard at a time."""

    def __init__(self, job: Job, count: int) -> None:
        self.job = job
        self.context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
        self.workers = [self._started() for _ in range(count)]

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.pipe.close()
            worker.process.kill()  # a shard that is not finished is not there: nothing is lost but its time
        for worker in self.workers:
            worker.process.join()

    def _started(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, self.job), daemon=True)
        with _interrupts_waiting():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def run(self, shards: Iterable[Shard]) -> Iterator[Outcome]:
        """Give every shard to a process; that of a lost process is given to another."""
        left = deque(shards)
        tries: dict[int, int] = {}
        while left or any(worker.shard for worker in self.workers):
            for at, worker in enumerate(self.workers):
                if worker.shard is None and left:
                    self._give(at, left)
            busy = {worker.pipe: at for at, worker in enumerate(self.workers) if worker.shard}
            for pipe in wait(list(busy)):
                at = busy[pipe]  # type: ignore[index]
                worker = self.workers[at]
                shard = worker.shard
                assert shard is not None
                try:
                    outcome = worker.pipe.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    tries[shard.number] = tries.get(shard.number, 0) + 1
                    if tries[shard.number] < TRIES:
                        left.appendleft(shard)
                    else:
                        yield Failure(shard, InputError(_lost(shard, worker.process.exitcode)))
                    self.workers[at] = self._started()
                    continue
                worker.shard = None
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome

    def _give(self, at: int, left: deque[Shard]) -> None:
        worker = self.workers[at]
        try:
            worker.pipe.send(left[0])
        except OSError:  # it was lost while it had nothing to do
            worker.process.join()
            self.workers[at] = self._started()
            return
        worker.shard = left.popleft()


def _lost(shard: Shard, code: int | None) -> str:
    ended = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    return (
        f"shard {shard.number} (rows from {shard.before + 1:,}): the process that scored it ended {TRIES} times "
        f"({ended}); if memory ran out, use a smaller `partition=` or fewer `workers=`"
    )


def _work(pipe: Connection, job: Job) -> None:
    """What a process does: score what it is given, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            shard = pipe.recv()
        except EOFError:
            return
        answer: Any
        try:
            answer = outcome_of(job, shard)
        except Exception as error:
            answer = _sendable(error)
        pipe.send(answer)


def _sendable(error: Exception) -> Exception:
    """An error of a measure in words, with its place: not every exception can be sent to another process."""
    import traceback

    return RuntimeError("".join(traceback.format_exception(error)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
