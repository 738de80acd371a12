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
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from pyramidion.files.opening import stem_of
from pyramidion.files.parquet import METADATA, PARQUET, PIECE_BYTES, by_bytes, exactly, read_metadata
from pyramidion.files.problems import Place, Problems, refusal_of, shorten
from pyramidion.intake.looks import IN_MEMORY, Looks, to_type
from pyramidion.intake.repeats import remedy_of_repeats
from pyramidion.intake.roles import (
    TOGETHER,
    Role,
    candidates,
    check_roles,
    holds_texts,
    is_bookkeeping,
    is_index,
    is_odd_id,
    keys_of,
    may_be_systems,
    names_systems,
    note_odd_id,
    plain_name,
)
from pyramidion.intake.rows import (
    FROM_TEXT,
    SAMPLE_ROWS,
    RowFormat,
    columns_of,
    format_of,
    read_frames,
    read_objects,
    sample_rows,
)
from pyramidion.scores.gathering import ASIDE, LONG, RUN, SUMMARY, Gathered, batch_rows
from pyramidion.scores.table import KEY, Kind, ScoreTable
from pyramidion.wording import listed

IMPORTED = "imported."
"""What the names of columns from elsewhere start with in our own tables."""
OF_SUMMARIES = frozenset({"summary", "text", "references", "documents", "judgments"})
"""Fields that only rows of summaries have."""
_ROLES: Mapping[Role, str] = {"topic": "topic", "summarizer": "summarizer", "measure": "measure", "score": "value"}
"""By role, what we call its column."""
OF_SYSTEMS = "score"
"""What the values are called where each column is a system."""
MEASURES = 8
"""Measures that a line about a file names."""
_NESTED = (dict, list)
_OBJECT = "an object with topic, summarizer, measure and value"
_Numbered = tuple[int, Mapping[str, Any]]
"""A row and its line."""


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What no column of a score table holds, as `ScoreTable` has it: the metadata of a Parquet file."""

    signatures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    higher_is_better: dict[str, bool | None] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    kinds: dict[str, Kind] = msgspec.field(default_factory=dict)
    unscored: dict[str, int] = msgspec.field(default_factory=dict)
    topic_count: int = 0


def read_scores(
    path: Path | str,
    problems: Problems | None = None,
    given: Mapping[str, str] | None = None,
    *,
    bookkeeping: bool = True,
) -> ScoreTable:
    """Read a score table, one that `write_scores` wrote or any other.

    Args:
        path: a .csv, .tsv, .jsonl, .json or .parquet file, long or wide, also compressed.
        problems: collects what is wrong with the file; then the table holds what could be read.
        given: by role (topic, summarizer, measure, value, run, scores), the columns that the user names, if the file
            has them.
        bookkeeping: whether latencies, lengths and the like are scores even next to other columns of a wide table.

    Raises:
        CampaignError: with all problems at once, if the file has errors and `problems` is not given.
    """
    check_roles(given or {})
    path = Path(path)
    noted = Problems() if problems is None else problems
    read = {"parquet": _read_frames, "arrow": _read_frames, "json": _read_json, "jsonl": _read_json}
    columns, sample = columns_of(path), sample_rows(path)
    call = partial(_called, given=given or {}, bookkeeping=bookkeeping)
    called = call(columns, sample)
    systems = _system_columns(given or {}, columns)
    if _asks_for_systems(columns, sample, called, given or {}, noted.at(path)):
        if problems is None:
            noted.refuse()
        return ScoreTable()
    gathered = Gathered(noted.at(path), partial(_remedy_of_repeats, columns, sample, called, path))
    _remark_on_systems(called, systems, columns, stem_of(path), noted.at(path))
    for lines, frame in read.get(format_of(path) or "", _read_text)(path, noted, call):
        gathered.add(*_by_system(lines, frame, systems))
    table = gathered.table()
    if path.suffix.lower() == PARQUET:
        facts = msgspec.structs.asdict(_read_facts(path, noted.at(path)))
        del facts["signatures"]  # a column holds them
        table = replace(table, **(facts | {"notes": facts["notes"] or table.notes}))
    if problems is None:
        noted.refuse()
    if understood := _understood(called, table):
        noted.remark(f"{path.name}: {understood}")
    return table if systems or "summarizer" in called.values() else replace(table, unnamed=stem_of(path))


def scores_of_rows(
    rows: Sequence[Mapping[str, Any]], problems: Problems, given: Mapping[str, str] | None = None
) -> ScoreTable:
    """The scores in rows that are dictionaries, such as those of a data frame; without a name, of one `system`."""
    check_roles(given or {})
    path, sample = Path(IN_MEMORY), rows[:SAMPLE_ROWS]
    columns = keys_of(rows)
    called = _called(columns, sample, given or {}, bookkeeping=False)
    header = _Header(problems.at(path), columns, called, named="system")
    systems = _system_columns(given or {}, columns)
    if _asks_for_systems(columns, sample, called, given or {}, header.at):
        return ScoreTable()
    gathered = Gathered(header.at, partial(_remedy_of_repeats, columns, sample, header.called, path))
    _remark_on_systems(called, systems, columns, header.named, header.at)
    for lines, frame in header.batches(iter(enumerate(rows, start=1))):
        gathered.add(*_by_system(lines, frame, systems))
    header.check()
    table = gathered.table()
    if understood := _understood(header.called, table):
        problems.remark(f"{path.name}: {understood}")
    is_named = systems or "summarizer" in header.called.values()
    return table if is_named else replace(table, unnamed=header.named)


def _system_columns(given: Mapping[str, str], columns: Sequence[str]) -> list[str]:
    """The columns that the user names as systems, if these are several: each holds the scores of one system."""
    names = given.get("summarizer", "")
    several = [] if names in columns else [name for name in names.split(TOGETHER) if name in columns]
    return several if len(several) > 1 else []


def _asks_for_systems(
    columns: Sequence[str],
    sample: Sequence[Mapping[str, Any]],
    called: Mapping[str, str],
    given: Mapping[str, str],
    at: Place,
) -> bool:
    """Whether it is not clear if the columns of numbers are systems or measures: then one error asks.

    Without a column of systems, `gpt4, llama, bart` are probably systems, and `rouge1, fluency` are measures of one.

    Args:
        columns: of the table.
        sample: its first rows.
        called: our names of the columns.
        given: by role, the columns that the user names.
        at: the file.
    """
    roles = {*called.values()}
    if "scores" in given or "summarizer" in roles or "topic" not in roles or {*LONG} <= roles:
        return False
    if _system_columns(given, columns):
        return False
    looks = Looks(columns, sample)
    numbers = [name for name in looks.numbers if name not in called and name not in ASIDE]
    if len(numbers) < 2 or not may_be_systems(numbers):
        return False
    topic = next(name for name, ours in called.items() if ours == "topic")
    if any(len(rows) > 1 for rows in looks.groups([topic])):
        return False  # a sheet with a column per system has each topic once
    at.at(1).error(
        f"the columns {looks.described()}",
        "a column of systems, or columns of numbers whose names say what was measured",
        f"If each column of numbers is a system: {to_type({'summarizer': numbers}, at.file)}. "
        f"If each is a measure of one system: {to_type({'scores': numbers}, at.file)}.",
    )
    return True


def _remark_on_systems(
    called: Mapping[str, str], systems: Sequence[str], columns: Sequence[str], name: str, at: Place
) -> None:
    """Remark that each column is a system, or that all scores are of one system, if no column says whose they are."""
    path = Path(at.file)
    if systems:
        at.problems.remark(f"{path.name}: a table of scores; a system per column: {', '.join(systems)}")
        return
    roles = {*called.values()}
    used = [column for column in columns if called.get(column, column)]
    if "summarizer" in roles or "topic" not in roles or len(used) < 2:
        return
    of_file = "named after the file: " if path.name != IN_MEMORY else ""
    at.problems.remark(f"{path.name}: no column of systems: all scores belong to one system, {of_file}{name!r}")


def _by_system(lines: Sequence[int], frame: pl.DataFrame, systems: Sequence[str]) -> _Batch:
    """The rows of a table with a column of scores for each system: one for each system; others as they are."""
    if not systems:
        return lines, frame
    kept = frame.select(name for name in frame.columns if name == "topic" or name in ASIDE)
    parts = [kept.with_columns(frame[name].alias(OF_SYSTEMS), summarizer=pl.lit(name)) for name in systems]
    return list(lines) * len(parts), pl.concat(parts, how="vertical_relaxed")


def _understood(called: Mapping[str, str], table: ScoreTable) -> str:
    """Which column is what, and the measures; nothing if the columns have our own names and all are used."""
    roles = {ours: theirs for theirs, ours in called.items() if ours}
    unused = [theirs for theirs, ours in called.items() if not ours and not is_index(theirs)]
    if not table.measures or not (unused or any(ours != theirs or ours == RUN for ours, theirs in roles.items())):
        return ""
    parts = [f"{ours} = {theirs}" for ours, theirs in roles.items()]
    means = sorted({note for note in table.notes.values() if "runs" in note}) if RUN in roles else []
    held = [f"measures: {listed(table.measures, most=MEASURES)}"]
    held += [f"not used: {listed(unused, most=MEASURES)}"] if unused else []
    return "; ".join(["a table of scores", *parts, *means, *held])


def _remedy_of_repeats(
    columns: Sequence[str], sample: Sequence[Mapping[str, Any]], called: Mapping[str, str], path: Path
) -> str:
    roles = {ours: theirs for theirs, ours in called.items() if ours}
    other = [roles[role] for role in ("measure", RUN) if role in roles]
    values = {roles["value"]} if "value" in roles else {name for name in columns if name not in (*called, *ASIDE)}
    looks = Looks([name for name in columns if values != {name}], sample)  # the only scores are no runs
    topic, summarizer = roles.get("topic"), roles.get("summarizer")
    return remedy_of_repeats(looks, path, topic=topic, summarizer=summarizer, other=other, runs=RUN not in roles)


def holds_scores(path: Path, given: Mapping[str, str] | None = None) -> bool:
    """Whether a file is a score table rather than one of summaries: by its columns and its first rows.

    It is not if a column may hold summaries: texts, which are no comments, under a name that says nothing else.

    Args:
        path: the file.
        given: by role, the columns that the user names.
    """
    format = format_of(path)
    return format is not None and are_scores(columns_of(path), sample_rows(path), given, format=format)


def are_scores(
    columns: Sequence[str],
    sample: Sequence[Mapping[str, Any]],
    given: Mapping[str, str] | None = None,
    *,
    format: RowFormat | None = None,
) -> bool:
    """The same of rows.

    Args:
        columns: their keys.
        sample: the first of them.
        given: by role, the columns that the user names.
        format: of the file; None for rows in memory.
    """
    given = given or {}
    if "summary" in given or any(holds_texts(sample, name) for name in candidates("summary", columns)):
        return False
    if format not in FROM_TEXT and not OF_SUMMARIES.isdisjoint(columns):
        return False
    if "scores" in given or {*LONG} <= {*_called(columns, sample, given).values()}:
        return True
    looks = Looks(columns, sample)
    if looks.unknown or (looks.prose and not looks.scores):
        return False  # these are texts to score, or nobody knows: whoever reads summaries asks which column is which
    if format in (*FROM_TEXT, "parquet") and {*columns}.issuperset(SUMMARY):
        return "signature" in columns or not looks.only_bookkeeping
    if format in FROM_TEXT:
        return bool(looks.scores) or not sample
    return bool(candidates("topic", columns)) and (bool(looks.scores) or "value" in columns)


def tables_in(folder: Path, problems: Problems) -> list[Path]:
    """The score tables in a campaign's folder of them, by name; what is there but can't be listed is an error."""
    if not os.path.lexists(folder):
        return []
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        found, remedy = _refused_folder(folder, error)
        problems.at(folder).error(found, "a folder with score tables", remedy)
        return []
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
    given: Mapping[str, str] | None = None,
    *,
    bookkeeping: bool = True,
) -> dict[Path, ScoreTable]:
    """Several score tables that join one campaign, with names of columns as `imported.` finds them.

    The same (measure, topic, summarizer) in two files, or a measure with two directions, is an error.
    """
    tables: dict[Path, ScoreTable] = {}
    for path in dict.fromkeys(map(Path, paths)):
        table = read_scores(path, problems, given, bookkeeping=bookkeeping)
        bare = {name: _bare(name) for name in table.measures}
        table = table.renamed({name: short for name, short in bare.items() if short not in bare})
        for other, held in tables.items():
            table = without_conflicts(table, held, str(other), problems.at(path))
        tables[path] = table
    return tables


def without_conflicts(table: ScoreTable, held: ScoreTable, holder: str, at: Place) -> ScoreTable:
    """The scores that `held` does not have already; the others, and another direction of a measure, are errors."""
    again = table.within(held)
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
        if measure in held.measures and table.is_higher_better(measure) != held.is_higher_better(measure):
            at.error(
                f"another direction for {measure!r} than in {holder}",
                "one direction for each measure",
                "Correct the metadata of one table, or rename its measure.",
                field="higher_is_better",
            )
    return table.without(held)


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


_Batch = tuple[Sequence[int], pl.DataFrame]
"""Rows by column, under our names of the columns, and the line of each row."""
_Call = Callable[[Sequence[str], Sequence[Mapping[str, Any]]], Mapping[str, str]]
"""(columns, first rows) → our names of the columns."""


@dataclass(frozen=True)
class _Header:
    """The columns of a file, and what we call them."""

    at: Place
    columns: Sequence[str]
    called: Mapping[str, str]
    """Our names of columns that the file calls differently; "" for those that are not used."""
    named: str
    """The summarizer, if no column has one."""

    def renamed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows under our names; without a column of summarizers, all are of one system, `named`."""
        kept = [name for name in frame.columns if self.called.get(name, name) or name in SUMMARY]
        ours = frame.select(exactly(*kept)).rename({name: self.called[name] for name in kept if name in self.called})
        if "summarizer" in ours.columns or "topic" not in ours.columns or len(kept) < 2:
            return ours
        return ours.with_columns(summarizer=pl.lit(self.named, dtype=pl.String))

    @cached_property
    def ours(self) -> list[str]:
        """The columns under our names."""
        return self.renamed(pl.DataFrame(schema=dict.fromkeys(self.columns, pl.String))).columns

    @property
    def is_sound(self) -> bool:
        """Whether these are the columns of a score table."""
        distinct = {*self.ours}
        is_whole = distinct.issuperset(SUMMARY) and distinct - {*SUMMARY, *ASIDE} != set()
        return is_whole and len(distinct) == len(self.ours)

    def check(self) -> None:
        """Columns that are not those of a score table are an error."""
        if not self.is_sound:
            self.at.at(1).error(
                f"the columns {', '.join(self.ours) or '(none)'}",
                "topic, summarizer, measure, value; or topic, summarizer and a column for each measure",
                "Name the columns like this, each once, or say which they are: --columns topic=NAME,summarizer=NAME.",
            )

    def batches(self, rows: Iterator[_Numbered]) -> Iterator[_Batch]:
        """The rows, some at a time; none if these are not the columns of a score table, but all rows are read."""
        schema = dict.fromkeys(self.columns, pl.String)
        rows = (row for row in rows if self._has_ids(*row))
        while batch := _batch(rows, batch_rows(len(self.columns))):
            if self.is_sound:
                cells = {column: [_as_text(row.get(column)) for _, row in batch] for column in self.columns}
                yield [line for line, _ in batch], self.renamed(pl.DataFrame(cells, schema=schema))

    def _has_ids(self, line: int, row: Mapping[str, Any]) -> bool:
        """Whether the ids of a row are none that can be no ids; others are errors."""
        odd = [name for name in row if self.called.get(name, name) in SUMMARY and is_odd_id(row[name])]
        for name in odd:
            note_odd_id(self.at.at(line), name, self.called.get(name, name), row[name])
        return not odd


