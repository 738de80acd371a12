"""Where a summary or an answer stands in the files of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from pyramidion.campaign.folder import FolderContent
from pyramidion.campaign.nouns import Summary
from pyramidion.files.problems import Place, Problems
from pyramidion.show.wording import listed

Key = tuple[str, str]
"""Topic and summarizer."""
some: partial[str] = partial(listed, most=3)
"""As many places or names as a problem lists before it counts the rest."""


@dataclass(frozen=True, kw_only=True)
class Places:
    """The files of a campaign; they are asked for only where something looks wrong."""

    problems: Problems
    path: Path | str
    """What the user called the data."""
    content: FolderContent | None = None
    """Of its folder; None of data that is one file or none."""

    def of_file(self, name: str) -> Place:
        """The file of one kind of row, such as judgments, or of the settings: campaign."""
        return self.problems.at(self._file(name))

    def of_summary(self, key: Key) -> Place:
        """The line of a summary."""
        return self.problems.at(self._file("summaries"), self._lines.get(key))

    def _file(self, name: str) -> Path | str:
        if self.content is None:
            return self.path
        ending = "toml" if name == "campaign" else "jsonl"
        return self.content.folder / f"{name}.{ending}"

    @cached_property
    def _lines(self) -> Mapping[Key, int]:
        """The lines of summaries."""
        if self.content is None:
            return {}
        return {(row.topic, row.summarizer): line for line, row in self.content.tables[Summary].rows}
