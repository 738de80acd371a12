"""A table that a user gave, opened once: its format, its columns, its first rows, then all rows or all columns.

JSON lines, JSON, CSV, TSV, Parquet and Arrow, also compressed, and rows that are in memory already: data frames, lists
of dictionaries, lists by column. Files in lines and Parquet are read in pieces that fit in memory.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import json
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, cast

import msgspec

from pyramidion.errors import UsageError
from pyramidion.files import guards
from pyramidion.files.opening import (
    BLANK,
    BYTE_ORDER_MARK,
    UTF16_MARKS,
    ending_of,
    is_utf16,
    note_unreadable,
    note_windows_ends,
    open_bytes,
    stem_of,
    unpacked,
    without_mark,
)
from pyramidion.files.parquet import PARQUET, exactly, read_arrow, read_parquet
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import keys_of, number_of
from pyramidion.intake.column_questions import IN_MEMORY
from pyramidion.intake.sheets import ENDINGS_OF_SHEETS, Sheet, read_sheet

if TYPE_CHECKING:
    import polars as pl

RowFormat = Literal["jsonl", "json", "csv", "tsv", "sheet", "parquet", "arrow"]
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
    **dict.fromkeys(ENDINGS_OF_SHEETS, "sheet"),
}
"""What the ending of a file promises."""
FROM_TEXT: frozenset[RowFormat] = frozenset({"csv", "tsv", "sheet"})
"""Kinds of file whose cells are all text, numbers included."""
HEAD_BYTES = 65_536
SAMPLE_ROWS = 200
"""Rows that are looked at to find out what the columns are."""
Row = bytes | dict[str, Any]
"""A line of JSON, or a row of any other file."""
CHUNK_BYTES = 8 * 2**20
"""Bytes of lines that are read at once."""
CHUNK_ROWS = 16_384
"""Rows of other files that are read at once."""
PARQUET_PIECE_BYTES = 32 * 2**20
"""Bytes of a Parquet file that are read at once, about."""
PARQUET_PIECE_ROWS = (1024, 65_536)
"""Fewest and most rows of a piece: each piece costs the decoding of its row group."""
_ENCODING_NAMES = {"cp1252": "Windows-1252", "utf-16": "UTF-16"}
_UNDEFINED_IN_WINDOWS = frozenset(b"\x81\x8d\x8f\x90\x9d")
"""Bytes that Windows-1252 has no character for."""
_ROW = msgspec.json.Decoder(dict[str, Any])
_TOTALS = frozenset(
    {
        *("average", "avg", "avg.", "mean", "means", "total", "totals", "sum", "overall", "median"),
        *("mittelwert", "durchschnitt", "gesamt", "summe", "mittel", "schnitt"),
    }
)
"""What sheets call a last row of means or sums."""
_FORMAT_NAMES: Mapping[str, str] = {"parquet": "a Parquet file", "arrow": "an Arrow table"}


class OpenedTable:
    """A table of a user: a file, or rows in memory.

    Attributes:
        path: what messages call it.
        format: what kind of file it is; None for rows in memory.
        columns: the names of the columns, as far as the first rows have them.
        sample: the first rows that can be read, by column.
    """

    path: Path
    format: RowFormat | None
    columns: list[str]
    sample: Sequence[Mapping[str, Any]]

    @property
    def has_text_cells(self) -> bool:
        """Whether all cells are text, numbers included, as in CSV."""
        return self.format in FROM_TEXT

    @property
    def system_name(self) -> str:
        """Whose the rows are if no column says so: the name of the file without its endings."""
        return stem_of(self.path)

    @property
    def as_given(self) -> OpenedTable:
        """The table before usual objects were unfolded and spelled numbers were read."""
        return self

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
        """Every row with its line (or its number, where a file has no lines); what can't be read is noted."""
        raise NotImplementedError

    def objects(self, problems: Problems, expected: str, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Any]]:
        """Every row as a dictionary; a line of JSON that is no object is an error.

        Args:
            problems: where problems are noted.
            expected: what the error says was expected.
            mark_is_fine: whether CSV may start with a byte-order mark, as spreadsheets write it.
        """
        for line, row in self.rows(problems, mark_is_fine=mark_is_fine):
            if not isinstance(row, bytes):
                yield line, row
                continue
            try:
                decoded = _ROW.decode(row)
            except (ValueError, RecursionError) as error:
                problems.at(self.path, line).error(shorten(str(error)), expected, "Correct or remove the line.")
            else:
                yield line, decoded

    def row_chunks(self, problems: Problems) -> Iterator[tuple[Sequence[int], list[Any]]]:
        """The rows with their lines, some thousands at a time: lines of JSON as bytes, other rows by column."""
        numbered_rows = self.rows(problems)
        while chunk := list(islice(numbered_rows, CHUNK_ROWS)):
            lines, rows = zip(*chunk, strict=True)
            yield lines, list(rows)

    def frames(self, problems: Problems, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame] | None:
        """The rows as data frames, some thousands at a time; None if the table is stored by rows.

        Args:
            problems: where problems are noted.
            columns: those that are read; all of them by default.
        """
        raise NotImplementedError


