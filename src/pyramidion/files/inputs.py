"""The files that a run reads and those that it is going to write: no output replaces a file that the run reads.

Every file that is opened for reading (`paths.open_file`) is noted, also one that an option, a settings file or another
file names. An output that is known before is compared with each file as it is opened, so that nothing is computed in
vain; every output is compared again before it is written.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator
from contextvars import ContextVar
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

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Note what is read and compare what is written inside, here and in the runs that this one is part of."""
        runs = _runs.get()
        if self in runs:
            yield
            return
        token = _runs.set((*runs, self))
        try:
            yield
        finally:
            _runs.reset(token)
            self._outputs.clear()
            self._replaceable.clear()

    def note_read(self, path: Path) -> None:
        """Note a file that is about to be read.

        Raises:
            UsageError: if it is an output that was announced.
        """
        if self._outputs and (output := self._outputs.get(_key_of(path) or (0, 0))) is not None:
            raise _refusal(output)
        self._read.add(path.absolute())

    def expect_output(self, path: Path, *, may_replace: bool) -> None:
        """Note a file that is going to be written, and whether the user agreed that it replaces what is read."""
        key = _key_of(path)
        if key is None:
            return
        if may_replace:
            self._replaceable.add(key)
            return
        self._replaceable.discard(key)
        self.refuse_read(path)
        self._outputs[key] = path

    def refuse_read(self, path: Path) -> None:
        """Refuse to write a file that was read.

        Raises:
            UsageError: if it was, under whatever name.
        """
        key = _key_of(path)
        if key is None or key in self._replaceable:
            return
        if self._compared != len(self._read):
            self._compared = len(self._read)
            self._keys = frozenset(filter(None, map(_key_of, self._read)))
        if key in self._keys:
            raise _refusal(path)


_runs: ContextVar[tuple[RunFiles, ...]] = ContextVar("runs", default=())


def note_read(path: Path) -> None:
    """Note in the present runs that a file is about to be read.

    Raises:
        UsageError: if it is an output that was announced.
    """
    for run in _runs.get():
        run.note_read(path)


def expect_output(path: Path, *, may_replace: bool) -> None:
    """Note in the present runs that a file is going to be written.

    Raises:
        UsageError: if it was read, and the user did not agree to replace it.
    """
    for run in _runs.get():
        run.expect_output(path, may_replace=may_replace)


def refuse_read(path: Path) -> None:
    """Refuse to write what one of the present runs has read.

    Raises:
        UsageError: if it was, under whatever name.
    """
    for run in _runs.get():
        run.refuse_read(path)


def _key_of(path: Path) -> _FileKey | None:
    """What identifies a file that is there, also through links; None for anything else."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return (facts.st_dev, facts.st_ino) if stat.S_ISREG(facts.st_mode) else None


def _refusal(output: Path) -> UsageError:
    return UsageError(f"{output} is read by this run, and no output overwrites what is read; write to another file")
