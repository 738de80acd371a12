"""Joining score tables to a campaign, whole or in shards, by topic and summarizer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pyramidion.campaign.campaign import Campaign
from pyramidion.files.problems import Problems
from pyramidion.scores.reading import without_conflicts
from pyramidion.scores.table import ScoreTable


def join_scores(
    shards: Iterable[Campaign], tables: Mapping[Path, ScoreTable], problems: Problems
) -> Iterator[Campaign]:
    """Give each shard the scores of its summaries, after those that it has.

    Scores that the campaign has already are errors. Scores without a summary are counted at the end: a warning, or an
    error if no score of a file has one.

    Args:
        shards: those of a source, or a list with one campaign.
        tables: by file, as `read_columns` returns them.
        problems: where problems are noted.
    """
    for path, table in tables.items():
        shards = _joined(shards, table, path, problems)
    yield from shards


def _joined(shards: Iterable[Campaign], table: ScoreTable, path: Path, problems: Problems) -> Iterator[Campaign]:
    waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, key in enumerate(table.frame.select("topic", "summarizer").iter_rows()):
        waiting[key].append(row)
    for shard in shards:
        rows: list[int] = []
        for summary in shard.summaries:
            rows += waiting.pop((summary.topic, summary.summarizer), ())
        found = without_conflicts(
            replace(table, frame=table.frame[rows]), shard.imported, "the campaign", problems.at(path)
        )
        yield replace(shard, imported=shard.imported.join(found))
    if left := sum(map(len, waiting.values())):
        problems.at(path).note(
            "error" if left == len(table) else "warning",
            f"{left} of {len(table)} scores for summaries that are not there, the first for {next(iter(waiting))!r}",
            "the names that the campaign uses",
            "Check the spelling of topics and summarizers.",
            field="topic, summarizer",
            count=left,
        )
