"""Sheets of Excel (.xlsx, .xlsm, .xls) and of OpenDocument (.ods): cells as CSV would have them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

from pyramidion.errors import MissingExtraError
from pyramidion.files import guards
from pyramidion.files.opening import TOO_FAR
from pyramidion.show.wording import listed

ENDINGS_OF_SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
EXTRA = "sheets"


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The cells of one sheet of a workbook."""

    name: str
    rows: Sequence[Sequence[str]]
    others: Sequence[str] = ()
    """Further sheets with something in them."""

    def describe(self, file_name: str) -> str:
        """Which sheet is read, if there are several; else nothing."""
        if not self.others:
            return ""
        return f"{file_name}: the sheet {self.name!r} is read, not {listed(self.others)}: the first one counts"


def read_sheet(path: Path) -> Sheet:
    """The first sheet of a workbook that has something in it.

    Raises:
        MissingExtraError: if the library that reads workbooks is not installed.
        ValueError: if the file is no workbook.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingExtraError(f"reading {path.name}", EXTRA) from None
    filled: dict[str, list[list[str]]] = {}
    if zipfile.is_zipfile(path):
        _refuse_bomb(path)
    try:
        workbook = CalamineWorkbook.from_path(str(path))
        for name in workbook.sheet_names:
            rows = _texts_of(workbook.get_sheet_by_name(name).to_python(skip_empty_area=False))
            if any(map(any, rows)):
                filled[name] = rows
    except CalamineError as error:
        raise ValueError(str(error)) from None
    if not filled:
        return Sheet(name="", rows=[])
    first, *others = filled
    return Sheet(name=first, rows=filled[first], others=others)


def _refuse_bomb(path: Path) -> None:
    """Refuse a workbook that grows too far, before anything is unpacked.

    Raises:
        ValueError: if it does, or its directory can't be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked_bytes = sum(info.file_size for info in archive.infolist())
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from None
    if guards.grows_too_far(unpacked_bytes, path.stat().st_size):
        raise ValueError(TOO_FAR)


def _texts_of(rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    return [[cell_text(cell) for cell in row] for row in rows]


def cell_text(cell: Any) -> str:
    """A cell as CSV has it: whole numbers without a fraction, dates as ISO 8601 writes them.

    >>> [cell_text(cell) for cell in (3.0, 0.25, "", True, date(2026, 1, 31))]
    ['3', '0.25', '', 'TRUE', '2026-01-31']
    """
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell.total_seconds())
    return str(cell)
