"""Pipes, sockets, devices, folders and links in a circle where files are expected: an error at once, never a wait.

What waits for a pipe may wait inside a library that hears no signal, so all commands run in one other process, which
is killed when it takes too long.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.running import Run, write
from pyramidion.formats import all_formats

SECONDS = 240
"""Far more than all the commands of a test take, on a busy machine, too."""
RUN_ALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from test_mutations import command
for words in json.load(sys.stdin):
    try:
        answer = [words, *command(*words)]
    except BaseException as error:
        answer = [words, 99, repr(error)]
    print(json.dumps(answer), file=sys.__stdout__, flush=True)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")


def run_all(commands: list[list[str]], folder: Path) -> list[tuple[list[str], int, str]]:
    """The exit code and the errors of each command; fewer answers if one of them waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_ALL, str(Path(__file__).parents[1])],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    killer = threading.Timer(SECONDS, lambda: os.killpg(process.pid, signal.SIGKILL))
    killer.start()
    try:
        out, _ = process.communicate(json.dumps(commands))
    finally:
        killer.cancel()
    return [tuple(json.loads(line)) for line in out.splitlines()]


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, Path]:
    """Paths that lead to no file, by what they are."""
    folder = tmp_path / "odd"
    folder.mkdir()
    pipes = {
        name: folder / name for name in ("pipe.jsonl", "pipe.csv", "pipe.parquet", "pipe.arrow", "pipe.txt", "pipe")
    }
    for path in pipes.values():
        os.mkfifo(path)
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    (folder / "folder.csv").mkdir()
    (folder / "zero.csv").symlink_to("/dev/zero")
    bound = socket.socket(socket.AF_UNIX)
    before = Path.cwd()
    os.chdir(folder)  # the path of a socket must be short
    try:
        bound.bind("socket.jsonl")
    finally:
        os.chdir(before)
        bound.close()
    others = {name: folder / name for name in ("loop.jsonl", "folder.csv", "zero.csv", "socket.jsonl")}
    return pipes | others | {"/dev/zero": Path("/dev/zero")}


def expect_errors(commands: list[list[str]], folder: Path) -> None:
    answers = run_all(commands, folder)
    waits = commands[len(answers) :][:1]
    assert not waits, f"waits: {waits}"
    wrong = [(words, code, err) for words, code, err in answers if code not in (1, 2) or "Traceback" in err or not err]
    assert wrong == []


@pytest.mark.slow
def test_what_is_no_file_is_no_data(odd: dict[str, Path], tmp_path: Path, flat: Path) -> None:
    commands = [
        words
        for path in map(str, odd.values())
        for words in (
            ["score", path],
            ["check", path],
            ["compare", path, "--format", "json"],
            ["score", str(flat), "--scores", path],
            ["score", str(flat), path, "-m", "rouge-1.f"],
            ["score", "--predictions", path, "--references", path],
            ["score", path, "-o", "run", "--partition", "10"],
            ["pyramid", "score", path],
            ["pyramid", "check", path],
            ["report", path, "-o", "report.html"],
        )
    ]
    expect_errors(commands, tmp_path)
    assert not (tmp_path / "report.html").exists()


@pytest.mark.slow
def test_what_is_no_file_can_not_be_imported(odd: dict[str, Path], tmp_path: Path) -> None:
    formats = [format.name for format in all_formats() if format.reads]
    few = [str(odd[name]) for name in ("pipe", "pipe.jsonl", "zero.csv", "loop.jsonl", "socket.jsonl")]
    commands = [["import", format, path, "new"] for format in formats for path in few]
    write(tmp_path / "campaign", "summaries.jsonl", {"topic": "1", "summarizer": "A", "kind": "peer", "text": "rain"})
    for what in ("judgments", "scores", "summaries", "documents"):
        commands += [["import", what, path, "--into", "campaign"] for path in few]
    expect_errors(commands, tmp_path)
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_files_of_a_campaign_that_are_none_are_errors(tmp_path: Path) -> None:
    commands = []
    for name in ("summaries.jsonl", "topics.jsonl", "campaign.toml", "scores/judge.parquet"):
        folder = tmp_path / name.replace("/", "-")
        (folder / "scores").mkdir(parents=True)
        if name != "summaries.jsonl":
            write(folder, "summaries.jsonl", {"topic": "1", "summarizer": "A", "kind": "peer", "text": "rain"})
        os.mkfifo(folder / name)
        commands += [["check", str(folder)], ["score", str(folder), "-m", "words"]]
    expect_errors(commands, tmp_path)


