"""`pyramidion judgments`: what it prints for people and for programs, and what it refuses."""

import csv
import io
import json
from pathlib import Path
from typing import get_args

import pytest

from cli.running import Run, records, write
from pyramidion.options import AlphaMetric

COMMANDS = ("frequencies", "regression", "agreement", "describe")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("format", ["table", "json", "csv", "latex", "markdown"])
def test_every_command_prints_in_every_format_and_marks_simulated_judgments(
    run: Run, command: str, format: str
) -> None:
    code, out, err = run("judgments", command, "demo", "--format", format)
    assert (code, err) == (0, "")
    assert "simulated judgments" in out


def test_frequencies_are_counts_and_shares_of_every_value_of_the_scale(run: Run) -> None:
    rows = records(run("judgments", "frequencies", "demo", "--question", "grammaticality", "--format", "json")[1])
    assert {row["record"] for row in rows} == {"frequency"}
    assert [(row["kind"], row["value"]) for row in rows] == [
        (kind, value) for kind in ("human", "baseline", "participant") for value in (1, 2, 3, 4, 5)
    ]
    assert all(row["share"] == pytest.approx(row["count"] / row["n"]) for row in rows)


def test_the_regression_has_a_row_for_each_assessor_and_term_and_the_pooled_ones_last(run: Run) -> None:
    rows = records(run("judgments", "regression", "demo", "--format", "json")[1])
    assert len(rows) == 5 * 7
    assert rows[-7]["term"] == "intercept"
    assert all(row["pooled"] and row["assessor"] == "pooled" for row in rows[-7:])
    assert not any(row["pooled"] for row in rows[:-7])
    for row in rows:
        assert row["lower"] <= row["beta"] <= row["upper"]
        assert row["significant"] == (row["p"] < 0.05)


def test_a_table_marks_what_is_significant_and_says_n(run: Run) -> None:
    out = run("judgments", "regression", "demo")[1]
    assert "0.6857*" in out  # content-responsiveness, pooled: see test_regression for statsmodels
    assert "0.0105*" not in out
    assert "n = 328" in out


def test_what_is_explained_can_be_chosen_and_is_said_when_it_was_guessed(run: Run, tmp_path: Path) -> None:
    rows = records(
        run("judgments", "regression", "demo", "--target", "focus", "--on", "coherence", "--format", "json")[1]
    )
    assert {row["term"] for row in rows} == {"intercept", "coherence"}
    flat = [
        {"topic": str(number), "summarizer": "A", "summary": "x", "judgments": {"a": number % 3, "b": number % 4}}
        for number in range(9)
    ]
    code, out, _ = run("judgments", "regression", str(write(tmp_path, "flat.jsonl", *flat)))
    assert code == 0
    assert "No question is called overall, so b is the target" in out
    assert "(no name)" in out


def test_undefined_numbers_are_null_with_a_reason(run: Run, tmp_path: Path) -> None:
    flat = [
        {"topic": str(number), "summarizer": "A", "summary": "x", "judgments": {"a": {"X": 1}, "b": {"X": number}}}
        for number in range(4)
    ]
    data = str(write(tmp_path, "flat.jsonl", *flat))
    for row in records(run("judgments", "regression", data, "--format", "json", "-q")[1]):
        assert row["beta"] is not None or row["reason"] == "a is constant"
    for row in records(run("judgments", "agreement", data, "--format", "json", "-q")[1]):
        if row["record"] == "question-alpha":
            assert row["alpha"] is None
            assert row["reason"] == "no summary was judged by two assessors"
        else:
            assert row["icc"] is None
            assert row["reason"].startswith("fewer than two summaries were judged by every assessor")
    few = records(run("judgments", "regression", data, "--where", "topic=1", "--format", "json", "-q")[1])
    assert all("too few" in row["reason"] or "nothing to explain" in row["reason"] for row in few)


