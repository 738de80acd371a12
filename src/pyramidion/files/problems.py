"""What is wrong with a file: a `Problem` each, collected in `Problems` so that a user sees all of them at once."""

from __future__ import annotations

import errno
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from pyramidion.errors import InputError
from pyramidion.files import guards
from pyramidion.files.run_files import RunFiles
from pyramidion.show.tables import Finding, Row, Table, table_of
from pyramidion.show.wording import counted, printable

Severity = Literal["error", "warning"]
Key = TypeVar("Key", bound=Hashable)

PLACES = 3
"""Places that a folded line names."""
FIXED = frozenset({"no such key", "nothing", "an empty text", "null"})
"""What makes a kind of problem by itself, whatever was expected."""

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


class Refusal(NamedTuple):
    """An error of the system, as a colleague would say it."""

    found: str
    """In place of the file, after "found"."""
    reason: str
    """In a clause."""
    remedy: str


_CHECK = "Check the path and its permissions."
_ENDS_HERE = "Check the path: a relative one starts in the folder where the command runs."
_NOT_ALLOWED = Refusal(
    "a file that you have no permission to read",
    "permission denied",
    "Ask the owner for access. If it is yours: chmod u+rw FILE; folders on the path need chmod u+rx.",
)
_TOO_MANY = Refusal(
    "too many open files", "too many files are open", "Close other programs, or allow more files: ulimit -n 4096."
)
_FULL = Refusal("a full disk", "the disk is full", "Free some space, or choose another place.")
_REFUSALS = {
    errno.ENOENT: Refusal("no such file", "there is no such file or folder", _ENDS_HERE),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EISDIR: Refusal("a folder", "it is a folder", "Give a file."),
    errno.ENOTDIR: Refusal(
        "no such file, because a part of the path is a file and not a folder",
        "a part of the path is a file and not a folder",
        _ENDS_HERE,
    ),
    errno.EEXIST: Refusal("a file in place of a folder", "a file is in the way", "Choose another place."),
    errno.EMFILE: _TOO_MANY,
    errno.ENFILE: _TOO_MANY,
    errno.ENAMETOOLONG: Refusal(
        "a name that is too long for a file",
        "the name is too long for a file",
        "Check that it is a path, and shorten its names.",
    ),
    errno.ELOOP: Refusal("links that lead in a circle", "its links lead in a circle", "Correct the links."),
    errno.EROFS: Refusal("a disk that is read-only", "the disk is read-only", "Choose another place."),
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL._replace(found="a used-up quota", reason="your disk quota is used up"),
    errno.EFBIG: Refusal(
        "a file that is too large for this disk or its limit",
        "the file is too large for this disk or its limit",
        "Raise the limit (ulimit -f), or choose another place.",
    ),
    errno.EIO: Refusal("a disk error", "the disk reported an error", "Copy the file from elsewhere."),
}


def refusal_of(error: OSError) -> Refusal:
    """The error in words; one of our own, or one that is rare, in its own."""
    words = error.strerror or str(error)
    in_its_own_words = Refusal(words, words, _CHECK)
    if type(error).__module__.startswith("pyramidion.files."):
        return in_its_own_words
    return _REFUSALS.get(error.errno or 0, in_its_own_words)


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
