"""How often the defaults err on ordinary data: lenient assessors, few systems, outliers, coarse answers.

`python -m benchmarks.ordinary [--runs 400] [--write]` prints the tables; with --write they go into the page on which
number to report. Every table has the method that was the default before next to the one that is now.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, machine, replace_results
from pyramidion.statistics.regression import fit_linear

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.ordinary -->"
LEVEL = 0.05
REGRESSIONS = ((8, 3, 5), (20, 4, 8), (50, 10, 4))
"""Topics, assessors and systems of the judgments whose regression is measured."""
LENIENCY = (0.25, 0.5)
"""Standard deviations of the assessors' levels, where answers of one assessor have a standard deviation of 1."""


def regression_errors(runs: int, design: tuple[int, int, int], leniency: float, *, nested: bool, seed: int) -> Floats:
    """Shares of pooled fits that find a relation between two unrelated questions: with assessor effects, and without.

    Answers are 1 to 5; topics explain 30 % of their variance, and an assessor who is lenient is so on both questions.
    Each assessor judges all summaries, or (nested) each topic has one assessor.
    """
    topics, assessors, systems = design
    generator = np.random.default_rng(seed)
    topic = np.repeat(np.arange(topics), systems if nested else systems * assessors)
    assessor = topic % assessors if nested else np.tile(np.arange(assessors), topics * systems)
    rejected = np.zeros(2)
    for _ in range(runs):
        levels = leniency * generator.standard_normal(assessors)[assessor]
        shared = generator.standard_normal((2, topics))[:, topic]
        own = generator.standard_normal((2, len(topic)))
        answers = np.clip(np.round(3 + levels + np.sqrt(0.3) * shared + np.sqrt(0.7) * own), 1, 5)
        for place, groups in enumerate((assessor, None)):
            fit = fit_linear(answers[0][:, None], answers[1], clusters=topic, groups=groups)
            rejected[place] += fit.p[1] < LEVEL
    return rejected / runs


def regression_table(runs: int, say: Callable[[str], None]) -> Table:
    """False positives of the pooled regression of judgments, with lenient and strict assessors."""
    table = Table(
        "False positives of the pooled regression of judgments",
        f"{runs:,} simulated campaigns for each row: two unrelated questions, answers 1 to 5, assessors who are "
        "lenient or strict on both. Share of 5 % tests that find a relation, in per cent; errors are clustered by "
        "topic.",
        ["topics × assessors × systems", "standard deviation of leniency", "assessor effects", "`--pooled plain`"],
    )
    for nested in (False, True):
        for place, design in enumerate(REGRESSIONS):
            for leniency in LENIENCY:
                topics, assessors, systems = design
                say(f"regression, {design}, leniency {leniency:g}")
                shares = regression_errors(runs, design, leniency, nested=nested, seed=place)
                name = f"{topics} × {assessors} × {systems}"
                if nested:
                    name += ", one assessor a topic"
                table.rows.append([name, f"{leniency:g}", *map(_percent, shares)])
    return table


def tables(runs: int, say: Callable[[str], None]) -> list[Table]:
    """All tables."""
    return [regression_table(runs, say)]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ordinary", description=__doc__)
    parser.add_argument("--runs", type=int, default=400, help="simulated campaigns for each row (400)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    measured = tables(arguments.runs, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
    results = "\n\n".join([machine(), *(table.markdown() for table in measured)])
    print(results)
    if arguments.write:
        replace_results(PAGE, results, begin=BEGIN)


if __name__ == "__main__":
    main()
