"""Exports of Langfuse: traces, observations, dataset items with outputs, and results of experiments, as CSV or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import Glimpse, has_columns, names_keys
from pyramidion.formats.harnesses.logged_rows import LoggedRow, build_campaign
from pyramidion.formats.harnesses.logged_values import open_text
from pyramidion.formats.json_values import (
    Item,
    first_key,
    id_of,
    listed,
    object_at,
    objects_in,
    objects_of,
    text_or_empty,
)
from pyramidion.intake.cells import is_missing, number_of

_ITEM_IDS = ("datasetItemId", "dataset_item_id", "itemId", "item_id")
_EXPECTED = ("expectedOutput", "expected_output", "datasetItemExpectedOutput")
_SYSTEMS = (
    "datasetRunName",
    "dataset_run_name",
    "runName",
    "experimentName",
    "promptName",
    "model",
    "providedModelName",
)
_KNOWN = frozenset(
    {*_ITEM_IDS, *_EXPECTED, *_SYSTEMS, "id", "input", "output", "metadata", "scores", "usage", "latency", "level"}
    | {"timeToFirstToken", "inputCost", "outputCost", "totalCost", "inputTokens", "outputTokens", "totalTokens"}
    | {"errorCount", "warningCount", "defaultCount", "debugCount", "observationCount", "inputUsage", "outputUsage"}
    | {
        "totalUsage",
        "promptVersion",
        "inputPrice",
        "outputPrice",
        "totalPrice",
        "version",
        "modelParameters",
        "comments",
    }
    | {"tags", "traceTags", "usageDetails", "costDetails", "bookmarked", "public", "toolCalls", "toolCallNames"}
)
"""Columns that are no scores."""
_MARKS = ("datasetItemId", "sourceTraceId", "traceId", "datasetRunId", "dataset_run_id", "bookmarked", "projectId")
"""Columns of which an export has one at least."""
_has_io = has_columns("input", "output")
_names_io = names_keys(("input", "output"))


def detect(glimpse: Glimpse) -> bool:
    """Whether a table has inputs, outputs and an id that Langfuse gives."""
    if glimpse.unpacked_head.lstrip().startswith((b"{", b"[")) and not _names_io(glimpse):
        return False
    if not _has_io(glimpse):
        return False
    is_camel = not glimpse.columns.isdisjoint(_MARKS)
    return is_camel and "root_span_id" not in glimpse.columns


def read(paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None) -> Campaign:
    """Outputs and scores; the topic is the item of the dataset, else the input, and the system the run or the model."""
    rows_by_path: dict[Path, list[LoggedRow]] = {}
    for path in paths:
        rows_by_path[path] = [_read_row(row, at) for at, row in objects_in([path], problems)]
    return build_campaign(rows_by_path, problems, names or {})


def _read_row(row: Item, at: Place) -> LoggedRow:
    metadata = object_at(open_text(row.get("metadata")))
    # The SDK's results of experiments have the item of the dataset inside.
    item = object_at(row, "item")
    topic = id_of(first_key(row, "", _ITEM_IDS)) or id_of(first_key(metadata, "", _ITEM_IDS)) or id_of(item.get("id"))
    if topic is None and not is_missing(row.get("sourceTraceId")):
        topic = id_of(row.get("id"))
    expected = first_key(row, "", _EXPECTED)
    if expected is None:
        expected = first_key(metadata, "", _EXPECTED) or first_key(item, "", _EXPECTED)
    has_failed = row.get("level") == "ERROR"
    return LoggedRow(
        at=at,
        topic=topic,
        system=text_or_empty(first_key(row, "", _SYSTEMS)),
        input=open_text(row.get("input", item.get("input"))),
        output=None if has_failed else row.get("output"),
        expected=expected,
        scores=_scores_of(row),
    )


def _scores_of(row: Item) -> dict[str, Any]:
    """The scores of a row: a column of numbers each, lists of them, evaluations, or score objects."""
    scores: dict[str, Any] = {}
    for evaluation in (*objects_of(row.get("evaluations")), *objects_of(row.get("scores"))):
        scores[str(evaluation.get("name"))] = evaluation.get("value")
    for name, cell in row.items():
        if name in _KNOWN or name.endswith(("At", "Time", "Id", "_id")):
            continue
        values = [number_of(value) for value in listed(open_text(cell))]
        numbers = [value for value in values if value is not None]
        if numbers and len(numbers) == len(values):
            scores[name] = sum(numbers) / len(numbers)
    return scores


FORMAT = Format(
    name="langfuse",
    description="exports of Langfuse: traces, observations, items and runs of datasets, with their scores",
    detector=detect,
    several=True,
    names_systems=True,
    reader=read,
)
