"""Writing files so that a crash loses nothing: each appears whole, under its own name, or not at all.

Inside `written_together`, several files appear together: all are written first and then renamed. A new folder is
written beside its place and appears by one rename. What is there at the end is on the disk, not only on its way.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from os import fsync
from pathlib import Path
from typing import IO

from pyramidion.errors import InputError
from pyramidion.files.opening import resolve_links
from pyramidion.files.problems import RunFiles
from pyramidion.files.scratch import OLD, PART, remove_leftovers, remove_tree, unfinished_name
from pyramidion.files.targets import REQUIRED, is_new_or_empty, require_no_campaign_file


@contextlib.contextmanager
def atomic_writer(path: Path, *, own: bool = False) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when everything has been written and synced.

    A link stays a link: what it points to is replaced. A device or a pipe is written to as it is.

    Args:
        path: the file.
        own: whether a campaign writes its own file; nothing else may overwrite one.

    Raises:
        UsageError: if it is a campaign's own file, or an input of what is written together.
    """
    if not own:
        require_no_campaign_file(path)
    together = _together.get()
    if together is not None and together.inputs is not None:
        together.inputs.refuse_read(path)
    path = resolve_links(path)
    place = path if together is None else together.place_of(path)
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if place != path and place.exists() and not own:
        raise InputError(
            f"{path}: two files of this name would be written: two ids differ only in a way that this disk ignores, "
            "such as capital letters. Rename one of them."
        )
    if place.exists() and not place.is_file():
        with _opened_at_once(place) as file:
            yield file
        return
    new_folders = _missing_folders(place.parent)
    # In the same folder: a rename is atomic within a file system only.
    temporary = place.with_name(unfinished_name(PART))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place == path:
            remove_leftovers(path.parent)
        with temporary.open("xb") as file:
            yield file
            file.flush()
            # Before the rename: else a power cut could leave the new name with empty content.
            fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            # Who made a file readable for the group finds it so after it was replaced.
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        if together is not None and place == path:
            together.new_folders += new_folders
            together.pending.append((path, temporary))
        else:
            temporary.replace(place)
            sync_folder(place.parent)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        _remove_empty(new_folders)
        if (refused := _refusal_of(error, path)) is not None:
            raise refused from error
        if isinstance(error, OSError) and error.filename in (None, str(temporary)):
            error.filename = str(path)  # what the user knows
        raise


def _opened_at_once(path: Path) -> IO[bytes]:
    """A device or a pipe, opened for writing; a pipe that nobody reads is an error, not something to wait for."""
    try:
        # Opening a pipe for writing waits for a reader; with O_NONBLOCK it fails with ENXIO instead.
        opened = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "nobody reads from this pipe", str(path)) from None
        raise
    os.set_blocking(opened, True)
    return os.fdopen(opened, "wb")


def _refusal_of(error: BaseException, path: Path) -> OSError | None:
    """The system's error that another library's words hide (`… (os error 28)`), such as a disk that is full."""
    number = re.search(r"\(os error (\d+)\)", str(error))
    if number is None or not isinstance(error, Exception) or getattr(error, "errno", None) is not None:
        return None
    return OSError(int(number[1]), os.strerror(int(number[1])), str(path))


def write_lines(path: Path, lines: Iterable[bytes], *, own: bool = False) -> None:
    """Write lines atomically, each with its line end."""
    with atomic_writer(path, own=own) as file:
        for line in lines:
            file.write(line + b"\n")


def make_folder(path: Path) -> None:
    """Make a folder, if it is not there; inside `written_together`, it appears with the files."""
    together = _together.get()
    if together is not None:
        path = together.place_of(resolve_links(path))
    path.mkdir(parents=True, exist_ok=True)


def copy_folder(source: Path, target: Path) -> None:
    """Copy the files of a campaign folder into another, each whole."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            with atomic_writer(target / path.relative_to(source), own=True) as file:
                file.write(path.read_bytes())


def remove(path: Path) -> None:
    """Remove a file, if it is there; inside `written_together`, when everything has been written."""
    together = _together.get()
    if together is None:
        path.unlink(missing_ok=True)
    elif path.exists():
        together.pending.append((resolve_links(path), None))


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk: only then does a renamed file survive a power cut."""
    if os.name == "nt":  # which can't open a folder
        return
    with contextlib.suppress(OSError):  # some network file systems refuse it
        opened = os.open(folder, os.O_RDONLY)
        try:
            fsync(opened)
        finally:
            os.close(opened)


