"""Reading score tables, our own and those of other programs: CSV, TSV, JSON lines or Parquet, by topic and summarizer.

Two shapes are read: long (topic, summarizer, measure, value) and wide (topic, summarizer, and a column for each
measure). An empty cell is a missing value, not a zero. A column `signature`, and what the metadata of a Parquet file
says about directions, notes and summarizers, stay with the values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from pyramidion.files.lines import read_csv, read_lines, read_text
from pyramidion.files.parquet import METADATA, PARQUET, read_metadata, read_pieces
from pyramidion.files.parquet import read_columns as read_parquet_columns
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.scores.table import COLUMNS, KEY, Kind, ScoreTable

IMPORTED = "imported."
"""What the names of columns from elsewhere start with in our own tables."""
TEXT = (".csv", ".tsv", ".tab")
JSON_LINES = (".jsonl", ".ndjson")
OF_SUMMARIES = frozenset({"summary", "text", "references", "documents", "judgments"})
"""Fields that only rows of summaries have."""
_SUMMARY = ("topic", "summarizer")
_LONG = ("measure", "value")
_ASIDE = ("signature", "note", "record")
"""Columns of a table of ours that are no measures."""
_MISSING = ("", "na", "n/a", "null", "none")


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What no column of a score table holds, as `ScoreTable` has it: the metadata of a Parquet file."""

    signatures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    higher_is_better: dict[str, bool] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    kinds: dict[str, Kind] = msgspec.field(default_factory=dict)
    unscored: dict[str, int] = msgspec.field(default_factory=dict)
    topic_count: int = 0


def read_scores(path: Path | str, problems: Problems | None = None) -> ScoreTable:
    """Read a score table, one that `write_scores` wrote or any other.

    Args:
        path: a .csv, .tsv, .jsonl or .parquet file, long or wide.
        problems: collects what is wrong with the file; then the table holds what could be read.

    Raises:
        CampaignError: with all problems at once, if the file has errors and `problems` is not given.
    """
    path = Path(path)
    noted = Problems() if problems is None else problems
    ending = path.suffix.lower()
    read = _read_parquet if ending == PARQUET else _read_json if ending in JSON_LINES else _read_text
    rows = read(path, noted)
    table = ScoreTable() if rows is None else _table(rows, noted.at(path))
    if ending == PARQUET:
        facts = msgspec.structs.asdict(_read_facts(path, noted.at(path)))
        del facts["signatures"]  # a column holds them
        table = replace(table, **(facts | {"notes": facts["notes"] or table.notes}))
    if problems is None:
        noted.refuse()
    return table


def holds_scores(path: Path) -> bool:
    """Whether a file is a score table rather than one of summaries: by its ending, its columns or its first line."""
    ending = path.suffix.lower()
    columns: set[str] = set()
    if ending == PARQUET:
        columns = set(read_parquet_columns(path))
    elif ending in JSON_LINES:
        columns = _first_columns(path)
    return ending in TEXT or (columns.issuperset(_SUMMARY) and columns.isdisjoint(OF_SUMMARIES))


def read_columns(paths: Iterable[Path | str], problems: Problems) -> dict[Path, ScoreTable]:
    """Several score tables that join one campaign, with names of columns as `imported.` finds them.

    The same (measure, topic, summarizer) in two files, or a measure with two directions, is an error.
    """
    tables: dict[Path, ScoreTable] = {}
    for path in dict.fromkeys(map(Path, paths)):
        table = read_scores(path, problems)
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
        columns = _without_prose({name: frame[name] for name in columns}, at)
        parts = [
            pl.DataFrame(keys | _numbers(frame[name])).with_columns(measure=pl.lit(name, dtype=pl.String))
            for name in columns
        ]
        cells = pl.concat(parts).sort("line", maintain_order=True)
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
    return frame[column].cast(pl.String, strict=False).fill_null("")


def _numbers(cells: pl.Series) -> dict[str, pl.Series]:
    """The number in each cell (null if there is none), which cells are missing, and what an error shows."""
    if cells.dtype.is_nested():
        cells = pl.Series([shorten(cell) for cell in cells.to_list()], dtype=pl.String)
    shown = cells.cast(pl.String, strict=False)
    text = shown.str.strip_chars()
    numeric = cells.dtype.is_numeric() or cells.dtype == pl.Boolean
    value = (cells if numeric else text).cast(pl.Float64, strict=False)
    return {"value": value, "missing": cells.is_null() | text.str.to_lowercase().is_in(_MISSING), "shown": shown}


