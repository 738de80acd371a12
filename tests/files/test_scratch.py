"""Files without room: the error names the place, temporary files are no fault of the data, and nothing piles up."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from pyramidion.files.scratch import removed_afterwards, scratch_copy

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")]
PROGRAM = [sys.executable, "-m", "pyramidion", "score"]
ROWS = [
    {"topic": str(topic), "summarizer": "A", "summary": f"ferry {os.urandom(40).hex()}", "references": "the ferry"}
    for topic in range(500)
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder for temporary files."""
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


@pytest.mark.parametrize("kind", ["compressed", "standard input"])
def test_no_room_for_a_temporary_file_is_no_fault_of_the_data(tmp_path: Path, place: Path, kind: str) -> None:
    path = tmp_path / "data"
    if kind == "compressed":
        pl.DataFrame(ROWS).write_parquet(path)
        path.write_bytes(gzip.compress(path.read_bytes()))
        path = path.rename(tmp_path / "data.parquet.gz")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    given = "-" if kind == "standard input" else str(path)
    with path.open("rb") as file:
        ended = subprocess.run(
            [*PROGRAM, given, "-m", "rouge-1.f"],
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "TMPDIR": str(place)},
            preexec_fn=limited,
        )
    assert ended.returncode == 1
    assert ended.stderr == (
        f"pyramidion: {place}: temporary files can't be written (File too large); free some space there, or set TMPDIR "
        "to another folder\n"
    )
    assert list(place.iterdir()) == []


def test_a_later_run_removes_what_a_killed_one_left_of_standard_input(place: Path) -> None:
    words, variables = [*PROGRAM, "-", "-m", "rouge-1.f"], {**os.environ, "TMPDIR": str(place)}
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=variables) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(ROWS[0]).encode() + b"\n")
        process.stdin.flush()
        deadline = time.monotonic() + 240
        while not list(place.rglob("stdin")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    (left,) = place.iterdir()
    assert list(left.rglob("stdin"))
    os.utime(left, (0, 0))  # as if it was left long ago
    ended = subprocess.run(words, input=json.dumps(ROWS[0]).encode(), env=variables, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert list(place.iterdir()) == []


def test_the_folder_of_a_process_that_runs_for_long_is_made_again() -> None:
    first = scratch_copy(io.BytesIO(b"one"), "stdin")
    shutil.rmtree(first.parent.parent)  # by another process, when nobody has used it for a day
    second = scratch_copy(io.BytesIO(b"two"), "stdin")
    assert second.read_bytes() == b"two"
    with removed_afterwards(second):
        pass
    assert not second.exists()


def test_no_room_for_a_run_in_shards_is_said_with_the_file(tmp_path: Path) -> None:
    data = tmp_path / "flat.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    words = [*PROGRAM, str(data), "-m", "rouge-1", "--workers", "1", "-o", str(tmp_path / "run")]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=limited)
    assert ended.returncode == 1
    name = tmp_path / "run" / "keys" / "000000.bin"
    assert ended.stderr.endswith(
        f"pyramidion: {name}: the file is too large for this disk or its limit. Raise the limit (ulimit -f), or choose another place.\n"
    )
