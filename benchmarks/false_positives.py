"""How often pairs and letters err: equal systems next to noisier ones, and intervals of resampled real differences.

`python -m benchmarks.false_positives [--runs 20000] [--letter-runs 2000] [--write]` prints the tables; with --write
they go into the page on which number to report.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, print_progress, publish
from pyramidion.statistics.letters import tukey_test
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.values import t_p
from pyramidion.statistics.variance import check_variances, own_variance_tests, two_way_anova

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.false_positives -->"
SCORES = Path(__file__).parents[1] / "tests" / "golden" / "statistics" / "meta_scores"
LEVEL = 0.05
OTHERS = 4
"""Systems next to the pair."""
SPREADS = (0.4, 1.0, 2.5)
"""Standard deviations of the other systems; the pair's own is 1."""
TOPICS = (11, 20, 50)
NOISY = 2
"""Systems of three times the standard deviation of the others, where letters are measured."""
RESAMPLED = (8, 20, 50)
"""Topics that are drawn from real campaigns."""
MEASURES = (
    ("SummEval", "coherence"),
    ("SummEval", "relevance"),
    ("SummEval", "fluency"),
    ("SummEval", "consistency"),
    ("REALSumm", "litepyramid_recall"),
)
DRAWS = 40
"""Samples of topics for each pair of systems."""
PERMUTATIONS = 1999
"""Of the sign-flip test, where signs are drawn."""
CLUSTERS = (5, 10, 20)
CLUSTER_SIZES = (2, 5, 8, 5)
"""Topics of clusters, in turn."""
CORRELATIONS = (0.2, 0.3)
"""Between topics of one cluster (ICC)."""
CLUSTERED_SYSTEMS = 5
"""Systems of the campaigns whose letters are measured with clusters."""
DESIGNS = ((8, 20), (16, 11), (20, 50))
"""Systems and topics of the campaigns whose letters are measured."""


