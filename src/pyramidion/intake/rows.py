"""The rows of a table in any of the usual kinds of file: JSON lines, JSON, CSV, TSV, Parquet, Arrow; also compressed.

A row is a dictionary, as JSON would have it. Lines of JSON come as bytes, because whoever reads them may know a quick
way to decode them. Rows of all kinds but JSON are read in pieces that fit in memory.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from pyramidion.files import guards
from pyramidion.files.lines import BYTE_ORDER_MARK, is_utf16, note_unreadable, read_lines, without_mark
from pyramidion.files.opening import ending_of, open_bytes, unpacked
from pyramidion.files.parquet import PARQUET, read_arrow, read_columns, read_parquet, rows_in
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.roles import keys_of

if TYPE_CHECKING:
    import polars as pl

RowFormat = Literal["jsonl", "json", "csv", "tsv", "parquet", "arrow"]
ENDINGS: Mapping[str, RowFormat] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    PARQUET: "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
"""What the ending of a file promises."""
FROM_TEXT: frozenset[RowFormat] = frozenset({"csv", "tsv"})
"""Kinds of file whose cells are all text, numbers included."""
HEAD_BYTES = 65_536
SAMPLE_ROWS = 200
"""Rows that are looked at to find out what the columns are."""
_SEPARATORS = ",;\t|"
_OBJECT = msgspec.json.Decoder(dict[str, Any])

Row = bytes | dict[str, Any]
"""A line of JSON, or a row of any other file."""


def format_of(path: Path) -> RowFormat | None:
    """What kind of table a file holds: by its ending, else by its first bytes; None if it is none.

    Many a .json file holds JSON lines; a file without a known ending, such as standard input, may hold anything.
    """
    ending = ending_of(path)
    promised = ENDINGS.get(ending)
    if promised not in (None, "json") or (promised is None and ending not in ("", ".txt")):
        return promised
    head = _head(path)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith(b"["):
        return "json"
    if text.startswith(b"{"):
        first, _, rest = text.partition(b"\n")
        return "jsonl" if rest.lstrip().startswith(b"{") and _is_object(first) else promised or "jsonl"
    if promised or ending == ".txt" or not text:
        return promised
    return "tsv" if b"\t" in text.partition(b"\n")[0] else "csv"


def read_rows(path: Path, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
    """Every row with its line (or its number, where a file has no lines); what can't be read is noted.

    Args:
        path: the file.
        problems: where problems are noted.
        mark_is_fine: whether CSV may start with a byte-order mark, as spreadsheets write it.
    """
    format = format_of(path) or "jsonl"
    if format == "jsonl":
        yield from read_lines(path, problems)
    elif format in ("parquet", "arrow"):
        rows = chain.from_iterable(map(rows_in, read_frames(path, problems)))
        yield from enumerate(rows, start=1)
    else:
        try:
            if format == "json":
                yield from enumerate(_read_json(path, problems), start=1)
            else:
                separator = "\t" if format == "tsv" else ","
                yield from _read_text(path, problems, separator, mark_is_fine=mark_is_fine)
        except OSError as error:
            note_unreadable(path, error, problems)


def read_objects(
    path: Path, problems: Problems, expected: str, *, mark_is_fine: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same rows as dictionaries; a line of JSON that is no object is an error, which says what was expected."""
    for number, row in read_rows(path, problems, mark_is_fine=mark_is_fine):
        if isinstance(row, bytes):
            try:
                row = _OBJECT.decode(row)
            except (ValueError, RecursionError) as error:
                problems.at(path, number).error(shorten(str(error)), expected, "Correct or remove the line.")
                continue
        yield number, row


def read_frames(path: Path, problems: Problems) -> Iterator[pl.DataFrame]:
    """A Parquet file, or an Arrow table, in pieces; what can't be read is noted."""
    try:
        with unpacked(path) as plain:
            read = read_arrow if format_of(path) == "arrow" else read_parquet
            yield from read(plain, problems, name=path)
    except OSError as error:
        note_unreadable(path, error, problems)


def sample_rows(path: Path) -> list[dict[str, Any]]:
    """The first rows of a file that can be read; what is wrong with them is noted when they are read in earnest."""
    return sample_of(row for _, row in read_rows(path, Problems()))


