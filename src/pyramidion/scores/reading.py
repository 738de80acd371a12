"""Reading score tables, our own and those of other programs: CSV, TSV, JSON lines or Parquet, by topic and summarizer.

Two shapes are read: long (topic, summarizer, measure, value) and wide (topic, summarizer, and a column for each
measure). An empty cell is a missing value, not a zero. A column `signature`, and what the metadata of a Parquet file
says about directions, notes and summarizers, stay with the values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import polars as pl

from pyramidion.files.packed import stem_of
from pyramidion.files.parquet import METADATA, PARQUET, read_metadata
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.files.roles import (
    MISSING,
    are_integral,
    candidates,
    holds_numbers,
    holds_texts,
    is_index,
    keys_of,
    plain_name,
)
from pyramidion.files.rows import FROM_TEXT, SAMPLE_ROWS, columns_of, format_of, read_frames, read_rows, sample_rows
from pyramidion.scores.table import COLUMNS, KEY, Kind, ScoreTable

IMPORTED = "imported."
"""What the names of columns from elsewhere start with in our own tables."""
OF_SUMMARIES = frozenset({"summary", "text", "references", "documents", "judgments"})
"""Fields that only rows of summaries have."""
_SUMMARY = ("topic", "summarizer")
_LONG = ("measure", "value")
_LONG_ALIASES = {"measure": ("metric", "metricname", "measurename"), "value": ("score",)}
_ASIDE = ("signature", "note", "record")
"""Columns of a table of ours that are no measures."""


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What no column of a score table holds, as `ScoreTable` has it: the metadata of a Parquet file."""

    signatures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    higher_is_better: dict[str, bool] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    kinds: dict[str, Kind] = msgspec.field(default_factory=dict)
    unscored: dict[str, int] = msgspec.field(default_factory=dict)
    topic_count: int = 0


def read_scores(
    path: Path | str, problems: Problems | None = None, given: Mapping[str, str] | None = None
) -> ScoreTable:
    """Read a score table, one that `write_scores` wrote or any other.

    Args:
        path: a .csv, .tsv, .jsonl, .json or .parquet file, long or wide, also compressed.
        problems: collects what is wrong with the file; then the table holds what could be read.
        given: by role (topic, summarizer), the columns that the user names, if the file has them.

    Raises:
        CampaignError: with all problems at once, if the file has errors and `problems` is not given.
    """
    path = Path(path)
    noted = Problems() if problems is None else problems
    binary = format_of(path) in ("parquet", "arrow")
    rows = (_read_parquet if binary else _read_others)(path, noted, given or {})
    table = ScoreTable() if rows is None else _table(rows, noted.at(path))
    if path.suffix.lower() == PARQUET:
        facts = msgspec.structs.asdict(_read_facts(path, noted.at(path)))
        del facts["signatures"]  # a column holds them
        table = replace(table, **(facts | {"notes": facts["notes"] or table.notes}))
    if problems is None:
        noted.refuse()
    has_column = candidates("summarizer", columns_of(path)) or (given or {}).get("summarizer")
    return table if has_column else replace(table, unnamed=stem_of(path))


def holds_scores(path: Path, given: Mapping[str, str] | None = None) -> bool:
    """Whether a file is a score table rather than one of summaries: by its columns and its first rows.

    Args:
        path: the file.
        given: by role, the columns that the user names.
    """
    format = format_of(path)
    if format is None or "summary" in (given or {}):
        return False
    columns, sample = columns_of(path), sample_rows(path)
    if any(holds_texts(sample, name) for name in candidates("summary", columns)):
        return False
    own = {*columns}
    if format not in FROM_TEXT and not own.isdisjoint(OF_SUMMARIES):
        return False
    if format == "parquet" and own.issuperset(_SUMMARY):
        return True
    keys = {*candidates("topic", columns)[:1], *candidates("summarizer", columns)[:1]}
    numbers = [name for name in columns if name not in keys and not is_index(name) and holds_numbers(sample, name)]
    if format in FROM_TEXT:
        return bool(numbers) or not sample or own.issuperset(_SUMMARY)
    return bool(candidates("topic", columns)) and (bool(numbers) or "value" in columns)


