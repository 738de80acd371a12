"""Several runs of one system (epochs, seeds, trials): they are neither systems nor topics unless the user says so."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.campaign import CampaignError

TEXT = "A ferry burned off the coast of Kiel on Monday."
Rows = list[dict[str, Any]]


def rows(**others: list[Any]) -> Rows:
    """Two runs on three topics, with further columns, whose values alternate."""
    return [
        {"topic": f"t{topic}", "summary": f"{TEXT} {run} {topic}", "reference": f"{TEXT} {topic}"}
        | {name: values[run] for name, values in others.items()}
        for topic in range(3)
        for run in range(2)
    ]


def without_topics(held: Rows) -> Rows:
    return [{name: value for name, value in row.items() if name != "topic"} for row in held]


REFUSED: dict[str, tuple[Rows, str]] = {
    "epochs": (rows(epoch=[1, 2]), r"several runs of one system \(column epoch\): keep one of them"),
    "names of seeds": (rows(seed=["s1", "s2"]), r"several runs of one system \(column seed\): keep one of them"),
    "numbered runs": (rows(run=["run1", "run2"]), r"several runs of one system \(column run\): keep one of them"),
    "epochs of a named system": (rows(system=["A", "A"], epoch=[1, 2]), r"several runs of a system \(column epoch\)"),
    "epochs without topics": (without_topics(rows(epoch=[1, 2])), r"several runs \(column epoch\), but no column of"),
}


@pytest.mark.parametrize(("held", "expected"), REFUSED.values(), ids=REFUSED)
def test_runs_of_a_table_are_refused(run: Run, tmp_path: Path, held: Rows, expected: str) -> None:
    with pytest.raises(CampaignError, match=expected):
        pyramidion.score(held)
    pl.DataFrame(held).write_csv(tmp_path / "x.csv")
    code, out, err = run("compare", str(tmp_path / "x.csv"), "-m", "rouge1")
    assert (code, out) == (1, "")
    assert re.search(expected, err)
    for option in re.findall(r"--columns summarizer=\w+", err):
        assert run("compare", str(tmp_path / "x.csv"), "-m", "rouge1", *shlex.split(option))[0] == 0


@pytest.mark.parametrize("names", [["bm25", "lead"], ["UPF_run_one", "UPF_run_two"]])
def test_runs_with_names_are_systems_as_in_trec(names: list[str]) -> None:
    assert set(pyramidion.score(rows(run=names), measures=["rouge1"]).summarizers) == set(names)


def log(path: Path, epochs: int) -> str:
    samples = [
        {"id": topic, "epoch": epoch, "input": TEXT, "target": TEXT, "output": {"completion": f"{TEXT} {epoch}"}}
        for topic in range(3)
        for epoch in range(1, epochs + 1)
    ]
    held = {"version": 2, "status": "success", "eval": {"task": "sum", "model": "m1"}, "samples": samples}
    path.write_text(json.dumps(held))
    return str(path)


def test_epochs_of_a_log_are_asked_for(run: Run, tmp_path: Path) -> None:
    path = log(tmp_path / "x.json", 2)
    code, out, err = run("compare", path, "-m", "rouge1")
    assert (code, out) == (2, "")
    assert "found 2 epochs of m1; expected one output of a system for each sample" in err
    systems = []
    for option in re.findall(r"--option epoch=\w+", err):
        code, out, _ = run("compare", path, "-m", "rouge1", "--format", "json", *shlex.split(option))
        assert code == 0
        systems.append({row["summarizer"] for row in records(out) if row["record"] == "mean"})
    assert systems == [{"m1"}, {"m1 epoch 1", "m1 epoch 2"}]


def test_an_epoch_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    code, _, err = run("compare", log(tmp_path / "x.json", 2), "-m", "rouge1", "--option", "epoch=3")
    assert code == 2
    assert "--option epoch=3: " in err
    assert "has the epochs 1, 2" in err


def test_one_epoch_needs_no_choice(run: Run, tmp_path: Path) -> None:
    code, _, _ = run("compare", log(tmp_path / "x.json", 1), "-m", "rouge1", "--option", "epoch=each")
    assert code == 0


def test_further_responses_of_lm_eval_are_left_out_with_a_warning(run: Run, tmp_path: Path) -> None:
    held = [
        {"doc_id": n, "doc": {"article": TEXT}, "target": TEXT, "resps": [[TEXT, "x"]], "filtered_resps": [[TEXT, "x"]]}
        for n in range(2)
    ]
    path = tmp_path / "samples_x_2024-01-01.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in held))
    code, out, _ = run("check", str(path))
    assert code == 0
    assert "found up to 2 responses of the model to one document; expected one response to each" in out
