"""Names of files that are not finished yet, and what a process that died left under such names.

A name tells which process writes the file: its computer, its number and when it started. Once that process is gone,
the next one that writes into the same folder removes what it left.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import secrets
import shutil
import socket
import sys
import time
from pathlib import Path

PART, OLD = "part", "old"
"""What is not finished, and the old content of a file that is being replaced."""
ABANDONED = 7 * 24 * 3600
"""Seconds without a change after which a file of another computer is nobody's."""
_NAME = re.compile(r"\.(?P<host>[0-9a-f]{8})-(?P<process>\d+)-(?P<start>\d+)-[0-9a-f]{16}\.(?:part|old)")


def unfinished_name(kind: str) -> str:
    """A new name for a file, or a folder, that this process is writing."""
    process = os.getpid()
    return f".{_host()}-{process}-{_start_of(process) or 0}-{secrets.token_hex(8)}.{kind}"


def is_unfinished(path: Path) -> bool:
    """Whether the name is that of something that is being written, or was."""
    return _NAME.fullmatch(path.name) is not None


@functools.lru_cache(maxsize=256)
def remove_leftovers(folder: Path) -> None:
    """Remove what dead processes left in the folder; it is looked at once by each process."""
    try:
        found = [path for path in folder.iterdir() if is_unfinished(path)]
    except OSError:
        return
    for path in found:
        if _is_left(path):
            with contextlib.suppress(OSError):
                remove_tree(path)


def remove_tree(path: Path) -> None:
    """Remove a file, or a folder with everything in it, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _is_left(path: Path) -> bool:
    """Whether the process that wrote under this name is dead; on another computer: has long done nothing."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        return False
    if name["host"] == _host() and sys.platform != "win32":
        return not _is_running(int(name["process"]), int(name["start"]))
    try:
        return time.time() - path.stat().st_mtime > ABANDONED
    except OSError:
        return False


def _is_running(process: int, start: int) -> bool:
    """Whether a process of this number that started then is alive; where its start is not known, any of the number."""
    try:
        os.kill(process, 0)  # asks, and sends nothing
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        pass
    return not start or _start_of(process) in (start, None)


def _start_of(process: int) -> int | None:
    """When a process started, in ticks since the computer did; None where this is not known (not Linux)."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        return int(stat.rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None


@functools.cache
def _host() -> str:
    """This computer, or this container: process numbers mean nothing elsewhere."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return hashlib.blake2b(f"{socket.gethostname()} {space}".encode(), digest_size=4).hexdigest()
