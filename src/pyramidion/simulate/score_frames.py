"""Rows of simulated score tables, drawn and written block by block: scores, and the truth about each summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from pyramidion.arrays import Floats
from pyramidion.files.parquet import stream_parquet
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import COLUMNS, ScoreTable
from pyramidion.scores.writing import metadata
from pyramidion.simulate.design import SimulationDesign

if TYPE_CHECKING:
    from pyramidion.engines.local import Progress

Item = TypeVar("Item")
Block = Mapping[str, Floats]
"""Values of successive topics, topics × summarizers, by measure."""

SCHEMA = {name: pl.Float64() if name == "value" else pl.String() for name in COLUMNS}
BLOCK_ROWS = 1 << 16


def block_topics(design: SimulationDesign) -> int:
    """Number of topics that are drawn at once."""
    return max(1, BLOCK_ROWS // design.summarizers)


def score_frames(
    design: SimulationDesign, blocks: Iterable[Block], signatures: Mapping[str, str]
) -> Iterator[pl.DataFrame]:
    """A frame for each measure of each block."""
    summarizers = pl.Series(design.summarizer_ids)
    first = 0
    for block in blocks:
        count = len(next(iter(block.values())))
        topics = pl.Series(design.topic_ids(first, first + count))
        first += count
        keys = {
            "topic": topics.gather(np.repeat(np.arange(count, dtype=np.uint32), design.summarizers)),
            "summarizer": summarizers.gather(np.tile(np.arange(design.summarizers, dtype=np.uint32), count)),
        }
        for measure, values in block.items():
            constant = {"measure": pl.lit(measure), "signature": pl.lit(signatures[measure])}
            yield pl.DataFrame(keys | {"value": values.reshape(-1)}).with_columns(**constant).select(*SCHEMA)


def write_score_frames(
    frames: Iterable[pl.DataFrame], path: Path, signatures: Mapping[str, str], higher_is_better: Mapping[str, bool]
) -> None:
    """Stream the frames into a Parquet file that `pyramidion.scores` reads."""
    facts = Facts(
        signatures={measure: (signature,) for measure, signature in signatures.items()},
        higher_is_better=dict(higher_is_better),
    )
    stream_parquet(frames, path, schema=SCHEMA, metadata=metadata(facts))


def score_table(frames: Iterable[pl.DataFrame], higher_is_better: Mapping[str, bool]) -> ScoreTable:
    """The frames as one table in memory."""
    frame = pl.concat(list(frames)).select([pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()])
    return ScoreTable(frame=frame, higher_is_better=higher_is_better)


def counted(items: Iterable[Item], size: Callable[[Item], int], progress: Progress | None) -> Iterator[Item]:
    """The items, whose sizes are reported as they are taken."""
    for item in items:
        yield item
        if progress is not None:
            progress(size(item))
