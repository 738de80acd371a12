"""What the messages of an Arrow table say about its size, without unpacking their buffers.

A table is a sequence of messages: a flatbuffer of metadata, then a body of buffers. Compressed buffers begin with the
number of their bytes unpacked (https://arrow.apache.org/docs/format/Columnar.html, Message.fbs).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

from pyramidion.files.footer import CELL_BYTES

MARK = b"ARROW1"
_CONTINUES = b"\xff\xff\xff\xff"
_LARGEST = 16 * 2**20
"""Bytes of metadata: a message with more is that of a large file, and is not looked at."""
_DICTIONARIES, _BATCHES = 2, 3
"""Fields of a footer: where the messages are."""
_KIND, _HEADER, _BODY = 1, 2, 3
"""Fields of a message."""
_DICTIONARY, _BATCH = 2, 3
"""Kinds of messages with a body."""
_HELD = 1
"""The field of a dictionary that is a batch."""
_NODES, _BUFFERS, _COMPRESSION = 1, 2, 3
"""Fields of a batch: the length of each column, the place and length of each buffer, how they are compressed."""


def bytes_of_messages(file: IO[bytes]) -> int:
    """How many bytes the table has in memory at least, as far as its messages say; those after damage do not count."""
    found = 0
    try:
        for message, body in _messages(file):
            kind, held = message.number(_KIND, "<B"), message.table(_HEADER)
            if kind == _DICTIONARY and held is not None:
                held = held.table(_HELD)
            if kind in (_DICTIONARY, _BATCH) and held is not None:
                found += _bytes_of_batch(held, body, file)
    except struct.error:  # damaged: whoever reads the table will say so
        pass
    return found


def _messages(file: IO[bytes]) -> Iterator[tuple[_Table, int]]:
    """Each message and the place of its body: where the footer of a file has them, or one after the other."""
    file.seek(0)
    if file.read(len(MARK)) != MARK:
        place = 0
        while found := _message(file, place):
            yield found
            message, body = found
            place = body + max(message.number(_BODY, "<q"), 0)
        return
    size = file.seek(0, 2)
    file.seek(max(size - 10, 0))
    length = int.from_bytes(file.read(4), "little")
    if 0 < length <= min(_LARGEST, size - 10):
        file.seek(size - 10 - length)
        footer = _Table.root(file.read(length))
        for place, *_ in [*footer.structures(_DICTIONARIES, "<qqq"), *footer.structures(_BATCHES, "<qqq")]:
            if place >= 0 and (found := _message(file, place)):
                yield found


def _message(file: IO[bytes], place: int) -> tuple[_Table, int] | None:
    file.seek(place)
    start = file.read(8)
    length = int.from_bytes(start[4:], "little")
    if not start.startswith(_CONTINUES) or not 0 < length <= _LARGEST:
        return None
    return _Table.root(file.read(length)), place + 8 + length


def _bytes_of_batch(batch: _Table, body: int, file: IO[bytes]) -> int:
    values = sum(max(length, 0) for length, _ in batch.structures(_NODES, "<qq"))
    packed = batch.table(_COMPRESSION) is not None
    unpacked = 0
    for offset, length in batch.structures(_BUFFERS, "<qq"):
        if packed and length >= 8 and offset >= 0:
            file.seek(body + offset)
            (stated,) = struct.unpack("<q", file.read(8))
            length = stated if stated >= 0 else length
        unpacked += max(length, 0)
    return max(unpacked, values * CELL_BYTES)


class _Table:
    """A table of a flatbuffer (https://flatbuffers.dev/internals): its fields by number, found through its vtable."""

    def __init__(self, content: bytes, place: int) -> None:
        self._content, self._place = content, place

    @classmethod
    def root(cls, content: bytes) -> _Table:
        """The table that the flatbuffer is."""
        return cls(content, *struct.unpack_from("<I", content))

    def number(self, field: int, kind: str) -> int:
        """A number; 0 where there is none."""
        place = self._field(field)
        return int(struct.unpack_from(kind, self._content, place)[0]) if place else 0

    def table(self, field: int) -> _Table | None:
        """A table inside."""
        place = self._field(field)
        return _Table(self._content, self._target(place)) if place else None

    def structures(self, field: int, kind: str) -> list[tuple[int, ...]]:
        """A vector of structures of numbers."""
        if not (place := self._field(field)):
            return []
        start = self._target(place)
        (count,) = struct.unpack_from("<I", self._content, start)
        end = start + 4 + struct.calcsize(kind) * count
        if end > len(self._content):
            raise struct.error("a vector beyond the end")
        return list(struct.iter_unpack(kind, self._content[start + 4 : end]))

    def _target(self, place: int) -> int:
        return place + int(struct.unpack_from("<I", self._content, place)[0])

    def _field(self, field: int) -> int:
        """Where a field is; 0 if the table has none of this number."""
        vtable = self._place - int(struct.unpack_from("<i", self._content, self._place)[0])
        if vtable < 0:
            raise struct.error("a vtable before the start")
        (size,) = struct.unpack_from("<H", self._content, vtable)
        if 4 + 2 * field >= size:
            return 0
        (offset,) = struct.unpack_from("<H", self._content, vtable + 4 + 2 * field)
        return self._place + offset if offset else 0
