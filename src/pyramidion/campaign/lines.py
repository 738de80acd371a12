"""Reading the lines of a text file with their numbers; what is odd about its bytes is noted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pyramidion.campaign.problems import Problems

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_lines(path: Path, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, bytes) of every line that is not blank; byte-order mark and Windows ends are noted."""
    windows_ends = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if number == 1:
                    if is_utf16(line, path, problems):
                        return
                    line = without_mark(line, path, problems)
                if line.endswith(b"\r\n"):
                    windows_ends += 1
                if line := line.strip(b" \t\r\n"):
                    yield number, line
    except OSError as error:
        note_unreadable(path, error, problems)
    _note_windows_ends(windows_ends, path, problems)


def read_text(path: Path, problems: Problems, *, windows_ends_are_fine: bool = False) -> str | None:
    """The whole of a small UTF-8 file, or None (and a problem) when it can't be had."""
    try:
        content = path.read_bytes()
    except OSError as error:
        note_unreadable(path, error, problems)
        return None
    if is_utf16(content, path, problems):
        return None
    content = without_mark(content, path, problems)
    if not windows_ends_are_fine:
        _note_windows_ends(content.count(b"\r\n"), path, problems)
    return decode_utf8(content, path, None, problems)


def is_utf16(content: bytes, path: Path, problems: Problems) -> bool:
    """Whether a file starts as UTF-16 does (what Windows calls Unicode): one error, not one for each line."""
    if not content.startswith(UTF16_MARKS):
        return False
    problems.add(
        "error",
        file=path,
        line=1,
        found="UTF-16 text",
        expected="UTF-8 text",
        remedy="Convert the file, for instance: iconv -f UTF-16 -t UTF-8.",
    )
    return True


def without_mark(content: bytes, path: Path, problems: Problems) -> bytes:
    """The content without its byte-order mark, which is noted."""
    if content.startswith(BYTE_ORDER_MARK):
        problems.add(
            "warning",
            file=path,
            line=1,
            found="a byte-order mark",
            expected="plain UTF-8",
            remedy="It was skipped; save the file as UTF-8 without it.",
        )
    return content.removeprefix(BYTE_ORDER_MARK)


def _note_windows_ends(count: int, path: Path, problems: Problems) -> None:
    if count:
        problems.add(
            "warning",
            file=path,
            found=f"{count} Windows line {'end' if count == 1 else 'ends'} (CR LF)",
            expected="line ends of LF",
            remedy="They were read as plain line ends.",
        )


def decode_utf8(content: bytes, path: Path, line: int | None, problems: Problems) -> str | None:
    """Decode strictly; a wrong byte is an error that says which one and where."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        start_of_line = content.rfind(b"\n", 0, error.start) + 1
        problems.add(
            "error",
            file=path,
            line=line or content.count(b"\n", 0, error.start) + 1,
            found=f"byte 0x{content[error.start]:02X} at column {error.start - start_of_line + 1}, which is not UTF-8",
            expected="UTF-8 text",
            remedy="Convert the file, for instance: iconv -f WINDOWS-1252 -t UTF-8.",
        )
        return None


def note_unreadable(path: Path, error: OSError, problems: Problems) -> None:
    """A file that can't be opened is an error like any other."""
    problems.add(
        "error",
        file=path,
        found=error.strerror or str(error),
        expected="a readable file",
        remedy="Check the path and its permissions.",
    )
