"""Files of foreign formats: recognised, decoded, read as text, lines or tables, and written.

Our own files are read strictly (`campaign.lines`). Here a file is UTF-8, else Windows-1252, else Latin-1, each fallback
with a warning: one bad character never loses a file.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from pyramidion.campaign import Problems, TopicData
from pyramidion.errors import InputError
from pyramidion.files import atomic_writer, guards
from pyramidion.files.opening import note_unreadable, open_file, read_csv, without_mark
from pyramidion.files.problems import Place, shorten
from pyramidion.show.wording import counted

LONGEST_NAME = 150
LONGEST_WHOLE_NAME = 240
"""Bytes of a name that must stay whole; file systems take 255, with the ending."""


def is_file(path: Path) -> bool:
    """Whether there is a regular file; a name that the system refuses (too long, a NUL) is no file either."""
    return os.path.isfile(path)  # noqa: PTH113  pathlib raises an error for such names


def is_folder(path: Path) -> bool:
    """Whether there is a folder; a name that the system refuses is none."""
    return os.path.isdir(path)  # noqa: PTH112


def files_in(folder: Path, ending: str = "") -> list[Path]:
    """The files of a folder with this ending, without hidden ones, by name; none if there is no such folder."""
    if not is_folder(folder):
        return []
    visible_paths = (path for path in folder.iterdir() if not path.name.startswith("."))
    paths = (path for path in visible_paths if path.name.endswith(ending))
    return sorted(path for path in paths if is_file(path))


def files_below(folder: Path, patterns: Sequence[str], most: int = guards.FOLDER_ENTRIES) -> list[Path]:
    """The files of a folder and of those in it whose names fit a pattern, by path; hidden ones and links are left out.

    Args:
        folder: where to look.
        patterns: as a shell has them.
        most: how many entries are looked at.
    """
    paths: list[Path] = []
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        visible = [name for name in sorted(names) if not name.startswith(".")]
        paths += [Path(place, name) for name in visible if any(fnmatch(name, pattern) for pattern in patterns)]
        seen += len(folders) + len(names)
        if seen > most:
            break
    return [path for path in paths if is_file(path)]


def read_content(path: Path, problems: Problems) -> bytes | None:
    """The bytes of the file; None (and an error) when it can't be read."""
    try:
        with open_file(path, problems.files) as file:
            return file.read()
    except OSError as error:
        note_unreadable(path, error, problems)
        return None


def read_raw(path: Path, problems: Problems) -> str | None:
    """The text of the file with its line ends as they are; None (and an error) when it can't be read."""
    content = read_content(path, problems)
    if content is None:
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
    Place(problems, path, content.count(b"\n", 0, wrong) + 1).warning(
        found=f"byte 0x{content[wrong]:02X}, which is not UTF-8",
        expected="UTF-8 text",
        remedy=f"The file was read as {encoding}; convert it to be sure.",
    )
    return text


def note_windows_ends(text: str, at: Place, *, remedy: str) -> None:
    """Warn once per file about Windows line ends."""
    count = text.count("\r\n")
    if count:
        line = text.count("\n", 0, text.index("\r\n")) + 1
        at.at(line).warning(
            found=f"{counted(count, 'Windows line end')} (CR LF)",
            expected="line ends of LF",
            remedy=remedy,
        )


def read_text(path: Path, problems: Problems) -> str | None:
    """The text of the file with line ends of LF; None (and an error) when it can't be read."""
    text = read_raw(path, problems)
    if text is None:
        return None
    note_windows_ends(text, Place(problems, path), remedy="They were read as plain line ends.")
    return text.replace("\r\n", "\n")


def read_plain(path: Path, problems: Problems) -> str | None:
    """The text of the file without its last line break; None (and an error) when it can't be read."""
    text = read_text(path, problems)
    if text is None:
        return None
    return text.removesuffix("\n")


