"""Writing files so that a crash loses nothing: each appears whole, under its own name, or not at all."""

from __future__ import annotations

import contextlib
import secrets
import stat
from collections.abc import Iterable, Iterator
from os import fsync
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when everything has been written and synced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines atomically, each with its line end."""
    with atomic_writer(path) as file:
        for line in lines:
            file.write(line + b"\n")
