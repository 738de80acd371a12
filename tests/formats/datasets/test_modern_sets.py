"""summeval, rose, qapyramid, newsroom, summeval-op: rows of research data sets become campaigns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.miniature import Import, Put, only, texts_of
from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.folder import read_folder, write_folder
from pyramidion.formats import detect_format, find_format

SUMMEVAL: dict[str, Any] = {
    "id": "dm-test-0a",
    "model_id": "M9",
    "filepath": "x/0a.story",
    "decoded": "a ferry burned .",
    "references": ["A ferry burned.", "Fire on ferry."],
    "expert_annotations": [{"coherence": 4, "consistency": 5, "fluency": 5, "relevance": 3}],
    "turker_annotations": [{"coherence": 3, "consistency": 4, "fluency": 4, "relevance": 4}],
}
ROSE: dict[str, Any] = {
    "example_id": "e1",
    "count_id": 0,
    "source": "The ferry burned on Sunday.",
    "reference": "A ferry burned.",
    "reference_acus": ["A ferry burned.", "It was Sunday."],
    "system_outputs": {"s1": "Fire on ferry.", "gold": "A ferry burned."},
    "annotations": {
        "s1": {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.30000001},
        "gold": {"acu_labels": [1, 1], "acu": 1.0, "normalized_acu": 0.78},
    },
}
QAPYRAMID: dict[str, Any] = {
    "example_id": "e1",
    "source": "The ferry burned on Sunday.",
    "reference": "A ferry burned.",
    "QAs": ["What burned? a ferry"],
    "QA_labels": {"s1": [1]},
    "system_outputs": {"s1": "Fire on ferry."},
    "system_scores": {"s1": {"QAPyramid": 1.0, "nQAPyramid": 0.8, "rouge1": 0.5}},
}
WITHOUT_PEERS: dict[str, Any] = {
    **QAPYRAMID, "example_id": "e2", "QA_labels": {"s1": None}, "system_outputs": {"s1": None}, "system_scores": {"s1": None},
}  # fmt: skip
VOTES = {"s1": {"e1": {"e1_burned": {"What burned? a ferry": [["A2XSECRET", 1], ["A9", 0], ["A2XSECRET", 1]]}}}}
NEWSROOM = (
    "ArticleID,System,ArticleTitle,ArticleText,SystemSummary,"
    "CoherenceRating,FluencyRating,InformativenessRating,RelevanceRating\n"
    "7,lede3,Ferry,The ferry &amp; the dock burned.</p><p>Nobody died.,The ferry burned.,5,5,4,5\n"
    "7,lede3,Ferry,The ferry &amp; the dock burned.</p><p>Nobody died.,The ferry burned.,4,5,3,2\n"
    "7,abs,Ferry,The ferry &amp; the dock burned.</p><p>Nobody died.,Fire.,1,,x,1\n"
)
OP_MEANS = {
    "reviews": {"rev1": "Good.", "rev2": "Bad."},
    "summaries": {"m1": {"summary": "Mixed.", "dimensions": {"fluency": 4.5}}},
}
OP_DETAILED = {
    "reviews": ["Good.", "Bad."],
    "summaries": ["Mixed.", "Fine."],
    "fl": [[4, 5, 4], [3, 3, 3]],
    "sp": [[1, 2, 3], [5, 5, 4]],
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def answers(campaign: Campaign) -> list[tuple[str, str, str, float]]:
    return [(one.summarizer, one.assessor, one.question, one.value) for one in campaign.judgments]


def loads(campaign: Campaign, folder: Path) -> None:
    """What is written must load without errors."""
    problems = Problems()
    write_folder(campaign, folder)
    read_folder(folder, problems)
    assert problems.errors == 0


def test_summeval_keeps_every_assessor_and_reference(put: Put, import_as: Import, tmp_path: Path) -> None:
    scored = {
        **SUMMEVAL,
        "model_id": "M0",
        "metric_scores_11": {"rouge": {"rouge_1_f_score": 0.5}},
        "text": "The ferry burned.",
    }
    path = put("model_annotations.aligned.jsonl", lines(SUMMEVAL, scored))
    assert detect_format(path) is find_format("summeval")
    campaign, problems = import_as("summeval", path)
    assert not len(problems)
    assert texts_of(campaign) == {
        ("dm-test-0a", "model", "ref1"): "A ferry burned.",
        ("dm-test-0a", "model", "ref2"): "Fire on ferry.",
        ("dm-test-0a", "peer", "M9"): "a ferry burned .",
        ("dm-test-0a", "peer", "M0"): "a ferry burned .",
    }
    assert ("M9", "expert1", "coherence", 4) in answers(campaign)
    assert ("M9", "turker1", "relevance", 4) in answers(campaign)
    assert campaign.topics[0].documents[0].text == "The ferry burned."
    assert [(one.measure, one.value) for one in campaign.imported] == [("metric_scores_11.rouge.rouge_1_f_score", 0.5)]
    loads(campaign, tmp_path / "c")


def test_summeval_rows_that_disagree_or_repeat_are_said(put: Put, import_as: Import) -> None:
    other = {**SUMMEVAL, "model_id": "M1", "references": ["Another."]}
    campaign, problems = import_as("summeval", put("a.jsonl", lines(SUMMEVAL, other)))
    assert "other references in 1 row" in only(problems)
    assert len([one for one in campaign.summaries if one.kind == "model"]) == 2
    _, problems = import_as("summeval", put("b.jsonl", lines(SUMMEVAL, SUMMEVAL)))
    assert only(problems).startswith("b.jsonl:2: error: found 'M9' on 'dm-test-0a' again")


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet"])
def test_rose_has_labels_and_human_scores(put: Put, import_as: Import, tmp_path: Path, form: str) -> None:
    path = put(f"rose.{form}", json.dumps([ROSE]) if form == "json" else lines(ROSE))
    if form == "parquet":
        pl.DataFrame([ROSE]).write_parquet(path)
    assert detect_format(path) is find_format("rose")
    campaign, problems = import_as("rose", path)
    assert not len(problems)
    assert [(scu.uid, scu.label, scu.weight) for scu in campaign.pyramids[0].scus] == [
        (1, "A ferry burned.", 1),
        (2, "It was Sunday.", 1),
    ]
    assert {one.summarizer: [match.present for match in one.scus] for one in campaign.annotations} == {
        "s1": [True, False],
        "gold": [True, True],
    }
    assert ("s1", "", "normalized_acu", 0.30000001) in answers(campaign)
    assert campaign.topics[0].attributes == {"count_id": 0}
    loads(campaign, tmp_path / "c")


def test_rose_labels_must_fit_their_units(put: Put, import_as: Import) -> None:
    short = {**ROSE, "annotations": {"s1": {"acu_labels": [1]}, "nobody": {"acu": 1}}}
    _, problems = import_as("rose", put("rose.jsonl", lines(short, ROSE)))
    assert [one.found for one in problems] == ["1 labels of 's1'", "annotations of 'nobody'", "'e1' again"]


def test_qapyramid_without_labels_is_a_topic_with_a_pyramid(put: Put, import_as: Import, tmp_path: Path) -> None:
    path = put("qa.jsonl", lines(QAPYRAMID, WITHOUT_PEERS))
    assert detect_format(path) is find_format("qapyramid")
    campaign, problems = import_as("qapyramid", path)
    assert not len(problems)
    assert [(one.topic, one.kind) for one in campaign.summaries] == [("e1", "model"), ("e2", "model"), ("e1", "peer")]
    assert (len(campaign.pyramids), len(campaign.annotations)) == (2, 1)
    assert answers(campaign) == [("s1", "", "QAPyramid", 1.0), ("s1", "", "nQAPyramid", 0.8)]
    assert [one.measure for one in campaign.imported] == ["rouge1"]
    loads(campaign, tmp_path / "c")


def test_worker_ids_are_never_written(put: Put, import_as: Import, tmp_path: Path) -> None:
    files = [put("qa.jsonl", lines(QAPYRAMID)), put("QA_presence.json", json.dumps(VOTES))]
    campaign, problems = import_as("qapyramid", files)
    assert not len(problems)
    assert answers(campaign)[2:] == [("s1", "w1", "scu:1", 1), ("s1", "w2", "scu:1", 0)]
    write_folder(campaign, tmp_path / "c")
    assert not any(b"SECRET" in path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file())
    put("QA_presence.json", json.dumps({"s1": {"e9": VOTES["s1"]["e1"]}}))
    assert "3 votes on units" in only(import_as("qapyramid", files)[1])


def test_newsroom_numbers_its_anonymous_raters(put: Put, import_as: Import, tmp_path: Path) -> None:
    path = put("newsroom.csv", NEWSROOM)
    assert detect_format(path) is find_format("newsroom")
    campaign, problems = import_as("newsroom", path)
    assert campaign.topics[0].documents[0].text == "The ferry & the dock burned.\nNobody died."
    assert ("lede3", "anonymous1", "coherence", 5) in answers(campaign)
    assert ("lede3", "anonymous2", "relevance", 2) in answers(campaign)
    assert [one for one in answers(campaign) if one[0] == "abs"] == [
        ("abs", "anonymous1", "coherence", 1),
        ("abs", "anonymous1", "relevance", 1),
    ]
    assert "found 'x'; expected a rating" in only(problems)
    assert len([one for one in campaign.summaries if one.kind == "peer"]) == 2
    loads(campaign, tmp_path / "c")


def test_summeval_op_has_means_or_annotators(put: Put, import_as: Import, tmp_path: Path) -> None:
    path = put("summeval-op.jsonl", lines(OP_MEANS))
    assert detect_format(path) is find_format("summeval-op")
    campaign, problems = import_as("summeval-op", path)
    assert answers(campaign) == [("m1", "mean", "fluency", 4.5)]
    assert [one.id for one in campaign.topics[0].documents] == ["rev1", "rev2"]
    campaign, problems = import_as("summeval-op", put("summeval-op-detailed.jsonl", lines(OP_DETAILED)))
    assert not len(problems)
    assert answers(campaign)[:3] == [
        ("s00", "a1", "fluency", 4),
        ("s00", "a2", "fluency", 5),
        ("s00", "a3", "fluency", 4),
    ]
    assert ("s01", "a3", "specificity", 4) in answers(campaign)
    loads(campaign, tmp_path / "c")
    wrong = {**OP_DETAILED, "fl": [[1, 2, 3]]}
    assert "found 1 ratings; expected 2" in only(import_as("summeval-op", put("x.jsonl", lines(wrong)))[1])


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["s1", "summary", "acu_labels"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(st.sampled_from([SUMMEVAL, ROSE, QAPYRAMID, OP_MEANS, OP_DETAILED]), st.data())
def test_rows_of_any_kind_end_in_a_campaign_or_problems(row: dict[str, Any], data: st.DataObject) -> None:
    keys = data.draw(st.lists(st.sampled_from(sorted(row)), max_size=3))
    changed = {**row, **{key: data.draw(values) for key in keys}}
    path = Path("/nowhere/x.jsonl")
    for name in ("summeval", "rose", "qapyramid", "summeval-op"):
        problems = Problems()
        format = find_format(name)
        content = json.dumps(changed).encode()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pyramidion.formats.json_values.read_rows", lambda *_, content=content: iter([(1, content)]))
            format.read(path, problems)
