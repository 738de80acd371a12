"""What a run reads, and what is wrong with it: a `Problem` each, collected so that a user sees all of them at once.

`Problems` goes with whatever is read: what is odd is noted there, and which files were read, `RunFiles`, so that no
output overwrites an input.
"""

from __future__ import annotations

import re
import stat
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from pyramidion.errors import InputError, UsageError
from pyramidion.files import guards
from pyramidion.show.tables import Finding, Row, Table, table_of
from pyramidion.show.wording import counted, printable

Severity = Literal["error", "warning"]
Key = TypeVar("Key", bound=Hashable)

PLACES = 3
"""Places that a folded line names."""
FIXED = frozenset({"no such key", "nothing", "an empty text", "null"})
"""What makes a kind of problem by itself, whatever was expected."""

_FileKey = tuple[int, int]
"""The device and the number of a file there: the same for all names of a file."""
_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}")}


class Problem(Row, record="problem"):
    """One thing that is wrong: where, what was found, what was expected, what to do."""

    severity: Severity
    file: str
    line: int | None
    field: str | None
    found: str
    expected: str
    remedy: str
    count: int = 1
    """How often it occurs in the file, where only the first place is named."""
    reason: str = "a problem of the whole file or line"

    def kind(self) -> tuple[str, ...]:
        """What it has in common with others of its kind: the file, the field and what is expected."""
        field = re.sub(r"\[\d+\]", "[…]", self.field or "")
        found = self.found if self.found in FIXED else re.sub(r"\d+", "#", self.expected)
        return self.severity, self.file, field, found, self.expected

    def at(self, place: str, such: str = "") -> str:
        """The problem with its place."""
        field = f" {self.field}:" if self.field else ""
        return f"{place}: {self.severity}:{field} found{such} {self.found}; expected {self.expected}. {self.remedy}"

    def __str__(self) -> str:
        if self.line is None:
            return self.at(self.file)
        return self.at(f"{self.file}:{self.line}")


def _in_one_line(problems: list[Problem]) -> str:
    """Problems of one kind: the first in full, where the next ones are, and how many there are."""
    first, count = problems[0], len(problems)
    if count == 1:
        return str(first)
    lines = [str(problem.line) for problem in problems if problem.line is not None]
    shown = ", ".join(lines[:PLACES])
    more = f", … ({count:,} times)" if count > PLACES else ""
    place = f"{first.file}:{shown}{more}" if shown else f"{first.file} ({count:,} times)"
    are_alike = len({problem.found for problem in problems}) == 1
    such = "" if are_alike else ", for example,"
    return first.at(place, such)


class Place(NamedTuple):
    """A file, or a line or field of it, and where its problems go: readers pass it on and only say what is wrong."""

    problems: Problems
    file: Path | str
    line: int | None = None
    field: str | None = None

    def at(self, line: int | None = None, field: str | None = None) -> Place:
        """A line or a field of the same file."""
        return Place(self.problems, self.file, line, field)

    def within(self, name: str) -> Place:
        """A part of this place; parts of parts are named from the outside in."""
        if self.field:
            name = f"{self.field}, {name}"
        return self._replace(field=name)

    def error(self, found: str, expected: str, remedy: str, *, field: str | None = None, count: int = 1) -> None:
        """Note what makes the data unusable."""
        self.note("error", found, expected, remedy, field=field, count=count)

    def warning(self, found: str, expected: str, remedy: str, *, field: str | None = None, count: int = 1) -> None:
        """Note what deserves a look: something odd, or something that was repaired or left out."""
        self.note("warning", found, expected, remedy, field=field, count=count)

    def note(
        self, severity: Severity, found: str, expected: str, remedy: str, *, field: str | None = None, count: int = 1
    ) -> None:
        """Note a problem of either severity."""
        if not self.problems.has_room(severity):
            self.problems.counts[severity] += 1  # nothing is made of it: a million of them take no time
            return
        field = field or self.field
        if field:
            field = printable(_cut(field, 120))
        self.problems.add(
            Problem(
                severity=severity,
                file=printable(str(self.file)),
                line=self.line,
                field=field or None,
                found=printable(_cut(found, guards.FOUND_CHARACTERS)),
                expected=printable(expected),
                remedy=printable(remedy),
                count=count,
            )
        )

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


class RunFiles:
    """The files of one run: one command, or one evaluation."""

    def __init__(self) -> None:
        self._read: set[Path] = set()
        self._keys: frozenset[_FileKey] = frozenset()
        self._compared = 0
        self._outputs: dict[_FileKey, Path] = {}
        self._replaceable: set[_FileKey] = set()

    @property
    def read_paths(self) -> frozenset[Path]:
        """The files that were read so far."""
        return frozenset(self._read)

    def note_read(self, path: Path) -> None:
        """Note a file that is about to be read.

        Raises:
            UsageError: if it is an output that was announced.
        """
        if self._outputs:
            key = _key_of(path)
            if key in self._outputs:
                raise _overwriting(self._outputs[key])
        self._read.add(path.absolute())

    def expect_output(self, path: Path, *, may_replace: bool) -> None:
        """Note a file that is going to be written, and whether the user agreed that it replaces what is read.

        Raises:
            UsageError: if it was read, and the user did not agree to replace it.
        """
        key = _key_of(path)
        if key is None:
            return
        if may_replace:
            self._replaceable.add(key)
            return
        self._replaceable.discard(key)
        self.refuse_read(path)
        self._outputs[key] = path

    @contextmanager
    def expecting(self, path: Path) -> Iterator[None]:
        """Refuse to read, inside, the file that is going to be written; afterwards it may be read as any other.

        Raises:
            UsageError: if it was read before.
        """
        self.expect_output(path, may_replace=False)
        try:
            yield
        finally:
            self._outputs.clear()
            self._replaceable.clear()

    def refuse_read(self, path: Path) -> None:
        """Refuse to write a file that was read.

        Raises:
            UsageError: if it was, under whatever name.
        """
        key = _key_of(path)
        if key is None or key in self._replaceable:
            return
        # stat() of thousands of files takes time: only when more were read since the last question.
        if self._compared != len(self._read):
            self._compared = len(self._read)
            self._keys = frozenset(filter(None, map(_key_of, self._read)))
        if key in self._keys:
            raise _overwriting(path)