@pytest.mark.slow
def test_what_is_no_file_is_no_output_either(odd: dict[str, Path], tmp_path: Path, flat: Path) -> None:
    scored = ["score", str(flat), "-m", "rouge-1.f"]
    names = ("pipe.jsonl", "pipe.csv", "loop.jsonl", "folder.csv", "socket.jsonl")
    commands = [[*scored, "-o", str(odd[name])] for name in names]
    commands += [[*scored, "-o", str(odd["pipe"])], [*scored, "-o", "/dev/full"], [*scored, "-o", "loop/x.csv"]]
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "full.csv").symlink_to("/dev/full")
    commands += [[*scored, "-o", "full.csv"], ["import", "flat", str(flat), "loop"]]
    commands += [["simulate", "scores", "-o", str(odd["pipe.csv"])], ["export", "flat", "demo", str(odd["pipe.jsonl"])]]
    commands += [["compare", "demo", "-m", "rouge-1.f", "--figure", "loop/x.svg"]]
    expect_errors(commands, tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
def test_a_full_device_is_said_to_be_full(run: Run, tmp_path: Path, flat: Path) -> None:
    (tmp_path / "full.csv").symlink_to("/dev/full")
    code, _, err = run("score", str(flat), "-m", "rouge-1.f", "-o", str(tmp_path / "full.csv"))
    assert (code, "No space left on device" in err) == (1, True), err
    code, _, err = run("score", str(flat), "-m", "rouge-1.f", "-o", "/dev/full")
    assert (code, "/dev/full is not a folder" in err) == (2, True), err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="a system without /dev/fd")
@pytest.mark.parametrize("given", ["<(cat {flat})", "/dev/stdin < <(cat {flat})", "- < {flat}", "/dev/stdin < {flat}"])
def test_pipes_of_the_shell_are_data(flat: Path, given: str) -> None:
    words = f"{sys.executable} -m pyramidion score {given.format(flat=flat)} -m rouge-1.f --format csv"
    ended = subprocess.run(["bash", "-c", words], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("rouge-1.f,1,") == 2


@pytest.mark.parametrize("size", [1e151, 1e200, 1e-160])
@pytest.mark.parametrize("words", [["compare"], ["correlate", "--with", "judge"], ["score", "--by", "summarizer"]])
def test_values_whose_squares_are_no_numbers_are_refused(
    run: Run, tmp_path: Path, size: float, words: list[str]
) -> None:
    path = tmp_path / "x.csv"
    rows = [f"T{topic},S{who},{size * (topic + who * topic % 3)!r}" for topic in range(1, 6) for who in range(3)]
    path.write_text("\n".join(["topic,summarizer,judge", *rows]))
    code, _, err = run(words[0], str(path), *words[1:])
    assert code == 1
    assert "so that their squares can be computed" in err


@pytest.mark.parametrize("size", [1e155, 1e300, 1e-155])
@pytest.mark.parametrize(
    "words",
    [
        ["judgments", "agreement"],
        ["judgments", "describe"],
        ["judgments", "frequencies"],
        ["judgments", "regression"],
        ["design", "-m", "question.clear", "--difference", "1"],
    ],
    ids=lambda words: words[1] if words[0] == "judgments" else words[0],
)
def test_answers_whose_squares_are_no_numbers_are_refused(
    run: Run, tmp_path: Path, size: float, words: list[str]
) -> None:
    folder = tmp_path / "campaign"
    keys = [(f"T{topic}", who) for topic in range(4) for who in "ABC"]
    rows = [{"topic": topic, "summarizer": who, "kind": "peer", "text": "rain"} for topic, who in keys]
    write(folder, "summaries.jsonl", *rows)
    answers = [
        {"topic": topic, "summarizer": who, "assessor": judge, "question": question, "value": size * (number % 5 + 1)}
        for number, (topic, who) in enumerate(keys)
        for judge in "xyz"
        for question in ("clear", "good")
    ]
    write(folder, "judgments.jsonl", *answers)
    code, _, err = run(*words, str(folder))
    assert code == 1
    assert "so that their squares can be computed" in err


INTERRUPTED = """
import builtins
from pyramidion.__main__ import main
real = builtins.__import__
def stop(name, *rest):
    if name == "click":
        raise KeyboardInterrupt
    return real(name, *rest)
builtins.__import__ = stop
main()
"""


@pytest.mark.slow
def test_ctrl_c_while_the_program_starts_is_no_traceback() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=240, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, "Aborted!\n")


TWICE = """
import os, signal, sys
write = sys.stderr.write
def pressed_again(text):
    os.kill(os.getpid(), signal.SIGINT)
    return write(text)
sys.stderr.write = pressed_again
"""


@pytest.mark.slow
def test_ctrl_c_twice_is_no_traceback_either() -> None:
    words = [sys.executable, "-c", TWICE + INTERRUPTED]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)
    assert (ended.returncode, ended.stderr) == (130, "Aborted!\n")
