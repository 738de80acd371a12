"""Joining score tables to a campaign, whole or in shards, by topic and summarizer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    waiting = _Waiting(table)
    for shard in shards:
        systems = {one.summarizer for one in shard.summaries if one.kind == "peer"}
        if table.unnamed and len(systems) == 1:
            problems.remark(f"{path.name}: its scores are joined to {next(iter(systems))!r}, the only system")
        chosen = waiting.taken(shard, next(iter(systems)) if len(systems) == 1 else "")
        found = without_conflicts(chosen, shard.imported, "the campaign", problems.at(path))
        yield replace(shard, imported=shard.imported.join(found))
    if left := waiting.count:
        problems.at(path).note(
            "error" if left == len(table) else "warning",
            f"{left} of {len(table)} scores for summaries that are not there, the first for {waiting.first!r}",
            "the names that the campaign uses",
            "Check the spelling of topics and summarizers.",
            field="topic, summarizer",
            count=left,
        )


class _Waiting:
    """The scores of a table that no summary has taken yet."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.rows: dict[Key, list[int]] = defaultdict(list)
        for row, key in enumerate(table.frame.select("topic", "summarizer").iter_rows()):
            self.rows[key].append(row)
        self.folded: dict[Key, list[Key]] = defaultdict(list)
        for key in self.rows:
            self.folded[_folded(key)].append(key)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.rows.values()))

    @property
    def first(self) -> Key:
        """The topic and summarizer of the first of them."""
        return next(iter(self.rows))

    def taken(self, shard: Campaign, only: str) -> ScoreTable:
        """The scores of the shard's summaries, spelled as these are; `only` is the one system, if there is just one."""
        keys = {(one.topic, one.summarizer): None for one in shard.summaries}
        rows: list[int] = []
        spelled: list[Key] = []
        for key in keys:
            asked = (key[0], self.table.unnamed) if self.table.unnamed and key[1] == only else key
            found = self.rows.pop(asked, None) or self._otherwise_spelled(asked, keys)
            rows += found
            spelled += [key] * len(found)
        frame = self.table.frame[rows]
        if list(frame.select("topic", "summarizer").iter_rows()) != spelled:
            import polars as pl

            for name, ids in zip(("topic", "summarizer"), zip(*spelled, strict=True), strict=True):
                frame = frame.with_columns(pl.Series(name, ids, dtype=pl.String).cast(pl.Categorical))
        return replace(self.table, frame=frame, unnamed="")

    def _otherwise_spelled(self, key: Key, keys: Collection[Key]) -> list[int]:
        """Rows whose ids differ in capital letters alone, if it is clear which they are: D0601 is d0601."""
        others = [one for one in self.folded.get(_folded(key), ()) if one in self.rows and one not in keys]
        return self.rows.pop(others[0]) if len(others) == 1 else []


Key = tuple[str, str]
"""Topic and summarizer."""


def _folded(key: Key) -> Key:
    return key[0].casefold(), key[1].casefold()
