"""Suggestions for annotators: by hand on small texts, and on the demo campaign, whose pyramids are exact."""

from __future__ import annotations

import math
import sys
from types import FrameType

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import Campaign, Contributor, Document, Pyramid, Scu, Summary, Topic, plain
from pyramidion.pyramids import Idf, candidate_spans, presence, propose_scus, similar_scus
from pyramidion.pyramids.suggestions import closeness, content_words

TEXTS = {
    "A": "The ferry sank at night. Nobody drowned.",
    "B": "At night a ferry went down. All passengers were rescued.",
}
SCUS = (
    Scu(
        uid=7,
        label="A ferry sank",
        contributors=(Contributor(model="A", parts=((0, 14),)), Contributor(model="B", parts=((9, 26),))),
    ),
    Scu(uid=9, label="Nobody drowned", contributors=(Contributor(model="A", parts=((25, 39),)),)),
)
PYRAMID = Pyramid(topic="t", models=("A", "B"), scus=SCUS)
NONE = Idf()
"""Without texts all words weigh the same: log(1) + 1."""


def test_content_words_are_stems_without_function_words() -> None:
    assert content_words("The ferries were sinking, and they sank.") == {"ferri", "sink"}
    assert content_words("the of and") == frozenset()
    assert content_words("Café déjà") == {"café", "déjà"}


def test_idf_counts_documents_background_and_models_but_no_peers() -> None:
    campaign = Campaign(
        topics=(
            Topic(
                topic="t",
                documents=(Document(id="1", text="A ferry sank."),),
                background=(Document(id="2", text=("A ferry sailed.", "A ferry left.")),),
            ),
        ),
        summaries=(
            Summary(topic="t", summarizer="A", kind="model", text="A boat sank."),
            Summary(topic="t", summarizer="1", kind="peer", text="A boat sank."),
        ),
    )
    idf = Idf.of(campaign)
    assert idf.texts == 3
    assert idf.weights(["ferri", "boat", "moon"]) == pytest.approx(
        [math.log(4 / 3) + 1, math.log(4 / 2) + 1, math.log(4) + 1]
    )
    assert idf.name == Idf.of_texts(["A ferry sank.", "A ferry sailed. A ferry left.", "A boat sank."]).name
    assert idf.name != NONE.name


def test_a_span_is_compared_with_labels_and_contributors() -> None:
    found = similar_scus("the ferry went down", PYRAMID, TEXTS, NONE)
    # the contributor of B, "ferry went down", has the same content words
    assert [one.uid for one in found] == [7]
    assert found[0].similarity == pytest.approx(1.0)
    assert found[0].label == "A ferry sank"
    half = similar_scus("nobody sank", PYRAMID, TEXTS, NONE)
    assert {one.uid: one.similarity for one in half} == {7: pytest.approx(0.5), 9: pytest.approx(0.5)}
    assert similar_scus("The moon", PYRAMID, TEXTS, NONE) == []
    assert similar_scus("the", PYRAMID, TEXTS, NONE) == []
    assert len(similar_scus("nobody sank", PYRAMID, TEXTS, NONE, most=1)) == 1


def test_rare_words_count_more() -> None:
    idf = Idf.of_texts(["sank"] * 9)
    best, second = similar_scus("nobody sank", PYRAMID, TEXTS, idf)
    assert (best.uid, second.uid) == (9, 7)
    assert best.similarity > 0.5 > second.similarity


def test_an_scu_finds_clauses_of_another_text() -> None:
    text = "Help came soon. The old ferry sank, and the captain was rescued."
    found = candidate_spans(SCUS[0], text, TEXTS, NONE)
    assert [text[one.start : one.end] for one in found] == ["The old ferry sank"]
    assert found[0].similarity == 1.0
    assert candidate_spans(SCUS[0], text, TEXTS, NONE, taken=((20, 25),)) == []
    assert candidate_spans(SCUS[0], "", TEXTS, NONE) == []


def test_offsets_are_code_points() -> None:
    text = "😀 é́ – all ended well; a ferry sank today."
    (found,) = candidate_spans(SCUS[0], text, TEXTS, NONE)
    assert text[found.start : found.end] == "a ferry sank today."


def test_clauses_of_different_models_are_proposed_as_scus() -> None:
    texts = {
        "A": "The ferry sank at night. Nobody drowned.",
        "B": "The ferry sank in the night. The ferry was old.",
        "C": "All passengers were rescued. A ferry sank.",
    }
    (found,) = propose_scus(texts, NONE)
    assert found.label == "The ferry sank at night."
    assert [(model, texts[model][start:end]) for model, (start, end) in found.contributors] == [
        ("A", "The ferry sank at night."),
        ("B", "The ferry sank in the night."),
        ("C", "A ferry sank."),
    ]
    pairs = [1.0, 0.8, 0.8]  # ferry, sink, night against ferry, sink: 2 · 1 · ⅔ / (1 + ⅔)
    assert found.similarity == pytest.approx(np.mean(pairs))
    assert propose_scus(texts, NONE, least=1.0)[0].contributors == found.contributors[:2]
    assert propose_scus({}, NONE) == []
    assert propose_scus({"A": texts["A"]}, NONE) == []


