"""Betting tests and the gate: errors over many looks, coverage on real scores, false and true fails of a gate.

`python -m benchmarks.betting [--runs 1000] [--write]` prints the tables; with --write they go into the page on which
number to report. Real scores are those of SummEval and REALSumm (50 topics each) in tests/golden.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, print_progress, publish
from pyramidion.options import GateOptions
from pyramidion.statistics.betting import betting_sequence, betting_wealth
from pyramidion.statistics.intervals import own_intervals, t_intervals
from pyramidion.statistics.online import loss_process, spent_level
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.sequential import sequential_test
from pyramidion.statistics.variance import two_way_anova
from pyramidion.studies.gate import GatedScores, decide, exchange_labels
from pyramidion.studies.margins import Margin

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "concepts" / "which-number.md"
BEGIN = "<!-- results: written by python -m benchmarks.betting -->"
SCORES = Path(__file__).parents[1] / "tests" / "golden" / "statistics" / "meta_scores"
LEVEL = 0.05
LOOKS = 200
"""Topics, with a look after each."""
LONGEST = 600
"""Topics after which a search for the first decision ends."""
RESAMPLED = (8, 20, 50)
"""Topics that are drawn from real campaigns."""
PERMUTATIONS = 999
WIDTHS = 60
"""Samples from which the width of intervals is told."""
COMMITS = 100
LOSING = 0.2
"""Share of commits with a real loss, where the share of false fails among all is measured."""
MEASURES = (
    ("SummEval", "coherence", (1.0, 5.0)),
    ("SummEval", "relevance", (1.0, 5.0)),
    ("SummEval", "fluency", (1.0, 5.0)),
    ("SummEval", "consistency", (1.0, 5.0)),
    ("SummEval", "ROUGE-2-F", (0.0, 1.0)),
    ("REALSumm", "litepyramid_recall", (0.0, 1.0)),
    ("REALSumm", "ROUGE-2-F", (0.0, 1.0)),
)
GATED = (MEASURES[0], MEASURES[3], MEASURES[5])
"""Measures on which the gate is tried: with much spread, at the top of the scale, and of another campaign."""
LOSSES = (0.0, 0.5, 1.0, 2.0)
"""Planted losses, in margins."""
MARGIN = 0.1
"""As a share of the scale."""


def real_scores(campaign: str, measure: str) -> Floats:
    """Systems × topics."""
    scores = json.loads((SCORES / f"{campaign.lower()}.json").read_text(encoding="utf-8"))
    return np.array((scores["human"] | scores["rouge"])[measure], dtype=np.float64)


def real_differences(campaign: str, measure: str) -> Floats:
    """Pairs of systems × topics."""
    values = real_scores(campaign, measure)
    return np.array([values[a] - values[b] for a, b in combinations(range(len(values)), 2)])


def null_differences(kind: str, runs: int, topics: int, generator: np.random.Generator) -> tuple[Floats, float]:
    """Runs × topics: differences with a mean of 0; and the largest that the scale allows."""
    shape = (runs, topics)
    if kind == "better by .05, fails by .95 on 5 % of topics":
        return np.where(generator.random(shape) < 0.05, -0.95, 0.05), 1.0
    if kind == "better by .02, fails by .98 on 2 % of topics":
        return np.where(generator.random(shape) < 0.02, -0.98, 0.02), 1.0
    if kind == "lognormal, cut at the end of the scale":
        long = np.minimum(generator.lognormal(0, 1, 10**6) / 20, 1.0)
        return np.minimum(generator.lognormal(0, 1, shape) / 20, 1.0) - long.mean(), 1.0
    if kind == "exponential, cut at the end of the scale":
        return np.minimum(generator.exponential(0.1, shape), 1.0) - 0.1 * (1 - math.exp(-10)), 1.0
    differences = real_differences("SummEval", kind.removeprefix("SummEval, "))
    rows = generator.integers(0, len(differences), runs)
    drawn = differences[rows[:, None], generator.integers(0, differences.shape[1], shape)]
    return drawn * generator.choice([-1.0, 1.0], shape), 4.0


KINDS = (
    *(f"SummEval, {measure}" for measure in ("coherence", "relevance", "fluency", "consistency")),
    "better by .05, fails by .95 on 5 % of topics",
    "better by .02, fails by .98 on 2 % of topics",
    "lognormal, cut at the end of the scale",
    "exponential, cut at the end of the scale",
)


def errors_over_looks(kind: str, runs: int, *, seed: int) -> tuple[float, float]:
    """Shares of sequences of equal systems with a false decision at any look: by betting, and by the normal e-value."""
    samples, largest = null_differences(kind, runs, LOOKS, np.random.default_rng(seed))
    wealth = betting_wealth(samples, bounds=(-largest, largest), confidence=95)
    gaussian = np.mean([sequential_test(sample, confidence=95).decided(95) is not None for sample in samples])
    return float((wealth.max(axis=1) >= 1 / LEVEL).mean()), float(gaussian)


def topics_to_decide(spread: float, runs: int, *, seed: int) -> tuple[float, float]:
    """The median number of topics that half a standard deviation takes: by betting, and by the normal e-value.

    Differences are normal with this standard deviation as a share of the scale, cut at its ends.
    """
    generator = np.random.default_rng(seed)
    samples = np.clip(generator.normal(0.5 * spread, spread, (runs, LONGEST)), -1, 1)
    is_decided = betting_wealth(samples, bounds=(-1, 1), confidence=95) >= 1 / LEVEL
    places = np.where(is_decided.any(axis=1), is_decided.argmax(axis=1) + 1.0, math.inf)
    gaussian = [sequential_test(sample, confidence=95).decided(95) or math.inf for sample in samples]
    return float(np.median(places)), float(np.median(gaussian))


def pair_coverage(
    differences: Floats, largest: float, topics: int, *, runs: int, seed: int
) -> tuple[dict[str, float], float]:
    """Shares of 95 % intervals of a difference that contain it, by method; and how many times as wide bounded ones are.

    Topics are drawn with replacement; the truth is the mean over all. Samples without a t interval are left out.
    """
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, len(differences), runs)
    samples = differences[rows[:, None], generator.integers(0, differences.shape[1], (runs, topics))]
    truth = differences.mean(axis=1)[rows]
    by_t = paired_tests(samples, permutations=None)
    by_flips = paired_tests(samples, method="sign-flip", permutations=PERMUTATIONS, seed=seed)
    wealth = betting_wealth(samples, bounds=(-largest, largest), confidence=95, null=truth[:, None], planned=topics)
    varies = ~np.isnan(by_t.lower)
    covered = {
        name: (tests.lower <= truth) & (truth <= tests.upper) for name, tests in (("t", by_t), ("flips", by_flips))
    }
    shares = {name: float(is_covered[varies].mean()) for name, is_covered in covered.items()}
    shares["bounded"] = float((wealth.max(axis=1) < 1 / LEVEL)[varies].mean())
    return shares, _relative_width(samples[varies][:WIDTHS], by_t.upper[varies] - by_t.lower[varies], largest)


def _relative_width(samples: Floats, widths: Floats, largest: float) -> float:
    """The median of the width of bounded intervals divided by that of t intervals."""
    ratios = []
    for sample, width in zip(samples, widths, strict=False):
        limits = betting_sequence(sample, bounds=(-largest, largest), confidence=95, planned=len(sample))
        ratios.append((limits.upper[-1] - limits.lower[-1]) / width)
    return float(np.nanmedian(ratios))


def mean_coverage(values: Floats, topics: int, *, runs: int, seed: int) -> tuple[float, float]:
    """Shares of 95 % intervals in a leaderboard that contain a system's mean over all topics: t, and own."""
    generator = np.random.default_rng(seed)
    truth = values.mean(axis=1)
    covered = np.zeros(2)
    for _ in range(runs):
        sample = values[:, generator.integers(0, values.shape[1], topics)]
        pooled = t_intervals(sample, two_way_anova(sample), confidence=95)
        for place, (lower, upper) in enumerate((pooled, own_intervals(sample, confidence=95))):
            covered[place] += ((lower <= truth) & (truth <= upper)).mean()
    shares = covered / runs
    return float(shares[0]), float(shares[1])


