"""Is B better than A: the paired difference on shared topics, with interval, permutation test and a plain sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np

from pyramidion.arrays import Floats, Integers, entry
from pyramidion.errors import UsageError, check_known
from pyramidion.options import Assessors, CompareOptions, Correction, IntervalMethod
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.distributions import t_p
from pyramidion.statistics.intervals import (
    FEWEST_STUDENTIZED,
    bootstrap_intervals,
    own_intervals,
    studentized_intervals,
    t_intervals,
)
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.pairs import PairedTests, paired_differences, paired_tests
from pyramidion.statistics.sign_flips import Source, least_p
from pyramidion.statistics.simultaneous import Family, adjusted_p, critical_t
from pyramidion.statistics.variance import TwoWayAnova
from pyramidion.studies.comparison.tests import Analysis
from pyramidion.tables import NotedRow, hidden
from pyramidion.wording import counted, number, p_in_words, together

Limits = tuple[Floats, Floats]
PairCorrection: TypeAlias = Correction | Family
DIGITS = 4
"""Decimals of a difference in a sentence."""
NAMES: dict[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "tukey": "Tukey",
    "dunnett": "Dunnett",
}


class Pair(NotedRow, record="pair"):
    """Two summarizers on one measure, over the topics that both have; None where undefined, with the reason."""

    measure: str
    a: str
    b: str
    difference: float | None
    """Mean of a minus b."""
    lower: float | None
    upper: float | None
    p: float | None
    """Two-sided; of the permutation test unless limits are simultaneous."""
    p_adjusted: float | None
    """Adjusted for the pairs of this measure."""
    effect: float | None
    """Cohen's d_z: difference / standard deviation of the differences."""
    win: int
    """Topics on which a is better."""
    tie: int
    loss: int
    n: int
    sentence: str
    better: str
    """Who is significantly better; empty if undecided, or if the measure only describes."""
    exact: bool
    """Whether p counts all sign flips, not a sample."""
    least_p: float | None
    """The smallest p_adjusted that this number of topics and pairs allows, whatever the scores."""
    correction: PairCorrection
    confidence: float
    method: IntervalMethod
    seed: int
    df: float | None = None
    """Degrees of freedom of the interval."""
    assessors: Assessors = "fixed"
    higher_is_better: bool = hidden(default=True)
    is_descriptive: bool = hidden(default=False)
    """Whether neither high nor low values are better."""
    family: int = hidden(default=1)
    """How many pairs were tested."""
    permutations: int = hidden(default=0)

    @property
    def possible(self) -> bool:
        """Whether any scores on these topics could have reached significance."""
        return self.least_p is None or self.least_p <= self._level

    @property
    def _level(self) -> float:
        return (1 - self.confidence / 100) * (1 + 1e-12)

    def concluded(self) -> Pair:
        """With who is better, the finding in plain words, and why something is undefined."""
        decided = replace(self, better=self._better())
        return replace(decided, sentence=decided._sentence(), reason=self._reason())

    def _better(self) -> str:
        """The test decides, after correction."""
        if not self.is_decided or self.is_descriptive:
            return ""
        return self.a if ((self.difference or 0) > 0) == self.higher_is_better else self.b

    @property
    def is_decided(self) -> bool:
        """Whether the two differ significantly, after correction."""
        return self.p_adjusted is not None and self.p_adjusted <= self._level and bool(self.difference)

    def _reason(self) -> str:
        if self.n == 0:
            return "no topic has scores of both"
        spread = "the differences do not vary" if self.n > 1 else "a single difference has no spread"
        return together(
            why_no_limits(self.method) if self.lower is None else "",
            spread if self.effect is None else "",
            "only permutation tests have a least p" if self.least_p is None else "",
            "a bootstrap has no degrees of freedom" if self.method in ("percentile", "studentized") else "",
        )

    def _sentence(self) -> str:
        if self.difference is None or self.p is None:
            return f"{self.a} and {self.b} can't be compared on {self.measure}: no topic has scores of both."
        topics = counted(self.n, "topic")
        undecided = f"Undecided: no significant difference between {self.a} and {self.b} on {self.measure}"
        if self.tie == self.n:
            return f"{undecided}; equal on all {topics}."
        if self.is_decided:
            return self._better_sentence(topics)
        difference, interval = _size(self.difference), self._interval(self.lower, self.upper)
        if not self.possible:
            means = topics if self.exact else f"{self.permutations:,} permutations"
            alone = " without correction" if self.family > 1 else ""
            if self.n == 1:
                return f"{undecided}: one topic can't show significance (difference {difference})."
            return (
                f"{undecided}, and with {means} none could be found: p can't be below {self.least_p:.3g}"
                f"{self._corrected()} (difference {difference}, {interval}; {p_in_words(self.p)}{alone})."
            )
        excluded = self.lower is not None and self.upper is not None and not self.lower <= 0 <= self.upper
        although = ", although the t interval excludes 0 (unreliable with so few topics)"
        return (
            f"{undecided}: {difference} over {topics} ({interval}; {self._test}{self._chance()})"
            f"{although if excluded and self.family == 1 else ''}."
        )

    @property
    def _test(self) -> str:
        return "" if self.method == "simultaneous" else "permutation test: "

    def _better_sentence(self, topics: str) -> str:
        """Who is better (of a measure that describes: higher), by how much, whichever way the pair was named."""
        is_first = (self.difference or 0) > 0 if self.is_descriptive else self.better == self.a
        winner, loser = (self.a, self.b) if is_first else (self.b, self.a)
        win, loss = (self.win, self.loss) if is_first else (self.loss, self.win)
        better, worse = ("higher", "lower") if self.is_descriptive else ("better", "worse")
        low, high = self.lower, self.upper
        if low is not None and high is not None and (self.difference or 0) < 0:
            low, high = -high, -low
        but = " The interval includes 0, so treat this with caution." if low is not None and low <= 0 else ""
        return (
            f"{winner} is {better} than {loser} on {self.measure}: by {_size(abs(self.difference or 0))} on average "
            f"over {topics} ({self._interval(low, high)}; {self._test}{self._chance()}); {better} on {win:,}, "
            f"equal on {self.tie:,}, {worse} on {loss:,}.{but}"
        )

    def in_numbers(self, digits: int) -> str:
        """The difference with its interval and p: `0.10 (95 % confidence interval: …; p < 0.001)`."""
        interval = self._interval(self.lower, self.upper, digits)
        return f"{_size(self.difference or 0, digits)} ({interval}; {self._test}{self._chance()})"

    def _interval(self, low: float | None, high: float | None, digits: int = DIGITS) -> str:
        if low is None or high is None:
            return "no interval"
        pooled = " with pooled variance" if self.method == "t" else ""
        many = "simultaneous " if self.method == "simultaneous" and self.family > 1 else ""
        return f"{self.confidence:g} % {many}confidence interval{pooled}: {_size(low, digits)} to {_size(high, digits)}"

    def _chance(self) -> str:
        p, corrected = self.p or 0.0, self.p_adjusted or 0.0
        if self.method == "simultaneous":
            adjusted_for = f" adjusted for {self.family} pairs ({NAMES[self.correction]})" if self.family > 1 else ""
            return f"{p_in_words(corrected)}{adjusted_for}"
        if not (correction := self._corrected()):
            return p_in_words(p)
        after = f"{p_in_words(corrected)}{correction}"
        return f"{p_in_words(p)}, but {after}" if p <= self._level < corrected else after

    def _corrected(self) -> str:
        """How p was corrected, if it was."""
        corrected = self.family > 1 and self.correction != "none"
        return f" after {NAMES.get(self.correction)} correction for {self.family} pairs" if corrected else ""


