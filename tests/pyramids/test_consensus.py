"""A consensus of annotators: scores prefer it, agreement leaves it out."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary, TopicData
from pyramidion.campaign.nouns import pyramid_of
from pyramidion.errors import InputError
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.pyramids.incidence import gather
from pyramidion.pyramids.reliability.agreement import measure_agreement, topic_agreement
from pyramidion.studies.orders import study_orders

TEXT = "The ferry sank at night. Nobody drowned."
SUMMARIES = tuple(
    Summary(topic="t", summarizer=who, kind="model" if who in "MN" else "peer", text=TEXT) for who in ("M", "N", "1")
)


def pyramid(annotator: str, *scus: str, consensus: bool = False) -> Pyramid:
    """SCUs by the models that contribute to them."""
    return Pyramid(
        topic="t",
        annotator=annotator,
        models=("M", "N"),
        consensus=consensus,
        scus=tuple(
            Scu(uid=uid, label="x", contributors=tuple(Contributor(model=who, parts=((0, 9),)) for who in models))
            for uid, models in enumerate(scus, start=1)
        ),
    )


def annotation(annotator: str, *uids: int, against: str | None = None, consensus: bool = False) -> PeerAnnotation:
    scus = tuple(Match(uid=uid, contributors=(((0, 9),),)) for uid in uids)
    return PeerAnnotation(
        topic="t", summarizer="1", annotator=annotator, scus=scus, pyramid=against, consensus=consensus, unmatched=()
    )


def campaign(pyramids: list[Pyramid], annotations: list[PeerAnnotation]) -> Campaign:
    return Campaign(summaries=SUMMARIES, pyramids=tuple(pyramids), annotations=tuple(annotations))


BY_TWO = [pyramid("X", "MN", "M"), pyramid("Y", "M", "N")]
AGREED = pyramid("both", "MN", "N", consensus=True)


def scored(topic: TopicData, annotator: str | None = None) -> list[tuple[str, str, tuple[str, ...]]]:
    """Who made the pyramid, who used it, and the peers that it scores."""
    return [(one.pyramid.annotator, one.annotator, one.incidence.peers) for one in gather(topic, annotator=annotator)]


def test_without_a_consensus_everyone_is_scored() -> None:
    topic = campaign(BY_TWO, [annotation("X", 1), annotation("Y", 2)]).topic("t", peers="all")
    assert scored(topic) == [("X", "X", ("1", "M", "N")), ("Y", "Y", ("1", "M", "N"))]


def test_a_consensus_pyramid_replaces_those_it_is_made_of() -> None:
    matched = [annotation("X", 1), annotation("Y", 2), annotation("X2", 1, against="both")]
    topic = campaign([*BY_TWO, AGREED], matched).topic("t", peers="all")
    assert scored(topic) == [("both", "both", ("M", "N")), ("both", "X2", ("1",))]
    assert scored(topic, "X") == [("X", "X", ("1", "M", "N"))]  # unless an annotator is asked for


def test_a_consensus_annotation_replaces_those_of_its_peer() -> None:
    matched = [annotation("X", 1), annotation("Y", 1, 2), annotation("both", 1, consensus=True)]
    one = replace(campaign([BY_TWO[0]], matched).topic("t"), pyramids=(BY_TWO[0],))
    assert scored(one) == [("X", "both", ("1",))]
    value = PyramidMeasure().evidence(one)
    assert value is not None
    original = value.statistics.index("original")
    assert value.values(np.ones((1, 2), dtype=np.bool_))[0, 0, original] == pytest.approx(1.0)  # D = 2 of Max(1) = 2


def test_a_peer_without_a_consensus_keeps_its_scores() -> None:
    matched = [annotation("X", 1), annotation("Y", 2)]
    topic = campaign([*BY_TWO, AGREED], matched).topic("t")
    assert scored(topic) == [("X", "X", ("1",)), ("Y", "Y", ("1",))]


def test_whoever_made_no_pyramid_used_the_consensus() -> None:
    assert pyramid_of(annotation("Z"), [*BY_TWO, AGREED]) == AGREED
    assert pyramid_of(annotation("X"), [*BY_TWO, AGREED]) == BY_TWO[0]
    assert pyramid_of(annotation("Z"), BY_TWO) is None


def test_a_consensus_never_counts_as_a_coder() -> None:
    two = campaign(BY_TWO, []).topic("t", peers="all")
    three = campaign([*BY_TWO, AGREED], []).topic("t", peers="all")
    assert [one.fields() for one in topic_agreement(three)] == [one.fields() for one in topic_agreement(two)]
    alone = campaign([BY_TWO[0], AGREED], [annotation("X", 1), annotation("both", 1, against="X", consensus=True)])
    with pytest.raises(InputError, match="two annotators"):
        measure_agreement([("alone", alone)])


def test_two_annotators_of_peers_may_use_the_consensus_pyramid() -> None:
    matched = [annotation("X", 1, against="both"), annotation("Y", 2, against="both")]
    found = topic_agreement(campaign([*BY_TWO, AGREED], matched).topic("t", peers="all"))
    assert {one.annotators for one in found if one.unit == "presence"} == {("X", "Y")}


def test_orders_are_studied_on_the_consensus() -> None:
    names = ("M", "N", "O")
    models = tuple(Summary(topic="t", summarizer=who, kind="model", text=TEXT) for who in names)
    three = tuple(msgspec.structs.replace(one, models=names) for one in (*BY_TWO, AGREED))
    found = study_orders(Campaign(summaries=models, pyramids=three))
    assert {row.annotator for row in found.optimal} == {"both"}
