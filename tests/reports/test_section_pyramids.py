"""Pyramids: tiers, what is missing, what nobody says; counted by hand on a pyramid of two topics."""

import pytest

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.present import pyramids
from pyramidion.present.section import Block, Section
from pyramidion.pyramids import coverage
from pyramidion.reports.sections import make_pyramids
from pyramidion.show.tables import Table
from reports.sections_under_test import cells, context_of, records_of, table_of

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"

# Topic, uid, label, models that have it. With three models the top tiers begin at weight 2.
SCUS = {
    "t1": [(1, "the ferry burned", "ABC"), (2, "nobody was hurt", "AB"), (3, HOSTILE, "BC"), (4, "it was old", "A")],
    "t2": [(1, "the king fell", "ABC"), (2, "rain fell", "C"), (3, "a horse ran", "B")],
}
HAVE = {"t1": {"x": [1, 2], "y": [1, 4]}, "t2": {"x": [1], "y": [2]}}
"""Of the top tiers x has 3 of 4, y 1 of 4; the SCU 3 of t1 nobody has."""


def campaign() -> Campaign:
    return Campaign(
        topics=(Topic(topic="t1", title="Ferry"), Topic(topic="t2")),
        summarizers={"y": Summarizer(name="lead")},
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who in "ABC" else "peer", text="a text")
            for topic in SCUS
            for who in "ABCxy"
        ),
        pyramids=tuple(
            Pyramid(
                topic=topic,
                models=("A", "B", "C"),
                scus=tuple(
                    Scu(uid=uid, label=label, contributors=tuple(Contributor(model=model) for model in models))
                    for uid, label, models in scus
                ),
            )
            for topic, scus in SCUS.items()
        ),
        annotations=tuple(
            PeerAnnotation(topic=topic, summarizer=who, scus=tuple(Match(uid=uid) for uid in uids), unmatched=())
            for topic, found in HAVE.items()
            for who, uids in found.items()
        ),
    )


@pytest.fixture(scope="module")
def section() -> Section:
    made = make_pyramids(context_of(campaign()))
    assert made is not None
    return made


def missing(section: Section, name: str) -> Table:
    (table,) = next(one for one in section.parts if (one.group, one.about) == ("summarizer", name)).blocks
    assert isinstance(table, Table)
    return table


def test_shares_of_the_top_tiers_are_counted_over_topics(section: Section) -> None:
    shares = table_of(section, "pyramid-share")
    assert cells(shares, "top SCUs expressed", by="summarizer") == {"x": 3, "lead (y)": 1}
    assert cells(shares, "top SCUs", by="summarizer") == {"x": 4, "lead (y)": 4}
    assert cells(shares, "weight 3, %", by="summarizer") == {"x": 100, "lead (y)": 50}
    assert cells(shares, "weight 1, %", by="summarizer") == {"x": 0, "lead (y)": pytest.approx(200 / 3)}
    assert "x expresses 75 % of them (3 of 4), the most; lead (y) expresses the fewest, 25 %." in section.sentences[2]


def test_what_is_missing_comes_heaviest_first_then_what_most_others_have(section: Section) -> None:
    rows = [tuple(row) for row in missing(section, "lead (y)").rows]
    assert [(row[2], row[4], row[1]) for row in rows] == [(3, 1, "t2"), (2, 1, "t1"), (2, 0, "t1")]
    assert [row[0] for row in rows] == ["the king fell", "nobody was hurt", HOSTILE]
    assert len(missing(section, "x").rows) == 1


def test_what_nobody_says_is_said(section: Section) -> None:
    assert section.sentences[3].startswith("One of the 4 top SCUs is expressed by no summarizer")
    first = table_of(section, "pyramid-top-scu").rows[0]
    assert first[0] == HOSTILE
    assert first[4] == 0


def test_the_topic_on_which_models_agree_least_is_the_hardest(section: Section) -> None:
    # t1: X′ = 8/3 → 3, the three heaviest weigh 3 + 2 + 2 = 7 of 9; t2: X′ = 5/3 → 2, 3 + 1 = 4 of 6.
    consensus = cells(table_of(section, "pyramid-topic"), "consensus", by="topic")
    assert list(consensus.items()) == [("t2", pytest.approx(4 / 6)), ("t1", pytest.approx(7 / 9))]
    assert section.sentences[1].startswith(
        "The references agree least on t2 and most on t1: in an optimal summary, the average SCU appears in 67 %"
    )


