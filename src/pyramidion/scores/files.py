"""Score tables on disk: Parquet with signatures in the metadata, CSV and JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from pyramidion.campaign.lines import atomic_writer
from pyramidion.errors import InputError, UsageError
from pyramidion.scores.table import COLUMNS, ScoreTable

METADATA = "pyramidion"


def write_scores(table: ScoreTable, path: Path) -> None:
    """Write the table in the format of the file's ending (.parquet, .csv, .jsonl), whole or not at all."""
    writers = {".parquet": _write_parquet, ".csv": _write_csv, ".jsonl": _write_jsonl}
    try:
        write = writers[path.suffix]
    except KeyError:
        raise UsageError(f"{path}: scores are written as {', '.join(writers)}; choose one of these endings") from None
    write(table, path)


def read_scores(path: Path) -> ScoreTable:
    """Read a table that `write_scores` wrote; columns of a long table from elsewhere will do as well."""
    try:
        if path.suffix == ".parquet":
            frame = pl.read_parquet(path, glob=False)
            facts = _facts(pl.read_parquet_metadata(path).get(METADATA))
        elif path.suffix == ".jsonl":
            frame, facts = pl.read_ndjson(path, infer_schema_length=None), {}
        else:
            types = {name: pl.Float64 if name == "value" else pl.String for name in COLUMNS}
            frame, facts = pl.read_csv(path, schema_overrides=types), {}
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path}: found {error}; expected a score table. Check the file.") from None
    missing = [name for name in COLUMNS if name not in frame.columns and name != "signature"]
    if missing:
        raise InputError(f"{path}: found no column {', '.join(missing)}; expected {', '.join(COLUMNS)}.")
    if "signature" not in frame.columns:
        frame = frame.with_columns(signature=pl.lit(""))
    frame = frame.select([pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()])
    if not frame["value"].is_finite().fill_null(value=False).all():
        raise InputError(f"{path}: found a value that is not a finite number; leave such rows out.")
    kept = {name: facts.get(name, {}) for name in ("higher_is_better", "notes", "names")}
    table = ScoreTable(frame=frame, **kept)
    table.refuse_duplicates()
    return table


def _facts(raw: str | None) -> dict[str, Any]:
    facts = json.loads(raw) if raw else {}
    return facts if isinstance(facts, dict) else {}


def _write_parquet(table: ScoreTable, path: Path) -> None:
    facts = {
        "signatures": {measure: table.signatures(measure) for measure in table.measures},
        "higher_is_better": dict(table.higher_is_better),
        "notes": dict(table.notes),
        "names": dict(table.names),
    }
    with atomic_writer(path) as file:
        table.frame.write_parquet(file, metadata={METADATA: json.dumps(facts)})


def _write_csv(table: ScoreTable, path: Path) -> None:
    with atomic_writer(path) as file:
        table.to_polars().write_csv(file)


def _write_jsonl(table: ScoreTable, path: Path) -> None:
    with atomic_writer(path) as file:
        table.to_polars().with_columns(record=pl.lit("score")).select("record", *COLUMNS).write_ndjson(file)
