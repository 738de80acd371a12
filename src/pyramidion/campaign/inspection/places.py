"""Where a summary or an answer stands in the files of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
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
    """The files of a campaign."""

    problems: Problems
    files: Mapping[str, Path | str]
    """By kind of row; all the same if the data is one file."""
    lines: Mapping[Key, int]
    """Of summaries."""

    @classmethod
    def of(cls, path: Path | str, content: FolderContent | None, problems: Problems) -> Places:
        """The places of a folder, or of data that is one file or none."""
        names = ("campaign", "topics", "summaries", "judgments", "pyramids", "annotations")
        if content is None:
            return cls(problems=problems, files=dict.fromkeys(names, path), lines={})
        files: dict[str, Path | str] = {name: content.folder / f"{name}.jsonl" for name in names}
        files["campaign"] = content.folder / "campaign.toml"
        lines = {(row.topic, row.summarizer): line for line, row in content.tables[Summary].rows}
        return cls(problems=problems, files=files, lines=lines)

    def of_file(self, name: str) -> Place:
        """The file of one kind of row."""
        return self.problems.at(self.files[name])

    def of_summary(self, key: Key) -> Place:
        """The line of a summary."""
        return self.problems.at(self.files["summaries"], self.lines.get(key))
