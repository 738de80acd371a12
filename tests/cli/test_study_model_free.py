"""`study model-free` at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.running import Run, records

FOCUS = ("--with", "question.focus")
SHARED = {"record", "measure", "with", "feature", "compared", "stem", "coefficient", "n", "undefined"}


def test_records_have_their_fields_and_a_reason_for_every_null(run: Run) -> None:
    code, output, _ = run("study", "model-free", "demo", *FOCUS, "--by", "part", "--stem", "yes", "--format", "json")
    rows = records(output)
    assert code == 0
    assert {row["record"] for row in rows} == {"feature-correlation", "feature-micro"}
    assert {row["part"] for row in rows} >= {"A", "B"}
    assert all(set(row) >= SHARED for row in rows)
    assert all({"value", "p", "level", "seed"} <= set(row) for row in rows if row["record"] == "feature-correlation")
    assert all(
        {"largest", "smallest", "significant", "percentage"} <= set(row)
        for row in rows
        if row["record"] == "feature-micro"
    )
    assert [row for row in rows if None in row.values() and not row.get("reason")] == []


def test_the_tables_are_those_of_the_paper(run: Run) -> None:
    code, output, said = run(
        "study", "model-free", "demo", "--with", "pyramid.modified", *FOCUS, "--where", "part=B", "--format", "markdown"
    )
    assert code == 0
    assert "Left out" not in output + said
    titles = [line for line in output.splitlines() if line.startswith("### ")]
    assert len(titles) == 3 * (1 + 2)  # three inputs: macro of both scores, micro of each
    (head,) = {line for line in output.splitlines() if line.startswith("| measure | pyramid")}
    assert (
        head
        == "| measure | pyramid.modified | pyramid.modified, unstemmed | question.focus | question.focus, unstemmed |"
    )
    assert "regression on both" in output
    assert "Lower is better, so good agreement is a negative correlation: kl-input-summary" in output


def test_csv_is_one_table(run: Run) -> None:
    lines = run("study", "model-free", "demo", *FOCUS, "--where", "part=A", "--format", "csv")[1].splitlines()
    assert lines[0].startswith("feature,compared,stem,measure,with,level,coefficient,value,p")
    assert len(lines) == 1 + 2 * (10 + 1 + 2)


def test_a_figure_is_drawn(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    code, _, said = run("study", "model-free", "demo", *FOCUS, "--where", "part=B", "--figure", str(target))
    assert code == 0
    assert str(target) in said
    assert "unstemmed" in target.read_text(encoding="utf-8")


def test_scores_of_a_table_are_studied_as_far_as_they_go(run: Run, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    assert run("score", "demo", "-m", "js", "-m", "rouge-1.recall", "-m", "question.focus", "-o", str(scores))[0] == 0
    code, output, _ = run("study", "model-free", str(scores), "--format", "json")
    assert code == 0
    assert {row["feature"] for row in records(output)} == {"js", "rouge-1.recall"}
    code, _, said = run("study", "model-free", str(scores), "--by", "part")
    assert (code, "a score table does not describe its topics" in said) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((*FOCUS, "--background", "nothing.tsv"), 2, "nothing.tsv"),
        (("--with", "rouge-1",), 2, "has several values; name the one you mean"),
        ((*FOCUS, "--where", "part=Z"), 2, "no topic has part=Z"),
        ((*FOCUS, "--confidence", "0"), 2, "expected at least 1"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    found, _, said = run("study", "model-free", "demo", *arguments)
    assert (found, message in said) == (code, True)


def test_data_without_documents_is_refused(run: Run, flat: Path) -> None:
    code, _, said = run("study", "model-free", str(flat), "--with", "question.good")
    assert (code, "no topic has documents" in said) == (1, True)
