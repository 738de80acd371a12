"""What lies within the cells of a table, named by a path: `response.body.choices[0].message.content`.

A path begins with the name of a column; full stops lead to keys of objects, `[0]` to an item of a list, `[-1]` to the
last one and `[*]` to all of them. Texts that are JSON are opened. `unfold` makes a column of each path that is named.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from pyramidion.errors import did_you_mean
from pyramidion.files.problems import Problems
from pyramidion.intake.cells import are_numbers, is_missing, keys_of
from pyramidion.intake.opened import SAMPLE_ROWS, ConvertedTable, OpenedTable, Row
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    REPLIES,
    SUMMARY_ROLES,
    TOGETHER,
    Role,
    exclude,
    plain_name,
    split_words,
)
from pyramidion.show.wording import listed

_STEP = re.compile(r"[.\[]")
"""Where a step of a path begins."""
_ITEM = re.compile(r"\[(-?\d+|\*)\]\.?")
"""A step into a list."""
_ALL_ITEMS = "*"
_OWN_OBJECTS = ("judgments", "documents", "references")
"""Columns whose objects have a meaning of their own."""
_RATING_WORDS = frozenset({"ratings", "scores", "metrics", "evaluation", "evaluations", "grades"})
"""Words in the names of columns whose objects of numbers are scores, even beside texts to score."""
_SETTINGS = frozenset({"usage", "tokenusage", "config", "settings", "params", "parameters", "metadata", "timing"})
"""What columns are called whose objects of numbers are no scores."""
_SYSTEMS = frozenset({"systems", "models", "summarizers", "results", "runs", "entries"})
"""What lists of systems are called, besides the names of summaries."""
_SHOWN_KEYS = 12
"""Keys that a message names."""


def look_up(value: Any, path: str) -> tuple[Any, ...]:
    """What lies at a path within a value: nothing, or one thing, which may be null.

    Keys may have full stops in their names: the longest key that fits is tried first.

    >>> look_up({"choices": [{"message": {"content": "Rain."}}]}, "choices[0].message.content")
    ('Rain.',)
    >>> look_up({"attributes.output": '{"text": "Rain."}'}, "attributes.output.text")
    ('Rain.',)
    >>> look_up({"refs": [{"text": "Rain."}, {"text": "It rains."}]}, "refs[*].text")
    (['Rain.', 'It rains.'],)
    >>> look_up({"choices": []}, "choices[0].message.content")
    ()
    """
    if not path:
        return (value,)
    opened = _open_json(value)
    if path.startswith("["):
        return _look_up_item(opened, path)
    if not isinstance(opened, Mapping):
        return ()
    for key, rest in _split_key(path):
        if key not in opened:
            continue
        values = look_up(opened[key], rest)
        if values:
            return values
    return ()


def _look_up_item(items: Any, path: str) -> tuple[Any, ...]:
    """What lies at a path that begins with an item of a list."""
    step = _ITEM.match(path)
    if step is None or not isinstance(items, list | tuple):
        return ()
    rest = path[step.end() :]
    if step[1] == _ALL_ITEMS:
        values: list[Any] = []
        for item in items:
            values += look_up(item, rest)
        return (values,) if values else ()
    number = int(step[1])
    if not -len(items) <= number < len(items):
        return ()
    return look_up(items[number], rest)


def _split_key(path: str) -> Iterator[tuple[str, str]]:
    """The keys with which a path may begin, the longest first, each with the rest of the path."""
    yield path, ""
    places = [step.start() for step in _STEP.finditer(path)]
    for place in reversed(places):
        if place:
            yield path[:place], path[place:].removeprefix(".")


def _open_json(value: Any) -> Any:
    """The object or list in a text; any other value as it is."""
    if not isinstance(value, str):
        return value.tolist() if hasattr(value, "tolist") else value  # an array of numpy, as Parquet gives to pandas
    if not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:
        # Data frames that are written as CSV have objects as Python prints them.
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value


def unfold(opened: OpenedTable, names: Iterable[str]) -> OpenedTable:
    """The table with a column for each path among the names that leads to something in its first rows.

    Args:
        opened: the table.
        names: of columns, as the user gives them: one, or several with +. Those that the table has are no paths.
    """
    columns = {*opened.columns}
    single_names: list[str] = []
    for name in names:
        single_names += [name] if name in columns else name.split(TOGETHER)
    candidates = [name for name in dict.fromkeys(single_names) if _STEP.search(name) and name not in columns]
    paths = [path for path in candidates if any(look_up(row, path) for row in opened.sample)]
    if not paths:
        return opened
    return UnfoldedTable(opened, paths, kept=single_names)


def unfold_usual(opened: OpenedTable, named: Mapping[str, str]) -> OpenedTable:
    """The table with a column for what the user names by paths, and for what usual objects hold.

    Usual are the reply of a chat (`messages`, `response.choices`), texts by system (`outputs: {"gpt": …, "llama": …}`),
    and, in a table without texts to score, numbers by measure (`scores: {"fluency": 4}`).

    Args:
        opened: the table.
        named: by role, the columns that the user names.
    """
    # The user may have named something since the table was opened first.
    given = opened.as_given
    opened = explode(given, named)
    cells_by_column = _cells_to_look_into(opened, named)
    paths: list[str] = []
    names: dict[str, str] = {}
    for column, cells in cells_by_column.items():
        reply = _path_of_reply(column, cells)
        if reply:
            paths.append(reply)
        elif "summary" not in named:
            paths += _paths_by_system(column, cells)
    has_summaries = paths or "summary" in named or SUMMARY_ROLES["summary"].match(opened.columns)
    for column, cells in cells_by_column.items():
        paths += _paths_of_names(column, cells)
        # Numbers beside texts to score may be anything, such as settings of the model; scores alone are what was found.
        are_scores = not has_summaries and plain_name(column) not in _SETTINGS
        if are_scores or not _RATING_WORDS.isdisjoint(split_words(column)):
            numbers = {path: path.removeprefix(f"{column}.") for path in _paths_of_numbers(column, cells)}
            paths += numbers
            names |= {path: name for path, name in numbers.items() if name not in (*opened.columns, *names.values())}
    table = unfold(opened, named.values())
    if not paths:
        return table
    return UnfoldedTable(table, paths, names=names, given=given)


def _cells_to_look_into(opened: OpenedTable, named: Mapping[str, str]) -> dict[str, list[Any]]:
    """By column of which nobody said what it is, its first cells that hold something, with JSON opened."""
    names: list[str] = []
    for name in named.values():
        names += [name, *name.split(TOGETHER)]
    cells_by_column: dict[str, list[Any]] = {}
    for column in exclude(opened.columns, (*names, *_OWN_OBJECTS)):
        if not column or _leads_into(names, column):  # no path can begin with a column that has no name
            continue
        cells = [_open_json(row.get(column)) for row in opened.sample]
        present = [cell for cell in cells if not is_missing(cell)]
        cells_by_column[column] = [cell for cell in present if cell != ""]
    return cells_by_column


def _leads_into(names: Iterable[str], column: str) -> bool:
    """Whether one of the names is a path into a column."""
    return any(name.startswith((f"{column}.", f"{column}[")) for name in names)


def _path_of_reply(column: str, cells: Sequence[Any]) -> str:
    """The path to the last message of a chat, if all cells of a column hold one; else nothing."""
    if not cells:
        return ""
    for steps in REPLIES:
        if not all(_is_text_at(cell, steps) for cell in cells):
            continue
        if all(map(_ends_with_reply, cells)):
            return f"{column}{steps}"
        return ""
    return ""


def _is_text_at(cell: Any, steps: str) -> bool:
    """Whether a text lies some steps within a cell."""
    values = look_up({"cell": cell}, f"cell{steps}")
    return bool(values) and isinstance(values[0], str)


def _ends_with_reply(value: Any) -> bool:
    """Whether a cell is no list of messages, or its last message is by the model, not by the user."""
    if not isinstance(value, list):
        return True
    last = value[-1]
    return isinstance(last, Mapping) and last.get("role", "") in ("assistant", "model", "ai")


def _paths_by_system(column: str, cells: Sequence[Any]) -> list[str]:
    """The paths to texts of several systems, if all cells of a column of summaries have one of each; else nothing."""
    if not SUMMARY_ROLES["summary"].match([column]):
        return []
    keys = _keys_to(str, cells)
    # An object with one text is no choice between systems.
    if len(keys) < 2:
        return []
    return [f"{column}.{key}" for key in keys]


def _paths_of_names(column: str, cells: Sequence[Any]) -> list[str]:
    """The path to the name of a system, judge or topic, if all cells of such a column are objects that have one."""
    id_roles = (SUMMARY_ROLES["summarizer"], JUDGMENT_ROLES["assessor"])
    is_id = any(role.match([column]) for role in id_roles)
    if not is_id or not cells:
        return []
    # A name before an id: both tell systems apart, and people read the name.
    for key in ("name", "id"):
        if all(_has_text(cell, key) for cell in cells):
            return [f"{column}.{key}"]
    return []


def _has_text(cell: Any, key: str) -> bool:
    """Whether a cell is an object with a text under a key."""
    return isinstance(cell, Mapping) and isinstance(cell.get(key), str)


def _paths_of_numbers(column: str, cells: Sequence[Any]) -> list[str]:
    """The paths to numbers, if all cells of a column have the same; else nothing."""
    return [f"{column}.{key}" for key in _keys_to((int, float), cells)]


def _keys_to(kind: type | tuple[type, ...], cells: Sequence[Any]) -> list[str]:
    """The keys of objects, if all cells are objects with the same ones, and all lead to one kind; else nothing."""
    if not all(isinstance(cell, Mapping) for cell in cells):
        return []
    key_sets = {frozenset(cell) for cell in cells}
    if len(key_sets) != 1:
        return []
    for cell in cells:
        if not all(isinstance(item, kind) for item in cell.values()):
            return []
    return list(cells[0])


def explode(opened: OpenedTable, named: Mapping[str, str]) -> OpenedTable:
    """The table with the objects in the lists of a column as rows or columns, if they are systems, judges or measures.

    `outputs: [{"model": "gpt", "text": …}, …]` and `annotations: [{"annotator": "B", "fluency": 4}, …]` become rows,
    `scores: [{"name": "fluency", "value": 4}, …]` columns.

    Args:
        opened: the table.
        named: by role, the columns that the user names.
    """
    for column, cells in _cells_to_look_into(opened, named).items():
        items: list[Any] = []
        for cell in cells:
            items += cell if isinstance(cell, list) else [cell]
        are_lists = all(isinstance(cell, list) for cell in cells)
        if not items or not are_lists or not all(isinstance(item, Mapping) for item in items):
            continue
        names = _name_keys(column, items)
        if names:
            return ExplodedTable(opened, column, names)
        measures = _find_measures(items)
        if measures is not None:
            return MeasuresTable(opened, column, *measures)
    return opened


def _name_keys(column: str, items: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By key of the objects in a column of lists, what its column is called; nothing if they are no systems or judges.

    Args:
        column: with the lists.
        items: the objects in the first rows.
    """
    keys, numbers, texts = _sort_keys(items)
    names = {key: key for key in keys}
    # Who judged, next to numbers: answers of judges, whose keys need no other names.
    if JUDGMENT_ROLES["assessor"].match(texts) and numbers:
        return names
    systems = _usual_first(SUMMARY_ROLES["summarizer"], ("name", "id"), texts)
    holds_systems = bool(SUMMARY_ROLES["summary"].match([column])) or plain_name(column) in _SYSTEMS
    if not systems or not holds_systems:
        return {}
    others = exclude(texts, systems[:1])
    summaries = _usual_first(SUMMARY_ROLES["summary"], ("text", "content"), others)
    if not summaries and not numbers:
        return {}
    return names | {systems[0]: "summarizer"} | dict.fromkeys(summaries[:1], "summary")


