"""What can be shown, defined once: rows are records, tables are rows for people, findings hold both.

The terminal, `--format`, reports and notebooks render what is defined here; nothing else knows which columns a finding
has or what its records are called.
"""

from __future__ import annotations

import dataclasses
import functools
import html
import importlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Required, TypedDict, TypeVar, Unpack, dataclass_transform

from pyramidion.show.wording import capital

if TYPE_CHECKING:
    import pandas
    import polars as pl

Cell = str | int | float | bool | None
Record = dict[str, Any]
Item = TypeVar("Item")
Key = TypeVar("Key")
P_VALUES = frozenset({"p", "p_adjusted", "p_permutation"})


def hidden(*, default: Any = dataclasses.MISSING) -> Any:
    """A field of a row that is not part of its record."""
    return dataclasses.field(metadata={"hidden": True}, default=default)


def behind() -> Any:
    """A field of a row with the result that it belongs to, from which `present` makes its words; shown nowhere."""
    return dataclasses.field(metadata={"hidden": True}, compare=False, repr=False)


def headed(title: str = "", digits: int | None = None, *, default: Any = dataclasses.MISSING) -> Any:
    """A field of a row whose column has a heading of its own, or its own number of decimals."""
    return dataclasses.field(metadata={"title": title, "digits": digits}, default=default)


def optional() -> Any:
    """A field of a row, None by default, that its record leaves out while it is None; it needs no reason then."""
    return dataclasses.field(default=None, metadata={"optional": True})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field, headed))
class Row:
    """Base of what findings consist of: each kind is a frozen dataclass, and its fields are those of its record.

    A trailing underscore is dropped (`with_`), `hidden` fields are left out, and so are texts that are empty by default
    (`note`, `reason`, `part`) while they are, and `optional` fields. Tables show its numbers with `digits` decimals.
    """

    record: ClassVar[str] = ""
    _digits: ClassVar[int | None] = None
    _properties: ClassVar[Mapping[str, str]] = {}
    """Properties that are part of the record, each with the name that it follows; empty: last, while it says something.
    """

    def __init_subclass__(
        cls, *, record: str = "", digits: int | None = None, properties: Mapping[str, str] | None = None
    ) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        cls.record = record or cls.record
        cls._digits = digits
        cls._properties = properties or cls._properties

    @classmethod
    def column(cls, name: str) -> Column:
        """The column of a field (or a property), with the heading and the decimals that it was declared with."""
        field = getattr(cls, "__dataclass_fields__", {}).get(name)
        declared = field.metadata if field else {}
        digits = declared.get("digits")
        if digits is None and name not in P_VALUES:
            digits = cls._digits
        return Column(name, declared.get("title", ""), digits)

    @classmethod
    def shown_fields(cls) -> tuple[tuple[str, str, bool], ...]:
        """For each field of the record, in order: its name, its key, and whether it is left out while empty."""
        return _shown_fields(cls)  # type: ignore[arg-type]

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The names of the record's fields, in order."""
        return tuple(key for _, key, _ in cls.shown_fields())

    def fields(self) -> Record:
        """The row as a record for JSON: undefined numbers are None, and then there is a reason."""
        values: Record = {}
        for name, key, is_optional in _shown_fields(type(self)):  # type: ignore[arg-type]
            value = getattr(self, name)
            if is_optional and _is_empty(value):
                continue
            values[key] = _plain(value)
        if "reason" in values and None not in values.values():
            del values["reason"]
        return {"record": self.record, **values}


class NotedRow(Row):
    """A row that may say what one should know about its values, and why one of them is undefined."""

    note: str = ""
    reason: str = ""


class ReasonedRow(Row, properties={"reason": ""}):
    """A row whose numbers say why one of them is undefined; `present` puts that into words."""

    @property
    def reason(self) -> str:
        """Why something is undefined, in plain words."""
        return words_of(self, "reason")


class ExplainedRow(ReasonedRow):
    """A row with a note on its data, and a reason that `present` puts into words."""

    note: str = ""


class WordedRow(ReasonedRow, properties={"note": "", "reason": ""}):
    """A row whose note and reason `present` puts into words."""

    @property
    def note(self) -> str:
        """What one should know to read the row."""
        return words_of(self, "note")


