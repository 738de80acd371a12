"""The campaign's files as the server sees them: read again when someone changed them, written whole or not at all.

Rows that the server does not replace keep their bytes and their order.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import Table, check_tables
from pyramidion.campaign.folder import SCORES, read_table
from pyramidion.campaign.nouns import Noun
from pyramidion.campaign.settings import FILE, read_settings
from pyramidion.errors import InputError
from pyramidion.files.lines import BYTE_ORDER_MARK
from pyramidion.files.locks import lock_campaign
from pyramidion.files.problems import Problems
from pyramidion.files.writing import write_lines
from pyramidion.scores.reading import read_columns, tables_in
from pyramidion.scores.table import ScoreTable

Stamp = tuple[int, int, int] | None
"""When a file was changed, its size and its inode: a file that is replaced has a new one. None: no file."""
SUMMARIES = "summaries"


@dataclass(frozen=True)
class Row:
    """A row of a file: its place, its bytes, and what they say."""

    place: int
    line: bytes
    noun: Any


@dataclass(frozen=True, eq=False)
class Content:
    """What others put into the files, the last time that they did."""

    campaign: Campaign
    rows: Mapping[str, Sequence[Row]]


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
                    write_lines(summaries, [], own=True)

    def read(self) -> Content:
        """What the files hold; they are read again if someone else changed them.

        Raises:
            CampaignError: if there are errors in them.
        """
        with self._lock:
            while self._content is None or self._current() != self._stamps:
                stamps = self._current()
                content = self._read_again(stamps)
                if self._current() == stamps:  # else someone wrote while we read
                    self._content, self._stamps = content, stamps
                    self._lines = {name: [row.line for row in rows] for name, rows in content.rows.items()}
            return self._content

    def latest(self) -> Content:
        """What the files hold or, while someone leaves errors in them or writes them, what they held before."""
        before = self._content
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

    def write(self, name: str, lines: Sequence[bytes]) -> bool:
        """Let a file have these lines; False if it has them already.

        Raises:
            CampaignError: if someone else left errors in the files; nothing is written then.
        """
        path = self.folder / _file(name)
        with self._lock:
            if self._lines.get(name, []) == lines:
                return False
            if lines or name == SUMMARIES:
                write_lines(path, lines, own=True)
            else:
                path.unlink(missing_ok=True)
            self._lines[name] = list(lines)
            self._stamps[path] = _stamp(path)
            return True

    def _current(self) -> dict[Path, Stamp]:
        return {path: _stamp(path) for path in (*self._paths, *tables_in(self.folder / SCORES, Problems()))}

    def _read_again(self, stamps: Mapping[Path, Stamp]) -> Content:
        problems = Problems()
        settings = read_settings(self.folder / FILE, problems) if stamps[self.folder / FILE] else Campaign()
        tables: dict[str, Table[Any]] = {
            name: read_table(self.folder / _file(name), noun, problems) for name, noun in NOUNS.items()
        }
        scores = read_columns(tables_in(self.folder / SCORES, problems), problems)
        check_tables({NOUNS[name]: table for name, table in tables.items()}, scores, settings.questions, problems)
        problems.refuse()
        nouns: dict[str, Any] = {name: table.nouns for name, table in tables.items()}
        campaign = replace(settings, imported=ScoreTable().join(*scores.values()), **nouns)
        return Content(campaign, {name: _rows(table) for name, table in tables.items()})


def _file(name: str) -> str:
    return f"{name}.jsonl"


def _rows(table: Table[Noun]) -> list[Row]:
    if not table.rows:
        return []
    lines = table.path.read_bytes().removeprefix(BYTE_ORDER_MARK).split(b"\n")
    return [Row(number, lines[number - 1].strip(b" \t\r"), noun) for number, noun in table.rows]


def _stamp(path: Path) -> Stamp:
    try:
        facts = path.stat()
    except FileNotFoundError:
        return None
    return (facts.st_mtime_ns, facts.st_size, facts.st_ino)
