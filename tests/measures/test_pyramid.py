"""Pyramid scores as a measure, beside all others. Expected values are worked out by hand, or golden."""

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary
from pyramidion.errors import UsageError
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.registry import DEFAULT_OTHERS, select
from pyramids.golden import PEERS, PYRAMIDS, TOLERANCE, all_subsets, annotation, pyramid


def scu(uid: int, models: str) -> Scu:
    return Scu(uid=uid, label=f"SCU {uid}", contributors=tuple(Contributor(model=model) for model in models))


def campaign(*pyramids: Pyramid, annotations: tuple[PeerAnnotation, ...]) -> Campaign:
    peers = dict.fromkeys((one.topic, one.summarizer) for one in annotations)
    models = dict.fromkeys((one.topic, model) for one in pyramids for model in one.models)
    return Campaign(
        summaries=(
            *(Summary(topic=topic, summarizer=who, kind="peer", text="words") for topic, who in peers),
            *(Summary(topic=topic, summarizer=who, kind="model", text="words") for topic, who in models),
        ),
        pyramids=pyramids,
        annotations=annotations,
    )


def golden_campaign() -> Campaign:
    return campaign(
        *(pyramid(name) for name in PYRAMIDS),
        annotations=tuple(annotation(name, peer) for name, peer in PEERS),
    )


def values(data: Campaign, *measures: Any, **options: Any) -> dict[tuple[str, str, str], float]:
    table = pyramidion.score(data, list(measures), **options)
    return {(measure, topic, who): value for measure, topic, who, value, _ in table.frame.iter_rows()}


def test_scores_of_golden_peers_stand_in_the_score_table() -> None:
    found = values(golden_campaign(), "pyramid", "pyramid(rounding=interpolate).modified")
    for name, peer in PEERS:
        expected = PYRAMIDS[name]["peers"][peer]
        interpolated = "pyramid(rounding=interpolate).modified"
        assert found["pyramid.original", name, peer] == pytest.approx(expected["original"], abs=TOLERANCE)
        assert found["pyramid.comprehensive", name, peer] == pytest.approx(expected["comprehensive"], abs=TOLERANCE)
        for measure, there in (("pyramid.modified", "round_half_up"), (interpolated, "interpolate")):
            assert found[measure, name, peer] == pytest.approx(expected["modified"][there]["score"], abs=TOLERANCE)


def test_human_peers_are_scored_without_their_own_model() -> None:
    found = values(golden_campaign(), "pyramid", peers="humans")
    for name, golden in PYRAMIDS.items():
        for model, expected in golden["model_jackknife"].items():
            assert found["pyramid.original", name, model] == pytest.approx(expected["original"], abs=TOLERANCE)
            assert found["pyramid.modified", name, model] == pytest.approx(expected["modified"], abs=TOLERANCE)


def test_include_self_scores_a_model_by_the_whole_pyramid() -> None:
    found = values(golden_campaign(), "pyramid(include_self=yes).original", peers="humans")
    for name, golden in PYRAMIDS.items():
        for model, expected in golden["model_jackknife"].items():
            value = found["pyramid(include_self=yes).original", name, model]
            assert value == pytest.approx(expected["include_self_original"], abs=TOLERANCE)


def test_the_jackknife_is_the_mean_over_leaving_models_out() -> None:
    found = values(golden_campaign(), "pyramid(jackknife=yes)", peers="all")
    for name, peer in PEERS:
        left_out = PYRAMIDS[name]["peers"][peer]["leave_one_model_out"].values()
        for statistic in ("original", "modified"):
            expected = np.mean([one[statistic] for one in left_out])
            value = found[f"pyramid(jackknife=yes).{statistic}", name, peer]
            assert value == pytest.approx(expected, abs=TOLERANCE)
    assert found["pyramid(jackknife=yes).original", "lockerbie", "C"] == pytest.approx(7 / 10)  # paper's example
    assert found["pyramid(jackknife=yes).modified", "lockerbie", "C"] == pytest.approx(7 / 8)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_order_is_the_mean_over_every_sub_pyramid(order: int) -> None:
    measure = f"pyramid(order={order})"
    found = values(golden_campaign(), measure, peers="all")
    for name, golden in PYRAMIDS.items():
        groups = [(golden["peers"], "mean_over_subpyramids")]
        groups += [(golden["model_jackknife"], "mean_over_subpyramids_without_it")]
        for members, key in groups:
            for who, expected in members.items():
                for statistic in ("original", "modified"):
                    mean = expected[key][str(order)][statistic]
                    assert found[f"{measure}.{statistic}", name, who] == pytest.approx(mean, abs=TOLERANCE)


def test_a_topic_with_fewer_models_than_the_order_has_no_value() -> None:
    found = values(golden_campaign(), "pyramid(order=5).modified")
    assert {topic for _, topic, _ in found} == {"ferry"}


