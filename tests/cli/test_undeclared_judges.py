"""Who looks like a judge and is declared nowhere: a note says as what it counts, and numbers stay as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pyramidion.cli import program


def run(*words: object) -> Result:
    result = CliRunner().invoke(program, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


SUMMARIES = [
    {"topic": f"t{topic}", "summarizer": system, "summary": "a b c", "references": ["a b"]}
    for topic in range(3)
    for system in "AB"
]


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """A flat file with answers of a person and of a model that nobody calls a judge."""
    path = tmp_path / "judged.jsonl"
    rows = [{**row, "judgments": {"quality": {"ann": 3, "gpt-4o": 5}}} for row in SUMMARIES]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_an_assessor_with_the_name_of_a_model_is_noted_and_counts_as_a_person(judged: Path) -> None:
    result = run("score", judged, "-m", "question.quality", "--by", "summarizer", "--format", "json")
    assert "gpt-4o counts as a person, although it has the name of a language model." in result.stderr
    assert "--judge gpt-4o" in result.stderr
    assert '[assessors] "gpt-4o" = { kind = "judge" } in campaign.toml' in result.stderr
    assert json.loads(result.stdout.splitlines()[0])["value"] == 4


def test_once_declared_it_is_noted_no_more(judged: Path) -> None:
    options = ("--by", "summarizer", "--format", "json", "--judge", "gpt-4o")
    result = run("score", judged, "-m", "question.quality", *options)
    assert "counts as a person" not in result.stderr
    assert json.loads(result.stdout.splitlines()[0])["value"] == 3


def test_people_are_not_noted(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    rows = [{**row, "judgments": {"quality": {"ann": 3, "Claude": 5}}} for row in SUMMARIES]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    result = run("score", path, "-m", "question.quality", "--by", "summarizer")
    assert "counts as" not in result.stderr


def test_a_column_that_is_called_judge_is_noted_when_it_is_imported(tmp_path: Path) -> None:
    flat, table, campaign = tmp_path / "c.jsonl", tmp_path / "answers.csv", tmp_path / "campaign"
    flat.write_text("".join(f"{json.dumps(row)}\n" for row in SUMMARIES), encoding="utf-8")
    table.write_text("topic,summarizer,judge,quality\nt0,A,robo,3\nt0,B,robo,4\n", encoding="utf-8")
    run("import", "flat", flat, campaign)
    result = run("import", "judgments", table, "--into", campaign)
    assert "robo counts as a person, although the column is called judge." in result.stderr
    settings = campaign / "campaign.toml"
    settings.write_text('[assessors]\n"robo" = { kind = "judge" }\n', encoding="utf-8")
    result = run("import", "judgments", table, "--into", campaign)
    assert "counts as" not in result.stderr
