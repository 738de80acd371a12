"""Outputs of batch requests to OpenAI and Anthropic: JSON lines, each with a `custom_id` and the answer of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.harnesses.log_systems import LogLabels, name_logs
from pyramidion.formats.json_values import Item, id_of, object_at, objects_in, objects_of, text_or_empty, words_of
from pyramidion.formats.plain.text_series import read_series


def read(
    paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None, **options: str
) -> Campaign:
    """The outputs of all files; the summarizer is the model, or the file's name where several files have one model.

    A request that failed has no output: its summary is missing.
    """
    builder = CampaignBuilder(paths[0].stem)
    rows_by_path = {path: list(objects_in([path], problems)) for path in paths}
    logs = [LogLabels(path=path, model=_model_in([row for _, row in rows])) for path, rows in rows_by_path.items()]
    systems = name_logs(logs, names or {}, options.get("summarizer", ""))
    for summarizer, (path, rows) in zip(systems, rows_by_path.items(), strict=True):
        for at, row in rows:
            topic = id_of(row.get("custom_id"))
            if topic is None:
                at.error(found="no id", expected="the id of the request", remedy="Correct the row.", field="custom_id")
                continue
            builder.add_topic(topic)
            builder.add_peer(topic, summarizer, _output_of(row), at)
        builder.note_holes(problems.at(path))
        builder.holes.clear()
    _add_references(builder, words_of(options.get("references", "")), problems)
    return builder.build()


def _model_in(rows: Sequence[Item]) -> str:
    """The model that answered; empty if there are several, or none is named."""
    models = {_body_of(row).get("model") for row in rows} - {None}
    if len(models) != 1:
        return ""
    return text_or_empty(models.pop())


def _body_of(row: Mapping[str, Any]) -> Item:
    """The answer to a request: `response.body` of OpenAI, `result.message` of Anthropic."""
    return object_at(row, "response", "body") or object_at(row, "result", "message")


def _output_of(row: Mapping[str, Any]) -> str | None:
    """The text of an answer; None if the request failed or was refused."""
    if row.get("error"):
        return None
    body = _body_of(row)
    # Chat completions of OpenAI.
    for choice in objects_of(body.get("choices"))[:1]:
        content = object_at(choice, "message").get("content")
        return content if isinstance(content, str) else None
    # Messages of Anthropic have blocks of text; OpenAI's responses have messages with such blocks.
    blocks = objects_of(body.get("content"))
    for message in objects_of(body.get("output")):
        blocks += objects_of(message.get("content"))
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    if not texts:
        return None
    return "".join(texts)


def _add_references(builder: CampaignBuilder, names: Sequence[str], problems: Problems) -> None:
    """Add the references in tables that name topics, or in text files in the order of the first file's requests."""
    for name in names:
        series = read_series(Path(name), "references", problems)
        if series is None:
            continue
        topics = list(builder.topics)
        if series.topics is None and len(series.texts) != len(topics):
            problems.at(Path(name)).error(
                found=f"{len(series.texts):,} references",
                expected=f"one for each of the {len(topics):,} requests, or a table with a column of ids",
                remedy="Give a table with the columns custom_id and reference.",
            )
            continue
        for topic, text in series.by_topic(topics).items():
            references = text if isinstance(text, list) else [text]
            if topic in builder.topics:
                builder.models[topic] = (*builder.models.get(topic, ()), *filter(None, references))


FORMAT = Format(
    name="batch",
    description="outputs of batch requests to OpenAI and Anthropic",
    detector=names_keys(("custom_id", "response", "body"), ("custom_id", "result", "type")),
    several=True,
    names_systems=True,
    reader=read,
    options={
        "summarizer": "the name of the system, if there is one file; by default the model, else the file's name",
        "references": "files of references, separated by commas: tables with the ids of the requests",
    },
)
