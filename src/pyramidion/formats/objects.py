"""JSON of others: rows (lines, entries of an array, rows of a table) as dictionaries, and the values in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.campaign import Problems
from pyramidion.files.characters import whole_value
from pyramidion.files.packed import open_bytes
from pyramidion.files.problems import Place, shorten
from pyramidion.files.rows import columns_of, format_of, read_rows
from pyramidion.formats.files import head_of, number_of

Item = dict[str, Any]


def objects_in(path: Path, problems: Problems) -> Iterator[tuple[Place, Item]]:
    """The rows of a file with their places; a row that is no object is an error."""
    for line, raw in read_rows(path, problems):
        at = Place(problems, path, line)
        if isinstance(raw, bytes):
            try:
                raw = loaded(raw)
            except (ValueError, RecursionError) as error:
                at.error(shorten(str(error), 120), "a JSON object", "Correct or remove the line.")
                continue
        if isinstance(raw, dict):
            yield at, raw
        else:
            at.error(shorten(raw), "a JSON object", "Correct or remove the line.")


def document_of(path: Path, problems: Problems) -> Any:
    """The value of a JSON file; None (and an error) if it can't be read."""
    try:
        with open_bytes(path) as file:
            return loaded(file.read())
    except (OSError, ValueError, RecursionError) as error:
        problems.at(path).error(shorten(str(error), 120), "a JSON document", "Write the file again.")
        return None


def loaded(content: bytes) -> Any:
    """The value of JSON, NaN included; halves of surrogate pairs, which no text can hold, become U+FFFD.

    Raises:
        ValueError: if it is no JSON.
    """
    value = json.loads(content)
    return whole_value(value) if b"\\ud" in content.lower() else value


def has_keys(path: Path, *keys: str) -> bool:
    """Whether the first row of a file has all of these keys; most other files are told by their first bytes."""
    kind = format_of(path)
    if kind in ("json", "jsonl") and path.suffix in (".json", ".jsonl", ".ndjson"):
        head = head_of(path)
        if not all(f'"{key}"'.encode() in head for key in keys):
            return False
    return kind is not None and set(columns_of(path)) >= set(keys)


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
    value = row.get(key)
    if value is None:
        return {}
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if item is not None}
    at.error(shorten(value), "an object {…}", "Correct the row.", field=key)
    return {}


def list_in(row: Mapping[str, Any], key: str, at: Place) -> list[Any]:
    """A list; empty if it is null or missing, and (with an error) if it is something else."""
    value = row.get(key)
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return list(value)
    at.error(shorten(value), "a list […]", "Correct the row.", field=key)
    return []


def numbers_of(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """The numbers in a value by name; those of an object inside have names joined by a dot."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers_of(item, f"{name}.{key}" if name else str(key))
    elif not isinstance(value, bool) and isinstance(value, int | float) and (number := number_of(value)) is not None:
        yield name, number


def whole(value: float) -> int | float:
    """A whole number as such: answers on a scale."""
    return int(value) if float(value).is_integer() else value
