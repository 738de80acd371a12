"""Labels from elsewhere, from end to end: draw, label the table, read it back, combine it with a predictor."""

from __future__ import annotations

import csv
import json
import shutil
from importlib.resources import files
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pyramidion.cli import program

QUESTION = "overall-responsiveness"


def run(*words: object) -> Result:
    result = CliRunner().invoke(program, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def unlabelled(tmp_path: Path) -> Path:
    """A copy of the demo without judgments."""
    folder = tmp_path / "campaign"
    shutil.copytree(str(files("pyramidion.demo") / "campaign"), folder)
    (folder / "judgments.jsonl").unlink()
    return folder


def test_a_plan_is_labelled_in_a_table_read_back_and_combined_with_a_predictor(
    unlabelled: Path, tmp_path: Path
) -> None:
    target = tmp_path / "to-label.csv"
    run("plan", unlabelled, "--share", "60", "--by", "topic", "--seed", "1", "-o", target)
    rows = list(csv.DictReader(StringIO(target.read_text(encoding="utf-8"), newline="")))
    drawn = {
        unit["topic"]
        for unit in map(json.loads, (unlabelled / "sample.jsonl").read_text(encoding="utf-8").splitlines())
        if unit["drawn"]
    }
    assert {row["topic"] for row in rows} == drawn
    for place, row in enumerate(rows):
        row[QUESTION] = str(1 + (place * 7) % 5)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    run("import", "judgments", target, "--into", unlabelled)
    answers = [json.loads(line) for line in (unlabelled / "judgments.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(answer["topic"], answer["summarizer"], answer["value"]) for answer in answers} == {
        (row["topic"], row["summarizer"], int(row[QUESTION])) for row in rows
    }
    result = run(
        *("compare", unlabelled, "-m", f"question.{QUESTION}", "--using", "rouge-2.recall", "--format", "json")
    )
    plan, *_ = map(json.loads, result.stdout.splitlines())
    assert (plan["record"], plan["drawn"], plan["answers"]) == ("predicted-plan", len(drawn), len(rows))
