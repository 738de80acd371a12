"""How often the defaults err on ordinary data: lenient assessors, few systems, outliers, coarse answers.

`python -m benchmarks.ordinary [--runs 400] [--write]` prints the tables; with --write they go into the page on which
number to report. Every table has the method that was the default before next to the one that is now.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, machine, replace_results
from pyramidion.options import Coefficient, Resampled
from pyramidion.statistics.agreement import jackknifed_alpha, krippendorff_alpha
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations,
    bootstrap_p,
    far_out,
    fisher_interval,
    rank_interval,
    studentized_interval,
)
from pyramidion.statistics.regression import fit_linear

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.ordinary -->"
LEVEL = 0.05
REGRESSIONS = ((8, 3, 5), (20, 4, 8), (50, 10, 4))
"""Topics, assessors and systems of the judgments whose regression is measured."""
LENIENCY = (0.25, 0.5)
"""Standard deviations of the assessors' levels, where answers of one assessor have a standard deviation of 1."""

CORRELATED = (8, 16, 25, 50)
"""Systems whose correlation is measured."""
RESAMPLES = 599


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


def _normal(generator: np.random.Generator, n: int, rho: float) -> tuple[Floats, Floats]:
    first, second = generator.standard_normal((2, n))
    return first, rho * first + np.sqrt(1 - rho**2) * second


def _heavy(generator: np.random.Generator, n: int, rho: float) -> tuple[Floats, Floats]:
    """Of a bivariate t distribution with 3 degrees of freedom."""
    first, second = _normal(generator, n, rho)
    scale = np.sqrt(3 / generator.chisquare(3, n))
    return first * scale, second * scale


def _skewed(generator: np.random.Generator, n: int, rho: float) -> tuple[Floats, Floats]:
    first, second = _normal(generator, n, rho)
    return np.exp(first), np.exp(second)


def _with_baselines(generator: np.random.Generator, n: int, rho: float) -> tuple[Floats, Floats]:
    """A tenth of the systems are weak baselines, four standard deviations below."""
    first, second = _normal(generator, n, rho)
    is_baseline = generator.random(n) < 0.1
    return first - 4 * is_baseline, second - 4 * is_baseline


POPULATIONS: dict[str, Callable[[np.random.Generator, int, float], tuple[Floats, Floats]]] = {
    "normal": _normal,
    "heavy tails (t, 3 degrees of freedom)": _heavy,
    "skew (lognormal)": _skewed,
    "a tenth are weak baselines": _with_baselines,
}


def pearson_coverage(runs: int, population: str, n: int, rho: float, *, seed: int) -> Floats:
    """Shares of 95 % intervals of Pearson's correlation of n systems that contain it: Fisher's, and the default."""
    draw = POPULATIONS[population]
    generator = np.random.default_rng(seed)
    truth = rho if population.startswith("heavy") else float(np.corrcoef(*draw(generator, 400_000, rho))[0, 1])
    covered = np.zeros(2)
    for run in range(runs):
        first, second = draw(generator, n, rho)
        limits = fisher_interval(float(np.corrcoef(first, second)[0, 1]), n, sides="two")
        covered[0] += limits[0] <= truth <= limits[1]
        if far_out(first).any() or far_out(second).any():
            drawn = studentized_interval(first, second, resamples=RESAMPLES, seed=run)
            limits = min(limits[0], drawn.lower), max(limits[1], drawn.upper)
        covered[1] += limits[0] <= truth <= limits[1]
    return covered / runs


def pearson_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of intervals of Pearson's correlation, where systems lie far out."""
    table = Table(
        "Coverage of intervals of Pearson's correlation",
        f"{runs:,} samples of systems for each number and correlation (0 and .6 of the normal part), {RESAMPLES} "
        "resamples. Share of 95 % intervals that contain the true correlation, in per cent: Fisher's, and the default, "
        "which is wider where a system lies far out.",
        ["systems are", *(f"{name}, {n} systems" for n in CORRELATED for name in ("Fisher", "default"))],
    )
    for population in POPULATIONS:
        say(f"Pearson, {population}")
        shares: list[str] = []
        for n in CORRELATED:
            found = [pearson_coverage(runs, population, n, rho, seed=n) for rho in (0.0, 0.6)]
            shares += [_range([share[place] for share in found]) for place in (0, 1)]
        table.rows.append([population, *shares])
    return table


def rank_coverage(runs: int, coefficient: Coefficient, n: int, rho: float, *, seed: int) -> Floats:
    """Of Fisher's interval and of the default: shares that contain the coefficient, and that disagree with p."""
    truth = 6 / np.pi * np.arcsin(rho / 2) if coefficient == "spearman" else 2 / np.pi * np.arcsin(rho)
    generator = np.random.default_rng(seed)
    counts = np.zeros(4)
    counted = 0
    for _ in range(runs):
        first, second = _normal(generator, n, rho)
        value = float(row_correlations(first[None], second[None], coefficient=coefficient)[0])
        p = correlation_p(first, second, value, coefficient=coefficient)
        before = fisher_interval(value, n, coefficient=coefficient, sides="two")
        now = rank_interval(first, second, value, coefficient=coefficient)
        if np.isnan(now[0]) or np.isnan(before[0]):
            continue
        counted += 1
        for place, (lower, upper) in enumerate((before, now)):
            counts[place] += lower <= truth <= upper
            counts[2 + place] += (p < LEVEL) != (not lower <= 0 <= upper)
    return counts / counted


