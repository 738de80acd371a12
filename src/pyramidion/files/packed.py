"""Files that may be compressed (.gz, .zst): opened as plain bytes, and named as if they were not."""

from __future__ import annotations

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from pyramidion.files.characters import whole
from pyramidion.files.paths import open_file
from pyramidion.files.scratch import removed_afterwards, scratch_copy

GZIP, ZSTANDARD = ".gz", ".zst"
PACKED = (GZIP, ZSTANDARD)
_GZIP_MARK, _ZSTANDARD_MARK = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_SKIPPABLE_MARK = b"\x2a\x4d\x18"
"""What follows the first byte, 0x50 to 0x5f, of a Zstandard frame without data, such as pzstd and archives write."""
_LONGEST_HEADER = 18
"""Bytes of the header of a Zstandard frame."""


MOST_TIMES, HARMLESS_BYTES = 500, 64 * 2**20
"""Text shrinks to a tenth, rows that repeat their documents to a hundredth; bytes that grow further are a trap."""
TOO_FAR = f"compressed bytes that grow to more than {MOST_TIMES} times their size"


class PackedError(OSError):
    """The compressed bytes are damaged, or made to fill the memory of whoever reads them."""


def ending_of(path: Path) -> str:
    """The ending that says what a file holds, in small letters: `.jsonl` of a.jsonl and of a.JSONL.gz."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix in PACKED else suffix


def stem_of(path: Path) -> str:
    """The name of a file without its endings: `a` of a.jsonl.gz."""
    return whole(Path(path.stem).stem if path.suffix.lower() in PACKED else path.stem)


@contextlib.contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed while they are read; the first bytes say how, not the name.

    Raises:
        OSError: if the file can't be read, or its compressed bytes are damaged.
    """
    with open_file(path) as file:
        mark = file.read(4)
        file.seek(0)
        if not _is_packed(mark):
            yield file
            return
        with _damage_as_error():
            decompressed = _decompressed(file, mark)
        yield io.BufferedReader(_Bounded(decompressed, path.stat().st_size))


def grows_too_far(size: int, packed: int) -> bool:
    """Whether so many bytes are more than an honest file of this packed size holds."""
    return size > max(MOST_TIMES * packed, HARMLESS_BYTES)


def _decompressed(file: IO[bytes], mark: bytes) -> io.BufferedIOBase:
    if mark.startswith(_GZIP_MARK):
        return gzip.GzipFile(fileobj=file)
    import zstandard

    if not _is_complete(file):
        raise EOFError("the file ends too early")
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return cast(io.BufferedIOBase, reader)


def _is_complete(file: IO[bytes]) -> bool:
    """Whether the last Zstandard frame of a file ends: the decompressor takes one that is cut off for a whole one."""
    size, place = file.seek(0, io.SEEK_END), 0
    while place < size and (end := _end_of_frame(file, place)) is not None:
        place = end
    file.seek(0)
    return place <= size


def _end_of_frame(file: IO[bytes], place: int) -> int | None:
    """Where a frame ends, beyond the file if it is cut off; None if there is none, which the decompressor refuses.

    A frame is a header, blocks that begin with their size, and perhaps a checksum (RFC 8878, 3.1.1).
    """
    import zstandard

    file.seek(place)
    start = file.read(_LONGEST_HEADER)
    if _is_skippable(start):
        return place + 8 + int.from_bytes(start[4:8], "little")
    if not start.startswith(_ZSTANDARD_MARK):
        return None
    try:
        checksum = 4 if zstandard.get_frame_parameters(start).has_checksum else 0
        place += zstandard.frame_header_size(start)
    except zstandard.ZstdError:
        return place + _LONGEST_HEADER
    while True:
        file.seek(place)
        if len(block := file.read(3)) < 3:
            return place + 3
        header = int.from_bytes(block, "little")
        repeats = header >> 1 & 3 == 1  # a byte that is repeated is stored once
        place += 3 + (1 if repeats else header >> 3)
        if header & 1:
            return place + checksum


class _Bounded(io.RawIOBase):
    """The bytes of a decompressor, as long as there are not too many."""

    def __init__(self, source: io.BufferedIOBase, packed: int) -> None:
        self._source, self._packed, self._size = source, packed, 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
        with _damage_as_error():
            count = self._source.readinto(buffer)
        self._size += count
        if grows_too_far(self._size, self._packed):
            raise PackedError(TOO_FAR)
        return count


@contextlib.contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A path to the plain bytes of the file, for readers that need one: its own, or that of a temporary copy."""
    with open_file(path) as file:
        if not _is_packed(file.read(4)):
            yield path
            return
    with open_bytes(path) as opened:
        copy = scratch_copy(opened, f"copy{ending_of(path)}")
    with removed_afterwards(copy):
        yield copy


def _is_packed(mark: bytes) -> bool:
    return mark.startswith(_GZIP_MARK) or mark == _ZSTANDARD_MARK or _is_skippable(mark)


def _is_skippable(start: bytes) -> bool:
    """Whether a Zstandard frame without data begins here: a mark, its length, any bytes (RFC 8878, 3.1.2)."""
    return start[1:4] == _SKIPPABLE_MARK and start[0] >> 4 == 5


@contextlib.contextmanager
def _damage_as_error() -> Iterator[None]:
    """What damaged bytes do to a decompressor, as an error of the file."""
    import zstandard

    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError) as error:
        raise PackedError(f"compressed bytes that can't be read ({error})") from None