def read_columns(
    paths: Iterable[Path | str], problems: Problems, given: Mapping[str, str] | None = None
) -> dict[Path, ScoreTable]:
    """Several score tables that join one campaign, with names of columns as `imported.` finds them.

    The same (measure, topic, summarizer) in two files, or a measure with two directions, is an error.
    """
    tables: dict[Path, ScoreTable] = {}
    for path in dict.fromkeys(map(Path, paths)):
        table = read_scores(path, problems, given)
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
            "Rename the measure, or remove its values from one of the two.",
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


class _Rows(NamedTuple):
    """The cells of a file by column, and the line of each row."""

    lines: Sequence[int]
    frame: pl.DataFrame


def _table(rows: _Rows, at: Place) -> ScoreTable:
    """The cells as scores; whatever is wrong with them is noted and left out."""
    frame = rows.frame
    long = frame.columns if set(_LONG) <= set(frame.columns) else []
    keys = {"line": pl.Series(rows.lines, dtype=pl.Int64)} | {name: _names(frame, name) for name in _SUMMARY}
    keys["signature"] = _names(frame, "signature")
    if long:
        cells = pl.DataFrame(keys | {"measure": _names(frame, "measure"), **_numbers(frame["value"])})
    else:
        columns = [name for name in frame.columns if name not in (*_SUMMARY, *_ASIDE)]
        cells = _without_prose(_long(frame.select(columns), keys), at)
    cells = _with_unique_keys(_with_values(_with_names(cells.filter(~pl.col("missing")), at), at), at)
    table = ScoreTable(frame=cells.select(pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()))
    if not long or "note" not in long:
        return table
    noted = pl.DataFrame({name: _names(frame, name) for name in ("measure", "note")}).unique(maintain_order=True)
    return replace(table, notes={measure: note for measure, note in noted.iter_rows() if measure and note})


def _names(frame: pl.DataFrame, column: str) -> pl.Series:
    """A column of names, "" where there is none; numbers serve as names."""
    if column not in frame.columns:
        return pl.repeat("", frame.height, dtype=pl.String, eager=True)
    cells = frame[column]
    if column in _SUMMARY and cells.dtype.is_float() and (cells.drop_nulls() % 1 == 0).all():
        cells = cells.cast(pl.Int64, strict=False)  # whole numbers of a data frame with holes
    named = cells.cast(pl.String, strict=False).fill_null("")
    if column in _SUMMARY and are_integral(named.filter(named != "").to_list()):
        named = named.str.strip_chars().str.replace(r"\.0+$", "")
    return named


def _numbers(cells: pl.Series) -> dict[str, pl.Series]:
    """The number in each cell (null if there is none), which cells are missing, and what an error shows."""
    if cells.dtype.is_nested():
        cells = pl.Series([shorten(cell) for cell in cells.to_list()], dtype=pl.String)
    shown = cells.cast(pl.String, strict=False)
    text = shown.str.strip_chars()
    numeric = cells.dtype.is_numeric() or cells.dtype == pl.Boolean
    value = (cells if numeric else text).cast(pl.Float64, strict=False)
    return {"value": value, "missing": cells.is_null() | text.str.to_lowercase().is_in(sorted(MISSING)), "shown": shown}


def _long(wide: pl.DataFrame, keys: Mapping[str, pl.Series]) -> pl.DataFrame:
    """A row for each cell, line by line: the keys of its line, its column as measure, and its number.

    All columns of a kind are turned at once: a table may have thousands of them.
    """
    places = {name: place for place, name in enumerate(wide.columns)}
    kinds: dict[pl.DataType, list[str]] = {}
    for name, kind in wide.schema.items():
        kinds.setdefault(kind, []).append(name)
    parts = []
    for names in kinds.values():
        turned = wide.select(names).unpivot(on=names, variable_name="measure", value_name="cell")
        rows = np.tile(np.arange(wide.height, dtype=np.uint32), len(names))
        repeated = {key: values.gather(rows) for key, values in keys.items()}
        place = np.repeat([places[name] for name in names], wide.height)
        parts.append(
            pl.DataFrame(repeated | {"measure": turned["measure"], **_numbers(turned["cell"])} | {"place": place})
        )
    return pl.concat(parts).sort("line", "place", maintain_order=True)


