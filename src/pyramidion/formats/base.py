"""What a foreign format is: a name, a reader, a writer, and a way to recognise its files.

A module of this package offers plain functions and binds them together in one `Format`.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError, did_you_mean

HEAD_BYTES = 65_536
LONGEST_NAME = 150
AVERAGE = "average"
"""The topic of scores that are means over topics, where a file has no others."""


Detect = Callable[[Path], bool]
"""Whether a file is of the format, judged by its content, never by its name."""
Read = Callable[..., Campaign]
"""(path, problems, *, options) → the campaign; problems are noted, not raised. With `several`: (paths, …)."""
Write = Callable[..., None]
"""(campaign, target, problems, *, options); what the format can't hold is noted."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """One foreign format."""

    name: str
    description: str
    detector: Detect | None = None
    folder_detector: Detect | None = None
    """Whether a folder holds what the format reads, for formats that read folders."""
    several: bool = False
    """Whether files and folders can be read together: the reader then takes a sequence of paths."""
    reader: Read | None = None
    writer: Write | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    """Keyword options of the reader, each with a line that says what it does."""
    write_options: Mapping[str, str] = field(default_factory=dict)
    """Keyword options of the writer."""

    @property
    def reads(self) -> bool:
        """Whether campaigns can be imported from it."""
        return self.reader is not None

    @property
    def writes(self) -> bool:
        """Whether campaigns can be exported to it."""
        return self.writer is not None

    def detect(self, path: Path) -> bool:
        """Whether the file or folder is of this format; one that can't be read is of none."""
        if self.folder_detector is not None and is_folder(path):
            return self.folder_detector(path)
        return self.detector is not None and is_file(path) and self.detector(path)

    def read(self, path: Path | Sequence[Path], problems: Problems, **options: Any) -> Campaign:
        """The campaign in the file; call `problems.refuse()` afterwards. A repair is a warning there.

        Raises:
            UsageError: if the format can't be read, not from so many files, or not with these options.
        """
        if self.reader is None:
            raise UsageError(f"the format {self.name} can only be exported; `pyramidion list formats` shows all")
        self._check_options(options, self.options, "")
        paths = [path] if isinstance(path, Path) else list(path)
        if self.several:
            return self.reader(paths, problems, **options)
        if len(paths) != 1:
            raise UsageError(f"the format {self.name} is read from one place; found {len(paths)}. Import one by one.")
        return self.reader(paths[0], problems, **options)

    def write(self, campaign: Campaign, target: Path, problems: Problems, **options: Any) -> None:
        """Write the campaign to the target; what is lost is noted."""
        if self.writer is None:
            raise UsageError(f"the format {self.name} can only be imported; `pyramidion list formats` shows all")
        self._check_options(options, self.write_options, " for export")
        self.writer(campaign, target, problems, **options)

    def _check_options(self, given: Iterable[str], known: Mapping[str, str], when: str) -> None:
        for option in given:
            if option not in known:
                raise UsageError(
                    f"the format {self.name} has no option {option!r}{when}{did_you_mean(option, known)} "
                    f"it has: {', '.join(known) or 'none'}"
                )


def is_file(path: Path) -> bool:
    """Whether there is a regular file; a name that the system refuses (too long, a NUL) is no file either."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; a name that the system refuses is none."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def choice(name: str, value: str, known: Sequence[str]) -> str:
    """The value of an option that is one of a few words.

    Raises:
        UsageError: if it is none of them.
    """
    if value not in known:
        raise UsageError(f"{name}={value}{did_you_mean(value, known)} choose one of: {', '.join(known)}")
    return value


def head_of(path: Path) -> bytes:
    """The first bytes of a file, without a byte-order mark; none when it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return b""


def file_name_of(id: str) -> str:
    """A file name for any id, another one for another id: unsafe characters as %XX, long names cut and hashed."""
    name = quote(id, safe="-_+@,=~", errors="replace")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    if len(name) > LONGEST_NAME:
        digest = hashlib.blake2b(id.encode(errors="replace"), digest_size=8).hexdigest()
        name = f"{name[:LONGEST_NAME]}%{digest}"
    return name