def gated(differences: Floats, margin: Margin | None) -> GatedScores:
    """What a gate needs of two systems that differ so."""
    return GatedScores(
        measure="m",
        role="primary",
        topics=tuple(map(str, range(len(differences)))),
        baseline=np.zeros(len(differences)),
        candidate=differences,
        differences=differences,
        margin=margin,
    )


def false_fails(differences: Floats, *, pairs: int, seed: int) -> float:
    """The share of fails of a gate over pairs of systems whose labels are exchanged at random, 1,000 times each."""
    chosen = np.random.default_rng(seed).permutation(len(differences))[:pairs]
    shares = [exchange_labels([gated(differences[row], None)], GateOptions(), seed=seed).share for row in chosen]
    return float(np.mean(shares))


def verdicts(differences: Floats, largest: float, loss: float, *, runs: int, seed: int) -> tuple[float, float, float]:
    """Shares of pass, fail and undecided with a margin, for systems that differ by a loss of so many margins.

    Differences of real pairs are centred and resampled, 50 topics each.
    """
    generator = np.random.default_rng(seed)
    units = MARGIN * largest
    counts = {"pass": 0, "fail": 0, "undecided": 0}
    for row in generator.integers(0, len(differences), runs):
        drawn = generator.choice(differences[row] - differences[row].mean(), differences.shape[1])
        decision = decide([gated(drawn - loss * units, Margin(units=units))], ("A", "B"), GateOptions())
        counts[decision.verdict] += 1
    return counts["pass"] / runs, counts["fail"] / runs, counts["undecided"] / runs