def test_a_topic_is_chosen_and_shows_its_tiers_with_what_they_say(section: Section) -> None:
    shown = [one for one in section.parts if one.group == "topic"]
    assert [one.about for one in shown] == ["t2", "t1: Ferry"]
    assert [[type(block) for block in one.blocks] for one in shown] == [[Block, Table]] * 2
    figure, table = shown[1].blocks
    assert isinstance(figure, Block)
    assert "1 of weight 3, 2 of weight 2, 1 of weight 1" in figure.values["alt"]
    assert figure.values["tiers"] == [(3, 1), (2, 2), (1, 1)]
    assert isinstance(table, Table)
    assert cells(table, "summarizers that express it", by="uid") == {1: 2, 2: 1, 3: 0, 4: 1}


def test_hardness_is_that_of_the_command() -> None:
    made = make_pyramids(context_of("demo", "pyramid.modified"))
    assert made is not None
    records = records_of(made.commands[0])
    table = table_of(made, "pyramid-topic")
    assert cells(table, "consensus", by="topic") == {one["topic"]: one["consensus"] for one in records}
    assert cells(table, "mean score of summarizers", by="topic") == {one["topic"]: one["peers_mean"] for one in records}
    assert [row[0] for row in table.rows] == [one["topic"] for one in records]


def test_what_a_summarizer_misses_is_that_of_the_command() -> None:
    made = make_pyramids(context_of("demo", "pyramid.modified"))
    assert made is not None
    peer = made.commands[2].rpartition(" ")[2]
    scus = [one for one in records_of(made.commands[2]) if one["record"] == "pyramid-scu" and one["weight"] >= 3]
    shown = next(
        row for row in table_of(made, "pyramid-share").rows if str(row[0]).rpartition("(")[2].rstrip(")") == peer
    )
    assert tuple(shown[2:4]) == (sum(one["present"] for one in scus), len(scus))


def test_of_many_pyramids_the_hardest_and_easiest_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyramids, "MOST_DRAWN", 1)
    monkeypatch.setattr(pyramids, "DRAWN_AT_ENDS", 1)
    monkeypatch.setattr(coverage, "MOST_DIAGNOSES", 100)
    made = make_pyramids(context_of("demo", "pyramid.modified"))
    assert made is not None
    hard = [row[0] for row in table_of(made, "pyramid-topic").rows]
    drawn = [one.about.split(":")[0] for one in made.parts if one.group == "topic"]
    assert drawn == [hard[0], hard[-1]]
    assert any("lowest and the one with the highest consensus of 11" in note for note in made.notes)
    assert any(
        "the 5 of 11 pyramids with the lowest consensus" in note for note in table_of(made, "pyramid-share").notes
    )  # 20 peers on a topic


def test_humans_are_measured_by_the_models_of_the_others() -> None:
    made = make_pyramids(context_of(campaign(), "pyramid.modified", peers="humans"))
    assert made is not None
    # Without A's own model (two models: top from 2) t1 leaves weights 2, 1, 2, t2 leaves 2, 1, 1. A has SCU 1 of both.
    shares = table_of(made, "pyramid-share")
    assert cells(shares, "top SCUs", by="summarizer")["A"] == 3
    assert cells(shares, "top SCUs expressed", by="summarizer")["A"] == 2


def test_who_wrote_the_models_does_not_count_among_those_who_say_an_scu() -> None:
    made = make_pyramids(context_of(campaign(), "pyramid.modified", peers="all"))
    assert made is not None
    first = table_of(made, "pyramid-top-scu").rows[0]
    assert (first[0], *first[4:]) == (HOSTILE, 0, 2)


def test_without_pyramids_there_is_no_section() -> None:
    judged = Campaign(
        summaries=campaign().summaries,
        judgments=tuple(
            Judgment(topic="t1", summarizer=who, question="focus", assessor="1", value=3) for who in ("x", "y")
        ),
    )
    assert make_pyramids(context_of(judged)) is None
