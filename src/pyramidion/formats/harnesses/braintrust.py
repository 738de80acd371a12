"""Rows of Braintrust's experiments and logs, as JSON, JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import has_columns
from pyramidion.formats.harnesses.logged_rows import LoggedRow, build_campaign
from pyramidion.formats.harnesses.logged_values import is_filled, open_text
from pyramidion.formats.json_values import Item, first_key, id_of, object_at, objects_in, text_or_empty

_EXPERIMENT = ("experiment_name", "experiment")
_MODEL = ("model", "model_name")


def read(paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None) -> Campaign:
    """Outputs and scores of root spans; the topic is the record of the dataset, else the input."""
    rows_by_path: dict[Path, list[LoggedRow]] = {}
    for path in paths:
        rows = list(objects_in([path], problems))
        rows_by_path[path] = [_read_row(row, at) for at, row in rows if _is_root(row)]
    return build_campaign(rows_by_path, problems, names or {})


def _is_root(row: Item) -> bool:
    """Whether a row is a test case rather than a step of one, such as the call of a scorer."""
    is_root = row.get("is_root")
    if is_root is not None:
        return str(is_root).lower() == "true"
    return row.get("span_id") == row.get("root_span_id")


def _read_row(row: Item, at: Place) -> LoggedRow:
    metadata = object_at(open_text(row.get("metadata")))
    origin = object_at(open_text(row.get("origin")))
    has_failed = is_filled(row.get("error"))
    return LoggedRow(
        at=at,
        topic=id_of(row.get("dataset_record_id")) or id_of(origin.get("id")) or id_of(metadata.get("id")),
        system=text_or_empty(first_key(row, "", _EXPERIMENT) or first_key(metadata, "", _MODEL)),
        input=open_text(row.get("input")),
        output=None if has_failed else row.get("output"),
        expected=row.get("expected"),
        scores=object_at(open_text(row.get("scores"))),
    )


FORMAT = Format(
    name="braintrust",
    description="rows of Braintrust's experiments and logs, with their scores",
    detector=has_columns("span_id", "root_span_id", "input", "output"),
    several=True,
    names_systems=True,
    reader=read,
)
