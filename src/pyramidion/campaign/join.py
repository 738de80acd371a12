"""Joining tables of scores and of judgments to a campaign, whole or in shards, by topic and summarizer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.checks import note_answer_about_runs
from pyramidion.campaign.ids import IdSpellings, SummaryKey
from pyramidion.campaign.nouns import Judgment
from pyramidion.files.problems import Place, Problems, Severity
from pyramidion.scores.reading import without_conflicts
from pyramidion.scores.table import ScoreTable

if TYPE_CHECKING:
    import polars as pl


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
        shards = _join_table(shards, table, path, problems)
    yield from shards


def _join_table(shards: Iterable[Campaign], table: ScoreTable, path: Path, problems: Problems) -> Iterator[Campaign]:
    """Give each shard the scores of its summaries in one table."""
    remaining = _RemainingScores(table)
    for shard in shards:
        system = find_only_system(shard)
        if table.unnamed and system:
            problems.remark(f"{path.name}: its scores are joined to {system!r}, the only system")
        scores = without_conflicts(remaining.take(shard, system), shard.imported, "the campaign", problems.at(path))
        yield replace(shard, imported=shard.imported.join(scores))
    if remaining.rows:
        note_scores_without_summary(problems.at(path), remaining.count, len(table), next(iter(remaining.rows)))


def join_judgments(shards: Iterable[Campaign], judged: Campaign, path: Path, problems: Problems) -> Iterator[Campaign]:
    """Give each shard the judgments of its summaries, after those that it has.

    An answer that the campaign has already is an error. Judgments without a summary are counted at the end: a warning,
    or an error if none of them has one. A campaign of judgments alone gets all of them.

    Args:
        shards: those of a source, or a list with one campaign.
        judged: what a table of judgments holds.
        path: its file.
        problems: where problems are noted.
    """
    by_summary: dict[SummaryKey, list[Judgment]] = defaultdict(list)
    for judgment in judged.judgments:
        by_summary[judgment.topic, judgment.summarizer].append(judgment)
    spellings = IdSpellings(by_summary)
    for shard in shards:
        keys = Counter((summary.topic, summary.summarizer) for summary in shard.summaries)
        if shard.is_textless:
            keys = Counter(dict.fromkeys(by_summary, 1))
        joined: list[Judgment] = []
        for key, outputs in keys.items():
            table_key = key if key in by_summary else spellings.find(key)
            if table_key is None:
                continue
            topic, summarizer = key
            answers = by_summary.pop(table_key, [])
            if answers and outputs > 1:
                note_answer_about_runs(problems.at(path), topic, summarizer, outputs, field="topic, summarizer")
            joined += [msgspec.structs.replace(answer, topic=topic, summarizer=summarizer) for answer in answers]
        _note_answers_again(shard.judgments, joined, problems.at(path))
        assessors = {**judged.assessors, **shard.assessors}
        yield replace(shard, judgments=(*shard.judgments, *joined), assessors=assessors)
    if by_summary:
        count = sum(map(len, by_summary.values()))
        note_scores_without_summary(problems.at(path), count, len(judged.judgments), next(iter(by_summary)))


def _note_answers_again(earlier: Sequence[Judgment], joined: Sequence[Judgment], at: Place) -> None:
    """Note as an error that a table has answers that the campaign has already."""
    keys = {_key_of(judgment) for judgment in earlier}
    again = [judgment for judgment in joined if _key_of(judgment) in keys]
    if again:
        at.error(
            f"{len(again)} of {len(joined)} answers that the campaign has already, the first for {_key_of(again[0])!r}",
            "each (topic, summarizer, assessor, question, run) once",
            "Name another assessor or question, or leave the file out.",
            field="assessor, question",
        )


def _key_of(judgment: Judgment) -> tuple[str, str, str, str, int]:
    return judgment.topic, judgment.summarizer, judgment.assessor, judgment.question, judgment.run


def find_only_system(campaign: Campaign) -> str:
    """The system whose summaries the campaign has, if there is just one; else an empty string.

    Scores of a file that does not say whose they are belong to it.
    """
    systems = {summary.summarizer for summary in campaign.summaries if summary.kind == "peer"}
    return next(iter(systems)) if len(systems) == 1 else ""


def note_scores_without_summary(at: Place, count: int, total: int, first: SummaryKey) -> None:
    """Note that scores have no summary: a warning, or an error if none of them has one."""
    severity: Severity = "warning"
    if count == total:
        severity = "error"
    at.note(
        severity,
        f"{count} of {total} scores for summaries that are not there, the first for {first!r}",
        "the names that the campaign uses",
        "Check the spelling of topics and summarizers.",
        field="topic, summarizer",
        count=count,
    )


class _RemainingScores:
    """The scores of a table that no summary has taken yet."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.rows: dict[SummaryKey, list[int]] = defaultdict(list)
        """By topic and summarizer as the table spells them, the numbers of its rows."""
        for number, key in enumerate(table.frame.select("topic", "summarizer").iter_rows()):
            self.rows[key].append(number)
        # Keys that are spelled alike are tried only where no key is spelled the same.
        self._spellings = IdSpellings(self.rows)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.rows.values()))

    def take(self, shard: Campaign, system: str) -> ScoreTable:
        """The scores of the shard's summaries, with ids spelled as in the shard.

        Args:
            shard: a part of the campaign.
            system: its only system, to which scores without a name belong; empty if it has several.
        """
        keys: dict[SummaryKey, SummaryKey] = {}
        """From the key in the table to the key of the summary."""
        for noun in shard.summaries or shard.judgments:
            is_unnamed = bool(self.table.unnamed) and noun.summarizer == system
            name = self.table.unnamed if is_unnamed else noun.summarizer
            keys[noun.topic, name] = (noun.topic, noun.summarizer)
        shard_spellings = IdSpellings(keys)
        taken: list[int] = []
        taken_keys: list[SummaryKey] = []
        for table_key, key in keys.items():
            rows = self.rows.pop(table_key, None) or self._take_respelled(table_key, shard_spellings)
            taken += rows
            taken_keys += [key] * len(rows)
        return self._table_of(taken, taken_keys)

    def _take_respelled(self, key: SummaryKey, shard_spellings: IdSpellings[SummaryKey]) -> list[int]:
        """The rows whose key is spelled otherwise, if it is clear which they are."""
        alike = [other for other in self._spellings.alike(key) if other in self.rows]
        # From both sides: a key that could be two summaries of the campaign is neither.
        meant = [other for other in alike if shard_spellings.find(other) == key]
        return self.rows.pop(meant[0]) if len(meant) == 1 else []

    def _table_of(self, rows: list[int], keys: list[SummaryKey]) -> ScoreTable:
        """These rows of the table, with these keys."""
        frame = self.table.frame[rows]
        part = replace(self.table, frame=frame, run_scores=self._runs_of(frame, keys), unnamed="")
        if list(frame.select("topic", "summarizer").iter_rows()) != keys:
            import polars as pl

            for name, ids in zip(("topic", "summarizer"), zip(*keys, strict=True), strict=True):
                frame = frame.with_columns(pl.Series(name, ids, dtype=pl.String).cast(pl.Categorical))
        return replace(part, frame=frame)

    def _runs_of(self, frame: pl.DataFrame, keys: list[SummaryKey]) -> pl.DataFrame | None:
        """The scores of runs behind rows of the table, with other keys.

        Args:
            frame: the rows.
            keys: the topic and summarizer that each of them gets.
        """
        runs = self.table.run_scores
        if runs is None or not keys:
            return None
        import polars as pl

        names = ("topic", "summarizer")
        before = frame.select(pl.col("measure", *names).cast(pl.String))
        after = [
            pl.Series(f"new_{name}", ids, pl.String) for name, ids in zip(names, zip(*keys, strict=True), strict=True)
        ]
        respelled = before.with_columns(after)
        joined = runs.join(respelled, on=["measure", *names], how="inner", maintain_order="left")
        return joined.with_columns(topic="new_topic", summarizer="new_summarizer").select(runs.columns)