def _batch(rows: Iterator[_Numbered], most: int) -> list[_Numbered]:
    """The next rows: so many, or as many as have `PIECE_BYTES` characters together."""
    batch: list[_Numbered] = []
    size = 0
    for line, row in rows:
        batch.append((line, row))
        size += sum(len(cell) for cell in row.values() if isinstance(cell, str))
        if len(batch) == most or size >= PIECE_BYTES:
            break
    return batch


def _read_frames(path: Path, problems: Problems, call: _Call) -> Iterator[_Batch]:
    pieces = read_frames(path, problems)
    first = next(pieces, None)
    if first is None:
        return
    called = call(first.columns, first.head(SAMPLE_ROWS).to_dicts())
    header = _Header(problems.at(path), first.columns, called, stem_of(path))
    schema = header.renamed(first.clear()).schema
    nested = [name for name in (*SUMMARY, "measure") if name in schema and schema[name].is_nested()]
    start = 1
    for piece in chain([first], pieces):
        # Equal texts share memory in the file, but not once they have been looked at.
        for part in by_bytes(piece, PIECE_BYTES) if header.is_sound and not nested else ():
            yield range(start, start + part.height), header.renamed(part)
            start += part.height
    header.check()
    for name in nested if header.is_sound else ():
        header.at.error("lists or objects", "names", "Write each name as a string.", field=name)