def chosen_pairs(summarizers: Sequence[str], options: CompareOptions) -> list[tuple[str, str]]:
    """The pairs that were asked for: by name, every summarizer against one, or all; each pair once.

    A pair that is asked for both ways is tested once, as it was named first: else the correction would count it twice.
    """
    if options.all_pairs and (options.pair or options.against is not None):
        raise UsageError("--all-pairs compares every pair: leave out --pair and --against, or leave out --all-pairs")
    chosen = list(combinations(summarizers, 2)) if options.all_pairs else list(options.pair)
    named = [name for pair in chosen for name in pair] if not options.all_pairs else []
    if options.against is not None:
        named.append(options.against)
        chosen += [(who, options.against) for who in summarizers if who != options.against]
    for who in named:
        check_known(who, summarizers, f"no summarizer {who!r}")
    for first, second in chosen:
        if first == second:
            raise UsageError(f"pair {first} {second}: expected two different summarizers")
    once: dict[frozenset[str], tuple[str, str]] = {}
    for first, second in chosen:
        once.setdefault(frozenset((first, second)), (first, second))
    return list(once.values())


@dataclass(frozen=True, kw_only=True, eq=False)
class _Tested:
    """For each pair its difference, limits and p values, and how they were found."""

    difference: Floats
    lower: Floats
    upper: Floats
    p: Floats
    p_adjusted: Floats
    df: Floats
    correction: PairCorrection
    method: IntervalMethod
    family: int


