"""Is B better than A: the paired difference on shared topics, with interval, permutation test and a plain sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, t_difference_intervals
from pyramidion.statistics.multiple import Correction, adjusted, least_adjusted
from pyramidion.statistics.pairs import least_p, paired_differences, paired_tests
from pyramidion.statistics.variance import TwoWayAnova
from pyramidion.studies.values import defined, p_in_words

IntervalMethod = Literal["t", "own", "percentile"]
Pairs = Sequence[tuple[str, str]]
CORRECTIONS: dict[Correction, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "none": "",
}


@dataclass(frozen=True, kw_only=True)
class PairComparison:
    """Two summarizers on one measure, over the topics that both have; None where undefined, with the reason."""

    measure: str
    a: str
    b: str
    difference: float | None
    """Mean of a less b."""
    lower: float | None
    upper: float | None
    p: float | None
    """Two-sided, of the permutation test."""
    p_adjusted: float | None
    """Corrected over the pairs of this measure."""
    effect: float | None
    """Cohen's d_z: difference / standard deviation of the differences."""
    win: int
    """Topics on which a is better."""
    tie: int
    loss: int
    n: int
    exact: bool
    """Whether p counts all sign flips, not a sample."""
    better: str | None
    """Who is better at this level of confidence; None if they are tied."""
    sentence: str
    least_p: float | None = None
    """The smallest p_adjusted that so few topics and so many pairs allow, whatever the scores."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """How pairs are compared."""

    confidence: float
    method: IntervalMethod
    correction: Correction
    permutations: int
    resamples: int
    seed: int


def chosen_pairs(
    summarizers: Sequence[str], *, pairs: Pairs | Literal["all"] = (), against: str | None = None
) -> list[tuple[str, str]]:
    """The pairs that were asked for: by name, every summarizer against one, or all with all; each pair once.

    A pair that is asked for both ways is tested once, as it was named first: else the correction would count it twice.
    """
    chosen = list(combinations(summarizers, 2)) if pairs == "all" else [(first, second) for first, second in pairs]
    if against is not None:
        chosen += [(who, against) for who in summarizers if who != against]
    known = set(summarizers)
    for who in (*(name for pair in chosen for name in pair), *([against] if against is not None else [])):
        if who not in known:
            raise UsageError(
                f"no summarizer {who!r}{did_you_mean(who, summarizers)} there are: {', '.join(summarizers) or 'none'}"
            )
    for first, second in chosen:
        if first == second:
            raise UsageError(f"pair {first} {second}: expected two different summarizers")
    once: dict[frozenset[str], tuple[str, str]] = {}
    for pair in chosen:
        once.setdefault(frozenset(pair), pair)
    return list(once.values())


def compare_pairs(
    matrix: ScoreMatrix,
    anova: TwoWayAnova | None,
    pairs: Pairs,
    options: PairOptions,
    progress: Callable[[int], None] | None = None,
) -> list[PairComparison]:
    """Compare pairs on one measure; the correction is over these pairs."""
    if not pairs:
        return []
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    known = [(row[a], row[b]) for a, b in pairs if a in row and b in row]
    differences = np.full((len(pairs), matrix.values.shape[1]), np.nan)
    there = [number for number, (a, b) in enumerate(pairs) if a in row and b in row]
    differences[there] = paired_differences(matrix.values, known)
    tests = paired_tests(differences, permutations=options.permutations, seed=options.seed, progress=progress)
    corrected = adjusted(tests.p, correction=options.correction)
    lower, upper = difference_limits(anova, differences, options)
    tested = int((~np.isnan(tests.p)).sum())
    compared: list[PairComparison] = []
    for number, (a, b) in enumerate(pairs):
        wins, losses = int(tests.higher[number]), int(tests.lower[number])
        if not matrix.higher_is_better:
            wins, losses = losses, wins
        facts = _Facts(
            measure=matrix.measure,
            a=a,
            b=b,
            difference=float(tests.difference[number]),
            lower=float(lower[number]),
            upper=float(upper[number]),
            p=float(tests.p[number]),
            p_adjusted=float(corrected[number]),
            win=wins,
            tie=int(tests.equal[number]),
            loss=losses,
            n=int(tests.n[number]),
            higher_is_better=matrix.higher_is_better,
            least=least_adjusted(
                least_p(int(tests.n[number]), permutations=options.permutations),
                tests=tested,
                correction=options.correction,
            ),
            exact=bool(tests.exact[number]),
            family=tested,
        )
        effect = defined(tests.effect[number])
        compared.append(
            PairComparison(
                measure=matrix.measure,
                a=a,
                b=b,
                difference=defined(facts.difference),
                lower=defined(facts.lower),
                upper=defined(facts.upper),
                p=defined(facts.p),
                p_adjusted=defined(facts.p_adjusted),
                effect=effect,
                win=wins,
                tie=facts.tie,
                loss=losses,
                n=facts.n,
                exact=facts.exact,
                least_p=facts.least if facts.n else None,
                better=facts.better(options) or None,
                sentence=facts.sentence(options),
                reason=facts.reason(effect_missing=effect is None),
            )
        )
    return compared


def difference_limits(anova: TwoWayAnova | None, differences: Floats, options: PairOptions) -> tuple[Floats, Floats]:
    """Limits of mean differences (pairs × topics, NaN where not shared) by the method that was chosen.

    "t" takes the two-way residual variance of all summarizers (`anova`), "own" the differences' own variance, as in
    the paired t test, and "percentile" resamples topics.
    """
    if options.method == "own":
        return own_intervals(differences, confidence=options.confidence)
    if options.method == "percentile":
        return bootstrap_intervals(
            differences, confidence=options.confidence, resamples=options.resamples, seed=options.seed
        )
    return t_difference_intervals(differences, anova, confidence=options.confidence)


@dataclass(frozen=True, kw_only=True)
class _Facts:
    """What is known of a pair, and how it is said."""

    measure: str
    a: str
    b: str
    difference: float
    lower: float
    upper: float
    p: float
    p_adjusted: float
    win: int
    tie: int
    loss: int
    n: int
    higher_is_better: bool
    least: float
    exact: bool
    family: int

    def better(self, options: PairOptions) -> str:
        """Who is better: the test decides, after correction."""
        if not self.p_adjusted <= _level(options) or self.difference == 0:
            return ""
        return self.a if (self.difference > 0) == self.higher_is_better else self.b

    def reason(self, *, effect_missing: bool) -> str:
        """Why something is undefined."""
        if self.n == 0:
            return "no topic has scores of both"
        reasons = []
        if np.isnan(self.lower):
            reasons.append("no degree of freedom is left for an interval")
        if effect_missing:
            reasons.append("the differences do not vary" if self.n > 1 else "one difference has no spread")
        return "; ".join(reasons)

    def sentence(self, options: PairOptions) -> str:
        """The finding in plain words."""
        if self.n == 0:
            return f"{self.a} and {self.b} can't be compared on {self.measure}: no topic has scores of both."
        topics = "1 topic" if self.n == 1 else f"{self.n} topics"
        if self.tie == self.n:
            return f"{self.a} and {self.b} are statistically tied on {self.measure}: equal on all of {topics}."
        winner = self.better(options)
        sign = -1 if self.difference < 0 else 1
        low, high = sorted((sign * self.lower, sign * self.upper))  # of the size of the difference
        interval = "no interval" if np.isnan(low) else f"{options.confidence:g} % interval {_of(low)} to {_of(high)}"
        chance = f"permutation {self._chance(options)}"
        size = _of(abs(self.difference))
        if winner:
            loser, wins, losses = (self.b, self.win, self.loss) if winner == self.a else (self.a, self.loss, self.win)
            but = " The interval reaches beyond 0, so take it with care." if low <= 0 else ""
            return (
                f"{winner} is better than {loser} on {self.measure}: by {size} on average over {topics} "
                f"({interval}; {chance}); better on {wins}, equal on {self.tie}, worse on {losses}.{but}"
            )
        if self.least > _level(options):
            means = topics if self.exact else f"{options.permutations} permutations"
            return (
                f"{self.a} and {self.b} are statistically tied on {self.measure}: {means} can't tell them apart, for "
                f"p can't be below {self.least:.3g} with so few{self._corrected(options)} "
                f"(difference {size}, {interval}; {p_in_words(self.p)}{' alone' if self.family > 1 else ''})."
            )
        apart = low > 0 and self.family == 1
        though = " though the t interval leaves out 0, which few topics do not warrant" if apart else ""
        return (
            f"{self.a} and {self.b} are statistically tied on {self.measure}: a difference of {size} over {topics} "
            f"({interval}) may be chance ({chance}){though}."
        )

    def _chance(self, options: PairOptions) -> str:
        if not (correction := self._corrected(options)):
            return p_in_words(self.p)
        corrected = f"{p_in_words(self.p_adjusted)}{correction}"
        alone = self.p <= _level(options) < self.p_adjusted
        return f"{p_in_words(self.p)} alone, but {corrected}" if alone else corrected

    def _corrected(self, options: PairOptions) -> str:
        """How p was corrected, if it was."""
        corrected = self.family > 1 and options.correction != "none"
        return f", {CORRECTIONS[options.correction]} over {self.family} pairs" if corrected else ""


def _level(options: PairOptions) -> float:
    return (1 - options.confidence / 100) * (1 + 1e-12)


def _of(value: float) -> str:
    """A difference for people: four decimals, more digits where it is smaller than that."""
    shown = f"{value:.4f}" if abs(value) >= 0.001 or value == 0 else f"{value:.2g}"
    return shown.replace("-", "−")
