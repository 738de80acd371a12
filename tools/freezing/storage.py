"""Stores answers as compressed JSON lines, and says where two answers differ."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tools.freezing.answers import Answer

FOLDER = Path(__file__).parents[2] / "tests" / "golden" / "freeze"
TOLERANCE = 1e-12
"""Numbers that are nearer than this, relatively or absolutely, are equal: machines add in different orders."""

DECIMAL = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\de[+-]?\d+")
"""A number in a text that may have been printed with all its digits, the last of which depend on the machine."""


class Difference(NamedTuple):
    """One place at which an answer is no longer what it was."""

    place: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.place}: {_shorten(self.before)} → {_shorten(self.after)}"


class Absent:
    """What stands for a value that one of two answers does not have."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


def write_answers(group: str, answers: dict[str, Answer]) -> Path:
    """Store the answers of a group; the same answers give the same bytes."""
    lines = [json.dumps({"case": name, **answer}) for name, answer in answers.items()]
    text = "\n".join(lines) + "\n"
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = _path_of(group)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def read_answers(group: str) -> dict[str, Answer]:
    """The stored answers of a group by the names of its cases; none if it was never recorded."""
    path = _path_of(group)
    if not path.exists():
        return {}
    answers = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        answer = json.loads(line)
        answers[answer.pop("case")] = answer
    return answers


def _path_of(group: str) -> Path:
    """The file of a group."""
    return FOLDER / f"{group}.jsonl.gz"


def find_differences(before: Any, after: Any, place: str = "") -> Iterator[Difference]:
    """All places at which two values of JSON differ, floats only beyond the tolerance."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            inner_place = f"{place}, {key}" if place else key
            yield from find_differences(before.get(key, ABSENT), after.get(key, ABSENT), inner_place)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _find_differences_of_lists(before, after, place)
    elif isinstance(before, float) and isinstance(after, float):
        if not math.isclose(before, after, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield Difference(place, before, after)
    elif isinstance(before, str) and isinstance(after, str):
        if not is_same_text(before, after):
            yield Difference(place, before, after)
    elif type(before) is not type(after) or before != after:
        yield Difference(place, before, after)


def is_same_text(before: str, after: str) -> bool:
    """Whether two texts, such as lines of CSV, are equal but for the last digits of numbers in them."""
    if before == after:
        return True
    if DECIMAL.sub("NUMBER", before) != DECIMAL.sub("NUMBER", after):
        return False
    pairs = zip(DECIMAL.findall(before), DECIMAL.findall(after), strict=True)
    return all(math.isclose(float(old), float(new), rel_tol=TOLERANCE, abs_tol=TOLERANCE) for old, new in pairs)


def _find_differences_of_lists(before: list[Any], after: list[Any], place: str) -> Iterator[Difference]:
    """Differences of two lists, position by position, and of their lengths."""
    if len(before) != len(after):
        yield Difference(f"{place}, number of items", len(before), len(after))
    for position, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        kind = f" ({old['record']})" if isinstance(old, dict) and "record" in old else ""
        yield from find_differences(old, new, f"{place} {position}{kind}")


def _shorten(value: Any, limit: int = 160) -> str:
    """A value on one line, cut."""
    text = repr(value) if isinstance(value, Absent) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}…"
