"""`compare(fragility=True)`: without which topics another system would lead, or a verdict would be another."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Judgment, Summary, Topic
from pyramidion.errors import UsageError
from pyramidion.present.comparison.fragility import fragility_sentence
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.fragility import Fragility


def table(values: np.ndarray, *, higher_is_better: bool = True) -> ScoreTable:
    rows, columns = np.nonzero(~np.isnan(values))
    return ScoreTable.from_columns(
        measure=["m"] * len(rows),
        topic=[f"t{column}" for column in columns],
        summarizer=["abcdefgh"[row] for row in rows],
        value=list(values[rows, columns]),
        higher_is_better={"m": higher_is_better},
    )


def rows_of(values: np.ndarray, *, higher_is_better: bool = True, **options: object) -> list[Fragility]:
    comparison = compare(table(values, higher_is_better=higher_is_better), fragility=True, **options)  # type: ignore[arg-type]
    return list(comparison.fragility_on("m"))


def test_the_leader_and_the_topics_are_named() -> None:
    values = np.array([[9.0, 2, 2, 2], [3, 3, 3, 3.5], [0, 1, 1, 0]])
    (winner,) = rows_of(values)
    assert (winner.kind, winner.a, winner.b, winner.topics, winner.n, winner.exact) == (
        "winner",
        "a",
        "b",
        ("t0",),
        1,
        True,
    )
    assert fragility_sentence(winner, str) == "Without topic t0, b would lead."


def test_where_lower_is_better_the_lowest_leads() -> None:
    values = -np.array([[9.0, 2, 2, 2], [3, 3, 3, 3.5], [0, 1, 1, 0]])
    (winner,) = rows_of(values, higher_is_better=False)
    assert (winner.a, winner.b, winner.topics) == ("a", "b", ("t0",))


def test_equal_leaders_need_no_removal_and_a_leader_on_every_topic_none_that_exists() -> None:
    (tied,) = rows_of(np.array([[2.0, 1], [1.0, 2], [0.0, 0.5]]))
    assert (tied.n, tied.topics, tied.leaders) == (0, (), ("a", "b"))
    assert fragility_sentence(tied, str) == "a and b share the lead: no topic has to be removed to change it."
    (clear,) = rows_of(np.array([[2.0, 3, 4], [1.0, 2, 4], [0.0, 0.5, 3]]))
    assert clear.n is None
    assert "whichever topics are removed" in fragility_sentence(clear, str)
    assert "no other system is ahead" in clear.reason


def fewest_for_verdict(values: np.ndarray, verdict: str) -> int | None:
    """By trying all sets of at most half of the topics, with `compare` itself."""
    topics = values.shape[1]
    for size in range(1, topics // 2 + 1):
        for removed in combinations(range(topics), size):
            pair = compare(table(np.delete(values, removed, axis=1)), pair=("a", "b"), permutations=1).pairs[0]
            if pair.verdict != verdict:
                return size
    return None


@pytest.mark.parametrize("seed", range(8))
def test_verdicts_are_verified_and_rarely_need_more_topics_than_the_fewest(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(2, 8)) + np.array([[0.4 * (seed % 4)], [0.0]])
    _, verdict = rows_of(values, pair=("a", "b"))
    pair = compare(table(values), pair=("a", "b")).pairs[0]
    assert verdict.before == pair.verdict
    expected = fewest_for_verdict(values, pair.verdict)
    if verdict.n is None:
        assert expected is None
        return
    removed = [int(topic[1:]) for topic in verdict.topics]
    again = compare(table(np.delete(values, removed, axis=1)), pair=("a", "b")).pairs[0]
    assert again.verdict == verdict.after != verdict.before
    assert expected is not None
    assert expected <= verdict.n <= expected + 1  # greedy
    assert verdict.exact == (verdict.n == 1)


def test_several_pairs_are_corrected_again_and_missing_scores_are_greedy() -> None:
    generator = np.random.default_rng(5)
    values = generator.normal(size=(3, 14)) + np.array([[1.0], [0.2], [0.0]])
    values[1, 2] = np.nan
    winner, *verdicts = rows_of(values, all_pairs=True)
    assert not winner.exact
    assert len(verdicts) == 3
    before = compare(table(values), all_pairs=True).pairs
    for place, row in enumerate(verdicts):
        assert row.before == before[place].verdict
        if row.n:
            kept = np.delete(values, [int(topic[1:]) for topic in row.topics], axis=1)
            assert compare(table(kept), all_pairs=True).pairs[place].verdict == row.after


@pytest.mark.parametrize("options", [{"method": "sign-flip"}, {"margin": ["0.5"]}])
def test_other_tests_and_margins_are_fitted_again_as_they_are(options: dict[str, object]) -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(size=(2, 10)) + np.array([[0.9], [0.0]])
    _, row = rows_of(values, pair=("a", "b"), **options)  # type: ignore[arg-type]
    assert row.n
    kept = np.delete(values, [int(topic[1:]) for topic in row.topics], axis=1)
    again = compare(table(kept), pair=("a", "b"), **options).pairs[0]  # type: ignore[arg-type]
    assert again.verdict == row.after != row.before


def test_random_assessors_are_fitted_again_and_who_leads_takes_them_as_given() -> None:
    generator = np.random.default_rng(0)
    judgments = [
        Judgment(
            topic=f"t{topic}",
            summarizer=system,
            assessor=assessor,
            question="q",
            value=int(np.clip(round(3 + shift + generator.normal()), 1, 5)),
        )
        for topic in range(8)
        for system, shift in (("a", 0.7), ("b", 0.0))
        for assessor in ("x", "y", "z")
    ]
    topics = tuple(Topic(topic=f"t{topic}") for topic in range(8))
    summaries = tuple(
        Summary(topic=topic.topic, summarizer=system, kind="peer", text="some text")
        for topic in topics
        for system in "ab"
    )
    campaign = Campaign(topics=topics, judgments=tuple(judgments), summaries=summaries)
    comparison = compare(campaign, "question.q", fragility=True)
    winner, verdict = comparison.fragility_on("question.q")
    assert "assessors taken as given" in winner.note
    assert verdict.before == comparison.pairs[0].verdict


def test_descriptions_have_no_winner_and_looking_early_is_refused() -> None:
    comparison = compare("demo", "length", fragility=True)
    assert not comparison.fragility_on(comparison.measures[0])
    with pytest.raises(UsageError, match="can't be combined"):
        compare(table(np.eye(2)), pair=("a", "b"), sequential=True, fragility=True)


def test_records_come_only_when_asked_for() -> None:
    plain = compare("demo", "rouge-2.recall")
    assert not [row for row in plain.rows() if row.record == "fragility"]
    asked = compare("demo", "rouge-2.recall", fragility=True)
    (record,) = asked.records("fragility")
    # D04, D07 and D08 are those in which system 16 is furthest ahead of system 6.
    assert record["topics"] == ["D04", "D07", "D08"]
    assert record["after"] == "6"
