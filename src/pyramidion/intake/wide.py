"""Sheets with a column of summaries for each system: whose the numbers of a row are, by the names of their columns.

`summary_A, summary_B, fluency_A, fluency_B` holds a fluency of A and one of B. A number whose column names no system
may be about any of them, so that it is nobody's score.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

_WORD = re.compile(r"[vV]\d+|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
"""A word of a name; `v2` is one, so that what is left of `Rating v2` is no `Rating v`."""
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
    keys = _keys_of_systems(systems)
    columns_by_measure: dict[str, dict[str, str]] = defaultdict(dict)
    unmatched: list[str] = []
    for column in columns:
        match = _match_system(column, keys)
        if match is None:
            unmatched.append(column)
            continue
        system, measure = match
        columns_by_measure[measure].setdefault(system, column)
    # pandas numbers equal names from the second on: Summary, Rating, Summary.1, Rating.1.
    bare_systems = [system for system in systems if len(keys[system]) == 1]
    if len(bare_systems) == 1:
        for column in unmatched:
            if column in columns_by_measure:
                columns_by_measure[column].setdefault(bare_systems[0], column)
    measures_by_system: dict[str, dict[str, str]] = {}
    for measure, column_by_system in columns_by_measure.items():
        if len(column_by_system) < SHARED_BY:
            continue
        for system, column in column_by_system.items():
            measures_by_system.setdefault(system, {})[column] = measure
    return measures_by_system


def _match_system(column: str, keys: Mapping[str, Sequence[tuple[str, ...]]]) -> tuple[str, str] | None:
    """The system that the name of a column begins or ends with, by the longest key, and what it measures."""
    matches: list[tuple[int, str, str]] = []
    for system, system_keys in keys.items():
        for key in system_keys:
            measure = _remove_key(column, key)
            if measure:
                matches.append((len(key), system, measure))
    if not matches:
        return None
    matches.sort(reverse=True)
    longest, system, measure = matches[0]
    is_ambiguous = len(matches) > 1 and matches[1][0] == longest
    if is_ambiguous:
        return None
    return system, measure


def _keys_of_systems(systems: Sequence[str]) -> Mapping[str, list[tuple[str, ...]]]:
    """By system, the words by which a column names it: all of its column of summaries, and those that only it has."""
    words_by_system = {system: _words(system) for system in systems}
    start = _count_shared(list(words_by_system.values()))
    end = _count_shared([words[start:][::-1] for words in words_by_system.values()])
    keys: dict[str, list[tuple[str, ...]]] = {}
    for system, words in words_by_system.items():
        distinctive = words[start : len(words) - end]
        keys[system] = [key for key in dict.fromkeys((words, distinctive)) if key]
    return keys


def _count_shared(sequences: Sequence[tuple[str, ...]]) -> int:
    """How many words all begin with."""
    count = 0
    for words in zip(*sequences, strict=False):
        if len(set(words)) > 1:
            break
        count += 1
    return count


def _remove_key(column: str, key: tuple[str, ...]) -> str:
    """The name of a column without the words of a system at its end or its beginning; nothing if it has none."""
    spans = [match.span() for match in _WORD.finditer(column)]
    words = _words(column)
    size = len(key)
    if len(words) <= size:
        return ""
    if words[-size:] == key:
        rest = column[spans[0][0] : spans[-size - 1][1]]
    elif words[:size] == key:
        rest = column[spans[size][0] :].strip()  # with a bracket at its end: `Faithfulness (1-5)`
    else:
        return ""
    is_number = all(word.isdigit() for word in key)
    if is_number and rest.lower() in NUMBERED_MEASURES:
        return ""
    return rest


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))
