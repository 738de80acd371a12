"""Score tables join a campaign, whole or in shards, by topic and summarizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Summary
from pyramidion.campaign.join import join_scores
from pyramidion.scores import Score, ScoreTable


def shard(*keys: tuple[str, str]) -> Campaign:
    return Campaign(summaries=tuple(Summary(topic=t, summarizer=s, kind="peer", text="x") for t, s in keys))


def score(topic: str, summarizer: str, measure: str = "judge") -> Score:
    return Score(measure=measure, topic=topic, summarizer=summarizer, value=1)


SHARDS = [shard(("T1", "S1"), ("T1", "S2")), shard(("T1", "S3"), ("T2", "S1"))]


def join(shards: Sequence[Campaign], problems: Problems, **files: list[Score]) -> list[Campaign]:
    return list(join_scores(shards, {Path(name): ScoreTable.of(scores) for name, scores in files.items()}, problems))


def test_each_shard_gets_the_scores_of_its_summaries() -> None:
    scores = [score("T2", "S1"), score("T1", "S2"), score("T1", "S2", "other"), score("T1", "S3")]
    problems = Problems()
    first, second = join(SHARDS, problems, x=scores)
    assert list(first.imported) == scores[1:3]
    assert list(second.imported) == [scores[3], scores[0]]
    assert len(problems) == 0


def test_several_files_join_one_after_the_other() -> None:
    problems = Problems()
    first, second = join(SHARDS, problems, x=[score("T1", "S1")], y=[score("T1", "S1", "other"), score("T2", "S1")])
    assert list(first.imported) == [score("T1", "S1"), score("T1", "S1", "other")]
    assert list(second.imported) == [score("T2", "S1")]
    assert len(problems) == 0


def test_scores_without_a_summary_are_a_warning_with_their_number() -> None:
    problems = Problems()
    join(SHARDS, problems, x=[score("T1", "S1"), score("T9", "S1"), score("T9", "S2")])
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("warning", "x", "topic, summarizer")
    assert only.found.startswith("2 of 3 scores")
    assert "('T9', 'S1')" in only.found


def test_scores_of_which_none_has_a_summary_are_an_error() -> None:
    problems = Problems()
    join(SHARDS, problems, x=[score("T9", "S1")], y=[score("T1", "S1")])
    assert (problems.errors, problems.warnings) == (1, 0)


def holding(*scores: Score) -> Campaign:
    return replace(SHARDS[0], imported=ScoreTable.of(scores))


def test_a_score_that_the_campaign_has_already_is_an_error() -> None:
    problems = Problems()
    (joined,) = join([holding(score("T1", "S1"))], problems, x=[score("T1", "S1"), score("T1", "S2")])
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", "x", "measure, topic, summarizer")
    assert "('judge', 'T1', 'S1')" in only.found
    assert list(joined.imported) == [score("T1", "S1"), score("T1", "S2")]


def test_another_direction_than_the_campaign_has_is_an_error() -> None:
    low = Score(measure="judge", topic="T1", summarizer="S2", value=1, higher_is_better=False)
    problems = Problems()
    join([holding(score("T1", "S1"))], problems, x=[low])
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", "x", "higher_is_better")