def _without_prose(cells: pl.DataFrame, at: Place) -> pl.DataFrame:
    """The cells without those of columns that hold no number at all, such as a judge's reasons."""
    there = pl.col("shown").filter(~pl.col("missing"))
    columns = cells.group_by("place", "measure", maintain_order=True).agg(
        words=there.first(), prose=(there.len() > 0) & pl.col("value").is_null().all()
    )
    prose = columns.filter("prose").sort("place")
    if prose.height == columns.height:
        return cells  # then it is no score table, and every cell is an error
    for name, words in prose.select("measure", "words").iter_rows():
        at.at(1).warning(f"a column of text, such as {shorten(words)}", "numbers", "It was left out.", field=name)
    return cells.filter(~pl.col("measure").is_in(prose["measure"].to_list()))


def _with_names(cells: pl.DataFrame, at: Place) -> pl.DataFrame:
    for row in cells.filter(pl.any_horizontal(pl.col(KEY) == "")).iter_rows(named=True):
        key = next(name for name in KEY if not row[name])
        at.at(row["line"]).error("nothing", f"the {key}", "Fill in the cell or remove the row.", field=key)
    return cells.filter(pl.all_horizontal(pl.col(KEY) != ""))


def _with_values(cells: pl.DataFrame, at: Place) -> pl.DataFrame:
    good = pl.col("value").is_finite().fill_null(value=False)
    for line, measure, shown in cells.filter(~good).select("line", "measure", "shown").iter_rows():
        remedy = "Leave the cell empty when there is no value."
        at.at(line).error(shorten(shown), "a finite number", remedy, field=measure)
    return cells.filter(good)


def _with_unique_keys(cells: pl.DataFrame, at: Place) -> pl.DataFrame:
    new = cells.select(pl.struct(KEY).is_first_distinct()).to_series()
    if not new.all():
        first = cells.filter(new).select(*KEY, first="line")
        again = cells.filter(~new).join(first, on=KEY, maintain_order="left")
        for *key, line, before in again.select(*KEY, "line", "first").iter_rows():
            at.at(line).error(
                f"the key {tuple(key)!r} again (first on line {before})",
                f"each ({', '.join(KEY)}) once",
                "Remove one of the two rows.",
                field=", ".join(KEY),
            )
    return cells.filter(new)


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


def _read_parquet(path: Path, problems: Problems, given: Mapping[str, str]) -> _Rows | None:
    pieces = list(read_frames(path, problems))
    if not pieces:
        return None
    frame = pl.concat(pieces)
    called = _called(frame.columns, frame.head(SAMPLE_ROWS).to_dicts(), given)
    frame = _with_summarizer(_renamed(frame, called), path, problems)
    if not _is_header(frame.columns, problems.at(path)):
        return None
    nested = [name for name in (*_SUMMARY, "measure") if name in frame.columns and frame.schema[name].is_nested()]
    for name in nested:
        problems.at(path).error("lists or objects", "names", "Write each name as a string.", field=name)
    return None if nested else _Rows(range(1, frame.height + 1), frame)


def _read_others(path: Path, problems: Problems, given: Mapping[str, str]) -> _Rows | None:
    """The rows of a text table, or of JSON."""
    at = problems.at(path)
    before = problems.errors
    text = format_of(path) not in ("json", "jsonl")
    lines: list[int] = []
    rows: list[dict[str, Any]] = []
    for number, raw in read_rows(path, problems):
        row = _object(raw, at.at(number)) if isinstance(raw, bytes) else raw
        if row is not None:
            lines.append(number)
            rows.append(row)
    columns = columns_of(path) if text else keys_of(rows)
    if not columns and (problems.errors > before or not text):
        return None
    called = _called(columns, rows[:SAMPLE_ROWS], given)
    if not text:
        needed = _needed(rows[:1], called)
        good = [_has(row, needed, at.at(line)) for line, row in zip(lines, rows, strict=True)]
        lines = [line for line, kept in zip(lines, good, strict=True) if kept]
        rows = [row for row, kept in zip(rows, good, strict=True) if kept]
        if not rows:
            return None
        columns = keys_of(rows)
    cells = {column: [_as_text(row.get(column)) for row in rows] for column in columns}
    frame = _renamed(pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String)), called)
    frame = _with_summarizer(frame, path, problems)
    return _Rows(lines, frame) if _is_header(frame.columns, at) else None


