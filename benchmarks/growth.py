"""python -m benchmarks.growth [--write]: time and memory of every command against the size of its data.

The number of systems is fixed; topics, and with them summaries, grow. What a command takes is taken to be
start + work · size^slope, exactly so at its three sizes: slope 1 is linear.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.tables import Table, machine, number, replace_results
from pyramidion.simulate import CampaignDesign, write_simulated_campaign

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "speed.md"
BEGIN: Final = "<!-- results: written by python -m benchmarks.growth -->"
SYSTEMS: Final = 10
GOAL: Final = 1.1
ROUNDS: Final = 3
BRIEF: Final = 30.0
"""Seconds below which a command is run ROUNDS times, and the quickest run counts: a machine's speed may vary."""
RUN: Final = (sys.executable, "-c", "from pyramidion.cli import main; main()")
QUESTION: Final = "question.simulated-overall-responsiveness"


@dataclass(frozen=True)
class Work:
    """A command; FLAT, FOLDER, SCORES and OUT stand for the data and for what it writes."""

    name: str
    words: str
    sizes: tuple[int, ...] = ()
    """Summaries that it is given instead of the usual ones: where one is slow by nature, waiting tells nothing."""


THIRD: Final = (300, 3_000, 30_000)
PILOT: Final = (300, 1_000, 3_000)
"""What one has before an evaluation; `design` refuses much more."""


WORK: Final = (
    Work("check, flat", "check FLAT"),
    Work("check, folder", "check FOLDER"),
    Work("describe", "describe FOLDER"),
    Work("score, flat", "score FLAT -m rouge-1 -m rouge-2 -o OUT.parquet"),
    Work("score, folder", "score FOLDER -m rouge-1 -m rouge-2 -o OUT.parquet"),
    Work("score, in shards", "score FLAT -m rouge-1 -m rouge-2 -o OUT --workers 1"),
    Work("score --by summarizer", "score SCORES -m rouge-2.f --by summarizer"),
    Work("score --by, bootstrap", "score SCORES -m rouge-2.f --by summarizer --bootstrap percentile"),
    Work("compare", "compare SCORES -m rouge-2.f"),
    Work("compare --pair", "compare SCORES -m rouge-2.f --pair simulated-01 simulated-02"),
    Work("compare --all-pairs", "compare SCORES -m rouge-2.f --all-pairs"),
    Work("correlate, system level", "correlate SCORES -m rouge-1.f --with rouge-2.f"),
    Work("correlate, topic level", "correlate SCORES -m rouge-1.f --with rouge-2.f --level topic"),
    Work("correlate, global level", "correlate SCORES -m rouge-1.f --with rouge-2.f --level global"),
    Work("power", "power SCORES -m rouge-2.f --difference 0.01"),
    Work("judgments frequencies", "judgments frequencies FOLDER"),
    Work("judgments agreement", "judgments agreement FOLDER"),
    Work("judgments regression", "judgments regression FOLDER"),
    Work("judgments describe", "judgments describe FOLDER"),
    Work("pyramid score", "pyramid score FOLDER", THIRD),
    Work("pyramid check", "pyramid check FOLDER"),
    Work("study models", f"study models FOLDER -m rouge-2.recall --with {QUESTION}"),
    Work("study topics", f"study topics FOLDER -m rouge-2.recall --with {QUESTION}"),
    Work("study heterogeneity", f"study heterogeneity FOLDER -m rouge-1.f -m rouge-2.f --with {QUESTION}"),
    Work("study orders", "study orders FOLDER", THIRD),
    Work("design", f"design FOLDER --measure {QUESTION} --difference 0.5", PILOT),
    Work("report", "report FOLDER -m rouge-2.f -o OUT.html", THIRD),
    Work("export flat", "export flat FOLDER OUT.jsonl"),
    Work("import flat", "import flat FLAT OUT"),
    Work("simulate campaign", "simulate campaign --topics TOPICS --summarizers 10 --models 2 -o OUT.jsonl"),
    Work("simulate scores", "simulate scores --topics TOPICS --summarizers 10 -o OUT.parquet"),
)


@dataclass(frozen=True)
class Cost:
    """What a command took: processor seconds and most memory."""

    seconds: float
    megabytes: float
    code: int
    said: str = ""


