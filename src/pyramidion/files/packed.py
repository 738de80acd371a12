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
from typing import IO, cast

from pyramidion.files.characters import whole
from pyramidion.files.paths import open_file

GZIP, ZSTANDARD = ".gz", ".zst"
PACKED = (GZIP, ZSTANDARD)
_GZIP_MARK, _ZSTANDARD_MARK = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class PackedError(OSError):
    """The compressed bytes are damaged."""


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
            yield _decompressed(file, mark)


def _decompressed(file: IO[bytes], mark: bytes) -> IO[bytes]:
    if mark.startswith(_GZIP_MARK):
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return io.BufferedReader(cast(io.RawIOBase, reader))


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
