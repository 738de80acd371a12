"""The cluster engine of a run in shards: Dask. Workers read and write the shards themselves; only entries travel."""

from __future__ import annotations

import contextlib
import logging
import socket
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any

from pyramidion.engines.plan import Shard
from pyramidion.engines.processes import ONE_THREAD, TRIES, Failure, Outcome, outcome_of
from pyramidion.engines.shard import Job
from pyramidion.errors import InputError, MissingExtraError, mention
from pyramidion.text.tokens import thread_count
from pyramidion.version import VERSION

PER_THREAD = 3
"""Shards that are given to the cluster ahead of time, for each of its threads: no scheduler holds a million tasks."""
GREETING_SECONDS = 10.0
POLL_SECONDS = 0.05
PATIENCE_SECONDS = 60.0
"""Without a finished shard and without a sign of any worker."""
AGAIN = "the shards that are finished are kept: run the same command again to resume"


class WorkerLostError(InputError):
    """Dask gave a shard up because the workers that had it were lost."""


class DaskEngine:
    """Scores shards on a Dask cluster.

    Args:
        address: of the scheduler, such as `host:8786`; by default a cluster on this computer.
        workers: processes of a cluster on this computer.
    """

    def __init__(self, address: str = "", workers: int | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtraError(mention("engine", "dask"), "cluster") from None
        self.address = address
        self.workers = workers
        self._distributed: Any = distributed

    @property
    def _name(self) -> str:
        return f"dask://{self.address}" if self.address else "dask"

    def run(self, job: Job, shards: Sequence[Shard]) -> Iterator[Outcome]:
        """The entries of the shards, as they are finished."""
        try:
            yield from self._run(job, shards)
        except (OSError, CancelledError):
            raise InputError(f"{mention('engine', self._name)}: the scheduler was lost; {AGAIN}") from None

    def _run(self, job: Job, shards: Sequence[Shard]) -> Iterator[Outcome]:
        with contextlib.ExitStack() as stack:
            stack.enter_context(_silence())
            client = stack.enter_context(self._client(stack))
            _check_versions(client, self.address)
            rest = iter(shards)
            threads = max(sum(client.nthreads().values()), 1)
            submitted: dict[str, Shard] = {}
            tries: Counter[int] = Counter()

            def submit(shard: Shard) -> Any:
                # Not pure: else a shard that is given again would have the key, and so the failure, of the first try.
                future = client.submit(_outcome_of_same_version, VERSION, *job.alone(shard), pure=False)
                submitted[future.key] = shard
                return future

            finished = self._distributed.as_completed(
                [submit(shard) for shard in islice(rest, PER_THREAD * threads)], loop=client.loop, raise_errors=False
            )
            for future in _as_they_finish(finished, client, self._name):
                shard = submitted.pop(future.key)
                outcome = self._outcome(future, shard)
                if isinstance(outcome, Failure) and isinstance(outcome.error, WorkerLostError):
                    tries[shard.number] += 1
                    if tries[shard.number] < TRIES:
                        finished.add(submit(shard))
                        continue
                if (following := next(rest, None)) is not None:
                    finished.add(submit(following))
                yield outcome

    def _client(self, stack: contextlib.ExitStack) -> Any:
        distributed = self._distributed
        try:
            if not self.address:
                count = thread_count(self.workers)
                cluster = stack.enter_context(
                    distributed.LocalCluster(
                        # No limit: by default Dask gives each worker its share of the memory, and restarts one that
                        # needs more.
                        n_workers=count,
                        threads_per_worker=1,
                        dashboard_address=None,
                        env=ONE_THREAD,
                        memory_limit=0,
                    )
                )
                return distributed.Client(cluster)
            _require_scheduler(self.address)
            # Whoever calls us may have a client of their own in this process.
            return distributed.Client(self.address, timeout="10s", set_as_default=False)
        except (OSError, TimeoutError) as error:
            first = str(error).partition("\n")[0]
            raise InputError(
                f"{mention('engine', self._name)}: can't reach the scheduler ({first}); check the address, or start "
                "one: `dask scheduler`"
            ) from None

    def _outcome(self, future: Any, shard: Shard) -> Outcome:
        if future.status == "finished":
            outcome: Outcome = future.result()
            return outcome
        if future.status in ("cancelled", "lost"):
            raise CancelledError
        error = future.exception()
        if isinstance(error, self._distributed.KilledWorker):
            return Failure(
                shard,
                WorkerLostError(
                    f"shard {shard.number} (rows from {shard.before + 1:,}): the workers that scored it were lost; if "
                    "memory ran out, use a smaller `partition=`"
                ),
            )
        # A worker that joined late and has a pyramidion without this function can't even read its task.
        if isinstance(error, ImportError | AttributeError):
            raise InputError(f"a worker can't score: {error}; install pyramidion {VERSION} on all of them; {AGAIN}")
        raise error


def _require_scheduler(address: str) -> None:
    """Refuse an address where something else answers, such as the dashboard: Dask would wait for ever.

    Raises:
        InputError: if whoever listens does not greet.
        OSError: if nobody listens.
    """
    scheme, separator, rest = address.rpartition("://")
    # Other ways of talking, such as TLS, greet only after a handshake of their own.
    if separator and scheme != "tcp":
        return
    host, _, port = rest.rstrip("/").rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=GREETING_SECONDS) as connection:
        try:
            # A scheduler speaks first; a web server waits for a request.
            greeting = connection.recv(1)
        except TimeoutError:
            greeting = b""
    if not greeting:
        raise InputError(
            f"{mention('engine', f'dask://{address}')}: no Dask scheduler answers there; is it the port of the "
            "dashboard? A scheduler usually has 8786"
        )