def number_of(value: object) -> float | None:
    """The finite number that a value is or spells; None if it is none."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    if math.isfinite(number):
        return number
    return None


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers."""
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def read_table(
    path: Path, problems: Problems, required: Iterable[str], *, strict: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by column, with their lines; a required column that is missing is an error.

    Args:
        path: the file.
        problems: takes errors and warnings.
        required: names of columns.
        strict: whether quotes that don't match are an error.
    """
    text = read_raw(path, problems)
    if text is None:
        return
    at = Place(problems, path)
    rows = read_csv(text, at, strict=strict)
    header = [name.strip() for _, cells in islice(rows, 1) for name in cells]
    missing = [name for name in required if name not in header]
    if missing:
        at.at(1).error(
            found=f"no column {', '.join(missing)}",
            expected=f"the columns {', '.join(required)}",
            remedy="Name the columns in the first line.",
        )
        return
    for line, row in rows:
        if any(row):
            yield line, dict.fromkeys(header, "") | dict(zip(header, row, strict=False))


def base_of(names: Iterable[str], folder: Path, at: Place, *, what: str) -> Path:
    """The folder that the names in a file are relative to: `folder` or that of the file, whichever has any of them.

    All names decide together, so that a file that is missing here is not replaced by one from there.

    Args:
        names: relative paths.
        folder: where to look first: the working folder, as other programs do.
        at: the file that contains the names; takes a warning if they are relative to it.
        what: the names in words.
    """
    names = list(names)
    file_folder = Path(at.file).parent
    base_folder = next((base for base in (folder, file_folder) if any(is_file(base / name) for name in names)), folder)
    if base_folder != folder:
        at.warning(
            found=f"{what}, not found under the working folder {folder.absolute()}",
            expected="paths relative to the working folder",
            remedy=f"They were read relative to {Path(at.file).name}, under {file_folder.absolute()}.",
        )
    return base_folder


def has_all(at: Place, data: TopicData, **needed: Sequence[object]) -> bool:
    """Whether a topic has all that a format needs; otherwise it is left out, with a warning."""
    missing = [role for role, values in needed.items() if not values]
    if missing:
        here = at.at(field=f"topic {shorten(data.topic.topic)}")
        here.warning(
            found=f"no {' and no '.join(missing)}",
            expected=" and ".join(needed),
            remedy="The topic was left out.",
        )
    return not missing


def require_exportable(written: object, needed: str) -> None:
    """An export without a single topic is an error: nobody could read it."""
    if not written:
        raise InputError(f"nothing to export: {needed}")


def file_name_of(id: str) -> str:
    """A file name from which the id can be read again (by unquote): unsafe characters are written as %XX.

    Raises:
        InputError: if it would be too long.
    """
    return checked_name(_quoted(id), id)


def checked_name(name: str, *ids: str) -> str:
    """The name, if it is not too long for a file with its ending.

    Raises:
        InputError: if it is; it names the ids that the name is made of.
    """
    if len(name.encode(errors="replace")) > LONGEST_WHOLE_NAME:
        raise InputError(
            f"found the id {' with '.join(map(shorten, ids))}, which is too long for a file name: at most "
            f"{LONGEST_WHOLE_NAME} bytes, where each escaped character (%20) counts as three. Shorten it."
        )
    return name


def any_file_name_of(id: str) -> str:
    """A file name for any id, another one for another id, where the id itself is written elsewhere."""
    name = _quoted(id)
    if len(name) > LONGEST_NAME:
        digest = hashlib.blake2b(id.encode(errors="replace"), digest_size=8).hexdigest()
        name = f"{name[:LONGEST_NAME]}%{digest}"
    return name


def _quoted(id: str) -> str:
    """The id with escapes for characters that file names can't have, and for a dot at its start."""
    name = quote(id, safe="-_+@,=~", errors="replace")
    if name.startswith("."):
        return f"%2E{name[1:]}"
    return name


def save(path: Path, text: str) -> None:
    """Write the text, whole or not at all."""
    with atomic_writer(path) as file:
        file.write(text.encode(errors="replace"))


def save_lines(path: Path, lines: Iterable[str]) -> None:
    """Write the lines, each with its line end."""
    save(path, "".join(f"{line}\n" for line in lines))
