"""Parquet files written frame by frame: no more than a few frames are in memory at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from pyramidion.campaign.lines import atomic_writer

ROW_GROUP = 1 << 16


def stream_parquet(
    frames: Iterable[pl.DataFrame],
    path: Path,
    *,
    schema: Mapping[str, Any],
    metadata: Mapping[str, str] | None = None,
    row_group: int = ROW_GROUP,
) -> None:
    """Write the frames, in order, into one file, whole or not at all."""

    def source(*_: object) -> Iterator[pl.DataFrame]:
        # The query below asks for all rows and columns: there is nothing to push down.
        yield from frames

    query = register_io_source(source, schema=dict(schema), is_pure=False)
    with atomic_writer(path) as file:
        query.sink_parquet(
            file, metadata=dict(metadata or {}), row_group_size=row_group, maintain_order=True, compression="zstd"
        )
