"""How often intervals of correlations cover the truth and tests find what is not there, on scores with known truth.

`python -m benchmarks.statistics.coverage [--runs 1000] [--write]` prints the tables; with --write they go into the page
on correlation.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, publish
from pyramidion.options import Level, Resampled
from pyramidion.statistics.correlation.intervals import bootstrap_correlations, fisher_interval, percentile_interval
from pyramidion.statistics.correlation.levels import correlate_levels
from pyramidion.statistics.correlation.tests import permutation_test, williams_test

Floats = NDArray[np.float64]

PAGE: Final = Path(__file__).parents[2] / "docs" / "concepts" / "correlation.md"
BEGIN: Final = "<!-- results: written by python -m benchmarks.statistics.coverage -->"
SIZES: Final = ((12, 20), (25, 50), (50, 20))
LEVELS_TESTED: Final[tuple[Level, ...]] = ("system", "topic")
RESAMPLES: Final = 1000
OWN: Final = 0.6
"""Standard deviation of a summarizer's lasting part, in both measures; the rest of a score has variance 1."""
SHARED: Final = 0.8
"""Correlation of the lasting parts of two measures."""
SHARED_REST: Final = 0.4
"""Correlation of the rests of the same summary."""


@dataclass(frozen=True)
class Truth:
    """What the correlation is with endlessly many summarizers (and, at topic level, topics)."""

    topics: int

    def __getitem__(self, level: Level) -> float:
        rest = 1 / self.topics if level == "system" else 1.0
        return (SHARED * OWN**2 + SHARED_REST * rest) / (OWN**2 + rest)


def draw(generator: np.random.Generator, rows: int, columns: int, measures: int = 2) -> list[Floats]:
    """Scores: lasting part of the summarizer + topic + rest. The first measure correlates equally with all others."""

    def correlated(shape: tuple[int, ...], share: float) -> list[Floats]:
        first = generator.normal(size=shape)
        others = [share * first + np.sqrt(1 - share**2) * generator.normal(size=shape) for _ in range(measures - 1)]
        return [first, *others]

    lasting = correlated((rows, 1), SHARED)
    rest = correlated((rows, columns), SHARED_REST)
    return [OWN * own + generator.normal(size=(1, columns)) + noise for own, noise in zip(lasting, rest, strict=True)]


def coverage(runs: int) -> Table:
    """Share of two-sided 95 % intervals of Pearson's coefficient with the truth in them."""
    header = ("summarizers × topics", "level", "Fisher", *(f"bootstrap, {one}" for one in get_args(Resampled)))
    text = f"Two-sided 95 % intervals of Pearson's coefficient, {runs:,} runs, {RESAMPLES:,} resamples."
    table = Table("Coverage of intervals", text, header)
    for rows, columns in SIZES:
        truth = Truth(columns)
        for level in LEVELS_TESTED:
            covered = dict.fromkeys(("fisher", *get_args(Resampled)), 0)
            for run in range(runs):
                z, x = draw(np.random.default_rng(run), rows, columns)
                for method, (lower, upper) in _intervals(x, z, level, seed=run):
                    covered[method] += lower <= truth[level] <= upper
            shares = [f"{100 * covered[method] / runs:.1f} %" for method in covered]
            if level == "topic":
                shares[0] = "–"
            table.rows.append((f"{rows} × {columns}", level, *shares))
    return table


def false_findings(runs: int) -> Table:
    """Share of tests with p ≤ .05 between two measures that correlate equally with the third."""
    header = ("summarizers × topics", "level", "Williams", *(f"permutation, {one}" for one in get_args(Resampled)))
    text = f"Pearson's coefficient, {runs:,} runs, {RESAMPLES - 1} permutations."
    table = Table("Differences found where there are none (p ≤ .05)", text, header)
    for rows, columns in SIZES:
        for level in LEVELS_TESTED:
            found = dict.fromkeys(("williams", *get_args(Resampled)), 0)
            for run in range(runs):
                z, x, y = draw(np.random.default_rng(run), rows, columns, measures=3)
                for method, p in _tests(x, y, z, level, seed=run):
                    found[method] += p <= 0.05
            shares = [f"{100 * found[method] / runs:.1f} %" for method in found]
            if level == "topic":
                shares[0] = "–"
            table.rows.append((f"{rows} × {columns}", level, *shares))
    return table


def _tests(x: Floats, y: Floats, z: Floats, level: Level, *, seed: int) -> Iterator[tuple[str, float]]:
    if level == "system":
        pairs = ((x, z), (y, z), (x, y))
        r = [correlate_levels(one, other, level=level, coefficient="pearson").value for one, other in pairs]
        yield "williams", williams_test(r[0], r[1], r[2], len(z)).p
    for resampled in get_args(Resampled):
        test = permutation_test(
            x, y, z, level=level, coefficient="pearson", resampled=resampled, resamples=RESAMPLES - 1, seed=seed
        )
        yield resampled, test.p


def _intervals(x: Floats, z: Floats, level: Level, *, seed: int) -> Iterator[tuple[str, tuple[float, float]]]:
    if level == "system":
        found = correlate_levels(x, z, level=level, coefficient="pearson")
        yield "fisher", fisher_interval(found.value, found.n, sides="two")
    for resampled in get_args(Resampled):
        samples = bootstrap_correlations(
            x, z, level=level, coefficients=["pearson"], resampled=resampled, resamples=RESAMPLES, seed=seed
        )["pearson"]
        yield resampled, percentile_interval(samples)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statistics.coverage", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="simulated campaigns of each size (1000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    tables = (coverage(arguments.runs), false_findings(arguments.runs))
    publish(tables, PAGE, write=arguments.write, begin=BEGIN)


if __name__ == "__main__":
    main()
