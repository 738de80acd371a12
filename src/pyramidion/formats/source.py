"""A foreign file as a source of a campaign, so that DATA may be one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Problems
from pyramidion.formats.base import Format


@dataclass(frozen=True)
class FormatSource:
    """A campaign in a foreign format, read whole."""

    format: Format
    path: Path
    streams: bool = False

    def read(self, problems: Problems) -> Campaign:
        """The campaign; problems and repairs are noted, not raised."""
        return self.format.read(self.path, problems)

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """One shard: the whole campaign."""
        yield self.read(problems)
