"""Reading score tables, our own and those of other programs: CSV, TSV, JSON lines or Parquet, by topic and summarizer.

Two shapes are read: long (topic, summarizer, measure, value) and wide (topic, summarizer, and a column for each
measure). An empty cell is a missing value, not a zero. With a column of runs, the mean over runs is the score. A
column `signature`, and what the metadata of a Parquet file
says about directions, notes and summarizers, stay with the values.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from pyramidion.files.opening import stem_of
from pyramidion.files.parquet import METADATA, PARQUET, PIECE_BYTES, by_bytes, exactly, read_metadata
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.files.refusals import refusal_of
from pyramidion.intake.cells import is_odd_id, keys_of, note_alike_systems, note_odd_id
from pyramidion.intake.column_questions import IN_MEMORY, ColumnQuestion
from pyramidion.intake.nested import unfold
from pyramidion.intake.opened import SAMPLE_ROWS, FileTable, OpenedTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.repeats import remedy_of_repeats
from pyramidion.intake.roles import check_roles
from pyramidion.intake.score_columns import (
    LONG_FIELDS,
    SCORE_FIELDS_ASIDE,
    ScoreColumns,
    find_score_columns,
    recognise_scores,
)
from pyramidion.intake.spelled_numbers import read_spelled_numbers
from pyramidion.scores.directions import add_directions
from pyramidion.scores.table import KEY, Kind, ScoreTable
from pyramidion.scores.table_builder import SUMMARY, ScoreTableBuilder, rows_at_once

IMPORTED = "imported."
"""What the names of columns from elsewhere start with in our own tables."""
OF_SYSTEMS = "score"
"""What the values are called where each column is a system."""
_NESTED = (dict, list)
_OBJECT = "an object with topic, summarizer, measure and value"
_Numbered = tuple[int, Mapping[str, Any]]
"""A row and its line."""


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What no column of a score table holds, as `ScoreTable` has it: the metadata of a Parquet file."""

    signatures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    higher_is_better: dict[str, bool | None] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    notes_on_all: dict[str, str] = msgspec.field(default_factory=dict)
    notes_on_each: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    kinds: dict[str, Kind] = msgspec.field(default_factory=dict)
    unscored: dict[str, int] = msgspec.field(default_factory=dict)
    topic_count: int = 0


def read_scores(
    path: Path | str | OpenedTable,
    problems: Problems | None = None,
    named: Mapping[str, str] | None = None,
    *,
    bookkeeping: bool = True,
    repeats_are_runs: bool = False,
) -> ScoreTable:
    """Read a score table, one that `write_scores` wrote or any other.

    Args:
        path: a .csv, .tsv, .jsonl, .json or .parquet file, long or wide, also compressed.
        problems: collects what is wrong with the file; then the table holds what could be read.
        named: by role (topic, summarizer, measure, value, run, scores), the columns that the user names, if the file
            has them.
        bookkeeping: whether latencies, lengths and the like are scores even next to other columns of a wide table.
        repeats_are_runs: whether rows with the same topic and summarizer are runs.

    Raises:
        CampaignError: with all problems at once, if the file has errors and `problems` is not given.
    """
    named = named or {}
    check_roles(named)
    opened = path if isinstance(path, OpenedTable) else FileTable(Path(path))
    opened = read_spelled_numbers(unfold(opened, named.values()) if named else opened, named)
    path = opened.path
    noted = Problems() if problems is None else problems
    at = noted.at(path)
    noted.files.note_read(path)
    names = opened.columns
    table = TableProfile(names, opened.sample)
    columns = recognise_scores(table, named, uses_bookkeeping=bookkeeping)
    if isinstance(columns, ColumnQuestion):
        columns.note(at)
        if problems is None:
            noted.refuse()
        return ScoreTable()
    _remark_on_systems(columns, names, stem_of(path), at)
    builder = ScoreTableBuilder(at, partial(_remedy_of_repeats, columns, table), repeats_are_runs=repeats_are_runs)
    find_columns = partial(find_score_columns, named=named, uses_bookkeeping=bookkeeping)
    readers = {"parquet": _read_frames, "arrow": _read_frames, "json": _read_json, "jsonl": _read_json}
    read = readers.get(opened.format or "", _read_text)
    for lines, frame in read(opened, noted, find_columns):
        builder.add(*_by_system(lines, frame, columns))
    scores = builder.table()
    note_alike_systems(scores.summarizers, at, field=columns.columns.get("summarizer", "summarizer"))
    if "signature" not in names:  # our own tables say what is good
        scores = add_directions(scores)
    if path.suffix.lower() == PARQUET:
        scores = _add_facts(scores, path, at)
    if problems is None:
        noted.refuse()
    _remark_on_columns(columns, scores, at)
    return scores if columns.names_systems else replace(scores, unnamed=stem_of(path))


