"""Several rows with one key: a system or topic that was not recognised, runs of a judge, or a mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import pytest

from cli.running import Run, records

TOPICS = [f"d{n}" for n in range(5)]


def csv(folder: Path, name: str, rows: list[dict[str, Any]]) -> str:
    pandas.DataFrame(rows).to_csv(folder / name, index=False)
    return str(folder / name)


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = [
        {"id": id, "system": who, "summary": f"a ferry {who}", "reference": f"a ferry burned {id}"}
        for who in "AB"
        for id in TOPICS
    ]
    return csv(tmp_path, "data.csv", rows)


def judged(*, runs: int, **column: str) -> list[dict[str, Any]]:
    """A judge's scores: topic n has n in the first run, n + 1 in the second, …"""
    return [
        {"id": id, "system": who, **dict.fromkeys(column, run), "judge": n + run}
        for run in range(runs)
        for who in "AB"
        for n, id in enumerate(TOPICS)
    ]


def test_a_system_that_was_not_recognised_is_named(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": id, "made_with": who, "genre": "news", "prediction": f"{who} {id}", "gold": "a ferry", "latency": n}
        for who in ("bart", "gpt")
        for n, id in enumerate(TOPICS)
    ]
    path = csv(tmp_path, "x.csv", rows)
    code, _, err = run("compare", path)
    assert code == 1
    assert "No column of systems was recognised. Name it: --columns summarizer=made_with." in err
    assert run("compare", path, "--columns", "summarizer=made_with")[0] == 0


def test_a_system_far_down_the_file_is_a_guess(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": n, "made_with": who, "prediction": f"{who} {n}", "gold": "a ferry"}
        for who in ("bart", "gpt")
        for n in range(300)
    ]
    code, _, err = run("compare", csv(tmp_path, "x.csv", rows))
    assert code == 1
    assert "Remove one of the two rows, or name the column of systems: --columns summarizer=made_with." in err


def test_a_topic_that_was_not_recognised_is_named(run: Run, tmp_path: Path) -> None:
    rows = [
        {"topic": "all", "system": who, "snippet": f"s{n}", "prediction": f"{who} {n}", "gold": "a ferry"}
        for who in "AB"
        for n in range(9)
    ]
    code, _, err = run("compare", csv(tmp_path, "x.csv", rows))
    assert code == 1
    assert "--columns topic=snippet" in err


def test_one_row_that_comes_again_is_still_to_be_removed(run: Run, data: str) -> None:
    path = Path(data)
    path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n")
    code, _, err = run("compare", data)
    assert (code, "Remove one of the two rows." in err) == (1, True)


def test_several_summaries_of_a_system_without_a_column_say_what_to_do(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": id, "system": who, "prediction": f"a ferry {text}", "gold": f"a ferry {id}"}
        for text in ("burned", "sank d1")
        for who in "AB"
        for id in TOPICS
    ]
    path = csv(tmp_path, "x.csv", rows)
    code, _, err = run("compare", path, "-m", "rouge1")
    assert (code, "If they are runs of one system: --runs (scores are averaged)." in err) == (1, True)
    code, out, _ = run("compare", path, "-m", "rouge1", "--runs")
    assert (code, "mean of 2 runs" in out) == (0, True)


def mean_scores(out: str) -> dict[tuple[str, str], float]:
    """The mean over runs, by topic and system."""
    values: dict[tuple[str, str], list[float]] = {}
    for row in records(out):
        if row["record"] == "score":
            values.setdefault((row["topic"], row["summarizer"]), []).append(row["value"])
    return {key: sum(scores) / len(scores) for key, scores in values.items()}


@pytest.mark.parametrize("column", ["run", "seed", "trial", "Repetition"])
def test_the_mean_over_runs_of_a_judge_is_joined_and_said(run: Run, tmp_path: Path, data: str, column: str) -> None:
    scores = csv(tmp_path, "judge.csv", judged(runs=3, **{column: ""}))
    code, out, err = run("score", data, "-m", "judge", "--scores", scores, "--format", "json")
    assert code == 0
    assert mean_scores(out) == {
        (id, who): n + 1.0 for who in "AB" for n, id in enumerate(TOPICS)
    }  # mean of n, n + 1 and n + 2
    assert f"run = {column}; mean of 3 runs; measures: judge" in err
    assert "mean of 3 runs" in run("compare", data, "-m", "judge", "--scores", scores)[1]


