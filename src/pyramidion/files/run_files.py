"""The files of one run: what it reads, and what it is going to write, so that no output overwrites an input."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyramidion.errors import UsageError

_FileKey = tuple[int, int]
"""The device and the number of a file there: the same for all names of a file."""


class RunFiles:
    """The files of one run: one command, or one evaluation."""

    def __init__(self) -> None:
        self._read: set[Path] = set()
        self._keys: frozenset[_FileKey] = frozenset()
        self._compared = 0
        self._outputs: dict[_FileKey, Path] = {}
        self._replaceable: set[_FileKey] = set()

    @property
    def read_paths(self) -> frozenset[Path]:
        """The files that were read so far."""
        return frozenset(self._read)

    def note_read(self, path: Path) -> None:
        """Note a file that is about to be read.

        Raises:
            UsageError: if it is an output that was announced.
        """
        if self._outputs:
            key = _key_of(path)
            if key in self._outputs:
                raise _refusal(self._outputs[key])
        self._read.add(path.absolute())

    def expect_output(self, path: Path, *, may_replace: bool) -> None:
        """Note a file that is going to be written, and whether the user agreed that it replaces what is read.

        Raises:
            UsageError: if it was read, and the user did not agree to replace it.
        """
        key = _key_of(path)
        if key is None:
            return
        if may_replace:
            self._replaceable.add(key)
            return
        self._replaceable.discard(key)
        self.refuse_read(path)
        self._outputs[key] = path

    @contextmanager
    def expecting(self, path: Path) -> Iterator[None]:
        """Refuse to read, inside, the file that is going to be written; afterwards it may be read as any other.

        Raises:
            UsageError: if it was read before.
        """
        self.expect_output(path, may_replace=False)
        try:
            yield
        finally:
            self._outputs.clear()
            self._replaceable.clear()

    def refuse_read(self, path: Path) -> None:
        """Refuse to write a file that was read.

        Raises:
            UsageError: if it was, under whatever name.
        """
        key = _key_of(path)
        if key is None or key in self._replaceable:
            return
        # stat() of thousands of files takes time: only when more were read since the last question.
        if self._compared != len(self._read):
            self._compared = len(self._read)
            self._keys = frozenset(filter(None, map(_key_of, self._read)))
        if key in self._keys:
            raise _refusal(path)


def _key_of(path: Path) -> _FileKey | None:
    """What identifies a file that exists, also through links; None for anything else."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino


def _refusal(output: Path) -> UsageError:
    return UsageError(f"{output} is read by this run, and no output overwrites what is read; write to another file")
