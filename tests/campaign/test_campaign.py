"""The campaign in memory: topics, peers of choice, kinds, conditions."""

from __future__ import annotations

import pytest

from pyramidion.campaign import Campaign, Judgment, Question, QuestionSet, Summarizer, Summary, Topic, plain
from pyramidion.campaign.campaign import PeerChoice
from pyramidion.errors import UsageError
from pyramidion.scores import Score, ScoreTable


def summary(topic: str, summarizer: str, kind: str) -> Summary:
    return Summary(topic=topic, summarizer=summarizer, kind="model" if kind == "model" else "peer", text="words")


CAMPAIGN = Campaign(
    topics=(
        Topic(topic="D1", part="A", parent="D", attributes={"granularity": "specific", "year": 2005, "hard": True}),
        Topic(topic="D2", part="B", parent="D", attributes={"granularity": "general"}),
    ),
    summarizers={
        "27": Summarizer(name="lcc.duc06"),
        "1": Summarizer(kind="baseline"),
        "H": Summarizer(kind="human"),
    },
    summaries=(
        summary("D1", "A", "model"),
        summary("D1", "B", "model"),
        summary("D1", "27", "peer"),
        summary("D1", "1", "peer"),
        summary("D1", "H", "peer"),
        summary("D2", "B", "model"),
        summary("D2", "A", "peer"),
        summary("D2", "27", "peer"),
    ),
    questions=QuestionSet((Question(name="fluency"), Question(name="overall"))),
    judgments=(
        Judgment(topic="D2", summarizer="27", question="extra", value=1),
        Judgment(topic="D1", summarizer="27", question="overall", value=3),
        Judgment(topic="D1", summarizer="27", question="fluency", value=4),
    ),
    imported=ScoreTable.of([Score(measure="judge", topic="D2", summarizer="27", value=0.5)]),
)


@pytest.mark.parametrize(
    ("peers", "first", "second"),
    [
        ("systems", ["27", "1"], ["27"]),
        ("humans", ["A", "B", "H"], ["B", "A"]),
        ("all", ["A", "B", "27", "1", "H"], ["B", "A", "27"]),
    ],
)
def test_peers_are_those_asked_for(peers: PeerChoice, first: list[str], second: list[str]) -> None:
    chosen = [[peer.summarizer for peer in data.peers] for data in CAMPAIGN.each_topic(peers=peers)]
    assert chosen == [first, second]


def test_systems_are_the_peers_by_default_and_models_are_always_there() -> None:
    data = CAMPAIGN.topic("D1")
    assert [peer.summarizer for peer in data.peers] == ["27", "1"]
    assert [model.summarizer for model in data.models] == ["A", "B"]


def test_a_topic_holds_what_is_said_about_it_and_nothing_else() -> None:
    data = CAMPAIGN.topic("D2")
    assert data.topic.part == "B"
    assert [judgment.question for judgment in data.judgments] == ["extra"]
    assert [score.measure for score in data.imported] == ["judge"]


def test_an_unknown_topic_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no topic 'D7'"):
        CAMPAIGN.topic("D7")


def test_a_kind_is_declared_or_follows_from_having_written_models() -> None:
    kinds = {name: CAMPAIGN.kind_of(name) for name in ("27", "1", "H", "A", "B", "unheard of")}
    assert kinds == {
        "27": "participant",
        "1": "baseline",
        "H": "human",
        "A": "human",
        "B": "human",
        "unheard of": "participant",
    }


def test_a_name_is_the_declared_one_or_the_id() -> None:
    assert [CAMPAIGN.name_of(id) for id in ("27", "1", "A")] == ["lcc.duc06", "1", "A"]


@pytest.mark.parametrize(
    ("conditions", "kept"),
    [
        ({}, ["D1", "D2"]),
        ({"part": "A"}, ["D1"]),
        ({"parent": "D"}, ["D1", "D2"]),
        ({"topic": "D2"}, ["D2"]),
        ({"granularity": "general"}, ["D2"]),
        ({"year": "2005"}, ["D1"]),
        ({"hard": "true"}, ["D1"]),
        ({"parent": "D", "granularity": "specific"}, ["D1"]),
    ],
)
def test_where_keeps_the_topics_that_fit(conditions: dict[str, str], kept: list[str]) -> None:
    part = CAMPAIGN.where(conditions)
    assert list(part.topic_ids) == kept
    for nouns in (part.summaries, part.judgments, part.imported):
        assert {noun.topic for noun in nouns} <= set(kept)
    assert part.summarizers == CAMPAIGN.summarizers


@pytest.mark.parametrize("conditions", [{"part": "C"}, {"colour": "red"}, {"part": "A", "granularity": "general"}])
def test_where_without_any_fitting_topic_leaves_nothing(conditions: dict[str, str]) -> None:
    assert CAMPAIGN.where(conditions).topic_ids == ()


def test_where_finds_topics_that_only_occur() -> None:
    campaign = Campaign(
        summaries=(summary("t1", "A", "peer"), summary("t2", "A", "peer")),
        imported=ScoreTable.of([Score(measure="m", topic="t3", summarizer="A", value=1)]),
    )
    assert campaign.where({"topic": "t1"}).topic_ids == ("t1",)
    assert campaign.where({"topic": "t3"}).topic_ids == ("t3",)
    assert campaign.where({"part": "A"}).topic_ids == ()


def test_questions_come_in_declared_order_then_as_they_appear() -> None:
    assert CAMPAIGN.question_names == ("fluency", "overall", "extra")


def test_topics_are_declared_ones_first_then_those_that_occur() -> None:
    campaign = Campaign(
        topics=(Topic(topic="D2"),),
        summaries=(summary("D1", "A", "peer"), summary("D2", "A", "peer")),
        imported=ScoreTable.of([Score(measure="m", topic="D3", summarizer="A", value=1)]),
    )
    assert campaign.topic_ids == ("D2", "D1", "D3")
    assert campaign.topic("D3").topic == Topic(topic="D3")


def test_known_sentences_become_lines() -> None:
    assert plain(("One.", "Two.")) == "One.\nTwo."
    assert plain("One. Two.") == "One. Two."
