"""The grammar of measure names: `name[(argument,…)][.statistic]`.

A name is an identity: `parse(str(name)) == name` for every `MeasureName`. Nothing here knows any measure.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from pyramidion.errors import UsageError

# A dot followed by a digit belongs to the base, as in rouge-w1.2; followed by a letter it begins the statistic.
_BASE = re.compile(r"[A-Za-z][\w*-]*(?:\.[0-9][\w*-]*)*")
_KEY = re.compile(r"([A-Za-z][\w-]*)=")
# Letters of any script: names of questions become statistics.
_STATISTIC = re.compile(r"[^\W\d_][\w-]*")
_BARE = re.compile(r"[\w.*/+:@%~-]+")
_STRING = json.JSONDecoder()
# The parser calls itself for measures inside measures: a name that someone pastes must not exhaust Python's stack.
DEEPEST = 20


@dataclass(frozen=True)
class MeasureOption:
    """A keyed argument, such as `stop=yes`."""

    key: str
    value: str

    def __str__(self) -> str:
        value = self.value
        if not _is_bare(value):
            value = json.dumps(value, ensure_ascii=False)
        return f"{self.key}={value}"


@dataclass(frozen=True)
class MeasureName:
    """A measure's name taken apart."""

    base: str
    arguments: tuple[MeasureOption | MeasureName, ...] = ()
    statistic: str | None = None

    def __str__(self) -> str:
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        if self.statistic is None:
            return f"{self.base}{arguments}"
        bare = _STATISTIC.fullmatch(self.statistic)
        statistic = self.statistic if bare else json.dumps(self.statistic, ensure_ascii=False)
        return f"{self.base}{arguments}.{statistic}"

    @property
    def options(self) -> tuple[MeasureOption, ...]:
        """The keyed arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, MeasureOption))

    @property
    def measures(self) -> tuple[MeasureName, ...]:
        """The positional arguments: measures inside this one."""
        return tuple(argument for argument in self.arguments if isinstance(argument, MeasureName))


def parse(text: str) -> MeasureName:
    """Take a name apart; what does not fit the grammar is a usage error that shows where."""
    parser = _NameParser(text)
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
    values: list[str] = []
    for measure in name.measures:
        values += option_values(str(measure))
    for option in name.options:
        values += [option.value, *option_values(option.value)]
    return values


def _is_bare(value: str) -> bool:
    """Whether a value can stand without quotes: a plain word, or a measure's name."""
    if _BARE.fullmatch(value):
        return True
    try:
        # A value that is itself a name, as in regression(target=hbr(a,b)), reads better without quotes; it must come
        # back the same when it is parsed.
        return "(" in value and str(parse(value)) == value
    except UsageError:
        return False


class _NameParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def name(self) -> MeasureName:
        """A whole name: base, arguments in parentheses, statistic behind a full stop."""
        base = self._take(_BASE, "the name of a measure")
        arguments: list[MeasureOption | MeasureName] = []
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
        """Raise an error that shows where in the name something else was expected."""
        mark = self.text[: self.at] + "▸" + self.text[self.at :]
        raise UsageError(f"the measure {self.text!r} can't be read: expected {expected} at ▸ in {mark}")

    def _argument(self) -> MeasureOption | MeasureName:
        """An option such as `stop=yes`, or the name of a measure."""
        match = _KEY.match(self.text, self.at)
        if not match:
            return self.name()
        self.at = match.end()
        value = self._string() if self._next() == '"' else self._bare()
        return MeasureOption(match[1], value)

    def _bare(self) -> str:
        """A value without quotes: up to a comma or parenthesis that belongs to the name around it."""
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
        """A value in double quotes, with JSON's escapes."""
        try:
            value, self.at = _STRING.raw_decode(self.text, self.at)
        except json.JSONDecodeError:
            self.fail("a string in double quotes")
        return str(value)

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        """What the pattern matches here; an error if it does not match."""
        match = pattern.match(self.text, self.at)
        if not match:
            self.fail(expected)
        self.at = match.end()
        return match[0]

    def _skip(self, character: str) -> bool:
        """Whether the next character is this one, which is then passed."""
        if self._next() == character:
            self.at += 1
            return True
        return False

    def _next(self) -> str:
        """The next character; empty at the end."""
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
    # DUC's question is called non-redundancy, with a hyphen, in all of its papers.
    return re.sub(r"(?<!\bnon)-", " ", question)
