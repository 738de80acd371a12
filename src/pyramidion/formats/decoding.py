"""Bytes to text for foreign files: UTF-8, else Windows-1252, else Latin-1, each fallback a warning.

Our own files are read strictly (`files.lines`); here one bad character never loses a file.
"""

from __future__ import annotations

from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.files.lines import note_unreadable, without_mark


def read_tolerantly(path: Path, problems: Problems) -> str | None:
    """The text of the file with its line ends as they are; None (and an error) when it can't be read."""
    try:
        content = path.read_bytes()
    except OSError as error:
        note_unreadable(path, error, problems)
        return None
    return decode_tolerantly(content, path, problems)


def decode_tolerantly(content: bytes, path: Path, problems: Problems) -> str:
    """Decode; a byte-order mark is dropped. ASCII bytes mean the same in all three encodings."""
    content = without_mark(content, path, problems)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = error.start
    try:
        text, encoding = content.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "Latin-1"
    problems.add(
        "warning",
        file=path,
        line=content.count(b"\n", 0, wrong) + 1,
        found=f"byte 0x{content[wrong]:02X}, which is not UTF-8",
        expected="UTF-8 text",
        remedy=f"The file was read as {encoding}; convert it to be sure.",
    )
    return text


def note_windows_ends(text: str, path: Path, problems: Problems, *, remedy: str) -> None:
    """Windows line ends are worth one warning per file."""
    count = text.count("\r\n")
    if count:
        problems.add(
            "warning",
            file=path,
            line=text.count("\n", 0, text.index("\r\n")) + 1,
            found=f"{count} Windows line {'end' if count == 1 else 'ends'} (CR LF)",
            expected="line ends of LF",
            remedy=remedy,
        )
