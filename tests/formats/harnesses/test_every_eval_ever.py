"""every-eval-ever: results with uncertainty and instances, both ways, in the schema 0.3 of Every Eval Ever."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from formats.miniature import Import, Put, only
from pyramidion.campaign import (
    Campaign,
    Document,
    Judgment,
    Problems,
    Question,
    QuestionSet,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.errors import InputError, UsageError
from pyramidion.formats import detect_format, find_format
from pyramidion.formats.harnesses.every_eval_ever import uncertainty_of
from pyramidion.scores import Score, ScoreTable

EEE = find_format("every-eval-ever")
VALUES = {"a": [0.2, 0.5, 0.3], "b": [0.1, 0.4, 0.6]}
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


@pytest.fixture
def campaign() -> Campaign:
    topics = [f"t{number}" for number in range(3)]
    documents = {topic: (Document(id="1", text=f"Source of {topic}."),) for topic in topics}
    models = [Summary(topic=topic, summarizer="ref1", kind="model", text=f"Reference {topic}.") for topic in topics]
    peers = [Summary(topic=t, summarizer=s, kind="peer", text=f"{s} on {t}.") for t in topics for s in VALUES]
    scores = [
        Score("js", topic, system, value, "js|v:1", False)
        for system, values in VALUES.items()
        for topic, value in zip(topics, values, strict=True)
    ]
    answers = [
        Judgment(topic="t0", summarizer="a", question="focus", value=value, assessor=who)
        for who, value in (("x", 2), ("y", 5))
    ]
    return Campaign(
        name="mine",
        simulated="scores",
        questions=QuestionSet((Question(name="focus"),)),
        summarizers={"a": Summarizer(name="System A", organisation="lab")},
        topics=tuple(Topic(topic=topic, documents=documents[topic]) for topic in topics),
        summaries=(*models, *peers),
        judgments=tuple(answers),
        imported=ScoreTable.of(scores),
    )


@pytest.fixture
def exported(campaign: Campaign, tmp_path: Path) -> Path:
    EEE.write(campaign, tmp_path / "out", Problems(), timestamp="1700000000", organisation="us")
    return tmp_path / "out"


def run_of(folder: Path, system: str) -> tuple[Path, dict[str, Any]]:
    [path] = folder.glob(f"data/mine/*/{system}/*.json")
    return path, json.loads(path.read_text(encoding="utf-8"))


def test_a_run_has_what_the_schema_requires(exported: Path) -> None:
    path, run = run_of(exported, "a")
    assert re.fullmatch(UUID, path.stem)
    assert path.parent == exported / "data" / "mine" / "lab" / "a"
    assert (run["schema_version"], run["evaluation_id"]) == ("0.3.0", "mine/lab/a/1700000000")
    assert run["model_info"]["id"] == "lab/a"
    assert run["model_info"]["name"] == "System A"
    assert run["source_metadata"]["source_organization_name"] == "us"
    assert run["source_metadata"]["additional_details"] == {"simulated": "scores"}
    js, focus = run["evaluation_results"]
    assert (js["metric_config"]["metric_id"], js["metric_config"]["lower_is_better"]) == ("js", True)
    assert js["metric_config"]["additional_details"] == {"signature": "js|v:1"}
    assert focus["metric_config"]["score_type"] == "continuous"
    assert (focus["metric_config"]["min_score"], focus["metric_config"]["max_score"]) == (1, 5)
    assert focus["score_details"] == {"score": 3.5, "uncertainty": {"num_samples": 1}}


def test_standard_errors_and_intervals_are_those_of_scipy(exported: Path) -> None:
    details = run_of(exported, "a")[1]["evaluation_results"][0]["score_details"]
    values = VALUES["a"]
    assert details["score"] == pytest.approx(np.mean(values))
    uncertainty = details["uncertainty"]
    assert uncertainty["standard_error"]["value"] == pytest.approx(stats.sem(values))
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    interval = uncertainty["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == pytest.approx((expected.low, expected.high))
    assert (interval["confidence_level"], uncertainty["num_samples"]) == (0.95, 3)


def test_instances_belong_to_the_run(exported: Path) -> None:
    path, run = run_of(exported, "a")
    details = run["detailed_evaluation_results"]
    samples = exported / details["file_path"]
    assert samples == path.with_name(f"{path.stem}_samples.jsonl")
    assert hashlib.sha256(samples.read_bytes()).hexdigest() == details["checksum"]
    rows = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == details["total_rows"] == 4
    assert rows[0]["input"] == {"raw": "Source of t0.", "reference": ["Reference t0."]}
    assert (rows[0]["sample_id"], rows[0]["output"]["raw"]) == ("t0", ["a on t0."])
    assert rows[0]["evaluation"] == {"score": 0.2, "is_correct": False}
    assert {row["evaluation_result_id"] for row in rows} == {"js", "question.focus"}


def test_what_was_exported_is_read_again(exported: Path) -> None:
    assert detect_format(exported) is EEE
    problems = Problems()
    again = EEE.read(exported, problems)
    assert problems.errors == 0
    rows = again.imported.to_polars().iter_rows(named=True)
    values = {(row["measure"], row["summarizer"], row["topic"]): row["value"] for row in rows}
    assert values["js", "lab/a", "t1"] == 0.5
    assert values["js", "b", "t2"] == 0.6  # a developer that is not known is not a part of the name
    assert values["question.focus", "lab/a", "t0"] == 3.5
    assert {summary.text for summary in again.summaries if summary.kind == "model"} >= {"Reference t0."}


def test_the_same_export_writes_the_same_files(campaign: Campaign, tmp_path: Path, exported: Path) -> None:
    EEE.write(campaign, tmp_path / "again", Problems(), timestamp="1700000000", organisation="us")
    files = {path.relative_to(exported): path.read_bytes() for path in exported.rglob("*.json*")}
    again = {path.relative_to(tmp_path / "again"): path.read_bytes() for path in (tmp_path / "again").rglob("*.json*")}
    assert again == files


RUN: dict[str, Any] = {
    "schema_version": "0.3.0",
    "evaluation_id": "hfopenllm_v2/org/model/1",
    "model_info": {"name": "model", "id": "org/model"},
    "evaluation_results": [
        {
            "evaluation_name": "IFEval",
            "metric_config": {"metric_id": "accuracy", "lower_is_better": False},
            "score_details": {
                "score": 0.4,
                "uncertainty": {
                    "standard_error": {"value": 0.02},
                    "confidence_interval": {"lower": 0.36, "upper": 0.44, "confidence_level": 0.95},
                },
            },
        },
        {"evaluation_name": "BBH", "metric_config": {"metric_id": "accuracy"}, "score_details": {"score": 0.5}},
    ],
}


def test_means_without_instances_keep_their_uncertainty(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("every-eval-ever", put("run.json", json.dumps(RUN)))
    assert list(problems) == []
    rows = campaign.imported.to_polars().iter_rows(named=True)
    assert {row["measure"]: (row["topic"], row["summarizer"], row["value"]) for row in rows} == {
        "accuracy": ("average", "org/model", 0.4),
        "accuracy.standard_error": ("average", "org/model", 0.02),
        "accuracy.lower": ("average", "org/model", 0.36),
        "accuracy.upper": ("average", "org/model", 0.44),
        "BBH.accuracy": ("average", "org/model", 0.5),
    }


INSTANCE: dict[str, Any] = {
    "schema_version": "0.3.0",
    "evaluation_id": "gaia/org/model/1",
    "model_id": "org/model",
    "evaluation_name": "gaia",
    "sample_id": "s1",
    "interaction_type": "agentic",
    "input": {"raw": "Question?", "reference": ["42"]},
    "messages": [
        {"turn_idx": 0, "role": "user", "content": "Q"},
        {"turn_idx": 1, "role": "assistant", "content": "42"},
    ],
    "answer_attribution": [],
    "evaluation": {"score": 1.0, "is_correct": True},
}


def test_the_last_answer_of_a_conversation_is_the_output(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("every-eval-ever", put("x_samples.jsonl", json.dumps(INSTANCE) + "\n"))
    assert list(problems) == []
    assert [summary.text for summary in campaign.summaries if summary.kind == "peer"] == ["42"]
    assert campaign.imported.measures == ("gaia",)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", {"schema_version": "0.3.0"}, "found no evaluation_results"),
        ("a.json", {**RUN, "model_info": {}}, "model_info.id: found no id"),
        ("a.json", {**RUN, "evaluation_results": []}, "found no result"),
        ("a_samples.jsonl", {**INSTANCE, "sample_id": None}, "found no id; expected sample_id and model_id"),
        ("a_samples.jsonl", {**INSTANCE, "evaluation": {"score": "high"}}, "evaluation.score: found 'high'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(put: Put, import_as: Import, name: str, content: Any, said: str) -> None:
    _, problems = import_as("every-eval-ever", put(name, json.dumps(content)))
    assert said in only(problems)


def test_an_export_without_scores_and_a_wrong_option_are_refused(tmp_path: Path) -> None:
    bare = Campaign(summaries=(Summary(topic="t", summarizer="a", kind="peer", text="x"),))
    with pytest.raises(InputError, match="no summary has a score or an answer to a question"):
        EEE.write(bare, tmp_path / "x", Problems())
    with pytest.raises(UsageError, match="choose one of: first_party"):
        EEE.write(bare, tmp_path / "x", Problems(), relationship="friends")


def test_one_value_has_no_standard_error() -> None:
    assert uncertainty_of([0.5]) == {"num_samples": 1}
