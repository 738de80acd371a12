"""Exports of Langfuse, Braintrust, Phoenix and OpenTelemetry, in the shapes that these programs write; texts are made up."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Problems
from pyramidion.formats import detect_format
from pyramidion.options import Choice
from pyramidion.run.data import locate_source

DOCUMENTS = {"i1": "The ferry burned for hours off Kiel.", "i2": "The mayor of Kiel resigned on Friday."}
REFERENCES = {"i1": "A ferry burned.", "i2": "The mayor resigned."}
OUTPUTS = {"i1": "Ferry fire.", "i2": "Mayor gone."}
Write = Callable[[Path], None]


def write_text(text: str) -> Write:
    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8")

    return write


def write_json(rows: Any) -> Write:
    return write_text(json.dumps(rows))


def write_lines(rows: list[dict[str, Any]]) -> Write:
    return write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_csv(rows: list[dict[str, Any]]) -> Write:
    """Nested cells are JSON, as these programs write them."""

    def write(path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            for row in rows:
                writer.writerow({key: cell if isinstance(cell, str) else json.dumps(cell) for key, cell in row.items()})

    return write


def langfuse_traces() -> list[dict[str, Any]]:
    return [
        {
            "id": f"trace-{topic}-x",
            "name": "summarize",
            "projectId": "p",
            "sessionId": None,
            "bookmarked": False,
            "timestamp": "2026-01-01T00:00:00Z",
            "input": {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]},
            "output": {"role": "assistant", "content": OUTPUTS[topic]},
            "metadata": {"datasetItemId": topic, "expected_output": REFERENCES[topic]},
            "latency": 1.5,
            "totalCost": 0.01,
            "faithful": [1, 0],
        }
        for topic, text in DOCUMENTS.items()
    ]


def langfuse_observations() -> list[dict[str, Any]]:
    return [
        {
            "id": f"observation-{topic}",
            "traceId": f"trace-{topic}",
            "type": "GENERATION",
            "model": "gpt-4o",
            "startTime": "2026-01-01T00:00:00Z",
            "level": "DEFAULT",
            "input": [{"role": "user", "content": text}],
            "output": {"choices": [{"message": {"role": "assistant", "content": OUTPUTS[topic]}}]},
            "metadata": {"dataset_item_id": topic, "expectedOutput": {"summary": REFERENCES[topic]}},
            "inputUsage": 100,
        }
        for topic, text in DOCUMENTS.items()
    ]


def langfuse_results() -> list[dict[str, Any]]:
    """What the SDK's experiment runner returns for each item."""
    return [
        {
            "item": {"id": topic, "input": {"article": text}, "expected_output": REFERENCES[topic]},
            "input": {"article": text},
            "output": {"summary": OUTPUTS[topic]},
            "evaluations": [{"name": "faithful", "value": 0.5, "comment": "so so"}],
            "trace_id": "t",
            "dataset_run_id": "r",
            "datasetRunName": "terse",
        }
        for topic, text in DOCUMENTS.items()
    ]


def braintrust_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for topic, text in DOCUMENTS.items():
        root = {
            "id": f"row-{topic}",
            "span_id": f"s-{topic}",
            "root_span_id": f"s-{topic}",
            "is_root": True,
            "span_attributes": {"name": "eval", "type": "eval"},
            "input": {"article": text},
            "output": OUTPUTS[topic],
            "expected": REFERENCES[topic],
            "error": None,
            "scores": {"faithful": 0.5, "skipped": None},
            "metadata": {"model": "gpt-4o"},
            "metrics": {"tokens": 100},
            "dataset_record_id": topic,
        }
        scorer = root | {"span_id": f"x-{topic}", "is_root": False, "output": {"score": 0.5}, "scores": {}}
        rows += [root, scorer]
    return rows


