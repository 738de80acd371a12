"""Joining scores from elsewhere to a stream of shards, by topic and summarizer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import ImportedScore
from pyramidion.campaign.problems import Problems


def join_imported(
    shards: Iterable[Campaign], scores: Sequence[ImportedScore], *, file: Path | str, problems: Problems
) -> Iterator[Campaign]:
    """Give each shard the scores of its summaries; scores that meet no summary are noted at the end."""
    waiting: dict[tuple[str, str], list[ImportedScore]] = defaultdict(list)
    for score in scores:
        waiting[score.topic, score.summarizer].append(score)
    for shard in shards:
        found: list[ImportedScore] = []
        for summary in shard.summaries:
            found += waiting.pop((summary.topic, summary.summarizer), [])
        yield replace(shard, imported=(*shard.imported, *found))
    left = sum(map(len, waiting.values()))
    if left:
        topic, summarizer = next(iter(waiting))
        problems.add(
            "error" if left == len(scores) else "warning",
            file=file,
            field="topic, summarizer",
            found=f"{left} of {len(scores)} scores for summaries that are not there, first ({topic!r}, {summarizer!r})",
            expected="the names that the campaign uses",
            remedy="Check the spelling of topics and summarizers.",
        )
