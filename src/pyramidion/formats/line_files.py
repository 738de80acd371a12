"""Plain text files read as a whole: as one text, or as lines that stand beside those of other files."""

from __future__ import annotations

from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.formats.decoding import note_windows_ends, read_tolerantly


def read_plain(path: Path, problems: Problems) -> str | None:
    """The text of a file without its last line break; None (and an error) when it can't be read."""
    text = read_tolerantly(path, problems)
    if text is None:
        return None
    note_windows_ends(text, path, problems, remedy="They were read as plain line ends.")
    return text.replace("\r\n", "\n").removesuffix("\n")


def read_parallel(path: Path, problems: Problems) -> list[str] | None:
    """The lines of a file; an empty file has none."""
    text = read_plain(path, problems)
    if text is None:
        return None
    return text.split("\n") if text else []
