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
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import InputError
from pyramidion.options import AlphaMetric, Coefficient, Resampled
from pyramidion.statistics.agreement import jackknifed_alpha, krippendorff_alpha
from pyramidion.statistics.components import Components, fit_components
from pyramidion.statistics.correlation.accuracy import soft_accuracy, system_accuracy, topic_accuracy
from pyramidion.statistics.correlation.accuracy_tests import TestedAccuracy, accuracy_test
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations,
    bootstrap_p,
    far_out,
    fisher_interval,
    inverted_test_interval,
    is_perfect,
    percentile_interval,
    studentized_interval,
)
from pyramidion.statistics.friedman import friedman_test
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.letters import tukey_test
from pyramidion.statistics.pairs import effect_limits
from pyramidion.statistics.preferences import davidson
from pyramidion.statistics.regression import fit_linear
from pyramidion.statistics.rouge155 import rouge155_interval, rouge155_sums
from pyramidion.statistics.values import f_p, t_critical
from pyramidion.statistics.variance import two_way_anova
from pyramidion.studies.comparison.ordinal import check_as_ordered

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
        f"{5 * runs:,} simulated campaigns for each row: two unrelated questions, answers 1 to 5, assessors who are "
        "lenient or strict on both. Share of 5 % tests that find a relation, in per cent; errors are clustered by "
        "topic.",
        ["topics × assessors × systems", "standard deviation of leniency", "assessor effects", "`--pooled plain`"],
    )
    for nested in (False, True):
        for place, design in enumerate(REGRESSIONS):
            for leniency in LENIENCY:
                topics, assessors, systems = design
                say(f"regression, {design}, leniency {leniency:g}")
                shares = regression_errors(5 * runs, design, leniency, nested=nested, seed=place)
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
        value = float(np.corrcoef(first, second)[0, 1])
        limits = fisher_interval(value, n, sides="two")
        covered[0] += limits[0] <= truth <= limits[1]
        limits = inverted_test_interval(first, second, value, coefficient="pearson")
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


def correlation_coverage(runs: int, coefficient: Coefficient, n: int, rho: float, *, seed: int) -> Floats:
    """Of Fisher's interval and of the default: shares that contain the coefficient, and that disagree with p."""
    truths = {"pearson": rho, "spearman": 6 / np.pi * np.arcsin(rho / 2), "kendall": 2 / np.pi * np.arcsin(rho)}
    truth = truths[coefficient]
    generator = np.random.default_rng(seed)
    counts = np.zeros(4)
    counted = 0
    for _ in range(runs):
        first, second = _normal(generator, n, rho)
        value = float(row_correlations(first[None], second[None], coefficient=coefficient)[0])
        p = correlation_p(first, second, value, coefficient=coefficient)
        before = fisher_interval(value, n, coefficient=coefficient, sides="two")
        now = inverted_test_interval(first, second, value, coefficient=coefficient)
        if np.isnan(now[0]) or np.isnan(before[0]):
            continue
        counted += 1
        for place, (lower, upper) in enumerate((before, now)):
            counts[place] += lower <= truth <= upper
            counts[2 + place] += (p < LEVEL) != (not lower <= 0 <= upper)
    return counts / counted


def correlation_table(runs: int, say: Callable[[str], None]) -> Table:
    """How often p and interval of correlations of means disagree, and how often the interval covers."""
    table = Table(
        "p and interval of correlations",
        f"{runs:,} samples of systems for each correlation of a normal distribution (0, .5, .8), in "
        "per cent: intervals that contain the true coefficient, and rows whose p is significant while the interval "
        "includes 0, or the other way round.",
        ["coefficient, systems", "default: covers", "Fisher: covers", "default: disagrees", "Fisher: disagrees"],
    )
    coefficients: tuple[Coefficient, ...] = ("spearman", "kendall", "pearson")
    for coefficient in coefficients:
        for n in (5, 8, 12, 20):
            say(f"{coefficient}, {n} systems")
            found = [correlation_coverage(runs, coefficient, n, rho, seed=n) for rho in (0.0, 0.5, 0.8)]
            ranges = [_range([shares[place] for shares in found]) for place in (1, 0, 3, 2)]
            table.rows.append([f"{coefficient.capitalize()}, {n}", *ranges])
    return table