def _add_facts(scores: ScoreTable, path: Path, at: Place) -> ScoreTable:
    """The scores with what the metadata of their Parquet file says about them."""
    facts = msgspec.structs.asdict(_read_facts(path, at))
    del facts["signatures"]  # a column holds them
    # Our own files have notes in their metadata; other files may have a column of them.
    facts["notes"] = facts["notes"] or scores.notes
    facts["higher_is_better"] = {**scores.higher_is_better, **facts["higher_is_better"]}
    facts["notes_on_all"] = facts["notes_on_all"] or scores.notes_on_all
    return replace(scores, **facts)


def scores_of_rows(
    rows: Sequence[Mapping[str, Any]],
    problems: Problems,
    named: Mapping[str, str] | None = None,
    *,
    repeats_are_runs: bool = False,
) -> ScoreTable:
    """The scores in rows that are dictionaries, such as those of a data frame; without a name, of one `system`."""
    check_roles(named or {})
    at = problems.at(IN_MEMORY)
    names = keys_of(rows)
    table = TableProfile(names, rows[:SAMPLE_ROWS])
    columns = recognise_scores(table, named or {}, uses_bookkeeping=False)
    if isinstance(columns, ColumnQuestion):
        columns.note(at)
        return ScoreTable()
    header = _Header(at, names, columns, summarizer="system")
    builder = ScoreTableBuilder(at, partial(_remedy_of_repeats, columns, table), repeats_are_runs=repeats_are_runs)
    _remark_on_systems(columns, names, header.summarizer, at)
    for lines, frame in header.frames(iter(enumerate(rows, start=1))):
        builder.add(*_by_system(lines, frame, columns))
    header.check()
    scores = add_directions(builder.table())
    note_alike_systems(scores.summarizers, at, field=columns.columns.get("summarizer", "summarizer"))
    _remark_on_columns(columns, scores, at)
    return scores if columns.names_systems else replace(scores, unnamed=header.summarizer)


def _remark_on_systems(columns: ScoreColumns, names: Sequence[str], summarizer: str, at: Place) -> None:
    """Remark that each column is a system, or that all scores are of one system, if no column says whose they are.

    Args:
        columns: what the columns of the table mean.
        names: all its columns.
        summarizer: the system, if there is only one.
        at: the file.
    """
    file_name = Path(at.file).name
    if columns.systems:
        at.problems.remark(f"{file_name}: a table of scores; a system per column: {', '.join(columns.systems)}")
    elif columns.grid:
        measures = next(iter(columns.grid.values()))
        systems = ", ".join(columns.grid)
        sentence = f"a table of scores; a column per system and measure: {systems}; measures: {', '.join(measures)}"
        at.problems.remark(f"{file_name}: {sentence}")
    elif columns.is_unnamed(names):
        source = "" if file_name == IN_MEMORY else "named after the file: "
        sentence = f"no column of systems: all scores belong to one system, {source}{summarizer!r}"
        at.problems.remark(f"{file_name}: {sentence}")


def _remark_on_columns(columns: ScoreColumns, scores: ScoreTable, at: Place) -> None:
    """Remark which column is what, unless all columns have our own names."""
    sentence = columns.describe(scores.measures, scores.notes.values())
    if sentence:
        at.problems.remark(f"{Path(at.file).name}: {sentence}")


