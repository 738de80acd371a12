"""Tables with a column of judges: judges are assessors, without an import."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas
import polars as pl
import pytest
from scipy import stats

import pyramidion
from cli.running import Run, records

TOPICS, SYSTEMS, JUDGES = 8, ("A", "B"), ("gpt", "claude")
VALUES = np.random.default_rng(7).integers(1, 6, (TOPICS, len(SYSTEMS), len(JUDGES), 2))
"""What each judge says of each summary in two runs, drawn at random."""
Rows = list[dict[str, Any]]


def judged(runs: int = 1, first_run: int = 0) -> Rows:
    """A row for each answer."""
    rows: Rows = []
    for topic, system, judge, run in np.ndindex(TOPICS, len(SYSTEMS), len(JUDGES), runs):
        value = int(VALUES[topic, system, judge, run])
        row = {"id": f"t{topic}", "model": SYSTEMS[system], "judge": JUDGES[judge], "score": value}
        if runs > 1:
            row["run"] = run + first_run
        rows.append(row)
    return rows


def put(path: Path, rows: Rows) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def expected_pair(runs: int = 1) -> tuple[float, float]:
    """The mean difference B − A of the means over judges and runs, and its p by SciPy's paired t test."""
    means = VALUES[..., :runs].mean(axis=(2, 3))
    test = stats.ttest_rel(means[:, 1], means[:, 0])
    return float((means[:, 1] - means[:, 0]).mean()), float(test.pvalue)


def pair_of(out: str, measure: str = "question.score") -> tuple[float, float]:
    (pair,) = [row for row in records(out) if row["record"] == "pair" and row["measure"] == measure]
    return pair["difference"], pair["p"]


@pytest.mark.parametrize(("runs", "first_run"), [(1, 0), (2, 0), (2, 1)])
def test_a_long_table_with_judges_is_compared_over_judges_and_runs(
    run: Run, tmp_path: Path, runs: int, first_run: int
) -> None:
    path = put(tmp_path / "judges.csv", judged(runs, first_run))
    code, out, err = run("compare", path, "--pair", "B", "A", "--format", "json")
    assert code == 0, err
    assert pair_of(out) == pytest.approx(expected_pair(runs))
    assert "judges.csv: judgments; topic = id, summarizer = model, assessor = judge" in err


FORMS = ("{}/5", "{} out of 5", "Score: {}", "{} – fine", '{{"score": {}, "reason": "because"}}')


def test_answers_in_words_are_the_same_numbers(run: Run, tmp_path: Path) -> None:
    rows = judged()
    for number, row in enumerate(rows):
        row["score"] = FORMS[number % len(FORMS)].format(row["score"])
    code, out, err = run("compare", put(tmp_path / "x.csv", rows), "--pair", "B", "A", "--format", "json")
    assert code == 0, err
    assert pair_of(out) == pytest.approx(expected_pair())


@pytest.mark.parametrize("kind", ["pandas", "polars", "dictionaries"])
def test_a_data_frame_with_judges_is_compared_in_the_same_way(kind: str) -> None:
    rows = judged(2)
    data = {"pandas": pandas.DataFrame, "polars": pl.DataFrame, "dictionaries": list}[kind](rows)
    pairs = [row for row in pyramidion.compare(data, pair=("B", "A")).records() if row["record"] == "pair"]
    assert (pairs[0]["difference"], pairs[0]["p"]) == pytest.approx(expected_pair(2))


def test_agreement_between_judges_is_that_of_the_package_krippendorff(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "judges.csv", judged())
    code, out, _ = run("judgments", "agreement", path, "--format", "json")
    assert code == 0
    alphas = {row["metric"]: row["alpha"] for row in records(out) if row["record"] == "question-alpha"}
    ratings = VALUES[..., 0].reshape(-1, len(JUDGES)).T
    assert alphas["ordinal"] == pytest.approx(krippendorff.alpha(ratings, level_of_measurement="ordinal"))


def test_judges_join_summaries_in_another_file(run: Run, tmp_path: Path) -> None:
    judges = put(tmp_path / "judges.csv", judged(2))
    texts = [{"id": f"t{t}", "model": s, "summary": f"the cat {s} sat on mat {t}", "reference": f"a cat sat {t}"}
             for t in range(TOPICS) for s in SYSTEMS]  # fmt: skip
    data = put(tmp_path / "texts.csv", texts)
    for words in ((data, judges), (data, "--scores", judges)):
        code, out, err = run("compare", *words, "-m", "score", "--pair", "B", "A", "--format", "json")
        assert code == 0, err
        assert pair_of(out) == pytest.approx(expected_pair(2))


def with_texts() -> Rows:
    rows = judged()
    return [
        {"id": row["id"], "model": row["model"], "summary": f"the cat of {row['model']} sat on the mat {row['id']}",
         "reference": f"a cat sat {row['id']}", "judge": row["judge"], "score": row["score"],
         "reason": f"{row['judge']} thinks so about {row['id']}"}
        for row in rows
    ]  # fmt: skip


