"""What readers of other evaluation programs share: ids, lists, objects and scores in their JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.files.packed import open_bytes
from pyramidion.files.roles import as_id, is_missing
from pyramidion.formats.files import head_of
from pyramidion.formats.gathering import number_of_score


def listed(value: Any) -> list[Any]:
    """One or several values as a list; nothing as an empty one."""
    if is_missing(value):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def flat_scores(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The scores in a value: a number, or objects of them, whose names are joined by full stops."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat_scores(f"{name}.{key}" if name else str(key), inner)
    elif (number := number_of_score(value)) is not None:
        yield name, number


def id_of(value: Any) -> str | None:
    """An id as text, or None if the value can be none."""
    found = as_id(value)
    return found if isinstance(found, str) and found else None


def object_at(value: Any, *keys: str) -> Mapping[str, Any]:
    """The object under these keys; an empty one if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def names_keys(path: Path, *keys: str) -> bool:
    """Whether the start of a file has all of these keys, in quotes."""
    head = _plain_head(path)
    return head.lstrip()[:1] in (b"{", b"[") and all(f'"{key}"'.encode() in head for key in keys)


def _plain_head(path: Path) -> bytes:
    if not head_of(path).startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return head_of(path)
    try:
        with open_bytes(path) as file:
            return file.read(65_536)
    except OSError:
        return b""


def first_key(held: Mapping[str, Any], named: str, guesses: Sequence[str]) -> Any:
    """The value that the user named, or the first guess that is there."""
    for key in [named] if named else guesses:
        if not is_missing(held.get(key)):
            return held[key]
    return None
