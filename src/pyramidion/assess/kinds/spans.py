"""Parts of texts in states, as JSON: what is admitted, and how they become nouns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pyramidion.assess.kinds.base import RefusedError
from pyramidion.campaign.nouns import Parts

LONGEST_LABEL = 2_000
LONGEST_COMMENT = 5_000
LARGEST_UID = 999_999
SUGGESTION = "suggestion/"
"""What was suggested, and which of it was taken: {about, offered, taken}."""


def check_uid(uid: str) -> int:
    """The number of an SCU; 0 is DUCView's name for what matches no SCU."""
    is_number = uid.isascii() and uid.isdigit()
    # "007" would be another key for the same SCU
    if not is_number or str(int(uid)) != uid or not 1 <= int(uid) <= LARGEST_UID:
        raise RefusedError(f"an SCU has a number from 1 to {LARGEST_UID:,}, not {uid!r}")
    return int(uid)


def check_fields(value: Any, fields: dict[str, type | tuple[type, ...]], what: str) -> None:
    """Refuse what is not an object with these fields."""
    if not isinstance(value, dict) or set(value) - set(fields):
        raise RefusedError(f"{what} has the fields {', '.join(fields)}")
    for name, field_type in fields.items():
        if name in value and not isinstance(value[name], field_type):
            raise RefusedError(f"{what}: {name} can't be {value[name]!r}")


def check_parts(parts: Any, text: str, what: str) -> None:
    """Parts are one or more [start, end) within the text, in order, apart from each other, and not blank."""
    if not isinstance(parts, list) or not parts or not all(map(_is_pair, parts)):
        raise RefusedError(f"{what}: expected parts [[start, end], …] in code points")
    for start, end in parts:
        if not 0 <= start < end <= len(text):
            raise RefusedError(f"{what}: the part [{start}, {end}] is not within the text of {len(text)} characters")
        if not text[start:end].strip():
            raise RefusedError(f"{what}: the part [{start}, {end}] has no word")
    for before, after in pairwise(parts):
        if after[0] < before[1]:
            raise RefusedError(f"{what}: the parts {before} and {after} overlap or are out of order")


def check_suggestion(key: str, value: Any) -> None:
    """Refuse what does not say what was suggested and what became of it."""
    if not key.removeprefix(SUGGESTION).isdigit():
        raise RefusedError(f"suggestions are counted, not {key!r}")
    if value is not None:
        check_fields(value, {"about": str, "offered": list, "taken": (int, type(None))}, "a suggestion")


def as_parts(parts: Sequence[Sequence[int]]) -> Parts:
    """Parts as nouns have them."""
    return tuple((start, end) for start, end in parts)


def as_lists(parts: Parts) -> list[list[int]]:
    """Parts as states have them."""
    return [[start, end] for start, end in parts]


def _is_pair(part: Any) -> bool:
    return isinstance(part, list) and len(part) == 2 and all(type(edge) is int for edge in part)
