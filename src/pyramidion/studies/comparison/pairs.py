"""Is B better than A: the paired difference on shared topics, with interval, permutation test and a plain sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, check_known
from pyramidion.options import CompareOptions, Correction
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, t_difference_intervals
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.pairs import least_p, paired_differences, paired_tests
from pyramidion.statistics.variance import TwoWayAnova
from pyramidion.tables import NotedRow, hidden
from pyramidion.wording import counted, number, p_in_words, together

Limits = tuple[Floats, Floats]
NAMES: dict[Correction, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "none": "",
}


@dataclass(frozen=True, kw_only=True)
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
    sentence: str
    better: str
    """Who is significantly better; empty if undecided."""
    exact: bool
    """Whether p counts all sign flips, not a sample."""
    least_p: float | None
    """The smallest p_adjusted that this number of topics and pairs allows, whatever the scores."""
    correction: Correction
    confidence: float
    method: str
    seed: int
    higher_is_better: bool = hidden(default=True)
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
        if self.p_adjusted is None or not self.p_adjusted <= self._level or not self.difference:
            return ""
        return self.a if (self.difference > 0) == self.higher_is_better else self.b

    def _reason(self) -> str:
        if self.n == 0:
            return "no topic has scores of both"
        spread = "the differences do not vary" if self.n > 1 else "a single difference has no spread"
        return together(
            "no degree of freedom is left for an interval" if self.lower is None else "",
            spread if self.effect is None else "",
        )

    def _sentence(self) -> str:
        if self.difference is None or self.p is None:
            return f"{self.a} and {self.b} can't be compared on {self.measure}: no topic has scores of both."
        topics = counted(self.n, "topic")
        undecided = f"Undecided: no significant difference between {self.a} and {self.b} on {self.measure}"
        if self.tie == self.n:
            return f"{undecided}; equal on all {topics}."
        if self.better:
            return self._better_sentence(topics)
        difference, interval = _size(self.difference), self._interval(self.lower, self.upper)
        if not self.possible:
            means = topics if self.exact else f"{self.permutations:,} permutations"
            alone = " without correction" if self.family > 1 else ""
            return (
                f"{undecided}, and with {means} none could be found: p can't be below {self.least_p:.3g}"
                f"{self._corrected()} (difference {difference}, {interval}; {p_in_words(self.p)}{alone})."
            )
        excluded = self.lower is not None and self.upper is not None and not self.lower <= 0 <= self.upper
        although = ", although the t interval excludes 0 (unreliable with so few topics)"
        return (
            f"{undecided}: {difference} over {topics} ({interval}; permutation test: {self._chance()})"
            f"{although if excluded and self.family == 1 else ''}."
        )

    def _better_sentence(self, topics: str) -> str:
        """Who is better, by how much: the size of the difference, whichever way the pair was named."""
        loser, win, loss = (self.b, self.win, self.loss) if self.better == self.a else (self.a, self.loss, self.win)
        low, high = self.lower, self.upper
        if low is not None and high is not None and (self.difference or 0) < 0:
            low, high = -high, -low
        but = " The interval includes 0, so treat this with caution." if low is not None and low <= 0 else ""
        return (
            f"{self.better} is better than {loser} on {self.measure}: by {_size(abs(self.difference or 0))} on average "
            f"over {topics} ({self._interval(low, high)}; permutation test: {self._chance()}); better on {win}, equal "
            f"on {self.tie}, worse on {loss}.{but}"
        )

    def _interval(self, low: float | None, high: float | None) -> str:
        if low is None or high is None:
            return "no interval"
        pooled = " with pooled variance" if self.method == "t" else ""
        return f"{self.confidence:g} % confidence interval{pooled}: {_size(low)} to {_size(high)}"

    def _chance(self) -> str:
        p, corrected = self.p or 0.0, self.p_adjusted or 0.0
        if not (correction := self._corrected()):
            return p_in_words(p)
        after = f"{p_in_words(corrected)}{correction}"
        return f"{p_in_words(p)}, but {after}" if p <= self._level < corrected else after

    def _corrected(self) -> str:
        """How p was corrected, if it was."""
        corrected = self.family > 1 and self.correction != "none"
        return f" after {NAMES[self.correction]} correction for {self.family} pairs" if corrected else ""


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


def compare_pairs(
    matrix: ScoreMatrix,
    anova: TwoWayAnova | None,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    *,
    seed: int,
    note: str,
    progress: Callable[[int], None] | None = None,
) -> list[Pair]:
    """Compare pairs on one measure; the correction is over these pairs."""
    if not pairs:
        return []
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    there = [place for place, (a, b) in enumerate(pairs) if a in row and b in row]
    differences = np.full((len(pairs), matrix.values.shape[1]), np.nan)
    differences[there] = paired_differences(matrix.values, [(row[a], row[b]) for a, b in map(pairs.__getitem__, there)])
    tests = paired_tests(differences, permutations=options.permutations, seed=seed, progress=progress)
    corrected = adjusted(tests.p, correction=options.correction)
    lower, upper = mean_limits(differences, anova, options, seed, t=t_difference_intervals)
    tested = int((~np.isnan(tests.p)).sum())
    compared: list[Pair] = []
    for place, (a, b) in enumerate(pairs):
        wins, losses = int(tests.higher[place]), int(tests.lower[place])
        n = int(tests.n[place])
        least = least_adjusted(
            least_p(n, permutations=options.permutations), tests=tested, correction=options.correction
        )
        pair = Pair.of(
            options,
            matrix,
            a=a,
            b=b,
            difference=float(tests.difference[place]),
            lower=float(lower[place]),
            upper=float(upper[place]),
            p=float(tests.p[place]),
            p_adjusted=float(corrected[place]),
            effect=float(tests.effect[place]),
            win=wins if matrix.higher_is_better else losses,
            tie=int(tests.equal[place]),
            loss=losses if matrix.higher_is_better else wins,
            n=n,
            sentence="",
            better="",
            exact=bool(tests.exact[place]),
            least_p=least if n else None,
            method=options.interval,
            seed=seed,
            note=note,
            family=tested,
        )
        compared.append(pair.concluded())
    return compared


def mean_limits(
    values: Floats, anova: TwoWayAnova | None, options: CompareOptions, seed: int, *, t: Callable[..., Limits]
) -> Limits:
    """Limits of the means of rows (summarizers or pairs × topics, NaN where there is no value).

    "t" takes the two-way residual variance of all summarizers, "own" each row's variance, as in the paired t test, and
    "percentile" resamples topics.
    """
    if options.interval == "t":
        return t(values, anova, confidence=options.confidence)
    if options.interval == "own":
        return own_intervals(values, confidence=options.confidence)
    return bootstrap_intervals(values, confidence=options.confidence, resamples=options.resamples, seed=seed)


def _size(value: float) -> str:
    """A difference for people: four decimals, more digits where it is smaller than that."""
    return number(value, 4) if abs(value) >= 0.001 or value == 0 else f"{value:.2g}".replace("-", "−")
