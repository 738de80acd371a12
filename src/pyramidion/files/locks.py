"""One change of a campaign at a time: whoever reads a campaign, changes it and writes it holds the lock of its folder.

The lock is one of the operating system's on a file in the folder. It ends with the process that holds it, so that a
process that was killed blocks nobody. Those who only read a campaign need no lock: each file is replaced whole.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pyramidion.errors import InputError
from pyramidion.files.opening import resolve_links
from pyramidion.files.writing import unlink_all

LOCK_FILE = ".campaign.lock"
WAIT_SECONDS = 10.0
"""How long to wait for somebody else's change to end."""
LOOK_SECONDS = 0.05
"""The time between two attempts to take the lock."""
_OWNER_BYTES = 200
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a file system says that has no locks."""
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class CampaignLockedError(InputError):
    """Somebody else has been changing the campaign for longer than we wait. Nothing was written."""


@contextlib.contextmanager
def lock_campaign(folder: Path) -> Iterator[None]:
    """Hold the lock of a campaign folder, for reading, changing and writing it; other processes and threads wait.

    Where nothing can be written, or where the file system has no locks, there is none.

    Raises:
        CampaignLockedError: if somebody else holds it for longer than `WAIT_SECONDS`.
    """
    path = resolve_links(folder) / LOCK_FILE
    file = _take(path, folder)
    try:
        yield
    finally:
        if file is not None:
            _release(path, file)


@contextlib.contextmanager
def lock_file(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of a file that is appended to, and make the file if it is not there.

    Args:
        path: the file.
        what: what somebody else is doing who holds the lock, for the message.

    Raises:
        InputError: if somebody else holds it.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        try:
            is_ours = _try_lock(file)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            is_ours = True
        if not is_ours:
            raise InputError(f"{path}: {what}; wait until it has ended")
        yield
    finally:
        os.close(file)


def _take(path: Path, folder: Path) -> int | None:
    """The descriptor of the locked file; None where there can be no lock."""
    latest = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            file = _open(path)
        except OSError as error:
            if error.errno in _READ_ONLY:
                return None
            raise
        try:
            if _try_lock(file) and _is_named(path, file):
                owner = f"process {os.getpid()} on {socket.gethostname()}, since {time.strftime('%H:%M:%S')}"
                os.ftruncate(file, 0)
                os.write(file, owner.encode(errors="replace")[:_OWNER_BYTES])
                return file
            owner = _owner(file)
        except OSError as error:
            os.close(file)
            if error.errno in _NO_LOCKS:
                unlink_all([path])
                return None
            raise
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        if time.monotonic() >= latest:
            raise CampaignLockedError(
                f"{folder}: another command has been changing this campaign for more than {WAIT_SECONDS:g} seconds"
                f"{owner}. Nothing was written; try again when it has finished."
            )
        time.sleep(LOOK_SECONDS)


def _open(path: Path) -> int:
    """The file, made if need be; never one that a link leads to, which would be somebody's data."""
    # Without blocking: whatever else has this name, such as a pipe, is refused below, not waited for.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.open(path, flags | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise _not_ours(path) from None
        raise
    facts = os.fstat(file)
    # A file with a second name is somebody's data, and the owner is written into the lock.
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        os.close(file)
        raise _not_ours(path)
    return file


def _not_ours(path: Path) -> InputError:
    return InputError(f"{path}: found something else than a lock of pyramidion; remove it")


if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 2**30
    """A byte behind all that is in the file: others can still read who holds the lock."""

    def _try_lock(file: int) -> bool:
        """Lock the file; False if somebody else has."""
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _try_lock(file: int) -> bool:
        """Lock the file; False if somebody else has, be it another thread of this process."""
        try:
            # Not POSIX locks (lockf): those belong to the process, so that its threads would not exclude each other.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _is_named(path: Path, file: int) -> bool:
    """Whether the name still leads to this file: whoever held the lock before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


def _owner(file: int) -> str:
    """Who holds the lock, in brackets; nothing if that is not known."""
    os.lseek(file, 0, os.SEEK_SET)
    text = os.read(file, _OWNER_BYTES).decode(errors="replace")
    if text.isprintable() and text:
        return f" ({text})"
    return ""


def _release(path: Path, file: int) -> None:
    """Remove the file and end the lock; in this order, so that nobody takes a lock on a file without a name."""
    if sys.platform == "win32":  # which does not remove what is open
        os.close(file)
        with contextlib.suppress(OSError):
            path.unlink()
        return
    try:
        unlink_all([path])
    finally:
        os.close(file)
