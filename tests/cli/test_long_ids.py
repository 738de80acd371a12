"""An id of thousands of characters is a text in the wrong column: refused with its place, wherever ids are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cli.running import Run

LONG = "x" * 10_001
EXPECTED = "expected an id of 10,000 characters at most. This looks like a text, not an id: choose the column"
FLAT = {"topic": "1", "summarizer": "A", "summary": "a b", "references": ["a c"]}
SCORE = {"topic": "1", "summarizer": "A", "judge": 0.5}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif path.suffix == ".csv":
        pl.DataFrame([{key: str(value) for key, value in row.items()} for row in rows]).write_csv(path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("field", ["topic", "summarizer"])
@pytest.mark.parametrize("row", [SCORE, FLAT], ids=["scores", "flat"])
def test_a_long_id_in_a_table_is_an_error_with_its_place(
    run: Run, tmp_path: Path, row: dict[str, Any], field: str, ending: str
) -> None:
    path = write(tmp_path / f"table{ending}", [row, {**row, "topic": "2", field: LONG}])
    code, _, err = run("compare", str(path))
    line = 3 if ending == ".csv" else 2
    assert code == 1
    assert f"table{ending}:{line}: error: {field}: found 10,001 characters: 'xxxx" in err
    assert EXPECTED in err
    assert len(err) < 2000
    write(path, [row, {**row, "topic": "2", field: LONG[1:]}])
    assert run("check", str(path))[0] == 0


def test_a_long_name_of_a_measure_is_an_error_as_well(run: Run, tmp_path: Path) -> None:
    row = {"topic": "1", "summarizer": "A", "measure": LONG, "value": 1.0}
    code, _, err = run("compare", str(write(tmp_path / "long.csv", [row])))
    assert (code, "long.csv:2: error: measure: found 10,001 characters" in err) == (1, True)


@pytest.mark.parametrize("field", ["topic", "summarizer", "question", "assessor"])
def test_a_long_id_in_a_campaign_or_in_judgments_is_an_error(run: Run, tmp_path: Path, field: str) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    write(folder / "summaries.jsonl", [{"topic": "1", "summarizer": "A", "kind": "peer", "text": "a b"}])
    judgment = {"topic": "1", "summarizer": "A", "assessor": "J", "question": "focus", "value": 3}
    answers = write(tmp_path / "answers.csv", [{**judgment, field: LONG}])
    code, _, err = run("import", "judgments", str(answers), "--into", str(folder))
    assert (code, f"answers.csv:2: error: {field}: found 10,001 characters" in err) == (1, True)
    write(folder / "judgments.jsonl", [{**judgment, field: LONG}])
    code, _, err = run("compare", str(folder))
    assert (code, f"judgments.jsonl:1: error: {field}: found 10,001 characters" in err) == (1, True)
    assert EXPECTED in err