def _read_text(path: Path, problems: Problems, call: _Call) -> Iterator[_Batch]:
    before = problems.errors
    columns = columns_of(path)
    header = _Header(problems.at(path), columns, call(columns, sample_rows(path)), stem_of(path))
    yield from header.batches(read_objects(path, problems, _OBJECT))
    if columns or problems.errors == before:
        header.check()


def _read_json(path: Path, problems: Problems, call: _Call) -> Iterator[_Batch]:
    """Read twice, because only all rows tell which columns there are."""
    shapes: dict[tuple[tuple[str, bool], ...], None] = {}  # keys, each with whether it has more than one value
    sample: list[Mapping[str, Any]] = []
    for _, row in read_objects(path, Problems(), _OBJECT):
        shapes[tuple((key, isinstance(value, _NESTED)) for key, value in row.items())] = None
        if len(sample) < SAMPLE_ROWS:
            sample.append(row)
    called = call(keys_of(map(dict, shapes)), sample)
    needed = _needed(sample[:1], called)
    good = [dict(shape) for shape in shapes if {*shape}.issuperset((key, False) for key in needed.values())]
    header = _Header(problems.at(path), keys_of(good), called, stem_of(path))
    lacking = Problems()
    at = lacking.at(path)
    rows = ((line, row) for line, row in read_objects(path, problems, _OBJECT) if _has(row, line, needed, at))
    yield from header.batches(rows)
    problems.extend(lacking)
    if good:
        header.check()