def test_presence_is_the_recall_of_the_best_expression() -> None:
    peers = {"1": "A ferry went away.", "2": "Nobody drowned, although a ferry sank.", "3": ""}
    assert presence(PYRAMID, peers, TEXTS, NONE) == pytest.approx(np.array([[1, 1, 0], [0, 1, 0]]))


def test_a_model_is_not_matched_with_its_own_contributors() -> None:
    found = presence(PYRAMID, {"B": TEXTS["B"], "2": TEXTS["B"]}, TEXTS, NONE)
    assert found[0] == pytest.approx([0.5, 1.0])  # of "ferry sank", B has the ferry


def test_the_same_words_are_closer_to_an_scu_in_one_clause_than_scattered() -> None:
    pyramid = Pyramid(topic="t", models=("A",), scus=(Scu(uid=1, label="bridge closed"),))
    peers = {
        "clause": "The bridge closed.",
        "scattered": "The bridge was painted, because the road closed.",
        "half": "A bridge.",
        "empty": "",
    }
    # r·(r + c + g)/3; " bridg close " has ten strings of four characters, of which "dg c" and "g cl" join the words.
    expected = [1, 1 * (1 + 0.5 + 8 / 10) / 3, 0.5 * (0.5 + 0.5 + 4 / 10) / 3, 0]
    assert closeness(pyramid, peers, {}, NONE)[0] == pytest.approx(expected)
    assert closeness(PYRAMID, {"A": TEXTS["A"]}, TEXTS, NONE)[1, 0] == pytest.approx(1)  # by its label
    scus = (Scu(uid=1, label="", contributors=SCUS[1].contributors),)
    own = closeness(Pyramid(topic="t", models=("A",), scus=scus), {"A": TEXTS["A"], "1": TEXTS["A"]}, TEXTS, NONE)
    assert own.tolist() == [[0, pytest.approx(1)]]


texts_ = st.text(alphabet="ab é.;,\n", max_size=30)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from("ABC"), texts_), texts_)
def test_whatever_the_texts_numbers_lie_between_0_and_1(texts: dict[str, str], span: str) -> None:
    idf = Idf.of_texts(texts.values())
    scus = (Scu(uid=1, label=span), Scu(uid=2, label=""))
    pyramid = Pyramid(topic="t", models=tuple(texts), scus=scus)
    assert all(0 < one.similarity <= 1 + 1e-9 for one in similar_scus(span, pyramid, texts, idf))
    for text in texts.values():
        assert all(text[one.start : one.end] for one in candidate_spans(scus[0], text, texts, idf))
    for one in propose_scus(texts, idf):
        models = [model for model, _ in one.contributors]
        assert 1 < len(models) == len(set(models))
        assert 0.3 - 1e-9 <= one.similarity <= 1 + 1e-9
    for found in (presence(pyramid, texts, texts, idf), closeness(pyramid, texts, texts, idf)):
        assert found.shape == (2, len(texts))
        assert ((found >= 0) & (found <= 1 + 1e-9)).all()


@pytest.mark.slow
def test_on_the_embedded_campaign_a_left_out_contributor_finds_its_scu_and_the_other_way_round(
    demo_campaign: Campaign,
) -> None:
    idf = Idf.of(demo_campaign)
    scu_found, span_found = [], []
    for pyramid in demo_campaign.pyramids:
        texts = {one.summarizer: plain(one.text) for one in demo_campaign.topic(pyramid.topic).models}
        for place, scu in enumerate(pyramid.scus):
            if len(scu.contributors) < 2:
                continue
            left_out, *rest = scu.contributors
            fewer = msgspec.structs.replace(scu, contributors=tuple(rest))
            scus = (*pyramid.scus[:place], fewer, *pyramid.scus[place + 1 :])
            span = " ".join(texts[left_out.model][start:end] for start, end in left_out.parts)
            suggested = similar_scus(span, msgspec.structs.replace(pyramid, scus=scus), texts, idf)
            scu_found.append(scu.uid in [one.uid for one in suggested])
            spans = candidate_spans(fewer, texts[left_out.model], texts, idf)
            overlaps = [one.start < end and start < one.end for one in spans for start, end in left_out.parts]
            span_found.append(any(overlaps))
    assert len(scu_found) > 150
    assert np.mean(scu_found) > 0.95
    assert np.mean(span_found) > 0.95


@pytest.mark.slow
def test_a_topic_takes_milliseconds(demo_campaign: Campaign) -> None:
    """Ten thousand calls take milliseconds; the time itself would depend on how busy the machine is."""
    idf = Idf.of(demo_campaign)
    pyramid = demo_campaign.pyramids[0]
    texts = {one.summarizer: plain(one.text) for one in demo_campaign.topic(pyramid.topic).models}
    span = next(iter(texts.values()))[:60]

    call_count = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal call_count
        call_count += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        similar_scus(span, pyramid, texts, idf)
        candidate_spans(pyramid.scus[0], texts["A"], texts, idf)
        propose_scus(texts, idf)
    finally:
        sys.setprofile(None)
    assert 1_000 < call_count < 50_000
