"""The campaign's files as the server sees them: read again when someone changed them, written whole or not at all.

Rows that the server does not replace keep their bytes and their order.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import NounTable
from pyramidion.campaign.folder import SCORES, read_content, write_rows
from pyramidion.campaign.settings import FILE
from pyramidion.errors import InputError
from pyramidion.files.locks import lock_campaign
from pyramidion.files.problems import Problems
from pyramidion.files.writing import atomic_writer
from pyramidion.scores.reading import tables_in

Stamp = tuple[int, int, int] | None
"""When a file was changed, its size and its inode: a file that is replaced has a new one. None: no file."""
SUMMARIES = "summaries"


@dataclass(frozen=True)
class FileRow:
    """A row of a file: its place, its bytes, and what they say."""

    place: int
    line: bytes
    noun: Any


@dataclass(frozen=True, eq=False)
class Content:
    """What others put into the files, the last time that they did."""

    campaign: Campaign
    rows: Mapping[str, Sequence[FileRow]]


class CampaignFiles:
    """The files of one campaign folder."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(f"{folder}: found no folder; expected a campaign folder. `assess demo` makes one.")
        if not any((folder / name).exists() for name in (FILE, *map(_file, NOUNS))):
            raise InputError(
                f"{folder}: found no campaign; expected at least campaign.toml, topics.jsonl or summaries.jsonl in it"
            )
        self.folder = folder
        self._paths = [folder / name for name in (FILE, *map(_file, NOUNS))]
        self._lock = threading.RLock()
        self._stamps: dict[Path, Stamp] = {}
        self._content: Content | None = None
        self._lines: dict[str, Sequence[bytes]] = {}
        summaries = folder / _file(SUMMARIES)
        if not summaries.exists():  # people are going to write them here
            with lock_campaign(folder):
                if not summaries.exists():  # nobody has imported some meanwhile
                    write_rows(folder, {SUMMARIES: ()})

    def read(self) -> Content:
        """What the files hold; they are read again if someone else changed them.

        Raises:
            CampaignError: if there are errors in them.
        """
        with self._lock:
            # Again until nobody writes while we read, else rows of two states would be mixed.
            while self._content is None or self._current() != self._stamps:
                stamps = self._current()
                content = self._read_again()
                if self._current() == stamps:  # else someone wrote while we read
                    self._content, self._stamps = content, stamps
                    self._lines = {name: [row.line for row in rows] for name, rows in content.rows.items()}
            return self._content

    def rows_on_disk(self) -> dict[str, list[FileRow]]:
        """The rows as the files have them now, those that the server wrote included, by the name of the noun.

        Raises:
            CampaignError: if there are errors in them.
        """
        return {name: list(rows) for name, rows in self._read_again().rows.items()}

    @contextmanager
    def change(self) -> Iterator[None]:
        """Change files in here as an editor would; if that leads to errors, they are as before. Holds the lock.

        Raises:
            InputError: if what was changed is no campaign any more; nothing of it stays.
        """
        with lock_campaign(self.folder), self._lock:
            contents = {path: path.read_bytes() if path.exists() else None for path in self._paths}
            try:
                yield
                self.read()
            except BaseException:
                for path, content in contents.items():
                    _put_back(path, content)
                self.read()
                raise

    def latest(self) -> Content:
        """What the files hold or, while someone leaves errors in them or writes them, what they held before."""
        before = self._content
        # Pages must not wait for whoever reads or writes a large campaign: they get what was read last.
        if not self._lock.acquire(blocking=before is None):
            assert before is not None
            return before
        try:
            return self.read()
        except InputError:
            if before is None:
                raise
            return before
        finally:
            self._lock.release()

    def write(self, lines: Mapping[str, Sequence[bytes]]) -> list[str]:
        """Let files have these lines, by the name of the noun; those that change appear together.

        Returns:
            The names of the files that changed.

        Raises:
            OSError: if a file can't be written; then all stay as they were.
        """
        with self._lock:
            # A file that stays as it is keeps its time, so that others need not read it again.
            changed = {name: rows for name, rows in lines.items() if self._lines.get(name, []) != rows}
            write_rows(self.folder, changed)
            for name, rows in changed.items():
                path = self.folder / _file(name)
                self._lines[name] = list(rows)
                self._stamps[path] = _stamp(path)
            return list(changed)

    def _current(self) -> dict[Path, Stamp]:
        return {path: _stamp(path) for path in (*self._paths, *tables_in(self.folder / SCORES, Problems()))}

    def _read_again(self) -> Content:
        problems = Problems()
        content = read_content(self.folder, problems, keep_lines=True)
        problems.refuse()
        content.campaign.require_single_outputs("assess")
        return Content(content.campaign, {name: _rows(content.tables[noun]) for name, noun in NOUNS.items()})


def _put_back(path: Path, content: bytes | None) -> None:
    """Let a file have the content that it had; None: there was no such file."""
    if content is None:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != content:
        with atomic_writer(path, own=True) as file:
            file.write(content)


def _file(name: str) -> str:
    return f"{name}.jsonl"


def _rows(table: NounTable[Any]) -> list[FileRow]:
    return [FileRow(number, line, noun) for (number, noun), line in zip(table.rows, table.lines, strict=True)]


def _stamp(path: Path) -> Stamp:
    try:
        facts = path.stat()
    except FileNotFoundError:
        return None
    return (facts.st_mtime_ns, facts.st_size, facts.st_ino)
