"""What a peer has and misses, and how hard a topic is. Expected values are worked out by hand from golden weights."""

import math

import pytest

from pyramidion.campaign import Contributor, Pyramid, Scu, Summary, Topic, TopicData
from pyramidion.pyramids.diagnosis import diagnose, difficulty, marked_words
from pyramidion.pyramids.incidence import Annotated, gather
from pyramids.golden import PYRAMIDS, annotation, pyramid


def annotated(name: str, peer: str) -> Annotated:
    """The golden pyramid with one of its peers, and its models as peers."""
    peers = [peer, *PYRAMIDS[name]["models"]]
    summaries = tuple(Summary(topic=name, summarizer=who, kind="peer", text="x") for who in peers)
    data = TopicData(
        topic=Topic(topic=name), peers=summaries, pyramids=(pyramid(name),), annotations=(annotation(name, peer),)
    )
    (found,) = gather(data)
    return found


LOCKERBIE = "lockerbie.peer1.pan"
"""Weights 4, 3, 3, 2, 2, 1, 1, 1, 1; the peer has SCU 1 (weight 4) twice, SCU 5 (weight 2), and another unit."""


@pytest.mark.parametrize(("name", "peer"), [(name, next(iter(PYRAMIDS[name]["peers"]))) for name in PYRAMIDS])
def test_tiers_are_those_of_the_golden_pyramids(name: str, peer: str) -> None:
    tiers = diagnose(annotated(name, peer)).tiers
    assert {str(tier.weight): tier.scus for tier in tiers} == PYRAMIDS[name]["tiers"]
    assert tiers[-1].cumulative_scus == PYRAMIDS[name]["n_scus"]
    assert tiers[0].share is None


def test_shares_of_tiers_by_themselves_and_from_the_top() -> None:
    tiers = diagnose(annotated("lockerbie", LOCKERBIE), LOCKERBIE).tiers
    assert [tier.share for tier in tiers] == [1, 0, 0.5, 0]
    assert [tier.cumulative_share for tier in tiers] == [1, 1 / 3, 2 / 5, 2 / 9]


def test_an_empty_tier_has_no_share() -> None:
    peer = "ferry.peer1.annotator1.pan"
    tier = diagnose(annotated("ferry", peer), peer).tiers[1]
    assert (tier.weight, tier.scus, tier.share) == (4, 0, None)
    assert tier.cumulative_share == 1


def test_what_is_missing_comes_heaviest_first() -> None:
    found = diagnose(annotated("lockerbie", LOCKERBIE), LOCKERBIE)
    assert [scu.uid for scu in found.missing] == [2, 3, 4, 6, 7, 8, 9]
    assert [scu.uid for scu in found.missing_from_top] == [2, 3]  # more than half of four models: weight 3 and up
    assert found.missing[0].models == ("A", "B", "D")


def test_repeats_and_unmatched_units_are_counted() -> None:
    found = diagnose(annotated("lockerbie", LOCKERBIE), LOCKERBIE)
    assert {scu.uid: scu.mentions for scu in found.scus if scu.present} == {1: 2, 5: 1}
    assert found.unmatched == 1


def test_a_model_is_looked_at_in_the_pyramid_of_the_others() -> None:
    """C contributes to eight SCUs, to four of them (6–9) alone: these are not in the pyramid of A, B and D."""
    found = diagnose(annotated("lockerbie", LOCKERBIE), "C")
    assert found.models == ("A", "B", "D")
    assert [(scu.uid, scu.weight) for scu in found.scus] == [(1, 3), (2, 3), (3, 2), (4, 1), (5, 1)]
    assert [scu.uid for scu in found.missing] == [2]
    assert found.unmatched == 4


def test_how_hard_the_topic_is() -> None:
    """Total weight 18 over 9 SCUs, 4 of them of weight 1; X′ = 5, Max(5) = 14 of at most 5 × 4."""
    found = difficulty(annotated("lockerbie", LOCKERBIE))
    assert (found.order, found.scus, found.weight, found.mean_weight) == (4, 9, 18, 2)
    assert found.singletons == pytest.approx(4 / 9)
    assert (found.x_average, found.max_average) == (5, 14)
    assert found.consensus == pytest.approx(14 / 20)
    assert found.peers == 1
    assert found.peers_mean == pytest.approx(6 / 14)
    assert found.models_mean == pytest.approx(PYRAMIDS["lockerbie"]["model_jackknife_mean"]["modified"], abs=1e-6)


def test_without_annotated_peers_their_mean_is_not_known() -> None:
    summaries = tuple(Summary(topic="ferry", summarizer=who, kind="model", text="x") for who in "ABCDE")
    data = TopicData(topic=Topic(topic="ferry"), peers=summaries, pyramids=(pyramid("ferry"),))
    (found,) = gather(data)
    assert math.isnan(difficulty(found).peers_mean)


@pytest.mark.parametrize(
    ("contributor", "words"),
    [
        (Contributor(model="A", parts=((4, 9),)), "ferry"),
        (Contributor(model="A", parts=((21, 25), (4, 9))), "ferry … fire"),
        (Contributor(model="A", parts=((0, 15),)), "The ferry caugh"),
        (Contributor(model="A", parts=((4, 9),), label="the  ferry\nŻuraw"), "the ferry Żuraw"),
        (Contributor(model="A", parts=((90, 95),)), ""),
        (Contributor(model="A"), ""),
    ],
)
def test_the_words_of_a_contributor_are_those_of_its_parts_in_order_or_of_its_label(
    contributor: Contributor, words: str
) -> None:
    assert marked_words(contributor, "The ferry\ncaught any fire") == words


def test_an_scu_has_the_wording_of_each_model_in_the_pyramid() -> None:
    """The model D contributes twice; B contributes without marking words; the peer is model A, whose words are left out."""
    texts = {"A": "fire at sea", "B": "a blaze", "D": "flames, then fire"}
    models = tuple(Summary(topic="t", summarizer=name, kind="model", text=text) for name, text in texts.items())
    contributors = (
        Contributor(model="A", parts=((0, 4),)),
        Contributor(model="B"),
        Contributor(model="D", parts=((0, 6),)),
        Contributor(model="D", parts=((13, 17),)),
    )
    scus = (
        Scu(uid=1, label="It burned", contributors=contributors),
        Scu(uid=2, label="B", contributors=contributors[1:2]),
    )
    pyramid_of_three = Pyramid(topic="t", models=tuple(texts), scus=scus)
    (gathered,) = gather(TopicData(topic=Topic(topic="t"), models=models, peers=models, pyramids=(pyramid_of_three,)))
    assert [scu.wordings for scu in diagnose(gathered).scus] == [("fire", "", "flames / fire"), ()]
    assert diagnose(gathered, "A").scus[0].wordings == ("", "flames / fire")
