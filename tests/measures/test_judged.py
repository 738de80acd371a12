"""Answers of assessors as scores: what is too large to add up is refused in words."""

import json
from pathlib import Path

import pytest

import pyramidion
from pyramidion.errors import InputError


def test_answers_too_small_to_be_squared_are_refused_although_their_means_are_zero() -> None:
    """A division by a square that is 0 ended in a traceback."""
    values = [5e-324 if index == 4 else 0.0 for index in range(27)]
    rows = [
        {"topic": topic, "summarizer": system, "assessor": judge, "q": values.pop()}
        for topic in "123"
        for system in "ABC"
        for judge in "XYZ"
    ]
    with pytest.raises(InputError, match=r"question\.q: .*expected sizes between"):
        pyramidion.compare(rows, "question.q")


def test_answers_too_large_to_add_up_are_refused_in_words(tmp_path: Path) -> None:
    rows = [{"topic": "1", "summarizer": who, "kind": "peer", "text": "a b"} for who in "AB"]
    rows.append({"topic": "1", "summarizer": "M", "kind": "model", "text": "a c"})
    answers = [
        {"topic": "1", "summarizer": who, "assessor": judge, "question": "q", "value": 1e308}
        for who in "AB"
        for judge in "XY"
    ]
    for name, lines in (("summaries", rows), ("judgments", answers)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert len(pyramidion.score(tmp_path, "question.q")) == 2
    with pytest.raises(InputError, match="expected sizes between"):
        pyramidion.compare(tmp_path, "question.q")
