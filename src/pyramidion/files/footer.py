"""What the footer of a Parquet file says about its size, without opening its columns.

Compressed columns, and lists that repeat a value, can be any number of times larger than their file: whoever reads a
column has it all in memory. The footer is a structure of Thrift's compact protocol
(https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md) as parquet.thrift defines it.
"""

from __future__ import annotations

from typing import IO, Any

MARK = b"PAR1"
LARGEST = 4 * 2**20
"""Bytes: a footer that is larger is that of a large file, and is not looked at."""
CELL_BYTES = 8
"""What a value takes in memory, whatever its column is."""
_GROUPS, _COLUMNS, _FACTS, _VALUES, _UNPACKED = 4, 1, 3, 5, 6
"""Row groups of a file; columns of a group; what is known of a column: its number of values, its bytes unpacked."""


def bytes_within(file: IO[bytes]) -> int:
    """How many bytes the columns have in memory at least, as far as the footer says; 0 if it can't be read."""
    size = file.seek(0, 2)
    file.seek(max(size - 8, 0))
    end = file.read()
    length = int.from_bytes(end[:4], "little")
    if end[4:] != MARK or not 0 < length <= min(LARGEST, size - 8):
        return 0
    file.seek(size - 8 - length)
    try:
        footer = _Reader(file.read(length)).structure()
        facts = [column[_FACTS] for group in footer[_GROUPS] for column in group[_COLUMNS]]
        return sum(max(one[_UNPACKED], one[_VALUES] * CELL_BYTES) for one in facts)
    except (LookupError, TypeError, RecursionError):  # damaged: whoever reads the columns will say so
        return 0


class _Reader:
    """Values of Thrift's compact protocol, one after the other; texts are skipped."""

    def __init__(self, content: bytes) -> None:
        self._content, self._place = content, 0

    def structure(self) -> dict[int, Any]:
        """The fields of a structure, by number."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            fields[number] = kind == 1 if kind <= 2 else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind <= 3:  # a truth value in a list has a byte of its own
            return self._byte()
        if kind <= 6:
            return self._whole()
        if kind in (7, 8):
            length = 8 if kind == 7 else self._length()
            self._place += length
            return None
        if kind in (9, 10):
            head = self._byte()
            return [self._value(head & 15) for _ in range(head >> 4 if head >> 4 < 15 else self._length())]
        if kind == 11:
            count = self._length()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(count)]
        if kind == 12:
            return self.structure()
        raise LookupError(kind)

    def _byte(self) -> int:
        self._place += 1
        return self._content[self._place - 1]

    def _length(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def _whole(self) -> int:
        """Signs are in the last bit."""
        found = self._length()
        return found >> 1 ^ -(found & 1)
