"""What a column of a table says about topics, such as the document or the conversation that each belongs to."""

from __future__ import annotations

import json
from typing import Any

from pyramidion.errors import InputError
from pyramidion.files.problems import Problems
from pyramidion.intake.cells import are_integral, as_id, is_blank, is_missing
from pyramidion.intake.opened import OpenedTable


def read_topic_column(opened: OpenedTable, *, topic: str, column: str) -> dict[str, str]:
    """By topic, the value of a column; topics without one are left out.

    Args:
        opened: the table.
        topic: the column of topics.
        column: the one that is read.

    Raises:
        InputError: if a topic has two values.
    """
    ids: list[Any] = []
    cells: list[Any] = []
    lines: list[int] = []
    for line, row in opened.objects(Problems(), "a row"):
        ids.append(row.get(topic))
        cells.append(row.get(column))
        lines.append(line)
    is_integral = are_integral(ids)
    values: dict[str, str] = {}
    for id, cell, line in zip(ids, cells, lines, strict=True):
        name = as_id(id, integral=is_integral)
        if is_missing(name) or is_missing(cell) or is_blank(cell):
            continue
        value = _as_text(cell)
        if values.setdefault(str(name), value) != value:
            raise InputError(
                f"{opened.path}:{line}: found {value!r} as {column} of topic {name}, which had "
                f"{values[str(name)]!r} before; expected one value for each topic"
            )
    return values


def _as_text(cell: Any) -> str:
    """A cell as a name: numbers as ids, lists and objects as JSON."""
    name = as_id(cell, integral=False)
    if isinstance(name, str):
        return name.strip()
    return json.dumps(name, sort_keys=True, default=str)