class ConvertedTable(OpenedTable):
    """A table whose rows are made of those of another table, one by one.

    Args:
        table: the other one.
    """

    def __init__(self, table: OpenedTable) -> None:
        self._table = table
        self.path: Path = table.path

    def convert_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row that is made of one of the other table."""
        raise NotImplementedError

    @property
    def as_given(self) -> OpenedTable:
        """The table as the user gave it."""
        return self._table.as_given

    @property
    def format(self) -> RowFormat | None:  # type: ignore[override]
        """What kind of file it is; rows that are neither text nor in memory are objects here, as those of JSON."""
        if self._table.has_text_cells or self._table.format is None:
            return self._table.format
        return "json"

    @property
    def system_name(self) -> str:
        """Whose the rows are if no column says so."""
        return self._table.system_name

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns."""
        return self._table.columns

    @cached_property
    def sample(self) -> Sequence[Mapping[str, Any]]:  # type: ignore[override]
        """The first rows that can be read."""
        return [self.convert_row(row) for row in self._table.sample]

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
        """Every row with its line; what can't be read is noted."""
        for line, row in self._table.objects(problems, "an object {…}", mark_is_fine=mark_is_fine):
            yield line, self.convert_row(row)

    def frames(self, problems: Problems, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame] | None:  # noqa: ARG002  # as of files
        """None: the rows are read one by one."""
        return None


