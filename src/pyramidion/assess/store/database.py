"""One database, whichever it is: transactions that are durable when they return, and never wait for each other long."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from pyramidion.assess.store.migrate import migrate
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import is_encodable

EXPECTED = "postgresql://user:password@host/name"
CHECK = "check the path, its permissions and the free disk space"
BUSY = 30
"""Seconds to wait for another writer on SQLite."""


def sqlite_url(path: Path) -> sa.URL:
    """The address of a SQLite file; as text, a question mark in a folder's name would end the path."""
    return sa.URL.create("sqlite", database=str(path))


def open_database(url: str | sa.URL) -> Engine:
    """Open the database and bring its tables up to date.

    Raises:
        UsageError: if the address is none of a database.
        InputError: if its file can't be made.
    """
    if isinstance(url, str):
        scheme, separator, rest = url.partition("://")
        if not separator or scheme not in ("postgresql", "postgres", "sqlite") or not is_encodable(rest):
            raise UsageError(f"{mention('database', f'{scheme}{separator}…')}: expected {EXPECTED}")
        try:
            url = sa.make_url(url if scheme == "sqlite" else f"postgresql+psycopg://{rest}")
        except (ValueError, sa.exc.ArgumentError):
            raise UsageError(f"{mention('database', f'{scheme}://…')}: can't be read; expected {EXPECTED}") from None
    is_file = url.get_backend_name() == "sqlite"
    if is_file and not url.database:
        raise UsageError(f"{mention('database', url)}: names no file; expected sqlite:///path/to/file")
    # A server may have closed a connection while it was idle; a file has not.
    engine = sa.create_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=not is_file)
    if is_file:
        engine = engine.execution_options(one_writer=threading.Lock())
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        _keep_private(engine)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def now() -> str:
    """This moment, in UTC, to the millisecond: what files and events hold."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection to read with: one consistent view."""
    with engine.connect().execution_options(read_only=True) as connection:
        yield connection


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that has been stored when the block ends, or has not happened.

    SQLite has one writer at a time. The threads of this process wait for their turn before they take a connection:
    in SQLite itself they would wait by trying again and again, and could keep all connections from who has the turn.
    """
    with engine.get_execution_options().get("one_writer", contextlib.nullcontext()), engine.begin() as connection:
        yield connection


def _keep_private(engine: Engine) -> None:
    """A new file is readable by its owner alone."""
    file = Path(engine.url.database or "")
    try:
        file.touch(mode=0o600, exist_ok=True)
    except OSError as error:
        raise InputError(f"{file}: can't be written ({error.strerror}); {CHECK}") from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY * 1000}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once, so that it never fails half way; a reader sees one moment."""
    only_reads = connection.get_execution_options().get("read_only")
    connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
