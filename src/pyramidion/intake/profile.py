"""What the columns of a table look like, by their first rows: numbers, names or texts, and how they vary."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import Any

from pyramidion.files.problems import shorten
from pyramidion.intake.cells import (
    are_integral,
    are_nearly_numbers,
    are_numbers,
    are_texts,
    as_json,
    is_missing,
    number_of,
    text_of,
)
from pyramidion.intake.roles import SUMMARY_ROLES, exclude, is_bookkeeping, is_index, split_words
from pyramidion.show.wording import counted

PROSE_WORDS = 6
"""Words that half the cells of a column have at least, if it holds texts rather than names or labels."""
_START_CHARACTERS = 2000
"""Characters of a text that are looked at."""
_FIRST_ROWS = 20
"""Rows by which most columns of numbers are recognised."""
_SHOWN_COLUMNS = 24
"""Columns that a message describes."""
_SHOWN_VALUES = 3
"""Values of a column that a message names."""
_SHOWN_CHARACTERS = 20
"""Characters of such a value."""
_FEWEST_GROUPS = 2
"""Groups of rows that have the same numbers in a column, at least, if these may be the numbers of runs."""
_FEWEST_TOPICS = 3
"""Values of a column that may be topics although nothing else says so, at least."""
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|\w+")
"""A word; where a script has no blanks, a character."""
_ASIDE_WORDS = frozenset(
    {
        *("comment", "comments", "reason", "reasons", "reasoning", "rationale", "explanation", "explanations", "why"),
        *("justification", "feedback", "note", "notes", "remark", "remarks", "critique", "analysis", "thought"),
        *("thoughts", "verdict", "prompt", "prompts", "instruction", "instructions", "question", "query", "request"),
        *("narrative", "title"),
    }
)
"""Words in the names of columns whose texts are about a summary, or ask for it."""


class ColumnProfile:
    """What a column looks like.

    Args:
        cells: its first cells.
    """

    def __init__(self, cells: Sequence[Any]) -> None:
        self.cells = cells

    @cached_property
    def texts(self) -> list[str]:
        """The cells as texts without blanks around them; nothing where they are missing."""
        return [_stripped_text(cell) for cell in self.cells]

    @cached_property
    def values(self) -> list[Any]:
        """The cells that are not empty."""
        return [cell for cell, text in zip(self.cells, self.texts, strict=True) if text]

    @property
    def json_values(self) -> list[Any]:
        """The cells that are not empty, as JSON would have them; a blank counts as a value."""
        values = [as_json(cell) for cell in self.cells]
        present = [value for value in values if not is_missing(value)]
        return [value for value in present if value != ""]

    @cached_property
    def holds_numbers(self) -> bool:
        """Whether there are numbers, and nothing else but missing values."""
        return are_numbers(self.cells)

    @cached_property
    def holds_nearly_numbers(self) -> bool:
        """Whether there are numbers but for some slips, which are errors and no reason to overlook the column."""
        return are_nearly_numbers(self.cells)

    @cached_property
    def holds_texts(self) -> bool:
        """Whether there are words, or lists or objects of them, rather than numbers."""
        return are_texts(self.cells)

    @property
    def holds_strings(self) -> bool:
        """Whether all cells are strings, of words or not."""
        return all(isinstance(value, str) for value in self.json_values)

    @property
    def holds_ids(self) -> bool:
        """Whether the cells can be ids: they are not mostly lists or objects.

        A few odd values do not change what a column is: their rows are errors.
        """
        values = self.json_values
        nested = [value for value in values if isinstance(value, list | dict)]
        if not nested:
            return True
        return 2 * len(nested) < len(values)

    @property
    def is_integral(self) -> bool:
        """Whether the texts are whole numbers that became decimals."""
        return are_integral(self.cells)

    @cached_property
    def word_count(self) -> float:
        """How many words a cell has, in the median; 0 if the column holds no words."""
        first_numbers = [number_of(cell) for cell in self.cells[:_FIRST_ROWS]]
        is_numeric = None not in first_numbers
        if is_numeric:  # asked first, because a table may have thousands of columns of numbers
            return 0
        if not self.holds_texts:
            return 0
        word_counts = [_count_words(text_of(value)) for value in self.values]
        return median(word_counts or [0])

    @property
    def is_prose(self) -> bool:
        """Whether the cells are texts rather than names or labels."""
        return self.word_count >= PROSE_WORDS

    @property
    def is_constant(self) -> bool:
        """Whether all rows have the same text: a prompt, not a summary."""
        texts = [text_of(value) for value in self.values]
        # Two equal texts may be chance in a table of two rows.
        return len(texts) > 2 and len(set(texts)) == 1

    @cached_property
    def is_short(self) -> bool:
        """Whether the cells are names or whole numbers, without lists and objects."""
        return all(map(_is_short, self.values))

    @property
    def unique_count(self) -> int:
        """How many different values there are."""
        return len(set(self.texts))

    def describe(self) -> str:
        """What the column holds, in some words for a message."""
        texts = [text_of(value) for value in self.values]
        if not texts:
            return "empty"
        if self.is_prose and self.is_constant:
            return "the same text in all rows"
        if self.is_prose:
            return f"texts of about {self.word_count:.0f} words"
        distinct = list(dict.fromkeys(texts))
        examples = ", ".join(map(_shorten_value, distinct[:_SHOWN_VALUES]))
        if self.holds_numbers:
            return f"numbers, such as {examples}"
        if len(distinct) == len(texts):
            return f"short texts, such as {examples}"
        more = ", …" if len(distinct) > _SHOWN_VALUES else ""
        return f"{counted(len(distinct), 'value')}: {examples}{more}"


class TableProfile:
    """What the columns of a table look like.

    Args:
        columns: their names.
        rows: the first rows.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        self.columns = columns
        self.rows = rows
        self.data_columns: list[str] = [name for name in columns if not is_index(name)]
        """The columns that do more than number the rows."""
        self._profiles: dict[str, ColumnProfile] = {}

    def column(self, name: str) -> ColumnProfile:
        """What a column looks like."""
        if name not in self._profiles:
            self._profiles[name] = ColumnProfile([row.get(name) for row in self.rows])
        return self._profiles[name]

    @cached_property
    def id_columns(self) -> list[str]:
        """The columns of topics and of summarizers, by their names."""
        columns: list[str] = []
        for role in (SUMMARY_ROLES["topic"], SUMMARY_ROLES["summarizer"]):
            names = [name for name in role.match(self.data_columns) if not self.column(name).is_prose]
            columns += names[:1]
        return columns

    @cached_property
    def number_columns(self) -> list[str]:
        """Columns of numbers, besides ids."""
        names = exclude(self.data_columns, self.id_columns)
        return [name for name in names if self.column(name).holds_numbers]

    @property
    def score_columns(self) -> list[str]:
        """Columns of numbers that may be scores: not latencies, lengths and the like."""
        return [name for name in self.number_columns if not is_bookkeeping(name)]

    @property
    def has_scores_with_slips(self) -> bool:
        """Whether a column may be scores but for some cells."""
        names = exclude(self.data_columns, self.id_columns)
        return any(self.column(name).holds_nearly_numbers for name in names if not is_bookkeeping(name))

    @property
    def has_only_bookkeeping(self) -> bool:
        """Whether there are numbers, but no column that may be scores, not even one with a slip in it."""
        if not self.number_columns:
            return False
        bookkeeping = filter(is_bookkeeping, self.data_columns)
        columns = exclude(self.data_columns, [*self.id_columns, *bookkeeping])
        return all(self.column(name).word_count for name in columns)

    @cached_property
    def prose_columns(self) -> list[str]:
        """Columns of texts that may be summaries, references or documents: not comments, prompts and the like."""
        names = [name for name in self.data_columns if _ASIDE_WORDS.isdisjoint(split_words(name))]
        names = [name for name in names if self.column(name).is_prose]
        return [name for name in names if not self.column(name).is_constant]

    @cached_property
    def unknown_prose(self) -> list[str]:
        """Columns of texts whose names do not say whether they are summaries, references or documents."""
        named = {*self.match("summary"), *self.match("references"), *self.match("documents")}
        return exclude(self.prose_columns, named)

    def match(self, role: str) -> list[str]:
        """Columns whose names fit a role of a table of summaries, those that are numbered included."""
        matcher = SUMMARY_ROLES[role]
        return [*matcher.match(self.data_columns), *matcher.match_numbered(self.data_columns)]

    @property
    def label_columns(self) -> list[str]:
        """Short columns of words, most of them several times: perhaps systems."""
        names = [name for name in self.short_columns if self.column(name).word_count]
        return [name for name in names if 2 * self.column(name).unique_count <= len(self.rows)]

    @cached_property
    def short_columns(self) -> list[str]:
        """Columns of names or of whole numbers, without lists and objects."""
        return [name for name in self.data_columns if self.column(name).is_short]

    def varies_within(self, name: str, *keys: str) -> bool:
        """Whether rows with the same texts in the columns `keys` differ in a column."""
        texts = self.column(name).texts
        return any(len({texts[row] for row in rows}) > 1 for rows in self.group_rows(keys))

    def is_shared(self, topic: str, system: str) -> bool:
        """Whether most values of a column come in rows of several systems, as those of topics do.

        Args:
            topic: the column.
            system: the column of systems.
        """
        systems_by_value: dict[str, set[str]] = defaultdict(set)
        for value, system_name in zip(self.column(topic).texts, self.column(system).texts, strict=True):
            systems_by_value[value].add(system_name)
        shared_count = sum(len(systems) > 1 for systems in systems_by_value.values())
        return 2 * shared_count >= max(len(systems_by_value), 1)

    def match_topics(self, names: Sequence[str], system: str, others: Sequence[str]) -> list[str]:
        """Columns that may be the topics: those that several systems share, because numbers of rows are no topics.

        Where no column that is called like topics is shared, the only other one that goes with the systems like topics
        comes first.

        Args:
            names: columns that are called like topics, the most telling first.
            system: the column of systems.
            others: further columns.
        """
        # Our own name is a promise, and one system shares nothing.
        is_clear = "topic" in names[:1] or self.column(system).unique_count < _FEWEST_GROUPS
        if is_clear:
            return list(names)
        shared_first = sorted(names, key=lambda name: not self.is_shared(name, system))
        if shared_first and self.is_shared(shared_first[0], system):
            return shared_first
        crossing = self.find_crossing(exclude(others, [*names, system]), system)
        return [*(crossing if len(crossing) == 1 else ()), *shared_first]

    def find_crossing(self, names: Iterable[str], system: str) -> list[str]:
        """Columns of words that have each value once for each system, and share most of them: perhaps topics.

        Args:
            names: those that may be topics, whatever they are called.
            system: the column of systems.
        """
        short_names = [name for name in names if name in self.short_columns]
        # Numbers may be scores.
        words = [name for name in short_names if self.column(name).word_count]
        varied = [name for name in words if self.column(name).unique_count >= _FEWEST_TOPICS]
        keys = [name for name in varied if not self.has_repeats([name, system])]
        return [name for name in keys if self.is_shared(name, system)]

    def guess_keys(self, names: Sequence[str]) -> tuple[str, str] | None:
        """Two columns, whatever they are called, that are topics and systems: each pair of their values comes once.

        Args:
            names: those that may be either.
        """
        for system in [name for name in self.label_columns if name in names]:
            topics = self.find_crossing([name for name in names if name != system], system)
            topics = [name for name in topics if self.column(name).unique_count >= self.column(system).unique_count]
            if topics:
                return topics[0], system
        return None

    def group_rows(self, keys: Sequence[str]) -> list[list[int]]:
        """The numbers of the rows that have the same texts in the columns `keys`."""
        texts = [self.column(key).texts for key in keys]
        groups: dict[tuple[str, ...], list[int]] = {}
        for number in range(len(self.rows)):
            key = tuple(column[number] for column in texts)
            groups.setdefault(key, []).append(number)
        return list(groups.values())

    def has_repeats(self, keys: Sequence[str]) -> bool:
        """Whether several rows have the same texts in the columns `keys`."""
        return any(len(rows) > 1 for rows in self.group_rows(keys))

    def has_mostly_repeats(self, keys: Sequence[str]) -> bool:
        """Whether most combinations of texts in the columns `keys` come several times."""
        groups = self.group_rows(keys)
        repeat_count = sum(len(rows) > 1 for rows in groups)
        return 2 * repeat_count >= len(groups)

    def distinguishing_columns(self, keys: Sequence[str]) -> list[str]:
        """Short columns in which rows with the same keys differ: names first, and those with the fewest values."""
        groups = [rows for rows in self.group_rows(keys) if len(rows) > 1]
        if not groups:
            return []
        names = exclude(self.short_columns, keys)
        names = [name for name in names if self._distinguishes(name, groups)]
        # Sorting is stable: the second sort decides, the first one orders what it finds equal.
        names.sort(key=lambda name: self.column(name).unique_count)
        names.sort(key=lambda name: not self.column(name).word_count)
        return names

    def _distinguishes(self, name: str, groups: Sequence[Sequence[int]]) -> bool:
        """Whether the rows of each group differ in a column; by the same numbers, if it holds numbers: 1, 2, 3."""
        texts = self.column(name).texts
        value_sets: list[frozenset[str]] = []
        for rows in groups:
            values = frozenset(texts[row] for row in rows)
            if len(values) < len(rows):
                return False
            value_sets.append(values)
        if self.column(name).word_count:
            return True
        # Numbers distinguish rows of a topic in any table of scores; only those that repeat, 1, 2, 3 in topic after
        # topic, can number the outputs of a system.
        most_alike = max(map(value_sets.count, value_sets))
        return most_alike >= max(_FEWEST_GROUPS, len(groups) / 2)

    def describe(self) -> str:
        """Every column with what it holds, for a message."""
        names = self.data_columns[:_SHOWN_COLUMNS]
        parts = [f"{name} ({self.column(name).describe()})" for name in names]
        if len(self.data_columns) > _SHOWN_COLUMNS:
            parts.append(f"{len(self.data_columns) - _SHOWN_COLUMNS} more")
        return ", ".join(parts) or "(none)"


def _stripped_text(cell: Any) -> str:
    """The words of a cell without blanks around them; nothing where it is missing."""
    if is_missing(cell):
        return ""
    return text_of(cell).strip()


def _is_short(value: Any) -> bool:
    """Whether a cell holds a name or a whole number."""
    if isinstance(value, list | tuple | Mapping):
        return False
    number = number_of(value)
    if number is not None:
        return number.is_integer()
    return _count_words(text_of(value)) < PROSE_WORDS


def _count_words(text: str) -> float:
    """How many words a text has; of a long one, as many as its beginning suggests."""
    start = text[:_START_CHARACTERS]
    # Documents of a megabyte would make recognition slower than reading the file.
    return len(_WORD.findall(start)) * len(text) / max(len(start), 1)


def _shorten_value(text: str) -> str:
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return shorten(text, _SHOWN_CHARACTERS)
