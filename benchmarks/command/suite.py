"""CPU time of whole processes, from a file to a file: `pyramidion score`, a plain script, and `score_batch`.

All of them use one thread and one processor, and take turns. The script is what people write around rouge-score-rs.
"""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from benchmarks.tables import Table, number
from benchmarks.texts import embedded_items
from benchmarks.timing import Seconds, best_of_rounds, stopwatch

BEGIN = "<!-- results: written by python -m benchmarks command -->"
ROWS = 200_000
SYSTEMS = 4
DISTINCT_TEXTS = 20_000
MEASURES = ("rouge1(stem=yes)", "rouge2(stem=yes)", "rougeLsum(stem=yes)")
ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYRAMIDION_THREADS": "1"}

SCRIPT = """
import json, sys
import polars as pl
import rouge_score_rs
source, target = sys.argv[1:]
names = ["rouge1", "rouge2", "rougeLsum"]
scorer = rouge_score_rs.RougeScorer(names, use_stemmer=True)
if source.endswith(".parquet"):
    rows = pl.read_parquet(source).to_dicts()
else:
    rows = [json.loads(line) for line in open(source)]
scores = []
for row in rows:
    found = scorer.score(row["references"][0], row["summary"])
    for name in names:
        scores.append((name, row["topic"], row["summarizer"], found[name].fmeasure))
columns = ["measure", "topic", "summarizer", "value"]
pl.DataFrame(scores, schema=columns, orient="row").write_parquet(target)
"""
BATCH = """
import sys
import polars as pl
from pyramidion.arrow import score_batch
source, target = sys.argv[1:]
names = ["rouge1(stem=yes)", "rouge2(stem=yes)", "rougeLsum(stem=yes)"]
score_batch(pl.read_parquet(source), names, threads=1).drop("summary", "references").write_parquet(target)
"""


def tables(folder: Path, rounds: int, say: Callable[[str], None]) -> Iterator[Table]:
    """The table, after a check that the script and the command give the same scores."""
    say(f"{ROWS:,} rows")
    parquet, lines = write_rows(folder)
    commands = contestants(folder, parquet, lines)
    say("one round of each to compare their scores")
    for command in commands.values():
        run(command)
    compare_scores(folder / "script.parquet", folder / "command.parquet")
    say("timing")
    best = best_of_rounds({name: timed(command) for name, command in commands.items()}, rounds=rounds)
    yield in_table(best)


def write_rows(folder: Path) -> tuple[Path, Path]:
    """The same rows as Parquet and as JSON lines: topics with a reference of their own, and summaries of systems."""
    rng = random.Random(2)
    items = embedded_items(DISTINCT_TEXTS, seed=1)
    columns: dict[str, list[object]] = {"topic": [], "summarizer": [], "summary": [], "references": []}
    for topic in range(ROWS // SYSTEMS):
        reference = f"{rng.choice(items).targets[0]}\nNumber {topic} of the day ."
        for system in range(SYSTEMS):
            columns["topic"].append(f"t{topic}")
            columns["summarizer"].append(f"s{system}")
            columns["summary"].append(rng.choice(items).prediction)
            columns["references"].append([reference])
    frame = pl.DataFrame(columns)
    parquet, lines = folder / "d.parquet", folder / "d.jsonl"
    frame.write_parquet(parquet)
    with lines.open("w", encoding="utf-8") as file:
        for row in frame.iter_rows(named=True):
            file.write(json.dumps(row) + "\n")
    return parquet, lines


def contestants(folder: Path, parquet: Path, lines: Path) -> Mapping[str, Sequence[str]]:
    """By what the table calls it, a process."""
    script, batch = folder / "script.py", folder / "batch.py"
    script.write_text(SCRIPT, encoding="utf-8")
    batch.write_text(BATCH, encoding="utf-8")
    python, pyramidion = sys.executable, str(Path(sysconfig.get_path("scripts")) / "pyramidion")
    asked = [word for measure in MEASURES for word in ("-m", measure)]
    shared = [*asked, "--replace", "-q"]
    return {
        "script, Parquet": [python, str(script), str(parquet), str(folder / "script.parquet")],
        "score_batch, Parquet": [python, str(batch), str(parquet), str(folder / "batch.parquet")],
        "command, Parquet": [pyramidion, "score", str(parquet), "-o", str(folder / "command.parquet"), *shared],
        "script, JSON lines": [python, str(script), str(lines), str(folder / "script-lines.parquet")],
        "command, JSON lines": [pyramidion, "score", str(lines), "-o", str(folder / "command-lines.parquet"), *shared],
    }


def run(command: Sequence[str]) -> None:
    """A process with one thread, on one processor where the system lets us choose."""
    environment = {**os.environ, **ONE_THREAD}
    pin = None
    if hasattr(os, "sched_setaffinity"):
        processor = min(os.sched_getaffinity(0))
        pin = functools.partial(os.sched_setaffinity, 0, {processor})
    subprocess.run(command, env=environment, preexec_fn=pin, check=True, stdout=subprocess.DEVNULL)


def timed(command: Sequence[str]) -> Callable[[], Seconds]:
    """The process as a contestant."""

    def call() -> Seconds:
        with stopwatch(children=True) as watch:
            run(command)
        return watch.seconds

    return call


def compare_scores(script: Path, command: Path) -> None:
    """Refuse to time programs that do not agree to 1e-9."""
    keys = ["measure", "topic", "summarizer"]
    ours = pl.read_parquet(command).with_columns(pl.col(keys).cast(pl.String))
    ours = ours.with_columns(pl.col("measure").str.replace(r"\(.*", ""))
    both = pl.read_parquet(script).join(ours, on=keys)
    largest = both.select((pl.col("value") - pl.col("value_right")).abs().max()).item()
    if both.height != 3 * ROWS or largest > 1e-9:
        raise SystemExit(f"the scores differ: {both.height:,} rows in common, by up to {largest}")


def in_table(best: Mapping[str, Seconds]) -> Table:
    """CPU seconds and ratios."""
    cpu = {name: seconds.cpu for name, seconds in best.items()}
    rows: list[Sequence[str]] = [
        ["a script around rouge-score-rs", number(cpu["script, Parquet"]), number(cpu["script, JSON lines"])],
        ["`score_batch` in a script", number(cpu["score_batch, Parquet"]), "–"],
        ["`pyramidion score`", number(cpu["command, Parquet"]), number(cpu["command, JSON lines"])],
        [
            "script ÷ `pyramidion score`",
            f"{cpu['script, Parquet'] / cpu['command, Parquet']:.2f} ×",
            f"{cpu['script, JSON lines'] / cpu['command, JSON lines']:.2f} ×",
        ],
        [
            "`pyramidion score` ÷ `score_batch`",
            f"{cpu['command, Parquet'] / cpu['score_batch, Parquet']:.2f} ×",
            "–",
        ],
    ]
    text = (
        f"{ROWS:,} summaries with one reference each, R-1, R-2 and R-Lsum with stems; CPU seconds of the whole "
        "process, one thread, from the file to a Parquet file of scores."
    )
    return Table("From a file to scores", text, ("", "Parquet", "JSON lines"), rows)
