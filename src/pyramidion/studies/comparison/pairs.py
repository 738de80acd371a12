"""Is B better than A: the paired difference on shared topics, tested with the scores of these two alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, check_known
from pyramidion.options import Assessors, CompareOptions, Correction, MeanInterval, PairMethod
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import NotedRow, hidden
from pyramidion.show.wording import counted, defined, number, p_in_words, together
from pyramidion.statistics.intervals import (
    FEWEST_STUDENTIZED,
    bootstrap_intervals,
    own_intervals,
    studentized_intervals,
    t_intervals,
)
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.pairs import MOST_FLIPPED, PairedTests, paired_differences, paired_tests
from pyramidion.statistics.sign_flips import EXHAUSTIVE, Source, fewest_topics, least_sign_flip_p
from pyramidion.statistics.values import t_critical, t_p
from pyramidion.statistics.variance import OwnVarianceTests, TwoWayAnova, own_variance_tests, tests_from_p
from pyramidion.studies.comparison.assessors import (
    FEW_CONTRASTS,
    JudgedSummaries,
    RandomAssessors,
    treat_assessors,
)

Limits = tuple[Floats, Floats]
DIGITS = 4
"""Decimals of a difference in a sentence."""
FEW_DIFFERENCES = 3
"""With fewer differences, that most of them are equal says nothing."""
NAMES: Mapping[Correction, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
}
TESTS: Mapping[PairMethod, str] = {"t": "paired t test", "sign-flip": "sign-flip test"}
MIXED = "mixed model"
"""The test of a pair whose assessors are treated as a random sample."""


class Pair(NotedRow, record="pair"):
    """Two summarizers on one measure, over the topics that both have; None where undefined, with the reason."""

    measure: str
    a: str
    b: str
    difference: float | None
    """Mean difference; above 0 if a is better, also where lower scores are better."""
    lower: float | None
    """Limits of the difference; of several pairs at the Bonferroni level."""
    upper: float | None
    p: float | None
    """Two-sided, of the chosen method."""
    p_adjusted: float | None
    """Adjusted for the pairs of this measure."""
    p_permutation: float | None
    """Two-sided, of the sign-flip test, whichever the method."""
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
    """Whether p_permutation counts all sign flips, not a sample."""
    least_p: float | None
    """Sign-flip test: the smallest p_adjusted that this number of topics and pairs allows, whatever the scores."""
    correction: Correction
    confidence: float
    method: PairMethod
    seed: int
    df: float | None = None
    """Degrees of freedom of the t test."""
    assessors: Assessors = "fixed"
    is_descriptive: bool = hidden(default=False)
    """Whether neither high nor low values are better."""
    family: int = hidden(default=1)
    """How many pairs were tested."""
    permutations: int = hidden(default=0)
    most_equal: int = hidden(default=0)
    """How many differences have the value that is most frequent among them."""
    left_out: int = hidden(default=0)
    """Topics on which only one of the two has a score."""
    assessor_count: int = hidden(default=0)
    """How many assessors judged the two, where they are treated as a random sample."""
    cautions: tuple[str, ...] = hidden(default=())
    """What one must know to read the result, in sentences."""

    @property
    def possible(self) -> bool:
        """Whether any scores on these topics could have reached significance."""
        return self.least_p is None or self.least_p <= self._level

    @property
    def _level(self) -> float:
        return (1 - self.confidence / 100) * (1 + 1e-12)

    def concluded(self) -> Pair:
        """With who is better, the finding in plain words, cautions, and why something is undefined."""
        decided = replace(self, better=self._better(), cautions=tuple(filter(None, self._cautions())))
        note = together(self.note, *(caution.rstrip(".") for caution in decided.cautions))
        return replace(decided, sentence=decided._sentence(), note=note, reason=self._reason())

    def _better(self) -> str:
        """The test decides, after correction."""
        if not self.is_decided or self.is_descriptive:
            return ""
        return self.a if (self.difference or 0) > 0 else self.b

    @property
    def is_decided(self) -> bool:
        """Whether the two differ significantly, after correction."""
        return self.p_adjusted is not None and self.p_adjusted <= self._level and bool(self.difference)

    def _cautions(self) -> list[str]:
        """What one must know to read the result; it depends on the scores of the two systems alone."""
        return [
            self._about_other_test(),
            self._about_equal_differences(),
            self._about_spread(),
            self._about_assessors(),
        ]

    def _about_other_test(self) -> str:
        """Where the chosen test and the permutation test fall on different sides of the level."""
        if self.p is None or self.p_permutation is None or self.effect is None:
            return ""
        if (self.p <= self._level) == (self.p_permutation <= self._level):
            return ""
        assumes = (
            "which takes the assessors as given" if self.assessors == "random" else "which assumes no distribution"
        )
        least = 2.0 ** (1 - self.n)
        bound = f" (it can't be below {least:.3g} with {counted(self.n, 'topic')})" if least > self._level else ""
        return (
            f"The verdict depends on the test: {p_in_words(self.p)} by the {self._test}, "
            f"{p_in_words(self.p_permutation)} by the permutation test, {assumes}{bound}."
        )

    def _about_equal_differences(self) -> str:
        if self.lower is None or self.n < FEW_DIFFERENCES or 2 * self.most_equal <= self.n:
            return ""
        return f"{self.most_equal:,} of {self.n:,} differences are equal to each other: the interval may be too short."

    def _about_spread(self) -> str:
        """Where the t test is undefined and another p is given."""
        undefined = self.method == "t" and self.assessors == "fixed" and self.df is None
        if not undefined or self.n < 2 or not self.difference:
            return ""
        return f"All {self.n:,} differences are equal, so there is no t test: p is that of the permutation test."

    def _about_assessors(self) -> str:
        if self.assessors == "fixed" or self.assessor_count - 1 >= FEW_CONTRASTS:
            return ""
        return f"With {self.assessor_count} assessors, the error rate of a test at the 5 % level may be 7 %."

    def _reason(self) -> str:
        if self.n == 0:
            return "no topic has scores of both"
        spread = "the differences do not vary" if self.n > 1 else "a single difference has no spread"
        no_limits = self.lower is None and self.method == "sign-flip"
        return together(
            spread if self.effect is None else "",
            f"a sign-flip interval at this level needs {self._needed()}" if no_limits else "",
            "only sign-flip tests have a least p" if self.least_p is None else "",
            "a sign-flip test has no degrees of freedom" if self.method == "sign-flip" else "",
            f"no permutation test for more than {MOST_FLIPPED:,} topics" if self.p_permutation is None else "",
        )

    def _needed(self) -> str:
        """What the sign-flip test needs to reach the level of the interval."""
        if not self.exact:
            return "more permutations"
        fewest = fewest_topics(self._interval_confidence)
        return f"more than {EXHAUSTIVE} topics" if fewest is None else f"at least {fewest} topics"

    @property
    def _interval_confidence(self) -> float:
        return interval_confidence(self.confidence, self.family, self.correction)

    def _sentence(self) -> str:
        if self.difference is None or self.p is None:
            return f"{self.a} and {self.b} can't be compared on {self.measure}: no topic has scores of both."
        topics = self._topics()
        undecided = f"Undecided: no significant difference between {self.a} and {self.b} on {self.measure}"
        if self.tie == self.n:
            return f"{undecided}; equal on all {topics}."
        if self.is_decided:
            return self._better_sentence(topics)
        difference = _size(self.difference)
        if self.n == 1:
            return f"{undecided}: one topic can't show significance (difference {difference})."
        interval = self._interval(self.lower, self.upper)
        if not self.possible:
            means = topics if self.exact else f"{self.permutations:,} permutations"
            alone = " without correction" if self.family > 1 else ""
            return (
                f"{undecided}, and with {means} none could be found: p can't be below {self.least_p:.3g}"
                f"{self._corrected()} (difference {difference}, {interval}; {p_in_words(self.p)}{alone})."
            )
        return f"{undecided}: {difference} over {topics} ({interval}; {self._test}: {self._chance()})."

    def _topics(self) -> str:
        """How many topics were compared; it is said where others had to be left out."""
        if not self.left_out:
            return counted(self.n, "topic")
        return f"{counted(self.n, 'topic')} that both have ({counted(self.left_out, 'other')} left out)"

    @property
    def _test(self) -> str:
        return MIXED if self.assessors == "random" else TESTS[self.method]

    def _better_sentence(self, topics: str) -> str:
        """Who is better (of a measure that describes: higher), by how much, whichever way the pair was named."""
        is_first = (self.difference or 0) > 0
        winner, loser = (self.a, self.b) if is_first else (self.b, self.a)
        win, loss = (self.win, self.loss) if is_first else (self.loss, self.win)
        better, worse = ("higher", "lower") if self.is_descriptive else ("better", "worse")
        low, high = self.lower, self.upper
        if low is not None and high is not None and (self.difference or 0) < 0:
            low, high = -high, -low
        includes = " The interval, corrected for all pairs at once, includes 0: the test is a little more powerful."
        return (
            f"{winner} is {better} than {loser} on {self.measure}: by {_size(abs(self.difference or 0))} on average "
            f"over {topics} ({self._interval(low, high)}; {self._test}: {self._chance()}); {better} on {win:,}, "
            f"equal on {self.tie:,}, {worse} on {loss:,}.{includes if low is not None and low <= 0 else ''}"
        )

    def in_numbers(self, digits: int) -> str:
        """The difference with its interval and p: `0.10 (95 % confidence interval: …; paired t test: p < 0.001)`."""
        interval = self._interval(self.lower, self.upper, digits)
        return f"{_size(self.difference or 0, digits)} ({interval}; {self._test}: {self._chance()})"

    def _interval(self, low: float | None, high: float | None, digits: int = DIGITS) -> str:
        if low is None or high is None:
            return f"no interval: the test needs {self._needed()}" if self.method == "sign-flip" else "no interval"
        many = "simultaneous " if self.family > 1 and self.correction != "none" else ""
        return f"{self.confidence:g} % {many}confidence interval: {_size(low, digits)} to {_size(high, digits)}"

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


def interval_confidence(confidence: float, pairs: int, correction: Correction) -> float:
    """The confidence of one of several intervals, in per cent: at the Bonferroni level, unless nothing is corrected."""
    return confidence if correction == "none" else 100 - (100 - confidence) / max(pairs, 1)


def chosen_pairs(summarizers: Sequence[str], options: CompareOptions) -> list[tuple[str, str]]:
    """The pairs that were asked for: by name, every summarizer against one, or all; each pair once.

    A pair that is asked for both ways is tested once, as it was named first: else the correction would count it twice.
    """
    if options.all_pairs and (options.pair or options.against is not None):
        raise UsageError(
            "`all_pairs=True` compares every pair: leave out `pair=` and `against=`, or leave out `all_pairs=`"
        )
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


class PairFits:
    """How the assessors of a question are treated in each pair, from the judgments of its two systems alone."""

    def __init__(
        self,
        judged: JudgedSummaries | None,
        options: CompareOptions,
        *,
        measure: str,
        asked: Assessors | None,
        seed: int,
    ) -> None:
        self._judged = judged
        self._options = options
        self._measure = measure
        self._asked = asked
        self._seed = seed
        self._found: dict[tuple[str, str], RandomAssessors | str] = {}

    def of(self, a: str, b: str) -> RandomAssessors | str:
        """The mixed model of two systems, or what their comparison holds for where assessors are as given."""
        if self._judged is None:
            return ""
        if (a, b) not in self._found:
            self._found[a, b] = treat_assessors(
                self._judged.of((a, b)),
                (a, b),
                self._asked,
                measure=f"{self._measure} for {a} and {b}",
                confidence=self._options.confidence,
                seed=self._seed,
            )
        return self._found[a, b]


def fit_all_pairs(values: Floats, summarizers: Sequence[str], fits: PairFits, *, confidence: float) -> OwnVarianceTests:
    """Test all pairs with Holm's correction, each by the mixed model of its two systems' judgments.

    A pair whose assessors can't be treated as random has a paired t test.
    """
    found = own_variance_tests(values, confidence=confidence)
    differences, p = found.differences.copy(), found.p.copy()
    for first, second in combinations(range(len(summarizers)), 2):
        fit = fits.of(summarizers[first], summarizers[second])
        if isinstance(fit, RandomAssessors) and not np.isnan(p[first, second]):
            apart, variances, freedom = fit.pairs
            differences[first, second], differences[second, first] = apart[0, 1], apart[1, 0]
            t = apart[0, 1] / np.sqrt(variances[0, 1])
            p[first, second] = p[second, first] = float(t_p(t, freedom[0, 1]))
    return tests_from_p(differences, p, confidence=confidence)


def compare_pairs(
    matrix: ScoreMatrix,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    *,
    fits: PairFits,
    notes: Mapping[tuple[str, str], str],
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> list[Pair]:
    """Compare pairs on one measure, each by the scores of its two systems; p values are adjusted for these pairs.

    Args:
        matrix: the scores.
        pairs: who is compared with whom.
        options: how.
        fits: how assessors are treated.
        notes: by pair, what one must know about its scores.
        seed: of the sign flips.
        progress: called with the number of sign flips done since the last call.
    """
    if not pairs:
        return []
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    there = [place for place, (a, b) in enumerate(pairs) if a in row and b in row]
    rows = [(row[a], row[b]) for a, b in map(pairs.__getitem__, there)]
    differences = np.full((len(pairs), matrix.values.shape[1]), np.nan)
    differences[there] = paired_differences(matrix.values, rows)
    if not matrix.higher_is_better:
        differences = -differences
    only_one = np.zeros(len(pairs), dtype=np.int64)
    present = ~np.isnan(matrix.values)
    only_one[there] = [int((present[first] ^ present[second]).sum()) for first, second in rows]
    family = int((~np.isnan(differences)).any(axis=1).sum())
    level = interval_confidence(options.confidence, family, options.correction)
    tests = paired_tests(
        differences,
        method=options.method,
        confidence=level,
        permutations=options.permutations,
        seed=seed,
        progress=progress,
        source=Source(matrix.values, rows) if len(rows) == len(pairs) else None,
    )
    treated = [fits.of(a, b) if tests.n[place] else "" for place, (a, b) in enumerate(pairs)]
    tests = _with_random_assessors(tests, treated, matrix, options, level)
    p_adjusted = adjusted(tests.p, correction=options.correction)
    compared: list[Pair] = []
    for place, (a, b) in enumerate(pairs):
        fit = treated[place]
        held = fit if isinstance(fit, str) else ""
        least = None
        if options.method == "sign-flip" and tests.n[place]:
            alone = least_sign_flip_p(int(tests.n[place]), permutations=options.permutations)
            least = least_adjusted(alone, tests=family, correction=options.correction)
        pair = Pair(
            measure=matrix.measure,
            a=a,
            b=b,
            difference=defined(tests.difference[place]),
            lower=defined(tests.lower[place]),
            upper=defined(tests.upper[place]),
            p=defined(tests.p[place]),
            p_adjusted=defined(p_adjusted[place]),
            p_permutation=defined(tests.p_permutation[place]),
            effect=defined(tests.effect[place]),
            win=int(tests.wins[place]),
            tie=int(tests.ties[place]),
            loss=int(tests.losses[place]),
            n=int(tests.n[place]),
            sentence="",
            better="",
            exact=bool(tests.exact[place]),
            least_p=least,
            correction=options.correction,
            confidence=options.confidence,
            method=options.method,
            df=defined(tests.df[place]),
            is_descriptive=matrix.is_descriptive,
            permutations=options.permutations,
            most_equal=int(tests.most_equal[place]),
            family=family,
            left_out=int(only_one[place]),
            assessors="fixed" if isinstance(fit, str) else "random",
            assessor_count=0 if isinstance(fit, str) else fit.assessors,
            seed=seed,
            note=together(notes.get((a, b), ""), held.rstrip(".")),
        )
        compared.append(pair.concluded())
    return compared


def _with_random_assessors(
    tests: PairedTests,
    treated: Sequence[RandomAssessors | str],
    matrix: ScoreMatrix,
    options: CompareOptions,
    confidence: float,
) -> PairedTests:
    """Tests in which pairs with random assessors have the difference, limits and p of their own mixed model.

    Raises:
        UsageError: if a test was asked for that takes the assessors as given.
    """
    random = {place: fit for place, fit in enumerate(treated) if isinstance(fit, RandomAssessors)}
    if not random:
        return tests
    if options.method == "sign-flip":
        raise UsageError(
            '`method="sign-flip"` flips topics, which says nothing about other assessors: choose `method="t"`, or '
            '`assessors="fixed"`'
        )
    difference, lower, upper = tests.difference.copy(), tests.lower.copy(), tests.upper.copy()
    p, freedom = tests.p.copy(), tests.df.copy()
    for place, fit in random.items():
        differences, variances, pair_freedom = fit.pairs
        estimate = float(differences[0, 1]) if matrix.higher_is_better else -float(differences[0, 1])
        error, own_freedom = float(np.sqrt(variances[0, 1])), float(pair_freedom[0, 1])
        half = float(t_critical(confidence, own_freedom)) * error
        difference[place], lower[place], upper[place] = estimate, estimate - half, estimate + half
        p[place], freedom[place] = float(t_p(estimate / error, own_freedom)), own_freedom
    return replace(tests, difference=difference, lower=lower, upper=upper, p=p, df=freedom)


def mean_limits(values: Floats, anova: TwoWayAnova | None, options: CompareOptions, seed: int) -> Limits:
    """Limits of the means of rows (summarizers × topics, NaN where there is no value).

    "t" takes the two-way residual variance of all summarizers, "own" each row's variance, "percentile" and
    "studentized" resample topics.
    """
    if options.mean_interval == "t":
        return t_intervals(values, anova, confidence=options.confidence)
    if options.mean_interval == "own":
        return own_intervals(values, confidence=options.confidence)
    resample = bootstrap_intervals if options.mean_interval == "percentile" else studentized_intervals
    return resample(values, confidence=options.confidence, resamples=options.resamples, seed=seed)


def why_no_limits(method: MeanInterval) -> str:
    """Why a mean has no interval."""
    if method == "studentized":
        return f"a studentized interval needs at least {FEWEST_STUDENTIZED} topics with scores that vary"
    return "no degree of freedom is left for an interval"


def _size(value: float, digits: int = DIGITS) -> str:
    """A difference for people: with so many decimals, more where it is smaller than that."""
    return number(value, digits) if abs(value) >= 10 ** (1 - digits) or value == 0 else f"{value:.2g}".replace("-", "−")
