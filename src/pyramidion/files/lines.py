"""Reading UTF-8 text files by line or whole; what is unusual about their bytes is noted."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.files.opening import READ_PIPES, NoFileError, PackedError, open_bytes
from pyramidion.files.problems import Place, Problems, refusal_of
from pyramidion.wording import counted

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
        with open_bytes(path) as file:
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
class Runs:
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
        with open_bytes(path) as file:
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