def sample_of(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Those of the first rows that can be read."""
    found: list[dict[str, Any]] = []
    for raw in islice(rows, SAMPLE_ROWS):
        if isinstance(raw, bytes):
            try:
                raw = json.loads(raw)
            except (ValueError, RecursionError):
                continue
        if isinstance(raw, dict):
            found.append(raw)
    return found


def columns_of(path: Path) -> list[str]:
    """The names of the columns, those of a table without rows included, as far as the first rows have them."""
    format = format_of(path)
    if format == "parquet":
        return read_columns(path) or keys_of(sample_rows(path))
    return _header(path) if format in FROM_TEXT else keys_of(sample_rows(path))


def _header(path: Path) -> list[str]:
    line = _head(path).removeprefix(BYTE_ORDER_MARK).decode(errors="replace")
    separator = _separator(line, "\t" if format_of(path) == "tsv" else ",")
    try:
        rows = csv.reader(io.StringIO(line, newline=""), delimiter=separator)
        return [cell.strip() for cell in next(filter(None, rows), [])]
    except csv.Error:
        return []


def _separator(text: str, usual: str) -> str:
    """The separator of cells: the usual one, else the one that the first line has most of."""
    header = text.partition("\n")[0]
    return usual if usual in header else max(_SEPARATORS, key=header.count)


def _head(path: Path) -> bytes:
    try:
        with open_bytes(path) as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _read_text(
    path: Path, problems: Problems, separator: str, *, mark_is_fine: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """CSV or TSV with a header; the separator is the one that the header has, if the usual one is not there."""
    csv.field_size_limit(guards.CELL_CHARACTERS)  # an article is longer than what csv takes for a cell
    at = problems.at(path)
    with open_bytes(path) as file:
        buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))
        start = buffered.peek(3)
        if is_utf16(start, path, problems):
            return
        if start.startswith(BYTE_ORDER_MARK):
            without_mark(buffered.read(3), path, Problems() if mark_is_fine else problems)
        separator = _separator(buffered.peek(HEAD_BYTES).decode(errors="replace"), separator)
        text = io.TextIOWrapper(buffered, encoding="utf-8", newline="")
        reader = csv.reader(text, delimiter=separator, strict=True)
        try:
            yield from _with_header(filter(None, reader), reader, at)
        except csv.Error as error:
            at.at(reader.line_num).error(str(error), "a row of CSV", "Correct the quotes of the row.")
        except UnicodeDecodeError as error:
            found = f"byte 0x{error.object[error.start]:02X} after line {reader.line_num}, which is not UTF-8"
            at.error(found, "UTF-8 text", "Convert the file, for instance: iconv -f WINDOWS-1252 -t UTF-8.")
        finally:
            text.detach()


def _with_header(rows: Iterator[list[str]], reader: Any, at: Place) -> Iterator[tuple[int, dict[str, str]]]:
    header = [name.strip() for name in next(rows, [])]
    repeated = [name for name, count in Counter(header).items() if count > 1]
    if repeated:
        found = f"the columns {', '.join(header)}: {', '.join(map(repr, repeated))} more than once"
        at.at(1).error(found, "each column once", "Rename one of them.")
        return
    for cells in rows:
        if len(cells) == len(header):
            yield reader.line_num, dict(zip(header, cells, strict=True))
        else:
            expected = f"{len(header)} cells, as in the header"
            at.at(reader.line_num).error(f"{len(cells)} cells", expected, "Quote cells that contain the separator.")


def _read_json(path: Path, problems: Problems) -> Sequence[Any]:
    """The rows of a JSON document: a list of objects, an object with such a list, or one with a list per column."""
    at = problems.at(path)
    repeated: list[str] = []

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return found

    with open_bytes(path) as file:
        content = file.read()
    if is_utf16(content, path, problems):
        return []
    try:
        held = json.loads(without_mark(content, path, problems), object_pairs_hook=as_object)
    except (ValueError, RecursionError) as error:
        at.error(shorten(str(error), 120), "a JSON document", "Correct the file; JSON lines end in .jsonl.")
        return []
    for key in dict.fromkeys(repeated):
        at.error("the key more than once in one object", "each key once", "Keep one of them.", field=key)
    return [] if repeated else rows_of(held, at)


def rows_of(held: Any, at: Place) -> Sequence[Any]:
    """The rows in a value of JSON; what holds none is an error."""
    if isinstance(held, list):
        if all(isinstance(row, dict) for row in held):
            return held
        wrong = next(row for row in held if not isinstance(row, dict))
        at.error(f"a list with {shorten(wrong)}", "a list of objects, one per row", "Write each row as an object.")
        return []
    if not isinstance(held, dict):
        at.error(shorten(held), "a list of objects, one per row", "Write each row as an object.")
        return []
    lists = {key: value for key, value in held.items() if isinstance(value, list) and value}
    tables = [value for value in lists.values() if all(isinstance(row, dict) for row in value)]
    if len(tables) == 1:
        return tables[0]
    if lists and len(lists) == len(held) and len(set(map(len, lists.values()))) == 1:
        return [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]
    if held and all(isinstance(value, dict) for value in held.values()):
        return _by_key(held)
    return [held]


def _by_key(held: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Objects under a key each: columns by row, as pandas writes them, or rows by id."""
    rows = list(dict.fromkeys(chain.from_iterable(held.values())))
    numbered = all(str(row).isdigit() for row in rows)
    if numbered and rows:
        return [{name: column.get(row) for name, column in held.items()} for row in rows]
    return [{"id": key} | row for key, row in held.items()]
