"""Where a summary or an answer stands in the files of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign.folder import FolderContent
from pyramidion.campaign.nouns import Summary
from pyramidion.files.problems import Place, Problems
from pyramidion.wording import in_words

Key = tuple[str, str]
"""Topic and summarizer."""
NAMED = 3
"""Places that a problem names before it counts the rest."""


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


def some(names: Sequence[str], *, most: int = NAMED) -> str:
    """`a, b, c and nine more`."""
    if len(names) <= most + 1:
        return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + "".join(names[-1:])
    return f"{', '.join(names[:most])} and {in_words(len(names) - most)} more"
