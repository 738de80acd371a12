"""Where a campaign is read from: a folder, a flat file, a score table, rows in memory; read whole or shard by shard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.flat.reading import ENDINGS, join_shards, stream_flat, stream_rows
from pyramidion.campaign.folder import read_folder
from pyramidion.campaign.nouns import Summarizer
from pyramidion.errors import InputError, UsageError
from pyramidion.files.problems import Problems
from pyramidion.scores.reading import TEXT, holds_scores, read_columns


class Readable(ABC):
    """Where a campaign is read from: our own forms (`Source`), memory, or a foreign format."""

    @property
    def streams(self) -> bool:
        """Whether its shards are pieces that fit in memory, rather than the whole campaign."""
        return False

    @abstractmethod
    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces."""
        yield self.read(problems)


@dataclass(frozen=True)
class Source(Readable):
    """A campaign in our own forms: a folder, a flat file or a score table."""

    path: Path

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether the path is a folder or ends like a file of our own."""
        return path.is_dir() or path.suffix in (*ENDINGS, *TEXT)

    @property
    def streams(self) -> bool:
        """A flat file is read in pieces."""
        return self.kind() == "flat"

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""
        kind = self.kind()
        if kind == "folder":
            return read_folder(self.path, problems)
        if kind == "flat":
            return join_shards(stream_flat(self.path, problems), name=self.path.stem)
        (table,) = read_columns([self.path], problems).values()
        known = table.names.keys() | table.kinds.keys()
        return Campaign(
            name=self.path.stem,
            summarizers={
                id: Summarizer(kind=table.kinds.get(id, "participant"), name=table.names.get(id, ""))
                for id in table.summarizers
                if id in known
            },
            imported=table,
        )

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces that fit in memory; only a flat file has more than one."""
        return stream_flat(self.path, problems) if self.streams else super().shards(problems)

    def kind(self) -> Literal["folder", "flat", "scores"]:
        """Which of our forms it is."""
        if self.path.is_dir():
            return "folder"
        if not self.path.exists():
            raise InputError(
                f"{self.path}: found nothing; expected a campaign folder, a flat .jsonl or .parquet file, or a .csv "
                "score table. Check the path; the embedded campaign is called demo."
            )
        if holds_scores(self.path):
            return "scores"
        if self.path.suffix.lower() in ENDINGS:
            return "flat"
        raise InputError(
            f"{self.path}: found a file ending in {self.path.suffix or 'nothing'!r}; expected a campaign folder, a "
            "flat .jsonl or .parquet file, or a .csv or .tsv score table. Rename or convert the file."
        )


@dataclass(frozen=True, eq=False)
class WholeCampaign(Readable):
    """A campaign that is in memory already."""

    campaign: Campaign

    def read(self, problems: Problems) -> Campaign:  # noqa: ARG002  # the same interface as other sources
        """The campaign."""
        return self.campaign


@dataclass(frozen=True, eq=False)
class RowSource(Readable):
    """Flat rows in memory: a Polars or pandas data frame, or dictionaries. An iterator can be read again, too."""

    rows: Any
    streams = True

    def read(self, problems: Problems) -> Campaign:
        """The rows as one campaign; problems are noted, not raised."""
        return join_shards(self.shards(problems), name="")

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The rows in pieces."""
        rows = self.rows.iter_rows(named=True) if hasattr(self.rows, "iter_rows") else self._dictionaries
        return stream_rows(rows, problems)

    @cached_property
    def _dictionaries(self) -> list[Mapping[str, Any]]:
        if hasattr(self.rows, "to_dict"):  # pandas
            records: list[Mapping[str, Any]] = self.rows.to_dict(orient="records")
            return records
        rows = list(self.rows) if isinstance(self.rows, Iterable) else [self.rows]
        if not all(isinstance(row, Mapping) for row in rows):
            raise UsageError(
                "data is a path, `demo`, a campaign, a data frame, or dictionaries with topic, summarizer and summary"
            )
        return rows