def pair_errors(runs: int, topics: int, spread: float, *, seed: int) -> tuple[float, float]:
    """Shares of campaigns in which two equal systems differ: by their own differences, and by the pooled variance."""
    generator = np.random.default_rng(seed)
    scales = np.array([1.0, 1.0, *[spread] * OTHERS])[:, None]
    own = pooled = 0
    for _ in range(runs // 1000):
        values = generator.normal(size=(1000, 2 + OTHERS, topics)) * scales
        differences = values[:, 0] - values[:, 1]
        own += int((paired_tests(differences, permutations=None).p <= LEVEL).sum())
        pooled += int((_pooled_p(values) <= LEVEL).sum())
    return own / (runs // 1000 * 1000), pooled / (runs // 1000 * 1000)


def _pooled_p(values: Floats) -> Floats:
    """Of the first two systems of each campaign, with the residual variance of all systems, as for Tukey's test."""
    _, systems, topics = values.shape
    residuals = values - values.mean(axis=2, keepdims=True) - values.mean(axis=1, keepdims=True)
    residuals += values.mean(axis=(1, 2), keepdims=True)
    freedom = (systems - 1) * (topics - 1)
    error = np.sqrt(2 * (residuals**2).sum(axis=(1, 2)) / freedom / topics)
    return np.asarray(t_p((values[:, 0] - values[:, 1]).mean(axis=1) / error, freedom))


def letter_errors(runs: int, systems: int, topics: int, *, noisy: int, seed: int) -> tuple[float, float, float]:
    """Shares of campaigns of equal systems with any difference by Tukey's test, by paired tests, and as chosen."""
    generator = np.random.default_rng(seed)
    found = np.zeros(3)
    for run in range(runs):
        values = generator.normal(size=(systems, topics))
        values[:noisy] *= 3
        anova = two_way_anova(values)
        assert anova is not None
        tukey = tukey_test(anova, confidence=95)
        variances = check_variances(values, seed=run)
        assert tukey is not None
        by_tukey, by_pairs = tukey.pairs > 0, own_variance_tests(values, confidence=95).pairs > 0
        unequal = variances is not None and variances.unequal
        found += (by_tukey, by_pairs, by_pairs if unequal else by_tukey)
    shares = found / runs
    return float(shares[0]), float(shares[1]), float(shares[2])


def clustered_pair_errors(runs: int, clusters: int, icc: float, *, seed: int) -> tuple[float, float]:
    """Shares of campaigns in which two equal systems differ, topics being clustered: by clusters, and by topics.

    Differences have a standard deviation of 1 and this correlation within clusters, which have 2 to 8 topics.
    """
    generator = np.random.default_rng(seed)
    codes = _cluster_codes(clusters)
    by_clusters = by_topics = 0
    for _ in range(runs // 1000):
        differences = _clustered_values((1000,), codes, icc, generator)
        by_clusters += int((paired_tests(differences, permutations=None, clusters=codes).p <= LEVEL).sum())
        by_topics += int((paired_tests(differences, permutations=None).p <= LEVEL).sum())
    return by_clusters / (runs // 1000 * 1000), by_topics / (runs // 1000 * 1000)


def clustered_letter_errors(runs: int, systems: int, clusters: int, icc: float, *, seed: int) -> tuple[float, float]:
    """Shares of campaigns of equal systems with any difference between letters: of clusters, and by Tukey's test."""
    generator = np.random.default_rng(seed)
    codes = _cluster_codes(clusters)
    found = np.zeros(2)
    for _ in range(runs):
        values = _clustered_values((systems,), codes, icc, generator)
        anova = two_way_anova(values)
        assert anova is not None
        tukey = tukey_test(anova, confidence=95)
        assert tukey is not None
        found += (own_variance_tests(values, confidence=95, clusters=codes).pairs > 0, tukey.pairs > 0)
    shares = found / runs
    return float(shares[0]), float(shares[1])


def _cluster_codes(clusters: int) -> NDArray[np.int64]:
    """The number of each topic's cluster: clusters have 2, 5, 8, 5 topics in turn."""
    return np.repeat(np.arange(clusters), np.resize(CLUSTER_SIZES, clusters))


def _clustered_values(
    shape: tuple[int, ...], codes: NDArray[np.int64], icc: float, generator: np.random.Generator
) -> Floats:
    """Rows × topics: normal values with this correlation between topics of one cluster."""
    shared = generator.normal(size=(*shape, int(codes.max()) + 1))[..., codes]
    own = generator.normal(size=(*shape, len(codes)))
    return np.asarray(np.sqrt(icc) * shared + np.sqrt(1 - icc) * own)


def real_differences(campaign: str, measure: str) -> Floats:
    """Pairs of systems × topics: differences of the scores that people gave."""
    scores = json.loads((SCORES / f"{campaign.lower()}.json").read_text(encoding="utf-8"))
    values = np.array(scores["human"][measure])
    return np.array([values[a] - values[b] for a, b in combinations(range(len(values)), 2)])


def coverage(differences: Floats, topics: int, *, seed: int) -> tuple[float, float]:
    """How often 95 % intervals of resampled differences contain their mean: of the t test, and of the sign-flip test.

    Samples whose differences do not vary have no t interval; they are left out of both.
    """
    generator = np.random.default_rng(seed)
    truth = np.repeat(differences.mean(axis=1), DRAWS)
    drawn = generator.integers(0, differences.shape[1], size=(len(truth), topics))
    samples = np.repeat(differences, DRAWS, axis=0)[np.arange(len(truth))[:, None], drawn]
    by_t = paired_tests(samples, permutations=None)
    by_flips = paired_tests(samples, method="sign-flip", permutations=PERMUTATIONS, seed=seed)
    varies = ~np.isnan(by_t.lower)
    covered = [(one.lower <= truth) & (truth <= one.upper) for one in (by_t, by_flips)]
    return float(covered[0][varies].mean()), float(covered[1][varies].mean())


def tables(runs: int, letter_runs: int, say: Callable[[str], None]) -> list[Table]:
    """All tables."""
    pairs = Table(
        "False positives of a pair next to other systems",
        f"{runs:,} simulated campaigns for each row: two equal systems with a standard deviation of 1 and {OTHERS} "
        "others. Share of 5 % tests of the pair that reject, in per cent. The pooled variance, which Tukey's test "
        "takes for all pairs, is not used for pairs.",
        ["topics", "standard deviation of the others", "paired t test", "pooled variance"],
    )
    for topics in TOPICS:
        for place, spread in enumerate(SPREADS):
            say(f"pair, {topics} topics, others {spread:g}")
            own, pooled = pair_errors(runs, topics, spread, seed=10 * topics + place)
            pairs.rows.append([str(topics), f"{spread:g}", _percent(own), _percent(pooled)])
    letters = Table(
        "False positives of letters",
        f"{letter_runs:,} simulated campaigns of equal systems for each row. Share of campaigns in which any pair "
        "differs at the 5 % level, in per cent: by Tukey's test, by paired t tests with Holm's correction, and by the "
        "one of them that `compare` chooses by itself.",
        ["systems × topics", "standard deviations", "Tukey", "paired", "as chosen"],
    )
    for systems, topics in DESIGNS:
        for noisy, name in ((0, "equal"), (NOISY, f"{NOISY} systems three times the others'")):
            say(f"letters, {systems} × {topics}, {name}")
            found = letter_errors(letter_runs, systems, topics, noisy=noisy, seed=systems)
            letters.rows.append([f"{systems} × {topics}", name, *map(_percent, found)])
    covered = Table(
        "Coverage of 95 % intervals of real differences",
        f"All pairs of systems of each campaign, {DRAWS} samples of topics for each pair and number of topics, drawn "
        "with replacement from the campaign's 50 topics. Share of intervals that contain the mean difference over all "
        "50, in per cent; samples in which all differences are equal have no t interval and are left out.",
        ["campaign, human score", *(f"{name}, {topics} topics" for topics in RESAMPLED for name in ("t", "sign-flip"))],
    )
    for campaign, measure in MEASURES:
        say(f"coverage, {measure}")
        differences = real_differences(campaign, measure)
        shares = [share for topics in RESAMPLED for share in coverage(differences, topics, seed=topics)]
        covered.rows.append([f"{campaign}, {measure.replace('_', ' ')}", *map(_percent, shares)])
    return [pairs, letters, _cluster_table(runs, letter_runs, say), covered]


def _cluster_table(runs: int, letter_runs: int, say: Callable[[str], None]) -> Table:
    """Pairs and letters of equal systems whose topics are clustered."""
    table = Table(
        "False positives where topics share a document",
        f"{runs:,} simulated pairs of equal systems and {letter_runs:,} campaigns of {CLUSTERED_SYSTEMS} equal systems "
        "for each row; clusters have 2 to 8 topics. Share of 5 % tests of the pair that reject, and of campaigns in "
        "which letters show any difference, in per cent: with `cluster=`, and with topics as independent.",
        ["clusters", "correlation within clusters", "pair, clusters", "pair, topics", "letters, clusters", "Tukey"],
    )
    for clusters in CLUSTERS:
        for icc in CORRELATIONS:
            say(f"{clusters} clusters, ICC {icc:g}")
            pair = clustered_pair_errors(runs, clusters, icc, seed=clusters)
            letters = clustered_letter_errors(letter_runs, CLUSTERED_SYSTEMS, clusters, icc, seed=clusters)
            table.rows.append([str(clusters), f"{icc:g}", *map(_percent, (*pair, *letters))])
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.false_positives", description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000, help="campaigns for each row of pairs (20,000)")
    parser.add_argument("--letter-runs", type=int, default=2000, help="campaigns for each row of letters (2,000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    found = tables(arguments.runs, arguments.letter_runs, print_progress)
    publish(found, PAGE, write=arguments.write, begin=BEGIN)


if __name__ == "__main__":
    main()
