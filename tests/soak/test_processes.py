"""Worker processes: forked, spawned, before and after use, with results and with errors; none waits for ever."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest

from pyramidion.demo import CAMPAIGN_FOLDER
from soak.trials import Trials

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform == "win32", reason="fork")]
PROGRAM = """
import concurrent.futures, multiprocessing, sys
import pyramidion
from pyramidion.errors import PyramidionError
how, before, what, pool = sys.argv[1:]
EVALUATION = pyramidion.Evaluation("demo")
def score(number):
    return len(pyramidion.score("demo", "rouge-1.recall")) > 0
def use_an_object_of_the_parent(number):
    return len(EVALUATION.table("rouge-1.recall")) > 0
def open_what_is_missing(number):
    return pyramidion.load("there is no such campaign")
def open_what_is_broken(number):
    return pyramidion.load("bad.jsonl")
def ask_for_no_measure(number):
    return pyramidion.score("demo", "rouge-x")
def import_into_one_campaign(number):
    return pyramidion.import_campaign("judgments", [f"answers{number}.csv"], into="campaign").written
def contradict(number):
    return pyramidion.import_campaign("judgments", ["contradiction.csv"], into="campaign")
WORK = {
    "score": score, "object": use_an_object_of_the_parent, "missing": open_what_is_missing, "bad": open_what_is_broken,
    "usage": ask_for_no_measure, "import": import_into_one_campaign, "conflict": contradict,
}
def work(number):
    return bool(WORK[what](number))
if __name__ == "__main__":
    if before == "used":
        WORK["object" if what == "object" else "score"](0)
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
EXPECTED = {
    "score": "result",
    "object": "result",
    "missing": "InputError",
    "bad": "CampaignError",
    "usage": "UsageError",
    "import": "result [True, True]",
    "conflict": "CampaignError",
}
READING = ("score", "object", "import")
"""What reads files in any case; the rest may end before it does."""
WAYS = tuple(product(["fork", "spawn", "forkserver"], ["used", "fresh"], EXPECTED))
HEAD = "topic,summarizer,assessor,question,value\n"


def test_no_pool_waits_for_ever(trials: Trials, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text('{"topic": 1}\n' * 3, encoding="utf-8")
    (tmp_path / "contradiction.csv").write_text(HEAD + "D02,1,Z,focus,4\nD02,1,Z,focus,3\n", encoding="utf-8")
    for number in range(2):
        (tmp_path / f"answers{number}.csv").write_text(f"{HEAD}D02,1,W{number},focus,3\n", encoding="utf-8")
    # One after the other, so that each is tried: what only one of them meets, such as an object across a fork, is rare.
    ways = Random(trials.seed).sample(WAYS, len(WAYS))
    for number, round in enumerate(trials.rounds("forks and pools", share=0.1, least=len(WAYS))):
        with round:
            how, before, what = ways[number % len(ways)]
            pool = round.random.choice(["pool", "executor"])
            round.what = f"{how}, {before}, {what}, {pool}"
            campaign = tmp_path / "campaign"
            shutil.rmtree(campaign, ignore_errors=True)
            shutil.copytree(CAMPAIGN_FOLDER, campaign)
            line = [sys.executable, "program.py", how, before, what, pool]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            refused = "UsageError this process was forked"
            if how != "fork" or before != "used":
                assert done.stdout.startswith(EXPECTED[what]), done.stdout
            elif what in READING:
                assert done.stdout.startswith(refused), done.stdout
            else:
                assert done.stdout.startswith((EXPECTED[what], refused)), done.stdout
            if done.stdout.startswith("result") and what == "import":
                answers = (campaign / "judgments.jsonl").read_text(encoding="utf-8")
                assert '"W0"' in answers, "an answer that was acknowledged is lost"
                assert '"W1"' in answers, "an answer that was acknowledged is lost"