def _key_of(path: Path) -> _FileKey | None:
    """What identifies a file that exists, also through links; None for anything else."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino


def _overwriting(output: Path) -> UsageError:
    return UsageError(f"{output} is read by this run, and no output overwrites what is read; write to another file")


class Problems(Finding, frozen=False, kw_only=False, repr=True, eq=True):
    """The problems found so far, in the order in which they were found."""

    kept: list[Problem] = field(default_factory=list)
    counts: Counter[Severity] = field(default_factory=Counter)
    most: int = field(default=guards.PROBLEMS_KEPT, repr=False, compare=False)
    """Problems of each severity that are kept in full."""
    remarks: list[str] = field(default_factory=list)
    """How the data was understood: nothing is wrong, but the user should know."""
    files: RunFiles = field(default_factory=RunFiles, repr=False, compare=False)
    """What was read, and must not be overwritten."""

    def aside(self) -> Problems:
        """A collection for problems of the same run that nobody needs to know, such as those of a second look."""
        return Problems(files=self.files)

    def remark(self, sentence: str) -> None:
        """Note once how the data was understood."""
        sentence = printable(sentence)
        if sentence not in self.remarks:
            self.remarks.append(sentence)

    def add(self, problem: Problem) -> None:
        """Note one problem; beyond `most` it is only counted."""
        if self.has_room(problem.severity):
            self.kept.append(problem)
        self.counts[problem.severity] += 1

    def has_room(self, severity: Severity) -> bool:
        """Whether one more problem of the severity is kept in full."""
        return self.counts[severity] < self.most

    def clear(self) -> None:
        """Forget them: the same data is about to be read again."""
        self.kept.clear()
        self.counts.clear()

    def extend(self, later: Problems) -> None:
        """Note all problems of another collection, those that it only counted included."""
        for problem in later:
            self.add(problem)
        for severity, count in (later.counts - Counter(problem.severity for problem in later)).items():
            self.counts[severity] += count

    def at(self, file: Path | str, line: int | None = None, field: str | None = None) -> Place:
        """A place whose problems are noted here: `problems.at(path, 3).error(…)`."""
        return Place(self, file, line, field)

    @property
    def errors(self) -> int:
        """Number of errors, those not kept in full included."""
        return self.counts["error"]

    @property
    def warnings(self) -> int:
        """Number of warnings, those not kept in full included."""
        return self.counts["warning"]

    @property
    def dropped(self) -> int:
        """Number of problems that were only counted."""
        return self.errors + self.warnings - len(self.kept)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.kept)

    def rows(self) -> Iterator[Row]:
        """The problems that were kept in full."""
        yield from self.kept

    def tables(self) -> list[Table]:
        """All of them in one table."""
        return [table_of(self.kept, Problem.field_names()[:-1], record="problem", title="Problems")]

    def __len__(self) -> int:
        return self.errors + self.warnings

    def folded(self, *, errors_only: bool = False) -> list[str]:
        """One line for each kind of problem, with its first places and a count."""
        kinds: dict[tuple[str, ...], list[Problem]] = {}
        for problem in self.kept:
            if not errors_only or problem.severity == "error":
                kinds.setdefault(problem.kind(), []).append(problem)
        return [_in_one_line(problems) for problems in kinds.values()]

    def refuse(self, *, strict: bool = False) -> None:
        """Raise `CampaignError` if there are errors (with `strict`: or warnings)."""
        if self.errors or (strict and self.warnings):
            raise CampaignError(self, strict=strict)


class CampaignError(InputError):
    """The data has errors; `problems` holds every one of them."""

    def __init__(self, problems: Problems, *, strict: bool = False) -> None:
        self.problems = problems
        lines = problems.folded(errors_only=not strict)
        total = len(problems) if strict else problems.errors
        shown = sum(strict or problem.severity == "error" for problem in problems)
        if total > shown:
            lines.append(f"… and {total - shown} more")
        super().__init__("\n".join([*lines, f"{counted(total, 'problem')}: nothing was read"]))


class CampaignWarning(UserWarning):
    """The data was read, but something in it deserves a look."""


def shorten(value: object, limit: int = 60) -> str:
    """A value as an error message shows it: on one line, and cut."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = ""
    try:
        for piece in _pieces(value, limit):
            text += piece
            if len(text) > limit:
                break
        return _cut(text, limit)
    except (ValueError, RecursionError):  # whole numbers of thousands of digits, what refers to itself
        return f"{type(value).__name__} too large to show"


def _pieces(value: object, limit: int) -> Iterator[str]:
    """The repr of a value, piece by piece: a list that holds itself, or one text a million times, has no end."""
    if type(value) in (str, bytes):
        yield repr(value[: limit + 1])  # type: ignore[index]
    elif type(value) in _BRACKETS:
        opening, closing = _BRACKETS[type(value)]
        yield opening
        for number, item in enumerate(value):  # type: ignore[arg-type,var-annotated]
            yield ", " if number else ""
            yield from _pieces(item, limit)
            if isinstance(value, dict):
                yield ": "
                yield from _pieces(value[item], limit)
        yield ",)" if type(value) is tuple and len(value) == 1 else closing
    else:
        yield repr(value)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…"
