"""JSON of others: rows (lines, entries of an array, rows of a table) as dictionaries, and the values in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Problems
from pyramidion.files.opening import note_unreadable, open_bytes, repair_value
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.text_files import decode_tolerantly, number_of
from pyramidion.intake.cells import as_id, is_missing
from pyramidion.intake.opened import Row, read_rows

Item = dict[str, Any]


def objects_in(paths: Sequence[Path], problems: Problems) -> Iterator[tuple[Place, Item]]:
    """The rows of files with their places; a row that is no object is an error."""
    for path in paths:
        problems.files.note_read(path)
        for line, raw_row in read_rows(path, problems):
            at = Place(problems, path, line)
            row = _decode_row(raw_row, at)
            if row is not None:
                yield at, row


def _decode_row(raw_row: Row, at: Place) -> Item | None:
    """A row as a dictionary; None (and an error) if it is no JSON object."""
    row: Any = raw_row
    if isinstance(raw_row, bytes):
        try:
            row = loaded(raw_row, at)
        except (ValueError, RecursionError) as error:
            at.error(
                found=shorten(str(error), 120),
                expected="a JSON object",
                remedy="Correct or remove the line.",
            )
            return None
    if isinstance(row, dict):
        return row
    at.error(
        found=shorten(row),
        expected="a JSON object",
        remedy="Correct or remove the line.",
    )
    return None


def document_of(path: Path, problems: Problems) -> Any:
    """The value of a JSON file, in UTF-8 or else as other texts; None (and an error) if it can't be read."""
    try:
        with open_bytes(path, problems.files) as file:
            content = file.read()
        return _load_any_encoding(content, path, problems)
    except OSError as error:
        note_unreadable(path, error, problems)
        return None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        problems.at(path, line).error(
            found=shorten(str(error), 120),
            expected="a JSON document",
            remedy="Write the file again.",
        )
        return None


def _load_any_encoding(content: bytes, path: Path, problems: Problems) -> Any:
    """The value of JSON in UTF-8, or in an older encoding with a warning."""
    try:
        return loaded(content, problems.at(path))
    except UnicodeDecodeError:
        text = decode_tolerantly(content, path, problems)
        return loaded(text.encode(), problems.at(path))


def loaded(content: bytes, at: Place) -> Any:
    """The value of JSON, NaN included; halves of surrogate pairs, which no text can hold, become U+FFFD (a warning).

    Raises:
        ValueError: if it is no JSON.
    """
    value = json.loads(content)
    # Only an escape such as \ud83d can leave half a surrogate pair in a text.
    if b"\\ud" not in content.lower():
        return value
    mended = repair_value(value)
    if mended != value:
        at.warning(
            found="text that is not valid Unicode",
            expected="UTF-8",
            remedy="Halves of surrogate pairs were read as U+FFFD.",
        )
    return mended


def text_in(row: Mapping[str, Any], key: str, at: Place, *, needed: bool = True) -> str:
    """The text under a key; empty (and an error, if it is needed) if there is none."""
    value = row.get(key)
    if isinstance(value, str) and (value or not needed):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not needed and value in (None, ""):
        return ""
    found = shorten(value) if key in row else "no such key"
    at.error(
        found=found,
        expected="a text",
        remedy="Correct the row.",
        field=key,
    )
    return ""


def table_in(row: Mapping[str, Any], key: str, at: Place) -> dict[str, Any]:
    """The object under a key without its nulls; empty if it is missing, and (with an error) if it is something else."""
    table = _container_in(row, key, dict, "an object {…}", at)
    return {name: value for name, value in table.items() if value is not None}


def list_in(row: Mapping[str, Any], key: str, at: Place) -> list[Any]:
    """The list under a key; empty if it is null or missing, and (with an error) if it is something else."""
    return list(_container_in(row, key, (list, tuple), "a list […]", at))


def _container_in(row: Mapping[str, Any], key: str, kind: type | tuple[type, ...], expected: str, at: Place) -> Any:
    """The value under a key if it is of this kind; else an empty object, with an error if it is not null."""
    value = row.get(key)
    if isinstance(value, kind):
        return value
    if value is not None:
        at.error(
            found=shorten(value),
            expected=expected,
            remedy="Correct the row.",
            field=key,
        )
    return {}


def listed(value: Any) -> list[Any]:
    """One or several values as a list; a missing value as an empty one."""
    if is_missing(value):
        return []
    if isinstance(value, list | tuple):
        return list(value)
    return [value]


def objects_of(value: Any) -> list[Item]:
    """One or several objects as a list, without whatever else is among them."""
    return [item for item in listed(value) if isinstance(item, dict)]


def object_at(value: Any, *keys: str) -> Item:
    """The object under these keys; an empty one if there is none."""
    for key in keys:
        if not isinstance(value, dict):
            return {}
        value = value.get(key)
    if isinstance(value, dict):
        return value
    return {}


def text_or_empty(value: Any) -> str:
    """A text as it is; whatever else a file may hold in its place as an empty one."""
    if isinstance(value, str):
        return value
    return ""


def id_of(value: Any) -> str | None:
    """An id as text, or None if the value can be none."""
    id = as_id(value)
    if isinstance(id, str) and id:
        return id
    return None


def words_of(text: str) -> list[str]:
    """The words of an option that are separated by commas, without blanks around them."""
    words = [word.strip() for word in text.split(",")]
    return [word for word in words if word]


def first_key(values: Mapping[str, Any], chosen_key: str, guesses: Sequence[str]) -> Any:
    """The value of the key that the user chose, else of the first guess that has one; None if there is none."""
    keys = [chosen_key] if chosen_key else guesses
    for key in keys:
        if not is_missing(values.get(key)):
            return values[key]
    return None


def flat_scores(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The scores in a value, by name: a number (true is 1), or objects of them, with names joined by full stops."""
    if isinstance(value, dict):
        for key, inner in value.items():
            inner_name = f"{name}.{key}" if name else str(key)
            yield from flat_scores(inner_name, inner)
        return
    if isinstance(value, str):
        return
    number = number_of(value)
    if number is not None:
        yield name, number
