"""Judged and imported measures."""

from pathlib import Path

import msgspec
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Judgment, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import Score, ScoreTable

SUMMARIES = tuple(Summary(topic="t", summarizer=who, kind="peer", text=f"text of {who}") for who in "ab")


def judged(summarizer: str, assessor: str, question: str, value: float) -> Judgment:
    return Judgment(topic="t", summarizer=summarizer, assessor=assessor, question=question, value=value)


CAMPAIGN = Campaign(
    summaries=SUMMARIES,
    judgments=(judged("a", "1", "focus", 2), judged("a", "2", "focus", 4), judged("b", "1", "Is it good?", 5)),
    imported=ScoreTable.of([Score(measure="gpt judge", topic="t", summarizer="a", value=0.25)]),
)


def values(*measures: str) -> dict[tuple[str, str], float]:
    table = pyramidion.score(CAMPAIGN, measures or None)
    return {(measure, who): value for measure, _, who, value, _ in table.frame.iter_rows()}


def test_a_question_is_the_mean_over_assessors() -> None:
    assert values("question.focus") == {("question.focus", "a"): 3.0}


def test_runs_of_an_assessor_count_as_their_mean() -> None:
    runs = tuple(
        msgspec.structs.replace(judged("a", "judge", "focus", value), run=run + 1)
        for run, value in enumerate((1, 2, 3))
    )
    campaign = Campaign(summaries=SUMMARIES, judgments=(*runs, judged("a", "1", "focus", 5)))
    assert pyramidion.score(campaign, "question.focus").frame["value"].to_list() == [3.5]


def test_one_assessor_can_be_picked() -> None:
    assert values("question(assessor=2).focus") == {("question(assessor=2).focus", "a"): 4.0}


def test_by_default_every_question_and_every_imported_column_is_scored() -> None:
    assert values() == {
        ("question.focus", "a"): 3.0,
        ('question."Is it good?"', "b"): 5.0,
        ('imported."gpt judge"', "a"): 0.25,
    }


def test_whether_high_is_good_can_be_said_of_an_imported_column() -> None:
    table = pyramidion.score(CAMPAIGN, 'imported(better=low)."gpt judge"')
    assert not table.is_higher_better('imported(better=low)."gpt judge"')


def test_missing_judgments_are_counted_not_zero() -> None:
    assert pyramidion.score(CAMPAIGN, "question.focus").unscored == {"question.focus": 1}


def test_scores_from_elsewhere_join_by_topic_and_summarizer(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge\nt,a,0.5\nt,b,\n", encoding="utf-8")
    table = pyramidion.score(CAMPAIGN, "imported.judge", scores=path)
    assert table.frame["value"].to_list() == [0.5]


def test_scores_that_meet_no_summary_are_an_error_with_the_first_name(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge\nu,a,0.5\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"\('u', 'a'\)"):
        pyramidion.score(CAMPAIGN, "imported.judge", scores=path)


def test_a_misspelt_question_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="did you mean focus"):
        pyramidion.score(CAMPAIGN, "question.fokus")
