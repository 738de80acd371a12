"""The truth behind simulated data: quality and rank of every system, as a frame and as a CSV file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from pyramidion.arrays import Floats, Integers
from pyramidion.files import atomic_writer


@dataclass(frozen=True, eq=False)
class Truth:
    """One row per summarizer: quality, rank (1 is best; equal qualities share the better rank) and further facts."""

    frame: pl.DataFrame

    @classmethod
    def of(cls, summarizers: Sequence[str], quality: Floats, further: Mapping[str, Floats] | None = None) -> Truth:
        """The truth from qualities; ranks follow."""
        rank = pl.Series(quality).rank("min", descending=True).cast(pl.Int64)
        return cls(pl.DataFrame({"summarizer": summarizers, "quality": quality, "rank": rank, **(further or {})}))

    @property
    def quality(self) -> Floats:
        """True qualities, in the order of the frame."""
        return self.frame["quality"].to_numpy()

    @property
    def ranks(self) -> Integers:
        """True ranks, 1 for the best."""
        return self.frame["rank"].to_numpy()

    @property
    def best(self) -> str:
        """Id of the best summarizer."""
        return str(self.frame["summarizer"][int(self.ranks.argmin())])

    def write(self, path: Path) -> None:
        """Write the frame as CSV, whole or not at all."""
        with atomic_writer(path) as file:
            self.frame.write_csv(file)


def truth_path(path: Path, ending: str = ".csv") -> Path:
    """Where the truth about a file goes: `scores.parquet` → `scores.truth.csv`."""
    return path.with_name(f"{path.stem}.truth{ending}")
