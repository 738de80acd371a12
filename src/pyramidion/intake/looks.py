"""What the columns of a table look like, by their first rows: numbers, names, texts; and what an unknown one may be."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from statistics import median
from typing import Any

from pyramidion.files.problems import shorten
from pyramidion.intake.roles import (
    Role,
    candidates,
    holds_numbers,
    holds_texts,
    is_bookkeeping,
    is_index,
    is_missing,
    number_of,
    numbered,
    words_of,
)
from pyramidion.wording import counted

IN_MEMORY = "(rows in memory)"
"""What problems name instead of a file."""
PROSE_WORDS = 6
"""Words that half the cells of a column have at least, if it holds texts rather than names or labels."""
START = 2000
"""Characters of a text that are looked at."""
FIRST = 20
"""Rows by which most columns of numbers are told."""
SHOWN = 24
"""Columns that a message describes."""
SEVERAL = 2
"""Groups of rows that have the same numbers in a column, at least, if these may be the numbers of runs."""
NAMED = 3
"""Values of a column that a message names."""
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|\w+")
"""A word; where a script has no blanks, a character."""
_ASIDE = frozenset(
    {
        *("comment", "comments", "reason", "reasons", "reasoning", "rationale", "explanation", "explanations", "why"),
        *("justification", "feedback", "note", "notes", "remark", "remarks", "critique", "analysis", "thought"),
        *("thoughts", "verdict", "prompt", "prompts", "instruction", "instructions", "question", "query", "request"),
        *("narrative", "title"),
    }
)
"""Words in the names of columns whose texts are about a summary, or ask for it."""


class Looks:
    """What the columns of a table look like.

    Args:
        columns: their names.
        sample: the first rows.
    """

    def __init__(self, columns: Sequence[str], sample: Sequence[Mapping[str, Any]]) -> None:
        self.columns = [name for name in columns if not is_index(name)]
        self.sample = sample
        self._words: dict[str, float] = {}

    @cached_property
    def keys(self) -> list[str]:
        """The columns of topics and summarizers, by their names."""
        roles: tuple[Role, ...] = ("topic", "summarizer")
        return [name for role in roles for name in self._short(candidates(role, self.columns))[:1]]

    @cached_property
    def numbers(self) -> list[str]:
        """Columns of numbers, besides ids."""
        return [name for name in self.columns if name not in self.keys and holds_numbers(self.sample, name)]

    @property
    def scores(self) -> list[str]:
        """Those of them that may be scores: not latencies, lengths and the like."""
        return [name for name in self.numbers if not is_bookkeeping(name)]

    @property
    def only_bookkeeping(self) -> bool:
        """Whether there are numbers, but no column that may be scores, not even one with a slip in it."""
        others = (name for name in self.columns if name not in self.keys and not is_bookkeeping(name))
        return bool(self.numbers) and all(self.words(name) for name in others)

    @cached_property
    def prose(self) -> list[str]:
        """Columns of texts that may be summaries, references or documents: not comments, prompts and the like."""
        return [
            name
            for name in self.columns
            if _ASIDE.isdisjoint(words_of(name)) and self.words(name) >= PROSE_WORDS and not self._is_constant(name)
        ]

    @property
    def unknown(self) -> list[str]:
        """Those of them whose names say nothing."""
        known = chain.from_iterable(self.known(role) for role in ("summary", "references", "documents"))
        taken = {*known}
        return [name for name in self.prose if name not in taken]

    def known(self, role: Role) -> list[str]:
        """Columns whose names fit the role, those that are numbered included."""
        return [*candidates(role, self.columns), *numbered(role, self.columns)]

    def words(self, name: str) -> float:
        """How many words a cell has, in the median; 0 if the column holds no words."""
        if name not in self._words:
            first = [number_of(row.get(name)) for row in self.sample[:FIRST]]
            words = None in first and holds_texts(self.sample, name)  # a table may have thousands of columns of numbers
            held = [_count(_text(value)) for value in self._values(name)] if words else []
            self._words[name] = median(held or [0])
        return self._words[name]

    def varies(self, name: str, topic: str) -> bool:
        """Whether the rows of some topic differ in a column."""
        cells = [(str(row.get(topic)), self._cell(row, name)) for row in self.sample]
        first = dict(reversed(cells))
        return any(first[id] != text for id, text in cells)

    def groups(self, keys: Sequence[str]) -> list[list[Mapping[str, Any]]]:
        """The rows with the same keys."""
        groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
        for row in self.sample:
            groups.setdefault(tuple(self._cell(row, key) for key in keys), []).append(row)
        return list(groups.values())

    def apart(self, keys: Sequence[str]) -> list[str]:
        """Short columns that tell rows with the same keys apart: names first, and those with the fewest values."""
        several = [rows for rows in self.groups(keys) if len(rows) > 1]
        telling = [name for name in self.short if name not in keys and several and self._tells_apart(name, several)]
        return sorted(telling, key=lambda name: (not self.words(name), self.variety(name)))

    def _tells_apart(self, name: str, groups: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
        """Whether the rows of each group differ in a column; by the same numbers, if it holds numbers: 1, 2, 3."""
        values = [frozenset(self._cell(row, name) for row in rows) for rows in groups]
        if any(len(held) < len(rows) for held, rows in zip(values, groups, strict=True)):
            return False
        return bool(self.words(name)) or max(map(values.count, values)) >= max(SEVERAL, len(values) / 2)

    @cached_property
    def short(self) -> list[str]:
        """Columns of names or of whole numbers, without lists and objects."""
        return [name for name in self.columns if all(map(_is_short, self._values(name))) and not self._is_decimal(name)]

    @property
    def names(self) -> list[str]:
        """Those that hold words, most of them several times: perhaps systems."""
        return [name for name in self.short if self.words(name) and 2 * self.variety(name) <= len(self.sample)]

    def variety(self, name: str) -> int:
        """How many different values a column has."""
        return len({self._cell(row, name) for row in self.sample})

    def _is_decimal(self, name: str) -> bool:
        numbers = [number_of(value) for value in self._values(name)]
        return any(number is not None and not number.is_integer() for number in numbers)

    def described(self) -> str:
        """Every column with what it holds, for an error."""
        shown = [f"{name} ({self._look(name)})" for name in self.columns[:SHOWN]]
        more = [f"{len(self.columns) - SHOWN} more"] if len(self.columns) > SHOWN else []
        return ", ".join([*shown, *more]) or "(none)"

    def _look(self, name: str) -> str:
        values = [_text(value) for value in self._values(name)]
        if not values:
            return "empty"
        distinct = list(dict.fromkeys(values))
        if (words := self.words(name)) >= PROSE_WORDS:
            return "the same text in all rows" if self._is_constant(name) else f"texts of about {words:.0f} words"
        such = ", ".join(shorten(value, 20) if len(value) > 20 else value for value in distinct[:NAMED])
        if holds_numbers(self.sample, name):
            return f"numbers, such as {such}"
        if len(distinct) == len(values):
            return f"short texts, such as {such}"
        return f"{counted(len(distinct), 'value')}: {such}{', …' if len(distinct) > NAMED else ''}"

    def _short(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self.words(name) < PROSE_WORDS]

    def _is_constant(self, name: str) -> bool:
        """Whether all rows have the same text: a prompt, not a summary."""
        values = [_text(value) for value in self._values(name)]
        return len(values) > 2 and len(set(values)) == 1

    def _values(self, name: str) -> list[Any]:
        return [row[name] for row in self.sample if self._cell(row, name)]

    @staticmethod
    def _cell(row: Mapping[str, Any], name: str) -> str:
        value = row.get(name)
        return "" if is_missing(value) else _text(value).strip()


def to_type(given: Mapping[str, Sequence[str]], file: object) -> str:
    """The option that says which column is what: quoted for a shell, or as Python has it if the rows are in memory."""
    pairs = {role: "+".join(columns) for role, columns in given.items()}
    if str(file) == IN_MEMORY:
        return f"columns={{{', '.join(f'{json.dumps(role)}: {json.dumps(names)}' for role, names in pairs.items())}}}"
    return f"--columns {shlex.quote(','.join(f'{role}={names}' for role, names in pairs.items()))}"


def _is_short(value: Any) -> bool:
    return not isinstance(value, list | tuple | Mapping) and _count(_text(value)) < PROSE_WORDS


def _count(text: str) -> float:
    """How many words a text has; of a long one, as many as its beginning suggests."""
    start = text[:START]
    return len(_WORD.findall(start)) * len(text) / max(len(start), 1)


def _text(value: Any) -> str:
    """The words of a cell, those in a list or an object included."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    held = list(value.values()) if isinstance(value, Mapping) else value
    texts = [one for one in held if isinstance(one, str)] if isinstance(held, list | tuple) else []
    return " ".join(texts) or shorten(value)
