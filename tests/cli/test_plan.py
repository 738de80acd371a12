"""`pyramidion plan`: what people are asked for, drawn with known chances."""

import csv
import json
import shutil
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from cli.running import Run, records


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A copy of the demo, which can be written to."""
    folder = tmp_path / "campaign"
    shutil.copytree(str(files("pyramidion.demo") / "campaign"), folder)
    return folder


def sample_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "sample.jsonl").read_text().splitlines()]


def test_scus_are_drawn_within_each_topic_with_their_chances(campaign: Path, run: Run) -> None:
    code, output, _ = run("plan", str(campaign), "--share", "20", "--by", "scu", "--seed", "3", "--format", "json")
    assert code == 0
    (plan,) = records(output)
    units = sample_of(campaign)
    assert plan["record"] == "predicted-plan"
    assert (plan["clusters"], plan["total"]) == ("SCUs", len(units))
    assert plan["drawn"] == sum(unit["drawn"] for unit in units)
    assert plan["answers"] == 20 * plan["drawn"]
    for topic in {unit["topic"] for unit in units}:
        of_topic = [unit for unit in units if unit["topic"] == topic]
        drawn = sum(unit["drawn"] for unit in of_topic)
        assert drawn >= 1
        assert {unit["chance"] for unit in of_topic} == {drawn / len(of_topic)}
        assert {unit["stratum"] for unit in of_topic} == {topic}
    assert run("check", str(campaign))[0] == 0


def test_the_same_seed_draws_the_same_and_another_seed_another_sample(campaign: Path) -> None:
    samples = []
    for seed in (1, 1, 2):
        pyramidion.plan(campaign, share=20, by="scu", seed=seed)
        samples.append((campaign / "sample.jsonl").read_bytes())
        (campaign / "sample.jsonl").unlink()
    assert samples[0] == samples[1] != samples[2]


def test_a_larger_share_extends_the_sample(campaign: Path, run: Run) -> None:
    run("plan", str(campaign), "--share", "20", "--by", "scu", "--seed", "1")
    before = {(unit["topic"], unit["scu"]) for unit in sample_of(campaign) if unit["drawn"]}
    code, output, _ = run("plan", str(campaign), "--share", "40", "--by", "scu", "--seed", "2")
    after = [unit for unit in sample_of(campaign) if unit["drawn"]]
    assert code == 0
    assert "second look" in output
    assert before < {(unit["topic"], unit["scu"]) for unit in after}
    new = [unit for unit in after if (unit["topic"], unit["scu"]) not in before]
    assert {(unit["draw"], unit["seed"]) for unit in new} == {(2, 2)}
    code, _, errors = run("plan", str(campaign), "--share", "40", "--by", "topic")
    assert code == 2
    assert "other units" in errors


def test_whole_topics_are_listed_for_those_who_label_elsewhere(campaign: Path, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "to-label.csv"
    run("plan", str(campaign), "--share", ".25", "--by", "topic", "-o", str(target))
    drawn = [unit["topic"] for unit in sample_of(campaign) if unit["drawn"]]
    rows = list(csv.DictReader(StringIO(target.read_text(encoding="utf-8"), newline="")))
    assert {row["topic"] for row in rows} == set(drawn)
    assert len(rows) == 20 * len(drawn)
    assert all(row["summary"] for row in rows)
    assert rows[0]["overall-responsiveness"] == ""


def test_an_extended_sample_lists_what_nobody_has_answered_yet(campaign: Path, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "to-label.csv"
    run("plan", str(campaign), "--share", ".25", "--by", "topic", "-o", str(target))
    before = {unit["topic"] for unit in sample_of(campaign) if unit["drawn"]}
    judgments = campaign / "judgments.jsonl"
    unanswered = sorted(before)[0]
    kept = [line for line in judgments.read_text().splitlines() if json.loads(line)["topic"] != unanswered]
    judgments.write_text("\n".join(kept) + "\n")
    run("plan", str(campaign), "--share", ".5", "--by", "topic", "-o", str(target), "--replace")
    after = {unit["topic"] for unit in sample_of(campaign) if unit["drawn"]}
    rows = list(csv.DictReader(StringIO(target.read_text(encoding="utf-8"), newline="")))
    assert {row["topic"] for row in rows} == (after - before) | {unanswered}


def test_scus_to_label_have_their_labels(campaign: Path, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "to-label.csv"
    run("plan", str(campaign), "--share", "10", "--by", "scu", "-o", str(target))
    rows = list(csv.DictReader(StringIO(target.read_text(encoding="utf-8"), newline="")))
    assert list(rows[0]) == ["topic", "summarizer", "scu", "label", "summary", "present"]
    assert len(rows) == 20 * sum(unit["drawn"] for unit in sample_of(campaign))


def test_single_answers_are_drawn_within_each_system(campaign: Path, run: Run) -> None:
    code, _, errors = run("plan", str(campaign), "--share", "30", "--by", "unit")
    assert code == 2
    assert "--measure" in errors
    code, _, _ = run("plan", str(campaign), "--share", "30", "--by", "unit", "-m", "question.focus")
    units = sample_of(campaign)
    assert code == 0
    assert {unit["stratum"] for unit in units} == {unit["summarizer"] for unit in units}


def test_by_uncertainty_each_unit_has_its_own_chance_and_no_stratum(campaign: Path, run: Run) -> None:
    run("plan", str(campaign), "--share", "30", "--by", "scu", "--by-uncertainty", "auto-pyramid")
    units = sample_of(campaign)
    chances = [unit["chance"] for unit in units]
    assert len(set(chances)) > 10
    assert sum(chances) / len(chances) == pytest.approx(0.3)
    assert not any("stratum" in unit for unit in units)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--share", "20"], "--by scu"),
        (["--by", "scu"], "--share"),
        (["--share", "20", "--by", "topic", "--by-uncertainty", "auto-pyramid"], "--by-uncertainty"),
        (["--share", "20", "--by", "scu", "-o", "labels.xlsx"], ".csv"),
    ],
)
def test_what_is_not_clear_is_asked(campaign: Path, run: Run, words: list[str], message: str) -> None:
    code, _, errors = run("plan", str(campaign), *words)
    assert code == 2
    assert message in errors
    assert not (campaign / "sample.jsonl").exists()


def test_data_that_is_no_folder_needs_a_file_for_the_sample(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("plan", "demo", "--share", "20", "--by", "topic")
    assert code == 2
    assert "--plan" in errors
    assert run("plan", "demo", "--share", "20", "--by", "topic", "--plan", str(tmp_path / "sample.jsonl"))[0] == 0
    assert (tmp_path / "sample.jsonl").exists()