def _is_empty(value: Any) -> bool:
    """Whether an optional field has its default: no text, no number."""
    return value is None or value == ""


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


@functools.cache
def _shown_fields(kind: type[Row]) -> tuple[tuple[str, str, bool], ...]:
    """For each field of the record: its name, its key, and whether it is left out while empty."""
    all_fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    fields = [field for field in all_fields if not field.metadata.get("hidden")]
    fields.sort(key=lambda field: field.name in ("note", "reason"))  # what explains the others comes last
    shown = [
        (field.name, field.name.rstrip("_"), field.default == "" or bool(field.metadata.get("optional")))
        for field in fields
    ]
    for name, preceding in kind._properties.items():
        if not preceding:
            shown.append((name, name, True))
            continue
        place = [shown_name for shown_name, _, _ in shown].index(preceding)
        shown.insert(place + 1, (name, name, False))
    return tuple(shown)


def _plain(value: Any) -> Any:
    """JSON has no NaN, no infinity and no tuples."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return None
    if isinstance(value, (tuple, list, frozenset)):  # a union is slower, and rows may be a million
        return [_plain(part) for part in value]
    return value


def all_rows() -> list[type[Row]]:
    """Every kind of row that has been imported, each once."""
    kinds: list[type[Row]] = [Row]
    for kind in kinds:
        kinds += [child for child in kind.__subclasses__() if child not in kinds]
    return [kind for kind in kinds if kind.record]


@dataclass(frozen=True)
class Column:
    """A column of a table: the field of the rows it shows, and how."""

    key: str
    title: str = ""
    """What people read; by default the field's name."""
    digits: int | None = None
    """Decimals of numbers; None: three for p values, else five, and whole numbers as they are."""
    of: Callable[[Any], Cell] | None = None
    """What a row shows in it; by default the value of the field."""

    @property
    def name(self) -> str:
        """The heading."""
        return self.title or self.key.rstrip("_").replace("_", " ")

    def cell(self, row: Any) -> Cell:
        """The value of a row."""
        value: Cell = self.of(row) if self.of else getattr(row, self.key)
        return value

    def shown(self, value: Cell) -> str:
        """A value for human eyes."""
        if value is None or _is_nan(value):
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str | int):
            return str(value)
        if self.key in P_VALUES:
            return self._shown_p(value)
        if self.digits is not None:
            return f"{value:.{self.digits}f}"
        if abs(value) < 1000:
            return f"{value:.5f}"
        return f"{value:.6g}"

    def _shown_p(self, p: float) -> str:
        """A p value: never 0."""
        decimals = 3 if self.digits is None else self.digits
        smallest = 10**-decimals
        if p < smallest / 2:
            return f"< {smallest:.{decimals}f}"
        return f"{p:.{decimals}f}"


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows for people, with a title above; below it what it says, and what one must know to read it."""

    record: str
    """The kind of record that it shows: what `--show` chooses by."""
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    marked: frozenset[tuple[int, int]] = frozenset()
    """Cells (row, column) that stand out, such as the best of a column."""
    heads: int = 1
    """The number of columns on the left that name the row."""
    detail: bool = False
    """Shown only when asked for by `--show`."""
    about: str = ""
    """What distinguishes it from other tables of the same record: a measure, a level, a part."""
    group: str = ""
    """In a report, tables of one group are shown one at a time: the reader chooses by `about`."""

    def without_empty_columns(self) -> Table:
        """The same table without columns in which no row has a value."""
        if not self.rows:
            return self
        kept = [place for place in range(len(self.columns)) if self._has_values(place)]
        if len(kept) == len(self.columns):
            return self
        at = {place: number for number, place in enumerate(kept)}
        rows = [[row[place] for place in kept] for row in self.rows]
        kept_marks = [(number, place) for number, place in self.marked if place in at]
        return dataclasses.replace(
            self,
            columns=tuple(self.columns[place] for place in kept),
            rows=rows,
            marked=frozenset((number, at[place]) for number, place in kept_marks),
            heads=sum(place < self.heads for place in kept),
        )

    def _has_values(self, place: int) -> bool:
        return any(row[place] is not None for row in self.rows)

    def cells(self, mark: str = "") -> list[list[str]]:
        """All cells as people read them; `mark` follows those that stand out."""
        return [
            [
                column.shown(cell) + (mark if (number, place) in self.marked else "")
                for place, (column, cell) in enumerate(zip(self.columns, row, strict=True))
            ]
            for number, row in enumerate(self.rows)
        ]

    def is_numeric(self, place: int) -> bool:
        """Whether a column is aligned right."""
        return not any(isinstance(row[place], str) for row in self.rows)

    def _repr_html_(self) -> str:
        table = self.without_empty_columns()
        head = "".join(f"<th>{html.escape(column.name)}</th>" for column in table.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.cells()
        )
        below = "".join(f"<p>{html.escape(line)}</p>" for line in (*table.sentences, *table.notes))
        return (
            f"<table><caption>{html.escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{below}"
        )


def columns_of(*names: Column | str, named: Callable[[str], Column] = Column) -> tuple[Column, ...]:
    """Columns, of which those that need no more are given by the name of their field."""

    def column_of(column: Column | str) -> Column:
        if isinstance(column, Column):
            return column
        return named(column)

    return tuple(map(column_of, names))


class TitleFacts(TypedDict, total=False):
    """The title of a table, and where and when it is shown."""

    title: Required[str]
    heads: int
    detail: bool
    about: str
    group: str


class TableFacts(TitleFacts, total=False):
    """All of a table besides its cells."""

    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    marked: frozenset[tuple[int, int]]


def table_of(
    rows: Sequence[Any],
    columns: Iterable[Column | str],
    *,
    record: str = "",
    marks: Mapping[str, Callable[[Any], object]] | None = None,
    sentences: Iterable[str] = (),
    notes: Iterable[str] = (),
    **facts: Unpack[TitleFacts],
) -> Table:
    """A table whose cells are fields of the rows, or what its columns make of anything else.

    Args:
        rows: what the lines are about.
        columns: what is shown of them.
        record: the kind of record; by default that of the rows.
        marks: by the key of a column, of which rows its cells stand out.
        sentences: what it says; empty ones are left out.
        notes: what one must know to read it; likewise.
        facts: the table's other fields.
    """
    kind = type(rows[0]) if rows else _kind_of_record(record)
    shown = columns_of(*columns, named=kind.column if issubclass(kind, Row) else Column)
    marked: set[tuple[int, int]] = set()
    for place, column in enumerate(shown):
        stands_out = (marks or {}).get(column.key)
        if stands_out is not None:
            marked |= {(number, place) for number, row in enumerate(rows) if stands_out(row)}
    if not record and rows:
        record = rows[0].record
    return Table(
        record=record,
        columns=shown,
        rows=[[column.cell(row) for column in shown] for row in rows],
        marked=frozenset(marked),
        sentences=tuple(filter(None, sentences)),
        notes=tuple(filter(None, notes)),
        **facts,
    )


def _kind_of_record(record: str) -> type[Row]:
    """The class of rows with this kind of record."""
    for kind in all_rows():
        if kind.record == record:
            return kind
    return Row


def pivot(
    cells: Mapping[tuple[str, str], Cell],
    head: Column | str,
    order: Iterable[str] = (),
    *,
    digits: int | None = None,
    record: str,
    **facts: Unpack[TableFacts],
) -> Table:
    """A table of cells by row and column: rows in the given order, or as they come; columns as they come."""
    names = list(dict.fromkeys(name for _, name in cells))
    return Table(
        record=record,
        columns=columns_of(head, *(Column(name, name, digits) for name in names)),
        rows=[
            (row, *(cells.get((row, name)) for name in names))
            for row in dict.fromkeys(order or (row for row, _ in cells))
        ],
        **facts,
    )


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items of each key; keys and items in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def notes_of(rows: Iterable[Row]) -> tuple[str, ...]:
    """What rows note, and why something in them is undefined: each sentence once."""
    parts: dict[str, None] = {}
    for row in rows:
        record = row.fields()
        for key in ("note", "reason"):
            parts |= dict.fromkeys(record.get(key, "").split("; "))
    parts.pop("", None)
    return tuple(f"{capital(part).rstrip('.')}." for part in parts)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
class Finding:
    """Base of what every analysis returns: a frozen dataclass with typed fields, and these ways to look at it."""

    record_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of its records that `--show` chooses from, in their order; written as a plain tuple of strings."""

    def __init_subclass__(
        cls, *, frozen: bool = True, kw_only: bool = True, repr: bool = False, eq: bool = False
    ) -> None:
        dataclass(frozen=frozen, kw_only=kw_only, repr=repr, eq=eq)(cls)

    def rows(self) -> Iterator[Row]:
        """Everything that was found, kind by kind: the rows in the finding's fields, in their order."""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            values = value if isinstance(value, tuple) else (value,)
            for row in values:
                if isinstance(row, Row):
                    yield row

    def tables(self) -> list[Table]:
        """The tables that people read, those shown by default first."""
        presenter = _presenter_of(self)
        if presenter is None:
            raise NotImplementedError(f"{type(self).__name__} must make its tables, or have a presenter")
        return presenter.tables(self)

    def sentences(self) -> list[str]:
        """The answer first, in plain words; then what each table says."""
        of_tables = [line for table in self.tables() if not table.detail for line in table.sentences]
        return list(dict.fromkeys([*self.answer(), *of_tables]))

    def answer(self) -> tuple[str, ...]:
        """What the terminal prints above the tables: the answer to the question that was asked, in words."""
        presenter = _presenter_of(self)
        if presenter is None or presenter.answer is None:
            return ()
        return presenter.answer(self)

    def main_record(self) -> str:
        """The record that CSV and data frames hold unless told otherwise."""
        return next((row.record for row in self.rows()), "")

    def records(self, *kinds: str) -> Iterator[Record]:
        """The rows as dictionaries for JSON, of all kinds or of some."""
        for row in self.rows():
            if not kinds or row.record in kinds:
                yield row.fields()

    def only(self, *kinds: str) -> Finding:  # noqa: ARG002
        """The finding with these kinds of records alone, if it can be divided: others are then not computed."""
        return self

    def to_polars(self, record: str = "") -> pl.DataFrame:
        """The rows of one kind of record as a Polars frame."""
        import polars

        return polars.DataFrame(
            # Polars takes types from the first 100 rows, and a column may begin with 100 that are undefined.
            list(flat_records(self.records(record or self.main_record()))),
            infer_schema_length=None,
        )

    def to_pandas(self, record: str = "") -> pandas.DataFrame:
        """The rows of one kind of record as a pandas frame (pandas must be installed)."""
        return data_frame(list(flat_records(self.records(record or self.main_record()))))

    def __str__(self) -> str:
        """What `print` shows: the answer and the other sentences, in the order of the command line; else the repr."""
        presenter = _presenter_of(self)
        sentences = self.sentences() if presenter is not None else []
        return "\n".join([*sentences, repr(self)])

    def _repr_html_(self) -> str:
        shown = [table for table in self.tables() if not table.detail]
        return "".join(table._repr_html_() for table in shown)