class _WriteBatch:
    """What is written inside `written_together`: files that wait for their names, and a folder that grows elsewhere."""

    def __init__(self, folder: Path | None, inputs: RunFiles | None) -> None:
        self.inputs = inputs
        self.folder = None if folder is None else resolve_links(folder)
        self._is_new = folder is not None and is_new_or_empty(folder)
        self.pending: list[tuple[Path, Path | None]] = []
        """Targets and the complete files that take their place, in the order of renaming; None: it is removed."""
        self.new_folders: list[Path] = []
        """Folders that were not there before, outer ones first; a batch that fails removes them."""
        self._growing: Path | None = None

    def place_of(self, path: Path) -> Path:
        """Where a file is written: below the folder that grows, if it belongs to that, otherwise in its place."""
        if self.folder is None or not path.is_relative_to(self.folder) or path == self.folder:
            return path
        return self._where_it_grows(self.folder) / path.relative_to(self.folder)

    def appear(self) -> None:
        """Give everything its name; if that fails, everything gets its old content back.

        Raises:
            InputError: if the folder was new, and somebody else has written into it meanwhile.
        """
        grown, folder = self._growing, self.folder
        if grown is None or folder is None:
            _rename_all(self.pending)
        elif self._is_new and not is_new_or_empty(folder):
            raise InputError(
                f"{folder}: another command has written there meanwhile; nothing was written. Choose another place."
            )
        elif folder.exists():
            # summaries.jsonl last: a folder is a campaign once it has this file, and then it is complete.
            for path in sorted(grown.rglob("*"), key=lambda path: path.name == REQUIRED):
                if path.is_dir():
                    self._make(folder / path.relative_to(grown))
                else:
                    self.pending.append((folder / path.relative_to(grown), path))
            _rename_all(self.pending)
        else:
            for inner in (grown, *(path for path in grown.rglob("*") if path.is_dir())):
                sync_folder(inner)
            _rename_all(self.pending, finally_=lambda: grown.rename(folder))
            sync_folder(folder.parent)

    def clean_up(self) -> None:
        """Remove what did not appear."""
        try:
            unlink_all([temporary for _, temporary in self.pending if temporary is not None])
        finally:
            if self._growing is not None:
                remove_tree(self._growing)

    def remove_new_folders(self) -> None:
        """Remove the folders that a failed batch made; what somebody else has put there stays."""
        _remove_empty(self.new_folders)

    def _make(self, folder: Path) -> None:
        """Make a folder with its parents, and remember which of them are new."""
        # Before they are made: a signal that arrives right after mkdir would lose them.
        self.new_folders += _missing_folders(folder)
        folder.mkdir(parents=True, exist_ok=True)

    def _where_it_grows(self, folder: Path) -> Path:
        """Beside a new folder, inside one that is there: it may be where another disk is mounted."""
        if self._growing is None:
            beside = folder if folder.is_dir() else folder.parent
            self._make(beside)
            remove_leftovers(beside)
            # Named before it is made: clean_up knows it, even if a signal arrives right after mkdir.
            self._growing = beside / unfinished_name(PART)
            try:
                self._growing.mkdir()
            except OSError as error:
                error.filename = str(folder)  # what the user knows
                raise
        return self._growing


_together: ContextVar[_WriteBatch | None] = ContextVar("together", default=None)


@contextlib.contextmanager
def written_together(folder: Path | None = None, inputs: RunFiles | None = None) -> Iterator[None]:
    """Files written inside appear together at its end; if anything fails before, none of them does.

    Args:
        folder: a folder that is new, as a rule: it appears as a whole, by one rename.
        inputs: what was read to make them, and is not overwritten.
    """
    if _together.get() is not None:  # what is outside decides
        yield
        return
    together = _WriteBatch(folder, inputs)
    token = _together.set(together)
    try:
        yield
        together.appear()
    except BaseException:
        _together.reset(token)
        together.clean_up()
        together.remove_new_folders()
        raise
    _together.reset(token)
    together.clean_up()


def _nothing() -> None:
    pass


def _rename_all(pending: list[tuple[Path, Path | None]], finally_: Callable[[], object] = _nothing) -> None:
    """Put every file in its place, and do the last step; if one fails, those before it get their old content back."""
    done: list[tuple[Path, Path | None]] = []
    try:
        for path, temporary in pending:
            # The second name is noted before the file has it: a signal in between would leave a file that nobody knows.
            second = path.with_name(unfinished_name(OLD)) if path.exists() else None
            done.append((path, second))
            if second is not None:
                _keep_old_content(path, second)
            if temporary is None:
                path.unlink()
            else:
                temporary.replace(path)
        for folder in dict.fromkeys(path.parent for path, _ in pending):
            sync_folder(folder)
        finally_()
    except BaseException:
        for path, second in reversed(done):
            if second is None:
                path.unlink(missing_ok=True)
            elif second.exists():  # otherwise nothing has happened to the file yet
                second.replace(path)
        raise
    finally:
        unlink_all([second for _, second in done if second is not None])


def unlink_all(paths: Sequence[Path]) -> None:
    """Remove files; a signal that arrives meanwhile leaves none of them."""
    try:
        for path in paths:
            path.unlink(missing_ok=True)
    except BaseException:
        for path in paths:
            path.unlink(missing_ok=True)
        raise


def _keep_old_content(path: Path, second: Path) -> None:
    """Give a file that is about to be replaced a second name, under which its content stays."""
    try:
        # A hard link costs nothing, whatever the size, and keeps the old content when the name gets the new one.
        os.link(path, second)
    except OSError:  # a file system without links
        try:
            second.write_bytes(path.read_bytes())
        except BaseException:
            second.unlink(missing_ok=True)  # half a copy must not take the place of the file
            raise


def _missing_folders(folder: Path) -> list[Path]:
    """The folder and its parents that are not there yet, outer ones first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    return missing[::-1]


def _remove_empty(folders: Sequence[Path]) -> None:
    """Remove those folders that are empty, inner ones first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # something is in it, or it was never made
            folder.rmdir()
