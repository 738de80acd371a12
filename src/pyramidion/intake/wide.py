"""Sheets with a column of summaries for each system: whose the numbers of a row are, by the names of their columns.

`summary_A, summary_B, fluency_A, fluency_B` holds a fluency of A and one of B. A number whose column names no system
may be about any of them, so that it is nobody's score.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
NUMBERED_MEASURES = frozenset({"rouge", "bleu"})
"""Measures with numbers in their names: rouge1 and rouge2 are two measures, not ROUGE of the systems 1 and 2."""
SHARED_BY = 2
"""Systems that have a column of a measure, at least: `a_priori` alone is no score of system A."""


def split_by_system(columns: Iterable[str], systems: Sequence[str]) -> dict[str, dict[str, str]]:
    """By system, its columns of numbers, each with what it measures; columns of no system are left out.

    A column belongs to a system if its name begins or ends with the words that only this system's column of summaries
    has, and if another system has a column of the same measure.

    Args:
        columns: the columns of numbers.
        systems: the columns of summaries.

    Examples:
        >>> split_by_system(["fluency_A", "fluency_B", "year"], ["summary_A", "summary_B"])
        {'summary_A': {'fluency_A': 'fluency'}, 'summary_B': {'fluency_B': 'fluency'}}
    """
    keys = _keys(systems)
    owners: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        found = [(len(key), system, _rest(column, key)) for system, held in keys.items() for key in held]
        matches = sorted((match for match in found if match[2]), reverse=True)
        if matches and not (len(matches) > 1 and matches[0][0] == matches[1][0]):
            _, system, measure = matches[0]
            owners[measure].setdefault(system, column)
    split: dict[str, dict[str, str]] = {}
    for measure, held in owners.items():
        for system, column in held.items() if len(held) >= SHARED_BY else ():
            split.setdefault(system, {})[column] = measure
    return split


def _keys(systems: Sequence[str]) -> Mapping[str, list[tuple[str, ...]]]:
    """By system, the words by which a column names it: those of its own column, and those that no other has there."""
    words = {system: _words(system) for system in systems}
    start = _shared(list(words.values()))
    end = _shared([held[start:][::-1] for held in words.values()])
    keys: dict[str, list[tuple[str, ...]]] = {}
    for system, held in words.items():
        own = held[start : len(held) - end]
        keys[system] = [key for key in dict.fromkeys((held, own)) if key]
    return keys


def _shared(sequences: Sequence[tuple[str, ...]]) -> int:
    """How many words all begin with."""
    count = 0
    for words in zip(*sequences, strict=False):
        if len(set(words)) > 1:
            break
        count += 1
    return count


def _rest(column: str, key: tuple[str, ...]) -> str:
    """The name of a column without the words of a system at its end or its beginning; nothing if it has none."""
    spans = [match.span() for match in _WORD.finditer(column)]
    words = _words(column)
    size = len(key)
    if len(words) <= size:
        return ""
    if words[-size:] == key:
        rest = column[spans[0][0] : spans[-size - 1][1]]
    elif words[:size] == key:
        rest = column[spans[size][0] : spans[-1][1]]
    else:
        return ""
    is_number = all(word.isdigit() for word in key)
    return "" if is_number and rest.lower() in NUMBERED_MEASURES else rest


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))
