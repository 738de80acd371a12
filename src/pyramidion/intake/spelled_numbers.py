"""Numbers as sheets spell them: `4,5`, `80 %`, `4/5`, `4 - good`, `TRUE`, `yes`, `agree`.

A column is read so only if each of its cells that says anything has the same form; the line about the file says what
was read as what. Names of columns decide first: a column that is called like ids or texts is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyramidion.files.problems import Problems
from pyramidion.intake.cells import lacks_number, number_of
from pyramidion.intake.opened import ConvertedTable, OpenedTable, Row
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    PREFERENCE_ROLES,
    SUMMARY_ROLES,
    TOGETHER,
    exclude,
    is_index,
    names_measure,
)

_TEXT_ROLES: Final = ("topic", "summarizer", "summary", "references", "documents")
_WORD_PAIRS: Final = (
    ("no", "yes"),
    ("n", "y"),
    ("false", "true"),
    ("fail", "pass"),
    ("failed", "passed"),
    ("incorrect", "correct"),
    ("wrong", "right"),
)
_AGREEMENT: Final = {
    "strongly disagree": 1,
    "disagree": 2,
    "neutral": 3,
    "neither agree nor disagree": 3,
    "undecided": 3,
    "agree": 4,
    "strongly agree": 5,
}
"""The five answers of Likert's scale."""
_DECIMAL_COMMA = re.compile(r"[+-]?\d+(?:,\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_PERCENT = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*%")
_OUT_OF = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*(?:/|out of)\s*(\d+)", re.IGNORECASE)
_BEFORE_WORDS = re.compile(r"(\d+)\s*(?:[-–—:=.]\s*|\s\(?)([^\W\d][^\d]{0,40})")
_LONGEST = 60
"""Characters of a cell that may be a number in words."""


@dataclass(frozen=True)
class Spelling:
    """How the numbers of a column are spelled."""

    read: Callable[[str], float | None]
    """The number of a cell; None if it has none."""
    example: str
    value: float

    def describe(self, column: str) -> str:
        """What a reader of the answer must know."""
        return f"{column} ({self.example!r} is {self.value:g})"


def read_spelled_numbers(opened: OpenedTable, named: Mapping[str, str] | None = None) -> OpenedTable:
    """The table, with numbers in place of cells that spell them.

    Args:
        opened: the table.
        named: by role, the columns that the user names: those of ids and texts stay as they are.
    """
    sample = opened.sample
    if not sample:
        return opened
    columns = _free_columns(opened.columns, sample, named or {})
    spellings: dict[str, Spelling] = {}
    for column in columns:
        spelling = find_spelling([row.get(column) for row in sample], is_measure=names_measure(column))
        if spelling is not None:
            spellings[column] = spelling
    return SpelledTable(opened, spellings) if spellings else opened


def _free_columns(columns: Sequence[str], sample: Sequence[Mapping[str, Any]], named: Mapping[str, str]) -> list[str]:
    """The columns that may be scores: short texts under names that say nothing else."""
    # Answers of judges have a grammar of their own, with reasons; winners of preferences are no numbers.
    has_answers = "assessor" in named or JUDGMENT_ROLES["assessor"].match(columns)
    if has_answers or _has_winners(columns, named):
        return []
    taken: set[str] = set()
    for role in _TEXT_ROLES:
        taken.update(SUMMARY_ROLES[role].match(columns))
        taken.update(SUMMARY_ROLES[role].match_numbered(columns))
        taken.update(named.get(role, "").split(TOGETHER))
    taken.update(JUDGMENT_ROLES["comment"].match(columns))
    free = [name for name in exclude(columns, taken) if not is_index(name)]
    return [name for name in free if _begins_with_text(name, sample)]


def _has_winners(columns: Sequence[str], named: Mapping[str, str]) -> bool:
    """Whether rows say which of two systems is better."""
    if "winner" in named:
        return True
    required = [role for role in PREFERENCE_ROLES.values() if role.is_required]
    return all(role.match(columns) for role in required)


