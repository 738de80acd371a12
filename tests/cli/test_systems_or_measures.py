"""Tables of scores without a column of systems: columns that may be systems are asked for, never taken for measures."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.campaign import CampaignError

NUMBERS = {"gpt4": [0.5, 0.6, 0.7], "llama": [0.1, 0.2, 0.3], "bart": [0.9, 0.8, 0.7]}
TOPICS = {"topic": ["t1", "t2", "t3"]}
NAMES = ["x.csv", "x.tsv", "x.jsonl", "x.parquet"]


def write(path: Path, frame: pl.DataFrame) -> str:
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case ".parquet":
            frame.write_parquet(path)
        case _:
            path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))
    return str(path)


def frame_of(names: list[str]) -> pl.DataFrame:
    return pl.DataFrame(TOPICS | {name: [0.1, 0.2, 0.4] for name in names})


def test_columns_that_may_be_systems_are_asked_for() -> None:
    frame = frame_of(["gpt4", "llama"])
    for data in (frame, pandas.DataFrame(frame.to_dict(as_series=False))):
        with pytest.raises(CampaignError, match="If each column of numbers is a system: `columns="):
            pyramidion.compare(data)


def test_columns_that_name_measures_are_measures_of_one_system() -> None:
    found = pyramidion.score(frame_of(["rouge1", "rougeL", "rougeLsum"]))
    assert (len(found.measures), found.summarizers) == (3, ("system",))


@pytest.mark.parametrize("name", NAMES)
def test_both_readings_work_as_they_are_printed(run: Run, tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, pl.DataFrame(TOPICS | NUMBERS))
    code, out, err = run("compare", path)
    assert (code, out) == (1, "")
    systems, measures = (shlex.split(found)[1] for found in re.findall(r"(--columns \S+)\.(?:\s|$)", err))
    code, out, err = run("compare", path, "--columns", systems, "--format", "json")
    assert code == 0
    assert "a table of scores; a system per column: gpt4, llama, bart" in err
    means = {row["summarizer"]: row["value"] for row in records(out) if row["record"] == "mean"}
    assert means == pytest.approx({"gpt4": 0.6, "llama": 0.2, "bart": 0.8})
    code, out, _ = run("compare", path, "--columns", measures, "--format", "json")
    assert code == 0
    means = {row["measure"]: row["value"] for row in records(out) if row["record"] == "mean"}
    assert means == pytest.approx({"imported.gpt4": 0.6, "imported.llama": 0.2, "imported.bart": 0.8})


def test_the_columns_of_other_scores_can_be_systems(run: Run, tmp_path: Path) -> None:
    text = "A ferry burned off Kiel."
    rows = [
        {"topic": topic, "system": who, "summary": text, "reference": text}
        for topic in TOPICS["topic"]
        for who in NUMBERS
    ]
    data = write(tmp_path / "data.csv", pl.DataFrame(rows))
    scores = write(tmp_path / "scores.csv", pl.DataFrame(TOPICS | NUMBERS))
    assert run("compare", data, "--scores", scores, "-m", "imported.score")[0] == 1
    code, out, err = run(
        *("compare", data, "--scores", scores, "-m", "imported.score", "--format", "json"),
        *("--columns", "score=gpt4+llama+bart"),
    )
    assert code == 0, err
    means = {row["summarizer"]: row["value"] for row in records(out) if row["record"] == "mean"}
    assert means == pytest.approx({"gpt4": 0.6, "llama": 0.2, "bart": 0.8})


def test_an_empty_cell_is_a_missing_score_of_its_system(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("topic,gpt4,llama\nt1,0.5,\nt2,0.7,0.1\n")
    code, out, _ = run("score", str(tmp_path / "x.csv"), "--columns", "score=gpt4+llama", "--format", "json")
    assert code == 0
    found = {(row["topic"], row["summarizer"]): row["value"] for row in records(out)}
    assert found == {("t1", "gpt4"): 0.5, ("t2", "gpt4"): 0.7, ("t2", "llama"): 0.1}