def compare_pairs(
    matrix: ScoreMatrix,
    analysis: Analysis,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    *,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> list[Pair]:
    """Compare pairs on one measure; p values are adjusted for these pairs."""
    if not pairs:
        return []
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    there = [place for place, (a, b) in enumerate(pairs) if a in row and b in row]
    differences = np.full((len(pairs), matrix.values.shape[1]), np.nan)
    rows = [(row[a], row[b]) for a, b in map(pairs.__getitem__, there)]
    differences[there] = paired_differences(matrix.values, rows)
    together_ = options.simultaneous or analysis.random is not None
    error = analysis.random is not None or (analysis.anova is not None and analysis.anova.mean_square > 0)
    if together_ and error:
        tests = paired_tests(differences, permutations=None)
        at = np.array([(row.get(a, -1), row.get(b, -1)) for a, b in pairs])
        tested = _simultaneous(tests, at, analysis, _family(options, len(matrix.summarizers), len(pairs)))
    else:
        source = Source(matrix.values, rows) if len(rows) == len(pairs) else None
        tests = paired_tests(
            differences, permutations=options.permutations, seed=seed, progress=progress, source=source
        )
        tested = _permuted(tests, differences, analysis, options, seed)
    compared: list[Pair] = []
    for place, (a, b) in enumerate(pairs):
        wins, losses = int(tests.higher[place]), int(tests.lower[place])
        n = int(tests.n[place])
        least = None
        if n and tested.method != "simultaneous":
            alone = least_p(n, permutations=options.permutations)
            least = least_adjusted(alone, tests=tested.family, correction=options.correction or "holm")
        pair = Pair.of(
            entry(tested, place),
            entry(tests, place),
            options,
            matrix,
            a=a,
            b=b,
            win=wins if matrix.higher_is_better else losses,
            tie=int(tests.equal[place]),
            loss=losses if matrix.higher_is_better else wins,
            sentence="",
            better="",
            least_p=least,
            assessors=analysis.assessors,
            seed=seed,
            note=analysis.about,
        )
        compared.append(pair.concluded())
    return compared


def _family(options: CompareOptions, groups: int, pairs: int) -> tuple[Family, int]:
    """Which distribution serves all pairs, and its number of groups or comparisons."""
    if options.all_pairs:
        return "tukey", groups
    if options.against is not None and not options.pair:
        return "dunnett", pairs
    return "bonferroni", pairs


def _simultaneous(tests: PairedTests, at: Integers, analysis: Analysis, family: tuple[Family, int]) -> _Tested:
    """Limits and adjusted p from one distribution: 0 is outside the limits exactly when p is below the level.

    The error is that of the two-way analysis, or with random assessors each pair's own.
    """
    kind, count = family
    there = (tests.n > 0) & (at >= 0).all(axis=1)
    shape = len(tests.n)
    difference, error, freedom = tests.difference.copy(), np.full(shape, np.nan), np.full(shape, np.nan)
    if analysis.random is not None:
        differences, variances, pair_freedom = analysis.random.pairs
        first, second = at[there].T
        difference[there] = differences[first, second]
        error[there], freedom[there] = np.sqrt(variances[first, second]), pair_freedom[first, second]
    elif analysis.anova is not None:
        error[there] = np.sqrt(2 * analysis.anova.mean_square / tests.n[there])
        freedom[there] = analysis.anova.degrees_of_freedom
    critical, p, corrected = (np.full(shape, np.nan) for _ in range(3))
    t = difference[there] / error[there]
    critical[there] = critical_t(kind, count, freedom[there], confidence=analysis.confidence)
    p[there] = t_p(t, freedom[there])
    corrected[there] = adjusted_p(kind, count, t, freedom[there])
    return _Tested(
        difference=difference,
        lower=difference - critical * error,
        upper=difference + critical * error,
        p=p,
        p_adjusted=corrected,
        df=freedom,
        correction=kind,
        method="simultaneous",
        family=int(there.sum()),
    )


def _permuted(
    tests: PairedTests, differences: Floats, analysis: Analysis, options: CompareOptions, seed: int
) -> _Tested:
    """The permutation test, corrected; limits of each pair alone."""
    correction = options.correction or "holm"
    method = options.mean_interval
    lower, upper = mean_limits(differences, analysis.anova, options, seed, differences=True)
    freedom = np.full(len(differences), np.nan)
    if method == "t" and analysis.anova is not None:
        freedom[:] = analysis.anova.degrees_of_freedom
    elif method == "own":
        freedom = np.where(tests.n > 1, tests.n - 1.0, np.nan)
    return _Tested(
        difference=tests.difference,
        lower=lower,
        upper=upper,
        p=tests.p,
        p_adjusted=adjusted(tests.p, correction=correction),
        df=freedom,
        correction=correction,
        method=method,
        family=int((~np.isnan(tests.p)).sum()),
    )


def mean_limits(
    values: Floats, anova: TwoWayAnova | None, options: CompareOptions, seed: int, *, differences: bool = False
) -> Limits:
    """Limits of the means of rows (summarizers or pairs × topics, NaN where there is no value).

    "t" takes the two-way residual variance of all summarizers, "own" each row's variance, as in the paired t test,
    "percentile" and "studentized" resample topics.
    """
    if options.mean_interval == "t":
        return t_intervals(values, anova, confidence=options.confidence, differences=differences)
    if options.mean_interval == "own":
        return own_intervals(values, confidence=options.confidence)
    resample = bootstrap_intervals if options.mean_interval == "percentile" else studentized_intervals
    return resample(values, confidence=options.confidence, resamples=options.resamples, seed=seed)


def why_no_limits(method: IntervalMethod) -> str:
    """Why a mean or a difference has no interval."""
    if method == "studentized":
        return f"a studentized interval needs at least {FEWEST_STUDENTIZED} topics with scores that vary"
    return "no degree of freedom is left for an interval"


def _size(value: float, digits: int = DIGITS) -> str:
    """A difference for people: with so many decimals, more where it is smaller than that."""
    return number(value, digits) if abs(value) >= 10 ** (1 - digits) or value == 0 else f"{value:.2g}".replace("-", "−")