def test_another_name_of_the_column_of_runs_is_given_by_columns(run: Run, tmp_path: Path, data: str) -> None:
    scores = csv(tmp_path, "judge.csv", judged(runs=2, nth=""))
    code, _, err = run("compare", data, "-m", "judge", "--scores", scores)
    assert (code, "found, for example, the key ('d0', 'A') again (first on line 2); expected each " in err) == (1, True)
    assert "These rows differ in the column nth. Say what it is: --columns run=nth (runs are averaged) or " in err
    assert "--columns assessor=nth." in err
    assert "10 problems" in err  # a row each, though each has two numbers
    code, _, err = run("compare", data, "-m", "judge", "--scores", scores, "--columns", "run=nth")
    assert (code, "mean of 2 runs" in err) == (0, True)


def test_runs_of_different_number_are_said(run: Run, tmp_path: Path, data: str) -> None:
    scores = csv(tmp_path, "judge.csv", judged(runs=3, run="")[:-1])
    assert "mean of 3 runs (1 of 10 summaries has fewer)" in run("compare", data, "-m", "judge", "--scores", scores)[2]
    scores = csv(tmp_path, "judge.csv", judged(runs=3, run="")[:-2])
    assert "mean of 3 runs (2 of 10 summaries have fewer)" in run("compare", data, "--scores", scores)[2]


def test_a_run_that_comes_again_is_an_error(run: Run, tmp_path: Path, data: str) -> None:
    rows = judged(runs=2, run="")
    scores = csv(tmp_path, "judge.csv", [*rows, rows[0]])
    code, _, err = run("compare", data, "-m", "judge", "--scores", scores)
    assert (code, "expected each (topic, summarizer, run) once" in err) == (1, True)


def test_runs_without_a_column_say_what_to_do(run: Run, tmp_path: Path, data: str) -> None:
    scores = csv(tmp_path, "judge.csv", judged(runs=2))
    code, _, err = run("compare", data, "-m", "judge", "--scores", scores)
    assert (code, "If they are runs of one judge: --runs (runs are averaged)" in err) == (1, True)
    code, out, _ = run("compare", data, "-m", "judge", "--scores", scores, "--runs")
    assert (code, "mean of 2 runs" in out) == (0, True)


def test_runs_in_several_files_say_what_to_do(run: Run, tmp_path: Path, data: str) -> None:
    files = [csv(tmp_path, f"judge{n}.csv", judged(runs=1)) for n in (1, 2)]
    code, _, err = run("compare", data, "-m", "judge", "--scores", files[0], "--scores", files[1])
    assert (code, "put them into one file with a column `run`" in err) == (1, True)


def test_a_run_of_names_is_a_system(run: Run, tmp_path: Path) -> None:
    rows = [{"topic": id, "run": who, "judge": n} for who in ("bm25", "dense") for n, id in enumerate(TOPICS)]
    code, out, _ = run("compare", csv(tmp_path, "x.csv", rows), "--format", "json")
    assert {row["summarizer"] for row in records(out) if row["record"] == "mean"} == {"bm25", "dense"}
    assert code == 0


@pytest.mark.parametrize("what", ["judgments", "scores"])
def test_imports_know_runs_under_other_names(run: Run, tmp_path: Path, data: str, what: str) -> None:
    rows = [
        {("fluency" if name == "judge" else name): cell for name, cell in row.items()}
        for row in judged(runs=3, seed="")
    ]
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    code, _, err = run("import", what, csv(tmp_path, "f.csv", rows), "--into", campaign)
    assert (code, "run = seed" in err) == (0, True)
    measure = "question.fluency" if what == "judgments" else "imported.fluency"
    code, out, _ = run("score", campaign, "-m", measure, "--format", "json")
    assert mean_scores(out) == {(id, who): n + 1.0 for who in "AB" for n, id in enumerate(TOPICS)}


def test_judgments_that_contradict_each_other_mention_runs(run: Run, tmp_path: Path, data: str) -> None:
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    rows = [{"id": row["id"], "system": row["system"], "fluency": row["judge"]} for row in judged(runs=2)]
    code, _, err = run("import", "judgments", csv(tmp_path, "f.csv", rows), "--into", campaign)
    remedy = "Add a column assessor (or run, if a judge was asked several times), or remove one of the two rows."
    assert (code, remedy in err) == (1, True)


