"""Scores from elsewhere join a stream of shards by topic and summarizer."""

from __future__ import annotations

from dataclasses import replace

from pyramidion.campaign import Campaign, ImportedScore, Problems, Summary
from pyramidion.campaign.join import join_imported


def shard(*keys: tuple[str, str]) -> Campaign:
    return Campaign(summaries=tuple(Summary(topic=t, summarizer=s, kind="peer", text="x") for t, s in keys))


def score(topic: str, summarizer: str, measure: str = "judge") -> ImportedScore:
    return ImportedScore(measure=measure, topic=topic, summarizer=summarizer, value=1)


SHARDS = [shard(("T1", "S1"), ("T1", "S2")), shard(("T1", "S3"), ("T2", "S1"))]


def test_each_shard_gets_the_scores_of_its_summaries() -> None:
    scores = [score("T2", "S1"), score("T1", "S2"), score("T1", "S2", "other"), score("T1", "S3")]
    problems = Problems()
    first, second = join_imported(SHARDS, scores, file="x.csv", problems=problems)
    assert list(first.imported) == scores[1:3]
    assert list(second.imported) == [scores[3], scores[0]]
    assert len(problems) == 0


def test_scores_that_meet_no_summary_are_a_warning_with_their_number() -> None:
    problems = Problems()
    list(join_imported(SHARDS, [score("T1", "S1"), score("T9", "S1"), score("T9", "S2")], file="x", problems=problems))
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("warning", "x", "topic, summarizer")
    assert only.found.startswith("2 of 3 scores")
    assert "('T9', 'S1')" in only.found


def test_scores_of_which_none_meets_a_summary_are_an_error() -> None:
    problems = Problems()
    list(join_imported(SHARDS, [score("T9", "S1")], file="x.csv", problems=problems))
    assert (problems.errors, problems.warnings) == (1, 0)


def holding(*scores: ImportedScore) -> Campaign:
    return replace(SHARDS[0], imported=scores)


def test_a_score_that_the_campaign_has_already_is_an_error() -> None:
    problems = Problems()
    list(join_imported([holding(score("T1", "S1"))], [score("T1", "S1")], file="x.csv", problems=problems))
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", "x.csv", "measure, topic, summarizer")
    assert "('judge', 'T1', 'S1')" in only.found


def test_another_direction_than_the_campaign_has_is_an_error() -> None:
    low = ImportedScore(measure="judge", topic="T1", summarizer="S2", value=1, higher_is_better=False)
    problems = Problems()
    list(join_imported([holding(score("T1", "S1"))], [low], file="x.parquet", problems=problems))
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", "x.parquet", "higher_is_better")
