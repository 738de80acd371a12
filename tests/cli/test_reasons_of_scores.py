"""A column of reasons in a plain table of scores: kept, and shown next to the texts in the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from pyramidion.scores import read_scores

ROWS: list[dict[str, Any]] = [
    {"id": f"d{n}", "system": system, "summary": f"a ferry {system} {n}", "reference": f"a ferry burned {n}"}
    for system in "AB"
    for n in range(4)
]
JUDGED: list[dict[str, Any]] = [
    {"id": row["id"], "system": row["system"], "judge": place % 5, "reason": f"misses the harbour {place}"}
    for place, row in enumerate(ROWS)
]


@pytest.mark.parametrize("column", ["reason", "comment", "judge_reason"])
def test_reasons_are_read_from_a_table_of_scores(tmp_path: Path, column: str) -> None:
    pl.DataFrame(JUDGED).rename({"reason": column}).write_csv(tmp_path / "judge.csv")
    table = read_scores(tmp_path / "judge.csv")
    assert table.measures == ("judge",)
    assert table.reasons is not None
    assert table.reasons.rows()[0] == ("", "d0", "A", "misses the harbour 0")


def test_the_report_shows_reasons_of_joined_scores(tmp_path: Path) -> None:
    pl.DataFrame(ROWS).write_csv(tmp_path / "x.csv")
    pl.DataFrame(JUDGED).write_csv(tmp_path / "judge.csv")
    pyramidion.report(tmp_path / "x.csv", tmp_path / "r.html", scores=[tmp_path / "judge.csv"])
    assert "misses the harbour 3" in (tmp_path / "r.html").read_text()


def test_a_column_of_reasons_that_is_numbers_is_a_measure(tmp_path: Path) -> None:
    pl.DataFrame(JUDGED).with_columns(pl.lit(0.5).alias("comment")).drop("reason").write_csv(tmp_path / "judge.csv")
    assert read_scores(tmp_path / "judge.csv").measures == ("judge", "comment")