class FileTable(OpenedTable):
    """A file with a table. A plain file is opened once, however often it is read; a compressed one for each reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        self._opened = contextlib.ExitStack()
        self._json: tuple[Sequence[Any], Problems] | None = None
        # The file stays open between readings; nobody has to close it, because tables end with their run.
        weakref.finalize(self, self._opened.close)

    @cached_property
    def format(self) -> RowFormat | None:  # type: ignore[override]
        """What the file holds, by its ending; without a telling one, by its first bytes. None if it is no table.

        Many a .json file holds JSON lines; a file without a known ending, such as standard input, may hold anything.
        """
        ending = ending_of(self.path)
        promised = ENDINGS.get(ending)
        # A .json file may hold one document or JSON lines, a .txt file anything.
        is_telling = ending not in ("", ".txt", ".json")
        if is_telling and promised in ("csv", "tsv", "jsonl"):
            # A Parquet file may be called .csv by mistake; no text begins like one.
            packed = _recognise_packed(self.head)
            if packed is None and promised == "jsonl" and _begins_list(self.head):
                return "json"
            return packed or promised
        if is_telling:
            return promised
        return _recognise_bytes(self.head, ending, promised)

    @cached_property
    def sample(self) -> Sequence[Mapping[str, Any]]:  # type: ignore[override]
        """The first rows that can be read; what is wrong with them is noted when they are read in earnest."""
        first = self._first_rows
        if first is not None:
            return first.to_dicts()
        return sample_of(row for _, row in self.rows(Problems()))

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, those of a table without rows included."""
        if self.format == "sheet":
            return list(self.sample[0]) if self.sample else []
        if self.has_text_cells:
            return _header_of(self._head_text, self._usual_separator)
        first = self._first_rows
        if first is not None:
            return first.columns
        return keys_of(self.sample)

    @cached_property
    def _first_rows(self) -> pl.DataFrame | None:
        """The first rows of Parquet and Arrow; an empty frame of what can't be read. None of other files."""
        import polars as pl

        if self.format not in ("parquet", "arrow"):
            return None
        if self.format == "parquet":
            frames = self._parquet_frames(Problems(), None, SAMPLE_ROWS)
        else:
            frames = _read_packed_frames(self.path, "arrow", Problems())
        return next(frames, pl.DataFrame()).head(SAMPLE_ROWS)

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
        """Every row with its line (or its number, where a file has no lines); what can't be read is noted."""
        if self.format in ("parquet", "arrow"):
            frames = self.frames(problems) or ()
            dictionaries = chain.from_iterable(frame.iter_rows(named=True) for frame in frames)
            yield from enumerate(dictionaries, start=1)
            return
        try:
            if self.format == "json":
                yield from enumerate(self._rows_of_document(problems), start=1)
            elif self.format == "sheet":
                yield from self._rows_of_sheet(problems)
            elif self.has_text_cells:
                yield from self._rows_of_cells(problems, mark_is_fine=mark_is_fine)
            else:
                yield from self._lines(problems)
        except OSError as error:
            note_unreadable(self.path, error, problems)

    def row_chunks(self, problems: Problems) -> Iterator[tuple[Sequence[int], list[Any]]]:
        """The rows with their lines, some thousands at a time: lines of JSON as bytes, other rows by column."""
        if self.format == "jsonl":
            return self.line_chunks(problems)
        return super().row_chunks(problems)

    def frames(self, problems: Problems, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame] | None:
        """The rows of Parquet and Arrow as data frames, some thousands at a time; None of other files."""
        if self.format == "parquet":
            return self._parquet_frames(problems, columns)
        if self.format == "arrow":
            return _selected(_read_packed_frames(self.path, "arrow", problems), columns)
        return None

    def _start(self) -> IO[bytes]:
        """The bytes of the file from its beginning.

        Raises:
            OSError: if it can't be read.
        """
        # A decompressor can't go back without starting again.
        if self._file is None or not self._file.seekable():
            self._opened.close()
            self._file = self._opened.enter_context(open_bytes(self.path))
        else:
            self._file.seek(0)
        return self._file

    @property
    def is_plain(self) -> bool:
        """Whether the file can be read and is not compressed."""
        try:
            return self._start().seekable()
        except OSError:
            return False

    @cached_property
    def head(self) -> bytes:
        """The first bytes; none of what can't be read."""
        try:
            return self._start().read(HEAD_BYTES)
        except OSError:
            return b""

    def line_chunks(self, problems: Problems) -> Iterator[tuple[list[int], list[bytes]]]:
        """The lines of a file of JSON lines that are not blank, with their numbers, some megabytes at a time."""
        windows_ends = before = blank_count = 0
        try:
            file = self._start()
            # readlines takes whole lines up to about this many bytes: no line is cut, and memory stays bounded.
            while lines := file.readlines(CHUNK_BYTES):
                if not before:
                    if is_utf16(lines[0], self.path, problems):
                        return
                    lines[0] = without_mark(lines[0], self.path, problems)
                windows_ends += sum(line.endswith(b"\r\n") for line in lines)
                numbers = list(range(before + 1, before + len(lines) + 1))
                before += len(lines)
                if any(map(bytes.isspace, lines)) or not all(lines):
                    is_filled = [bool(line) and not line.isspace() for line in lines]
                    blank_count += len(lines) - sum(is_filled)
                    numbers = list(compress(numbers, is_filled))
                    lines = list(compress(lines, is_filled))
                if blank_count > guards.BLANK_LINES:
                    problems.at(self.path).error(
                        f"more than {guards.BLANK_LINES:,} blank lines", "a row per line", "Write the file again."
                    )
                    return
                yield numbers, lines
        except OSError as error:
            note_unreadable(self.path, error, problems)
        finally:
            note_windows_ends(windows_ends, self.path, problems)

    def _lines(self, problems: Problems) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, one by one."""
        for numbers, lines in self.line_chunks(problems):
            for number, line in zip(numbers, lines, strict=True):
                yield number, line.strip(BLANK)

    @cached_property
    def _sheet(self) -> Sheet:
        """The sheet of a workbook that is read.

        Raises:
            ValueError: if the file is no workbook.
        """
        return read_sheet(self.path)

    def _rows_of_sheet(self, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of a sheet with a header."""
        at = problems.at(self.path)
        try:
            sheet = self._sheet
        except ValueError as error:
            at.error(shorten(str(error), 120), "a workbook (.xlsx, .xls, .ods)", "Save the file again, or as CSV.")
            return
        description = sheet.describe(self.path.name)
        if description:
            problems.remark(description)
        numbered_rows = ((number, list(row)) for number, row in enumerate(sheet.rows, start=1))
        yield from _rows_below_header(numbered_rows, at)

    @cached_property
    def _encoding(self) -> str:
        """The encoding of CSV: UTF-8; UTF-16, as Excel's "Unicode text"; else Windows-1252."""
        if self.head.startswith(UTF16_MARKS):
            return "utf-16"
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            file = self._start()
            while chunk := file.read(CHUNK_BYTES):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            # Zeros and bytes that Windows-1252 does not have: no text of that kind.
            rest = error.object
            is_binary = b"\0" in self.head or not _UNDEFINED_IN_WINDOWS.isdisjoint(rest)
            return "utf-8" if is_binary else "cp1252"
        except OSError:
            return "utf-8"  # what can't be read is noted with the rows
        return "utf-8"

    @cached_property
    def _head_text(self) -> str:
        """The first characters of CSV."""
        return self.head.removeprefix(BYTE_ORDER_MARK).decode(self._encoding, errors="replace").removeprefix("\ufeff")

    @property
    def _usual_separator(self) -> str:
        return "\t" if self.format == "tsv" else ","

    def _rows_of_cells(self, problems: Problems, *, mark_is_fine: bool) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of CSV or TSV with a header."""
        # csv's own limit is 131,072 characters.
        csv.field_size_limit(guards.CELL_CHARACTERS)  # an article is longer than what csv takes for a cell
        at = problems.at(self.path)
        head = self.head
        file = self._start()
        encoding = self._encoding
        if encoding != "utf-8":
            problems.remark(f"{self.path.name}: read as {_ENCODING_NAMES[encoding]}, not as UTF-8")
        file = self._start()
        if head.startswith(BYTE_ORDER_MARK):
            mark = file.read(len(BYTE_ORDER_MARK))
            if not mark_is_fine:
                without_mark(mark, self.path, problems)
        text = io.TextIOWrapper(cast(IO[bytes], _Borrowed(file)), encoding=encoding, newline="")
        reader = csv.reader(text, delimiter=_separator_of(self._head_text, self._usual_separator), strict=True)
        try:
            yield from _rows_below_header(((reader.line_num, row) for row in reader), at)
        except csv.Error as error:
            at.at(reader.line_num).error(str(error), "a row of CSV", "Correct the quotes of the row.")
        except UnicodeDecodeError as error:
            byte = f"byte 0x{error.object[error.start]:02X} after line {reader.line_num}, which is not UTF-8"
            at.error(byte, "UTF-8 text", "Convert the file, for instance: iconv -f WINDOWS-1252 -t UTF-8.")

    def _rows_of_document(self, problems: Problems) -> Sequence[Any]:
        """The rows of a JSON document, which is decoded once."""
        if self._json is None:
            noted = Problems()
            self._json = _decode_document(self._start().read(), self.path, noted), noted
        rows, noted = self._json
        problems.extend(noted)
        return rows

    def _parquet_frames(
        self, problems: Problems, columns: Sequence[str] | None, most_rows: int = PARQUET_PIECE_ROWS[1]
    ) -> Iterator[pl.DataFrame]:
        """The rows in pieces that hold about `PARQUET_PIECE_BYTES` of the file; an empty table is one empty piece."""
        import polars as pl

        try:
            file = self._start()
        except OSError as error:
            note_unreadable(self.path, error, problems)
            return
        if not file.seekable():  # compressed as a whole, which Polars does not read
            yield from _selected(_read_packed_frames(self.path, "parquet", problems), columns)
            return
        try:
            table = pl.scan_parquet(file)
            height = table.select(pl.len()).collect().item()
            size_bytes = file.seek(0, io.SEEK_END)
            # By the average row: texts make rows of a kilobyte or of a hundred, and row groups may hold millions.
            rows_of_piece = PARQUET_PIECE_BYTES * height // max(size_bytes, 1)
            step = min(max(rows_of_piece, PARQUET_PIECE_ROWS[0]), most_rows)
            if columns is not None:
                table = table.select(exactly(*columns, are_required=False))
            # A table without rows still has columns, which one empty frame tells.
            for start in range(0, max(height, 1), step):
                yield table.slice(start, step).collect()
        # Damaged pages make Polars panic; PanicException is no Exception, but a BaseException.
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            message = shorten(str(error), 120)
            problems.at(self.path).error(message, _FORMAT_NAMES["parquet"], "Write the file again.")


class MemoryTable(OpenedTable):
    """Rows in memory: a data frame, an Arrow table, lists by column, or dictionaries; an iterator is read once.

    Raises:
        UsageError: if it is none of these.
    """

    path: Path = Path(IN_MEMORY)
    format: RowFormat | None = None

    def __init__(self, data: Any) -> None:
        self._frame, self._dictionaries = _frame_or_dictionaries(data)

    @cached_property
    def sample(self) -> Sequence[Mapping[str, Any]]:  # type: ignore[override]
        """The first rows."""
        return list(islice(self._each(), SAMPLE_ROWS))

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, as far as the first rows have them."""
        if self._frame is not None:
            return self._frame.columns
        return keys_of(self.sample)

    @property
    def system_name(self) -> str:
        """Whose the rows are if no column says so."""
        return "system"

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:  # noqa: ARG002  # as of files
        """Every row with its number."""
        yield from enumerate(self._each(), start=1)

    def frames(self, problems: Problems, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame] | None:  # noqa: ARG002  # as of files
        """The data frame in one piece; None if the rows are dictionaries."""
        if self._frame is None:
            return None
        return _selected([self._frame], columns)

    def all_rows(self) -> Iterable[Mapping[str, Any]]:
        """The rows by column, without their numbers."""
        return self._each()

    def _each(self) -> Iterator[dict[str, Any]]:
        if self._frame is None:
            return iter(self._dictionaries)
        return self._frame.iter_rows(named=True)


