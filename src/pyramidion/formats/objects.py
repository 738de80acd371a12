"""JSON of others: rows (lines, entries of an array, rows of a table) as dictionaries, and the values in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Problems
from pyramidion.files.characters import repair_value
from pyramidion.files.lines import note_unreadable
from pyramidion.files.opening import open_bytes
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.files import HEAD_BYTES, decode_tolerantly, head_of, number_of
from pyramidion.intake.roles import as_id, is_missing
from pyramidion.intake.rows import columns_of, format_of, read_rows

Item = dict[str, Any]


def objects_in(paths: Sequence[Path], problems: Problems) -> Iterator[tuple[Place, Item]]:
    """The rows of files with their places; a row that is no object is an error."""
    for path in paths:
        for line, raw in read_rows(path, problems):
            at = Place(problems, path, line)
            try:
                row = loaded(raw, at) if isinstance(raw, bytes) else raw
            except (ValueError, RecursionError) as error:
                at.error(shorten(str(error), 120), "a JSON object", "Correct or remove the line.")
                continue
            if isinstance(row, dict):
                yield at, row
            else:
                at.error(shorten(row), "a JSON object", "Correct or remove the line.")


def document_of(path: Path, problems: Problems) -> Any:
    """The value of a JSON file, in UTF-8 or else as other texts; None (and an error) if it can't be read."""
    try:
        with open_bytes(path) as file:
            content = file.read()
        try:
            return loaded(content, problems.at(path))
        except UnicodeDecodeError:
            return loaded(decode_tolerantly(content, path, problems).encode(), problems.at(path))
    except OSError as error:
        note_unreadable(path, error, problems)
        return None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        problems.at(path, line).error(shorten(str(error), 120), "a JSON document", "Write the file again.")
        return None


def loaded(content: bytes, at: Place) -> Any:
    """The value of JSON, NaN included; halves of surrogate pairs, which no text can hold, become U+FFFD (a warning).

    Raises:
        ValueError: if it is no JSON.
    """
    value = json.loads(content)
    if b"\\ud" not in content.lower():
        return value
    mended = repair_value(value)
    if mended != value:
        at.warning("text that is not valid Unicode", "UTF-8", "Halves of surrogate pairs were read as U+FFFD.")
    return mended


def has_columns(*keys: str) -> Callable[[Path], bool]:
    """A detector: the first row of a file has all of these keys. Most other files are told by their first bytes."""

    def detect(path: Path) -> bool:
        kind = format_of(path)
        plain = kind in ("json", "jsonl") and path.suffix in (".json", ".jsonl", ".ndjson")
        return (not plain or _names(head_of(path), keys)) and kind is not None and set(columns_of(path)) >= set(keys)

    return detect


def names_keys(*alternatives: Sequence[str]) -> Callable[[Path], bool]:
    """A detector: JSON whose start, unpacked, names all keys of one of these alternatives."""

    def detect(path: Path) -> bool:
        head = _plain_head(path)
        return head.lstrip()[:1] in (b"{", b"[") and any(_names(head, keys) for keys in alternatives)

    return detect


def _names(head: bytes, keys: Sequence[str]) -> bool:
    return all(f'"{key}"'.encode() in head for key in keys)


def _plain_head(path: Path) -> bytes:
    if not head_of(path).startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return head_of(path)
    try:
        with open_bytes(path) as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def text_in(row: Mapping[str, Any], key: str, at: Place, *, needed: bool = True) -> str:
    """A text; nothing (and an error, if it is needed) if there is none."""
    value = row.get(key)
    if isinstance(value, str) and (value or not needed):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if needed or value not in (None, ""):
        found = shorten(value) if key in row else "no such key"
        at.error(found, "a text", "Correct the row.", field=key)
    return ""


def table_in(row: Mapping[str, Any], key: str, at: Place) -> dict[str, Any]:
    """An object; empty if it is null or missing, and (with an error) if it is something else."""
    return {name: item for name, item in _held(row, key, dict, "an object {…}", at).items() if item is not None}


def list_in(row: Mapping[str, Any], key: str, at: Place) -> list[Any]:
    """A list; empty if it is null or missing, and (with an error) if it is something else."""
    return list(_held(row, key, (list, tuple), "a list […]", at))


def _held(row: Mapping[str, Any], key: str, kind: type | tuple[type, ...], expected: str, at: Place) -> Any:
    value = row.get(key)
    if isinstance(value, kind):
        return value
    if value is not None:
        at.error(shorten(value), expected, "Correct the row.", field=key)
    return {}


def listed(value: Any) -> list[Any]:
    """One or several values as a list; nothing as an empty one."""
    if is_missing(value):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def objects_of(value: Any) -> list[Item]:
    """One or several objects as a list, without whatever else is among them."""
    return [one for one in listed(value) if isinstance(one, dict)]


def object_at(value: Any, *keys: str) -> Item:
    """The object under these keys; an empty one if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def id_of(value: Any) -> str | None:
    """An id as text, or None if the value can be none."""
    found = as_id(value)
    return found if isinstance(found, str) and found else None


def first_key(held: Mapping[str, Any], named: str, guesses: Sequence[str]) -> Any:
    """The value that the user named, or the first guess that is there."""
    found = (held.get(key) for key in ([named] if named else guesses))
    return next((value for value in found if not is_missing(value)), None)


def flat_scores(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The scores in a value, by name: a number (true is 1), or objects of them, with names joined by full stops."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat_scores(f"{name}.{key}" if name else str(key), inner)
    elif not isinstance(value, str) and (number := number_of(value)) is not None:
        yield name, number