def main() -> None:
    """Measure, print, and write into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="summaries")
    parser.add_argument("--only", default="", help="commands whose name starts so")
    parser.add_argument("--limit", type=int, default=600, help="processor seconds after which it is given up (600)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    work = [one for one in WORK if one.name.startswith(arguments.only)]
    sizes = {one.name: one.sizes or tuple(sorted(arguments.sizes)) for one in work}
    costs: dict[str, dict[int, Cost]] = {one.name: {} for one in work}
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted({size for wanted in sizes.values() for size in wanted}):
            places = _data(Path(folder), size)
            for one in work:
                if size in sizes[one.name]:
                    costs[one.name][size] = _best_cost(one, places, arguments.limit)
                    print(f"… {size:,} {one.name}: {costs[one.name][size]}", file=sys.stderr, flush=True)
            shutil.rmtree(Path(folder) / str(size))
    results = f"{machine()}\n\n{_table(costs, sizes).markdown()}"
    print(results)
    if arguments.write:
        replace_results(PAGE, results, begin=BEGIN)


def _data(folder: Path, size: int) -> dict[str, str]:
    """Simulated data of this many summaries in all forms."""
    here = folder / str(size)
    here.mkdir()
    topics = max(size // SYSTEMS, 1)
    design = CampaignDesign(
        topics=topics,
        summarizers=SYSTEMS,
        models=4,
        judgments=True,
        assessor_count=3,
        questions="duc2006",
        pyramids=True,
    )
    flat, campaign, scores = here / "flat.jsonl", here / "campaign", here / "scores.parquet"
    write_simulated_campaign(CampaignDesign(topics=topics, summarizers=SYSTEMS, models=2), flat)
    write_simulated_campaign(design, campaign)
    subprocess.run(
        [*RUN, "score", str(flat), "-m", "rouge-1.f", "-m", "rouge-2.f", "-o", str(scores), "--quiet"], check=True
    )
    return {"FLAT": str(flat), "FOLDER": str(campaign), "SCORES": str(scores), "TOPICS": str(topics)}


def _best_cost(work: Work, places: dict[str, str], limit: int) -> Cost:
    best = _cost(work, places, limit)
    for _ in range(ROUNDS - 1 if best.seconds < BRIEF else 0):
        best = min(best, _cost(work, places, limit), key=lambda one: one.seconds)
    return best


def _cost(work: Work, places: dict[str, str], limit: int) -> Cost:
    """Run the command; what it took is that of the process itself, whose children there are none."""
    output = Path(places["FLAT"]).with_name("out")
    words = []
    for word in work.words.split():
        word = places.get(word, word)
        words.append(str(output) + word.removeprefix("OUT") if word.startswith("OUT") else word)
    log = output.with_name("log")
    with log.open("wb") as file:
        limits = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit))
        process = subprocess.Popen([*RUN, *words], stdout=subprocess.DEVNULL, stderr=file, preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    for path in output.parent.glob("out*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    said = log.read_text(errors="replace")[-300:] if process.returncode else ""
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, said)


def _table(costs: dict[str, dict[int, Cost]], sizes: dict[str, tuple[int, ...]]) -> Table:
    text = (
        f"Processor seconds and most memory (MB) of whole commands, {SYSTEMS} systems, topics growing with the number "
        f"of summaries; the best of {ROUNDS} runs where a run takes less than {BRIEF:g} seconds. Slope s: seconds = "
        f"start + work · size^s, exactly so at the three sizes; 1 is linear, and the goal is at most {GOAL}. Flat: the "
        "largest size takes less than twice what the smallest does. All pairs are quadratic in systems. Commands that "
        "go through a campaign folder part by part (from 64 MB on; here at 100,000 summaries) look at its lines once "
        "more, which counts as slope."
    )
    header = ("command", "summaries", "seconds", "slope", "MB", "slope of MB")
    table = Table("Growth of every command", text, header)
    for name, found in costs.items():
        good = {size: one for size, one in found.items() if not one.code}
        seconds = " · ".join(number(good[size].seconds) if size in good else "–" for size in sizes[name])
        memory = " · ".join(number(good[size].megabytes) if size in good else "–" for size in sizes[name])
        given = " · ".join(f"{size:,}" for size in sizes[name])
        slopes = (_slope({size: getattr(one, what) for size, one in good.items()}) for what in ("seconds", "megabytes"))
        time, room = slopes
        table.rows.append((name, given, seconds, time, memory, room))
    failed = [
        f"{name} at {size:,}: {one.said.strip()}"
        for name, found in costs.items()
        for size, one in found.items()
        if one.code
    ]
    table.notes += [f"Not finished: {said}" for said in failed]
    return table


def _slope(costs: dict[int, float]) -> str:
    """s of start + work · size^s through three points; "flat" where nearly all is the start."""
    if len(costs) < 3:
        return "–"
    (first, start), (second, before), (third, last) = sorted(costs.items())
    if last < 2 * start:
        return "flat"
    if before <= start:
        return "–"
    wanted = (last - start) / (before - start)
    low, high = 1e-6, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        grown = (third**middle - first**middle) / (second**middle - first**middle)
        low, high = (middle, high) if grown < wanted else (low, middle)
    return f"{low:.2f}" + (" (above the goal)" if low > GOAL else "")


if __name__ == "__main__":
    main()
