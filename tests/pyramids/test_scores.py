"""Scores at the edges: nothing to count, nothing marked, nobody left. Expected values are worked out by hand."""

import numpy as np
import pytest

from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary, Topic, TopicData
from pyramidion.pyramids.incidence import Incidence, gather
from pyramidion.pyramids.scores import score_order, score_subsets


def scu(uid: int, models: str) -> Scu:
    return Scu(uid=uid, label=f"SCU {uid}", contributors=tuple(Contributor(model=model) for model in models))


def peer(*matches: Match, unmatched: int | None = 0, name: str = "p", annotator: str = "") -> PeerAnnotation:
    units = None if unmatched is None else ((),) * unmatched
    return PeerAnnotation(topic="t", summarizer=name, scus=matches, unmatched=units, annotator=annotator)


PYRAMID = Pyramid(topic="t", models=("A", "B", "C"), scus=(scu(1, "ABC"), scu(2, "AB"), scu(3, "C"), scu(4, "")))


def scores_of(annotation: PeerAnnotation, pyramid: Pyramid = PYRAMID) -> dict[str, float]:
    incidence = Incidence.of(pyramid, [annotation])
    scores = score_subsets(incidence, incidence.everyone)
    return {name: getattr(scores, name)[0, 0] for name in ("matched", "size", "original", "modified", "comprehensive")}


def test_a_peer_without_content_scores_0() -> None:
    assert scores_of(peer()) == {"matched": 0, "size": 0, "original": 0, "modified": 0, "comprehensive": 0}


def test_repeats_and_unmatched_units_count_in_x_but_not_in_d() -> None:
    """SCU 1 said three times and two other units: D = 3, X = 5, Max = 6; X′ = 2, Max′ = 5."""
    found = scores_of(peer(Match(uid=1, contributors=((), (), ())), unmatched=2))
    assert (found["matched"], found["size"]) == (3, 5)
    assert found["original"] == 3 / 6
    assert found["modified"] == 3 / 5


def test_without_marked_non_matching_content_only_the_modified_score_is_there() -> None:
    incidence = Incidence.of(PYRAMID, [peer(Match(uid=1), unmatched=None)])
    scores = score_subsets(incidence, incidence.everyone)
    assert np.isnan([scores.size[0, 0], scores.original[0, 0], scores.comprehensive[0, 0]]).all()
    assert scores.modified[0, 0] == 3 / 5
    assert "not marked" in scores.reason(0)


def test_the_modified_score_may_pass_1() -> None:
    assert scores_of(peer(Match(uid=1), Match(uid=2), Match(uid=3)))["modified"] == 6 / 5


def test_an_scu_that_is_not_present_is_not_matched() -> None:
    assert scores_of(peer(Match(uid=1, present=False, contributors=((),))))["size"] == 0


def test_an_scu_that_the_pyramid_lacks_is_a_unit_that_matches_nothing() -> None:
    found = scores_of(peer(Match(uid=99)))
    assert (found["matched"], found["size"], found["original"]) == (0, 1, 0)


def test_a_pyramid_without_scus_scores_0() -> None:
    empty = Pyramid(topic="t", models=("A",), scus=())
    assert scores_of(peer(unmatched=2), empty)["original"] == 0
    assert scores_of(peer(unmatched=2), empty)["modified"] == 0


def test_two_contributors_of_one_model_count_it_once() -> None:
    twice = Pyramid(topic="t", models=("A", "B"), scus=(scu(1, "AAB"),))
    incidence = Incidence.of(twice, models_as_peers=["A"])
    assert incidence.weights(incidence.everyone).tolist() == [[2]]
    assert incidence.sizes.tolist() == [1]


def test_a_model_of_weight_lost_counts_as_non_matching() -> None:
    """Without C, SCU 3 has no weight: C's X stays 2, D = 2, Max(2) = 2 + 2 (paper: X of the peer stays)."""
    incidence = Incidence.of(PYRAMID, models_as_peers=["C"])
    scores = score_subsets(incidence, incidence.everyone)
    assert scores.order[0, 0] == 2
    assert (scores.matched[0, 0], scores.size[0, 0], scores.best[0, 0]) == (2, 2, 4)


def test_a_single_model_can_not_be_scored_without_itself() -> None:
    alone = Pyramid(topic="t", models=("A",), scus=(scu(1, "A"),))
    incidence = Incidence.of(alone, models_as_peers=["A"])
    scores = score_subsets(incidence, incidence.everyone)
    assert np.isnan(scores.modified[0, 0])
    assert scores.reason(0) == "no model is left in the pyramid"
    assert score_subsets(incidence, incidence.everyone, include_self=True).modified[0, 0] == 1


def test_a_model_has_no_mean_over_subsets_as_large_as_the_pyramid() -> None:
    incidence = Incidence.of(PYRAMID, [peer(Match(uid=1))], models_as_peers=["A"])
    scores = score_order(incidence, 3)
    assert scores.modified[0, 0] == 3 / 5
    assert np.isnan(scores.modified[0, 1])
    assert scores.reason(1) == "fewer than 3 models are left for a pyramid of this order"
    assert (scores.order[0, 1], scores.size[0, 1]) == (3, 2)  # A has SCUs 1 and 2, whatever scores it


def topic(*pyramids: Pyramid, annotations: tuple[PeerAnnotation, ...], peers: str = "p") -> TopicData:
    summaries = tuple(Summary(topic="t", summarizer=who, kind="peer", text="x") for who in peers)
    return TopicData(topic=Topic(topic="t"), peers=summaries, pyramids=pyramids, annotations=annotations)


def test_an_annotation_belongs_to_the_pyramid_it_names_else_to_its_annotators() -> None:
    first = Pyramid(topic="t", annotator="1", models=("A",), scus=(scu(1, "A"),))
    second = Pyramid(topic="t", annotator="2", models=("A", "B"), scus=(scu(1, "AB"),))
    by_two = peer(Match(uid=1), annotator="2")
    on_first = PeerAnnotation(topic="t", summarizer="p", annotator="3", scus=(Match(uid=1),), pyramid="1")
    found = {
        one.annotator: one.pyramid.annotator for one in gather(topic(first, second, annotations=(by_two, on_first)))
    }
    assert found == {"2": "2", "3": "1"}


def test_a_human_peer_is_scored_once_in_each_pyramid_that_it_is_in() -> None:
    annotations = (peer(Match(uid=1), annotator="x"), peer(Match(uid=2), annotator="y"))
    found = list(gather(topic(PYRAMID, annotations=annotations, peers="pA")))
    assert [(one.annotator, one.incidence.peers) for one in found] == [("x", ("p", "A")), ("y", ("p",))]
    (only,) = gather(topic(PYRAMID, annotations=annotations, peers="pA"), annotator="y")
    assert only.incidence.peers == ("p", "A")


def test_a_topic_without_annotated_peers_gives_nothing() -> None:
    assert list(gather(topic(PYRAMID, annotations=()))) == []
    assert list(gather(topic(annotations=()))) == []


@pytest.mark.parametrize("wanted", ["q", ""])
def test_only_the_peers_that_are_asked_for_are_there(wanted: str) -> None:
    annotations = (peer(Match(uid=1), name="p"), peer(Match(uid=2), name="q"))
    found = [one.incidence.peers for one in gather(topic(PYRAMID, annotations=annotations, peers=wanted))]
    assert found == ([("q",)] if wanted else [])