def rank_table(runs: int, say: Callable[[str], None]) -> Table:
    """How often p and interval of rank correlations disagree, and how often the interval covers."""
    table = Table(
        "p and interval of rank correlations",
        f"{runs:,} samples of systems for each correlation of the normal distribution behind the ranks (0, .5, .8), in "
        "per cent: intervals that contain the true coefficient, and rows whose p is significant while the interval "
        "includes 0, or the other way round.",
        ["coefficient, systems", "default: covers", "Fisher: covers", "default: disagrees", "Fisher: disagrees"],
    )
    coefficients: tuple[Coefficient, ...] = ("spearman", "kendall")
    for coefficient in coefficients:
        for n in (5, 8, 12, 20):
            say(f"{coefficient}, {n} systems")
            found = [rank_coverage(runs, coefficient, n, rho, seed=n) for rho in (0.0, 0.5, 0.8)]
            ranges = [_range([shares[place] for shares in found]) for place in (1, 0, 3, 2)]
            table.rows.append([f"{coefficient.capitalize()}, {n}", *ranges])
    return table


def topic_level_errors(runs: int, systems: int, topics: int, resampled: Resampled, *, seed: int) -> float:
    """Share of campaigns in which two measures that are unrelated over systems correlate within topics.

    Half of the variance of a score is the system's own; the second measure are answers from 1 to 5.
    """
    generator = np.random.default_rng(seed)
    rejected = 0
    for run in range(runs):
        scores = generator.standard_normal((2, systems, 1)) + generator.standard_normal((2, systems, topics))
        answers = np.clip(np.round(3 + scores[1]), 1, 5)
        samples = bootstrap_correlations(
            scores[0], answers, level="topic", coefficients=["spearman"], resampled=resampled, resamples=399, seed=run
        )["spearman"]
        rejected += bootstrap_p(samples) < LEVEL
    return rejected / runs


def topic_level_table(runs: int, say: Callable[[str], None]) -> Table:
    """False positives of correlations at topic level."""
    table = Table(
        "False positives of topic-level correlations",
        f"{runs:,} simulated campaigns for each row: two measures that are unrelated over systems, one of them answers "
        "1 to 5. Share of 5 % tests of Spearman's correlation that find a relation, in per cent, by what is resampled.",
        ["systems × topics", "both (default)", "topics"],
    )
    for systems, topics in ((5, 20), (8, 20), (12, 20), (20, 50)):
        say(f"topic level, {systems} × {topics}")
        both = topic_level_errors(runs, systems, topics, "both", seed=systems)
        alone = topic_level_errors(runs, systems, topics, "topics", seed=systems)
        table.rows.append([f"{systems} × {topics}", _percent(both), _percent(alone)])
    return table


def _answers(generator: np.random.Generator, topics: int, systems: int, assessors: int) -> tuple[Floats, Integers]:
    """Answers 1 to 5 about summaries, and their topics: topics differ, and so do assessors within a topic."""
    topic = np.repeat(np.arange(topics), systems)
    quality = 0.56 * generator.standard_normal(topics)[topic] + 0.8 * generator.standard_normal(len(topic))
    leniency = 0.5 * generator.standard_normal((topics, assessors))[topic]
    noise = 0.8 * generator.standard_normal((len(topic), assessors))
    return np.clip(np.round(3 + quality[:, None] + leniency + noise), 1, 5), topic


def alpha_coverage(runs: int, topics: int, systems: int, assessors: int, *, seed: int) -> Floats:
    """Shares of 95 % intervals of ordinal α that contain it: over topics, and by bootstraps of topics and summaries."""
    generator = np.random.default_rng(seed)
    large = [_answers(generator, 400, systems, assessors)[0] for _ in range(8)]
    truth = float(np.mean([krippendorff_alpha(answers, metric="ordinal").value for answers in large]))
    covered = np.zeros(3)
    for run in range(runs):
        answers, topic = _answers(generator, topics, systems, assessors)
        drawn = {"metric": "ordinal", "resamples": RESAMPLES, "seed": run}
        intervals = (
            jackknifed_alpha(answers, topic, metric="ordinal"),
            krippendorff_alpha(answers, clusters=topic, **drawn),  # type: ignore[arg-type]
            krippendorff_alpha(answers, **drawn),  # type: ignore[arg-type]
        )
        covered += [interval.lower <= truth <= interval.upper for interval in intervals]
    return covered / runs


def alpha_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of intervals of Krippendorff's α."""
    table = Table(
        "Coverage of intervals of Krippendorff's α",
        f"{runs:,} simulated campaigns for each row, answers 1 to 5; topics differ, and assessors are lenient or "
        "strict about a topic. Share of 95 % intervals that contain α, in per cent.",
        ["topics × systems × assessors", "jackknife over topics", "bootstrap of topics", "bootstrap of summaries"],
    )
    for topics, systems, assessors in ((8, 5, 3), (12, 6, 3), (20, 8, 2), (50, 10, 3)):
        say(f"α, {topics} topics")
        shares = alpha_coverage(runs, topics, systems, assessors, seed=topics)
        table.rows.append([f"{topics} × {systems} × {assessors}", *map(_percent, shares)])
    return table


def tables(runs: int, say: Callable[[str], None]) -> list[Table]:
    """All tables."""
    return [
        regression_table(runs, say),
        pearson_table(runs, say),
        rank_table(runs, say),
        topic_level_table(runs, say),
        alpha_table(runs, say),
    ]


def _range(shares: Sequence[float]) -> str:
    """The least and the largest share, in per cent."""
    return f"{100 * min(shares):.1f}–{100 * max(shares):.1f}"


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