def phoenix_experiment() -> list[dict[str, Any]]:
    return [
        {
            "example_id": topic,
            "repetition_number": 1,
            "input": {"article": text},
            "reference_output": {"summary": REFERENCES[topic]},
            "output": {"summary": OUTPUTS[topic]},
            "error": None,
            "latency_ms": 12.5,
            "trace_id": "t",
            "annotations": [{"name": "faithful", "annotator_kind": "LLM", "label": "partly", "score": 0.5}],
        }
        for topic, text in DOCUMENTS.items()
    ]


def phoenix_experiment_csv() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for row in phoenix_experiment():
        del row["annotations"]
        rows.append(row | {"error": "", "annotation_faithful_label": "partly", "annotation_faithful_score": 0.5})
    return rows


def phoenix_spans() -> list[dict[str, Any]]:
    """Spans as Phoenix's REST API lists them: attributes have flat names."""
    rows: list[dict[str, Any]] = []
    for topic, text in DOCUMENTS.items():
        metadata = json.dumps({"example_id": topic, "reference": REFERENCES[topic]})
        call = {
            "name": "ChatCompletion",
            "context": {"trace_id": f"t-{topic}", "span_id": f"s-{topic}"},
            "span_kind": "LLM",
            "status_code": "OK",
            "attributes": {
                "llm.model_name": "gpt-4o",
                "input.value": json.dumps({"messages": [{"role": "user", "content": text}]}),
                "output.value": json.dumps({"choices": [{"message": {"content": OUTPUTS[topic]}}]}),
                "metadata": metadata,
            },
        }
        chain = call | {"name": "pipeline", "span_kind": "CHAIN"}
        rows += [chain, call]
    return rows


def write_phoenix_frame(path: Path) -> None:
    """Spans as Phoenix's data frame has them: a column for each attribute."""
    rows = [
        {
            "context.span_id": f"s-{topic}",
            "name": "ChatCompletion",
            "span_kind": "LLM",
            "status_code": "OK",
            "attributes.llm.model_name": "gpt-4o",
            "attributes.input.value": text,
            "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": OUTPUTS[topic]}],
            "attributes.metadata": {"example_id": topic, "reference": REFERENCES[topic]},
        }
        for topic, text in DOCUMENTS.items()
    ]
    pl.DataFrame(rows).write_parquet(path)


def otlp_request() -> dict[str, Any]:
    spans: list[dict[str, Any]] = []
    for topic, text in DOCUMENTS.items():
        answer = [
            {"role": "assistant", "parts": [{"type": "text", "content": OUTPUTS[topic]}], "finish_reason": "stop"}
        ]
        question = [{"role": "user", "parts": [{"type": "text", "content": text}]}]
        values = {
            "gen_ai.request.model": {"stringValue": "gpt-4o"},
            "gen_ai.input.messages": {"stringValue": json.dumps(question)},
            "gen_ai.output.messages": {"stringValue": json.dumps(answer)},
            "metadata": {"stringValue": json.dumps({"id": topic, "expected": REFERENCES[topic]})},
        }
        attributes = [{"key": key, "value": value} for key, value in values.items()]
        spans.append({"traceId": "t", "spanId": topic, "name": "chat gpt-4o", "attributes": attributes, "status": {}})
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": spans}]}]}