def perfect_table(runs: int, say: Callable[[str], None]) -> Table:
    """How often a correlation of few systems is 1 by chance, and what its interval is."""
    table = Table(
        "Correlations of 1 by chance",
        f"{10 * runs:,} samples of systems for each row, whose measures have a correlation of .8 (normal). Share of "
        "samples with a coefficient of exactly 1, and of these with an interval, in per cent: it would have no width.",
        ["coefficient, systems", "is 1", "of these with an interval"],
    )
    coefficients: tuple[Coefficient, ...] = ("spearman", "kendall")
    for coefficient in coefficients:
        for n in (4, 5, 8):
            say(f"{coefficient} of 1, {n} systems")
            generator = np.random.default_rng(n)
            perfect = with_interval = 0
            for _ in range(10 * runs):
                first, second = _normal(generator, n, 0.8)
                value = float(row_correlations(first[None], second[None], coefficient=coefficient)[0])
                if value < 0 or not is_perfect(value):
                    continue
                perfect += 1
                limits = inverted_test_interval(first, second, value, coefficient=coefficient)
                with_interval += not np.isnan(limits[0])
            shares = (perfect / (10 * runs), with_interval / max(perfect, 1))
            table.rows.append([f"{coefficient.capitalize()}, {n}", *map(_percent, shares)])
    return table


def topic_level_errors(runs: int, systems: int, topics: int, resampled: Resampled, *, seed: int) -> tuple[float, float]:
    """Shares of campaigns in which unrelated measures correlate within topics, and in which p and interval disagree.

    The two are unrelated over systems. Half of the variance of a score is the system's own; the second measure are
    answers from 1 to 5.
    """
    generator = np.random.default_rng(seed)
    rejected = disagreeing = 0
    for run in range(runs):
        scores = generator.standard_normal((2, systems, 1)) + generator.standard_normal((2, systems, topics))
        answers = np.clip(np.round(3 + scores[1]), 1, 5)
        samples = bootstrap_correlations(
            scores[0], answers, level="topic", coefficients=["spearman"], resampled=resampled, resamples=399, seed=run
        )["spearman"]
        is_significant = bootstrap_p(samples) < LEVEL
        lower, upper = percentile_interval(samples)
        rejected += is_significant
        disagreeing += is_significant == (lower <= 0 <= upper)
    return rejected / runs, disagreeing / runs


def topic_level_table(runs: int, say: Callable[[str], None]) -> Table:
    """False positives of correlations at topic level."""
    table = Table(
        "False positives of topic-level correlations",
        f"{runs:,} simulated campaigns for each row: two measures that are unrelated over systems, one of them answers "
        "1 to 5. Share of 5 % tests of Spearman's correlation that find a relation, in per cent, by what is resampled, "
        "and of rows whose p and interval disagree.",
        ["systems × topics", "both (default)", "topics", "p and interval disagree"],
    )
    for systems, topics in ((5, 20), (8, 20), (12, 20), (20, 50)):
        say(f"topic level, {systems} × {topics}")
        both, disagreeing = topic_level_errors(runs, systems, topics, "both", seed=systems)
        alone, _ = topic_level_errors(runs, systems, topics, "topics", seed=systems)
        table.rows.append([f"{systems} × {topics}", *map(_percent, (both, alone, disagreeing))])
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
    metric: AlphaMetric = "ordinal"
    large = [_answers(generator, 400, systems, assessors)[0] for _ in range(8)]
    truth = float(np.mean([krippendorff_alpha(answers, metric=metric).value for answers in large]))
    covered = np.zeros(3)
    for run in range(runs):
        answers, topic = _answers(generator, topics, systems, assessors)
        intervals = (
            jackknifed_alpha(answers, topic, metric=metric),
            krippendorff_alpha(answers, clusters=topic, metric=metric, resamples=RESAMPLES, seed=run),
            krippendorff_alpha(answers, metric=metric, resamples=RESAMPLES, seed=run),
        )
        covered += [interval.lower <= truth <= interval.upper for interval in intervals]
    return covered / runs


