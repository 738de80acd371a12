"""Campaigns that are already in memory, as sources like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.flat import join_shards, stream_rows
from pyramidion.campaign.problems import Problems
from pyramidion.errors import UsageError


@dataclass(frozen=True, eq=False)
class WholeCampaign:
    """A campaign made of nouns; it is taken as it is."""

    campaign: Campaign

    def read(self, problems: Problems) -> Campaign:  # noqa: ARG002  # the same door as other sources
        """The campaign."""
        return self.campaign

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """One shard: the whole campaign."""
        yield self.read(problems)


@dataclass(frozen=True, eq=False)
class RowSource:
    """Flat rows in memory: a Polars or pandas data frame, or dictionaries."""

    rows: Any

    def read(self, problems: Problems) -> Campaign:
        """The rows as one campaign; problems are noted, not raised."""
        return join_shards(self.shards(problems), name="")

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The rows in pieces."""
        return stream_rows(self._dictionaries(), problems)

    def _dictionaries(self) -> Iterable[Mapping[str, Any]]:
        if hasattr(self.rows, "iter_rows"):  # Polars
            named: Iterable[Mapping[str, Any]] = self.rows.iter_rows(named=True)
            return named
        if hasattr(self.rows, "to_dict"):  # pandas
            records: list[Mapping[str, Any]] = self.rows.to_dict(orient="records")
            return records
        rows = list(self.rows) if isinstance(self.rows, Iterable) else [self.rows]
        if not all(isinstance(row, Mapping) for row in rows):
            raise UsageError(
                "data is a path, `demo`, a campaign, a data frame, or dictionaries with topic, summarizer and summary"
            )
        return rows
