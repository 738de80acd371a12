"""`import annotations`: answers about drawn SCUs that people gave elsewhere, and what follows from them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from cli.running import Run, records

DEMO = files("pyramidion.demo") / "campaign"
Row = dict[str, str]


def demo_answers() -> dict[tuple[str, str, int], bool]:
    """What the demo's annotators say: (topic, system, SCU) → present."""
    answers = {}
    for line in (DEMO / "annotations.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for match in row["scus"]:
            answers[row["topic"], row["summarizer"], match["uid"]] = match.get("present", True)
    return answers


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The demo without its annotations, which can be written to."""
    folder = tmp_path / "campaign"
    shutil.copytree(str(DEMO), folder)
    (folder / "annotations.jsonl").unlink()
    return folder


@pytest.fixture
def label(campaign: Path, run: Run, tmp_path: Path) -> Callable[..., Path]:
    """Draw SCUs, and fill in the table with the demo's answers."""
    answers = demo_answers()

    def labelled(share: int = 20, *, words: Mapping[bool, str] | None = None, keep: int | None = None) -> Path:
        table = tmp_path / f"to-label-{share}.csv"
        run("plan", str(campaign), "--share", str(share), "--by", "scu", "--seed", "1", "-o", str(table))
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows[:keep]:
            present = answers.get((row["topic"], row["summarizer"], int(row["scu"])), False)
            row["present"] = (words or {True: "1", False: "0"})[present]
        write(table, rows)
        return table

    return labelled


def write(table: Path, rows: list[Row]) -> None:
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def estimate(data: Path | str, run: Run, *more: str) -> dict[str, float]:
    code, output, errors = run(
        *("compare", str(data), "-m", "pyramid.recall", "--using", "auto-pyramid", "--format", "json"), *more
    )
    assert code == 0, errors
    rows = [row for row in records(output) if row["record"] == "predicted-mean"]
    return {row["summarizer"]: row["value"] for row in rows}


def test_answers_from_a_table_give_the_estimate_of_complete_annotations_under_the_same_plan(
    campaign: Path, run: Run, label: Callable[..., Path]
) -> None:
    """The same drawn SCUs with the same answers: from the demo's own annotations, and from the table."""
    table = label(words={True: "yes", False: "no"})
    code, output, errors = run("import", "annotations", str(table), "--into", str(campaign))
    assert code == 0, errors
    assert "annotations" in output
    from_table = estimate(campaign, run)
    from_demo = estimate("demo", run, "--plan", str(campaign / "sample.jsonl"))
    assert from_table == pytest.approx(from_demo, abs=1e-12)
    assert run("check", str(campaign))[0] == 0


def test_python_imports_the_same_table_and_tells_judgments_from_annotations(
    campaign: Path, label: Callable[..., Path], run: Run
) -> None:
    table = label()
    plan = pyramidion.import_campaign("judgments", table, into=campaign)
    assert {row["what"]: row["new"] for row in plan.records() if row["record"] == "import-plan" and row["new"]} == {
        "annotations": 220
    }
    rows = [json.loads(line) for line in (campaign / "annotations.jsonl").read_text().splitlines()]
    assert {row["draw"] for row in rows} == {1}
    comparison = pyramidion.compare(campaign, "pyramid.recall", using="auto-pyramid")
    means = {row["summarizer"]: row["value"] for row in comparison.records() if row["record"] == "predicted-mean"}
    assert means == pytest.approx(estimate(campaign, run), abs=1e-12)


def test_answers_may_come_in_parts_and_from_a_sample_that_was_extended(
    campaign: Path, run: Run, label: Callable[..., Path]
) -> None:
    for share, kept in ((20, 700), (40, None)):
        table = label(share, keep=kept)
        code, _, errors = run("import", "annotations", str(table), "--into", str(campaign))
        assert code == 0, errors
    rows = [json.loads(line) for line in (campaign / "annotations.jsonl").read_text().splitlines()]
    assert {row["draw"] for row in rows} == {1, 2}
    from_demo = estimate("demo", run, "--plan", str(campaign / "sample.jsonl"))
    assert estimate(campaign, run) == pytest.approx(from_demo, abs=1e-12)
    # All of it once more changes nothing.
    code, output, _ = run("import", "annotations", str(table), "--into", str(campaign), "--format", "json")
    assert code == 0
    assert not any(row.get("new") or row.get("changed") for row in records(output))


@pytest.mark.parametrize("command", ["score", "compare"])
def test_plain_scores_leave_out_peers_of_which_only_drawn_scus_were_answered_and_say_so(
    campaign: Path, run: Run, label: Callable[..., Path], command: str
) -> None:
    run("import", "annotations", str(label()), "--into", str(campaign))
    measures = ("-m", "rouge-1.recall", "-m", "pyramid.recall")
    code, output, errors = run(command, str(campaign), *measures, "--format", "json")
    assert code == 0
    assert "220 peers not scored: only drawn SCUs were answered" in errors
    assert "--using auto-pyramid" in errors
    assert not any(row.get("measure") == "pyramid.recall" and row.get("value") for row in records(output))
    _, output, errors = run("pyramid", "score", str(campaign), "--format", "json")
    assert "220 peers not scored" in errors
    assert records(output) == []


def test_drawn_answers_about_every_scu_are_annotations_of_the_whole_peer(
    campaign: Path, run: Run, label: Callable[..., Path]
) -> None:
    run("import", "annotations", str(label(100)), "--into", str(campaign))
    ours = pyramidion.score(campaign, "pyramid.recall").means()
    demo = pyramidion.score("demo", "pyramid.recall").means()
    assert dict(ours.select("summarizer", "value").iter_rows()) == pytest.approx(
        dict(demo.select("summarizer", "value").iter_rows()), abs=1e-12
    )


def test_annotations_that_name_some_absent_scus_and_not_all_are_scored_with_a_warning(campaign: Path, run: Run) -> None:
    pyramids = [json.loads(line) for line in (campaign / "pyramids.jsonl").read_text(encoding="utf-8").splitlines()]
    uids = [scu["uid"] for scu in pyramids[0]["scus"][:2]]
    scus: list[dict[str, Any]] = [{"uid": uids[0]}, {"uid": uids[1], "present": False}]
    annotation = {"topic": pyramids[0]["topic"], "summarizer": "16", "scus": scus, "annotator": "x"}
    (campaign / "annotations.jsonl").write_text(json.dumps(annotation) + "\n")
    _, _, errors = run("pyramid", "score", str(campaign))
    assert "scores of 1 peer may be too low" in errors


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"present": "perhaps"}, "yes or no"),
        ({"scu": "first"}, "the number of an SCU"),
        ({"scu": "9999"}, "an SCU of the topic's pyramid"),
        ({"summarizer": ""}, "the summarizer"),
    ],
)
def test_cells_that_say_nothing_are_errors_with_their_line(
    campaign: Path, run: Run, label: Callable[..., Path], change: Row, message: str
) -> None:
    table = label()
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[1] |= change
    write(table, rows)
    code, _, errors = run("import", "annotations", str(table), "--into", str(campaign))
    assert code == 1
    assert message in errors
    assert not (campaign / "annotations.jsonl").exists()


def test_two_answers_of_one_person_and_missing_columns_are_errors(campaign: Path, run: Run, tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text("topic,system,scu,present\nD0601,16,1,yes\nD0601,16,1,no\n")
    code, _, errors = run("import", "annotations", str(table), "--into", str(campaign))
    assert code == 1
    assert "another answer about SCU 1 of topic D0601 in 16 than in line 2" in errors
    table.write_text("topic,who,scu,there\nD0601,16,1,yes\n")
    code, _, errors = run("import", "annotations", str(table), "--into", str(campaign))
    assert code == 1
    assert "no column summarizer, present" in errors
    code, _, errors = run(
        *("import", "annotations", str(table), "--into", str(campaign)), *("--columns", "summarizer=who,present=there")
    )
    assert "no column" not in errors
