"""Spans of OpenTelemetry and Phoenix, and experiments of Phoenix: what a model was asked and what it answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import Glimpse, has_columns, names_keys
from pyramidion.formats.harnesses.logged_rows import LoggedRow, build_campaign
from pyramidion.formats.harnesses.logged_values import is_filled, open_text
from pyramidion.formats.json_values import Item, first_key, id_of, object_at, objects_in, objects_of, text_or_empty
from pyramidion.intake.cells import is_missing, number_of

_INPUTS = ("gen_ai.input.messages", "llm.input_messages", "input.value", "gen_ai.prompt", "gen_ai.prompt.0.content")
_OUTPUTS = (
    "gen_ai.output.messages",
    "llm.output_messages",
    "output.value",
    "gen_ai.completion",
    "gen_ai.completion.0.content",
)
"""Where a span has what was answered: OpenTelemetry's conventions, those of OpenInference, and older ones."""
_MODELS = ("gen_ai.request.model", "gen_ai.response.model", "llm.model_name")
_ITEM_IDS = ("example_id", "dataset_item_id", "item_id", "topic", "id")
_CALLS = frozenset({"LLM"})
"""What Phoenix calls spans that call a model."""
_ATTRIBUTES = "attributes."
is_experiment: Callable[[Glimpse], bool] = has_columns("example_id", "reference_output", "output")
is_otlp: Callable[[Glimpse], bool] = names_keys(("resourceSpans", "scopeSpans"))
_names_spans = names_keys(("attributes", "span_id"), ("attributes", "spanId"))


def detect(glimpse: Glimpse) -> bool:
    """Whether a file has spans with outputs, or the runs of an experiment."""
    if is_otlp(glimpse) or is_experiment(glimpse):
        return True
    outputs = {f"{_ATTRIBUTES}{name}" for name in _OUTPUTS}
    if glimpse.table_kind is None:
        return False
    if glimpse.is_plain_json:
        return _names_spans(glimpse) and any(f'"{name}"'.encode() in glimpse.unpacked_head for name in _OUTPUTS)
    return not outputs.isdisjoint(glimpse.columns)


def read(paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None) -> Campaign:
    """Outputs of calls to a model; the topic is an id in the metadata, else the input, and the system the model."""
    rows_by_path: dict[Path, list[LoggedRow]] = {}
    for path in paths:
        rows_by_path[path] = list(_read_rows(path, problems))
    return build_campaign(rows_by_path, problems, names or {})


def _read_rows(path: Path, problems: Problems) -> Iterator[LoggedRow]:
    glimpse = Glimpse(path)
    if is_experiment(glimpse):
        for at, row in objects_in([path], problems):
            yield _read_run(row, at)
        return
    spans = [(at, span, _attributes_of(span)) for at, span in _spans_in(path, problems)]
    # A chain logs its output once more than the call of the model inside it.
    calls = [entry for entry in spans if _calls_model(entry[1], entry[2])]
    for at, span, attributes in calls or spans:
        if first_key(attributes, "", _OUTPUTS) is not None or _has_failed(span):
            yield _read_span(span, attributes, at)


def _spans_in(path: Path, problems: Problems) -> Iterator[tuple[Place, Item]]:
    """The spans of a file: one per row, or nested as OTLP has them, a batch per line."""
    for at, row in objects_in([path], problems):
        if "resourceSpans" not in row and "scopeSpans" not in row and "scope_spans" not in row:
            yield at, row
            continue
        for resource in objects_of(row.get("resourceSpans")) or [row]:
            for scope in objects_of(resource.get("scopeSpans")) or objects_of(resource.get("scope_spans")):
                for span in objects_of(scope.get("spans")):
                    yield at, span


def _attributes_of(span: Item) -> Item:
    """The attributes of a span by name: an object, flat columns, or OTLP's list of keys and values."""
    attributes: Item = {}
    raw = open_text(span.get("attributes"))
    if isinstance(raw, Mapping):
        _flatten(raw, "", attributes)
    for entry in objects_of(raw) if isinstance(raw, list) else ():
        attributes[str(entry.get("key"))] = _otlp_value(entry.get("value"))
    for name, cell in span.items():
        if name.startswith(_ATTRIBUTES) and not is_missing(cell):
            attributes[name.removeprefix(_ATTRIBUTES)] = cell
    return attributes


def _flatten(values: Mapping[str, Any], prefix: str, attributes: Item) -> None:
    """Add values under the names of all keys above them, and objects themselves, too."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if is_missing(value):
            continue
        attributes[name] = value
        if isinstance(value, Mapping):
            _flatten(value, f"{name}.", attributes)


def _otlp_value(value: Any) -> Any:
    """The value of an attribute as OTLP writes it: `{"stringValue": …}`, and so on."""
    inner = object_at(value)
    if "arrayValue" in inner:
        return [_otlp_value(item) for item in objects_of(object_at(inner, "arrayValue").get("values"))]
    if "kvlistValue" in inner:
        pairs = objects_of(object_at(inner, "kvlistValue").get("values"))
        return {str(pair.get("key")): _otlp_value(pair.get("value")) for pair in pairs}
    return next(iter(inner.values()), None)


def _calls_model(span: Item, attributes: Item) -> bool:
    """Whether a span is the call of a model."""
    kind = span.get("span_kind", attributes.get("openinference.span.kind"))
    if kind in _CALLS:
        return True
    return first_key(attributes, "", _MODELS) is not None and kind is None


def _has_failed(span: Item) -> bool:
    """Whether the status of a span says that the call failed."""
    status = open_text(span.get("status_code", span.get("status")))
    code = object_at(status).get("code", object_at(status).get("status_code", status))
    return code in ("ERROR", "STATUS_CODE_ERROR", 2)


def _read_span(span: Item, attributes: Item, at: Place) -> LoggedRow:
    metadata = object_at(open_text(attributes.get("metadata")))
    return LoggedRow(
        at=at,
        topic=id_of(first_key(metadata, "", _ITEM_IDS)),
        system=text_or_empty(first_key(attributes, "", _MODELS)),
        input=open_text(first_key(attributes, "", _INPUTS)),
        output=None if _has_failed(span) else first_key(attributes, "", _OUTPUTS),
        expected=first_key(metadata, "", ("reference", "expected", "expected_output")),
    )


def _read_run(row: Item, at: Place) -> LoggedRow:
    """A run of an experiment of Phoenix, as its pages export it."""
    scores: dict[str, Any] = {}
    for annotation in objects_of(open_text(row.get("annotations"))):
        scores[str(annotation.get("name"))] = annotation.get("score")
    for name, cell in row.items():
        # The CSV has columns such as annotation_faithful_score.
        if name.startswith("annotation_") and name.endswith("_score"):
            scores[name.removeprefix("annotation_").removesuffix("_score")] = number_of(cell)
    return LoggedRow(
        at=at,
        topic=id_of(row.get("example_id")),
        input=open_text(row.get("input")),
        output=None if is_filled(row.get("error")) else row.get("output"),
        expected=row.get("reference_output"),
        scores={name: score for name, score in scores.items() if not is_missing(score)},
    )


FORMAT = Format(
    name="spans",
    description="spans of OpenTelemetry and Phoenix, and Phoenix's experiments with their annotations",
    detector=detect,
    several=True,
    names_systems=True,
    reader=read,
)
