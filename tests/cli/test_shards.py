"""Runs in shards from the command line: what is said, when, and when nothing could be scored."""

from pathlib import Path

import polars as pl

from cli.running import Run


def data_in(folder: Path) -> str:
    rows = [
        {"id": n, "system": who, "prediction": f"the cat sat {n}", "target": "a cat"} for n in range(6) for who in "AB"
    ]
    pl.DataFrame(rows).write_parquet(folder / "outputs.parquet")
    return str(folder / "outputs.parquet")


def test_a_measure_without_what_it_needs_is_named_and_nothing_at_all_is_an_error(run: Run, tmp_path: Path) -> None:
    data = data_in(tmp_path)
    code, _, err = run("score", data, "-m", "js", "-o", f"{tmp_path}/none", "--workers", "1")
    assert code == 1
    assert "js: no value for 12 summaries (it needs documents; the data has none)" in err
    assert "nothing was scored" in err
    code, _, err = run("score", data, "-m", "js", "-m", "rouge2", "-o", f"{tmp_path}/some", "--workers", "1")
    assert code == 0
    assert "js: no value for 12 summaries (it needs documents; the data has none)" in err
    assert "12 scores of 12 summaries" in err


def test_how_the_columns_were_understood_is_said_first(run: Run, tmp_path: Path) -> None:
    _, _, err = run("score", data_in(tmp_path), "-m", "rouge2", "-o", f"{tmp_path}/run", "--workers", "1")
    assert err.startswith("outputs.parquet: topic = id; summarizer = system; summary = prediction")
    assert err.count("outputs.parquet: ") == 1


def test_a_second_run_says_what_was_already_finished(run: Run, tmp_path: Path) -> None:
    command = ["score", data_in(tmp_path), "-m", "rouge2", "-o", f"{tmp_path}/run", "--workers", "1"]
    assert run(*command)[0] == 0
    code, _, err = run(*command)
    assert code == 0
    assert "1 shard was already finished." in err
