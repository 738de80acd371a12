"""What a path leads to: a file that can be read to its end, and where it really is."""

from __future__ import annotations

import errno
import functools
import os
import stat
from pathlib import Path
from typing import IO

from pyramidion.errors import InputError, UsageError
from pyramidion.files.inputs import note_read

_OTHERS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
READ_PIPES = "Give a file, or - to read standard input."


class NoFileError(OSError):
    """The path leads to something that has no end, or that waits for another program."""


def open_file(path: Path, *, is_input: bool = True) -> IO[bytes]:
    """The file, opened for reading; every file that a user names is opened here.

    Args:
        path: the file.
        is_input: whether results depend on it, so that no output may replace it; a glance at its format, or what
            a run keeps for itself, is none.

    Raises:
        NoFileError: if it is a pipe, a socket or a device.
        OSError: if it can't be opened.
        UsageError: if it is an output of this run, or if this process was forked from one that has opened files.
    """
    _refuse_fork()
    check_file(path)
    if is_input:
        note_read(path)
    return path.open("rb")


@functools.cache
def _first_process() -> int:
    """The process that opened the first file; a fork inherits the answer."""
    return os.getpid()


def _refuse_fork() -> None:
    """Refuse to read in a forked process, which lacks the threads of Polars and would wait for them for ever."""
    if _first_process() != os.getpid():
        raise UsageError(
            "this process was forked after pyramidion had started its threads, which a fork does not have: it would "
            'wait for ever. Use multiprocessing.get_context("spawn") for worker processes, or start them before '
            "anything is read or scored."
        )


def check_file(path: Path) -> None:
    """Refuse what has no end or waits for another program, before it is opened.

    Raises:
        NoFileError: if it is a pipe, a socket or a device.
        OSError: if there is nothing.
    """
    if (other := _OTHERS.get(stat.S_IFMT(path.stat().st_mode))) is not None:
        raise NoFileError(errno.EINVAL, other, str(path))


def refuse_others(path: Path) -> None:
    """Refuse a path that a user gave as data if it leads to neither a file nor a folder; nothing at all is fine here.

    Raises:
        InputError: if it is a pipe, a socket or a device, or a link that leads in a circle.
    """
    try:
        check_file(path)
    except NoFileError as error:
        raise InputError(f"{path}: found {error.strerror}; expected a file or a folder. {READ_PIPES}") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{path}: found links that lead in a circle; expected a file or a folder") from None


def is_inherited_pipe(path: Path) -> bool:
    """Whether it is a pipe that the shell handed to this process: /dev/stdin, or `<(…)`, which is /dev/fd/63."""
    if path != Path("/dev/stdin") and path.parent not in (Path("/dev/fd"), Path("/proc/self/fd")):
        return False
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False


def resolved(path: Path) -> Path:
    """Where the path leads.

    Raises:
        OSError: if its links lead in a circle.
    """
    try:
        return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
