"""What is measured: bootstrap and permutation tests of correlations, at system and topic level, beside nlpstats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import numpy as np

from benchmarks.statistics.contestants import (
    Scores,
    disagreement,
    our_bootstrap,
    our_permutations,
    their_bootstrap,
    their_permutations,
)
from benchmarks.tables import Table, number
from benchmarks.timing import Seconds, best_of_rounds, stopwatch
from pyramidion.options import Coefficient, Level

BEGIN: Final = "<!-- results: written by python -m benchmarks statistics -->"
SCORES: Final = Path(__file__).parents[2] / "tests" / "golden" / "statistics" / "meta_scores" / "realsumm.json"
Maker = Callable[[Scores, Level, int], Callable[[], object]]


class DisagreementError(Exception):
    """The two give other numbers for the same draws: nothing is timed."""


@dataclass(frozen=True)
class Section:
    """Work that both do; nlpstats does less of it, and its time is scaled up."""

    name: str
    level: Level
    ours: Maker
    theirs: Maker
    resamples: int
    theirs_resamples: int
    goal: float | None


SECTIONS: Final = (
    Section("bootstrap, both", "system", our_bootstrap, their_bootstrap, 1000, 100, 50),
    Section("bootstrap, both", "topic", our_bootstrap, their_bootstrap, 1000, 10, 50),
    Section("permutation test, both", "system", our_permutations, their_permutations, 9999, 50, None),
    Section("permutation test, both", "topic", our_permutations, their_permutations, 9999, 5, 200),
)


def tables(rounds: int, say: Callable[[str], None]) -> Iterator[Table]:
    """One table: seconds of both for the same work, and whether the goal was met."""
    scores = real_scores()
    for level in ("system", "topic"):
        for coefficient in get_args(Coefficient):
            apart = disagreement(scores, level, coefficient, resamples=20)
            if not apart <= 1e-9:
                raise DisagreementError(f"{coefficient} at {level} level differs by {apart:.3g}: nothing is timed")
    rows, columns = scores.z.shape
    text = (
        f"Pearson, Spearman and Kendall of ROUGE-2-F (and ROUGE-1-F) with the human score of REALSumm: {rows} "
        f"summarizers × {columns} topics; seconds of CPU time for all three coefficients, one thread."
    )
    header = ("work", "level", "resamples", "pyramidion", "nlpstats", "ratio", "goal", "met")
    table = Table("Compared with nlpstats", text, header)
    for section in SECTIONS:
        say(f"{section.name} at {section.level} level")
        mine = _turn(section.ours(scores, section.level, section.resamples), repeat=3)
        other = _turn(section.theirs(scores, section.level, section.theirs_resamples), repeat=1)
        best = best_of_rounds({"ours": mine, "theirs": other}, rounds=rounds)
        theirs = best["theirs"].cpu / section.theirs_resamples * section.resamples
        ratio = theirs / best["ours"].cpu
        goal = f"{section.goal:g} ×" if section.goal else ""
        met = "" if section.goal is None else "yes" if ratio >= section.goal else "no"
        table.rows.append(
            (
                section.name,
                section.level,
                f"{section.resamples:,}",
                number(best["ours"].cpu),
                number(theirs),
                f"{number(ratio)} ×",
                goal,
                met,
            )
        )
    table.notes.append(
        "With the same samples, both give the same limits and counts (checked before timing). nlpstats gets "
        + ", ".join(f"{section.theirs_resamples}" for section in SECTIONS)
        + " resamples per round, and its time is scaled up, since every resample takes equally long."
    )
    yield table


def real_scores() -> Scores:
    """REALSumm (Bhandari et al. 2020): two measures and the human score."""
    data = json.loads(SCORES.read_text(encoding="utf-8"))
    x, y, z = data["rouge"]["ROUGE-2-F"], data["rouge"]["ROUGE-1-F"], data["human"]["litepyramid_recall"]
    return Scores(np.array(x), np.array(y), np.array(z))


def _turn(work: Callable[[], object], *, repeat: int) -> Callable[[], Seconds]:
    def take() -> Seconds:
        best = Seconds(float("inf"), float("inf"))
        for _ in range(repeat):
            with stopwatch() as watch:
                work()
            best = best.best(watch.seconds)
        return best

    return take
