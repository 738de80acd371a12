"""Tables as teams have them, each with the one command and the means that pandas finds in the same numbers."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from cli.running import Run, records

TOPICS, SYSTEMS, MEASURES = 7, ("gpt-4o", "claude"), ("coherence", "fluency")
VALUES = np.random.default_rng(3).integers(1, 6, (TOPICS, len(SYSTEMS), len(MEASURES), 2))
"""Of each topic, system and measure in two runs, drawn at random."""
LONG = pandas.DataFrame(
    [
        {"id": f"t{t}", "model": SYSTEMS[s], "metric": MEASURES[m], "run": r, "score": int(VALUES[t, s, m, r])}
        for t, s, m, r in np.ndindex(VALUES.shape)
    ]
)


def truth(runs: int = 1, measures: tuple[str, ...] = MEASURES) -> dict[tuple[str, str], float]:
    """By measure and system, the mean over topics and runs, by pandas."""
    chosen = LONG[(LONG["run"] < runs) & LONG["metric"].isin(measures)]
    means: dict[Any, Any] = chosen.groupby(["metric", "model"])["score"].mean().to_dict()
    return {(str(key[0]), str(key[1])): float(mean) for key, mean in means.items()}


def one_measure(runs: int = 1) -> pandas.DataFrame:
    chosen = LONG[(LONG["metric"] == "coherence") & (LONG["run"] < runs)]
    return chosen.drop(columns="metric").rename(columns={"score": "coherence"})


def wide() -> pandas.DataFrame:
    first = LONG[LONG["run"] == 0]
    return first.pivot_table(index=["id", "model"], columns="metric", values="score").reset_index()


def grid(name: str) -> pandas.DataFrame:
    first = LONG[LONG["run"] == 0].copy()
    keys = zip(first["model"], first["metric"], strict=True)
    first["column"] = [name.format(model=model, metric=metric) for model, metric in keys]
    return first.pivot_table(index="id", columns="column", values="score").reset_index()


def systems() -> pandas.DataFrame:
    return one_measure().pivot_table(index="id", columns="model", values="coherence").reset_index()


ONE = ("coherence",)
SHAPES: dict[str, tuple[pandas.DataFrame, str, dict[tuple[str, str], float]]] = {
    "a measure per column": (wide(), "", truth()),
    "a score per row": (LONG[LONG["run"] == 0].drop(columns="run"), "", truth()),
    "a column per system and measure": (grid("{model}_{metric}"), "", truth()),
    "a column per measure and system": (grid("{metric} ({model})"), "", truth()),
    "a column per measure and system with a dot": (grid("{metric}.{model}"), "", truth()),
    "numbered runs": (one_measure(2), "", truth(2, ONE)),
    "seeds": (one_measure(2).rename(columns={"run": "seed"}), "", truth(2, ONE)),
    "repeated rows": (one_measure(2).drop(columns="run"), "--runs", truth(2, ONE)),
    "a column per system": (systems(), "--columns score=gpt-4o+claude", {("score", s): truth()["coherence", s] for s in SYSTEMS}),
    "bookkeeping": (wide().assign(latency_ms=5, document_id=1, **{"Unnamed: 0": 1}), "", truth()),
    "a judge": (one_measure(2).assign(judge="gpt"), "", truth(2, ONE)),
    "a judge with a criterion": (LONG.assign(judge="gpt"), "", truth(2)),
}  # fmt: skip


def means_of(out: str) -> dict[tuple[str, str], Any]:
    rows = [row for row in records(out) if row["record"] == "mean"]
    return {(row["measure"].partition(".")[2], row["summarizer"]): row["value"] for row in rows}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize(("frame", "options", "expected"), SHAPES.values(), ids=SHAPES)
def test_a_table_gives_the_means_that_pandas_finds(
    run: Run, tmp_path: Path, frame: pandas.DataFrame, options: str, expected: dict[tuple[str, str], float], suffix: str
) -> None:
    path = tmp_path / f"x{suffix}"
    if suffix == ".csv":
        frame.to_csv(path, index=False)
    elif suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    code, out, err = run("compare", str(path), *shlex.split(options), "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(expected)


def test_columns_that_may_be_systems_or_raters_are_asked_for_and_each_option_works(run: Run, tmp_path: Path) -> None:
    frame = systems().rename(columns={"gpt-4o": "rating_A", "claude": "rating_B"})
    frame.to_csv(tmp_path / "x.csv", index=False)
    code, _, err = run("compare", str(tmp_path / "x.csv"))
    assert code == 1
    options = re.findall(r"--columns [\w=+]+", err)
    assert len(options) == 2
    for option in options:
        assert run("score", str(tmp_path / "x.csv"), *shlex.split(option))[0] == 0


def test_two_systems_can_not_be_correlated_and_the_levels_that_are_named_work(run: Run, tmp_path: Path) -> None:
    wide().to_csv(tmp_path / "x.csv", index=False)
    words = ["correlate", str(tmp_path / "x.csv"), "-m", "coherence", "--with", "fluency"]
    code, out, _ = run(*words)
    text = " ".join(out.split())
    assert (code, "Two systems can't be correlated" in text) == (0, True)
    code, out, _ = run(*words, "--format", "json")
    values = [(row["value"], row["p"], row["reason"]) for row in records(out) if row["record"] == "correlation"]
    assert values == [(None, None, "only two summarizers with both means: two points always lie on a line")] * 3
    levels = re.findall(r"--level \w+", text)
    assert levels == ["--level global", "--level topic"]
    for level in levels:
        assert run(*words, *shlex.split(level))[0] == 0


def test_repeated_rows_of_summaries_are_runs_where_that_is_said(run: Run, tmp_path: Path) -> None:
    frame = one_measure(2).drop(columns="run").assign(summary="a cat sat on the mat today", reference="the cat sat")
    frame.to_csv(tmp_path / "x.csv", index=False)
    assert run("compare", str(tmp_path / "x.csv"), "-m", "rouge-1.f", "--runs")[0] == 0
    assert run("compare", str(tmp_path / "x.csv"), "-m", "rouge-1.f")[0] == 1
