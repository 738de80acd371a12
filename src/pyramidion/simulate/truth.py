"""The truth behind simulated data: quality and rank of every system, and what is known of assessors; as CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.files import atomic_writer


@dataclass(frozen=True, eq=False)
class Truth:
    """One row per summarizer: quality, rank (1 is best; equal qualities share the better rank) and further facts."""

    frame: pl.DataFrame
    variances: pl.DataFrame | None = None
    """The known variances of judgments in a campaign: question, term, variance."""
    assessors: pl.DataFrame | None = None
    """What each assessor adds to an answer: question, assessor, summarizer, severity, deviation."""

    @classmethod
    def of(
        cls, summarizers: Sequence[str], quality: Floats, further: Mapping[str, Floats | Bools] | None = None
    ) -> Truth:
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
        """Write the frames as CSV, each whole or not at all; those about judgments get an ending to the name."""
        for frame, name in ((self.variances, "-variances"), (self.assessors, "-assessors"), (self.frame, "")):
            if frame is not None:
                with atomic_writer(path.with_name(f"{path.stem}{name}{path.suffix}")) as file:
                    frame.write_csv(file)


def truth_path(path: Path, ending: str = ".csv") -> Path:
    """Where the truth about a file goes: `scores.parquet` → `scores.truth.csv`.

    Raises:
        UsageError: if the path ends in no name, such as the folder that one works in.
    """
    if not path.name:
        raise UsageError(f"{path}: expected the name of a file or folder, which the truth gets as well")
    return path.with_name(f"{path.stem}.truth{ending}")
