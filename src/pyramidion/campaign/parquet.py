"""Parquet files in pieces: an unreadable one is a problem like any other, whatever its bytes do to the reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.campaign.lines import note_unreadable
from pyramidion.campaign.problems import Problems, shorten

if TYPE_CHECKING:
    import polars as pl

PIECE_BYTES = 32 * 2**20
PIECE_ROWS = (1024, 32768)
"""Fewest and most rows of a piece. Each piece costs the decoding of its row group, so it must not be too small."""


def read_pieces(path: Path, problems: Problems) -> Iterator[pl.DataFrame]:
    """The table in pieces that hold about `PIECE_BYTES` of the file; an empty table is one empty piece."""
    import polars as pl

    try:
        with path.open("rb"):  # says missing, forbidden or a folder in the system's own words
            size = path.stat().st_size
    except OSError as error:
        note_unreadable(path, error, problems)
        return
    try:
        table = pl.scan_parquet(path, glob=False)
        height = table.select(pl.len()).collect().item()
        step = min(max(PIECE_BYTES * height // max(size, 1), PIECE_ROWS[0]), PIECE_ROWS[1])
        for start in range(0, max(height, 1), step):
            yield table.slice(start, step).collect()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        problems.add(
            "error",
            file=path,
            found=shorten(str(error), 120),
            expected="a Parquet file",
            remedy="Write the file again.",
        )


def read_columns(path: Path) -> list[str]:
    """The names of the columns; none when the file can't be read, which `read_pieces` will say."""
    import polars as pl

    try:
        return pl.scan_parquet(path, glob=False).collect_schema().names()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return []
