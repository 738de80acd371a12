"""A process that was forked after use and reads a file says so, instead of waiting for ever; spawned ones work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOOP = """
import multiprocessing, sys
import pyramidion
def count(_):
    return len(pyramidion.score("demo", "rouge-1.recall"))
def refused(_):
    return len(pyramidion.load("there is no such campaign"))
if __name__ == "__main__":
    before = count(0)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        try:
            print(pool.map(count, [0]) == [before])
            pool.map(refused, [0])
        except pyramidion.errors.PyramidionError as error:
            print(type(error).__name__, error)
"""


def printed(tmp_path: Path, how: str) -> list[str]:
    program = tmp_path / "program.py"
    program.write_text(LOOP, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program), how], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fork is Linux's default")
def test_a_fork_after_use_says_so_instead_of_waiting_for_ever(tmp_path: Path) -> None:
    (line,) = printed(tmp_path, "fork")
    assert line.startswith("UsageError this process was forked after pyramidion had started its threads")
    assert 'multiprocessing.get_context("spawn")' in line


OBJECTS = """
import multiprocessing
import pyramidion
rows = [{"topic": f"{topic}", "summarizer": name, "summary": f"a ferry {topic}", "reference": "a ferry"}
        for topic in range(3) for name in "ab"]
evaluation = pyramidion.Evaluation(rows)
def score_again(_):
    return evaluation.table("rouge-1.recall")
def compare_table(_):
    return pyramidion.compare(table)
if __name__ == "__main__":
    table = evaluation.table("rouge-1.recall")
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for work in (score_again, compare_table):
            try:
                pool.map_async(work, [0]).get(timeout=60)
            except pyramidion.errors.UsageError as error:
                print(str(error)[:23])
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fork is Linux's default")
def test_a_fork_that_goes_on_with_what_is_in_memory_says_so_instead_of_waiting_for_ever(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(OBJECTS, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["this process was forked"] * 2


UNREAD = """
import multiprocessing, signal
import pyramidion
evaluation = pyramidion.Evaluation("demo")
def count(_):
    return len(evaluation.table("rouge-1.recall"))
def end_after(seconds):
    signal.alarm(seconds)
if __name__ == "__main__":
    end_after(110)
    with multiprocessing.get_context("fork").Pool(1, end_after, [100]) as pool:
        print(pool.apply(count, [0]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fork is Linux's default")
def test_a_fork_before_anything_is_read_works(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNREAD, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


@pytest.mark.slow
def test_spawned_workers_score_and_their_errors_arrive(tmp_path: Path) -> None:
    right, error = printed(tmp_path, "spawn")
    assert right == "True"
    assert "there is no such campaign" in error
