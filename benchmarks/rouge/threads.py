"""One and two threads, by wall time.

The threads of rouge-score-rs are made once in a process, so each number of them is measured in a process of its own:
`python -m benchmarks.rouge.threads ROUNDS < items.json` prints the least processor time and the least wall time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.rouge import bare, contestants, original
from benchmarks.rouge.contestants import NotAvailableError, turn
from benchmarks.tables import Table, number
from benchmarks.texts import Item, describe, embedded_items
from benchmarks.timing import Seconds, best_of_rounds

ARITHMETIC: Final = "pure arithmetic"
RUST: Final = "rouge-score-rs: R-1 + R-2 + R-Lsum"


class ThreadTimes:
    """The best times with one and two threads, over rounds that may be taken at different moments."""

    def __init__(self, folder: Path) -> None:
        self.items = embedded_items(20_000)  # so few pairs as 2,000 take 10 ms: starting threads would count
        self._best: dict[tuple[str, int], Seconds] = {}
        self._runs: dict[tuple[str, int], Callable[[], Seconds]] = {}
        for threads in (1, 2):
            self._runs["R-1 + R-2 + R-Lsum", threads] = turn(contestants.ours(threads=threads), self.items)
            self._runs["R-1 … R-4, R-L, R-W, R-SU4", threads] = turn(original.ours(threads=threads), self.items)
            with suppress(NotAvailableError):
                contestants.rouge_score_rs()
                self._runs[RUST, threads] = partial(_time_rust, self.items, threads=threads, rounds=1)
            with suppress(NotAvailableError):
                self._runs[ARITHMETIC, threads] = bare.arithmetic(folder, threads)

    def take(self, *, rounds: int) -> None:
        """Time some more rounds; one of rouge-score-rs, which is slow."""
        quick = {key: run for key, run in self._runs.items() if key[0] != RUST}
        slow = {key: run for key, run in self._runs.items() if key[0] == RUST}
        for key, seconds in {**best_of_rounds(quick, rounds=rounds), **best_of_rounds(slow, rounds=1)}.items():
            self._best[key] = self._best[key].best(seconds) if key in self._best else seconds

    def rates(self) -> dict[str, tuple[float, float]]:
        """Pairs per second with one and with two threads."""
        names = dict.fromkeys(name for name, _ in self._best)
        size = len(self.items)
        return {name: (size / self._best[name, 1].wall, size / self._best[name, 2].wall) for name in names}

    def table(self) -> Table:
        """A row for each kind of work."""
        text = f"{describe(self.items)}. Wall time. The gain of pure arithmetic is the machine's upper limit."
        header = ("work", "1 thread, pairs per second", "2 threads, pairs per second", "gain")
        table = Table("Threads", text, header)
        for name, (one, two) in self.rates().items():
            shown = ("", "") if name == ARITHMETIC else (number(one), number(two))
            table.rows.append((name, *shown, f"{two / one:.2f}"))
        return table


def _time_rust(items: Sequence[Item], *, threads: int, rounds: int) -> Seconds:
    """The best time of rouge-score-rs with so many threads."""
    given = json.dumps([[item.prediction, *item.targets] for item in items])
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    command = [sys.executable, "-m", "benchmarks.rouge.threads", str(rounds)]
    root = Path(__file__).parents[2]
    run = subprocess.run(command, input=given.encode(), env=environment, cwd=root, capture_output=True, check=True)
    cpu, wall = run.stdout.split()
    return Seconds(float(cpu), float(wall))


def main() -> None:
    """Read items, time them, print."""
    items = [Item(texts[0], tuple(texts[1:])) for texts in json.load(sys.stdin)]
    contestant = contestants.rouge_score_rs()
    best = contestant.run(items).seconds
    for _ in range(int(sys.argv[1]) - 1):
        best = best.best(contestant.run(items).seconds)
    print(best.cpu, best.wall)


if __name__ == "__main__":
    main()