def replay_ledgers(
    differences: Floats, largest: float, *, ledgers: int, losing: float, seed: int
) -> tuple[float, float, float]:
    """Over ledgers of 100 commits: the share with a false fail, the FDR, and the share of real losses that fail.

    Each ledger has one pair of systems, so that commits share topics and their differences. A commit without a loss
    exchanges the two within topics at random; one with a loss has a quarter of the scale less, as far as it goes.
    """
    generator = np.random.default_rng(seed)
    with_false_fail = 0
    false_shares, found, planted = [], 0, 0
    for row in generator.integers(0, len(differences), ledgers):
        fails = false = 0
        for commit in range(1, COMMITS + 1):
            is_loss = generator.random() < losing
            drawn = differences[row] * generator.choice([-1.0, 1.0], differences.shape[1])
            if is_loss:
                drawn = np.maximum(drawn - largest / 4, -largest)
            e = loss_process(drawn, largest, level=spent_level(commit, 0, alpha=LEVEL))[-1]
            is_fail = e >= 1 / spent_level(commit, fails, alpha=LEVEL)
            fails += is_fail
            false += is_fail and not is_loss
            planted += is_loss
            found += is_fail and is_loss
        with_false_fail += false > 0
        false_shares.append(false / max(fails, 1))
    return with_false_fail / ledgers, float(np.mean(false_shares)), found / max(planted, 1)


def tables(runs: int, say: Callable[[str], None]) -> list[Table]:
    """All tables."""
    return [
        _look_table(runs, say),
        _duration_table(runs, say),
        _coverage_table(runs, say),
        _verdict_table(runs, say),
        _ledger_table(runs, say),
    ]


def _look_table(runs: int, say: Callable[[str], None]) -> Table:
    table = Table(
        "Error over 200 looks",
        f"{runs:,} sequences of {LOOKS} topics for each row, a look after each. Share in which `--sequential` finds a "
        "difference between equal systems at the 5 % level at any look, in per cent. SummEval: labels exchanged at "
        "random within topics, which are drawn with replacement.",
        ["differences", "betting (known scale)", "normal e-value (no scale)"],
    )
    for place, kind in enumerate(KINDS):
        say(kind)
        table.rows.append([kind, *map(_percent, errors_over_looks(kind, runs, seed=place))])
    return table