def _object(line: bytes, at: Place) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        expected = "an object with topic, summarizer, measure and value"
        at.error(shorten(str(error)), expected, "Correct or remove the line.")
        return None


def _called(columns: Sequence[str], sample: Sequence[Mapping[str, Any]], given: Mapping[str, str]) -> dict[str, str]:
    """Our names of the columns that other people call differently; "" for those that only number the rows."""
    found: dict[str, str] = {}
    for role in ("topic", "summarizer"):
        named = given.get(role, "")
        fitting = (
            [named] if named and named in columns else [name for name in candidates(role, columns) if name not in found]
        )
        if fitting:
            found[fitting[0]] = role
    for role, aliases in _LONG_ALIASES.items():
        fitting = [name for name in columns if plain_name(name) in aliases and name not in found]
        if role in columns:
            fitting = [role]
        if fitting:
            found[fitting[0]] = role
    long = {ours: theirs for theirs, ours in found.items() if ours in _LONG}
    if len(long) < len(_LONG) or not (holds_texts(sample, long["measure"]) or not sample):
        found = {theirs: ours for theirs, ours in found.items() if ours not in _LONG or theirs == ours}
    if "topic" not in found.values():  # better than nothing, if it is not a mere number of the row
        found |= dict.fromkeys([name for name in columns if plain_name(name) in ("index", "idx")][:1], "topic")
    numbering = {name: "" for name in columns if is_index(name) and name not in found}
    return {**found, **numbering}


def _renamed(frame: pl.DataFrame, called: Mapping[str, str]) -> pl.DataFrame:
    kept = [name for name in frame.columns if called.get(name, name) or name in _SUMMARY]
    return frame.select(kept).rename({name: called[name] for name in kept if name in called}, strict=False)


def _with_summarizer(frame: pl.DataFrame, path: Path, problems: Problems) -> pl.DataFrame:
    """The table; without a column of summarizers, all of it is of one that is called like the file."""
    if "summarizer" in frame.columns or "topic" not in frame.columns or len(frame.columns) < 2:
        return frame
    name = stem_of(path)
    problems.remark(f"{path.name}: no column of summarizers; the scores go by the name of the file, {name!r}")
    return frame.with_columns(summarizer=pl.lit(name, dtype=pl.String))


def _needed(first: Sequence[Mapping[str, Any]], called: Mapping[str, str]) -> dict[str, str]:
    """By our name, the keys that each object must have."""
    ours = {role: theirs for theirs, role in called.items() if role}
    held = {called.get(key, key) for row in first for key in row}
    needed = ["topic", *(["summarizer"] if "summarizer" in ours else []), *(_LONG if {*_LONG} & held else ())]
    return {role: ours.get(role, role) for role in needed}


def _has(row: Mapping[str, Any], needed: Mapping[str, str], at: Place) -> bool:
    """Whether an object has the keys of a score."""
    wrong = [(role, key) for role, key in needed.items() if key not in row or isinstance(row[key], dict | list)]
    for role, key in wrong:
        found = shorten(row[key]) if key in row else "no such key"
        at.error(found, f"the {role}", "Correct the value." if key in row else "Add the missing key.", field=key)
    return not wrong


def _is_header(columns: Sequence[str], at: Place) -> bool:
    distinct = {*columns}
    good = distinct.issuperset(_SUMMARY) and len(distinct) == len(columns) and distinct - {*_SUMMARY, *_ASIDE} != set()
    if not good:
        at.at(1).error(
            f"the columns {', '.join(columns) or '(none)'}",
            "topic, summarizer, measure, value; or topic, summarizer and a column for each measure",
            "Name the columns like this, each once, or say which they are: --columns topic=NAME,summarizer=NAME.",
        )
    return good


def _as_text(cell: Any) -> str | None:
    """A value of JSON as a cell of CSV."""
    if cell is None or isinstance(cell, str):
        return cell
    return str(float(cell)) if isinstance(cell, bool) else shorten(cell, 400)
