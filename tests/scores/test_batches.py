"""Score files are read in batches: in less than 100 bytes for each value, and as if they were read at once."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pyramidion.files.problems import Problems
from pyramidion.scores import ScoreTable, read_scores, table_builder

IDS: tuple[Any, ...] = ("1.0", "2.0", "3", "a", " 4.0", "")
CELLS: tuple[Any, ...] = (0.5, 1, 2.25, 1e-300, "0.5", " 1.5 ", "NaN", "", None, "words", "inf", True)


def written(folder: Path, number: int) -> Path:
    """A small score table of any kind, with much that can be wrong."""
    draw = random.Random(number)
    ids = draw.choice([IDS, IDS[:3], IDS[:2], IDS[3:], ("t1", "t2", "t3", "t4", "t5", "t6")])
    cells = draw.choice([CELLS, CELLS[:4], CELLS[:8], ("words", "more words", None)])
    long = draw.random() < 0.4
    rows: list[dict[str, Any]] = []
    for _ in range(draw.randint(0, 12)):
        row: dict[str, Any] = {"topic": draw.choice(ids), "model": draw.choice(ids)}
        if long:
            row |= {"measure": draw.choice(["m", "n", ""]), "value": draw.choice(cells)}
            row |= {"note": draw.choice(["", "x", "y"]), "signature": draw.choice(["", "s"])}
        else:
            row |= {"m": draw.choice(cells), "n": draw.choice(CELLS[:4]), "reason": draw.choice(["because", "", None])}
        rows.append(row)
    kind = draw.choice(["jsonl", "json", "csv", "parquet"])
    path = folder / f"{number}.{kind}"
    if kind in ("jsonl", "json"):
        for row in rows:
            if draw.random() < 0.1:
                row.pop(draw.choice(list(row)))
            if draw.random() < 0.05:
                row[draw.choice([*row, "late"])] = [1]
        lines = [json.dumps(row) if draw.random() < 0.97 else "{" for row in rows]
        path.write_text("\n".join(lines) if kind == "jsonl" else json.dumps(rows), encoding="utf-8")
    elif kind == "csv":
        names = list(rows[0]) if rows else ["topic", "model", "m"]
        table = [names, *([("" if cell is None else str(cell)) for cell in row.values()] for row in rows)]
        path.write_text("\n".join(",".join(cells[: len(cells) - (draw.random() < 0.03)]) for cells in table))
    else:
        numbers = {name: [number_or_none(row[name]) for row in rows] for name in (rows[0] if rows else {"topic": 0})}
        texts = {name: [None if row[name] is None else str(row[name]) for row in rows] for name in numbers}
        ids_too = draw.random() < 0.5
        chosen = {name: numbers[name] if ids_too or name in ("m", "n", "value") else texts[name] for name in numbers}
        pl.DataFrame(chosen | {name: texts[name] for name in texts if name in ("measure", "reason")}).write_parquet(
            path
        )
    return path


def number_or_none(cell: Any) -> float | None:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def outcome(path: Path) -> tuple[ScoreTable, list[str], list[str], int]:
    problems = Problems()
    table = read_scores(path, problems)
    return table, [str(problem) for problem in problems], problems.remarks, len(problems)


@pytest.mark.parametrize(
    "numbers",
    [
        range(8),
        pytest.param(range(100, 200), marks=pytest.mark.slow),
        pytest.param(range(200, 2200), marks=pytest.mark.soak),
    ],
    ids=str,
)
def test_batches_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: range) -> None:
    paths = [written(tmp_path, number) for number in numbers]
    at_once = [outcome(path) for path in paths]
    monkeypatch.setattr(table_builder, "CELLS", 1)
    for rows in (1, 3):
        monkeypatch.setattr(table_builder, "FEWEST_ROWS", rows)
        for path, expected in zip(paths, at_once, strict=True):
            assert outcome(path) == expected, path.read_bytes()


@pytest.mark.parametrize(
    "name", ["measure", "cell", "value", "line", "place", "missing", "shown", "lacks", "*", "^.*$"]
)
def test_columns_may_be_called_anything(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"topic": ["t"], "summarizer": ["a"], name: [0.5], "other": [0.25]})
    frame.write_parquet(tmp_path / "x.parquet")
    table = read_scores(tmp_path / "x.parquet")
    assert [(one.measure, one.value) for one in table] == [(name, 0.5), ("other", 0.25)]


def test_problems_beyond_those_that_are_kept_are_counted_when_collections_join() -> None:
    first, second = Problems(), Problems()
    first.at("a").error("x", "y", "z")
    for _ in range(10_002):
        second.at("b").error("x", "y", "z")
    second.at("b").warning("x", "y", "z")
    first.extend(second)
    assert (first.errors, first.warnings, len(first.kept)) == (10_003, 1, 10_001)


MEASURE = """
import re, sys
from pathlib import Path
import polars as pl
from pyramidion.scores import read_scores

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024

small, large = map(Path, sys.argv[1:])
read_scores(small)
before = peak()
table = read_scores(large)
print(len(table), peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="a system that does not tell the peak of memory")
@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_a_value_takes_less_than_a_hundred_bytes(tmp_path: Path, ending: str) -> None:
    """Above what a small table takes; the batch itself is part of it, so that the table must not be too small."""
    count = 300_000
    paths = []
    for rows in (20_000, count):
        topics = [f"topic-{number // 20:06}" for number in range(rows)]
        systems = [f"system-{number % 20}" for number in range(rows)]
        measures = {name: [number * 7 % 1009 / 1009 for number in range(rows)] for name in ("one", "two", "three")}
        frame = pl.DataFrame({"topic": topics, "summarizer": systems} | measures)
        paths.append(tmp_path / f"{rows}.{ending}")
        write: Callable[[Path], object] = getattr(frame, {"jsonl": "write_ndjson"}.get(ending, f"write_{ending}"))
        write(paths[-1])
    words = [sys.executable, "-c", MEASURE, *map(str, paths)]
    out = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    values, grown = map(int, re.findall(r"\d+", out))
    assert values == 3 * count
    assert grown / values < 100