def _frame_or_dictionaries(data: Any) -> tuple[pl.DataFrame | None, Sequence[dict[str, Any]]]:
    """The rows as a Polars frame where they are columns of Arrow already, else as dictionaries.

    Libraries are recognised by what their objects can do, because none of them needs to be installed.
    """
    if type(data).__name__ == "LazyFrame":
        data = data.collect()
    if type(data).__name__ == "Series":
        raise UsageError(
            "data is a Series, which is one column; expected a data frame with a column of summaries and one of "
            "references"
        )
    if type(data).__name__ == "DatasetDict":
        data = _choose_split(data)
    is_polars = hasattr(data, "iter_rows")
    if is_polars:
        return data, ()
    is_pandas = hasattr(data, "to_dict") and hasattr(data, "reset_index")
    # Before the test for Arrow: pandas has __arrow_c_stream__, too, but its mixed columns can't become Arrow.
    if is_pandas:
        return None, _rows_of_pandas(data)
    if hasattr(data, "__arrow_c_stream__"):  # Arrow tables, and data frames of other libraries
        import polars as pl

        return pl.DataFrame(data), ()
    if isinstance(data, Mapping):
        return None, _rows_of_mapping(data)
    has_items = isinstance(data, Iterable) and getattr(data, "ndim", 1) != 0  # an array of no dimension has none
    rows = list(data) if has_items else [data]
    if rows and all(map(_is_frame, rows)):
        raise UsageError(
            'data is a list of data frames; expected one, or a dictionary with the name of each system: {"A": frame, …}'
        )
    if not all(isinstance(row, Mapping) for row in rows):
        raise UsageError(
            "data is a path, `demo`, a campaign, a data frame, or dictionaries with topic, summarizer and summary"
        )
    return None, rows


