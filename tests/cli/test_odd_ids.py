"""One odd id among the rows of a table: the row is the error, and the column keeps its meaning for all the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run
from pyramidion.campaign import CampaignError

TEXT = "A ferry burned off the coast of Kiel on Monday."
ODD: dict[str, Any] = {"a list": ["x"], "an object": {"a": 1}, "a fraction": 1.5, "nothing": None, "a truth": True}
Rows = list[dict[str, Any]]


def summaries(column: str, odd: Any) -> Rows:
    """Two systems on four topics; the fourth row has an odd value in a column."""
    rows: Rows = [
        {"doc_id": number, "system": who, "summary": TEXT, "reference": TEXT} for number in range(4) for who in "AB"
    ]
    rows[3][column] = odd
    return rows


def scores(column: str, odd: Any) -> Rows:
    rows: Rows = [{"doc_id": number, "system": who, "faith": number} for number in range(4) for who in "AB"]
    rows[3][column] = odd
    return rows


def write_lines(path: Path, rows: Rows) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("rows", [summaries, scores])
@pytest.mark.parametrize("column", ["doc_id", "system"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_one_odd_id_is_an_error_of_its_row(
    run: Run, tmp_path: Path, rows: Callable[[str, Any], Rows], column: str, odd: Any
) -> None:
    code, out, err = run("score", write_lines(tmp_path / "x.jsonl", rows(column, odd)), "--format", "json")
    assert (code, out) == (1, "")
    assert "x.jsonl:4: error: " in err
    assert "1 problem: nothing was read" in err
    assert "number of the row" not in err


@pytest.mark.parametrize("rows", [summaries, scores])
@pytest.mark.parametrize("column", ["doc_id", "system"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_rows_in_memory_are_read_alike(rows: Callable[[str, Any], Rows], column: str, odd: Any) -> None:
    with pytest.raises(CampaignError, match=r"\(rows in memory\):4: error"):
        pyramidion.score(rows(column, odd))


@pytest.mark.parametrize("column", ["doc_id", "system"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_so_are_answers(run: Run, tmp_path: Path, column: str, odd: Any) -> None:
    folder = str(tmp_path / "c")
    assert run("import", "records", write_lines(tmp_path / "s.jsonl", summaries("doc_id", 1)), folder)[0] == 0
    path = write_lines(tmp_path / "x.jsonl", scores(column, odd))
    code, _, err = run("import", "judgments", path, "--into", folder)
    assert code == 1
    assert f"x.jsonl:4: error: {column}: found" in err


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_data_frame_with_a_fraction_among_its_ids_has_one_wrong_row(tmp_path: Path, run: Run, library: str) -> None:
    numbers = [1.0, 1.5, 2.0, 3.0]
    columns: dict[str, Any] = {"id": numbers, "system": ["A"] * 4, "faith": [1, 2, 3, 4]}
    frame = pl.DataFrame(columns) if library == "polars" else pandas.DataFrame(columns)
    with pytest.raises(CampaignError, match=r":2: error: id: found 1.5"):
        pyramidion.score(frame)
    pl.DataFrame(columns).write_parquet(tmp_path / "x.parquet")
    code, _, err = run("score", str(tmp_path / "x.parquet"))
    assert code == 1
    assert "x.parquet:2: error: topic: found 1.5" in err


def test_a_column_that_holds_mostly_lists_is_no_column_of_ids(run: Run, tmp_path: Path) -> None:
    rows = [{"id": [number], "item": number, "prediction": TEXT, "reference": TEXT} for number in range(4)]
    code, _, err = run("score", write_lines(tmp_path / "x.jsonl", rows))
    assert code == 0
    assert "topic = item" in err
