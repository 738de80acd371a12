"""campaign.toml as the pages change it: the organiser's comments, order and layout stay."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit

from pyramidion.errors import InputError
from pyramidion.files.writing import atomic_writer

QUESTIONS = "questions"
SUMMARIZERS = "summarizers"


def change_settings(path: Path, changes: Mapping[str, Any]) -> None:
    """Set some keys of the file, or take them out (None); everything else stays as it was typed.

    Raises:
        InputError: if the file is not TOML.
    """
    document = _parse(path)
    new = {}
    for key, value in changes.items():
        if value is None:
            document.pop(key, None)
        elif key in document:
            document[key] = value
        else:
            new[key] = value
    _write(path, _with_new_keys(tomlkit.dumps(document), new))


def change_questions(path: Path, questions: Mapping[str, Any]) -> None:
    """Let [questions] say this (`to_toml`): what stays the same keeps its place, its layout and its comments.

    Raises:
        InputError: if the file is not TOML.
    """
    document = _parse(path)
    declared = document.get(QUESTIONS)
    if isinstance(declared, list) and not _is_list_of(declared, questions):
        # A list can't name a set, so a table takes its place.
        document.pop(QUESTIONS)
        declared = None
    if not questions:
        document.pop(QUESTIONS, None)
    elif declared is None:
        document[QUESTIONS] = _as_table(questions)
    elif isinstance(declared, list):
        _change_list(declared, questions)
    else:
        _change_table(declared, questions)
    _write(path, tomlkit.dumps(document))


def change_summarizer(path: Path, id: str, fields: Mapping[str, Any] | None) -> None:
    """Declare a summarizer as [summarizers.ID]; None: its declaration is taken out.

    Raises:
        InputError: if the file is not TOML.
    """
    document = _parse(path)
    declared = document.get(SUMMARIZERS)
    if fields is not None:
        if declared is None:
            declared = document[SUMMARIZERS] = tomlkit.table(is_super_table=True)
        if id in declared:
            _change_table(declared[id], {**declared[id].unwrap(), **fields})
        else:
            declared[id] = _as_table(fields)
    elif declared is not None and id in declared:
        del declared[id]
    _write(path, tomlkit.dumps(document))


def _is_list_of(declared: Sequence[Any], questions: Mapping[str, Any]) -> bool:
    """Whether questions can stand in a list: none of them is from a set."""
    return all(isinstance(fields, Mapping) for fields in questions.values()) and bool(declared)


def _change_list(declared: Any, questions: Mapping[str, Any]) -> None:
    """Change [[questions]], a table for each."""
    for place in reversed(range(len(declared))):
        name = declared[place].get("name")
        if name not in questions:
            del declared[place]
        else:
            _change_table(declared[place], {"name": name, **questions[name]})
    names = [table.get("name") for table in declared]
    for name, fields in questions.items():
        if name not in names:
            declared.append(_as_table({"name": name, **fields}))


def _change_table(table: Any, fields: Mapping[str, Any]) -> None:
    """Let a table have these fields; those that stay the same are not touched."""
    for key in [key for key in table if key not in fields]:
        del table[key]
    for key, value in fields.items():
        before = table.get(key)
        if isinstance(before, MutableMapping) and isinstance(value, Mapping):
            _change_table(before, value)
        elif before is None or _unwrap(before) != value:
            table[key] = _as_table(value) if isinstance(value, Mapping) else _as_item(value)


def _as_table(fields: Mapping[str, Any]) -> Any:
    table = tomlkit.table()
    # Tables come after values, or a value would belong to the table before it.
    for key, value in sorted(fields.items(), key=lambda item: isinstance(item[1], Mapping)):
        table[key] = _as_table(value) if isinstance(value, Mapping) else _as_item(value)
    return table


def _as_item(value: Any) -> Any:
    """A value; examples and other tables in a list stand in a line each."""
    if not isinstance(value, list) or not any(isinstance(entry, Mapping) for entry in value):
        return value
    array = tomlkit.array()
    for entry in value:
        inline = tomlkit.inline_table()
        inline.update(entry)
        array.append(inline)
    return array.multiline(True)


def _unwrap(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _parse(path: Path) -> Any:
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    try:
        return tomlkit.parse(text)
    except tomlkit.exceptions.TOMLKitError as error:
        raise InputError(f"{path}: found no TOML ({error}); correct the file first") from None


def _write(path: Path, text: str) -> None:
    tomllib.loads(text)  # what other programs read: never write what they could not
    with atomic_writer(path, own=True) as file:
        file.write(text.encode())


def _with_new_keys(text: str, new: Mapping[str, Any]) -> str:
    """The text with further keys: tables at the end, values after the last value that stands before the first table."""
    if not new:
        return text
    lines = text.splitlines(keepends=True)
    headers = [number for number, line in enumerate(lines) if line.startswith("[")]
    place = headers[0] if headers else len(lines)
    # A comment above a table is about the table.
    while place and (not lines[place - 1].strip() or lines[place - 1].startswith("#")):
        place -= 1
    values = {key: value for key, value in new.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in new.items() if isinstance(value, Mapping)}
    parts = ["".join(lines[:place]), tomlkit.dumps(values), "".join(lines[place:]), tomlkit.dumps(tables)]
    return "".join(part if part.endswith("\n") or not part else f"{part}\n" for part in parts)