def _by_system(lines: Sequence[int], frame: pl.DataFrame, columns: ScoreColumns) -> _NumberedFrame:
    """The rows of a table with columns of scores for each system: one for each system; others as they are."""
    column_of: Mapping[str, Mapping[str, str]] = columns.grid
    if columns.systems:
        column_of = {system: {OF_SYSTEMS: system} for system in columns.systems}
    if not column_of:
        return lines, frame
    kept = frame.select(name for name in frame.columns if name == "topic" or name in SCORE_FIELDS_ASIDE)
    parts: list[pl.DataFrame] = []
    for system, column_by_measure in column_of.items():
        scores = [frame[column].alias(measure) for measure, column in column_by_measure.items()]
        parts.append(kept.with_columns(*scores, summarizer=pl.lit(system)))
    return list(lines) * len(parts), pl.concat(parts, how="vertical_relaxed")


def _remedy_of_repeats(columns: ScoreColumns, table: TableProfile) -> str:
    """What to do about a score that comes again."""
    column_by_role = columns.columns
    other = [column_by_role[role] for role in ("measure", "run") if role in column_by_role]
    values = columns.measure_columns(table.columns)
    if "value" in column_by_role:
        values = [column_by_role["value"]]
    names = [name for name in table.columns if values != [name]]  # the only scores are no runs
    return remedy_of_repeats(
        TableProfile(names, table.rows),
        topic=column_by_role.get("topic"),
        summarizer=column_by_role.get("summarizer"),
        other=other,
        runs=True,
        has_run="run" in column_by_role,
    )


def tables_in(folder: Path, problems: Problems) -> list[Path]:
    """The score tables in a campaign's folder of them, by name; what is there but can't be listed is an error."""
    if not os.path.lexists(folder):
        return []
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        obstacle, remedy = _refused_folder(folder, error)
        problems.at(folder).error(obstacle, "a folder with score tables", remedy)
        return []
    # What else is in the folder, such as a README or a file that is being written, is no table.
    return [path for path in paths if path.match("*.parquet")]


def _refused_folder(folder: Path, error: OSError) -> tuple[str, str]:
    """What was found in place of a folder, and what to do."""
    if isinstance(error, FileNotFoundError):
        return "a link that leads nowhere", "Restore the folder that it leads to, or remove the link."
    if isinstance(error, NotADirectoryError):
        return "a file", "Move it into a folder of this name, or remove it."
    if isinstance(error, PermissionError):
        command = shlex.join(["chmod", "u+rx", str(folder)])
        return "a folder that you have no permission to read", f"Ask the owner for access. If it is yours: {command}"
    refusal = refusal_of(error)
    return refusal.found, refusal.remedy


def read_columns(
    paths: Iterable[Path | str],
    problems: Problems,
    named: Mapping[str, str] | None = None,
    *,
    bookkeeping: bool = True,
    repeats_are_runs: bool = False,
) -> dict[Path, ScoreTable]:
    """Several score tables that join one campaign, with names of columns as `imported.` finds them.

    The same (measure, topic, summarizer) in two files, or a measure with two directions, is an error.
    """
    tables: dict[Path, ScoreTable] = {}
    for path in dict.fromkeys(map(Path, paths)):
        table = read_scores(path, problems, named, bookkeeping=bookkeeping, repeats_are_runs=repeats_are_runs)
        bare = {name: _bare(name) for name in table.measures}
        # `imported.x` and `x` in one file stay apart.
        table = table.renamed({name: short for name, short in bare.items() if short not in bare})
        for other, earlier in tables.items():
            table = without_conflicts(table, earlier, str(other), problems.at(path))
        tables[path] = table
    return tables


def without_conflicts(table: ScoreTable, earlier: ScoreTable, holder: str, at: Place) -> ScoreTable:
    """The scores that `earlier` does not have already; the others, and another direction of a measure, are errors."""
    again = table.within(earlier)
    if len(again):
        key = again.frame.select(KEY).row(0)
        at.error(
            f"{len(again)} of {len(table)} scores that {holder} has already, the first for {key!r}",
            f"each ({', '.join(KEY)}) once",
            "Rename the measure, or remove its values from one of the two. If they are several runs of one judge, put "
            "them into one file with a column `run`: then their mean is used.",
            field=", ".join(KEY),
        )
    for measure in table.measures:
        if measure in earlier.measures and table.is_higher_better(measure) != earlier.is_higher_better(measure):
            at.error(
                f"another direction for {measure!r} than in {holder}",
                "one direction for each measure",
                "Correct the metadata of one table, or rename its measure.",
                field="higher_is_better",
            )
    return table.without(earlier)


