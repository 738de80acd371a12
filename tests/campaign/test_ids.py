"""Ids join by one rule: the same spelling first, else the only one that differs in case or is the same whole number."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Coverage,
    Judgment,
    PeerAnnotation,
    Preference,
    Problems,
    Pyramid,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.ids import IdSpellings, respell_ids
from pyramidion.scores import Score, ScoreTable


@pytest.mark.parametrize(
    ("ids", "id", "meant"),
    [
        (["D0601", "D0602"], "D0601", "D0601"),
        (["D0601", "D0602"], "d0601", "D0601"),
        (["D0601"], "D0603", None),
        (["1"], "1.0", "1"),
        (["1.0"], "1", "1.0"),
        (["1"], "1.00", "1"),
        (["1"], "1.5", None),
        (["1"], "01.0", None),
        (["1", "1.0"], "1.00", None),  # both would do
        (["a", "A"], "a", "a"),
        (["ab", "aB"], "AB", None),
        (["STRASSE"], "straße", "STRASSE"),
        ([], "x", None),
    ],
)
def test_the_id_that_is_meant(ids: Sequence[str], id: str, meant: str | None) -> None:
    assert IdSpellings(ids).find(id) == meant


def test_a_summary_is_found_by_both_of_its_ids() -> None:
    spellings = IdSpellings([("D1", "gpt"), ("D1", "GPT"), ("D2", "gpt")])
    assert spellings.find(("d2", "Gpt")) == ("D2", "gpt")
    assert spellings.find(("d1", "gpt")) is None


def test_whatever_names_a_topic_or_a_summarizer_is_spelled_as_the_campaign_spells_it() -> None:
    campaign = Campaign(
        topics=(Topic(topic="D1"),),
        summaries=tuple(Summary(topic="D1", summarizer=id, kind="peer", text="x") for id in ("sysA", "sysB", "Ann")),
    )
    scu = Scu(uid=1, label="a", contributors=(Contributor(model="ann"),))
    incoming = Campaign(
        summarizers={"SYSA": Summarizer(name="First"), "new": Summarizer(name="New")},
        topics=(Topic(topic="d1", title="Storms"),),
        summaries=(Summary(topic="d1", summarizer="new", kind="peer", text="y"),),
        judgments=(Judgment(topic="d1", summarizer="SYSA", question="q", value=1),),
        preferences=(Preference(topic="d1", a="SYSA", b="sysb", choice="a"),),
        pyramids=(Pyramid(topic="d1", models=("ann",), scus=(scu,)),),
        annotations=(PeerAnnotation(topic="d1", summarizer="sysb", scus=()),),
        coverage=(Coverage(topic="d1", summarizer="SYSA", model="ann", units=()),),
        imported=ScoreTable.of([Score("m", "d1", "SYSA", 1.0)]),
    )
    problems = Problems()
    joined = respell_ids(incoming, campaign, problems)
    assert list(joined.summarizers) == ["sysA", "new"]
    assert [topic.topic for topic in joined.topics] == ["D1"]
    assert [(row.topic, row.summarizer) for row in joined.summaries] == [("D1", "new")]
    assert [(row.topic, row.summarizer) for row in joined.judgments] == [("D1", "sysA")]
    assert [(row.topic, row.a, row.b) for row in joined.preferences] == [("D1", "sysA", "sysB")]
    (pyramid,) = joined.pyramids
    assert (pyramid.topic, pyramid.models, pyramid.scus[0].contributors[0].model) == ("D1", ("Ann",), "Ann")
    assert [(row.topic, row.summarizer) for row in joined.annotations] == [("D1", "sysB")]
    assert [(row.topic, row.summarizer, row.model) for row in joined.coverage] == [("D1", "sysA", "Ann")]
    assert [(score.topic, score.summarizer) for score in joined.imported] == [("D1", "sysA")]
    assert problems.remarks == [
        "1 topic spelled as in the campaign, such as 'D1' for 'd1'",
        "3 summarizers spelled as in the campaign, such as 'sysA' for 'SYSA'",
    ]


def test_a_campaign_that_is_spelled_the_same_stays_as_it_is() -> None:
    campaign = Campaign(summaries=(Summary(topic="D1", summarizer="A", kind="peer", text="x"),))
    problems = Problems()
    assert respell_ids(campaign, campaign, problems) is campaign
    assert problems.remarks == []
