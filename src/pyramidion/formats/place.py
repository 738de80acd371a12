"""Where in a foreign file something is wrong: readers pass it on, so that a problem only says what is wrong."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pyramidion.campaign import Problems
from pyramidion.files.problems import Severity

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Place:
    """A file, perhaps a line and a field of it, and the problems that are collected."""

    problems: Problems
    file: Path | str
    line: int | None = None
    field: str | None = None

    def at(self, line: int | None = None, field: str | None = None) -> Place:
        """A line or a field of the same file."""
        return replace(self, line=line, field=field)

    def error(self, found: str, expected: str, remedy: str) -> None:
        """Something that stops the import."""
        self._add("error", found, expected, remedy)

    def warn(self, found: str, expected: str, remedy: str) -> None:
        """Something that was repaired or left out."""
        self._add("warning", found, expected, remedy)

    def is_first(self, lines: dict[Key, int], key: Key, name: str, *, expected: str, remedy: str) -> bool:
        """Whether the key is new here; a repeated one is an error that names the line of the first.

        Args:
            lines: the lines of the keys so far; a new key is added.
            key: must be unique.
            name: the key in words.
            expected: what the file should contain.
            remedy: what to do about it.
        """
        if key in lines:
            self.error(f"{name} again (first on line {lines[key]})", expected, remedy)
            return False
        lines[key] = self.line or 0
        return True

    def _add(self, severity: Severity, found: str, expected: str, remedy: str) -> None:
        self.problems.add(
            severity,
            file=self.file,
            line=self.line,
            field=self.field,
            found=found,
            expected=expected,
            remedy=remedy,
        )
