"""Parquet and Arrow files are read as they are; a damaged one is one error."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from pyramidion.campaign import Problems
from pyramidion.errors import InputError
from pyramidion.files.parquet import read_metadata
from pyramidion.intake.opened import columns_of, read_frames, sample_rows

FRAME = pl.DataFrame({"topic": ["a", "b"] * 50, "text": ["some words that are not short", None] * 50})


def test_a_panic_of_the_reader_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*_: Any, **__: Any) -> None:
        raise pl.exceptions.PanicException("called `Result::unwrap()` on an `Err` value")

    FRAME.write_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(pl, "scan_parquet", panic)
    monkeypatch.setattr(pl, "read_parquet_metadata", panic)
    problems = Problems()
    assert list(read_frames(tmp_path / "x.parquet", problems)) == []
    assert (columns_of(tmp_path / "x.parquet"), read_metadata(tmp_path / "x.parquet")) == ([], "")
    (problem,) = problems
    assert (problem.file, problem.expected) == (str(tmp_path / "x.parquet"), "a Parquet file")
    assert problem.remedy == "Write the file again."


@pytest.mark.parametrize("stream", [False, True])
def test_arrow_tables_are_read_as_they_are(tmp_path: Path, stream: bool) -> None:
    path = tmp_path / "x.arrow"
    (FRAME.write_ipc_stream if stream else FRAME.write_ipc)(path)
    assert pl.concat(read_frames(path, Problems())).equals(FRAME)
    FRAME.head(3).write_ipc(path)
    assert pl.concat(read_frames(path, Problems())).equals(FRAME.head(3))  # not what was there before


@pytest.mark.parametrize("ending", ["arrow", "feather", "parquet"])
@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_table_is_one_error(tmp_path: Path, ending: str, seed: int) -> None:
    path = tmp_path / f"x.{ending}"
    if ending == "parquet":
        FRAME.write_parquet(path)
    elif ending == "feather":
        FRAME.write_ipc(path)
    else:
        FRAME.write_ipc_stream(path)
    content, draw = bytearray(path.read_bytes()), random.Random(seed)
    if ending == "parquet" and seed % 2:
        for _ in range(60):
            content[draw.randrange(len(content) - 10)] = draw.randrange(256)
    else:
        content = content[: draw.randrange(4, len(content) - 10)]
    path.write_bytes(bytes(content))
    problems = Problems()
    assert list(read_frames(path, problems)) == []
    (problem,) = problems
    assert (problem.severity, problem.file, problem.remedy) == ("error", str(path), "Write the file again.")


def test_a_damaged_table_is_no_data_of_a_run_in_shards(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    FRAME.write_parquet(path)
    content = bytearray(path.read_bytes())
    content[-300:-20] = bytes(byte ^ 0x5A for byte in content[-300:-20])
    path.write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"x\.parquet: found .*; expected a Parquet file\. Write the file again\."):
        pyramidion.score_into(path, tmp_path / "run", "rouge-1.f", workers=1)
    assert not (tmp_path / "run").exists()


def test_rows_without_any_text_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1, 2, 3], "judge": [0.5, 0.25, None]}).write_parquet(tmp_path / "x.parquet")
    assert [row["id"] for row in sample_rows(tmp_path / "x.parquet")] == [1, 2, 3]


def test_damage_that_only_a_run_in_shards_meets_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    rows = [{"topic": f"t{row}", "summarizer": "A", "summary": f"a b {row}", "reference": "a b"} for row in range(30)]
    pl.DataFrame(rows).write_parquet(path)
    content = bytearray(path.read_bytes())
    content[60:200] = b"\xff" * 140  # pages, not the footer: the number of rows can still be read
    path.write_bytes(content)
    with pytest.raises(InputError, match="expected a Parquet file"):
        pyramidion.score_into(path, tmp_path / "run", ["rouge-1.f"])


def test_a_folder_called_tilde_is_not_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    for folder, system in ((home, "HOME"), (here / "~", "HERE")):
        folder.mkdir(parents=True)
        row = {"topic": "t", "summarizer": system, "summary": "a b", "reference": "a b"}
        pl.DataFrame([row]).write_parquet(folder / "x.parquet")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    pyramidion.score_into("~/x.parquet", "run", ["rouge-1.f"])
    assert pyramidion.Evaluation("run").table(["rouge-1.f"]).summarizers == ("HERE",)
