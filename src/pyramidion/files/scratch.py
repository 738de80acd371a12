"""Temporary files: names of what is not finished yet, and copies that nobody needs after this process.

A process that was killed can't remove what it was writing. Whoever writes into the same folder later removes it once
it is a day old.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pyramidion.errors import InputError
from pyramidion.files import guards

PART, OLD = "part", "old"
"""What is not finished, and the old content of a file that is being replaced."""
_UNFINISHED = re.compile(r"\.pyramidion-[0-9a-f]{16}\.(?:part|old)")
_BLOCK_BYTES = 2**20


def unfinished_name(kind: str) -> str:
    """A new name for a file, or a folder, that is being written."""
    # Random, not by process id: on a network drive two machines can have processes of the same number.
    return f".pyramidion-{secrets.token_hex(8)}.{kind}"


def is_unfinished(path: Path) -> bool:
    """Whether the name is that of something that is being written, or was."""
    return _UNFINISHED.fullmatch(path.name) is not None


@functools.lru_cache(maxsize=256)
def remove_leftovers(folder: Path) -> None:
    """Remove what was not finished within a day; each process looks at a folder once."""
    try:
        paths = [path for path in folder.iterdir() if is_unfinished(path)]
    except OSError:
        return
    latest = time.time() - guards.ABANDONED_SECONDS
    for path in paths:
        # By age, because whether the writer is alive can't be told across machines and containers.
        with contextlib.suppress(OSError):  # somebody else's, or removed meanwhile
            if path.lstat().st_mtime < latest:
                remove_tree(path)


def remove_tree(path: Path) -> None:
    """Remove a file, or a folder with everything in it, if it is there."""
    # rmtree refuses links to folders; such a link is removed itself, never what it leads to.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def scratch_copy(opened: IO[bytes], name: str) -> Path:
    """A temporary file of this name with everything that is left to read; it is gone when the process ends.

    Raises:
        InputError: if it can't be written, which is no fault of the file that is read.
        OSError: if it can't be read.
    """
    try:
        path = _new_folder() / name
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise _no_room(error) from None
    with file:
        while block := opened.read(_BLOCK_BYTES):
            try:
                while block:
                    # An unbuffered file may take only a part of a block, such as on a disk that is nearly full.
                    block = block[file.write(block) :]
            except OSError as error:
                raise _no_room(error) from None
    return path


@contextlib.contextmanager
def removed_afterwards(path: Path) -> Iterator[Path]:
    """Remove such a copy when it has been used: the process may run for long."""
    try:
        yield path
    finally:
        shutil.rmtree(path.parent, ignore_errors=True)


def _new_folder() -> Path:
    """A new folder in that of this process, which is made again if it was not used for a day and removed."""
    folder = _process_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=folder))


@functools.cache
def _process_folder() -> Path:
    """Where this process keeps its temporary files."""
    place = Path(tempfile.gettempdir())
    remove_leftovers(place)
    folder = place / unfinished_name(PART)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _no_room(error: OSError) -> InputError:
    return InputError(
        f"{tempfile.gettempdir()}: temporary files can't be written ({error.strerror or error}); free some space "
        "there, or set TMPDIR to another folder"
    )
