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
    """Give each shard the scores of its summaries, after those that it has.

    At the end it is noted which scores met no summary, and which the campaign had already.
    """
    waiting: dict[tuple[str, str], list[ImportedScore]] = defaultdict(list)
    for score in scores:
        waiting[score.topic, score.summarizer].append(score)
    directions = {score.measure: score.higher_is_better for score in scores}
    again: list[tuple[str, str, str]] = []
    turned: dict[str, None] = {}
    for shard in shards:
        found: list[ImportedScore] = []
        for summary in shard.summaries:
            found += waiting.pop((summary.topic, summary.summarizer), [])
        held = {score.key for score in shard.imported}
        again += [score.key for score in found if score.key in held]
        for score in shard.imported:
            if directions.get(score.measure, score.higher_is_better) != score.higher_is_better:
                turned[score.measure] = None
        yield replace(shard, imported=(*shard.imported, *found))
    _note_unmet(waiting, len(scores), file, problems)
    if again:
        problems.add(
            "error",
            file=file,
            field="measure, topic, summarizer",
            found=f"{len(again)} of {len(scores)} scores that the campaign has already, first {again[0]!r}",
            expected="each (measure, topic, summarizer) once",
            remedy="Rename the measure, or remove its values from one of the two.",
        )
    for measure in turned:
        problems.add(
            "error",
            file=file,
            field="higher_is_better",
            found=f"another direction for {measure!r} than in the campaign",
            expected="one direction for each measure",
            remedy="Rename the measure, or correct the direction in the metadata of one table.",
        )


def _note_unmet(
    unmet: dict[tuple[str, str], list[ImportedScore]], count: int, file: Path | str, problems: Problems
) -> None:
    left = sum(map(len, unmet.values()))
    if left:
        topic, summarizer = next(iter(unmet))
        problems.add(
            "error" if left == count else "warning",
            file=file,
            field="topic, summarizer",
            found=f"{left} of {count} scores for summaries that are not there, first ({topic!r}, {summarizer!r})",
            expected="the names that the campaign uses",
            remedy="Check the spelling of topics and summarizers.",
        )