def alpha_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of intervals of Krippendorff's α."""
    table = Table(
        "Coverage of intervals of Krippendorff's α",
        f"{2 * runs:,} simulated campaigns for each row, answers 1 to 5; topics differ, and assessors are lenient or "
        "strict about a topic. Share of 95 % intervals that contain α, in per cent.",
        ["topics × systems × assessors", "jackknife over topics", "bootstrap of topics", "bootstrap of summaries"],
    )
    for topics, systems, assessors in ((8, 5, 3), (12, 6, 3), (20, 8, 2), (50, 10, 3)):
        say(f"α, {topics} topics")
        shares = alpha_coverage(2 * runs, topics, systems, assessors, seed=topics)
        table.rows.append([f"{topics} × {systems} × {assessors}", *map(_percent, shares)])
    return table


def _judged_pair(generator: np.random.Generator, topics: int, assessors: int, systems: int) -> Floats:
    """Answers of systems × topics × assessors without a difference; the first varies 3 × as much over topics."""
    over_topics = 0.5 * generator.standard_normal((systems, topics, 1))
    over_topics[0] *= 3
    topic = 0.5 * generator.standard_normal((1, topics, 1))
    leniency = 0.4 * generator.standard_normal((1, 1, assessors))
    ranking = 0.2 * generator.standard_normal((systems, 1, assessors))
    noise = 0.6 * generator.standard_normal((systems, topics, assessors))
    return np.asarray(over_topics + topic + leniency + ranking + noise, dtype=np.float64)


def _fit_pair(answers: Floats) -> bool:
    """Whether the 95 % interval of the difference between the first two systems contains 0, in the fit of all given."""
    systems, topics, assessors = (axis.ravel() for axis in np.indices(answers.shape))
    fit = fit_components(systems, topics, assessors, answers.ravel())
    if not isinstance(fit, Components):
        raise TypeError(fit.reason)
    differences, variances, freedom = fit.pairs()
    return bool(abs(differences[0, 1]) <= t_critical(95, freedom[0, 1]) * np.sqrt(variances[0, 1]))


def assessor_pair_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of the interval of a pair with random assessors, where one of the two varies more over topics."""
    table = Table(
        "Coverage of a pair with assessors as a sample, where one system varies more",
        f"{runs:,} simulated campaigns of equal systems for each row; the first system varies three times as much over "
        "topics as the others. Share of 95 % intervals of its difference from the second that contain 0, in per cent: "
        "by the fit of the two alone, which `compare` takes for pairs, and by one fit of all systems.",
        ["systems × topics × assessors", "fit of the two", "fit of all"],
    )
    for systems, topics, assessors in ((5, 20, 3), (5, 20, 8), (13, 16, 3), (10, 50, 5)):
        say(f"pair with assessors, {systems} × {topics} × {assessors}")
        generator = np.random.default_rng(systems)
        covered = np.zeros(2)
        for _ in range(runs):
            answers = _judged_pair(generator, topics, assessors, systems)
            covered += [_fit_pair(answers[:2]), _fit_pair(answers)]
        shares = covered / runs
        table.rows.append([f"{systems} × {topics} × {assessors}", *map(_percent, shares)])
    return table


def ordinal_table(runs: int, say: Callable[[str], None]) -> Table:
    """How often equal systems differ with answers as numbers and as ordered."""
    table = Table(
        "Answers as numbers and as ordered",
        f"{runs // 4:,} simulated campaigns of equal systems for each row, answers 1 to 5 of assessors who are taken "
        "as given. Share of campaigns in which any pair differs at the 5 % level, in per cent: by Tukey's test of "
        "means, and in the proportional-odds model of the check; and of campaigns in which the check names a pair.",
        ["systems × topics × assessors, answers", "as numbers", "as ordered", "a verdict changes"],
    )
    for systems, topics, assessors in ((4, 10, 3), (5, 16, 3)):
        for middle, name in ((3.0, "in the middle"), (4.5, "at the ceiling")):
            say(f"ordered answers, {systems} × {topics} × {assessors}, {name}")
            generator = np.random.default_rng(topics)
            names = [f"S{system}" for system in range(systems)]
            counts, checked = np.zeros(3), 0
            for _ in range(runs // 4):
                quality = 0.5 * generator.standard_normal((1, topics)) + 0.7 * generator.standard_normal(
                    (systems, topics)
                )
                answers = quality[:, :, None] + 0.7 * generator.standard_normal((systems, topics, assessors))
                answers = np.clip(np.round(middle + answers), 1, 5)
                anova = two_way_anova(answers.mean(axis=2))
                tukey = None if anova is None else tukey_test(anova, confidence=95)
                if tukey is None:
                    raise TypeError("a complete table has a test")
                judgments = [
                    Judgment(topic=f"T{topic}", summarizer=names[system], assessor=f"a{who}", question="q", value=value)
                    for (system, topic, who), value in np.ndenumerate(answers)
                ]
                check = check_as_ordered(judgments, names, tukey.differs, None, confidence=95)
                if check is None:
                    continue
                checked += 1
                counts += [check.as_numbers > 0, check.as_ordered > 0, bool(check.changed)]
            row = f"{systems} × {topics} × {assessors}, {name}"
            table.rows.append([row, *map(_percent, counts / checked)])
    return table


def rouge155_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of the limits that ROUGE-1.5.5 prints, with and without the jackknife over references."""
    table = Table(
        "Coverage of the limits of ROUGE-1.5.5",
        f"{2 * runs:,} samples of topics for each row, four references a topic, 1,000 resamples by ROUGE-1.5.5's own "
        "generator. Share of its 95 % limits that contain the mean, in per cent: over topics, and over the "
        "evaluations with one reference left out, as NIST's files have it. Four evaluations of one topic are hardly "
        "more than one, so the latter are too narrow: they are for comparisons with printed outputs, not for "
        "decisions.",
        ["topics", "over topics", "over evaluations (jackknife)"],
    )
    for topics in (10, 20, 50):
        say(f"ROUGE-1.5.5, {topics} topics")
        generator = np.random.default_rng(topics)
        covered = np.zeros(2)
        for _ in range(2 * runs):
            topic = generator.standard_normal(topics)
            items = topic[:, None] + 0.3 * generator.standard_normal((topics, 4))
            for place, drawn in enumerate((items.mean(axis=1), items.ravel())):
                sums = rouge155_sums(drawn[:, None], resamples=1000)
                _, lower, upper = rouge155_interval(sums / len(drawn), confidence=95)
                covered[place] += lower[0] <= 0 <= upper[0]
        table.rows.append([str(topics), *map(_percent, covered / (2 * runs))])
    return table