def test_judgments_that_differ_in_an_unknown_column_name_it(run: Run, tmp_path: Path, data: str) -> None:
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    # The answers of A are the same in both runs: only the number of the run contradicts.
    rows = [
        {"id": row["id"], "system": row["system"], "assessor": "gpt", "nth": row["nth"]}
        | {"fluency": 3 if row["system"] == "A" else row["judge"]}
        for row in judged(runs=2, nth="")
    ]
    for answers in (rows, [row for row in rows if row["system"] == "A"]):
        path = csv(tmp_path, "f.csv", answers)
        code, _, err = run("import", "judgments", path, "--into", campaign)
        assert (code, f"{len(answers) // 2} problems" in err) == (1, True)
        assert "the key ('d0', 'A', 'gpt') again (first on line 2); expected each (topic, summarizer, assessor)" in err
        assert "These rows differ in the column nth. Say what it is: --columns run=nth (runs are averaged)." in err
    code, _, err = run("import", "judgments", path, "--into", campaign, "--columns", "run=nth")
    assert (code, "run = nth" in err, "questions: fluency\n" in err) == (0, True, True)


@pytest.mark.parametrize("what", ["judgments", "scores"])
def test_the_only_numbers_of_a_table_are_not_taken_for_runs(run: Run, tmp_path: Path, data: str, what: str) -> None:
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    rows = [{"id": id, "system": who, "fluency": value} for who in "AB" for id in TOPICS for value in (3, 4)]
    code, _, err = run("import", what, csv(tmp_path, "f.csv", rows), "--into", campaign)
    assert (code, "=fluency" in err) == (1, False)


def test_a_column_of_numbers_is_never_offered_as_the_system(run: Run, tmp_path: Path) -> None:
    rows = [{"id": id, "faith": faith, "style": n} for n, id in enumerate(TOPICS) for faith in (2, 3)]
    code, _, err = run("compare", csv(tmp_path, "x.csv", rows))
    assert (code, "summarizer=" in err) == (1, False)
    assert "add a column `summarizer` with the system of each row." in err


def test_a_note_about_runs_is_true_of_all_rows_that_have_it(run: Run, tmp_path: Path, data: str) -> None:
    scores = csv(tmp_path, "judge.csv", judged(runs=2, run="")[:-1])
    _, out, _ = run("score", data, "-m", "judge", "--scores", scores, "--format", "csv")
    assert out.count("mean of 2 runs (1 of 10 summaries has fewer)") == 19


def test_columns_reach_the_file_that_has_them(run: Run, tmp_path: Path, data: str) -> None:
    rows = [{"article_key": row["id"], "who_wrote": row["system"], "judge": row["judge"]} for row in judged(runs=1)]
    scores = csv(tmp_path, "judge.csv", rows)
    columns = "topic=article_key,summarizer=who_wrote,references=reference"
    code, out, err = run("score", data, "-m", "judge", "--scores", scores, "--columns", columns, "--format", "json")
    assert code == 0
    assert len([row for row in records(out) if row["record"] == "score"]) == 10
    assert "topic = id; summarizer = system; summary = summary; references = reference" in err
    assert "topic = article_key; summarizer = who_wrote; measures: judge" in err
    code, _, err = run("score", data, "-m", "judge", "--scores", scores, "--columns", "topic=article_kye")
    assert (code, "no file has a column 'article_kye'; did you mean article_key?" in err) == (2, True)


def test_columns_reach_a_score_table_among_several_files(run: Run, tmp_path: Path, data: str) -> None:
    rows = [{"article_key": row["id"], "who_wrote": row["system"], "judge": row["judge"]} for row in judged(runs=1)]
    files = (data, csv(tmp_path, "judge.csv", rows))
    code, _, err = run("compare", *files, "-m", "judge", "--columns", "topic=article_key,summarizer=who_wrote")
    assert (code, "topic = article_key; summarizer = who_wrote; measures: judge" in err) == (0, True)


def test_scores_of_a_system_that_was_not_recognised_name_it(run: Run, tmp_path: Path) -> None:
    rows = [{"item": id, "made_with": who, "judge": n} for who in ("x", "y") for n, id in enumerate(TOPICS)]
    path = csv(tmp_path, "judge.csv", rows)
    code, _, err = run("compare", path)
    assert (code, "Name it: --columns summarizer=made_with." in err) == (1, True)
    assert run("compare", path, "--columns", "summarizer=made_with")[0] == 0


def test_columns_reach_scores_of_a_campaign_folder(run: Run, tmp_path: Path, data: str) -> None:
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    rows = [{"zz": row["id"], "yy": row["system"], "judge": row["judge"]} for row in judged(runs=1)]
    arguments = ("--scores", csv(tmp_path, "judge.csv", rows), "--columns", "topic=zz,summarizer=yy")
    assert run("compare", campaign, "-m", "judge", *arguments)[0] == 0
