"""The goals for speed, and whether this run met them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.rouge.contestants import ARROW
from benchmarks.rouge.suite import Rate
from benchmarks.rouge.threads import ARITHMETIC
from benchmarks.tables import Table, number


@dataclass(frozen=True)
class Goal:
    """At least so many times as fast (processor time) as another program in a section."""

    text: str
    section: str
    rival: str
    ratio: float
    ours: str = "pyramidion"


GOALS = (
    Goal("R-1 + R-2 + R-Lsum, one thread: at least 5 × rouge-score-rs", "short", "rouge-score-rs", 5),
    Goal("the same on real texts: at least 5 × rouge-score-rs", "real", "rouge-score-rs", 5),
    Goal("from Arrow: at least 8 × rouge-score-rs", "short", "rouge-score-rs", 8, ARROW),
    Goal("from Arrow, on real texts: at least 8 × rouge-score-rs", "real", "rouge-score-rs", 8, ARROW),
    Goal("R-1 + R-2 + R-Lsum, one thread: at least 200 × rouge-score", "short", "rouge-score", 200),
    Goal("R-1 + R-2 + R-Lsum, one thread: at least ½ × a bare C++ loop", "short", "a bare C++ loop", 0.5),
    Goal("R-N, L, W, SU4 in one pass: at least 100 × the Perl program", "original", "ROUGE-1.5.5 (Perl)", 100),
)
FREE = 1.9
"""What arithmetic gains from a second processor that is free."""
THREADS = (("R-1 + R-2 + R-Lsum", 1.6), ("R-1 … R-4, R-L, R-W, R-SU4", 1.6))


def judge(rates: Mapping[str, Mapping[str, Rate]]) -> Table:
    """A row for each goal: what was wanted, what was measured."""
    table = Table("Goals", "", ("goal", "measured", "met"))
    for goal in GOALS:
        section = rates.get(goal.section, {})
        if goal.rival in section:
            ratio = section[goal.ours].cpu / section[goal.rival].cpu
            table.rows.append((goal.text, f"{number(ratio)} ×", "yes" if ratio >= goal.ratio else "no"))
    machine = _gain(rates, ARITHMETIC)
    for name, wanted in THREADS:
        gain = _gain(rates, name)
        # A machine that is busy with other work can't show what threads gain.
        verdict = "yes" if gain >= wanted else "no" if machine >= FREE else f"machine busy (gave {machine:.2f})"
        table.rows.append((f"{name}: two threads at least {wanted} × one (wall time)", f"{gain:.2f} ×", verdict))
    return table


def _gain(rates: Mapping[str, Mapping[str, Rate]], name: str) -> float:
    section = rates.get(f"threads: {name}")
    return section["2"].wall / section["1"].wall if section else float("inf")