def _begins_with_text(column: str, sample: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the first cell of a column that says something is a text."""
    for row in sample:
        cell = row.get(column)
        if not lacks_number(cell):
            return isinstance(cell, str)
    return False


def find_spelling(cells: Iterable[Any], *, is_measure: bool = True) -> Spelling | None:
    """How the numbers of a column are spelled; None if they are plain numbers, or no numbers.

    Args:
        cells: the first ones.
        is_measure: whether the column is called after what was measured; `1 - news` in others is a category.

    >>> find_spelling(["4,5", "3", ""]).describe("score")
    "score ('4,5' is 4.5)"
    >>> find_spelling(["1,250", "2,000"])  # thousands, or three decimals: nobody knows
    >>> [find_spelling(cells).value for cells in (["80 %", "7%"], ["4/5", "3/5"], ["yes", "no"], ["Agree", "neutral"])]
    [80.0, 4.0, 1, 4]
    """
    texts: list[str] = []
    for cell in cells:
        if lacks_number(cell):
            continue
        if not isinstance(cell, str) or len(cell) > _LONGEST:
            return None
        texts.append(cell.strip())
    if not texts or all(number_of(text) is not None for text in texts):
        return None
    for read in _readers(texts, is_measure=is_measure):
        values = [read(text) for text in texts]
        if None not in values:
            example, value = next(
                (text, value) for text, value in zip(texts, values, strict=True) if not number_of(text)
            )
            return Spelling(read, example, value or 0.0)
    return None


def _readers(texts: Sequence[str], *, is_measure: bool) -> Iterator[Callable[[str], float | None]]:
    """The forms that the cells of a column may have."""
    with_comma = [text for text in texts if "," in text]
    may_be_thousands = all(map(_THOUSANDS.fullmatch, with_comma))
    if not may_be_thousands:
        yield _read_decimal_comma
    yield _read_percent
    # "4/5" beside "3/10" are shares of different scales.
    tops = {match[2] for match in map(_OUT_OF.fullmatch, texts) if match}
    if len(tops) == 1:
        yield _read_out_of
    words = {text.lower() for text in texts}
    for low, high in _WORD_PAIRS:
        if words <= {low, high}:
            yield _reader_of_words({low: 0, high: 1})
    if words <= _AGREEMENT.keys():
        yield _reader_of_words(_AGREEMENT)
    if is_measure and _has_one_meaning_each(texts):
        yield _read_before_words


def _has_one_meaning_each(texts: Sequence[str]) -> bool:
    """Whether cells such as `4 - good` have the same words wherever they have the same number."""
    words_by_number: dict[str, set[str]] = {}
    for match in filter(None, map(_BEFORE_WORDS.fullmatch, texts)):
        words_by_number.setdefault(match[1], set()).add(match[2].lower())
    if not words_by_number:
        return False
    return all(len(words) == 1 for words in words_by_number.values())


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _read_decimal_comma(text: str) -> float | None:
    return _number(text) if _DECIMAL_COMMA.fullmatch(text) else None


def _read_percent(text: str) -> float | None:
    match = _PERCENT.fullmatch(text)
    return _number(match[1]) if match else None


def _read_out_of(text: str) -> float | None:
    match = _OUT_OF.fullmatch(text)
    return _number(match[1]) if match else None


def _read_before_words(text: str) -> float | None:
    match = _BEFORE_WORDS.fullmatch(text)
    return float(match[1]) if match else number_of(text)


def _reader_of_words(values: Mapping[str, int]) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        return values.get(text.lower())

    return read


class SpelledTable(ConvertedTable):
    """A table with numbers in place of cells that spell them.

    Args:
        table: as it is.
        spellings: by column, how its numbers are spelled.
    """

    def __init__(self, table: OpenedTable, spellings: Mapping[str, Spelling]) -> None:
        super().__init__(table)
        self._spellings = spellings

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
        """Every row with its line; what can't be read is noted, and what was read as what is remarked."""
        listed = ", ".join(spelling.describe(column) for column, spelling in self._spellings.items())
        problems.remark(f"{self.path.name}: read as numbers: {listed}")
        yield from super().rows(problems, mark_is_fine=mark_is_fine)

    def convert_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with its numbers."""
        cells = dict(row)
        for column, spelling in self._spellings.items():
            cell = cells.get(column)
            if not isinstance(cell, str) or lacks_number(cell):
                continue
            value = spelling.read(cell.strip())
            # What does not have the form stays, and is an error of its row.
            if value is not None:
                cells[column] = repr(value) if self.has_text_cells else value
        return cells