ABILITIES = np.array([0.0, 0.4, 0.8, 1.2])
"""Log abilities of the systems whose preferences are simulated."""


def _choices(generator: np.random.Generator, topics: int) -> tuple[Floats, Floats]:
    """Wins and ties by topic, systems × systems: all pairs once; systems are better on some topics than on others."""
    count = len(ABILITIES)
    wins, ties = np.zeros((topics, count, count)), np.zeros((topics, count, count))
    for topic in range(topics):
        here = ABILITIES + 0.7 * generator.standard_normal(count)
        for first in range(count):
            for second in range(first + 1, count):
                weights = np.exp([here[first], (here[first] + here[second]) / 2 - 0.5, here[second]])
                outcome = generator.choice(3, p=weights / weights.sum())
                wins[topic, first, second] += outcome == 0
                wins[topic, second, first] += outcome == 2
                ties[topic, first, second] += outcome == 1
                ties[topic, second, first] += outcome == 1
    return wins, ties


def _relative_abilities(wins: Floats, ties: Floats) -> Floats:
    """Abilities relative to their mean; NaN where no finite model fits."""
    try:
        abilities = davidson(wins, ties).log_ability
    except InputError:
        return np.full(len(wins), np.nan)
    return np.asarray(abilities - abilities.mean(), dtype=np.float64)


def preference_coverage(runs: int, topics: int, *, seed: int) -> Floats:
    """Shares of 95 % limits of abilities that contain them: percentiles of a bootstrap, and the jackknife."""
    generator = np.random.default_rng(seed)
    truth = _relative_abilities(*(counts.sum(axis=0) for counts in _choices(generator, 20_000)))
    covered, counted = np.zeros(2), 0
    for _ in range(runs):
        wins, ties = _choices(generator, topics)
        estimate = _relative_abilities(wins.sum(axis=0), ties.sum(axis=0))
        left_out = [
            _relative_abilities(wins.sum(axis=0) - wins[topic], ties.sum(axis=0) - ties[topic])
            for topic in range(topics)
        ]
        without = np.array(left_out)
        if np.isnan(estimate).any() or np.isnan(without).any():
            continue
        counted += 1
        error = np.sqrt((topics - 1) * without.var(axis=0))
        covered[1] += (np.abs(estimate - truth) <= t_critical(95, topics - 1) * error).mean()
        drawn = np.array(
            [
                _relative_abilities(wins[chosen].sum(axis=0), ties[chosen].sum(axis=0))
                for chosen in generator.integers(topics, size=(199, topics))
            ]
        )
        lower, upper = percentile_limits(drawn, confidence=95)
        covered[0] += ((lower <= truth) & (truth <= upper)).mean()
    return covered / counted


