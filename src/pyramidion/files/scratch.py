"""Where this process keeps what nobody needs after it: a temporary folder, removed at its end or by the next.

What keeps a temporary file from being written is said with its place; it is no fault of the file that is read.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pyramidion.errors import InputError
from pyramidion.files.characters import is_whole
from pyramidion.files.leftovers import PART, remove_leftovers, unfinished_name

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when there is no room for a file, or not for one so large."""
_BLOCK = 2**20


@functools.cache
def _folder() -> Path:
    """The folder; made when it is first needed."""
    place = Path(tempfile.gettempdir())
    remove_leftovers(place)
    folder = place / unfinished_name(PART)
    folder.mkdir(mode=0o700)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def scratch_file(name: str) -> Path:
    """A path for a new file of this name, in a folder of its own.

    Raises:
        InputError: if there can be none.
    """
    try:
        return Path(tempfile.mkdtemp(dir=_folder())) / name
    except OSError as error:
        raise no_scratch(error) from None


def scratch_copy(opened: IO[bytes], name: str) -> Path:
    """A file of this name with everything that is left to read.

    Raises:
        InputError: if it can't be written.
        OSError: if it can't be read.
    """
    path = scratch_file(name)
    with path.open("wb", buffering=0) as file:
        while block := opened.read(_BLOCK):
            try:
                while block:
                    block = block[file.write(block) :]
            except OSError as error:
                raise no_scratch(error) from None
    return path


@contextlib.contextmanager
def removed_afterwards(path: Path) -> Iterator[Path]:
    """Remove such a file when it has been used: the folder may stay for long."""
    try:
        yield path
    finally:
        shutil.rmtree(path.parent, ignore_errors=True)


def no_scratch(error: OSError) -> InputError:
    """Why there is no temporary file, and what to do."""
    return InputError(
        f"{tempfile.gettempdir()}: temporary files can't be written ({error.strerror or error}); free some space "
        "there, or set TMPDIR to another folder"
    )


def utf8_path(path: str | Path) -> str:
    """A path for libraries that know no names but those in UTF-8: the file's own, or that of a link to it."""
    return str(path) if is_whole(str(path)) else str(_link_to(Path(path).absolute()))


@functools.cache
def _link_to(path: Path) -> Path:
    link = scratch_file(f"link{path.suffix if is_whole(path.suffix) else ''}")
    link.symlink_to(path)
    return link
