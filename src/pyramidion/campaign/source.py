"""DATA on the command line: a folder, a flat file or a table of scores, read whole or shard by shard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.flat import ENDINGS, read_flat, stream_flat
from pyramidion.campaign.folder import read_folder
from pyramidion.campaign.nouns import Summarizer
from pyramidion.campaign.parquet import read_columns
from pyramidion.campaign.problems import Problems
from pyramidion.campaign.score_files import JSON_LINES, KEYS, holds_scores, read_names, read_score_file
from pyramidion.errors import InputError

FLAT = frozenset(ENDINGS)
TABLES = frozenset({".csv", ".tsv", ".tab"})


class Readable(Protocol):
    """Where a campaign is read from: our own forms (`Source`) or a foreign one."""

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces that fit in memory."""


@dataclass(frozen=True)
class Source:
    """A campaign in our own forms: a folder, a flat file or a table of scores."""

    path: Path

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether the path is a folder or ends like a file of our own."""
        return path.is_dir() or path.suffix in FLAT | TABLES

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""
        kind = self.kind()
        if kind == "folder":
            return read_folder(self.path, problems)
        if kind == "scores":
            return Campaign(
                name=self.path.stem,
                summarizers={id: Summarizer(name=name) for id, name in read_names(self.path).items()},
                imported=tuple(read_score_file(self.path, problems)),
            )
        return read_flat(self.path, problems)

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces that fit in memory; only a flat file has more than one."""
        if self.kind() == "flat":
            yield from stream_flat(self.path, problems)
        else:
            yield self.read(problems)

    def kind(self) -> Literal["folder", "flat", "scores"]:
        """Which of our forms it is."""
        if self.path.is_dir():
            return "folder"
        if not self.path.exists():
            raise InputError(
                f"{self.path}: found nothing; expected a campaign folder, a flat .jsonl or .parquet file, or a .csv "
                "table of scores. Check the path; the embedded campaign is called demo."
            )
        ending = self.path.suffix.lower()
        if ending in TABLES or (ending == ".parquet" and _holds_scores(self.path)):
            return "scores"
        if ending in JSON_LINES and holds_scores(self.path):
            return "scores"
        if ending in FLAT:
            return "flat"
        raise InputError(
            f"{self.path}: found a file ending in {self.path.suffix or 'nothing'!r}; expected a campaign folder, a "
            "flat .jsonl or .parquet file, or a .csv or .tsv table of scores. Rename or convert the file."
        )


def _holds_scores(path: Path) -> bool:
    """Whether a Parquet file is a table of scores rather than of summaries."""
    columns = read_columns(path)
    return all(key in columns for key in KEYS) and "summary" not in columns
