"""python -m benchmarks.scale [--rows N …] [--write]: a run in shards of millions of pairs, its memory, its engines.

`pyramidion simulate` writes the base; its rows are repeated under new topic ids up to the size that is measured,
because simulating ten million texts takes longer than scoring them. Every run is a command of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl
import psutil

from benchmarks.tables import Table, number, publish
from pyramidion.simulate import CampaignDesign, write_simulated_campaign

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "speed.md"
BEGIN: Final = "<!-- results: written by python -m benchmarks.scale -->"
MEASURES: Final = ("rouge-1", "rouge-2", "rouge-l", "rouge-su4")
BASE: Final = CampaignDesign(topics=10_000, summarizers=10, models=3)
MEMORY: Final = 2 * 2**30
COMMAND: Final = (sys.executable, "-c", "from pyramidion.cli import main; main()")


@dataclass(frozen=True)
class Run:
    """What one command took."""

    seconds: float
    """From the start of the command to its end."""
    memory: int
    """Most bytes that all its processes had at once; what they share is counted once for each."""


def main() -> None:
    """Measure, print, and write into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000], help="sizes (1 and 10 million)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; the median counts (3)")
    parser.add_argument("--rounds-of-largest", type=int, help="runs of the largest size (as many as of the others)")
    parser.add_argument("--topics", type=int, default=BASE.topics, help="topics of the simulated base (10,000)")
    parser.add_argument("--folder", type=Path, help="where the data goes; by default a temporary folder")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        largest = arguments.rounds_of_largest or arguments.rounds
        tables = measure(Path(folder), sorted(arguments.rows), arguments.rounds, largest, arguments.topics)
    publish(tables, PAGE, write=arguments.write, begin=BEGIN)


def measure(folder: Path, sizes: Sequence[int], rounds: int, rounds_of_largest: int, topics: int) -> list[Table]:
    """The table of runs, and what was promised."""
    base = folder / "base.parquet"
    say(f"simulating {topics * BASE.summarizers:,} summaries")
    write_simulated_campaign(CampaignDesign(topics=topics, summarizers=BASE.summarizers, models=BASE.models), base)
    data = {size: _repeated(base, size, folder / f"{size}.parquet") for size in sizes}
    small, large = sizes[0], sizes[-1]
    runs: dict[tuple[int, str], list[Run]] = {}
    for turn in range(rounds):
        for size in sizes if turn < rounds_of_largest else sizes[:-1]:
            runs.setdefault((size, "local, 2 workers"), []).append(run(data[size], folder, "--workers", "2"))
        runs.setdefault((small, "local, 1 worker"), []).append(run(data[small], folder, "--workers", "1", one=True))
        for size in (small, large) if turn == 0 else (small,):  # what starting a cluster takes tells less in a long run
            cluster = run(data[size], folder, "--engine", "dask", "--workers", "2")
            runs.setdefault((size, "Dask, 2 workers"), []).append(cluster)
    best = {key: _median(found) for key, found in runs.items()}
    text = (
        f"{' '.join(MEASURES)} (recall, precision, F), {BASE.models} references of about 100 words for each summary; "
        "from a Parquet file into shards of 50,000 rows. Whole commands, start included; "
        "the median of the runs, and their most memory."
    )
    table = Table("Runs in shards", text, ("rows", "engine", "runs", "seconds", "rows a second", "memory, MB"))
    for (size, engine), one in best.items():
        facts = (one.seconds, size / one.seconds, one.memory / 2**20)
        table.rows.append((f"{size:,}", engine, str(len(runs[size, engine])), *map(number, facts)))
    two, alone = best[small, "local, 2 workers"], best[small, "local, 1 worker"]
    times = large / small
    goals = Table("What was promised", "", ("promise", "measured", "goal", "met"))
    ratio = best[large, "local, 2 workers"].seconds / two.seconds
    _judge(goals, f"time of {large:,} rows to {small:,}", ratio, f"{0.9 * times:.3g} to {1.1 * times:.3g}",
           met=0.9 * times <= ratio <= 1.1 * times or large == small)  # fmt: skip
    most = max(one.memory for found in runs.values() for one in found)
    _judge(goals, "memory, MB", most / 2**20, f"below {MEMORY / 2**20:,.0f}", met=most < MEMORY)
    _judge(
        goals, "two workers to one", alone.seconds / two.seconds, "at least 1.7", met=alone.seconds / two.seconds >= 1.7
    )
    for size in (small, large):
        over = best[size, "Dask, 2 workers"].seconds / best[size, "local, 2 workers"].seconds - 1
        _judge(goals, f"Dask's overhead at {size:,} rows, %", 100 * over, "below 15", met=over < 0.15)
    return [table, goals]


def _judge(table: Table, promise: str, measured: float, goal: str, *, met: bool) -> None:
    table.rows.append((promise, number(measured), goal, "yes" if met else "no"))


def say(text: str) -> None:
    """Say what goes on."""
    print(f"… {text}", file=sys.stderr, flush=True)


def _median(runs: Sequence[Run]) -> Run:
    return Run(statistics.median(one.seconds for one in runs), max(one.memory for one in runs))


def _repeated(base: Path, rows: int, path: Path) -> Path:
    """The base again and again under new ids of topics, up to this many rows."""
    say(f"writing {rows:,} rows")
    frame = pl.read_parquet(base)
    copies = -(-rows // frame.height)
    parts = [
        pl.scan_parquet(base).with_columns(topic=pl.format("{}-{}", pl.lit(copy), "topic")) for copy in range(copies)
    ]
    pl.concat(parts).head(rows).sink_parquet(path, row_group_size=50_000, maintain_order=True)
    return path


def run(data: Path, folder: Path, *options: str, one: bool = False) -> Run:
    """One command, and what it took; `one` worker is one thread, too."""
    output = folder / "run"
    shutil.rmtree(output, ignore_errors=True)
    say(f"{data.name} {' '.join(options)}")
    measures = [word for name in MEASURES for word in ("-m", name)]
    command = [*COMMAND, "score", str(data), *measures, "-o", str(output), "--format", "json", *options]
    environment = {"PYRAMIDION_THREADS": "1", "POLARS_MAX_THREADS": "1"} if one else {}
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **environment})
    peak = _Peak(process.pid)
    said, _ = process.communicate()
    seconds = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"the command failed: {' '.join(command)}")
    facts = json.loads(said.splitlines()[0])
    assert facts["kept"] == 0
    shutil.rmtree(output)
    return Run(seconds, peak.stop())


class _Peak:
    """Watches the memory of a process and its children."""

    def __init__(self, pid: int) -> None:
        self.pid, self.most, self.done = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self) -> None:
        while not self.done.wait(0.2):
            total = 0
            try:
                main = psutil.Process(self.pid)
                for process in (main, *main.children(recursive=True)):
                    total += process.memory_info().rss
            except psutil.Error:
                continue
            self.most = max(self.most, total)

    def stop(self) -> int:
        self.done.set()
        self.thread.join()
        return self.most


if __name__ == "__main__":
    main()
