"""Reliability of pyramids and of peer annotations.

Values of the ferry: golden/pyramid/pyramids.json, computed by another program and, set-valued α, by NLTK 3.10.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary, TopicData, plain
from pyramidion.options import PyramidAgreementOptions
from pyramidion.pyramids.reliability.across import ScoresAcross, models_across, peers_across
from pyramidion.pyramids.reliability.agreement import topic_agreement, topic_scores_across
from pyramidion.pyramids.reliability.alpha import peer_agreement, peer_dice, pyramid_agreement, word_agreement
from pyramidion.pyramids.reliability.merge import merge_topics
from pyramidion.pyramids.reliability.words import Words, cover, is_function_word
from pyramids.ferry import ferry

Bools = NDArray[np.bool_]

NO_INTERVAL = PyramidAgreementOptions(resamples=0)


def members(*classes: Sequence[int], words: int = 6) -> Bools:
    """Words × SCUs, from the words (counted from 1) of each SCU."""
    table = np.zeros((words, len(classes)), dtype=np.bool_)
    for column, words_of_it in enumerate(classes):
        table[np.array(words_of_it) - 1, column] = True
    return table


def alphas(rows: Sequence[Any], unit: str) -> dict[str, tuple[float, float, float]]:
    return {row.distance: (row.alpha, row.observed, row.expected) for row in rows if row.unit == unit}


def test_six_words_have_the_agreement_of_the_specification() -> None:
    """Spec, "Reliability": {123}{4}{56} against {12}{34}{56}."""
    rows = word_agreement([members([1, 2, 3], [4], [5, 6]), members([1, 2], [3, 4], [5, 6])], NO_INTERVAL)
    found = {row.distance: round(row.alpha, 3) for row in rows}
    assert found == {"nominal": 0.200, "passonneau": 0.615, "jaccard": 0.565, "masi": 0.421}
    assert {row.n for row in rows} == {6}


GOLDEN_WORDS = {
    "nominal": (0.103772, 0.853881, 0.95275),
    "passonneau": (0.551077, 0.414003, 0.922214),
    "jaccard": (0.632649, 0.339018, 0.922871),
    "masi": (0.426356, 0.536664, 0.935535),
}
GOLDEN_PEER_WORDS = {
    "nominal": (0.730186, 0.21519, 0.797549),
    "passonneau": (0.802844, 0.156118, 0.791851),
    "jaccard": (0.784582, 0.170886, 0.793276),
    "masi": (0.766385, 0.185654, 0.7947),
}


def test_the_two_pyramids_of_the_ferry_agree_as_in_the_golden_file() -> None:
    rows = topic_agreement(ferry(), NO_INTERVAL)
    found = alphas(rows, "word")
    assert found.keys() == GOLDEN_WORDS.keys()
    for distance, expected in GOLDEN_WORDS.items():
        assert found[distance] == pytest.approx(expected, abs=1e-6)
    assert {row.n for row in rows if row.unit == "word"} == {219}


def test_the_peers_of_the_ferry_agree_as_in_the_golden_file() -> None:
    rows = topic_agreement(ferry(), NO_INTERVAL)
    found = alphas(rows, "peer-word")
    for distance, expected in GOLDEN_PEER_WORDS.items():
        assert found[distance] == pytest.approx(expected, abs=1e-6)
    assert {row.n for row in rows if row.unit == "peer-word"} == {79}
    (presence,) = (row for row in rows if row.unit == "presence")
    assert (presence.alpha, 1 - presence.observed) == pytest.approx((0.824302, 0.944444), abs=1e-6)
    assert (presence.n, presence.distance) == (54, "nominal")
    dice = peer_dice(ferry().annotations)
    assert list(dice.values()) == pytest.approx([0.923077, 0.857143, 0.0], abs=1e-6)


def test_intervals_contain_alpha_and_follow_the_seed() -> None:
    rows = topic_agreement(ferry(), PyramidAgreementOptions(resamples=300), seed=4)
    assert all(row.lower <= row.alpha <= row.upper for row in rows)
    again = topic_agreement(ferry(), PyramidAgreementOptions(resamples=300), seed=4)
    assert again == rows
    other = topic_agreement(ferry(), PyramidAgreementOptions(resamples=300), seed=5)
    assert [row.lower for row in other] != [row.lower for row in rows]


def two(first: list[list[tuple[int, int]]], second: list[list[tuple[int, int]]]) -> list[Pyramid]:
    """Pyramids of one model: for each annotator the parts of the one contributor of each SCU."""
    return [
        Pyramid(
            topic="t",
            annotator=annotator,
            models=("A",),
            scus=tuple(
                Scu(uid=uid, label=str(uid), contributors=(Contributor(model="A", parts=tuple(parts)),))
                for uid, parts in enumerate(scus)
            ),
        )
        for annotator, scus in (("C1", first), ("C2", second))
    ]


PAL = "after the ground crew union turned down a settlement which failed."


def test_normalising_takes_syntax_out_of_the_disagreement() -> None:
    """The example of Nenkova & Passonneau 2004, §3.1: {C1 after {C2 the ground crew … settlement}C1 which}C2."""
    start, union = PAL.index("after"), PAL.index("the ground")
    settled, which = PAL.index(" which"), PAL.index(" failed")
    pyramids = two([[(start, settled)], [(which, len(PAL))]], [[(union, which)], [(which, len(PAL))]])
    plain_rows = pyramid_agreement(pyramids, {"A": PAL}, NO_INTERVAL)
    assert all(row.alpha < 1 for row in plain_rows)
    normalised = pyramid_agreement(pyramids, {"A": PAL}, PyramidAgreementOptions(resamples=0, normalise=True))
    assert [row.alpha for row in normalised] == [1, 1, 1, 1]
    assert {row.n for row in normalised} == {8}  # ground … settlement, and failed: nobody coded the rest


def test_a_contributor_of_function_words_alone_is_kept_when_contributors_are_normalised() -> None:
    words = Words.of({"A": "They were there, on it."})
    marking = cover(words, [(0, "A", ((0, 10),)), (1, "A", ((10, 23),))], 2, normalise=True)
    assert marking.members.tolist() == [[True, False], [True, False], [False, True], [False, True], [False, True]]
    assert not marking.stripped.any()


@pytest.mark.parametrize(
    ("word", "expected"), [("The", True), ("—", True), ("“of", True), ("two", False), ("fire.", False)]
)
def test_function_words_are_told_from_content(word: str, expected: bool) -> None:
    assert is_function_word(word) is expected


def test_a_word_belongs_to_a_part_that_overlaps_it_by_one_character() -> None:
    words = Words.of({"A": "one two  three", "B": "four"})
    assert words.span("A", 2, 5) == (0, 2)  # "e t"
    assert words.span("A", 3, 4) == (1, 1)  # only the blank
    assert words.span("A", 7, 9) == (2, 2)
    assert words.span("B", 0, 1) == (3, 4)


def test_a_word_in_several_scus_has_the_words_of_all_of_them() -> None:
    both = members([1, 2], [2, 3], words=3)
    apart = members([1, 2], [3], words=3)
    (row,) = word_agreement([both, apart], PyramidAgreementOptions(distance=("jaccard",), resamples=0))
    # Values {12}, {123}, {23} against {12}, {12}, {3}: distances 0, 1/3, 1/2.
    assert row.observed == pytest.approx((0 + 1 / 3 + 1 / 2) / 3)


def test_contributors_without_parts_leave_word_agreement_undefined_and_presence_defined() -> None:
    light = [replace(one, scus=(Scu(uid=1, label="", contributors=(Contributor(model="A"),)),)) for one in two([], [])]
    rows = pyramid_agreement(light, {"A": PAL})
    assert all(np.isnan(row.alpha) and "parts" in row.reason for row in rows)
    annotations = [
        PeerAnnotation(topic="t", summarizer=peer, annotator=who, scus=(Match(uid=1, present=present),))
        for peer, who, present in [("1", "x", True), ("1", "y", True), ("2", "x", False), ("2", "y", False)]
    ]
    found = {row.unit: row for row in peer_agreement(light[0], annotations, {"1": "a", "2": "b"})}
    assert found["presence"].alpha == 1
    assert "parts" in found["peer-word"].reason


def test_single_annotators_and_different_models_are_said_not_scored() -> None:
    pyramids = two([[(0, 5)]], [[(0, 5)]])
    assert "single" in pyramid_agreement(pyramids[:1], {"A": PAL})[0].reason
    other = replace(pyramids[1], models=("B",), scus=())
    assert "no model" in pyramid_agreement([pyramids[0], other], {"A": PAL, "B": PAL})[0].reason
    rows = peer_agreement(pyramids[0], [PeerAnnotation(topic="t", summarizer="1", scus=())], {"1": "a"})
    assert all("two annotators" in row.reason for row in rows)
    assert topic_agreement(TopicData(topic=ferry().topic, pyramids=ferry().pyramids[:1])) == []


def test_words_that_nobody_codes_differently_leave_alpha_undefined_with_a_reason() -> None:
    rows = pyramid_agreement(two([[(0, len(PAL))]], [[(0, len(PAL))]]), {"A": PAL})
    assert all(np.isnan(row.alpha) and "alike" in row.reason for row in rows)


def test_pyramids_without_scus_and_models_without_words_break_nothing() -> None:
    empty = [replace(one, scus=()) for one in two([], [])]
    rows = pyramid_agreement(empty, {"A": PAL})
    assert all(np.isnan(row.alpha) and row.n == 11 and "alike" in row.reason for row in rows)
    rows = pyramid_agreement(empty, {"A": ""})
    assert all(row.n == 0 and row.reason for row in rows)
    one_empty = pyramid_agreement([two([[(0, 5)]], [])[0], empty[1]], {"A": PAL}, NO_INTERVAL)
    assert all(row.alpha < 1 for row in one_empty)


tables = st.integers(2, 9).flatmap(
    lambda words: st.lists(
        st.lists(st.lists(st.booleans(), min_size=words, max_size=words), min_size=1, max_size=4),
        min_size=2,
        max_size=3,
    )
)


@settings(max_examples=60, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_agreement_does_not_depend_on_names_of_scus_or_on_the_order_of_annotators(
    tables: list[Any], random: Any
) -> None:
    codings = [np.array(table, dtype=np.bool_).T for table in tables]
    expected = word_agreement(codings, NO_INTERVAL)
    relabelled = [coding[:, random.sample(range(coding.shape[1]), coding.shape[1])] for coding in codings]
    random.shuffle(relabelled)
    found = word_agreement(relabelled, NO_INTERVAL)
    assert [row.alpha for row in found] == pytest.approx([row.alpha for row in expected], nan_ok=True)
    same = word_agreement([codings[0], codings[0]], NO_INTERVAL)
    assert all(row.alpha == 1 or "alike" in row.reason for row in same)


def test_printed_scores_across_annotations_give_the_analysis_of_the_specification() -> None:
    """Table 1 of Nenkova & Passonneau 2004 (golden/printed.json); spec: F(2, 9) = .106, p = .901 (paper: .11, .90)."""
    values = np.array([[0.97, 0.87, 0.83, 0.82], [0.94, 0.87, 0.84, 0.74], [0.95, 0.89, 0.85, 0.76]])
    found = ScoresAcross(
        topic="PAL",
        scored="models",
        score="original",
        annotators=("C1", "C2", "Consensus"),
        summarizers=("A", "H", "C", "J"),
        values=values,
    )
    anova = found.anova
    assert anova is not None
    assert (anova.between, anova.within) == (2, 9)
    assert (round(anova.f, 3), round(anova.p, 3)) == (0.106, 0.901)
    assert found.differences == pytest.approx([0.03, 0.02, 0.02, 0.08])


def test_models_are_scored_by_the_others_unless_their_own_pyramid_is_asked_for() -> None:
    topic = ferry()
    jackknifed, _ = models_across(topic.pyramids)
    whole, _ = models_across(topic.pyramids, include_self=True)
    # golden/pyramid/pyramids.json: model_jackknife of ferry, original and include_self_original.
    assert jackknifed.values[0] == pytest.approx([0.818182, 0.75, 0.65, 0.695652, 0.578947], abs=1e-6)
    assert whole.values[0] == pytest.approx([1.0, 0.965517, 0.869565, 0.925926, 0.809524], abs=1e-6)


def test_an_annotator_who_left_a_peer_out_gives_it_no_score() -> None:
    topic = ferry()
    original, _ = peers_across(topic.pyramids[0], topic.annotations[:-1])
    assert np.isnan(original.values[1, 2])
    assert np.isnan(original.differences[2])
    assert not np.isnan(original.differences[:2]).any()
    assert original.anova is not None
    assert original.anova.within == 3


def test_scores_across_cover_models_and_peers() -> None:
    rows = topic_scores_across(ferry())
    assert [(row.scored, row.score) for row in rows] == [
        ("models", "original"),
        ("models", "modified"),
        ("peers", "original"),
        ("peers", "modified"),
    ]


def test_scores_across_have_the_consensus_last_and_dice_leaves_it_out() -> None:
    topic = ferry()
    agreed_pyramid = replace(topic.pyramids[0], annotator="consensus", consensus=True)
    agreed = replace(topic.annotations[0], annotator="consensus", consensus=True, pyramid=topic.pyramids[0].annotator)
    with_consensus = dataclasses.replace(
        topic, pyramids=(agreed_pyramid, *topic.pyramids), annotations=(agreed, *topic.annotations)
    )
    models, _, peers, _ = topic_scores_across(with_consensus)
    assert models.annotators == (*(pyramid.annotator for pyramid in topic.pyramids), "consensus")
    assert models.values[-1] == pytest.approx(models.values[0])
    assert peers.annotators[-1] == "consensus"
    assert dict(peers.dice) == dict(topic_scores_across(topic)[2].dice)


def campaign(pyramid: Pyramid, annotations: Sequence[PeerAnnotation] = (), peers: Sequence[Summary] = ()) -> Campaign:
    topic = ferry()
    return Campaign(summaries=(*topic.models, *peers), pyramids=(pyramid,), annotations=tuple(annotations))


def test_separate_files_of_the_same_models_become_one_topic() -> None:
    topic = ferry()
    first, second = (replace(one, annotator="") for one in topic.pyramids)
    sources = [("first", campaign(first)), ("second", campaign(second))]
    for number, (annotation, peer) in enumerate(
        (one, peer) for peer in topic.peers for one in topic.annotations if one.summarizer == peer.summarizer
    ):
        unnamed = replace(annotation, annotator="", pyramid=None, summarizer="x")
        sources.append((f"pan{number}", campaign(first, [unnamed], [replace(peer, summarizer="x")])))
    (merged,) = merge_topics(sources)
    assert [pyramid.annotator for pyramid in merged.pyramids] == ["first", "second"]
    assert len(merged.peers) == 3
    assert len({peer.summarizer for peer in merged.peers}) == 3
    rows = topic_agreement(merged, NO_INTERVAL)
    for distance, expected in GOLDEN_WORDS.items():
        assert alphas(rows, "word")[distance] == pytest.approx(expected, abs=1e-6)
    assert {row.n for row in rows if row.unit == "presence"} == {54}


def test_two_annotators_who_make_the_same_pyramid_agree_fully() -> None:
    """Not copies of one pyramid: nobody annotated a peer with them."""
    first, second = (replace(ferry().pyramids[0], annotator="") for _ in range(2))
    (merged,) = merge_topics([("first", campaign(first)), ("second", campaign(second))])
    assert [row.alpha for row in topic_agreement(merged, NO_INTERVAL)] == [1, 1, 1, 1]


def test_different_models_stay_different_topics() -> None:
    topic = ferry()
    other = campaign(replace(topic.pyramids[1], annotator=""))
    models = [replace(one, text=plain(one.text) + " more") for one in topic.models]
    changed = Campaign(summaries=tuple(models), pyramids=other.pyramids)
    assert len(merge_topics([("a", campaign(topic.pyramids[0])), ("b", changed)])) == 2


def test_two_systems_with_the_same_text_stay_two_peers() -> None:
    topic = ferry()
    pyramid, peer, annotation = topic.pyramids[0], topic.peers[0], topic.annotations[0]
    sources = [
        (name, campaign(pyramid, [replace(annotation, summarizer=name)], [replace(peer, summarizer=name)]))
        for name in ("lead", "baseline")
    ]
    (merged,) = merge_topics(sources)
    assert [one.summarizer for one in merged.peers] == ["lead", "baseline"]
    assert topic_agreement(merged, NO_INTERVAL) == []  # nobody annotated a peer twice
