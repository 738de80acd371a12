"""Score tables join a campaign, whole or in shards, by topic and summarizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Summary
from pyramidion.campaign.join import join_scores
from pyramidion.scores import Score, ScoreTable
from pyramidion.scores.reading import read_columns


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


def scores_in(path: Path, text: str, campaign: Campaign) -> tuple[dict[tuple[str, str], float], Problems]:
    path.write_text(text)
    problems = Problems()
    (joined,) = join_scores([campaign], read_columns([path], problems), problems)
    return {(one.topic, one.summarizer): one.value for one in joined.imported}, problems


def test_scores_without_a_system_column_are_those_of_the_only_system(tmp_path: Path) -> None:
    text = "id,relevance\n1,3\n2,4\n"
    found, problems = scores_in(tmp_path / "judge.csv", text, shard(("1", "alpha"), ("2", "alpha")))
    assert found == {("1", "alpha"): 3, ("2", "alpha"): 4}
    assert len(problems) == 0
    assert "judge.csv: its scores are joined to 'alpha', the only system" in problems.remarks
    found, problems = scores_in(tmp_path / "judge.csv", text, shard(("1", "alpha"), ("2", "judge")))
    assert found == {("2", "judge"): 4}


def test_ids_join_whatever_their_case_if_it_is_clear_which_they_are(tmp_path: Path) -> None:
    text = "topic,summarizer,m\nd0801-a,GPT,1\nD0802-A,gpt,2\n"
    found, problems = scores_in(tmp_path / "x.csv", text, shard(("D0801-A", "gpt"), ("D0802-A", "gpt")))
    assert (found, len(problems)) == ({("D0801-A", "gpt"): 1, ("D0802-A", "gpt"): 2}, 0)
    found, _ = scores_in(tmp_path / "x.csv", "topic,summarizer,m\na,S,1\nA,S,2\n", shard(("A", "S"), ("a", "S")))
    assert found == {("a", "S"): 1, ("A", "S"): 2}
    found, problems = scores_in(tmp_path / "x.csv", "topic,summarizer,m\nÄa,S,1\näA,S,2\n", shard(("ÄA", "S")))
    assert (found, problems.errors) == ({}, 1)


def test_a_whole_number_joins_however_it_is_written_and_what_two_ids_may_mean_joins_neither(tmp_path: Path) -> None:
    text = "topic,summarizer,m\n1.0x,S,1\nt1,2.0,2\n"
    found, _ = scores_in(tmp_path / "x.csv", text, shard(("1.0x", "S"), ("T1", "2")))
    assert found == {("1.0x", "S"): 1, ("T1", "2"): 2}
    found, problems = scores_in(tmp_path / "x.csv", "topic,summarizer,m\nAB,S,1\n", shard(("ab", "S"), ("aB", "S")))
    assert (found, problems.errors) == ({}, 1)
