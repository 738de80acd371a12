"""Opening what a user names: files that may be compressed, read as bytes, by line or as a whole, and noted as read.

Every file is opened here. No output replaces a file that the run reads: whoever reads a file on which results depend,
also one that an option, a settings file or another file names, notes it in the `files` of the run's problems. What is
unusual about the bytes of a text is noted as a problem of the file.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import functools
import gzip
import io
import os
import re
import stat
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from pyramidion.errors import InputError, UsageError
from pyramidion.files import guards
from pyramidion.files.problems import Place, Problems, RunFiles
from pyramidion.files.refusals import refusal_of
from pyramidion.files.scratch import removed_afterwards, scratch_copy
from pyramidion.show.wording import counted

SURROGATE = re.compile("[\ud800-\udfff]")


def is_encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return text.isascii() or not SURROGATE.search(text)


def repair_text(text: str) -> str:
    """The text without halves of surrogate pairs.

    Those that stand for the bytes of a file's name that is not UTF-8 are read as Windows-1252, else as Latin-1, like
    the text of any foreign file; others become U+FFFD.
    """
    if is_encodable(text):
        return text
    try:
        # Python keeps the bytes of a file name that is not UTF-8 as lone surrogates from U+DC80 to U+DCFF.
        name = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        return name.decode("cp1252")
    except UnicodeDecodeError:
        # Windows-1252 lacks five bytes; Latin-1 has all 256, so this can't fail.
        return name.decode("latin-1")


def repair_value(value: Any) -> Any:
    """A value of JSON without halves of surrogate pairs in its texts and keys, as `repair_text` has them."""
    if isinstance(value, str):
        return repair_text(value)
    if isinstance(value, list):
        return [repair_value(item) for item in value]
    if isinstance(value, tuple):
        return tuple(map(repair_value, value))
    if isinstance(value, dict):
        return {repair_value(key): repair_value(item) for key, item in value.items()}
    return value


READ_PIPES = "Give a file, or - to read standard input."
_SPECIAL_FILES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
GZIP, ZSTANDARD = ".gz", ".zst"
PACKED = (GZIP, ZSTANDARD)
_GZIP_MARK, _ZSTANDARD_MARK = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_SKIPPABLE_MARK = b"\x2a\x4d\x18"
"""What follows the first byte, 0x50 to 0x5f, of a Zstandard frame without data, such as pzstd and archives write."""
_PACKED_BYTES = 2048
"""Bytes of Zstandard that are unpacked at once: four of them may become 128 kB, so all of them at most 64 MB."""
TOO_FAR = f"compressed bytes that grow to more than {guards.MOST_TIMES} times their size"


class NoFileError(OSError):
    """The path leads to something that has no end, or that waits for another program."""


class PackedError(OSError):
    """The compressed bytes are damaged, or made to fill the memory of whoever reads them."""


def open_file(path: Path, files: RunFiles | None = None) -> IO[bytes]:
    """The file, opened for reading; every file that a user names is opened here.

    Args:
        path: the file.
        files: the run's, if results depend on this one, so that no output may replace it; a glance at its format, or
            what a run keeps for itself, is noted nowhere.

    Raises:
        NoFileError: if it is a pipe, a socket or a device.
        OSError: if it can't be opened.
        UsageError: if it is an output of this run, or if this process was forked from one that has opened files.
    """
    refuse_fork()
    check_file(path)
    if files is not None:
        files.note_read(path)
    return path.open("rb")


@functools.cache
def _first_process() -> int:
    """The process that first worked with data; a fork inherits the answer."""
    return os.getpid()


def refuse_fork() -> None:
    """Refuse to work in a forked process, which lacks the threads of Polars and would wait for them for ever.

    Raises:
        UsageError: if this process was forked from one that has worked with data.
    """
    if _first_process() != os.getpid():
        raise UsageError(
            "this process was forked after pyramidion had started its threads, which a fork does not have: it would "
            'wait for ever. Use multiprocessing.get_context("spawn") for worker processes, or start them before '
            "anything is read or scored."
        )


def check_file(path: Path) -> None:
    """Refuse what has no end or waits for another program, before it is opened.

    Raises:
        NoFileError: if it is a pipe, a socket or a device.
        OSError: if there is nothing.
    """
    with _odd_names_as_error(path):
        special = _SPECIAL_FILES.get(stat.S_IFMT(path.stat().st_mode))
    if special is not None:
        raise NoFileError(errno.EINVAL, special, str(path))


@contextlib.contextmanager
def _odd_names_as_error(path: Path) -> Iterator[None]:
    """Say of a name that no file can have, as with a zero byte, what the system says of other names."""
    try:
        yield
    except ValueError:
        name = repr(str(path))
        raise NoFileError(errno.EINVAL, f"a name that no file can have, {name[:80]}") from None


def require_file_or_folder(path: Path) -> None:
    """Refuse a path that a user gave as data if it leads to neither a file nor a folder; nothing at all is fine here.

    Raises:
        InputError: if it is a pipe, a socket or a device, or a link that leads in a circle.
    """
    try:
        check_file(path)
    except NoFileError as error:
        pipes = f" {READ_PIPES}" if error.filename else ""
        place = f"{path}: " if error.filename else ""
        raise InputError(f"{place}found {error.strerror}; expected a file or a folder.{pipes}") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{path}: found links that lead in a circle; expected a file or a folder") from None


def is_inherited_pipe(path: Path) -> bool:
    """Whether it is a pipe that the shell handed to this process: /dev/stdin, or `<(…)`, which is /dev/fd/63."""
    if path != Path("/dev/stdin") and path.parent not in (Path("/dev/fd"), Path("/proc/self/fd")):
        return False
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False


def resolve_links(path: Path) -> Path:
    """The absolute path to which all links on the way lead.

    Raises:
        OSError: if its links lead in a circle.
    """
    try:
        with _odd_names_as_error(path):
            return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def ending_of(path: Path) -> str:
    """The ending that says what a file holds, in small letters: `.jsonl` of a.jsonl and of a.JSONL.gz."""
    suffix = path.suffix.lower()
    if suffix in PACKED:
        return Path(path.stem).suffix.lower()
    return suffix


def stem_of(path: Path) -> str:
    """The name of a file without its endings: `a` of a.jsonl.gz."""
    stem = path.stem
    if path.suffix.lower() in PACKED:
        stem = Path(stem).stem
    return repair_text(stem)


@contextlib.contextmanager
def open_bytes(path: Path, files: RunFiles | None = None) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed while they are read; the first bytes say how, not the name.

    Args:
        path: the file.
        files: as of `open_file`.

    Raises:
        OSError: if the file can't be read, or its compressed bytes are damaged.
    """
    with open_file(path, files) as file:
        # By content: what was downloaded as .gz is sometimes unpacked on the way and keeps its name.
        mark = file.read(4)
        file.seek(0)
        if not _is_packed(mark):
            yield file
            return
        decompressor = gzip.GzipFile(fileobj=file) if mark.startswith(_GZIP_MARK) else _ZstandardReader(file)
        yield io.BufferedReader(_BoundedReader(decompressor, path.stat().st_size))


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

        # A few bytes at a time: the decompressor returns everything that they become at once.
        packed = self._packed or self._file.read(_PACKED_BYTES)
        if not packed and self._frame is not None:
            raise EOFError("the file ends too early")
        if not packed:
            return False
        if self._frame is None:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._unpacked = io.BytesIO(self._frame.decompress(packed))
        # Files that were made by several writers, or by pzstd, have several frames one after another.
        self._packed = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return True


