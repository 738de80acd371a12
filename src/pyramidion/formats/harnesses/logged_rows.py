"""Rows of programs that log what a model was asked and what it answered: item, system, input, output, scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.opening import stem_of
from pyramidion.files.problems import Place
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.harnesses.log_systems import name_systems_of_files
from pyramidion.formats.harnesses.logged_values import expected_texts, input_text, output_text
from pyramidion.intake.cells import is_missing


@dataclass(frozen=True, kw_only=True)
class LoggedRow:
    """An answer that was logged."""

    at: Place
    topic: str | None = None
    """The id of the item; None: rows with the same input are about the same item."""
    system: str = ""
    """The model or experiment, if the row names it."""
    input: Any = None
    output: Any = None
    """None: the request failed."""
    expected: Any = None
    scores: Mapping[str, Any] = field(default_factory=dict)


def build_campaign(
    rows_by_path: Mapping[Path, Sequence[LoggedRow]], problems: Problems, names: Mapping[Path, str]
) -> Campaign:
    """The campaign in the rows of all files.

    A system is called as the rows say, or as the file if several files have one name for it.

    Args:
        rows_by_path: the answers of each file.
        problems: where problems are noted.
        names: by file, the name of its system that the user gives.
    """
    paths = list(rows_by_path)
    builder = CampaignBuilder(stem_of(paths[0]))
    topics = _topics_by_row(rows_by_path, problems)
    labels = {path: list(dict.fromkeys(row.system for row in rows)) for path, rows in rows_by_path.items()}
    systems = name_systems_of_files(labels, names)
    for path, rows in rows_by_path.items():
        for number, row in enumerate(rows):
            topic = topics[path][number]
            system = systems[path, row.system]
            document = input_text(row.input)
            builder.add_topic(topic, [document] if document else [], expected_texts(row.expected))
            builder.add_peer(topic, system, output_text(row.output), row.at)
            for measure, value in row.scores.items():
                builder.add_score(topic, system, measure, value)
        builder.note_holes(problems.at(path))
        builder.holes.clear()
    builder.note_no_row_in(paths, problems, "an answer in each row")
    return builder.build()


def _topics_by_row(rows_by_path: Mapping[Path, Sequence[LoggedRow]], problems: Problems) -> dict[Path, list[str]]:
    """The topic of each row: the id of its item; where rows have none, a number for each input."""
    all_rows = [row for rows in rows_by_path.values() for row in rows]
    has_ids = all(row.topic for row in all_rows)
    if has_ids:
        return {path: [str(row.topic) for row in rows] for path, rows in rows_by_path.items()}
    numbers: dict[str, int] = {}
    topics: dict[Path, list[str]] = {}
    for path, rows in rows_by_path.items():
        # Ids of traces are different in every run; what was asked is the same.
        keys = [json.dumps(row.input, sort_keys=True, default=str) for row in rows]
        topics[path] = [str(numbers.setdefault(key, len(numbers) + 1)) for key in keys]
    if all(is_missing(row.input) for row in all_rows):
        topics = {path: [str(number) for number in range(1, len(rows) + 1)] for path, rows in rows_by_path.items()}
    name = next(iter(rows_by_path)).name
    problems.remark(f"{name}: no ids of items; rows with the same input are about the same topic")
    return topics
