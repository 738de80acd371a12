"""The grammar of measure names: `name[(argument,…)][.statistic]`.

A name is an identity: `parse(str(name)) == name` for every `MeasureName`. Nothing here knows any measure.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from pyramidion.errors import UsageError

_BASE = re.compile(r"[A-Za-z][\w*-]*(?:\.[0-9][\w*-]*)*")
_KEY = re.compile(r"([A-Za-z][\w-]*)=")
_STATISTIC = re.compile(r"[^\W\d_][\w-]*")
_BARE = re.compile(r"[\w.*/+:@%~-]+")
_STRING = json.JSONDecoder()
DEEPEST = 20


@dataclass(frozen=True)
class Option:
    """A keyed argument, such as `stop=yes`."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"{self.key}={self.value if _is_bare(self.value) else json.dumps(self.value, ensure_ascii=False)}"


@dataclass(frozen=True)
class MeasureName:
    """A measure's name taken apart."""

    base: str
    arguments: tuple[Option | MeasureName, ...] = ()
    statistic: str | None = None

    def __str__(self) -> str:
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        if self.statistic is None:
            return f"{self.base}{arguments}"
        bare = _STATISTIC.fullmatch(self.statistic)
        statistic = self.statistic if bare else json.dumps(self.statistic, ensure_ascii=False)
        return f"{self.base}{arguments}.{statistic}"

    @property
    def options(self) -> tuple[Option, ...]:
        """The keyed arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Option))

    @property
    def measures(self) -> tuple[MeasureName, ...]:
        """The positional arguments: measures inside this one."""
        return tuple(argument for argument in self.arguments if isinstance(argument, MeasureName))


def parse(text: str) -> MeasureName:
    """Take a name apart; what does not fit the grammar is a usage error that shows where."""
    parser = _Parser(text)
    name = parser.name()
    if parser.at < len(text):
        several = "one name at a time" if text[parser.at] == "," else "the end of the name"
        parser.fail(f"{several} (put names with blanks or dots in double quotes)")
    return name


def option_values(text: str) -> list[str]:
    """The values of all options in a name, also of the measures inside it; none if it can't be read as a name."""
    try:
        name = parse(text)
    except UsageError:
        return []
    inside = [value for measure in name.measures for value in option_values(str(measure))]
    for option in name.options:
        inside += [option.value, *option_values(option.value)]
    return inside


def _is_bare(value: str) -> bool:
    """Whether a value can stand without quotes: a plain word, or a measure's name."""
    if _BARE.fullmatch(value):
        return True
    try:
        return "(" in value and str(parse(value)) == value
    except UsageError:
        return False


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def name(self) -> MeasureName:
        base = self._take(_BASE, "the name of a measure")
        arguments: list[Option | MeasureName] = []
        if self._skip("("):
            self.depth += 1
            if self.depth > DEEPEST:
                self.fail("at most twenty measures inside each other")
            while True:
                arguments.append(self._argument())
                if self._skip(")"):
                    break
                if not self._skip(","):
                    self.fail("`,` or `)`")
            self.depth -= 1
        statistic = None
        if self._skip("."):
            statistic = self._string() if self._next() == '"' else self._take(_STATISTIC, "a statistic")
        return MeasureName(base, tuple(arguments), statistic)

    def fail(self, expected: str) -> NoReturn:
        mark = self.text[: self.at] + "▸" + self.text[self.at :]
        raise UsageError(f"the measure {self.text!r} can't be read: expected {expected} at ▸ in {mark}")

    def _argument(self) -> Option | MeasureName:
        match = _KEY.match(self.text, self.at)
        if not match:
            return self.name()
        self.at = match.end()
        return Option(match[1], self._string() if self._next() == '"' else self._bare())

    def _bare(self) -> str:
        start, depth = self.at, 0
        while self.at < len(self.text):
            character = self.text[self.at]
            if depth == 0 and character in ",)":
                break
            if character == '"':
                self._string()
                continue
            depth += (character == "(") - (character == ")")
            self.at += 1
        return self.text[start : self.at].strip()

    def _string(self) -> str:
        try:
            value, self.at = _STRING.raw_decode(self.text, self.at)
        except json.JSONDecodeError:
            self.fail("a string in double quotes")
        return str(value)

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        match = pattern.match(self.text, self.at)
        if not match:
            self.fail(expected)
        self.at = match.end()
        return match[0]

    def _skip(self, character: str) -> bool:
        if self._next() == character:
            self.at += 1
            return True
        return False

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]


def short_name(measure: str) -> str:
    """A measure's name inside a sentence: a question in words, other measures by their name.

    >>> short_name("question.overall-responsiveness"), short_name("rouge-2.recall")
    ('overall responsiveness', 'rouge-2.recall')
    """
    name = parse(measure)
    is_question = name.base == "question" and name.statistic
    return question_in_words(name.statistic or "") if is_question else measure


def question_in_words(question: str) -> str:
    """A question's name without its hyphens: `overall responsiveness`, but `non-redundancy`."""
    return re.sub(r"(?<!\bnon)-", " ", question)
