"""Worker processes: forked, spawned, before and after use, with results and with errors; none waits for ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from soak.trials import Trials

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform == "win32", reason="fork")]
PROGRAM = """
import concurrent.futures, multiprocessing, sys
import pyramidion
from pyramidion.errors import PyramidionError
how, before, what, pool = sys.argv[1:]
WORK = {
    "score": lambda: len(pyramidion.score("demo", "rouge-1.recall")) > 0,
    "missing": lambda: pyramidion.load("there is no such campaign"),
    "bad": lambda: pyramidion.load("bad.jsonl"),
    "usage": lambda: pyramidion.score("demo", "rouge-x"),
    "conflict": lambda: pyramidion.import_campaign("judgments", ["answers.csv"], into="campaign"),
}
def work(_):
    return bool(WORK[what]())
if __name__ == "__main__":
    if before == "used":
        WORK["score"]()
    context = multiprocessing.get_context(how)
    try:
        if pool == "pool":
            with context.Pool(2) as workers:
                print("result", workers.map(work, range(2)))
        else:
            with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as workers:
                print("result", list(workers.map(work, range(2))))
    except PyramidionError as error:
        print(type(error).__name__, error)
"""
EXPECTED = {"score": "result", "missing": "InputError", "bad": "CampaignError", "usage": "UsageError"}


def test_no_pool_waits_for_ever(trials: Trials, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text('{"topic": 1}\n' * 3, encoding="utf-8")
    for round in trials.rounds("forks and pools", share=0.1, least=8):
        with round:
            how = round.random.choice(["fork", "spawn", "forkserver"])
            before, what = round.random.choice(["used", "fresh"]), round.random.choice(list(EXPECTED))
            pool = round.random.choice(["pool", "executor"])
            round.what = f"{how}, {before}, {what}, {pool}"
            line = [sys.executable, "program.py", how, before, what, pool]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, done.stderr
            refused = "UsageError this process was forked"
            if how != "fork" or before != "used":
                assert done.stdout.startswith((EXPECTED[what], "CampaignError")), done.stdout
            elif what == "score":
                assert done.stdout.startswith(refused), done.stdout
            else:
                assert done.stdout.startswith((EXPECTED[what], refused)), done.stdout