def _duration_table(runs: int, say: Callable[[str], None]) -> Table:
    table = Table(
        "Topics until a difference of half a standard deviation is found",
        f"Median over {runs:,} sequences of normal differences; the paired t test needs 34 for 80 % power.",
        ["standard deviation, as a share of the scale", "betting", "normal e-value"],
    )
    for spread in (0.1, 0.2, 0.3):
        say(f"topics, {spread}")
        median = topics_to_decide(spread, runs, seed=1)
        table.rows.append([f"{spread:g}", *(f"{value:.0f}" if math.isfinite(value) else "> 600" for value in median)])
    return table


def _coverage_table(runs: int, say: Callable[[str], None]) -> Table:
    table = Table(
        "Coverage of 95 % intervals of real scores",
        f"{runs:,} samples of topics for each row, drawn with replacement from the campaign's 50. Share of intervals "
        "that contain the value over all 50, in per cent: of the difference of a random pair by `--method`, and of the "
        "means in a leaderboard by `--interval` (t takes the topics as given and is too short for others). "
        "“Width”: bounded intervals compared with those of t.",
        ["scores", "topics", "t", "sign-flip", "bounded", "width", "mean: t", "mean: own"],
    )
    for campaign, measure, (low, high) in MEASURES:
        values, differences = real_scores(campaign, measure), real_differences(campaign, measure)
        for topics in RESAMPLED:
            say(f"coverage, {campaign}, {measure}, {topics}")
            shares, width = pair_coverage(differences, high - low, topics, runs=runs, seed=topics)
            means = mean_coverage(values, topics, runs=runs // 10, seed=topics)
            table.rows.append(
                [
                    f"{campaign}, {measure.replace('_', ' ')}",
                    str(topics),
                    *(_percent(shares[name]) for name in ("t", "flips", "bounded")),
                    f"{width:.1f} ×",
                    *map(_percent, means),
                ]
            )
    return table


def _verdict_table(runs: int, say: Callable[[str], None]) -> Table:
    table = Table(
        "Verdicts of a gate",
        "Without a margin: the share of fails when labels are exchanged at random within topics (40 pairs, 1,000 "
        f"exchanges each); at most 2.5 % are due. With a margin of a tenth of the scale: shares of pass / fail / "
        f"undecided over {runs // 3:,} resampled pairs with 50 topics, by the loss that was planted. In per cent.",
        ["scores", "false fails", *(f"loss of {loss:g} margins" for loss in LOSSES)],
    )
    for campaign, measure, (low, high) in GATED:
        say(f"gate, {campaign}, {measure}")
        differences = real_differences(campaign, measure)
        cells = []
        for loss in LOSSES:
            shares = verdicts(differences, high - low, loss, runs=runs // 3, seed=int(10 * loss))
            cells.append(" / ".join(f"{100 * share:.0f}" for share in shares))
        false = false_fails(differences, pairs=40, seed=0)
        table.rows.append([f"{campaign}, {measure.replace('_', ' ')}", _percent(false), *cells])
    return table


def _ledger_table(runs: int, say: Callable[[str], None]) -> Table:
    ledgers = runs // 4
    table = Table(
        "A ledger over 100 commits",
        f"{ledgers:,} ledgers for each row; the commits of a ledger share topics and differences. In per cent: ledgers "
        "with a false fail if no commit has a loss; with a loss of a quarter of the scale in a fifth of the commits, "
        "the expected share of false fails among all fails (FDR), and of losses that fail.",
        ["scores", "ledgers with a false fail", "FDR", "losses that fail"],
    )
    for campaign, measure, (low, high) in GATED:
        say(f"ledger, {campaign}, {measure}")
        differences = real_differences(campaign, measure)
        none, *_ = replay_ledgers(differences, high - low, ledgers=ledgers, losing=0.0, seed=0)
        _, fdr, found = replay_ledgers(differences, high - low, ledgers=ledgers, losing=LOSING, seed=1)
        table.rows.append([f"{campaign}, {measure.replace('_', ' ')}", *map(_percent, (none, fdr, found))])
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.betting", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="sequences or samples for each row (1,000)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()
    found = tables(arguments.runs, print_progress)
    publish(found, PAGE, write=arguments.write, begin=BEGIN)


if __name__ == "__main__":
    main()