def _find_measures(items: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
    """The keys of the measure and of its value in objects such as `{"name": "fluency", "value": 4}`; else None."""
    _, numbers, texts = _sort_keys(items)
    labels = _usual_first(JUDGMENT_ROLES["question"], ("name", "key"), texts)
    values = JUDGMENT_ROLES["value"].match(numbers)
    if not labels or not values:
        return None
    return labels[0], values[0]


def _sort_keys(items: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str], list[str]]:
    """All keys of objects, those with numbers, and those with a text in each object."""
    keys = keys_of(items)
    numbers = [key for key in keys if are_numbers([item.get(key) for item in items])]
    texts = [key for key in exclude(keys, numbers) if all(_has_text(item, key) for item in items)]
    return keys, numbers, texts


def _usual_first(role: Role, weaker: Sequence[str], keys: Sequence[str]) -> list[str]:
    """The keys that fit a role, then those that may mean it where no other does, such as `name`."""
    return [*role.match(keys), *(key for key in weaker if key in keys)]


class MeasuresTable(ConvertedTable):
    """A table with a column for each measure in the lists of a column.

    Args:
        table: as it is.
        column: with the lists.
        label: the key of the measure.
        value: the key of its value.
    """

    def __init__(self, table: OpenedTable, column: str, label: str, value: str) -> None:
        super().__init__(table)
        self._column, self._label, self._value = column, label, value

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, then the measures in the first rows."""
        return keys_of([exclude(self._table.columns, [self._column]), *self.sample])

    def convert_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with its measures."""
        cells = {name: cell for name, cell in row.items() if name != self._column}
        items = _open_json(row.get(self._column))
        if not isinstance(items, list):
            return cells
        for item in items:
            if not isinstance(item, Mapping):
                continue
            name = str(item.get(self._label))
            # A measure may be called like a column of the table, which keeps its name.
            if name in row:
                name = f"{self._column}.{name}"
            cells[name] = item.get(self._value)
        return cells


