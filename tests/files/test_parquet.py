"""Damaged Parquet and Arrow files: one error, nothing else on the terminal, and the process lives."""

from __future__ import annotations

import io
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.campaign import Problems
from pyramidion.errors import InputError
from pyramidion.files import packed, parquet
from pyramidion.files.footer import bytes_within
from pyramidion.files.messages import bytes_of_messages
from pyramidion.files.parquet import read_metadata
from pyramidion.intake.rows import columns_of, read_frames, sample_rows

FRAME = pl.DataFrame({"topic": ["a", "b"] * 50, "text": ["some words that are not short", None] * 50})


def panics(*_: Any, **__: Any) -> None:
    os.write(2, b"thread 'async-executor-0' panicked at crates/polars-parquet")
    raise pl.exceptions.PanicException("called `Result::unwrap()` on an `Err` value")


def test_what_a_panic_prints_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(pl, "scan_parquet", panics)
    monkeypatch.setattr(pl, "read_parquet_metadata", panics)
    problems = Problems()
    assert list(read_frames(tmp_path / "x.parquet", problems)) == []
    assert (columns_of(tmp_path / "x.parquet"), read_metadata(tmp_path / "x.parquet")) == ([], "")
    assert problems.errors == 1
    assert capfd.readouterr().err == ""


def test_what_others_print_meanwhile_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_parquet(tmp_path / "x.parquet")
    scan = pl.scan_parquet

    def talks(*arguments: Any, **facts: Any) -> Any:
        os.write(2, b"hello")
        return scan(*arguments, **facts)

    monkeypatch.setattr(pl, "scan_parquet", talks)
    assert pl.concat(read_frames(tmp_path / "x.parquet", Problems())).equals(FRAME)
    assert capfd.readouterr().err == "hello"


@pytest.mark.parametrize("stream", [False, True])
def test_arrow_tables_are_read_as_they_are(tmp_path: Path, stream: bool) -> None:
    path = tmp_path / "x.arrow"
    (FRAME.write_ipc_stream if stream else FRAME.write_ipc)(path)
    assert pl.concat(read_frames(path, Problems())).equals(FRAME)
    FRAME.head(3).write_ipc(path)
    assert pl.concat(read_frames(path, Problems())).equals(FRAME.head(3))  # not what was there before


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_arrow_table_is_one_error(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "x.arrow"
    FRAME.write_ipc(path)
    content, draw = bytearray(path.read_bytes()), random.Random(seed)
    start = 600 * (seed % 2)  # the first of these make the reader ask for more memory than there is
    for _ in range(60):
        content[draw.randrange(start, len(content) - 10)] = draw.randrange(256)
    path.write_bytes(bytes(content))
    problems = Problems()
    rows = sum(piece.height for piece in read_frames(path, problems))
    assert problems.errors == 1 or rows


def test_rows_without_any_text_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1, 2, 3], "judge": [0.5, 0.25, None]}).write_parquet(tmp_path / "x.parquet")
    assert [row["id"] for row in sample_rows(tmp_path / "x.parquet")] == [1, 2, 3]


def small_file(path: Path, kind: str) -> Path:
    """A file of some kilobytes whose values take more than a hundred megabytes."""
    frame = pl.DataFrame({"topic": ["t"], "summarizer": ["s"], "summary": ["x"], "references": [["r"]]})
    long = pl.lit("r" * 1_000_000)
    if kind == "rows":
        frame = pl.concat([frame] * 1000).select(pl.all().repeat_by(4000).explode())
    elif kind == "a long list":
        frame = frame.with_columns(references=pl.lit("r").repeat_by(15_000_000))
    elif kind == "texts in lists":
        frame = pl.concat([frame.with_columns(references=long.repeat_by(5))] * 60)
    elif kind == "texts":
        frame = pl.concat([frame.with_columns(summary=long + str(n)) for n in range(150)])
    if path.suffix == ".parquet":
        frame.write_parquet(path, compression="zstd")
    elif path.suffix == ".feather":
        frame.write_ipc(path, compression="zstd")
    else:
        frame.write_ipc_stream(path, compression="zstd")
    assert path.stat().st_size < 250_000
    return path


@pytest.mark.parametrize("kind", ["rows", "a long list", "texts in lists", "texts"])
def test_small_files_of_values_without_end_are_refused_before_they_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = small_file(tmp_path / "x.parquet", kind)
    monkeypatch.setattr(pl.LazyFrame, "collect", panics)
    problems = Problems()
    assert list(read_frames(path, problems)) == []
    assert "grow to more than 500 times the size of the file" in str(next(iter(problems)))
    with pytest.raises(InputError, match="grow to more than 500 times"):
        pyramidion.score_into(path, tmp_path / "out", "rouge-1.f", workers=1)


def test_a_footer_that_lies_does_not_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small_file(tmp_path / "x.parquet", "a long list")
    monkeypatch.setattr(parquet, "bytes_within", lambda _: 0)
    problems = Problems()
    assert list(read_frames(path, problems)) == []
    assert "grow to more than 500 times" in str(next(iter(problems)))


@given(st.binary(max_size=60), st.integers(0, 2**32 - 1))
def test_any_footer_has_an_answer(content: bytes, length: int) -> None:
    for size in (length, len(content)):
        assert bytes_within(io.BytesIO(content + size.to_bytes(4, "little") + b"PAR1")) >= 0
    assert bytes_within(io.BytesIO(content)) == 0


@pytest.mark.parametrize("ending", ["feather", "arrow"])
@pytest.mark.parametrize("kind", ["a long list", "texts in lists", "texts"])
def test_small_arrow_tables_of_values_without_end_are_refused_before_they_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, ending: str
) -> None:
    path = small_file(tmp_path / f"x.{ending}", kind)
    monkeypatch.setattr(subprocess, "run", panics)
    problems = Problems()
    assert list(read_frames(path, problems)) == []
    (problem,) = problems
    assert "grow to more than 500 times the size of the file'; expected an Arrow table" in str(problem)


def test_an_arrow_table_is_not_refused_because_parquet_would_be_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "HARMLESS_BYTES", 2**10)
    texts = [f"{'word ' * 2000}{number}" for number in range(300)]
    frame = pl.DataFrame({"topic": texts})
    frame.write_ipc(tmp_path / "x.arrow", compression="uncompressed")
    frame.write_parquet(tmp_path / "x.parquet")
    assert (tmp_path / "x.parquet").stat().st_size * 500 < (tmp_path / "x.arrow").stat().st_size
    problems = Problems()
    assert sum(piece.height for piece in read_frames(tmp_path / "x.arrow", problems)) == len(texts)
    assert not problems


@given(st.binary(max_size=60), st.integers(0, 2**32 - 1), st.integers(0, 400), st.booleans())
def test_any_message_has_an_answer(content: bytes, length: int, place: int, stream: bool) -> None:
    held = io.BytesIO()
    (FRAME.write_ipc_stream if stream else FRAME.write_ipc)(held, compression="zstd")
    whole = held.getvalue()
    assert bytes_of_messages(held) >= FRAME.height * 2 * 8
    size = length.to_bytes(4, "little")
    for damaged in (
        whole[:place] + content + whole[place:],
        whole[: -place or None],
        b"\xff\xff\xff\xff" + size + content,
        b"ARROW1" + content + size + b"ARROW1",
    ):
        assert bytes_of_messages(io.BytesIO(damaged)) >= 0
