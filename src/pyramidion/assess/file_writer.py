"""The campaign's files follow the work: at once when something is handed in, within seconds otherwise.

Of several servers on one database, one writes: the one that holds the lock.
"""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from typing import IO, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.log import log
from pyramidion.files.locks import lock_campaign

LATEST = 3.0
"""Seconds after an event until the files have it (with the time of writing: under five)."""
LOOK = 0.5
"""Seconds between two looks at the database: other servers store events, too."""
AGAIN = 5.0
"""Seconds until the next try when the files could not be written."""
LOCK_FILE = ".assessment.lock"
LOCK_NUMBER = 0x70797261  # "pyra": the advisory lock on PostgreSQL


class Lock(Protocol):
    """Held by one server of all that share a database."""

    def hold(self) -> bool:
        """Take the lock, or see that it is still held; False if another has it."""

    def release(self) -> None:
        """Let another have it."""


class FileWriter:
    """A thread that writes the campaign's files while the server runs."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment
        self.lock: Lock = lock_of(assessment.engine, assessment.folder)
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="campaign files", daemon=True)
        self._seen: tuple[object, ...] | None = None
        self._since = 0.0

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Look now: something was handed in."""
        self._wake.set()

    def stop(self) -> None:
        """Write what is left, and end."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        is_last_look = False
        while not is_last_look:
            self._wake.wait(LOOK)
            self._wake.clear()
            is_last_look = self._stopping.is_set()  # asked before the look, so that a look always follows the stop
            try:
                if self.lock.hold():
                    self.look()
            except Exception as error:  # whatever it is, events go on being stored, and the next try may work
                self._failed(error)
                self._stopping.wait(AGAIN)
        with contextlib.suppress(SQLAlchemyError):
            self.lock.release()

    def look(self) -> None:
        """Write if something was handed in, or if something else has waited long enough."""
        stamp = self.assessment.work.stamp()
        if stamp == self._seen:
            self._since = 0.0
            return
        self._since = self._since or time.monotonic()
        finished = self._seen is None or stamp[1] != self._seen[1]
        if finished or self._stopping.is_set() or time.monotonic() - self._since >= LATEST - LOOK:
            write_files(self.assessment)
            self._seen, self._since = stamp, 0.0

    def _failed(self, error: Exception) -> None:
        if not self.assessment.problem:
            log.error("the campaign's files can't be written", exc_info=error)
        database = "the database does not answer" if isinstance(error, SQLAlchemyError) else ""
        self.assessment.problem = database or str(error)


def write_files(assessment: Assessment) -> list[str]:
    """Bring the campaign's files up to date with the work.

    Returns:
        The names of the files that changed.

    Raises:
        InputError: if someone left errors in the files, or is changing them; nothing is written then.
        OSError: if a file can't be written; then all of them stay as they were.
    """
    with lock_campaign(assessment.folder):
        written = assessment.files.write(assessment.view.lines())
    assessment.problem = ""
    return written


def lock_of(engine: Engine, folder: Path) -> Lock:
    """The lock of the one server that writes."""
    return AdvisoryLock(engine) if engine.dialect.name == "postgresql" else FileLock(folder / LOCK_FILE)


class AdvisoryLock:
    """PostgreSQL's, held by a connection of its own: if the server dies, it is free."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._connection: Connection | None = None

    def hold(self) -> bool:
        """Take the lock, or see that the connection that holds it still lives."""
        if self._connection is not None:
            try:
                self._connection.execute(sa.text("SELECT 1"))
            except SQLAlchemyError:
                self._drop()
                raise
            return True
        connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        is_held = connection.scalar(sa.text("SELECT pg_try_advisory_lock(:number)"), {"number": LOCK_NUMBER})
        if is_held:
            self._connection = connection
        else:
            connection.close()
        return bool(is_held)

    def release(self) -> None:
        """Let another have it."""
        self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()  # closing the connection itself frees the lock
            connection.close()


class FileLock:
    """A locked file in the campaign's folder, for servers on one computer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def hold(self) -> bool:
        """Take the lock; where there is no such lock (Windows), there is one server only."""
        if self._file is not None:
            return True
        try:
            import fcntl
        except ImportError:
            return True
        file = self.path.open("ab")  # whatever the name leads to stays as it is
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Let another have it."""
        if self._file is not None:
            self._file.close()
            self._file = None