class ExplodedTable(ConvertedTable):
    """A table with a row for each object in the lists of a column.

    Args:
        table: as it is.
        column: with the lists.
        names: by key of the objects, what its column is called.
    """

    def __init__(self, table: OpenedTable, column: str, names: Mapping[str, str]) -> None:
        super().__init__(table)
        self._column = column
        others = {*table.columns} - {column}
        self._names = {key: f"{column}.{name}" if name in others else name for key, name in names.items()}

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, then those of the objects."""
        return [*exclude(self._table.columns, [self._column]), *self._names.values()]

    @cached_property
    def sample(self) -> Sequence[Mapping[str, Any]]:  # type: ignore[override]
        """The first rows that can be read."""
        return list(islice(chain.from_iterable(map(self._explode, self._table.sample)), SAMPLE_ROWS))

    def rows(self, problems: Problems, *, mark_is_fine: bool = False) -> Iterator[tuple[int, Row]]:
        """Every object with the line of its row; what can't be read is noted."""
        for line, row in self._table.objects(problems, "an object {…}", mark_is_fine=mark_is_fine):
            for exploded in self._explode(row):
                yield line, exploded

    def _explode(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """A row for each object in the list of a row; the row without the list if it is none."""
        rest = {name: cell for name, cell in row.items() if name != self._column}
        items = _open_json(row.get(self._column))
        if not isinstance(items, list) or not items:
            yield rest
            return
        for item in items:
            cells: Mapping[str, Any] = item if isinstance(item, Mapping) else {}
            yield rest | {self._names.get(key, key): cell for key, cell in cells.items()}


class UnfoldedTable(ConvertedTable):
    """A table with a column for each of some paths, in place of the columns that they lead into.

    Args:
        table: what is unfolded.
        paths: each leads to something in the first rows.
        kept: columns that stay even if a path leads into them.
        names: by path, what its column is called, if it is not called after the path.
        given: the table as the user gave it, if the paths are not those that the user names.
    """

    def __init__(
        self,
        table: OpenedTable,
        paths: Sequence[str],
        kept: Sequence[str] = (),
        names: Mapping[str, str] = MappingProxyType({}),
        given: OpenedTable | None = None,
    ) -> None:
        super().__init__(table)
        self._paths = {path: names.get(path, path) for path in paths}
        self._given = given
        heads = {_head_of(path, table.columns) for path in paths}
        self._opened_columns = {*exclude(heads, kept)}

    @property
    def as_given(self) -> OpenedTable:
        """The table before usual objects were unfolded."""
        return self._given or self

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, then the paths."""
        return [*exclude(self._table.columns, self._opened_columns), *self._paths.values()]

    def convert_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with what lies at the paths."""
        unfolded = {name: cell for name, cell in row.items() if name not in self._opened_columns}
        for path, name in self._paths.items():
            values = look_up(row, path)
            unfolded[name] = values[0] if values else None
        return unfolded


def _head_of(path: str, columns: Sequence[str]) -> str:
    """The column that a path leads into."""
    names = {*columns}
    return next(key for key, _ in _split_key(path) if key in names)


def leads_into_cells(name: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a name is a path that leads into the cells of some column, to something or nothing.

    Args:
        name: a column, or a path.
        rows: the first rows of a table.
    """
    columns = {*keys_of(rows)}
    heads = [key for key, rest in _split_key(name) if rest]
    return not columns.isdisjoint(heads)


def explain_missing(name: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Why a table has no column of a name: what there is instead, or how far a path leads.

    Args:
        name: a column, or a path.
        columns: those of the table.
        rows: its first rows.
    """
    for prefix, rest in _split_key(name):
        values: list[Any] = []
        for row in rows:
            values += map(_open_json, look_up(row, prefix))
        present = [value for value in values if not is_missing(value)]
        if rest and present:
            return f"; {_describe_inside(prefix, present)}"
    return f"{did_you_mean(name, columns)} it has: {', '.join(columns) or 'none'}"


def _describe_inside(path: str, values: Sequence[Any]) -> str:
    """What lies at a path: the keys of objects, the length of lists, or that there is nothing below it."""
    objects = [value for value in values if isinstance(value, Mapping)]
    if objects:
        return f"{path} has: {listed(keys_of(objects), most=_SHOWN_KEYS)}"
    lists = [value for value in values if isinstance(value, list | tuple)]
    if lists:
        longest = max(map(len, lists))
        return f"{path} is a list of up to {longest}; name one item, such as {path}[0], or all of them: {path}[*]"
    return f"{path} holds no object to go into"
