"""Files that may be compressed (.gz, .zst): opened as plain bytes, and named as if they were not."""

from __future__ import annotations

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from pyramidion.files import guards
from pyramidion.files.characters import whole
from pyramidion.files.paths import open_file
from pyramidion.files.scratch import removed_afterwards, scratch_copy

GZIP, ZSTANDARD = ".gz", ".zst"
PACKED = (GZIP, ZSTANDARD)
_GZIP_MARK, _ZSTANDARD_MARK = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_SKIPPABLE_MARK = b"\x2a\x4d\x18"
"""What follows the first byte, 0x50 to 0x5f, of a Zstandard frame without data, such as pzstd and archives write."""
_PACKED_BYTES = 2048
"""Bytes of Zstandard that are unpacked at once: four of them may become 128 kB, so all of them at most 64 MB."""
TOO_FAR = f"compressed bytes that grow to more than {guards.MOST_TIMES} times their size"


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
            yield io.BufferedReader(_Bounded(_decompressed(file, mark), path.stat().st_size))


def _decompressed(file: IO[bytes], mark: bytes) -> gzip.GzipFile | _ZstandardReader:
    return gzip.GzipFile(fileobj=file) if mark.startswith(_GZIP_MARK) else _ZstandardReader(file)


class _ZstandardReader(io.RawIOBase):
    """The bytes in the Zstandard frames of a file.

    A frame that is cut off is an error; the library's own reader takes it for a whole one.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._packed = b""
        """What was read and is not unpacked yet: the start of the next frame."""
        self._frame: Any = None
        """The decompressor of the frame that has begun."""
        self._unpacked = io.BytesIO()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
        count = self._unpacked.readinto(buffer)
        while not count and self._unpack_more():
            count = self._unpacked.readinto(buffer)
        return count

    def _unpack_more(self) -> bool:
        """Unpack some more bytes, perhaps to none; False at the end of the file."""
        import zstandard

        packed = self._packed or self._file.read(_PACKED_BYTES)
        if not packed and self._frame is not None:
            raise EOFError("the file ends too early")
        if not packed:
            return False
        if self._frame is None:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._unpacked = io.BytesIO(self._frame.decompress(packed))
        self._packed = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return True


class _Bounded(io.RawIOBase):
    """The bytes of a decompressor, as long as there are not too many."""

    def __init__(self, source: gzip.GzipFile | _ZstandardReader, packed: int) -> None:
        self._source, self._packed, self._size = source, packed, 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
        count = self._source.readinto(buffer)
        self._size += count
        if guards.grows_too_far(self._size, self._packed):
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