def _as_they_finish(finished: Any, client: Any, name: str) -> Iterator[Any]:
    """Futures as they are done; as long as none is, the workers are looked after.

    Raises:
        InputError: if no worker is left that could finish anything.
    """
    heard = time.monotonic()
    while not finished.is_empty():
        batch = finished.next_batch(block=False)
        if batch:
            heard = time.monotonic()
            yield from batch
            continue
        time.sleep(POLL_SECONDS)
        if time.monotonic() - heard > PATIENCE_SECONDS:
            _require_live_workers(client, name)
            heard = time.monotonic()


def _require_live_workers(client: Any, name: str) -> None:
    """Refuse to wait for workers that are gone; say it if only some are silent.

    Raises:
        InputError: if no worker has been heard of for a while.
    """
    workers = client.scheduler_info(n_workers=-1)["workers"]
    silent = [address for address, worker in workers.items() if time.time() - worker["last_seen"] > PATIENCE_SECONDS]
    if len(silent) == len(workers):
        state = "answer" if workers else "are left"
        raise InputError(f"{mention('engine', name)}: no workers {state}; start some; {AGAIN}")
    if silent:
        warnings.warn(f"no answer from {', '.join(silent)} for {PATIENCE_SECONDS:g} seconds; waiting", stacklevel=2)


def _outcome_of_same_version(version: str, job: Job, shard: Shard) -> Outcome:
    """The outcome of a shard, on a worker whose signatures are those of the whole run.

    Raises:
        InputError: if the worker joined late with another version.
    """
    if version != VERSION:
        raise InputError(f"a worker has pyramidion {VERSION}; expected {version}. Install the same version; {AGAIN}")
    return outcome_of(job, shard)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """What Dask's loggers would say about a lost scheduler is said in our words."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    were_disabled = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was_disabled in zip(loggers, were_disabled, strict=True):
            logger.disabled = was_disabled


def _version() -> str:
    return VERSION


def _check_versions(client: Any, address: str) -> None:
    """Workers with another pyramidion would give other signatures."""
    try:
        versions = client.run(_version)
    except ImportError:
        raise InputError(
            f"{mention('engine', f'dask://{address}')}: the workers lack pyramidion; install it there, too"
        ) from None
    if not versions:
        raise InputError(
            f"{mention('engine', f'dask://{address}')}: the cluster has no workers; start one: `dask worker {address}`"
        )
    for worker, version in versions.items():
        if version != VERSION:
            raise InputError(
                f"{worker} has pyramidion {version}; expected {VERSION}, as here. Install the same version."
            )