EXPORTS: dict[str, tuple[str, str, Write, str, dict[str, float]]] = {
    "traces of Langfuse": ("x.json", "langfuse", write_json(langfuse_traces()), "x", {"faithful": 0.5}),
    "traces of Langfuse as CSV": ("x.csv", "langfuse", write_csv(langfuse_traces()), "x", {"faithful": 0.5}),
    "observations of Langfuse": ("x.jsonl", "langfuse", write_lines(langfuse_observations()), "gpt-4o", {}),
    "results of Langfuse": ("x.json", "langfuse", write_json(langfuse_results()), "terse", {"faithful": 0.5}),
    "rows of Braintrust": ("x.jsonl", "braintrust", write_lines(braintrust_rows()), "gpt-4o", {"faithful": 0.5}),
    "rows of Braintrust as CSV": ("x.csv", "braintrust", write_csv(braintrust_rows()), "gpt-4o", {"faithful": 0.5}),
    "an experiment of Phoenix": ("x.json", "spans", write_json(phoenix_experiment()), "x", {"faithful": 0.5}),
    "one as CSV": ("x.csv", "spans", write_csv(phoenix_experiment_csv()), "x", {"faithful": 0.5}),
    "spans of Phoenix": ("x.jsonl", "spans", write_lines(phoenix_spans()), "gpt-4o", {}),
    "a data frame of Phoenix": ("x.parquet", "spans", write_phoenix_frame, "gpt-4o", {}),
    "OTLP": ("x.json", "spans", write_json(otlp_request()), "gpt-4o", {}),
    "OTLP in lines": ("x.jsonl", "spans", write_lines([otlp_request()]), "gpt-4o", {}),
}


def read(*paths: Path, **choice: Any) -> Campaign:
    problems = Problems()
    names = list(map(str, paths))
    campaign = locate_source(names if len(names) > 1 else names[0], Choice(**choice)).source.read(problems)
    assert [str(problem) for problem in problems] == []
    return campaign


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_has_its_items_texts_systems_and_scores(tmp_path: Path, name: str) -> None:
    file, format, write, system, scores = EXPORTS[name]
    path = tmp_path / file
    write(path)
    detected = detect_format(path)
    assert detected is not None
    assert detected.name == format

    campaign = read(path)

    peers = {(row.topic, row.summarizer): row.text for row in campaign.summaries if row.kind == "peer"}
    models = {row.topic: row.text for row in campaign.summaries if row.kind == "model"}
    documents = {topic.topic: topic.documents[0].text for topic in campaign.topics}
    assert peers == {(topic, system): text for topic, text in OUTPUTS.items()}
    assert models == REFERENCES
    assert documents == DOCUMENTS
    assert {(row.measure, row.topic): row.value for row in campaign.imported} == {
        (measure, topic): value for measure, value in scores.items() for topic in OUTPUTS
    }


def test_rows_without_ids_of_items_go_together_by_their_input(tmp_path: Path) -> None:
    first, second = tmp_path / "terse.json", tmp_path / "long.json"
    rows = langfuse_traces()
    for row in rows:
        row["metadata"] = {}
    first.write_text(json.dumps(rows))
    longer = [row | {"output": f"{row['output']['content']} Really.", "id": "other"} for row in reversed(rows)]
    second.write_text(json.dumps(longer))

    campaign = read(first, second)

    texts = {(row.topic, row.summarizer): row.text for row in campaign.summaries}
    assert texts == {
        ("1", "terse"): "Ferry fire.",
        ("2", "terse"): "Mayor gone.",
        ("1", "long"): "Ferry fire. Really.",
        ("2", "long"): "Mayor gone. Really.",
    }


def test_two_exports_of_one_model_are_two_systems(tmp_path: Path) -> None:
    first, second = tmp_path / "terse.jsonl", tmp_path / "long.jsonl"
    write_lines(braintrust_rows())(first)
    write_lines(braintrust_rows())(second)

    table = pyramidion.score([str(first), str(second)], ["rouge1"])
    assert table.summarizers == ("terse", "long")
    table = pyramidion.score([str(first), str(second)], ["rouge1"], system={"A": str(first), "B": str(second)})
    assert table.summarizers == ("A", "B")


def test_a_failed_request_is_a_missing_summary(tmp_path: Path) -> None:
    rows = phoenix_experiment()
    rows[0] |= {"error": "timeout", "output": None}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(rows))
    problems = Problems()

    campaign = locate_source(str(path), Choice()).source.read(problems)

    assert [row.topic for row in campaign.summaries if row.kind == "peer"] == ["i2"]
    assert "1 items without an output" in str(next(iter(problems)))