def _choose_split(splits: Mapping[str, Any]) -> Any:
    """The split of a DatasetDict that is evaluated: test, else the only one.

    Raises:
        UsageError: if it is not clear which one is meant.
    """
    if "test" in splits:
        return splits["test"]
    if len(splits) == 1:
        return next(iter(splits.values()))
    names = ", ".join(map(repr, splits))
    raise UsageError(f"data is a DatasetDict with the splits {names}; expected one: data[{next(iter(splits), '')!r}]")


def _rows_of_pandas(frame: Any) -> list[dict[str, Any]]:
    """The rows of a pandas data frame; an index with a name is a column."""
    if frame.columns.nlevels > 1:
        # As a pivot makes them: (coherence, gpt) is coherence_gpt.
        names = ["_".join(filter(None, map(str, levels))) for levels in frame.columns]
        frame = frame.set_axis(names, axis=1)
    has_named_index = any(name is not None for name in frame.index.names)
    has_text_index = any(isinstance(label, str) for label in frame.index[:1])
    if has_named_index or has_text_index:
        frame = frame.reset_index()
    rows: list[dict[str, Any]] = frame.to_dict(orient="records")
    return rows


def _rows_of_mapping(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a dictionary: one for each place in its columns, the rows of a frame for each system, or itself.

    Raises:
        UsageError: if the columns have different lengths.
    """
    if data and all(map(_is_frame, data.values())):
        rows: list[dict[str, Any]] = []
        for system, frame in data.items():
            rows += [{"summarizer": system, **row} for row in MemoryTable(frame).all_rows()]
        return rows
    columns = {name: _as_column(values) for name, values in data.items()}
    lists = {name: values for name, values in columns.items() if values is not None}
    if not data or len(lists) < len(data):
        return [cast(dict[str, Any], data)]
    lengths = {len(values) for values in lists.values()}
    if len(lengths) > 1:
        raise UsageError("lists of different lengths; expected as many values in each column")
    return _rows_of_columns(lists)


def _is_frame(value: Any) -> bool:
    """Whether a value is a data frame or an Arrow table."""
    return hasattr(value, "columns") or hasattr(value, "column_names")


def _as_column(values: Any) -> Sequence[Any] | None:
    """A list, a tuple, an array of numpy or a Series as a sequence; None of anything else."""
    if isinstance(values, list | tuple):
        return values
    for method in ("tolist", "to_list"):  # of numpy and pandas, and of Polars
        if hasattr(values, method):
            items = getattr(values, method)()
            return items if isinstance(items, list) else None
    return None


def _rows_of_columns(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The rows of lists by column, which have the same length."""
    names = list(columns)
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _selected(frames: Iterable[pl.DataFrame], columns: Sequence[str] | None) -> Iterator[pl.DataFrame]:
    """The frames with these columns, as far as they have them; None: with all columns."""
    for frame in frames:
        if columns is None:
            yield frame
        else:
            yield frame.select(exactly(*columns, are_required=False))


class _Borrowed(io.BufferedReader):
    """A file that stays open when the text reader around it is done."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(_RestOfFile(file))


class _RestOfFile(io.RawIOBase):
    """The bytes of a file from where it is."""

    def __init__(self, file: IO[bytes]) -> None:
        self._source = file

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
        content = self._source.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


def _recognise_packed(head: bytes) -> RowFormat | None:
    """Whether a file that is called a text is a Parquet or Arrow file."""
    if head.startswith(b"PAR1"):
        return "parquet"
    return "arrow" if head.startswith(b"ARROW1") else None


def _begins_list(head: bytes) -> bool:
    """Whether a file that is called JSON lines holds one list over several lines, or on its only line."""
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not text.startswith(b"["):
        return False
    first_line, _, rest = text.partition(b"\n")
    items = _decode_or_none(first_line)
    if items is None:
        return not rest.lstrip().startswith(b"[")
    return not rest.strip() and bool(items) and _are_objects(items)


def _recognise_bytes(head: bytes, ending: str, promised: RowFormat | None) -> RowFormat | None:
    """What kind of table a file holds, by its first bytes, where its ending does not say."""
    if head.startswith(b"PAR1"):
        return "parquet"
    # Arrow's file format, and the continuation mark of its streams.
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith(b"["):
        return "json"
    first_line, _, rest = text.partition(b"\n")
    if text.startswith(b"{"):
        has_two_objects = rest.lstrip().startswith(b"{") and _is_object(first_line)
        if has_two_objects or promised is None:
            return "jsonl"
        return promised
    if promised is not None:
        return promised
    is_prose = ending == ".txt"
    if is_prose or not text:
        return None
    if b"\t" in first_line:
        return "tsv"
    return "csv"


def _is_object(line: bytes) -> bool:
    return isinstance(_decode_or_none(line), dict)


def _without_totals(rows: Iterable[tuple[int, list[str]]], at: Place) -> Iterator[tuple[int, list[str]]]:
    """The rows without a last one of means or sums, as sheets often have, which is a warning.

    Args:
        rows: below the header, with their lines.
        at: the file.
    """
    held: tuple[int, list[str]] | None = None
    first_cells: set[str] = set()
    for number, cells in rows:
        if held is not None:
            yield held
            held = None
        name = next(filter(None, cells), "").strip()
        if name.lower() in _TOTALS and name not in first_cells:
            held = number, cells
        else:
            yield number, cells
        first_cells.add(name)
    if held is None:
        return
    number, cells = held
    name = next(filter(None, cells), "").strip()
    if len(first_cells) == 1:  # the only row
        yield held
        return
    at.at(number).warning(f"a last row called {name}", "rows of topics", "It was left out, as a row of means or sums.")


def _header_of(text: str, usual_separator: str) -> list[str]:
    """The names of the columns of CSV or TSV."""
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=_separator_of(text, usual_separator))
        return _name_columns(next(filter(any, rows), []))
    except csv.Error:
        return []


def _name_columns(cells: Sequence[str]) -> list[str]:
    """The names in a header. Several columns without a name, as sheets have beside a table, are numbered.

    >>> _name_columns(["id ", "", ""])
    ['id', 'Unnamed: 1', 'Unnamed: 2']
    """
    names = [cell.strip() for cell in cells]
    if names.count("") < 2:
        return names
    return [name or f"Unnamed: {number}" for number, name in enumerate(names)]


def _separator_of(text: str, usual: str) -> str:
    """The separator of cells: the usual one, else the one that the first line has most of."""
    header = text.partition("\n")[0]
    # Spreadsheets in many countries write CSV with semicolons; a name may have a comma in it.
    return max(f"{usual},;\t|", key=header.count)


def _is_title(cells: Sequence[str]) -> bool:
    """Whether a line is the title of a sheet rather than the names of its columns: only its first cell is filled."""
    return len(cells) > 2 and bool(cells[0].strip()) and not any(cells[1:])


def _filled(numbered_rows: Iterable[tuple[int, list[str]]], at: Place) -> Iterator[tuple[int, list[str]]]:
    """The rows with a filled cell; more blank ones than any sheet has are an error."""
    blank_count = 0
    for number, cells in numbered_rows:
        if any(cells):
            yield number, cells
            continue
        blank_count += 1
        if blank_count > guards.BLANK_LINES:
            at.at(number).error(
                f"more than {guards.BLANK_LINES:,} blank lines", "a row per line", "Write the file again."
            )
            return


def _rows_below_header(
    numbered_rows: Iterable[tuple[int, list[str]]], at: Place
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of cells by column; rows without a filled cell, as sheets have below a table, are left out."""
    filled_rows = _filled(numbered_rows, at)
    _, first_cells = next(filled_rows, (1, []))
    header = _name_columns(first_cells)
    if _is_title(first_cells):
        at.at(1).error(
            f"one filled cell, {shorten(first_cells[0])}, in a line of {len(first_cells)}",
            "the names of the columns",
            "If this is a title, remove the line, and any others above the names of the columns.",
        )
        return
    repeated = [name for name, count in Counter(header).items() if count > 1]
    if repeated:
        columns = f"the columns {', '.join(header)}: {', '.join(map(repr, repeated))} more than once"
        _, second_cells = next(filled_rows, (2, []))
        remedy = "Rename one of them."
        below = second_cells[header.index(repeated[0]) :][:1]
        if any(below) and not any(number_of(cell) is not None for cell in second_cells):
            joined = "_".join(filter(None, [repeated[0], *below]))
            remedy = f"If two lines hold the names, write them in one, such as {joined}; else rename one of them."
        at.at(1).error(columns, "each column once", remedy)
        return
    for number, cells in _without_totals(filled_rows, at):
        if len(cells) == len(header):
            yield number, dict(zip(header, cells, strict=True))
        else:
            expected = f"{len(header)} cells, as in the header"
            at.at(number).error(f"{len(cells)} cells", expected, "Quote cells that contain the separator.")


def _decode_document(content: bytes, path: Path, problems: Problems) -> Sequence[Any]:
    """The rows of a JSON document: a list of objects, an object with such a list, or one with a list per column."""
    at = problems.at(path)
    repeated: list[str] = []

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        decoded = dict(pairs)
        if len(decoded) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            repeated.extend(key for key, count in counts.items() if count > 1)
        return decoded

    if is_utf16(content, path, problems):
        return []
    try:
        # Not msgspec: it keeps the last of two equal keys silently.
        document = json.loads(without_mark(content, path, problems), object_pairs_hook=as_object)
    except (ValueError, RecursionError) as error:
        at.error(shorten(str(error), 120), "a JSON document", "Correct the file; JSON lines end in .jsonl.")
        return []
    for key in dict.fromkeys(repeated):
        at.error("the key more than once in one object", "each key once", "Keep one of them.", field=key)
    if repeated:
        return []
    return rows_of(document, at)


def sample_of(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The first rows of a table, without those that can't be read."""
    sample: list[dict[str, Any]] = []
    for raw in islice(rows, SAMPLE_ROWS):
        row = _decode_or_none(raw) if isinstance(raw, bytes) else raw
        if isinstance(row, dict):
            sample.append(row)
    return sample


def _decode_or_none(line: bytes) -> Any:
    """What a line of JSON holds; None if it can't be read."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def rows_of(document: Any, at: Place) -> Sequence[Any]:
    """The rows in a JSON document; what holds none is an error."""
    if isinstance(document, dict):
        return _rows_of_object(document)
    content = shorten(document)
    if isinstance(document, list):
        others = [row for row in document if not isinstance(row, dict)]
        if not others:
            return document
        content = f"a list with {shorten(others[0])}"
    at.error(content, "a list of objects, one per row", "Write each row as an object.")
    return []


def _rows_of_object(document: Mapping[str, Any]) -> Sequence[Any]:
    """The rows in an object: a list of objects in it, a list for each column, an object for each, or itself."""
    if not document:
        return [document]
    if _is_split_table(document):
        names = list(map(str, document["columns"]))
        return [dict(zip(names, cells, strict=True)) for cells in document["data"]]
    if _are_objects(document.values()):
        return _rows_by_key(document)
    lists = {key: value for key, value in document.items() if isinstance(value, list)}
    filled_lists = {key: values for key, values in lists.items() if values}
    tables = list(filter(_are_objects, filled_lists.values()))
    if len(tables) == 1:
        return tables[0]
    has_lists_only = len(filled_lists) == len(document)
    lengths = {len(column) for column in filled_lists.values()}
    if has_lists_only and len(lengths) == 1:
        return _rows_of_columns(filled_lists)
    return [document]


def _is_split_table(document: Mapping[str, Any]) -> bool:
    """Whether an object has names of columns and lists of cells, as tables of Weights & Biases and MLflow have."""
    columns, rows = document.get("columns"), document.get("data")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return False
    return all(isinstance(cells, list) and len(cells) == len(columns) for cells in rows)


def _are_objects(values: Iterable[Any]) -> bool:
    return all(isinstance(value, dict) for value in values)


def _rows_by_key(objects: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Objects under a key each: columns by row, as pandas writes them, or rows by id."""
    keys = list(dict.fromkeys(chain.from_iterable(objects.values())))
    # DataFrame.to_json() of pandas writes {column: {row number: cell}}.
    are_numbered = all(str(key).isdigit() for key in keys)
    if not keys or not are_numbered:
        return [{"id": id} | row for id, row in objects.items()]
    rows: list[dict[str, Any]] = []
    for number in keys:
        row = {name: column.get(number) for name, column in objects.items()}
        rows.append(row)
    return rows


def _read_packed_frames(path: Path, format: RowFormat, problems: Problems) -> Iterator[pl.DataFrame]:
    """The frames of an Arrow table, or of a Parquet file that is compressed as a whole."""
    try:
        with unpacked(path) as plain:
            read = read_arrow if format == "arrow" else read_parquet
            yield from read(plain, problems, name=path)
    except OSError as error:
        note_unreadable(path, error, problems)


def format_of(path: Path) -> RowFormat | None:
    """What kind of table a file holds; None if it is none."""
    return FileTable(path).format


def columns_of(path: Path) -> list[str]:
    """The names of the columns of a file."""
    return FileTable(path).columns


def sample_rows(path: Path) -> Sequence[Mapping[str, Any]]:
    """The first rows of a file that can be read."""
    return FileTable(path).sample


def read_rows(path: Path, problems: Problems) -> Iterator[tuple[int, Row]]:
    """Every row of a file with its line; what can't be read is noted."""
    return FileTable(path).rows(problems)


def read_frames(path: Path, problems: Problems) -> Iterator[pl.DataFrame]:
    """A Parquet file, or an Arrow table, in pieces; what can't be read is noted."""
    return FileTable(path).frames(problems) or iter(())
