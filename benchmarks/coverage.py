"""How often intervals cover the truth and tests find what is not there: measured on simulated campaigns.

`python -m benchmarks.coverage [--runs 4000] [--write]` prints the tables; with --write they go into the page on
comparison.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, print_progress, publish
from pyramidion.options import MeanInterval
from pyramidion.simulate import ScoreDesign, simulate_scores
from pyramidion.statistics.friedman import friedman_test
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, t_intervals
from pyramidion.statistics.letters import tukey_test
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.variance import two_way_anova

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "comparison.md"
SUMMARIZERS = 8
TOPICS = (5, 8, 20, 50)
RESAMPLES = 1000
PAIR = "pair: the paired t test"


@dataclass(frozen=True, eq=False)
class Campaigns:
    """Simulated campaigns of the same systems, runs × summarizers × topics, and their truth."""

    values: Floats
    on_these_topics: Floats
    """Runs × summarizers: the true mean on the campaign's own topics, without interaction and noise."""
    on_all_topics: Floats
    """Summarizers: the true mean on endlessly many topics."""

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.values)


def simulate(runs: int, topics: int, *, system_sd: float = 0.03, seed: int = 0) -> Campaigns:
    """One long simulated table, cut into campaigns: topics are independent of each other."""
    design = ScoreDesign(topics=runs * topics, summarizers=SUMMARIZERS, system_sd=system_sd, seed=seed)

    def cut(design: ScoreDesign) -> tuple[Floats, Floats]:
        simulated = simulate_scores(design)
        matrix = simulated.table.matrix(simulated.table.measures[0])
        whole = matrix.values.reshape(SUMMARIZERS, runs, topics).transpose(1, 0, 2)
        return whole, simulated.truth.frame[matrix.measure].to_numpy()

    values, endless = cut(design)
    true, _ = cut(replace(design, interaction_sd=0.0, noise_sd=0.0))  # the same draws, without what blurs them
    return Campaigns(values=values, on_these_topics=true.mean(axis=2), on_all_topics=endless)


@dataclass(frozen=True)
class Coverage:
    """Shares of intervals of means that cover: a mean on the campaign's topics, on all topics."""

    these: float
    all: float


def _limits(values: Floats, method: MeanInterval, seed: int) -> tuple[Floats, Floats]:
    if method == "percentile":
        return bootstrap_intervals(values, confidence=95, resamples=RESAMPLES, seed=seed)
    if method == "t":
        return t_intervals(values, two_way_anova(values), confidence=95)
    return own_intervals(values, confidence=95)


def coverage(campaigns: Campaigns, method: MeanInterval) -> Coverage:
    """How often 95 % intervals of means cover the truth."""
    hits = np.zeros(2)
    for run, values in enumerate(campaigns):
        lower, upper = _limits(values, method, run)
        these, everywhere = campaigns.on_these_topics[run], campaigns.on_all_topics
        hits[0] += ((lower <= these) & (these <= upper)).mean()
        hits[1] += ((lower <= everywhere) & (everywhere <= upper)).mean()
    return Coverage(*map(float, hits / len(campaigns.values)))


def pair_coverage(campaigns: Campaigns) -> float:
    """How often the 95 % interval of a pair covers the true difference."""
    difference = campaigns.on_all_topics[0] - campaigns.on_all_topics[1]
    found = paired_tests(campaigns.values[:, 0] - campaigns.values[:, 1], permutations=None)
    return float(((found.lower <= difference) & (difference <= found.upper)).mean())


@dataclass(frozen=True)
class Errors:
    """Shares of campaigns of equal systems in which a test finds a difference."""

    f: float
    tukey: float
    kramer: float
    """With a tenth of the cells missing."""
    friedman: float
    nemenyi: float
    permutation: float
    """Of one pair."""


def errors(campaigns: Campaigns, *, seed: int = 0) -> Errors:
    """How often tests at level 5 % err when all systems are equal."""
    generator = np.random.default_rng(seed)
    found = np.zeros(5)
    for values in campaigns:
        holes = np.where(generator.random(values.shape) < 0.1, np.nan, values)
        anova, sparse = two_way_anova(values), two_way_anova(holes)
        ranks = friedman_test(values, confidence=95)
        assert anova is not None
        assert sparse is not None
        assert ranks is not None
        tukey, kramer = tukey_test(anova, confidence=95), tukey_test(sparse, confidence=95)
        found += [
            anova.row_table.p < 0.05,
            tukey is not None and tukey.pairs > 0,
            kramer is not None and kramer.pairs > 0,
            ranks.p < 0.05,
            ranks.pairs > 0,
        ]
    pairs = campaigns.values[:, 0] - campaigns.values[:, 1]
    permutation = float((paired_tests(pairs, permutations=9999, seed=seed).p_permutation <= 0.05).mean())
    f, tukey_share, kramer_share, friedman, nemenyi = map(float, found / len(campaigns.values))
    return Errors(f, tukey_share, kramer_share, friedman, nemenyi, permutation)


def tables(runs: int, say: Callable[[str], None]) -> list[Table]:
    """Both tables, for several numbers of topics."""
    names: dict[MeanInterval, str] = {
        "t": "`t`: residual variance of summarizer + topic",
        "own": "`own`: the summarizer's own variance",
        "percentile": f"`percentile`: bootstrap, {RESAMPLES} resamples",
    }
    covered = Table(
        "Coverage of 95 % intervals",
        f"{runs:,} simulated campaigns of {SUMMARIZERS} summarizers for each number of topics, default variances of "
        "`simulate scores`. Share of intervals that contain the truth.",
        ["interval", "topics", "mean, on these topics", "mean, on all topics", "paired difference"],
    )
    wrong = Table(
        "False positives of tests at the 5 % level",
        f"{runs:,} simulated campaigns of {SUMMARIZERS} equal summarizers. Share of campaigns in which the test finds "
        "any difference; for the permutation test, share of single pairs.",
        ["topics", "ANOVA F", "Tukey", "Tukey–Kramer, 10 % missing", "Friedman", "Nemenyi", "permutation, one pair"],
    )
    for topics in TOPICS:
        campaigns = simulate(runs, topics)
        for method, name in names.items():
            say(f"{method}, {topics} topics")
            found = coverage(campaigns, method)
            covered.rows.append([name, str(topics), *map(_percent, (found.these, found.all)), "–"])
        covered.rows.append([PAIR, str(topics), "–", "–", _percent(pair_coverage(campaigns))])
        say(f"tests, {topics} topics")
        erred = errors(simulate(runs, topics, system_sd=0.0, seed=1))
        shares = (erred.f, erred.tukey, erred.kramer, erred.friedman, erred.nemenyi, erred.permutation)
        wrong.rows.append([str(topics), *map(_percent, shares)])
    covered.rows.sort(key=lambda row: [*names.values(), PAIR].index(row[0]))
    return [covered, wrong]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--runs", type=int, default=4000, help="simulated campaigns for each number of topics (4000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    found = tables(arguments.runs, print_progress)
    publish(found, PAGE, write=arguments.write)


if __name__ == "__main__":
    main()
