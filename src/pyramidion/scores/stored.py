"""Score tables that may be larger than memory: the folder of a run in shards, or a long Parquet file.

What is asked of them is read from the disk when it is asked: one measure, a mean for each summarizer, some topics.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from pyramidion.arrays import Floats
from pyramidion.errors import InputError
from pyramidion.files.opening import open_file
from pyramidion.files.parquet import scan_parquet
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import COLUMNS, ScoreTable, grid
from pyramidion.scores.writing import new_digest

MANIFEST = "manifest.json"
BLOCK_ROWS = 2_000_000
"""Rows that are in memory at once."""
CHUNK_BYTES = 2**20


class _ShardFile(msgspec.Struct, frozen=True):
    """What the manifest says about the file of a shard."""

    bytes: int | None = None
    checksum: str = ""

    def describes(self, file: Path) -> bool:
        """Whether the file is the one that the run wrote."""
        with open_file(file) as opened:
            if self.bytes is not None and os.fstat(opened.fileno()).st_size != self.bytes:
                return False
            digest = new_digest()
            while self.checksum and (chunk := opened.read(CHUNK_BYTES)):
                digest.update(chunk)
        return not self.checksum or digest.hexdigest() == self.checksum


class _ScoreManifest(msgspec.Struct, frozen=True):
    """What the manifest of a run in shards says about its scores."""

    facts: Facts
    scores: int
    shards: tuple[_ShardFile, ...]


@dataclass(frozen=True)
class StoredScores:
    """A score table in files of the long form."""

    path: Path
    files: tuple[Path, ...]
    facts: Facts
    rows: int

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether the path is the folder of a run in shards."""
        return path.is_dir() and (path / "plan.json").is_file() and (path / "scores").is_dir()

    @classmethod
    def of(cls, path: Path) -> StoredScores:
        """The scores of a finished run."""
        if not (path / MANIFEST).is_file():
            raise InputError(f"{path}: the run is not finished; start the same command again to finish it")
        try:
            manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=_ScoreManifest)
        except (msgspec.DecodeError, ValueError):
            raise InputError(f"{path / MANIFEST}: can't be read; start the run again, which writes it anew") from None
        files = tuple(path / "scores" / f"{number:06}.parquet" for number in range(len(manifest.shards)))
        for file, shard in zip(files, manifest.shards, strict=True):
            if not file.is_file():
                raise InputError(f"{file}: is missing; start the run again to score it")
            if not shard.describes(file):
                raise InputError(f"{file}: is not what the run wrote; start the run again to score it anew")
        return cls(path, files, manifest.facts, manifest.scores)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order of the run."""
        return tuple(self.facts.signatures)

    def scan(self, measures: Sequence[str] | None = None) -> pl.LazyFrame:
        """The rows of these measures, not yet read."""
        table = scan_parquet(*self.files)
        return table if measures is None else table.filter(pl.col("measure").is_in(list(measures)))

    @cached_property
    def means(self) -> pl.DataFrame:
        """For each measure and summarizer the mean and the number of topics, read as a stream."""
        grouped = self.scan().group_by("measure", "summarizer").agg(pl.col("value").mean(), n=pl.len().cast(pl.Int64))
        return grouped.sort("measure", "summarizer").collect(engine="streaming")

    @cached_property
    def summarizers(self) -> tuple[str, ...]:
        """All summarizers, by name."""
        return tuple(sorted(set(self.means["summarizer"])))

    def means_of(self, measure: str) -> pl.DataFrame:
        """The means of one measure, by summarizer."""
        return self.means.filter(pl.col("measure") == measure)

    def rows_of(self, measure: str) -> int:
        """How many values a measure has."""
        return int(self.means_of(measure)["n"].sum())

    def blocks(self, measure: str) -> Iterator[Floats]:
        """A measure in blocks: its summarizers (by name) × topics, each topic whole in one block; NaN: no value."""
        parts = max(math.ceil(self.rows_of(measure) / BLOCK_ROWS), 1)
        places = {summarizer: number for number, summarizer in enumerate(self.means_of(measure)["summarizer"])}
        for part in range(parts):
            chosen = self.scan([measure]).filter(pl.col("topic").hash() % parts == part)
            rows = chosen.select("measure", "topic", "summarizer", "value").collect(engine="streaming")
            summarizers, _, values = grid(rows, [measure])
            block = np.full((len(places), values.shape[2]), np.nan)
            block[[places[summarizer] for summarizer in summarizers]] = values[0]
            yield block

    def table(self, measures: Sequence[str] | None = None) -> ScoreTable:
        """The rows of these measures as a table in memory."""
        rows = self.scan(measures).select(pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()).collect()
        facts = msgspec.structs.asdict(self.facts)
        del facts["signatures"]
        return ScoreTable(frame=rows, **facts).in_order(self.measures if measures is None else measures)
