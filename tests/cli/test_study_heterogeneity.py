"""`study heterogeneity` at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.running import Run, records

ASKED = ("-m", "rouge-1", "-m", "js", "--with", "question.focus")


def test_records_have_the_fields_of_the_design_and_a_reason_for_every_null(run: Run) -> None:
    code, output, _ = run("study", "heterogeneity", "demo", *ASKED, "--bins", "10", "--format", "json")
    rows = records(output)
    assert code == 0
    fields = {
        "auc": {"measure", "auc", "robustness", "rank", "n", "undefined"},
        "heterogeneity": {"measures", "value", "pairs"},
        "bin": {"h", "probability", "n"},
    }
    for record, expected in fields.items():
        assert all(expected <= set(row) for row in rows if row["record"] == record)
    assert [row for row in rows if None in row.values() and not row.get("reason")] == []
    aucs = [row for row in rows if row["record"] == "auc"]
    assert len(aucs) == 5
    assert [row["rank"] for row in aucs] == sorted(row["rank"] for row in aucs)
    assert sum(row["record"] == "bin" for row in rows) == 10


def test_the_combined_measure_can_be_scored_under_the_name_that_is_printed(run: Run) -> None:
    output = run("study", "heterogeneity", "demo", *ASKED, "--format", "json")[1]
    (name,) = {row["measure"] for row in records(output) if row["record"] == "auc" and row["measure"].startswith("hbr")}
    code, scored, _ = run("score", "demo", "-m", name, "--format", "json")
    assert code == 0
    assert {row["measure"] for row in records(scored)} == {name}


def test_the_table_is_short_and_explains_itself(run: Run) -> None:
    code, output, _ = run("study", "heterogeneity", "demo", "--with", "question.focus")
    assert code == 0
    for said in ("HBR", "Consistent: ", "paired test of HBR minus the measure", "Simulated judgments: question.focus."):
        assert said in output


def test_csv_is_one_table_of_measures(run: Run) -> None:
    lines = run("study", "heterogeneity", "demo", *ASKED, "--format", "csv")[1].splitlines()
    assert lines[0].startswith("measure,auc,robustness,rank")
    assert len(lines) == 6


def test_all_four_figures_are_drawn(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    assert run("study", "heterogeneity", "demo", *ASKED, "--figure", str(target))[0] == 0
    drawn = target.read_text(encoding="utf-8")
    for said in ("heterogeneity of the measures", "AUC against", "(c) robustness (worst 10 %", "topics where every"):
        assert said in drawn


def test_a_table_of_scores_gives_the_same_and_all_its_columns_by_default(run: Run, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    assert run("score", "demo", *ASKED[:4], "-m", "question.focus", "-o", str(scores))[0] == 0
    one, other = (
        {row["measure"]: row["auc"] for row in records(output) if row["record"] == "auc"}
        for output in (
            run("study", "heterogeneity", str(scores), "--with", "question.focus", "--format", "json")[1],
            run("study", "heterogeneity", "demo", *ASKED, "--format", "json")[1],
        )
    )
    assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--worst", "0"), "--worst 0: expected more than 0 and at most 100"),
        (("--worst", "101"), "at most 100"),
        (("-m", "question.focus"), "at least one measure other than"),
        (("-m", "rouge-9"), ""),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, _, said = run("study", "heterogeneity", "demo", "--with", "question.focus", *arguments)
    assert code == (0 if not message else 2)
    assert message in said


def test_a_measure_without_any_value_is_named(run: Run, flat: Path) -> None:
    code, _, said = run("study", "heterogeneity", str(flat), "--with", "question.focus")
    assert code == 2
    assert "question.focus" in said