class _BoundedReader(io.RawIOBase):
    """The bytes of a decompressor, as long as there are not too many."""

    def __init__(self, decompressor: gzip.GzipFile | _ZstandardReader, packed_bytes: int) -> None:
        self._decompressor = decompressor
        self._packed_bytes = packed_bytes
        self._unpacked_bytes = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as bytes are left."""
        with _damage_as_error():
            count = self._decompressor.readinto(buffer)
        self._unpacked_bytes += count
        if guards.grows_too_far(self._unpacked_bytes, self._packed_bytes):
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


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLANK = b" \t\r\n"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_lines(path: Path, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """The number and the bytes of every line that is not blank; byte-order mark and Windows line ends are noted."""
    return ((number, line) for number, _, line in placed_lines(path, problems))


def placed_lines(path: Path, problems: Problems) -> Iterator[tuple[int, int, bytes]]:
    """The number of every line that is not blank, the number of bytes before it, and its own bytes."""
    windows_ends = 0
    end = 0
    try:
        with open_bytes(path, problems.files) as file:
            for number, line in enumerate(file, start=1):
                place = end
                end += len(line)
                if number == 1:
                    if is_utf16(line, path, problems):
                        return
                    line = without_mark(line, path, problems)
                if line.endswith(b"\r\n"):
                    windows_ends += 1
                line = line.strip(BLANK)
                if line:
                    yield number, place, line
    except OSError as error:
        note_unreadable(path, error, problems)
    note_windows_ends(windows_ends, path, problems)


@dataclass
class LineRuns:
    """Lines of a file in groups, as runs of lines that follow each other: read again without going through the file."""

    starts: array[int] = field(default_factory=lambda: array("q"))
    firsts: array[int] = field(default_factory=lambda: array("q"))
    lasts: array[int] = field(default_factory=lambda: array("q"))
    groups: array[int] = field(default_factory=lambda: array("q"))

    def add(self, number: int, place: int, group: int) -> None:
        """Take a line after all before it."""
        if self.lasts and self.groups[-1] == group and self.lasts[-1] == number - 1:
            self.lasts[-1] = number
        else:
            self.starts.append(place)
            self.firsts.append(number)
            self.lasts.append(number)
            self.groups.append(group)

    def lines(self, path: Path, is_chosen: Callable[[int], bool]) -> Iterator[tuple[int, bytes]]:
        """The lines of the chosen groups, as `read_lines` gives them."""
        runs = zip(self.starts, self.firsts, self.lasts, self.groups, strict=True)
        chosen = [(start, first, last) for start, first, last, group in runs if is_chosen(group)]
        if not chosen:
            return
        with open_bytes(path) as file:
            position = 0
            for start, first, last in chosen:
                # A compressed file is read forward only; its runs are in the order of the file.
                if file.seekable():
                    file.seek(start)
                else:
                    file.read(start - position)
                position = start
                for number in range(first, last + 1):
                    line = file.readline()
                    position += len(line)
                    if number == 1:
                        line = line.removeprefix(BYTE_ORDER_MARK)
                    yield number, line.strip(BLANK)


def read_text(path: Path, problems: Problems, *, windows_ends_are_fine: bool = False) -> str | None:
    """The whole of a small UTF-8 file, or None (and a problem) if it can't be read."""
    try:
        with open_bytes(path, problems.files) as file:
            content = file.read()
    except OSError as error:
        note_unreadable(path, error, problems)
        return None
    if is_utf16(content, path, problems):
        return None
    content = without_mark(content, path, problems)
    if not windows_ends_are_fine:
        note_windows_ends(content.count(b"\r\n"), path, problems)
    return decode_utf8(content, path, None, problems)


