"""What a score table in Parquet says in its metadata: signatures, directions, notes and names, as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from pyramidion.campaign.parquet import METADATA, read_metadata
from pyramidion.campaign.problems import Problems, shorten


class ScoreFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What no column holds: by measure, but `names` by summarizer; `topic_count` counts those without a score too."""

    signatures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    higher_is_better: dict[str, bool] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    unscored: dict[str, int] = msgspec.field(default_factory=dict)
    topic_count: int = 0

    def metadata(self) -> dict[str, str]:
        """The metadata to write; none when there is nothing to say."""
        return {METADATA: msgspec.json.encode(self).decode()} if self != ScoreFacts() else {}


def read_facts(path: Path, problems: Problems) -> ScoreFacts:
    """What the metadata of a Parquet file says; metadata that can't be decoded is an error."""
    raw = read_metadata(path)
    if not raw:
        return ScoreFacts()
    try:
        return msgspec.json.decode(raw, type=ScoreFacts)
    except (ValueError, RecursionError) as error:
        problems.add(
            "error",
            file=path,
            field=f"metadata {METADATA}",
            found=shorten(str(error), 120),
            expected="a JSON object with higher_is_better, notes and names",
            remedy="Write the table again, or without this metadata.",
        )
        return ScoreFacts()
