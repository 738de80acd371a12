"""Error rates that need no assessors: intervals of a difference, clustered errors, looking early."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from benchmarks.tables import Table
from pyramidion.arrays import Floats
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, studentized_intervals
from pyramidion.statistics.regression import fit_linear
from pyramidion.statistics.sequential import sequential_test
from pyramidion.statistics.values import t_critical

Draw = Callable[[np.random.Generator, int], Floats]
"""Differences of two equal systems on that many topics."""

RESAMPLES = 999
LOOKED_AT = 200
"""Topics of a sequential comparison: 199 looks."""


def _likert(generator: np.random.Generator, topics: int) -> Floats:
    answers = np.clip(np.floor(generator.normal(3, 1, (2, topics)) + 0.5), 1, 5)
    return np.asarray(answers[0] - answers[1])


def _recall(generator: np.random.Generator, topics: int) -> Floats:
    scores = generator.beta(4, 6, (2, topics))
    return np.asarray(scores[0] - scores[1])


def _normal(generator: np.random.Generator, topics: int) -> Floats:
    return generator.normal(0, 1, topics)


def _skewed(generator: np.random.Generator, topics: int) -> Floats:
    return generator.exponential(1, topics) - 1


def _heavy(generator: np.random.Generator, topics: int) -> Floats:
    return generator.standard_t(3, topics)


INTERVALS: Mapping[str, Draw] = {"normal": _normal, "Likert differences": _likert, "skewed": _skewed}
LOOKS: Mapping[str, tuple[Draw, str]] = {
    "normal": (_normal, "3.1"),
    "Likert differences": (_likert, "2.8"),
    "recall": (_recall, "2.6"),
    "t with 3 degrees of freedom": (_heavy, "1.9"),
    "exponential": (_skewed, "10.1"),
}
EARLIER = {
    "t": ("91–96",) * 4,
    "studentized": ("86–95", "94–96", "94–95", "95–96"),
    "percentile": ("76–83", "87–89", "91–92", "94–95"),
}
TOPICS = (5, 8, 20, 50)


def intervals(runs: int) -> Table:
    """Coverage of 95 % intervals of a mean difference over topics."""
    generator = np.random.default_rng(1)
    hits = {name: np.zeros((len(TOPICS), len(INTERVALS))) for name in EARLIER}
    for row, topics in enumerate(TOPICS):
        for column, draw in enumerate(INTERVALS.values()):
            for run in range(runs):
                values = draw(generator, topics)[None]
                limits = {
                    "t": own_intervals(values, confidence=95),
                    "studentized": studentized_intervals(values, confidence=95, resamples=RESAMPLES, seed=run),
                    "percentile": bootstrap_intervals(values, confidence=95, resamples=RESAMPLES, seed=run),
                }
                for name, (lower, upper) in limits.items():
                    hits[name][row, column] += lower[0] <= 0 <= upper[0]
    table = Table(
        "Coverage of 95 % intervals of a mean difference",
        f"{runs:,} samples each of normal, Likert and skewed (exponential) differences, {RESAMPLES} resamples: the "
        "least and the largest of the three, in per cent. The studentized bootstrap needs 8 topics.",
        ["interval", *(text for topics in TOPICS for text in (f"{topics} topics", "earlier"))],
    )
    for name, earlier in EARLIER.items():
        cells = []
        for row, said in enumerate(earlier):
            shares = 100 * hits[name][row] / runs
            refused = name == "studentized" and TOPICS[row] < 8
            cells += ["refused" if refused else f"{shares.min():.1f}–{shares.max():.1f}", said]
        table.rows.append([name, *cells])
    return table


def clustered(runs: int) -> Table:
    """Share of 5 % tests of a coefficient that is 0, where summaries of a topic resemble each other."""
    generator = np.random.default_rng(2)
    table = Table(
        "False positives of a regression coefficient",
        f"{runs:,} samples of 10 systems; the topic explains 40 % of the feature's variance and 20 % of the score's. "
        "Share of 5 % tests that reject a coefficient of 0, in per cent.",
        ["topics", "errors clustered by topic", "earlier", "least squares", "earlier"],
    )
    for topics, earlier in ((8, "5.4"), (16, "6.0"), (50, "5.3")):
        codes = np.repeat(np.arange(topics), 10)
        found = np.zeros(2)
        for _ in range(runs):

            def values(share: float, codes: np.ndarray = codes, topics: int = topics) -> Floats:
                shared = np.sqrt(share) * generator.standard_normal(topics)[codes]
                return np.asarray(shared + np.sqrt(1 - share) * generator.standard_normal(len(codes)))

            feature, target = values(0.4)[:, None], values(0.2)
            found += [fit_linear(feature, target, clusters=one).p[1] < 0.05 for one in (codes, None)]
        shares = 100 * found / runs
        table.rows.append([str(topics), f"{shares[0]:.1f}", earlier, f"{shares[1]:.1f}", "12–17"])
    return table


def sequential(runs: int) -> Table:
    """How often a comparison of equal systems is decided within 199 looks."""
    generator = np.random.default_rng(3)
    count = np.arange(2, LOOKED_AT + 1)
    critical = t_critical(95, count - 1)
    table = Table(
        "False positives when looking after each topic",
        f"{runs:,} samples of {LOOKED_AT} topics, {LOOKED_AT - 1} looks. Share in which equal systems are found to "
        "differ at the 5 % level, in per cent.",
        ["differences", "normal e-value (no scale)", "earlier", "t test at each look", "earlier"],
    )
    for name, (draw, earlier) in LOOKS.items():
        found = np.zeros(2)
        for _ in range(runs):
            values = draw(generator, LOOKED_AT)
            found[0] += sequential_test(values, confidence=95).decided(95) is not None
            sums, squares = np.cumsum(values)[1:], np.cumsum(values**2)[1:]
            spread = np.sqrt(np.maximum(squares - sums**2 / count, 0) / (count - 1))
            t = np.divide(sums / np.sqrt(count), spread, out=np.zeros(len(count)), where=spread > 0)
            found[1] += bool((np.abs(t) >= critical).any())
        shares = 100 * found / runs
        table.rows.append([name, f"{shares[0]:.1f}", earlier, f"{shares[1]:.1f}", "40" if name == "normal" else ""])
    return table