def read_csv(text: str, at: Place, *, separator: str = ",", strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """The cells of every row of CSV that is not empty, with its line; wrong quotes are an error if strict."""
    # newline="": the csv module must see line breaks inside quoted cells as they are.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
    try:
        for cells in filter(None, reader):
            yield reader.line_num, cells
    except csv.Error as error:
        at.at(reader.line_num).error(str(error), "a row of CSV", "Correct the quotes of the row.")


def is_utf16(content: bytes, path: Path, problems: Problems) -> bool:
    """Whether a file starts as UTF-16 does (what Windows calls Unicode): one error, not one for each line."""
    if not content.startswith(UTF16_MARKS):
        return False
    remedy = "Convert the file, for instance: iconv -f UTF-16 -t UTF-8."
    problems.at(path, 1).error("UTF-16 text", "UTF-8 text", remedy)
    return True


def without_mark(content: bytes, path: Path, problems: Problems) -> bytes:
    """The content without its byte-order mark, which is noted."""
    if content.startswith(BYTE_ORDER_MARK):
        remedy = "It was skipped; save the file as UTF-8 without it."
        problems.at(path, 1).warning("a byte-order mark", "plain UTF-8", remedy)
    return content.removeprefix(BYTE_ORDER_MARK)


def note_windows_ends(count: int, path: Path, problems: Problems) -> None:
    """Warn once of line ends as Windows has them."""
    if count:
        found = f"{counted(count, 'Windows line end')} (CR LF)"
        problems.at(path).warning(found, "line ends of LF", "They were read as plain line ends.", count=count)


def decode_utf8(content: bytes, path: Path, line: int | None, problems: Problems) -> str | None:
    """Decode strictly; a wrong byte is an error that names it and its place."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        # rfind gives -1 on the first line, which makes the first column 1 there as well.
        column = error.start - content.rfind(b"\n", 0, error.start)
        problems.at(path, line or content.count(b"\n", 0, error.start) + 1).error(
            f"byte 0x{content[error.start]:02X} at column {column}, which is not UTF-8",
            "UTF-8 text",
            "Convert the file, for instance: iconv -f WINDOWS-1252 -t UTF-8.",
        )
        return None


def note_unreadable(path: Path, error: OSError, problems: Problems) -> None:
    """A file that can't be opened is an error like any other."""
    refusal = refusal_of(error)
    remedy = refusal.remedy
    if isinstance(error, NoFileError):
        remedy = READ_PIPES
    elif isinstance(error, PackedError):
        remedy = "Decompress the file, or compress it again."
    problems.at(path).error(refusal.found, "a readable file", remedy)