def preference_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of limits of abilities in Davidson's model with few topics."""
    table = Table(
        "Coverage of limits of abilities in Davidson's model",
        f"{runs // 3:,} simulated campaigns for each row: preferences between 4 systems, each pair once a topic, and "
        "systems that are better on some topics than on others. Share of 95 % limits that contain the ability, in per "
        "cent. The jackknife is the default.",
        ["topics", "percentiles of a bootstrap over topics", "jackknife over topics, Student's t"],
    )
    for topics in (8, 12, 20, 40):
        say(f"preferences, {topics} topics")
        table.rows.append([str(topics), *map(_percent, preference_coverage(runs // 3, topics, seed=topics))])
    return table


def friedman_table(runs: int, say: Callable[[str], None]) -> Table:
    """False positives of Friedman's test in small tables."""
    table = Table(
        "False positives of Friedman's test in small tables",
        f"{10 * runs:,} simulated tables of equal systems for each row. Share of 5 % tests that reject, in per cent: "
        "by the exact distribution, which small tables have by default, and by F (Iman and Davenport).",
        ["systems × topics", "exact", "F of Iman and Davenport"],
    )
    for systems, topics in ((2, 5), (3, 4), (3, 6), (4, 4)):
        say(f"Friedman, {systems} × {topics}")
        generator = np.random.default_rng(systems * topics)
        rejected = np.zeros(2)
        for _ in range(10 * runs):
            test = friedman_test(generator.standard_normal((systems, topics)), confidence=95)
            if test is None:
                raise TypeError("a complete table has a test")
            most = topics * (systems - 1)
            rest = most - test.chi2
            f = np.inf if rest <= 0 else (topics - 1) * test.chi2 / rest
            by_f = 0.0 if np.isinf(f) else float(f_p(f, systems - 1, (systems - 1) * (topics - 1)))
            rejected += [test.p < LEVEL, by_f < LEVEL]
        table.rows.append([f"{systems} × {topics}", *map(_percent, rejected / (10 * runs))])
    return table


def effect_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of limits of the effect size of a pair."""
    table = Table(
        "Coverage of limits of an effect size",
        f"{10 * runs:,} samples of differences for each cell, Cohen's d_z of .5. Share of 95 % limits by the "
        "noncentral t that contain it, in per cent; they assume normal differences.",
        ["topics", "normal", "differences of answers 1 to 5", "skewed (exponential)"],
    )
    for topics in (8, 20, 50):
        say(f"effect size, {topics} topics")
        generator = np.random.default_rng(topics)
        shape = (10 * runs, topics)
        samples = [0.5 + generator.standard_normal(shape)]
        answers = np.clip(np.round(np.array([[3.7], [3.2]]) + generator.standard_normal((2, 1_000_000))), 1, 5)
        answered = answers[0] - answers[1]
        samples.append(generator.choice(answered, shape))
        samples.append(generator.exponential(size=shape) - 0.5)
        truths = [0.5, float(answered.mean() / answered.std()), 0.5]
        shares = []
        for sample, truth in zip(samples, truths, strict=True):
            effect = sample.mean(axis=1) / sample.std(axis=1, ddof=1)
            lower, upper = effect_limits(effect, np.full(len(effect), topics), confidence=95)
            shares.append(float(((lower <= truth) & (truth <= upper)).mean()))
        table.rows.append([str(topics), *map(_percent, shares)])
    return table


TESTED: tuple[TestedAccuracy, ...] = ("plain", "soft", "ties", "cross-calibrated")
ACCURACY_FLIPS = 199


def _three_measures(generator: np.random.Generator, systems: int, topics: int, rho: float, kind: str) -> Floats:
    """Two measures and answers 1 to 5, with the same correlation over systems (rho) and within topics (.4)."""
    quality = generator.standard_normal((3, systems))
    quality[:2] = rho * quality[2] + np.sqrt(1 - rho**2) * quality[:2]
    if kind == "a tenth are weak baselines":
        quality -= 4 * (generator.random(systems) < 0.1)
    noise = generator.standard_normal((3, systems, topics))
    noise[:2] = 0.4 * noise[2] + np.sqrt(1 - 0.4**2) * noise[:2]
    scores = quality[:, :, None] + 1.5 * noise + generator.standard_normal((3, 1, topics))
    scores[2] = np.clip(np.round(3 + 0.5 * scores[2]), 1, 5)
    if kind == "one measure is coarse":
        scores[1] = np.clip(np.round(3 + 0.7 * scores[1]), 1, 5)
    return np.asarray(scores)


def accuracy_table(runs: int, say: Callable[[str], None]) -> Table:
    """Coverage of intervals of pairwise accuracy, and false positives of tests between two measures."""
    table = Table(
        "Pairwise accuracy: coverage of intervals, false positives of tests",
        f"{runs:,} simulated campaigns for each row, answers 1 to 5, two equally good measures whose correlation with "
        f"the answers over systems is .3 or .8; {ACCURACY_FLIPS} permutations. In per cent: share of 95 % intervals "
        "that contain the accuracy (the mean over the campaigns), and of 5 % tests that find a difference between the "
        "two. A coarse measure has more ties, so that accuracies with ties differ in truth.",
        [
            "systems × topics, measures",
            *(f"covers: {kind}" for kind in ("plain", "soft", "ties")),
            *(f"differ: {kind}" for kind in TESTED),
        ],
    )
    for systems, topics in ((8, 20), (16, 30)):
        for kind in ("normal", "a tenth are weak baselines", "one measure is coarse"):
            shares = []
            for rho in (0.3, 0.8):
                say(f"accuracy, {systems} × {topics}, {kind}, {rho}")
                shares.append(accuracy_errors(runs, systems, topics, rho, kind))
            ranges = [_range([share[place] for share in shares]) for place in range(len(shares[0]))]
            table.rows.append([f"{systems} × {topics}, {kind}", *ranges])
    return table


def accuracy_errors(runs: int, systems: int, topics: int, rho: float, kind: str) -> list[float]:
    """Coverage of intervals of the plain, soft and tied accuracy, and shares of tests that reject, by kind."""
    generator = np.random.default_rng(systems)
    values, limits = np.zeros((3, runs)), np.zeros((3, runs, 2))
    rejected = np.zeros(len(TESTED))
    for run in range(runs):
        x, y, z = _three_measures(generator, systems, topics, rho, kind)
        accuracies = (system_accuracy(x, z), soft_accuracy(x, z, resamples=ACCURACY_FLIPS), topic_accuracy(x, z))
        for place, accuracy in enumerate(accuracies):
            values[place, run] = accuracy.value
            limits[place, run] = accuracy.limits()
        rejected += [
            accuracy_test(x, y, z, kind=name, resamples=ACCURACY_FLIPS, seed=run).p <= LEVEL for name in TESTED
        ]
    covered = []
    for place in range(3):
        truth = values[place].mean()
        has_limits = ~np.isnan(limits[place, :, 0])
        lower, upper = limits[place, has_limits].T
        covered.append(float(((lower <= truth) & (truth <= upper)).mean()))
    return [*covered, *(rejected / runs).tolist()]


TABLES: tuple[Callable[[int, Callable[[str], None]], Table], ...] = (
    assessor_pair_table,
    friedman_table,
    effect_table,
    preference_table,
    accuracy_table,
    regression_table,
    alpha_table,
    correlation_table,
    perfect_table,
    ordinal_table,
    rouge155_table,
    topic_level_table,
    pearson_table,
)


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
    measured = [machine()]
    for make in TABLES:
        table = make(arguments.runs, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
        measured.append(table.markdown())
        # One by one: a run takes minutes, and what is done can be read.
        print(f"{measured[-1]}\n", flush=True)
    results = "\n\n".join(measured)
    if arguments.write:
        replace_results(PAGE, results, begin=BEGIN)


if __name__ == "__main__":
    main()
