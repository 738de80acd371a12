"""How often the intervals of all ranks hold together, on simulated campaigns and on resampled human scores.

`python -m benchmarks.rank_intervals [--runs 2000] [--write]` prints the table; with --write it goes into the page on
which number to report.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, machine, replace_results
from pyramidion.statistics.letters import rank_intervals, tukey_test
from pyramidion.statistics.variance import check_variances, own_variance_tests, two_way_anova

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Draw = Callable[[np.random.Generator], tuple[Floats, Floats]]
"""Draws a campaign: scores (systems × topics) and the true means of its systems."""

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.rank_intervals -->"
SCORES = Path(__file__).parents[1] / "tests" / "golden" / "statistics" / "meta_scores"
SYSTEMS, TOPICS = 10, 20
NOISY = 2
"""Systems of three times the standard deviation of the others."""


def draw_simulated(means: Floats, *, skewed: bool = False, noisy: int = 0) -> Draw:
    """Campaigns of systems with these true means, in standard deviations of their scores."""

    def draw(generator: np.random.Generator) -> tuple[Floats, Floats]:
        size = (len(means), TOPICS)
        errors = generator.exponential(size=size) - 1 if skewed else generator.normal(size=size)
        errors[:noisy] *= 3
        return means[:, None] + generator.normal(size=TOPICS) + errors, means

    return draw


def draw_resampled(campaign: str, measure: str) -> Draw:
    """Campaigns of topics drawn with replacement from a real one, whose means over all topics are the truth."""
    scores = json.loads((SCORES / f"{campaign.lower()}.json").read_text(encoding="utf-8"))
    values = np.array(scores["human"][measure])

    def draw(generator: np.random.Generator) -> tuple[Floats, Floats]:
        return values[:, generator.integers(0, values.shape[1], size=TOPICS)], values.mean(axis=1)

    return draw


def cover_all_ranks(is_better: Bools, means: Floats) -> bool:
    """Whether the intervals contain every rank that each system may claim; equal systems share several."""
    lower, upper = rank_intervals(is_better)
    best = 1 + (means[None, :] > means[:, None] + 1e-12).sum(axis=1)
    worst = len(means) - (means[None, :] < means[:, None] - 1e-12).sum(axis=1)
    return bool((lower <= best).all() and (worst <= upper).all())


def joint_coverage(draw: Draw, runs: int, *, seed: int) -> tuple[float, float, float, float]:
    """Shares of campaigns in which all intervals hold: by Tukey's test, by paired tests, as chosen; and mean width.

    The width is the mean number of ranks in an interval of the test that is chosen.
    """
    generator = np.random.default_rng(seed)
    covered, width = np.zeros(3), 0.0
    for run in range(runs):
        values, truth = draw(generator)
        anova = two_way_anova(values)
        assert anova is not None
        tukey = tukey_test(anova, confidence=95)
        assert tukey is not None
        means = values.mean(axis=1)
        is_higher = means[:, None] > means[None, :]
        by_tukey = tukey.differs & is_higher
        by_pairs = own_variance_tests(values, confidence=95).differs & is_higher
        variances = check_variances(values, seed=run)
        chosen = by_pairs if variances is not None and variances.unequal else by_tukey
        covered += [cover_all_ranks(is_better, truth) for is_better in (by_tukey, by_pairs, chosen)]
        lower, upper = rank_intervals(chosen)
        width += float((upper - lower + 1).mean())
    shares = covered / runs
    return float(shares[0]), float(shares[1]), float(shares[2]), width / runs


CAMPAIGNS: dict[str, Draw] = {
    "equal systems": draw_simulated(np.zeros(SYSTEMS)),
    "equal systems, two of three times the spread": draw_simulated(np.zeros(SYSTEMS), noisy=NOISY),
    "two groups, half a standard deviation apart": draw_simulated(np.repeat([0.0, 0.5], SYSTEMS // 2)),
    "evenly spaced over two standard deviations": draw_simulated(np.linspace(0, 2, SYSTEMS)),
    "evenly spaced, exponential scores": draw_simulated(np.linspace(0, 2, SYSTEMS), skewed=True),
    "SummEval, coherence (resampled)": draw_resampled("SummEval", "coherence"),
    "SummEval, consistency (resampled)": draw_resampled("SummEval", "consistency"),
    "REALSumm, litepyramid recall (resampled)": draw_resampled("REALSumm", "litepyramid_recall"),
}
"""By name, how campaigns are drawn."""


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rank_intervals", description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="campaigns for each row (2,000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    table = Table(
        "Coverage of all ranks together",
        f"{arguments.runs:,} campaigns of {TOPICS} topics for each row; the simulated ones have {SYSTEMS} systems. "
        "Share of campaigns in which the 95 % intervals of ranks hold for all systems at once, in per cent, and the "
        "mean number of ranks in an interval.",
        ["campaigns", "Tukey", "paired", "as chosen", "ranks in an interval"],
    )
    for place, (name, draw) in enumerate(CAMPAIGNS.items()):
        print(f"… {name}", file=sys.stderr, flush=True)
        *shares, width = joint_coverage(draw, arguments.runs, seed=place)
        table.rows.append([name, *(f"{100 * share:.1f}" for share in shares), f"{width:.1f}"])
    results = f"{machine()}\n\n{table.markdown()}"
    print(results)
    if arguments.write:
        replace_results(PAGE, results, begin=BEGIN)


if __name__ == "__main__":
    main()
