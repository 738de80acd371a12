"""What a foreign format is: a name, a reader, a writer, and a way to recognise its files.

A module of this package offers plain functions and binds them together in one `Format`.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError, did_you_mean

HEAD_BYTES = 65_536


Detect = Callable[[Path], bool]
"""Whether a file is of the format, judged by its content, never by its name."""
Read = Callable[..., Campaign]
"""(path, problems, *, options) → the campaign; problems are noted, not raised."""
Write = Callable[[Campaign, Path, Problems], None]
"""(campaign, target, problems); what the format can't hold is noted."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """One foreign format."""

    name: str
    description: str
    detector: Detect | None = None
    reader: Read | None = None
    writer: Write | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    """Keyword options of the reader, each with a line that says what it does."""

    @property
    def reads(self) -> bool:
        """Whether campaigns can be imported from it."""
        return self.reader is not None

    @property
    def writes(self) -> bool:
        """Whether campaigns can be exported to it."""
        return self.writer is not None

    def detect(self, path: Path) -> bool:
        """Whether the file is of this format; a file that can't be read is of none."""
        return self.detector is not None and is_file(path) and self.detector(path)

    def read(self, path: Path, problems: Problems, **options: Any) -> Campaign:
        """The campaign in the file; call `problems.refuse()` afterwards. A repair is a warning there."""
        if self.reader is None:
            raise UsageError(f"the format {self.name} can only be exported; `pyramidion list formats` shows all")
        for option in options:
            if option not in self.options:
                known = ", ".join(self.options) or "none"
                raise UsageError(
                    f"the format {self.name} has no option {option!r}{did_you_mean(option, self.options)} "
                    f"it has: {known}"
                )
        return self.reader(path, problems, **options)

    def write(self, campaign: Campaign, target: Path, problems: Problems) -> None:
        """Write the campaign to the target; what is lost is noted."""
        if self.writer is None:
            raise UsageError(f"the format {self.name} can only be imported; `pyramidion list formats` shows all")
        self.writer(campaign, target, problems)


def is_file(path: Path) -> bool:
    """Whether there is a regular file; a name that the system refuses (too long, a NUL) is no file either."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def head_of(path: Path) -> bytes:
    """The first bytes of a file, without a byte-order mark; none when it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return b""
