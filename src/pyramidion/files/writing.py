"""Writing files so that a crash loses nothing: each appears whole, under its own name, or not at all.

Inside `written_together`, several files appear together: all are written next to their targets first, then renamed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from os import fsync
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when everything has been written and synced.

    A link stays a link: what it points to is replaced. A device or a pipe is written to as it is.
    """
    path = path.resolve()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        pending = _pending.get()
        if pending is None:
            temporary.replace(path)
        else:
            pending.append((path, temporary))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines atomically, each with its line end."""
    with atomic_writer(path) as file:
        for line in lines:
            file.write(line + b"\n")


def remove(path: Path) -> None:
    """Remove a file, if it is there; inside `written_together`, when everything has been written."""
    pending = _pending.get()
    if pending is None:
        path.unlink(missing_ok=True)
    elif path.exists():
        pending.append((path.resolve(), None))


Pending = list[tuple[Path, Path | None]]
"""Targets and the complete files that take their place, in the order of renaming; None: the target is removed."""
_pending: ContextVar[Pending | None] = ContextVar("pending", default=None)


@contextlib.contextmanager
def written_together() -> Iterator[None]:
    """Files written inside appear together at its end; if anything fails before, none of them does."""
    if _pending.get() is not None:  # what is outside decides
        yield
        return
    pending: Pending = []
    token = _pending.set(pending)
    try:
        yield
        _rename_all(pending)
    finally:
        _pending.reset(token)
        for _, temporary in pending:
            if temporary is not None:
                temporary.unlink(missing_ok=True)


def _rename_all(pending: Pending) -> None:
    """Put every file in its place; if one can't be, those before it get their old content back."""
    done: list[tuple[Path, Path | None]] = []
    try:
        for path, temporary in pending:
            done.append((path, _second_name(path)))
            if temporary is None:
                path.unlink()
            else:
                temporary.replace(path)
    except BaseException:
        for path, before in reversed(done):
            if before is not None:
                before.replace(path)
            else:
                path.unlink(missing_ok=True)
        raise
    finally:
        for _, before in done:
            if before is not None:
                before.unlink(missing_ok=True)


def _second_name(path: Path) -> Path | None:
    """A second name for a file that is about to be replaced; None if there is no such file."""
    if not path.exists():
        return None
    second = path.with_name(f".{secrets.token_hex(8)}.old")
    try:
        os.link(path, second)
    except OSError:  # a file system without links
        second.write_bytes(path.read_bytes())
    return second