def _called(
    columns: Sequence[str], sample: Sequence[Mapping[str, Any]], given: Mapping[str, str], *, bookkeeping: bool = True
) -> dict[str, str]:
    """Our names of columns, by the names that they have; "" for those that are not used.

    Not used are columns that only number the rows; without `bookkeeping`, latencies, lengths and the like, if a wide
    table of another program has anything else; and all others if the user says which ones are scores.
    """
    found: dict[str, str] = {}
    for role, ours in _ROLES.items():
        if ours == "summarizer" and _system_columns(given, columns):
            continue
        named = [given[ours]] if given.get(ours) in columns else candidates(role, columns)
        found |= dict.fromkeys([name for name in named if name not in found][:1], ours)
    long = {ours: theirs for theirs, ours in found.items() if ours in LONG}
    if len(long) < len(LONG) or not (holds_texts(sample, long["measure"]) or not sample):
        found = {theirs: ours for theirs, ours in found.items() if ours not in LONG or theirs == ours}
    runs = (
        [given[RUN]]
        if given.get(RUN) in columns
        else [name for name in candidates("run", columns) if name not in found]
    )
    if runs and "summarizer" not in found.values() and names_systems(runs[0]) and holds_texts(sample, runs[0]):
        found[runs[0]] = "summarizer"  # as in TREC, where a run is a system
    else:
        found |= dict.fromkeys(runs[:1], RUN)
    if "topic" not in found.values():  # better than nothing, if it is not a mere number of the row
        found |= dict.fromkeys([name for name in columns if plain_name(name) in ("index", "idx")][:1], "topic")
    named = [name for name in given.get("scores", "").split(TOGETHER) if name and name in columns]
    free = [name for name in columns if name not in (*found, *ASIDE)]
    unused = {name for name in free if is_index(name) or (named and name not in named)}
    if not (bookkeeping or named) and "signature" not in columns and not {*LONG} <= {*found.values()}:
        kept = [name for name in free if name not in unused and not is_bookkeeping(name)]
        if not all(holds_texts(sample, name) for name in kept):
            unused.update(name for name in free if is_bookkeeping(name))
    return {**found, **{name: "" for name in free if name in unused}}


def _needed(first: Sequence[Mapping[str, Any]], called: Mapping[str, str]) -> dict[str, str]:
    """By our name, the keys that each object must have."""
    ours = {role: theirs for theirs, role in called.items() if role}
    held = {called.get(key, key) for row in first for key in row}
    needed = ["topic", *(["summarizer"] if "summarizer" in ours else []), *(LONG if {*LONG} & held else ())]
    return {role: ours.get(role, role) for role in needed}


def _has(row: Mapping[str, Any], line: int, needed: Mapping[str, str], at: Place) -> bool:
    """Whether an object has the keys of a score."""
    wrong = [(role, key) for role, key in needed.items() if key not in row or isinstance(row[key], _NESTED)]
    for role, key in wrong:
        found = shorten(row[key]) if key in row else "no such key"
        at.at(line).error(
            found, f"the {role}", "Correct the value." if key in row else "Add the missing key.", field=key
        )
    return not wrong


def _as_text(cell: Any) -> str | None:
    """A value of JSON as a cell of CSV."""
    if cell is None or isinstance(cell, str):
        return cell
    return str(float(cell)) if isinstance(cell, bool) else shorten(cell, 400)
