"""Files that may be compressed (.gz, .zst): opened as plain bytes, and named as if they were not."""

from __future__ import annotations

import contextlib
import gzip
import io
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from pyramidion.files.characters import whole
from pyramidion.files.paths import open_file

GZIP, ZSTANDARD = ".gz", ".zst"
PACKED = (GZIP, ZSTANDARD)
_GZIP_MARK, _ZSTANDARD_MARK = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


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
            yield io.BufferedReader(_Bounded(_decompressed(file, mark), path.stat().st_size))


def grows_too_far(size: int, packed: int) -> bool:
    """Whether so many bytes are more than an honest file of this packed size holds."""
    return size > max(MOST_TIMES * packed, HARMLESS_BYTES)


def _decompressed(file: IO[bytes], mark: bytes) -> io.BufferedIOBase:
    if mark.startswith(_GZIP_MARK):
        return gzip.GzipFile(fileobj=file)
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return cast(io.BufferedIOBase, reader)


class _Bounded(io.RawIOBase):
    """The bytes of a decompressor, as long as there are not too many."""

    def __init__(self, source: io.BufferedIOBase, packed: int) -> None:
        self._source, self._packed, self._size = source, packed, 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
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
    with open_bytes(path) as opened, tempfile.NamedTemporaryFile(suffix=ending_of(path)) as copy:
        shutil.copyfileobj(opened, copy)
        copy.flush()
        yield Path(copy.name)


def _is_packed(mark: bytes) -> bool:
    return mark.startswith(_GZIP_MARK) or mark == _ZSTANDARD_MARK


@contextlib.contextmanager
def _damage_as_error() -> Iterator[None]:
    """What damaged bytes do to a decompressor, as an error of the file."""
    import zstandard

    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError) as error:
        raise PackedError(f"compressed bytes that can't be read ({error})") from None