def test_evidence_follows_every_subset_of_models() -> None:
    topic = golden_campaign().topic("comet", peers="all")
    evidence = PyramidMeasure().evidence(topic)
    assert evidence is not None
    masks = all_subsets(4)
    found = evidence.values(masks)
    assert found.shape == (15, 6, 3)
    expected = PYRAMIDS["comet"]["peers"]["comet.peer7.pan"]["mean_over_subpyramids"]
    peer = evidence.peers.index("comet.peer7.pan")
    for order in (1, 2, 3, 4):
        mean = found[masks.sum(axis=1) == order, peer, 0].mean()
        assert mean == pytest.approx(expected[str(order)]["original"], abs=TOLERANCE)
    own = evidence.peers.index("A")
    assert np.isnan(found[0, own]).all()  # the subset {A} leaves nobody to score A by
    np.testing.assert_array_equal(found[-1, own], found[masks.tolist().index([False, True, True, True]), own])


def test_several_annotators_count_as_their_mean_and_it_is_said() -> None:
    """SCU 1 weighs 2 and SCU 2 weighs 1; X′ = 2 (half up), Max = 3: 2/3 and 1/3, mean 1/2."""
    made = Pyramid(topic="t", models=("A", "B"), scus=(scu(1, "AB"), scu(2, "A")))
    one = PeerAnnotation(topic="t", summarizer="p", annotator="1", scus=(Match(uid=1),), unmatched=())
    two = PeerAnnotation(topic="t", summarizer="p", annotator="2", scus=(Match(uid=2),), unmatched=())
    data = campaign(made, annotations=(one, two))
    assert values(data, "pyramid.modified") == {("pyramid.modified", "t", "p"): pytest.approx(1 / 2)}
    assert pyramidion.score(data, "pyramid.modified").notes == {"pyramid.modified": "mean over annotators"}
    picked = "pyramid(annotator=2).modified"
    assert values(data, picked) == {(picked, "t", "p"): pytest.approx(1 / 3)}
    assert pyramidion.score(data, picked).notes == {}


