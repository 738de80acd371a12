"""What the templates call: names that may break, sentences that may not, rows of tables as HTML, data for the script.

Everything that comes from the data is escaped here.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup, escape

from pyramidion.options.flags import spell_flags
from pyramidion.present.section import Dots, Point
from pyramidion.reports.svg import Scale, axis, bar, dot_drawing, scale_of
from pyramidion.show.tables import Cell, Column, Table
from pyramidion.show.wording import shortened, visible

UNBROKEN_NAME = 12
"""Characters of a name that fits everywhere."""
LONGEST_CELL = 1000
"""Characters of a text in a table."""
SHORT_HEAD = 28
"""Characters of a name on the left that is not broken."""
_UNBROKEN = re.compile(
    r"(?<=\d) (?=%)|(?<=\b[pαrωρε]) (?=[=<] [\d−])|(?<=\b[pαrωρε] [=<]) (?=[\d−])|(?<=\S) (?=\(\w+\))"
)
_NUMBERED = re.compile(r"(\b(?:\w+-\d+|\w{0,9}\d-\w{1,9})\b)(?!\.\w)")


class TableIds:
    """Ids of tables on the page, from the section, the record and what a table is about; each once."""

    def __init__(self) -> None:
        self._uses: Counter[str] = Counter()

    def __call__(self, table: Table, owner: str) -> str:
        """The id of a table in the section `owner`."""
        # Ids become fragments of addresses and selectors of the script: nothing in them needs an escape.
        id = re.sub(r"[^a-z0-9]+", "-", f"{owner} {table.record} {table.about}".lower()).strip("-")[:80]
        self._uses[id] += 1
        return id if self._uses[id] == 1 else f"{id}-{self._uses[id]}"


def breakable(text: str) -> Markup:
    """A name of a measure that may be broken before its statistic."""
    if len(text) <= UNBROKEN_NAME:
        return escape(clean(text))
    return Markup("<wbr>.").join(escape(clean(part)) for part in re.split(r"\.(?=[a-z])", text))


def prose(text: str) -> Markup:
    """A sentence that breaks neither `95 %` nor `p = 0.026`, `oracle (16)`, `system-07` or `D03-B` into two lines."""
    return Markup(_NUMBERED.sub(r'<span class="whole">\1</span>', str(escape(unbroken(clean(text))))))


def unbroken(text: str) -> str:
    """A text for captions that breaks no number from its unit; a name with a number may be broken."""
    return _UNBROKEN.sub("\u00a0", spell_flags(text))  # the page shows commands: its options are flags, too


def table_body(table: Table) -> Markup:
    """The rows of a table; a number that the eye sees rounded has its exact value, which sorting and CSV use."""
    return _table_rows(_cells(table))


def _table_rows(rows: Iterator[list[str]]) -> Markup:
    """Rows of cells that are HTML already."""
    lines = [f"<tr>{''.join(cells)}</tr>" for cells in rows]
    return Markup("\n".join(lines))


def shaded_body(table: Table) -> Markup:
    """The rows of a table with a colour for each correlation: c0 for −1, c4 for 0, c8 for 1."""
    colours = [list(map(_colour, row)) for row in table.rows]
    return _table_rows(_cells(table, colours))


def _colour(value: Cell) -> str:
    if not isinstance(value, float) or math.isnan(value):
        return ""
    bounded = max(-1.0, min(1.0, value))
    return f"c{round(4 + 4 * bounded)}"


def _cells(table: Table, colours: Sequence[Sequence[str]] = ()) -> Iterator[list[str]]:
    """The cells of each row, as HTML."""
    numeric = [table.is_numeric(place) for place in range(len(table.columns))]
    for number, row in enumerate(table.rows):
        cells = []
        for place, (value, column) in enumerate(zip(row, table.columns, strict=True)):
            text = _cell_text(value, column)
            is_head = place < table.heads
            classes = []
            if numeric[place]:
                classes.append("r")
            if (number, place) in table.marked:
                classes.append("best")
            if is_head and len(text) < SHORT_HEAD:
                classes.append("short")
            if colours and colours[number][place]:
                classes.append(colours[number][place])
            cells.append(_cell(text, _exact(value), classes, is_head=is_head))
        yield cells


def _cell(text: str, exact: str, classes: Sequence[str], *, is_head: bool) -> str:
    attributes = ""
    if classes:
        attributes += f' class="{" ".join(classes)}"'
    if exact not in ("", text):
        attributes += f' data-value="{exact}"'
    if is_head:
        return f'<th scope="row"{attributes}>{breakable(text)}</th>'
    return f"<td{attributes}>{escape(clean(text))}</td>"


def _cell_text(value: Cell, column: Column) -> str:
    """A cell for human eyes: true minus signs, thousands apart, nothing endless."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = column.shown(value)
    if isinstance(value, float):
        return text.replace("-", "−")
    return shortened(text, LONGEST_CELL)


def _exact(value: Cell) -> str:
    """A number with all digits that matter; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return ""
    return f"{value:.7g}"


def dots_axis(dots: Dots) -> Markup:
    """The numbers above the drawings; where each row has a scale of its own only 0, which is in the middle of all."""
    if dots.own and dots.zero:
        return Markup(axis(Scale(-1, 1), [0.0]))
    scale = None if dots.own else scale_of(dots.points, zero=dots.zero)
    if scale is None:
        return Markup()
    return Markup(axis(scale, scale.ticks()))


def dots_body(dots: Dots, table: Table) -> list[Markup]:
    """The rows with their drawings: those that are seen at once, and the others."""
    shared_scale = None if dots.own else scale_of(dots.points, zero=dots.zero)
    lines = []
    for number, (cells, point) in enumerate(zip(_cells(table), dots.points, strict=True)):
        for place, column in enumerate(table.columns):
            if column.key in dots.spare:
                cells[place] = f"{cells[place][:3]} data-spare{cells[place][3:]}"
        plot = f'<td class="plot">{_dots_of_row(dots, number, point, shared_scale)}</td>'
        row = [*cells[: table.heads], plot, *cells[table.heads :]]
        if dots.counts:
            row.append(f'<td class="plot bars">{bar(dots.counts[number])}</td>')
        lines.append(f"<tr>{''.join(row)}</tr>")
    # Folding one or two rows away saves no room.
    is_long = dots.first and len(lines) > dots.first + 2
    first = dots.first if is_long else len(lines)
    return [Markup("\n".join(part)) for part in (lines[:first], lines[first:]) if part]


def _dots_of_row(dots: Dots, number: int, point: Point, shared_scale: Scale | None) -> str:
    is_strong = number in dots.strong
    if dots.own:
        return dot_drawing(point, scale_of([point], zero=dots.zero, own=True), [0.0], strong=is_strong)
    ticks = shared_scale.ticks() if shared_scale else []
    return dot_drawing(point, shared_scale, ticks, strong=is_strong)


def inert_json(value: Any) -> Markup:
    """Data for the script inside of an element that runs nothing: no character of it can end the element."""
    text = json.dumps(_without_controls(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # "</script>" would end the element, and U+2028 and U+2029 end a line in older JavaScript.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _without_controls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_controls(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        # Most items are places in texts: whole numbers, of which there may be a million.
        return [item if type(item) is int else _without_controls(item) for item in value]
    # JSON has no NaN, and JSON.parse of browsers refuses it.
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return clean(value)


def clean(value: Any) -> Any:
    """Text from the data without control characters, every other one in its place; markup is left alone."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value
