"""A small campaign folder without any problem, for tests that break it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SETTINGS = """\
name = "small"
word_limit = 100

[questions.overall]
scale = [1, 5]

[summarizers.S1]
kind = "participant"
name = "First system"
"""

ROWS: dict[str, list[dict[str, Any]]] = {
    "topics.jsonl": [
        {"topic": "D1", "part": "A", "documents": [{"id": "d1", "date": "2005-01-31", "text": "Rain fell."}]},
        {"topic": "D2", "part": "B"},
    ],
    "summaries.jsonl": [
        {"topic": "D1", "summarizer": "A", "kind": "model", "text": "It rained all day."},
        {"topic": "D1", "summarizer": "S1", "kind": "peer", "text": ["It rained.", "The sun shone."]},
        {"topic": "D2", "summarizer": "A", "kind": "model", "text": "Snow came late."},
        {"topic": "D2", "summarizer": "S1", "kind": "peer", "text": "It snowed."},
    ],
    "judgments.jsonl": [
        {"topic": "D1", "summarizer": "S1", "assessor": "X", "question": "overall", "value": 3},
        {"topic": "D2", "summarizer": "S1", "assessor": "X", "question": "overall", "value": 4.5},
    ],
    "preferences.jsonl": [
        {"topic": "D1", "a": "A", "b": "S1", "assessor": "X", "choice": "a", "reason": "It says how long."},
    ],
    "pyramids.jsonl": [
        {
            "topic": "D1",
            "annotator": "C1",
            "models": ["A"],
            "scus": [{"uid": 1, "label": "It rained", "contributors": [{"model": "A", "parts": [[0, 9]]}]}],
        },
    ],
    "annotations.jsonl": [
        {"topic": "D1", "summarizer": "S1", "scus": [{"uid": 1, "contributors": [[[0, 9]]]}], "unmatched": [[[11, 25]]]}
    ],
    "sample.jsonl": [
        {"topic": "D1", "drawn": True, "chance": 0.5, "stratum": "all topics", "seed": 3},
        {"topic": "D2", "drawn": False, "chance": 0.5, "stratum": "all topics", "seed": 3},
    ],
    "coverage.jsonl": [
        {
            "topic": "D1",
            "summarizer": "S1",
            "model": "A",
            "units": [{"unit": [0, 18], "percent": 80, "peer_units": [[0, 10]]}],
        }
    ],
}

Breaker = Callable[..., None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every kind of file and no problem."""
    (tmp_path / "campaign.toml").write_text(SETTINGS)
    for name, rows in ROWS.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.fixture
def change(folder: Path) -> Breaker:
    """Change fields of one row of the folder; a value of None removes the key."""

    def changed(name: str, line: int, **fields: Any) -> None:
        lines = (folder / name).read_text().splitlines()
        row = json.loads(lines[line - 1]) | fields
        lines[line - 1] = json.dumps({key: value for key, value in row.items() if value is not None})
        (folder / name).write_text("\n".join(lines) + "\n")

    return changed


@pytest.fixture
def append(folder: Path) -> Callable[[str, str | bytes], None]:
    """Append a raw line to a file of the folder."""

    def appended(name: str, line: str | bytes) -> None:
        with (folder / name).open("ab") as file:
            file.write((line.encode() if isinstance(line, str) else line) + b"\n")

    return appended
