"""What a first look at a file shows: its first bytes, lines, header or columns. Formats are recognised by it.

A file is opened once, and every format that may have written it gets the same `Glimpse`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pyramidion.files.opening import open_bytes, open_file
from pyramidion.formats.text_files import is_file, is_folder, numbered
from pyramidion.intake.opened import FROM_TEXT, FileTable, RowFormat

HEAD_BYTES = 65_536
LISTED_LINES = 5
"""Lines that are looked at for the names of files."""
_PACKED_MARKS = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""First bytes of gzip and Zstandard."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PLAIN_JSON = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Glimpse:
    """A file or folder at first sight; what can't be read shows nothing."""

    path: Path
    opened: FileTable | None = None
    """The file, if whoever asks has opened it already."""

    @cached_property
    def table(self) -> FileTable:
        """The file as a table, if it is one."""
        return self.opened or FileTable(self.path)

    @cached_property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return is_file(self.path)

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return is_folder(self.path)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, without a byte-order mark."""
        if self.opened is not None and self.opened.is_plain:
            return self.opened.head.removeprefix(_BYTE_ORDER_MARK)
        try:
            with open_file(self.path) as file:
                return file.read(HEAD_BYTES).removeprefix(_BYTE_ORDER_MARK)
        except OSError:
            return b""

    @cached_property
    def unpacked_head(self) -> bytes:
        """The first bytes, decompressed if the file is compressed."""
        if not self.head.startswith(_PACKED_MARKS):
            return self.head
        try:
            with open_bytes(self.path) as file:
                return file.read(HEAD_BYTES)
        except OSError:
            return b""

    @cached_property
    def xml_head(self) -> bytes:
        """The first bytes, as ASCII if they are UTF-16."""
        # In UTF-16, every second byte of ASCII is zero.
        # Good enough to look for a mark in ASCII; nothing is read this way.
        head = self.head.replace(b"\0", b"")
        for mark in _UTF16_MARKS:
            head = head.removeprefix(mark)
        return head

    @cached_property
    def lines(self) -> list[str]:
        """The lines near the start that are not blank; none if the file is not a text."""
        # No text has zero bytes; archives, images and UTF-16 do.
        if b"\0" in self.head:
            return []
        return [line for _, line in numbered(self.head.decode(errors="replace"))]

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank; empty if there is none."""
        if self.lines:
            return self.lines[0]
        return ""

    @cached_property
    def header(self) -> frozenset[str]:
        """The names between the commas of the first line."""
        return frozenset(name.strip().strip('"') for name in self.first_line.split(","))

    @cached_property
    def table_kind(self) -> RowFormat | None:
        """The kind of table that the file holds, such as "jsonl"; None if it is none."""
        return self.table.format

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of a table, as far as its first rows have them."""
        return frozenset(self.table.columns)

    @cached_property
    def is_plain_json(self) -> bool:
        """Whether it is JSON or JSON lines, neither compressed nor under another ending."""
        return self.path.suffix in _PLAIN_JSON and self.table_kind in ("json", "jsonl")

    @cached_property
    def names_files(self) -> bool:
        """Whether a word in the first lines is the path of a file, from the working folder or that of this file."""
        entries = [line for line in self.lines if not line.startswith("#")]
        words = " ".join(entries[:LISTED_LINES]).split()
        return any(map(self._is_path_of_file, words))

    def _is_path_of_file(self, word: str) -> bool:
        """Whether a word is the path of a file, from the working folder or that of this file."""
        return is_file(Path(word)) or is_file(self.path.parent / word)

    def shows(self, mark: bytes) -> bool:
        """Whether the mark is near the start, or in the name of a column where columns are not near the start."""
        if mark in self.unpacked_head or mark in self.xml_head:
            return True
        # There the names of columns are near the start; Parquet and Arrow keep them at the end.
        if self.table_kind is None or self.table_kind in FROM_TEXT or self.is_plain_json:
            return False
        return any(mark.decode() in column for column in self.columns)

    def names_all(self, keys: Sequence[str]) -> bool:
        """Whether all keys stand in quotes near the start."""
        return all(f'"{key}"'.encode() in self.unpacked_head for key in keys)


def has_columns(*columns: str) -> Callable[[Glimpse], bool]:
    """A detector of tables that have all of these columns."""

    def detect(glimpse: Glimpse) -> bool:
        """Whether a table has the columns; JSON that does not name them near its start is not read."""
        if glimpse.table_kind is None:
            return False
        # Looking for quoted keys in the first bytes is much cheaper than decoding rows, and most files fail it.
        if glimpse.is_plain_json and not glimpse.names_all(columns):
            return False
        return glimpse.columns.issuperset(columns)

    return detect


def names_keys(*alternatives: Sequence[str]) -> Callable[[Glimpse], bool]:
    """A detector of JSON whose start names all keys of one of these alternatives."""

    def detect(glimpse: Glimpse) -> bool:
        """Whether the start of a file is JSON that names the keys."""
        if not glimpse.unpacked_head.lstrip().startswith((b"{", b"[")):
            return False
        return any(glimpse.names_all(keys) for keys in alternatives)

    return detect
