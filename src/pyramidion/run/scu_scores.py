"""Tables of a program's scores about SCUs, such as the probability that a summary entails one: predictors of answers.

Columns: topic, summarizer, scu (the number of the SCU) and one with numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyramidion.errors import UsageError, mention
from pyramidion.files.opening import require_file_or_folder
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import as_id, lacks_number
from pyramidion.intake.opened import FileTable

SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
COLUMNS = {"topic": ("topic",), "summarizer": ("summarizer", "system", "peer"), "scu": ("scu", "uid")}
SCORES = ("score", "value", "probability", "entailment", "similarity")

Key = tuple[str, str, int]
"""Topic, summarizer and SCU."""


def is_score_file(name: object) -> bool:
    """Whether the name of a predictor is that of a file."""
    return isinstance(name, str) and name.lower().endswith(SUFFIXES)


def read_scu_scores(path: Path) -> dict[Key, float]:
    """The scores in a table, by topic, summarizer and SCU; empty cells are left out.

    Raises:
        InputError: if a row can't be read, or comes twice.
        UsageError: if there is no such file, or no column of scores.
    """
    require_file_or_folder(path)
    problems = Problems()
    at = problems.at(path)
    scores: dict[Key, float] = {}
    lines: dict[Key, int] = {}
    roles: dict[str, str] = {}
    for line, row in FileTable(path).objects(problems, "an object {…}", mark_is_fine=True):
        roles = roles or _find_columns(path, row)
        if lacks_number(row.get(roles["score"])):
            continue
        place = at.at(line)
        key, value = _key_of(row, roles, place), _number_of(row, roles["score"], place)
        if key is None or value is None:
            continue
        if key in scores:
            place.error(
                f"another score for SCU {key[2]} of topic {key[0]} in {key[1]} than in line {lines[key]}",
                "one score for each",
                "Remove one of the two rows.",
                field=roles["score"],
            )
        scores[key], lines[key] = value, line
    problems.refuse(strict=False)
    if not scores:
        raise UsageError(f"{mention('using', str(path))}: the file has no scores")
    return scores


def _find_columns(path: Path, row: Mapping[str, Any]) -> dict[str, str]:
    by_name = {name.strip().lower(): name for name in row}
    roles: dict[str, str] = {}
    for role, names in (*COLUMNS.items(), ("score", SCORES)):
        column = next((by_name[name] for name in names if name in by_name), None)
        if column is None:
            raise UsageError(
                f"{mention('using', str(path))}: found the columns {shorten(', '.join(row), 100)}; expected topic, "
                f"summarizer, scu and score (or {', '.join(SCORES[1:])})"
            )
        roles[role] = column
    return roles


def _key_of(row: Mapping[str, Any], roles: Mapping[str, str], at: Place) -> Key | None:
    names = [str(as_id(row.get(roles[role]), integral=role == "scu") or "").strip() for role in COLUMNS]
    topic, summarizer, uid = names
    if not topic or not summarizer or not uid.isdecimal():
        at.error(shorten(", ".join(names)), "a topic, a summarizer and the number of an SCU", "Correct the row.")
        return None
    return topic, summarizer, int(uid)


def _number_of(row: Mapping[str, Any], column: str, at: Place) -> float | None:
    try:
        value = float(str(row[column]).strip())
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        at.error(shorten(repr(row[column])), "a number", "Correct the cell.", field=column)
        return None
    return value
