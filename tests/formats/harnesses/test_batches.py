"""Outputs of batch requests to OpenAI and Anthropic, in the shape that their documentation shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Problems
from pyramidion.errors import InputError
from pyramidion.formats import detect_format
from pyramidion.run.data import source_of

COLUMNS = ["measure", "topic", "summarizer", "value"]
TEXTS = {"t1": "A ferry burned off Kiel.", "t2": "The mayor stepped down.", "t3": "Rain fell in the north."}


def chat_completion(topic: str, text: str | None, model: str = "gpt-4o") -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": message}],
    }
    response = {"status_code": 200, "request_id": "req_1", "body": body}
    return {"id": "batch_req_1", "custom_id": topic, "response": response, "error": None}


def openai_response(topic: str, text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant", "content": content}]
    response = {"status_code": 200, "body": {"object": "response", "model": "gpt-5", "output": output}}
    return {"custom_id": topic, "response": response, "error": None}


def anthropic_message(topic: str, text: str) -> dict[str, Any]:
    message = {"type": "message", "model": "claude-x", "content": [{"type": "text", "text": text}]}
    return {"custom_id": topic, "result": {"type": "succeeded", "message": message}}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("answer", "model"),
    [(chat_completion, "gpt-4o"), (openai_response, "gpt-5"), (anthropic_message, "claude-x")],
)
def test_an_answer_is_a_summary_of_its_model(tmp_path: Path, answer: Any, model: str) -> None:
    path = write(tmp_path / "out.jsonl", [answer(topic, text) for topic, text in TEXTS.items()])
    format = detect_format(path)
    assert format is not None
    assert format.name == "batch"
    problems = Problems()
    campaign = source_of(path).read(problems)
    assert list(problems) == []
    assert {(summary.topic, summary.summarizer): summary.text for summary in campaign.summaries} == {
        (topic, model): text for topic, text in TEXTS.items()
    }


def test_two_prompts_of_one_model_are_two_systems_with_references_from_a_table(tmp_path: Path) -> None:
    old = [chat_completion(topic, text) for topic, text in TEXTS.items()]
    new = [chat_completion(topic, "Something else.") for topic in TEXTS]
    paths = [write(tmp_path / "old.jsonl", old), write(tmp_path / "new.jsonl", new)]
    rows: list[dict[str, Any]] = [{"id": topic, "reference": text} for topic, text in TEXTS.items()]
    references = write(tmp_path / "references.jsonl", rows[::-1])
    table = pyramidion.score([str(path) for path in paths], "rouge1", option={"references": str(references)})
    values = {(system, topic): value for _, topic, system, value in table.to_polars().select(COLUMNS).iter_rows()}
    assert values == {("old", topic): 1 for topic in TEXTS} | {("new", topic): 0 for topic in TEXTS}


@pytest.mark.parametrize(
    "failed",
    [
        {"custom_id": "t3", "response": None, "error": {"code": "batch_expired", "message": "…"}},
        {"custom_id": "t3", "response": {"status_code": 500, "body": {"error": {"message": "…"}}}, "error": None},
        chat_completion("t3", None),
        {"custom_id": "t3", "result": {"type": "errored", "error": {"type": "invalid_request"}}},
    ],
)
def test_a_request_that_failed_is_a_missing_summary(tmp_path: Path, failed: dict[str, Any]) -> None:
    rows = [chat_completion(topic, TEXTS[topic]) for topic in ("t1", "t2")]
    problems = Problems()
    campaign = source_of(write(tmp_path / "out.jsonl", [*rows, failed])).read(problems)
    assert [summary.topic for summary in campaign.summaries] == ["t1", "t2"]
    assert campaign.topic_ids == ("t1", "t2", "t3")
    assert [(problem.severity, problem.count) for problem in problems] == [("warning", 1)]


def test_a_request_without_an_id_and_references_of_another_number_are_errors(tmp_path: Path) -> None:
    rows = [chat_completion(topic, text) for topic, text in TEXTS.items()]
    path = write(tmp_path / "out.jsonl", [*rows, {**rows[0], "custom_id": None}])
    (tmp_path / "references.txt").write_text("One.\nTwo.\n")
    with pytest.raises(InputError) as error:
        pyramidion.score(str(path), "rouge1", option={"references": str(tmp_path / "references.txt")})
    assert "out.jsonl:4: error: custom_id: found no id" in str(error.value)
    assert "references.txt: error: found 2 references; expected one for each of the 3 requests" in str(error.value)


def test_a_table_with_such_columns_is_no_batch(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"custom_id": topic, "response": text} for topic, text in TEXTS.items()]
    assert detect_format(write(tmp_path / "out.jsonl", rows)) is None