class _Presenter(Protocol):
    """What a finding needs of `pyramidion.present`."""

    tables: Callable[[Any], list[Table]]
    answer: Callable[[Any], tuple[str, ...]] | None


def _presenter_of(finding: Finding) -> _Presenter | None:
    """What puts a finding into words; None for plain lists, such as problems, which make their own tables.

    Words stand above numbers, so `present` is not imported here but looked up when somebody wants to read.
    """
    presenter: _Presenter | None = importlib.import_module("pyramidion.present.registry").presenter_of(type(finding))
    return presenter


def words_of(row: Row, field: str) -> str:
    """What a field of a row's record says in plain words, looked up in `present` like the tables of a finding."""
    words: str = importlib.import_module("pyramidion.present.registry").words_of(row, field)
    return words


def data_frame(data: Any) -> pandas.DataFrame:
    """A pandas frame; pandas is not a dependency, and its absence is explained."""
    from pyramidion.errors import UsageError

    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas() needs pandas: pip install pandas") from None
    return pandas.DataFrame(data)


def flat_records(records: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    """Records of one kind for CSV and data frames: without their kind, all with the same fields, lists joined."""
    all_records = list(records)
    columns = dict.fromkeys(chain.from_iterable(all_records))
    columns.pop("record", None)
    for record in all_records:
        yield {key: _joined(record.get(key)) for key in columns}


def _joined(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value
