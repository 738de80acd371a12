"""campaign.toml as the pages change it: the organiser's comments, order and layout stay."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit

from pyramidion.errors import InputError
from pyramidion.files.writing import atomic_writer


def change_settings(path: Path, changes: Mapping[str, Any]) -> None:
    """Set some keys of the file, or take them out (None); everything else stays as it was typed.

    Raises:
        InputError: if the file is not TOML.
    """
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    try:
        document = tomlkit.parse(text)
    except tomlkit.exceptions.TOMLKitError as error:
        raise InputError(f"{path}: found no TOML ({error}); correct the file first") from None
    new = {}
    for key, value in changes.items():
        if value is None:
            document.pop(key, None)
        elif key in document:
            document[key] = value
        else:
            new[key] = value
    changed = _with_new_keys(tomlkit.dumps(document), new)
    tomllib.loads(changed)  # what other programs read: never write what they could not
    with atomic_writer(path, own=True) as file:
        file.write(changed.encode())


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