def _without_prose(columns: dict[str, pl.Series], at: Place) -> list[str]:
    """The columns without those that hold no number at all, such as a judge's reasons."""
    prose = {}
    for name, cells in columns.items():
        numbers = _numbers(cells)
        words = numbers["shown"].filter(~numbers["missing"])
        if len(words) and numbers["value"].is_null().all():
            prose[name] = words[0]
    if len(prose) == len(columns):
        return list(columns)  # then it is no score table, and every cell is an error
    for name, words in prose.items():
        at.at(1).warning(f"a column of text, such as {shorten(words)}", "numbers", "It was left out.", field=name)
    return [name for name in columns if name not in prose]


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


def _read_parquet(path: Path, problems: Problems) -> _Rows | None:
    pieces = list(read_pieces(path, problems))
    if not pieces or not _is_header(pieces[0].columns, problems.at(path)):
        return None
    frame = pl.concat(pieces)
    nested = [name for name in (*_SUMMARY, "measure") if name in frame.columns and frame.schema[name].is_nested()]
    for name in nested:
        problems.at(path).error("lists or objects", "names", "Write each name as a string.", field=name)
    return None if nested else _Rows(range(1, frame.height + 1), frame)


def _read_text(path: Path, problems: Problems) -> _Rows | None:
    text = read_text(path, problems, windows_ends_are_fine=True)  # CR LF is the line end of CSV (RFC 4180)
    if text is None:
        return None
    at = problems.at(path)
    rows = read_csv(text, at, separator="," if path.suffix.lower() == ".csv" else "\t")
    header = [cell.strip() for _, cells in islice(rows, 1) for cell in cells]
    if not header and text.strip():
        return None  # the quotes of the first line don't match
    if not _is_header(header, at):
        return None
    lines: list[int] = []
    kept: list[list[str]] = []
    for line, cells in rows:
        if len(cells) == len(header):
            lines.append(line)
            kept.append(cells)
        else:
            expected = f"{len(header)} cells, as in the header"
            at.at(line).error(f"{len(cells)} cells", expected, "Quote cells that contain the separator.")
    return _Rows(lines, pl.DataFrame(kept, schema=dict.fromkeys(header, pl.String), orient="row"))


def _is_header(columns: Sequence[str], at: Place) -> bool:
    distinct = {*columns}
    good = distinct.issuperset(_SUMMARY) and len(distinct) == len(columns) and distinct - {*_SUMMARY, *_ASIDE} != set()
    if not good:
        at.at(1).error(
            f"the columns {', '.join(columns) or '(none)'}",
            "topic, summarizer, measure, value; or topic, summarizer and a column for each measure",
            "Name the columns like this, each once. Separate cells by commas in .csv, by tabs in .tsv.",
        )
    return good


def _read_json(path: Path, problems: Problems) -> _Rows | None:
    lines: list[int] = []
    rows: list[dict[str, Any]] = []
    needed: Sequence[str] = ()
    for number, line in read_lines(path, problems):
        at = problems.at(path, number)
        try:
            row = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            expected = "an object with topic, summarizer, measure and value"
            at.error(shorten(str(error)), expected, "Correct or remove the line.")
            continue
        needed = needed or (*_SUMMARY, *(_LONG if {*_LONG} & {*row} else ()))
        wrong = [key for key in needed if key not in row or isinstance(row[key], dict | list)]
        for key in wrong:
            found = shorten(row[key]) if key in row else "no such key"
            at.error(found, f"the {key}", "Correct the value." if key in row else "Add the missing key.", field=key)
        if not wrong:
            lines.append(number)
            rows.append(row)
    columns = dict.fromkeys(key for row in rows for key in row)
    cells = {column: [_as_text(row.get(column)) for row in rows] for column in columns}
    if rows and not _is_header(list(columns), problems.at(path)):
        return None
    return _Rows(lines, pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String))) if rows else None


def _as_text(cell: Any) -> str | None:
    """A value of JSON as a cell of CSV."""
    if cell is None or isinstance(cell, str):
        return cell
    return str(float(cell)) if isinstance(cell, bool) else shorten(cell, 400)


def _first_columns(path: Path) -> set[str]:
    """The keys of the first row of JSON lines, if one of them can be a score."""
    for _, line in read_lines(path, Problems()):
        try:
            first = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return set()
        others = [cell for key, cell in first.items() if key not in _SUMMARY]
        return set(first) if "value" in first or any(isinstance(cell, int | float) for cell in others) else set()
    return set()
