"""Any terminal: encodings that lack our signs, closed streams, readers that have seen enough, full disks, signals."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli.running import write

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="a shell and signals of POSIX")]
PROGRAM = [sys.executable, "-m", "pyramidion"]
ROWS = [
    {"topic": "1", "summarizer": "Ærø – 東京", "summary": "a ferry burned", "references": ["the ferry burned down"]},
    {"topic": "1", "summarizer": "B", "summary": "rain", "references": ["the ferry burned down"]},
]


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell with PYRAMIDION in it."""
    line = line.replace("PYRAMIDION", " ".join(PROGRAM))
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, env={**os.environ, **variables}, check=False
    )


IN_EACH_FORMAT = """
import sys
from pyramidion.cli import main

path = sys.argv[1]
for format in ("json", "table", "csv", "latex", "markdown"):
    sys.argv = ["pyramidion", "score", path, "-m", "rouge-1", "--format", format]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
    if format != "markdown":
        sys.stdout.write(chr(12))
"""
"""Prints scores in each format, with form feeds in between; one process for all, because starting it takes longest."""


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LC_ALL": "C"},
    ],
    ids=lambda variables: " ".join(f"{name}={value}" for name, value in variables.items()),
)
def test_output_that_is_not_utf8_replaces_what_it_cannot_hold(tmp_path: Path, variables: dict[str, str]) -> None:
    data = write(tmp_path, "flat.jsonl", *ROWS)
    done = subprocess.run(
        [sys.executable, "-c", IN_EACH_FORMAT, str(data)],
        capture_output=True,
        env={**os.environ, **variables},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    outputs = done.stdout.split(b"\f")
    assert len(outputs) == 5
    assert all(outputs)
    encoding = variables.get("PYTHONIOENCODING", "utf-8")
    summarizers = {json.loads(line)["summarizer"] for line in outputs[0].decode(encoding).splitlines()}
    assert summarizers == {"Ærø – 東京", "B"}  # what programs read stays what it is


def test_a_sign_that_an_encoding_lacks_becomes_a_plain_one(tmp_path: Path) -> None:
    data = write(tmp_path, "flat.jsonl", *ROWS)
    done = shell(f"PYRAMIDION score {data} -m rouge-1.recall --format csv", PYTHONIOENCODING="ascii")
    assert b"\\xc6r\\xf8 - \\u6771\\u4eac" in done.stdout


@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_closed_streams_are_no_error(format: str) -> None:
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
        done = shell(f"PYRAMIDION score demo -m rouge-1.recall --format {format} {closed}")
        assert (done.returncode, done.stderr) == (0, b"")


def test_a_file_is_whole_when_standard_output_was_closed(tmp_path: Path) -> None:
    done = shell(f"PYRAMIDION score demo -m rouge-1.recall -o {tmp_path}/a.csv >&- 2>&-")
    assert done.returncode == 0
    assert (tmp_path / "a.csv").read_bytes().startswith(b"measure,")


@pytest.mark.parametrize(
    "command", ["list measures", "score demo -m rouge-1 --format json", "score demo -m rouge-1", "pyramid show demo"]
)
@pytest.mark.parametrize("reader", ["true", "head -1"])
def test_a_reader_that_has_seen_enough_is_no_error(command: str, reader: str) -> None:
    done = shell(f"PYRAMIDION {command} | {reader}")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_gate_that_fails_says_so_to_the_build_also_if_nobody_reads_its_words() -> None:
    gate = "PYRAMIDION gate demo --against 16 --candidate 2 -m rouge-2.recall --quiet"
    done = shell(f"({gate}; echo $? >&2) | true")
    assert done.stderr == b"3\n"


@pytest.mark.parametrize("command", ["--help", "--version", "score --help", "study --help", "list --help"])
def test_help_that_nobody_reads_is_no_error(command: str) -> None:
    for line in (f"PYRAMIDION {command} | true", f"PYRAMIDION {command} 2>&1 | true"):
        done = shell(line)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["list measures", "score demo -m rouge-1 --format json"])
def test_a_full_disk_behind_standard_output_is_an_error_in_words(command: str) -> None:
    done = shell(f"PYRAMIDION {command} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith(b"pyramidion: the disk is full. Free some space")


LARGE: dict[str, list[str]] = {
    "scores": ["simulate", "scores", "--topics", "1000000", "--summarizers", "100", "-o", "out.parquet"],
    "lines": ["simulate", "scores", "--topics", "1000000", "--summarizers", "100", "-o", "out.csv"],
    "folder": ["simulate", "campaign", "--topics", "20000", "--summarizers", "50", "-o", "out"],
    "flat": ["simulate", "campaign", "--topics", "20000", "--summarizers", "50", "-o", "out.parquet"],
}


LISTENING = functools.partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
"""For a child process: nohup, under which the tests may run, would have it ignore SIGHUP."""


def interrupted(folder: Path, command: list[str], sent: signal.Signals, **facts: Any) -> tuple[int, bytes]:
    """End a command by a signal once it has begun to write: its exit code, and what it said."""
    process = subprocess.Popen([*PROGRAM, *command], cwd=folder, stderr=subprocess.PIPE, preexec_fn=LISTENING, **facts)
    with process:
        deadline = time.monotonic() + 240
        while not any(folder.iterdir()):
            assert process.poll() is None, "it ended before it wrote anything"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(sent)
        _, said = process.communicate(timeout=240)
    return process.returncode, said


@pytest.mark.parametrize("command", LARGE)
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda sent: sent.name)
def test_a_signal_ends_a_command_and_nothing_is_left(tmp_path: Path, command: str, sent: signal.Signals) -> None:
    code, said = interrupted(tmp_path, LARGE[command], sent)
    assert code == (1 if sent is signal.SIGINT else 128 + sent)
    assert b"Traceback" not in said
    assert list(tmp_path.iterdir()) == []


WITHIN_POLARS = """
import signal, sys, time
from pyramidion.cli.process import ended_by_signals

def act():
    signal.raise_signal({number})
    print('unharmed', flush=True)  # in here: once Polars is left, a slow machine could be interrupted before

code = "def called_back(act):\\n    {call}"
library = {{"signal": signal}}
exec(compile(code, "/lib/polars/datatypes.py", "exec"), library)
with ended_by_signals():
    library["called_back"](act)
    time.sleep(30)
"""
ACTS = {
    "Polars itself": "signal.raise_signal({number}); print('unharmed', flush=True)",
    "what it called": "act()",
}


@pytest.mark.parametrize("call", ACTS.values(), ids=ACTS)
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, -signal.SIGINT)]
)
def test_a_signal_inside_polars_waits_until_it_is_left(sent: signal.Signals, code: int, call: str) -> None:
    """An exception there makes Rust panic: a traceback, and exit code 1."""
    script = WITHIN_POLARS.format(number=int(sent), call=call.format(number=int(sent)))
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, timeout=240, check=False, preexec_fn=LISTENING)
    assert (done.stdout, done.returncode) == (b"unharmed\n", code)


@pytest.mark.parametrize("command", ["scores", "folder"])
def test_the_next_run_removes_what_a_killed_one_left(tmp_path: Path, command: str) -> None:
    code, _ = interrupted(tmp_path, LARGE[command], signal.SIGKILL)
    assert code == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".part")
    os.utime(left, (0, 0))  # as if it was left long ago
    few = [word if word not in ("1000000", "20000") else "2" for word in LARGE[command]]
    subprocess.run([*PROGRAM, *few], cwd=tmp_path, check=True, capture_output=True)
    assert not left.exists()
    assert (tmp_path / few[-1]).exists()