def _bare(name: str) -> str:
    """The name of a column without `imported.`; in quotes it is a JSON string."""
    bare = name.removeprefix(IMPORTED)
    if bare == name or not bare.startswith('"'):
        return bare
    try:
        return str(json.loads(bare))
    except ValueError:
        return bare


def _read_facts(path: Path, at: Place) -> Facts:
    """What the metadata of a Parquet file says; metadata that can't be decoded is an error."""
    raw = read_metadata(path)
    try:
        return msgspec.json.decode(raw, type=Facts) if raw else Facts()
    except (ValueError, RecursionError) as error:
        at.error(
            shorten(str(error), 120),
            "a JSON object with higher_is_better, notes and names",
            "Write the table again, or without this metadata.",
            field=f"metadata {METADATA}",
        )
        return Facts()


_NumberedFrame = tuple[Sequence[int], pl.DataFrame]
"""Rows by column, under our names of the columns, and the line of each row."""
_FindColumns = Callable[[TableProfile], ScoreColumns]
"""What finds out which column of a table is what."""


@dataclass(frozen=True)
class _Header:
    """The columns of a file, and what we call them."""

    at: Place
    names: Sequence[str]
    columns: ScoreColumns
    """What the columns mean."""
    summarizer: str
    """The summarizer, if no column has one."""

    def rename(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows under our names; without a column of summarizers, all are of one system, `summarizer`."""
        unused = {*self.columns.unused}
        kept = [name for name in frame.columns if name not in unused]
        roles = self.columns.roles
        ours = frame.select(exactly(*kept)).rename({name: roles[name] for name in kept if name in roles})
        if "summarizer" in ours.columns or "topic" not in ours.columns or len(kept) < 2:
            return ours
        return ours.with_columns(summarizer=pl.lit(self.summarizer, dtype=pl.String))

    @cached_property
    def ours(self) -> list[str]:
        """The columns under our names."""
        return self.rename(pl.DataFrame(schema=dict.fromkeys(self.names, pl.String))).columns

    @property
    def is_sound(self) -> bool:
        """Whether these are the columns of a score table."""
        distinct = {*self.ours}
        is_whole = distinct.issuperset(SUMMARY) and distinct - {*SUMMARY, *SCORE_FIELDS_ASIDE} != set()
        return is_whole and len(distinct) == len(self.ours)

    def check(self) -> None:
        """Columns that are not those of a score table are an error."""
        # A header that can't be read has its error already.
        if not self.is_sound and not self.at.problems.errors:
            self.at.at(1).error(
                f"the columns {', '.join(filter(None, self.names)) or '(none)'}",
                "topic, summarizer, measure, value; or topic, summarizer and a column for each measure",
                "Name the columns like this, each once, or say which they are: "
                '`columns={"topic": "NAME", "summarizer": "NAME"}`. If these are summaries: '
                '`columns={"topic": "NAME", "summary": "NAME"}`.',
            )

    def frames(self, rows: Iterator[_Numbered]) -> Iterator[_NumberedFrame]:
        """The rows, some at a time; none if these are not the columns of a score table, but all rows are read."""
        schema = dict.fromkeys(self.names, pl.String)
        rows = (row for row in rows if self._has_ids(*row))
        while taken := _take_rows(rows, rows_at_once(len(self.names))):
            if self.is_sound:
                cells = {name: [_as_text(row.get(name)) for _, row in taken] for name in self.names}
                yield [line for line, _ in taken], self.rename(pl.DataFrame(cells, schema=schema))

    def _has_ids(self, line: int, row: Mapping[str, Any]) -> bool:
        """Whether the ids of a row are none that can be no ids; others are errors."""
        ids = [name for name in row if self.columns.our_name(name) in SUMMARY]
        odd = [name for name in ids if is_odd_id(row[name])]
        for name in odd:
            note_odd_id(self.at.at(line), name, self.columns.our_name(name), row[name])
        return not odd


def _take_rows(rows: Iterator[_Numbered], most: int) -> list[_Numbered]:
    """The next rows: so many, or as many as have `PIECE_BYTES` characters together."""
    taken: list[_Numbered] = []
    size = 0
    for line, row in rows:
        taken.append((line, row))
        size += sum(len(cell) for cell in row.values() if isinstance(cell, str))
        if len(taken) == most or size >= PIECE_BYTES:
            break
    return taken


def _read_frames(opened: OpenedTable, problems: Problems, find_columns: _FindColumns) -> Iterator[_NumberedFrame]:
    pieces = opened.frames(problems) or iter(())
    first = next(pieces, None)
    if first is None:
        return
    columns = find_columns(TableProfile(first.columns, first.head(SAMPLE_ROWS).to_dicts()))
    header = _Header(problems.at(opened.path), first.columns, columns, opened.system_name)
    schema = header.rename(first.clear()).schema
    nested = [name for name in (*SUMMARY, "measure") if name in schema and schema[name].is_nested()]
    start = 1
    for piece in chain([first], pieces):
        if nested or not header.is_sound:
            continue  # the rest is read for its problems
        # Equal texts share memory in the file, but not once they have been looked at.
        for part in by_bytes(piece, PIECE_BYTES):
            yield range(start, start + part.height), header.rename(part)
            start += part.height
    header.check()
    for name in nested if header.is_sound else ():
        header.at.error("lists or objects", "names", "Write each name as a string.", field=name)


def _read_text(opened: OpenedTable, problems: Problems, find_columns: _FindColumns) -> Iterator[_NumberedFrame]:
    before = problems.errors
    names = opened.columns
    columns = find_columns(TableProfile(names, opened.sample))
    header = _Header(problems.at(opened.path), names, columns, opened.system_name)
    yield from header.frames(opened.objects(problems, _OBJECT))
    if names or problems.errors == before:
        header.check()


def _read_json(opened: OpenedTable, problems: Problems, find_columns: _FindColumns) -> Iterator[_NumberedFrame]:
    """Read twice, because only all rows tell which columns there are."""
    shapes: dict[tuple[tuple[str, bool], ...], None] = {}  # keys, each with whether it has more than one value
    sample: list[Mapping[str, Any]] = []
    for _, row in opened.objects(Problems(), _OBJECT):
        shapes[tuple((key, isinstance(value, _NESTED)) for key, value in row.items())] = None
        if len(sample) < SAMPLE_ROWS:
            sample.append(row)
    columns = find_columns(TableProfile(keys_of(map(dict, shapes)), sample))
    needed = _needed_keys(sample[:1], columns)
    # Columns are those of rows that can be read; a broken row must not add one.
    good = [dict(shape) for shape in shapes if {*shape}.issuperset((key, False) for key in needed.values())]
    header = _Header(problems.at(opened.path), keys_of(good), columns, opened.system_name)
    lacking = Problems()
    at = lacking.at(opened.path)
    rows = ((line, row) for line, row in opened.objects(problems, _OBJECT) if _has_keys(row, line, needed, at))
    yield from header.frames(rows)
    problems.extend(lacking)
    if good:
        header.check()


def _needed_keys(first: Sequence[Mapping[str, Any]], columns: ScoreColumns) -> dict[str, str]:
    """By our name, the keys that each object must have.

    Args:
        first: the first row, if there is one.
        columns: what the columns of the table mean.
    """
    column_by_role = columns.columns
    roles = ["topic"]
    if "summarizer" in column_by_role:
        roles.append("summarizer")
    ours = {columns.our_name(key) for row in first for key in row}
    if not ours.isdisjoint(LONG_FIELDS):
        roles += LONG_FIELDS
    return {role: column_by_role.get(role, role) for role in roles}


def _has_keys(row: Mapping[str, Any], line: int, needed: Mapping[str, str], at: Place) -> bool:
    """Whether an object has the keys of a score; each that it lacks, or that has several values, is an error.

    Args:
        row: the object.
        line: where it is.
        needed: by our name, the keys.
        at: the file.
    """
    is_whole = True
    for role, key in needed.items():
        if key not in row:
            at.at(line).error("no such key", f"the {role}", "Add the missing key.", field=key)
            is_whole = False
        elif isinstance(row[key], _NESTED):
            at.at(line).error(shorten(row[key]), f"the {role}", "Correct the value.", field=key)
            is_whole = False
    return is_whole


def _as_text(cell: Any) -> str | None:
    """A value of JSON as a cell of CSV."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Decimal):
        return str(cell)
    # True and false of a judge are 1 and 0.
    return str(float(cell)) if isinstance(cell, bool) else shorten(cell, 400)