def test_content_that_was_not_marked_leaves_the_modified_score_and_is_said() -> None:
    made = Pyramid(topic="t", models=("A", "B"), scus=(scu(1, "AB"),))
    data = campaign(made, annotations=(PeerAnnotation(topic="t", summarizer="p", scus=(Match(uid=1),)),))
    with pytest.warns(MeasureWarning, match="not marked") as said:
        table = pyramidion.score(data, "pyramid")
    assert [str(one.message).split()[0] for one in said] == ["pyramid.original", "pyramid.comprehensive"]
    assert table.measures == ("pyramid.modified",)
    assert table.unscored == {"pyramid.original": 1, "pyramid.comprehensive": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pyramidion.score(data, "pyramid.modified")  # what is not asked for is not spoken of


def test_pyramids_of_different_models_are_averaged_over_those_that_a_subset_leaves() -> None:
    first = Pyramid(topic="t", annotator="1", models=("A",), scus=(scu(1, "A"),))
    second = Pyramid(topic="t", annotator="2", models=("B",), scus=(scu(1, "B"), scu(2, "B")))
    matched = tuple(
        PeerAnnotation(topic="t", summarizer="p", annotator=who, scus=(Match(uid=1),), unmatched=()) for who in "12"
    )
    evidence = PyramidMeasure().evidence(campaign(first, second, annotations=matched).topic("t"))
    assert evidence is not None
    found = evidence.values(np.array([[True, False], [False, True], [True, True]]))[:, 0, 1]
    np.testing.assert_allclose(found, [1, 2 / 4, 3 / 4])


@pytest.mark.parametrize(
    ("options", "expected"), [("order=2", 13 / 18), ("jackknife=yes", 55 / 72), ("order=3", 1), ("order=4", None)]
)
def test_every_annotators_pyramid_has_sub_pyramids_of_its_own_models(options: str, expected: float | None) -> None:
    """Worked out by hand, D / Max(X′) of each subset.

    Order 2: the first AB 2/3; the second AB 2/2, AC 2/3, BC 2/3, in the mean 7/9. Leaving one out: the first A 1/2,
    B 1/1, in the mean 3/4; the second 7/9 again. Order 3: only the second, 3/3.
    """
    first = Pyramid(topic="t", annotator="1", models=("A", "B"), scus=(scu(1, "AB"), scu(2, "A")))
    second = Pyramid(topic="t", annotator="2", models=("A", "B", "C"), scus=(scu(1, "ABC"), scu(2, "C")))
    matched = tuple(
        PeerAnnotation(topic="t", summarizer="p", annotator=who, scus=(Match(uid=1),), unmatched=()) for who in "12"
    )
    name = f"pyramid({options}).modified"
    found = values(campaign(first, second, annotations=matched), name)
    assert found == ({} if expected is None else {(name, "t", "p"): pytest.approx(expected)})


def test_annotations_that_belong_to_no_pyramid_are_counted() -> None:
    made = tuple(Pyramid(topic="t", annotator=who, models=("A",), scus=(scu(1, "A"),)) for who in "12")
    matched = PeerAnnotation(topic="t", summarizer="p", annotator="3", scus=(Match(uid=1),), unmatched=())
    with pytest.warns(MeasureWarning, match="1 annotations are not scored: their topic has several pyramids"):
        assert values(campaign(*made, annotations=(matched,)), "pyramid.modified") == {}


def test_the_pyramid_is_scored_by_default_where_there_is_one() -> None:
    assert "pyramid" in DEFAULT_OTHERS
    table = pyramidion.score("demo")
    assert {"pyramid.original", "pyramid.modified", "pyramid.comprehensive"} <= set(table.measures)


def threefold(contributes: Any, masks: Any) -> Any:
    return 3.0 * (masks.astype(float) @ contributes.T)


def test_a_weight_function_is_part_of_the_name_and_scale_does_not_matter() -> None:
    measure = PyramidMeasure(weight=threefold)
    assert measure.name("modified") == "pyramid(weight=threefold).modified"
    found = values(golden_campaign(), measure)
    for name, peer in PEERS:
        value = found["pyramid(weight=threefold).modified", name, peer]
        expected = PYRAMIDS[name]["peers"][peer]["modified"]["round_half_up"]["score"]
        assert value == pytest.approx(expected, abs=TOLERANCE)


def test_signatures_say_the_number_of_models() -> None:
    table = pyramidion.score(golden_campaign(), "pyramid.modified", peers="all")
    assert any("nmodels:5" in one for one in table.signatures("pyramid.modified"))
    assert any("nmodels:3" in one for one in table.signatures("pyramid.modified"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pyramid(rounding=up)", "one of half-up, floor, ceil, interpolate"),
        ("pyramid(order=0)", "from 1 up"),
        ("pyramid(order=2,jackknife=yes)", "not both"),
        ("pyramid(include_self=yes,jackknife=yes)", "whole pyramid"),
        ("pyramid(weight=squared)", "which only Python can give"),
        ("pyramid.precision", "has no statistic"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select(name)


def test_names_parse_back() -> None:
    for name in ("pyramid.original", "pyramid(rounding=floor).modified", 'pyramid(annotator="C 1",order=3)'):
        assert select(name).name == name


DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))


@pytest.mark.parity
@pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns")
@pytest.mark.filterwarnings("ignore:pyramid.original and .comprehensive")
def test_on_realsumm_the_modified_score_is_the_published_recall_of_content_units() -> None:
    """One model, so every weight is 1 and X′ is the number of content units: 1250 published values."""
    table = pyramidion.score(DATA / "realsumm", ["pyramid.modified", "question.litepyramid-recall"])
    ours, published = (table.matrix(measure) for measure in table.measures)
    assert ours.values.size == 1250
    np.testing.assert_allclose(ours.values, published.values, atol=1e-12)


def small_campaign() -> Campaign:
    """SCUs of weights 3, 2 and 1; the peer P has the first and the last."""
    made = Pyramid(topic="D1", models=("A", "B", "C"), scus=(scu(1, "ABC"), scu(2, "AB"), scu(3, "C")))
    found = PeerAnnotation(topic="D1", summarizer="P", scus=(Match(uid=1), Match(uid=3)), unmatched=())
    return campaign(made, annotations=(found,))


def test_recall_is_the_share_of_weight_and_with_equal_weights_the_share_of_scus() -> None:
    equal = "pyramid(weights=equal).recall"
    scores = pyramidion.score(small_campaign(), ["pyramid.recall", equal])
    recalls = {score.measure: score.value for score in scores}
    assert recalls == {"pyramid.recall": pytest.approx(4 / 6), equal: pytest.approx(2 / 3)}
    assert all("weights:equal" in signature for signature in scores.signatures(equal))
    assert all("weights:models" in signature for signature in scores.signatures("pyramid.recall"))


def test_recall_has_to_be_asked_for() -> None:
    assert "pyramid.recall" not in pyramidion.score(small_campaign(), "pyramid").measures
    both = pyramidion.score(small_campaign(), ["pyramid", "pyramid.recall"])
    assert both.measures[-1] == "pyramid.recall"


@pytest.mark.skipif("PYRAMIDION_DATA" not in os.environ, reason="PYRAMIDION_DATA names no folder with public campaigns")
def test_recall_with_equal_weights_is_the_litepyramid_score_that_realsumm_publishes() -> None:
    equal = "pyramid(weights=equal).recall"
    table = pyramidion.score(Path(os.environ["PYRAMIDION_DATA"]) / "realsumm", [equal, "question.litepyramid-recall"])
    published = table.matrix("question.litepyramid-recall").values
    assert table.matrix(equal).values == pytest.approx(published, abs=1e-12)
