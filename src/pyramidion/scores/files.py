"""Score tables on disk: Parquet with signatures in the metadata, CSV and JSON lines."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from pyramidion.campaign import Problems
from pyramidion.campaign.problems import shorten
from pyramidion.campaign.score_facts import ScoreFacts, read_facts
from pyramidion.errors import InputError, UsageError
from pyramidion.files import atomic_writer
from pyramidion.scores.table import COLUMNS, KEY, ScoreTable


def write_scores(table: ScoreTable, path: Path | str) -> None:
    """Write the table in the format of the file's ending (.parquet, .csv, .jsonl), whole or not at all."""
    path = Path(path)
    writers = {".parquet": _write_parquet, ".csv": _write_csv, ".jsonl": _write_jsonl}
    try:
        write = writers[path.suffix]
    except KeyError:
        raise UsageError(f"{path}: scores are written as {', '.join(writers)}; choose one of these endings") from None
    write(table, path)


def read_scores(path: Path | str) -> ScoreTable:
    """Read a table that `write_scores` wrote; columns of a long table from elsewhere will do as well.

    Raises:
        InputError: if the file can't be read, is no score table, or has a key twice.
    """
    path = Path(path)
    problems = Problems()
    try:
        read = _read_frame(path)
        frame = _checked(read, path)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path}: found {shorten(str(error), 200)}; expected a score table. Check the file.") from None
    facts = read_facts(path, problems) if path.suffix == ".parquet" else ScoreFacts()
    problems.refuse()
    table = ScoreTable(
        frame=frame,
        higher_is_better=facts.higher_is_better,
        unscored=facts.unscored,
        notes=facts.notes or _notes_in(read),
        names=facts.names,
        topic_count=facts.topic_count,
    )
    table.refuse_duplicates()
    return table


def _read_frame(path: Path) -> pl.DataFrame:
    if path.suffix == ".parquet":
        return pl.read_parquet(path, glob=False)
    if path.suffix == ".jsonl":
        return pl.read_ndjson(path, infer_schema_length=None)
    types = {name: pl.Float64 if name == "value" else pl.String for name in COLUMNS}
    return pl.read_csv(path, schema_overrides=types, glob=False)


def _checked(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """The columns of a score table in their types (numbers serve as names), each cell with something in it."""
    missing = [name for name in COLUMNS if name not in frame.columns and name != "signature"]
    if missing:
        raise InputError(f"{path}: found no column {', '.join(missing)}; expected {', '.join(COLUMNS)}.")
    nested = [name for name in COLUMNS if name in frame.columns and frame.schema[name].is_nested()]
    if nested:
        raise InputError(f"{path}: found lists or objects in {', '.join(nested)}; expected names and numbers.")
    if "signature" not in frame.columns:
        frame = frame.with_columns(signature=pl.lit(""))
    frame = frame.select(
        pl.col(name).cast(pl.Float64) if name == "value" else pl.col(name).cast(pl.String) for name in COLUMNS
    ).with_columns(pl.col("signature").fill_null(""))
    for name in KEY:
        if frame[name].is_null().any():
            raise InputError(f"{path}: found a row without {name}; fill in the cell or remove the row.")
    if not frame["value"].is_finite().fill_null(value=False).all():
        raise InputError(f"{path}: found a value that is not a finite number; leave such rows out.")
    return frame.select(pl.col(name).cast(dtype) for name, dtype in COLUMNS.items())


def _write_parquet(table: ScoreTable, path: Path) -> None:
    facts = ScoreFacts(
        signatures={measure: table.signatures(measure) for measure in table.measures},
        higher_is_better=dict(table.higher_is_better),
        notes=dict(table.notes),
        names=dict(table.names),
        unscored=dict(table.unscored),
        topic_count=table.topic_count,
    )
    with atomic_writer(path) as file:
        table.frame.write_parquet(file, metadata=facts.metadata())


def _notes_in(frame: pl.DataFrame) -> dict[str, str]:
    """The notes of a text table, which has no metadata: a column beside the values."""
    if "note" not in frame.columns:
        return {}
    noted = frame.select("measure", "note").drop_nulls().unique(maintain_order=True)
    return {str(measure): str(note) for measure, note in noted.iter_rows() if note}


def _with_notes(table: ScoreTable) -> pl.DataFrame:
    frame = table.to_polars()
    if not table.notes:
        return frame
    return frame.with_columns(note=pl.col("measure").replace_strict(dict(table.notes), default=""))


def _write_csv(table: ScoreTable, path: Path) -> None:
    with atomic_writer(path) as file:
        _with_notes(table).write_csv(file)


def _write_jsonl(table: ScoreTable, path: Path) -> None:
    with atomic_writer(path) as file:
        _with_notes(table).select(pl.lit("score").alias("record"), pl.all()).write_ndjson(file)