def test_summaries_with_a_row_for_each_judge_are_scored_and_judged(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", with_texts())
    code, out, err = run("compare", path, "-m", "score", "-m", "rouge1", "--pair", "B", "A", "--format", "json")
    assert code == 0, err
    assert pair_of(out) == pytest.approx(expected_pair())
    assert {row["n"] for row in records(out) if row["record"] == "pair"} == {TOPICS}


def test_reasons_are_shown_next_to_the_texts_in_the_report(run: Run, tmp_path: Path) -> None:
    path, report = put(tmp_path / "x.csv", with_texts()), tmp_path / "report.html"
    assert run("report", path, "-o", str(report))[0] == 0
    assert "claude thinks so about t0" in report.read_text(encoding="utf-8")


def test_two_texts_of_one_summary_are_an_error(run: Run, tmp_path: Path) -> None:
    rows = with_texts()
    rows[1]["summary"] = "something else that the second judge may have seen"
    code, _, err = run("compare", put(tmp_path / "x.csv", rows))
    assert code == 1
    assert "x.csv:3: error: summary: found another summary of ('t0', 'A') than on line 2" in err


def test_a_question_in_each_column_has_its_reasons(tmp_path: Path) -> None:
    rows = [
        {"id": row["id"], "model": row["model"], "judge": row["judge"], "fluency": row["score"], "focus": "3/5",
         "fluency_reason": "fluent", "focus_reason": "vague", "latency_ms": 12}
        for row in judged()
    ]  # fmt: skip
    evaluation = pyramidion.Evaluation(put(tmp_path / "x.csv", rows))
    comments = {(one.question, one.comment) for one in evaluation.campaign.judgments}
    assert comments == {("fluency", "fluent"), ("focus", "vague")}


WRONG = {
    "a refusal": ("I can't rate this.", 'found "I can\'t rate this."; expected a number, such as 4, 4/5'),
    "two numbers": ("4 or 5", "found '4 or 5'; expected a number"),
    "another scale": ("8/10", "found 8/10; expected an answer out of 5, as others are"),
    "JSON that breaks off": ('{"score": 4', "expected a whole JSON object"),
}


@pytest.mark.parametrize(("cell", "words"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_listed_with_its_row_and_can_be_left_empty(
    run: Run, tmp_path: Path, cell: str, words: str
) -> None:
    rows = judged()
    for row in rows:
        row["score"] = f"{row['score']}/5"
    rows[4]["score"] = cell
    code, _, err = run("compare", put(tmp_path / "x.csv", rows))
    assert (code, "x.csv:6: error: score: " in err, words in err) == (1, True, True), err
    rows[4]["score"] = ""
    assert run("compare", put(tmp_path / "x.csv", rows))[0] == 0


def test_a_word_in_a_column_of_scores_is_an_error_of_its_row(run: Run, tmp_path: Path) -> None:
    """It was "there is no measure 'judge'"."""
    rows = [{"id": f"t{t}", "model": s, "judge": t % 5} for t in range(TOPICS) for s in SYSTEMS]
    rows[2]["judge"] = "timeout"
    texts = [{**row, "summary": f"the cat of {row['model']} sat on the mat {row['id']}"} for row in rows]
    for table in (rows, texts):
        code, _, err = run("compare", put(tmp_path / "x.csv", table), "-m", "judge")
        assert (code, "x.csv:4: error: " in err, "found 'timeout'" in err) == (1, True, True), err


def test_repeated_answers_of_one_judge_are_runs_if_the_user_says_so(run: Run, tmp_path: Path) -> None:
    rows = [{name: cell for name, cell in row.items() if name != "run"} for row in judged(2)]
    path = put(tmp_path / "x.csv", rows)
    code, _, err = run("compare", path)
    assert (code, "If they are runs of one judge: --runs (runs are averaged)" in err) == (1, True)
    code, out, _ = run("compare", path, "--runs", "--pair", "B", "A", "--format", "json")
    assert code == 0
    assert pair_of(out) == pytest.approx(expected_pair(2))


def test_an_unknown_name_of_the_column_is_asked_for_and_the_option_leads_to_the_answer(
    run: Run, tmp_path: Path
) -> None:
    """It was "--columns topic=judge"."""
    rows = [{"id": row["id"], "model": row["model"], "by": row["judge"], "score": row["score"]} for row in judged()]
    path = put(tmp_path / "x.csv", rows)
    code, _, err = run("compare", path)
    assert code == 1
    options = re.findall(r"--columns \S+=by", err)
    assert "--columns assessor=by" in options
    assert "--columns topic=by" not in options
    code, out, _ = run("compare", path, "--pair", "B", "A", "--format", "json", *shlex.split("--columns assessor=by"))
    assert code == 0
    assert pair_of(out) == pytest.approx(expected_pair())


def test_numbers_of_a_column_of_annotators_are_their_ids(run: Run, tmp_path: Path) -> None:
    rows = judged()
    for row in rows:
        row["annotator"] = JUDGES.index(row.pop("judge"))
    code, out, _ = run("compare", put(tmp_path / "x.csv", rows), "--pair", "B", "A", "--format", "json")
    assert code == 0
    assert pair_of(out) == pytest.approx(expected_pair())


def test_planning_with_one_judge_names_what_plans_for_it(run: Run, tmp_path: Path) -> None:
    """It was "two references"."""
    rows = [{"id": f"t{t}", "model": s, "judge": int(VALUES[t, i, 0, 0])} for t in range(TOPICS)
            for i, s in enumerate(SYSTEMS)]  # fmt: skip
    path = put(tmp_path / "x.csv", rows)
    code, _, err = run("design", path, "--measure", "imported.judge", "--difference", "0.5")
    assert (code, "`pyramidion power` does it" in err) == (1, True)
    assert run("power", path, "-m", "judge", "--difference", "0.5")[0] == 0


def test_a_table_of_judgments_lines_of_json_holds_objects(run: Run, tmp_path: Path) -> None:
    rows = judged()
    lines = [json.dumps({**row, "score": {"score": row["score"], "reason": "so"}}) for row in rows]
    (tmp_path / "x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    code, out, err = run("compare", str(tmp_path / "x.jsonl"), "--pair", "B", "A", "--format", "json")
    assert code == 0, err
    assert pair_of(out) == pytest.approx(expected_pair())
