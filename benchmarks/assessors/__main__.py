"""python -m benchmarks.assessors [--runs 1000] [--write]: error rates and coverage, with the earlier ones.

With --write the tables go into the page on which number to report.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.assessors.designs import CROSSED, DUC, GROUPS
from benchmarks.assessors.errors import error_rates
from benchmarks.assessors.further import clustered, intervals, sequential
from benchmarks.tables import Table, machine, replace_results
from pyramidion.statistics.components import fit_components

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.assessors -->"


def times() -> Table:
    """CPU seconds of one fit: DUC 2006's size, and 4,800 crossed rows."""
    rows: list[Sequence[str]] = []
    for name, design in (
        ("35 systems, 50 topics, 10 assessors, one for each topic", DUC),
        ("12 systems, 50 topics, 8 assessors, crossed", CROSSED),
    ):
        data = design.judgments(np.random.default_rng(0))
        seconds = []
        for _ in range(3):
            started = time.process_time()
            fit_components(*data)
            seconds.append(time.process_time() - started)
        rows.append([name, f"{len(data[3]):,}", f"{min(seconds):.3f}"])
    return Table("CPU seconds of one fit", "Best of three.", ["campaign", "judgments", "seconds"], rows)


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assessors", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="simulated campaigns of each design (1000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    started = time.process_time()
    found = [
        error_rates(GROUPS, arguments.runs, lambda text: print(f"… {text}", file=sys.stderr, flush=True)),
        intervals(arguments.runs),
        clustered(arguments.runs),
        sequential(arguments.runs),
        times(),
    ]
    spent = (time.process_time() - started) / 60
    about = f"{machine()} All simulations together took {spent:.0f} CPU minutes."
    results = "\n\n".join([about, *(table.markdown() for table in found)])
    print(results)
    if arguments.write:
        replace_results(PAGE, results, begin=BEGIN)


if __name__ == "__main__":
    main()
