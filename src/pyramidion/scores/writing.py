"""Writing score tables: Parquet with what no column holds in its metadata, CSV, JSON lines."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl

from pyramidion.errors import UsageError
from pyramidion.files.parquet import METADATA, PARQUET
from pyramidion.files.problems import Problems
from pyramidion.files.writing import atomic_writer, remove
from pyramidion.scores.reading import Facts, read_columns, tables_in
from pyramidion.scores.table import FACTS, ScoreTable

ENDINGS = (PARQUET, ".csv", ".jsonl")


def write_scores(table: ScoreTable, path: Path | str, *, own: bool = False) -> None:
    """Write the table in the format of the file's ending (.parquet, .csv, .jsonl), whole or not at all.

    Parquet keeps everything but counts. The text forms keep values, signatures and notes.

    Args:
        table: the scores.
        path: the file.
        own: whether a campaign writes its own Parquet file, which it has read before.
    """
    path = Path(path)
    check_ending(path)
    if path.suffix != PARQUET:
        write_text([_with_notes(table)], path)
        return
    with atomic_writer(path, own=own) as file:
        # Made in memory: writing into the file itself, Polars would not say that a disk is full.
        file.write(parquet_of(table.by_run(), facts_of(table)))


def check_ending(path: Path) -> None:
    """Refuse a file that scores are not written to."""
    if path.suffix not in ENDINGS:
        raise UsageError(f"{path}: scores are written as {', '.join(ENDINGS)}; choose one of these endings")


def write_text(frames: Iterable[pl.DataFrame], path: Path) -> None:
    """Write rows of a score table as CSV or JSON lines, whole or not at all."""
    with atomic_writer(path) as file:
        for number, frame in enumerate(frames):
            if path.suffix == ".csv":
                frame.write_csv(file, include_header=number == 0)
            else:
                frame.select(pl.lit("score").alias("record"), pl.all()).write_ndjson(file)


def metadata(facts: Facts) -> dict[str, str]:
    """The metadata of a Parquet file; none if there is nothing to keep."""
    return {METADATA: msgspec.json.encode(facts).decode()} if facts != Facts() else {}


def write_into(folder: Path, table: ScoreTable) -> None:
    """Write the scores of a campaign into a folder of score tables.

    A table that is there stays as it is while its scores do; otherwise it is written with those that are left, or
    removed. New scores go to imported.parquet.

    Raises:
        CampaignError: if a table that is there can't be read; then nothing was written.
    """
    problems = Problems()
    present = read_columns(tables_in(folder, problems), problems)
    problems.refuse()
    planned = {}
    for path, before in present.items():
        planned[path] = replace(table.within(before), names=before.names, kinds=before.kinds)
        table = table.without(before)
    if len(table):
        target = folder / "imported.parquet"
        planned[target] = planned[target].join(table) if target in planned else table
    for path, after in planned.items():
        if not len(after):
            remove(path)
        elif path not in present or list(after) != list(present[path]):
            write_scores(after, path, own=True)


def facts_of(table: ScoreTable) -> Facts:
    """What no column of the table holds, and the signatures of its measures."""
    signatures = {measure: table.signatures(measure) for measure in table.measures}
    return Facts(
        signatures={measure: distinct for measure, distinct in signatures.items() if any(distinct)},
        **{fact: getattr(table, fact) for fact in FACTS},
    )


def parquet_of(frame: pl.DataFrame, facts: Facts) -> bytes:
    """A score table as a Parquet file: of strings, so that it is the same whatever else the process has done."""
    file = io.BytesIO()
    frame.write_parquet(file, metadata=metadata(facts))
    return file.getvalue()


def new_digest() -> hashlib.blake2b:
    """What tells the file of a shard from any other."""
    return hashlib.blake2b(digest_size=16)


def _with_notes(table: ScoreTable) -> pl.DataFrame:
    frame = table.by_run().with_columns(pl.col(pl.Categorical).cast(pl.String))
    if not table.notes:
        return frame
    return frame.with_columns(note=pl.col("measure").replace_strict(dict(table.notes), default=""))