def test_agreement_has_alphas_pairs_and_the_confusion_that_is_asked_for(run: Run) -> None:
    arguments = ("judgments", "agreement", "demo", "--question", "focus", "--format", "json")
    kinds = [row["record"] for row in records(run(*arguments)[1])]
    assert kinds == ["question-alpha"] * 3 + ["question-icc"] + ["question-pair"] * 4
    rows = records(run(*arguments, "--metric", "ordinal", "--confusion", "simulated-1", "simulated-2")[1])
    assert [row["metric"] for row in rows if row["record"] == "question-alpha"] == ["ordinal"]
    cells = [row for row in rows if row["record"] == "confusion"]
    assert len(cells) == 25
    assert sum(cell["count"] for cell in cells) == cells[0]["n"] == 26
    pair = next(row for row in rows if row["record"] == "question-pair" and row["b"] == "simulated-2")
    same = sum(cell["count"] for cell in cells if cell["value_a"] == cell["value_b"])
    assert pair["exact"] == pytest.approx(same / 26)
    every = records(run(*arguments, "--confusions")[1])
    assert sum(row["record"] == "confusion" for row in every) == 4 * 25


def test_csv_is_one_table_of_the_record_that_is_asked_for(run: Run) -> None:
    arguments = ("judgments", "agreement", "demo", "--question", "focus", "--format", "csv")
    assert [row["metric"] for row in csv.DictReader(io.StringIO(run(*arguments)[1]))] == list(get_args(AlphaMetric))
    pairs = csv.DictReader(io.StringIO(run(*arguments, "--show", "question-pair")[1]))
    assert [row["b"] for row in pairs] == [f"simulated-{number}" for number in (2, 4, 3, 4)]


def test_the_same_seed_gives_the_same_interval(run: Run) -> None:
    arguments = ("judgments", "agreement", "demo", "--format", "json", "--resamples", "50")
    assert run(*arguments, "--seed", "3")[1] == run(*arguments, "--seed", "3")[1]
    assert run(*arguments, "--seed", "3")[1] != run(*arguments, "--seed", "4")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_figures_are_drawn_and_say_that_judgments_are_simulated(run: Run, command: str, tmp_path: Path) -> None:
    figure = tmp_path / "figure.svg"
    code, _, err = run("judgments", command, "demo", "--figure", str(figure))
    assert (code, err) == (0, f"figure: {figure}\n")
    assert "simulated judgments" in figure.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("frequencies", "demo", "--question", "fokus"), 2, "did you mean focus"),
        (("regression", "demo", "--target", "overall-response"), 2, "did you mean overall-responsiveness"),
        (("regression", "demo", "--confidence", "100"), 2, "--confidence 100: expected at least 1 and less than 100"),
        (("agreement", "demo", "--resamples", "0"), 2, "--resamples 0: expected at least 1"),
        (("agreement", "demo", "--confusion", "simulated-1", "nobody"), 2, "no assessor 'nobody'"),
        (("agreement", "demo", "--figure", "x.gif"), 2, ".svg, .png, .pdf or .html"),
        (("frequencies", "demo", "--where", "part=Z"), 2, "no topic has part=Z"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    found, _, err = run("judgments", *arguments)
    assert found == code
    assert said in err


@pytest.mark.parametrize("command", COMMANDS)
def test_data_without_judgments_is_said(run: Run, command: str, flat: Path) -> None:
    code, out, err = run("judgments", command, str(flat))
    assert (code, out) == (1, "")
    assert "no judgments" in err


def test_grouped_answers_have_both_ends(run: Run, tmp_path: Path) -> None:
    flat = [
        {"topic": str(number), "summarizer": "A", "summary": "x", "judgments": {"recall": number / 30}}
        for number in range(31)
    ]
    data = str(write(tmp_path, "flat.jsonl", *flat))
    rows = records(run("judgments", "frequencies", data, "--format", "json")[1])
    assert [(row["value"], row["below"]) for row in rows][:2] == [(0.0, 0.1), (0.1, 0.2)]
    assert "0.9 – 1" in run("judgments", "frequencies", data)[1]
    assert json.loads(json.dumps(rows))[0]["n"] == 31
