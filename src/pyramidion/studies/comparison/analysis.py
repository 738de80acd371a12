"""One measure of a comparison: where each summarizer stands, and which of them differ.

Means with their intervals, the analysis of variance with Tukey's test and letters, and Friedman's test with Nemenyi's.
Each is computed when it is first asked for: who wants to see variance components does not wait for letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Assessors, CompareOptions, LettersTest, MeanInterval
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import WordedRow, behind
from pyramidion.show.wording import defined
from pyramidion.statistics.friedman import FriedmanTest, friedman_test
from pyramidion.statistics.intervals import (
    bootstrap_intervals,
    own_intervals,
    residual_limits,
    studentized_intervals,
    t_intervals,
)
from pyramidion.statistics.letters import TukeyTest, assign_letters, rank_intervals, tukey_test
from pyramidion.statistics.moments import Moments
from pyramidion.statistics.values import SLACK, snap_ties
from pyramidion.statistics.variance import (
    OwnVarianceTests,
    PairSums,
    TwoWayAnova,
    VarianceCheck,
    check_variances,
    own_variance_tests,
    two_way_anova,
)
from pyramidion.studies.comparison.assessors import (
    ComponentRow,
    FixedAssessors,
    JudgedSummaries,
    RandomAssessors,
)
from pyramidion.studies.comparison.ordinal import OrdinalCheck, check_as_ordered
from pyramidion.studies.comparison.pairs import PairFits, fit_all_pairs

Limits = tuple[Floats, Floats]
DESCRIPTIVE = "neither high nor low is better"
"""What one must know of a measure that only describes, such as length."""
MOST_SUMMARIZERS = 1000
"""Beyond this nobody reads letters, and the pairs would fill the memory."""


class AnalysedRow(WordedRow):
    """A row of the analysis of one measure, which also explains what is undefined in it."""

    analysis: Analysis = behind()


class Standing(AnalysedRow, record="mean"):
    """A summarizer's place on one measure; what is undefined is None."""

    measure: str
    summarizer: str
    value: float
    """The mean over topics."""
    n: int
    missing: int
    lower: float | None
    upper: float | None
    confidence: float
    method: MeanInterval
    seed: int
    rank: int
    """By the adjusted mean, which the letters compare."""
    rank_lower: int | None = None
    """The best rank it may have: 1 + the number of summarizers significantly better, by the test behind the letters.

    All intervals of ranks on a measure hold together with the confidence of that test."""
    rank_upper: int | None = None
    """The worst rank it may have: the number of summarizers less those significantly worse."""
    letters: str | None = None
    """Two summarizers share a letter exactly when the test behind the letters finds no difference; A is the best."""
    letters_by: LettersTest | None = None
    """The test behind the letters: Tukey's, or paired t tests with Holm's correction."""
    adjusted: float | None = None
    """The least-squares mean: the mean itself unless topics are missing."""
    mean_rank: float | None = None


class AnovaRow(AnalysedRow, record="anova"):
    """A source of variance in the two-way analysis (type II sums of squares)."""

    measure: str
    source: str
    ss: float | None = None
    df: float | None = None
    ms: float | None = None
    f: float | None = None
    p: float | None = None
    assessors: Assessors = "fixed"


class TukeyRow(AnalysedRow, record="tukey"):
    """Tukey's test of all pairs on a measure."""

    measure: str
    q: float | None = None
    mse: float | None = None
    df: float | None = None
    critical_difference: float | None = None
    """None where scores are missing: it then differs from pair to pair, from `least` to `largest`."""
    least: float | None = None
    largest: float | None = None
    pairs: int | None = None
    """How many differ significantly."""
    confidence: float
    assessors: Assessors = "fixed"


class FriedmanRow(AnalysedRow, record="friedman"):
    """Friedman's test on ranks within topics, with Nemenyi's test of all pairs."""

    measure: str
    chi2: float | None = None
    df: int | None = None
    p: float | None = None
    exact: bool | None = None
    """Whether p counts the permutations of ranks within topics; if not, it is that of the χ² distribution."""
    nemenyi_difference: float | None = None
    topics: int = 0
    pairs: int | None = None
    confidence: float


class Difference(AnalysedRow, record="difference"):
    """A pair that differs by one of the tests; None where a test was not made."""

    measure: str
    a: str
    b: str
    difference: float | None
    """Of the least-squares means, a minus b."""
    tukey: bool | None
    nemenyi: bool | None
    paired: bool | None = None
    """By paired t tests with Holm's correction, where the letters come from them."""


class ComparedScores(Protocol):
    """The scores of one measure, as far as tests need them; every summarizer has at least one."""

    @property
    def summarizers(self) -> tuple[str, ...]:
        """The order of all arrays."""

    @property
    def means(self) -> Floats:
        """Of each summarizer, over the topics that it has."""

    @property
    def counts(self) -> Integers:
        """How many topics each summarizer has."""

    @property
    def topic_count(self) -> int:
        """How many topics have a score."""

    @property
    def are_sums(self) -> bool:
        """Whether only sums over topics are known."""

    def anova(self) -> TwoWayAnova | None:
        """The two-way analysis of variance; None if no degree of freedom is left for error."""

    def friedman(self, confidence: float) -> FriedmanTest | None:
        """Friedman's test; None if no topic is complete, or if there are too many summarizers."""

    def check_variances(self, seed: int) -> VarianceCheck | None:
        """Whether the variances of paired differences are equal."""

    def paired_tests(self, confidence: float) -> OwnVarianceTests:
        """Paired t tests of all pairs, with Holm's correction."""

    def mean_limits(self, anova: TwoWayAnova | None, options: CompareOptions, seed: int) -> Limits:
        """The interval of each summarizer's mean, with topics as given or resampled."""


@dataclass(frozen=True, eq=False)
class MatrixScores:
    """Scores as a matrix: summarizers × topics."""

    matrix: ScoreMatrix
    clusters: Integers | None = None
    """The number of each topic's cluster; None if topics are independent."""

    @property
    def summarizers(self) -> tuple[str, ...]:
        """The rows."""
        return self.matrix.summarizers

    @cached_property
    def means(self) -> Floats:
        """Of the rows, over the topics that each has."""
        means: Floats = np.nanmean(self.matrix.values, axis=1)
        return means

    @cached_property
    def counts(self) -> Integers:
        """How many topics each row has."""
        counts: Integers = (~np.isnan(self.matrix.values)).sum(axis=1)
        return counts

    @property
    def topic_count(self) -> int:
        """How many topics have a score."""
        return int((~np.isnan(self.matrix.values)).any(axis=0).sum())

    @property
    def are_sums(self) -> bool:
        """Every score is known."""
        return False

    def anova(self) -> TwoWayAnova | None:
        """The two-way analysis of variance."""
        return two_way_anova(self.matrix.values)

    def friedman(self, confidence: float) -> FriedmanTest | None:
        """Friedman's test over the topics that all summarizers have."""
        if len(self.summarizers) > MOST_SUMMARIZERS:
            return None
        return friedman_test(self.matrix.values, confidence=confidence)

    def check_variances(self, seed: int) -> VarianceCheck | None:
        """Whether the variances of paired differences are equal."""
        return check_variances(self.matrix.values, seed=seed)

    def paired_tests(self, confidence: float) -> OwnVarianceTests:
        """Paired t tests of all pairs, with Holm's correction."""
        return own_variance_tests(self.matrix.values, confidence=confidence, clusters=self.clusters)

    def mean_limits(self, anova: TwoWayAnova | None, options: CompareOptions, seed: int) -> Limits:
        """The interval of each summarizer's mean by the chosen method.

        "t" takes the two-way residual variance of all summarizers, "own" each row's variance, "percentile" and
        "studentized" resample topics. With clusters, "own" has their standard errors, and "percentile" resamples them.
        """
        values, clusters = self.matrix.values, self.clusters
        if clusters is not None and options.mean_interval == "own":
            return own_intervals(values, confidence=options.confidence, clusters=clusters)
        if clusters is not None:
            return bootstrap_intervals(
                values, confidence=options.confidence, resamples=options.resamples, seed=seed, clusters=clusters
            )
        if options.mean_interval == "t":
            return t_intervals(values, anova, confidence=options.confidence)
        if options.mean_interval == "own":
            return own_intervals(values, confidence=options.confidence)
        resample = bootstrap_intervals if options.mean_interval == "percentile" else studentized_intervals
        return resample(values, confidence=options.confidence, resamples=options.resamples, seed=seed)


@dataclass(frozen=True, kw_only=True, eq=False)
class SummedScores:
    """Scores of so many topics that only their sums are kept."""

    summarizers: tuple[str, ...]
    moments: Moments
    pair_sums: PairSums
    sample: Floats
    """Summarizers × topics, enough complete topics to see whether variances are equal."""

    @property
    def means(self) -> Floats:
        """Of each summarizer, over the topics that it has."""
        return self.moments.means

    @property
    def counts(self) -> Integers:
        """How many topics each summarizer has."""
        return self.moments.counts.astype(np.int64)

    @property
    def topic_count(self) -> int:
        """How many topics have a score."""
        return self.moments.columns

    @property
    def are_sums(self) -> bool:
        """Single scores are no longer known."""
        return True

    def anova(self) -> TwoWayAnova | None:
        """The two-way analysis of variance."""
        return self.moments.anova()

    def friedman(self, confidence: float) -> FriedmanTest | None:
        """Friedman's test over the topics that all summarizers have."""
        return self.moments.friedman(confidence)

    def check_variances(self, seed: int) -> VarianceCheck | None:
        """Whether the variances of paired differences are equal, by the sample."""
        return check_variances(self.sample, seed=seed)

    def paired_tests(self, confidence: float) -> OwnVarianceTests:
        """Paired t tests of all pairs, with Holm's correction."""
        return self.pair_sums.tests(confidence=confidence)

    def mean_limits(self, anova: TwoWayAnova | None, options: CompareOptions, seed: int) -> Limits:  # noqa: ARG002
        """The interval of each summarizer's mean from the residual variance; sums can't be resampled."""
        return residual_limits(self.means, self.counts, anova, confidence=options.confidence)


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """The standings and the tests of one measure; what can't be made is None.

    Nothing is computed before it is asked for, and everything once.
    """

    measure: str
    scores: ComparedScores
    options: CompareOptions
    seed: int = 0
    about: str = ""
    """What one must know about the measure's values."""
    assessor_model: RandomAssessors | FixedAssessors | None = None
    """How the assessors of a question are treated; None for an automatic measure."""
    judged: JudgedSummaries | None = None
    """The judgments behind a question."""
    pair_fits: PairFits | None = None
    """How assessors are treated in each pair, for letters from paired tests."""
    higher_is_better: bool = True
    is_descriptive: bool = False
    """Whether neither high nor low values are better."""
    has_unequal_models: bool = False
    """Whether some summarizers are scored with fewer models than others."""
    scale: tuple[float, float] | None = None
    """The lowest and the highest value, where intervals end."""
    topic_total: int = 0
    """How many topics there are, with those that have no score of this measure."""
    cluster: str = ""
    """The field by which topics belong together; tests that take them as independent are then left out."""

    @property
    def summarizers(self) -> tuple[str, ...]:
        """In the order of the tests' rows."""
        return self.scores.summarizers

    @property
    def confidence(self) -> float:
        """Of intervals and tests, in per cent."""
        return self.options.confidence

    @property
    def pair_count(self) -> int:
        """The number of pairs of summarizers."""
        return len(self.summarizers) * (len(self.summarizers) - 1) // 2

    @property
    def random(self) -> RandomAssessors | None:
        """The fit with assessors as random, where they are; Tukey's test and the adjusted means are then its."""
        if isinstance(self.assessor_model, RandomAssessors) and not self.are_too_many:
            return self.assessor_model
        return None

    @property
    def fixed(self) -> FixedAssessors | None:
        """The assessors of a question, where they are taken as given."""
        is_fixed = isinstance(self.assessor_model, FixedAssessors) and not self.is_alone
        return self.assessor_model if is_fixed else None  # type: ignore[return-value]

    @property
    def assessors(self) -> Assessors:
        """How assessors are treated."""
        return "random" if self.random else "fixed"

    @property
    def is_alone(self) -> bool:
        """Whether there is nobody to compare with."""
        return len(self.summarizers) < 2

    @property
    def are_too_many(self) -> bool:
        """Whether there are too many summarizers to compare them pair by pair."""
        return len(self.summarizers) > MOST_SUMMARIZERS

    # Tests of all summarizers

    @cached_property
    def anova(self) -> TwoWayAnova | None:
        """The two-way analysis of variance, system + topic."""
        return None if self.is_alone else self.scores.anova()

    @property
    def has_missing_scores(self) -> bool:
        """Whether scores are missing, so that adjusted means differ from plain ones."""
        return self.anova is not None and self.anova.missing > 0

    @property
    def score_count(self) -> int:
        """How many scores there are."""
        return int(self.scores.counts.sum())

    @cached_property
    def friedman(self) -> FriedmanTest | None:
        """Friedman's test of ranks within topics, with Nemenyi's of all pairs."""
        return None if self.is_alone or self.cluster else self.scores.friedman(self.confidence)

    @property
    def mean_ranks(self) -> Mapping[str, float]:
        """By summarizer, its mean rank within topics, which Nemenyi's test compares; 1 is the lowest value."""
        if self.friedman is None:
            return {}
        return dict(zip(self.summarizers, map(float, self.friedman.mean_ranks), strict=True))

    # Tests of all pairs, and the letters

    @cached_property
    def tukey(self) -> TukeyTest | None:
        """Tukey's test of all pairs."""
        return self.random.tukey() if self.random else self.tukey_as_given

    @cached_property
    def tukey_as_given(self) -> TukeyTest | None:
        """Tukey's test of all pairs with the assessors taken as given."""
        if self.anova is None or self.are_too_many or self.cluster:
            return None
        return tukey_test(self.anova, confidence=self.confidence)

    @cached_property
    def variances(self) -> VarianceCheck | None:
        """Whether the variances of paired differences are equal, where that decides about the letters."""
        if not self._can_pair or self.has_missing_scores or self.random or self.cluster:
            return None
        return self.scores.check_variances(self.seed)

    @property
    def has_unequal_variances(self) -> bool:
        """Whether systems vary unequally, so that one variance for all of them misleads."""
        return self.variances is not None and self.variances.unequal

    @property
    def has_only_constants(self) -> bool:
        """Whether systems differ by constants only: Tukey's test would call any difference significant, on two topics.

        The paired tests count the signs of the differences instead.
        """
        if self.anova is None or self.random or self.tukey is None:
            return False
        return self.anova.mean_square == 0 and self.tukey.pairs > 0

    @property
    def _can_pair(self) -> bool:
        """Whether every pair can be tested by itself."""
        return not self.are_too_many and self.anova is not None and self.anova.pieces == 1

    @cached_property
    def paired(self) -> OwnVarianceTests | None:
        """Paired t tests of all pairs with Holm's correction, where the letters come from them.

        That is where scores are missing, so that pairs are compared on the same topics as a pair that is asked for,
        where variances are unequal or the residual variance is zero, and where topics belong together.
        """
        if not self._can_pair or self.options.letters == "tukey":
            return None
        is_needed = self.has_missing_scores or self.has_unequal_variances or self.has_only_constants
        is_needed = is_needed or bool(self.cluster)
        if self.options.letters is None and not is_needed:
            return None
        tests = self.scores.paired_tests(self.confidence)
        if self.random is None or self.pair_fits is None:
            return tests
        return fit_all_pairs(tests, self.summarizers, self.pair_fits, confidence=self.confidence)

    @property
    def letters_test(self) -> TukeyTest | OwnVarianceTests | None:
        """The test behind the letters."""
        return self.paired or self.tukey

    @property
    def letters_by(self) -> LettersTest | None:
        """Which test is behind the letters."""
        if self.letters_test is None:
            return None
        return "paired" if self.paired else "tukey"

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """By summarizer, best first; two share a letter exactly when the test behind them finds no difference."""
        if self.letters_test is None:
            return {}
        letters = assign_letters(self.letters_test.differs, self._best_first)
        if not letters:
            return {}
        return {self.summarizers[row]: letters[row] for row in self._best_first}

    @cached_property
    def significantly_better(self) -> Bools | None:
        """Rows × rows: the row is significantly better than the column, by the test behind the letters.

        Where topics are missing, the mean difference over shared topics may have another sign than that of adjusted
        means.
        """
        sign = 1 if self.higher_is_better else -1
        if self.paired is not None:
            return self.paired.differs & (sign * np.nan_to_num(self.paired.differences) > 0)
        means = self._adjusted_means
        if self.tukey is None or means is None:
            return None
        return self.tukey.differs & (sign * (means[:, None] - means[None, :]) > 0)

    def undecided(self, best: str, summarizers: Iterable[str]) -> list[str] | None:
        """Which summarizers are not significantly worse than the best, by the test behind the letters.

        None without a test.
        """
        if self.significantly_better is None:
            return None
        row_of = {summarizer: row for row, summarizer in enumerate(self.summarizers)}
        is_better = self.significantly_better[row_of[best]]
        return [summarizer for summarizer in summarizers if not is_better[row_of[summarizer]]]

    @cached_property
    def ordinal(self) -> OrdinalCheck | None:
        """Whether the verdicts on pairs change when a question's answers are treated as ordered, not as numbers."""
        # The ordinal model knows no clusters.
        if self.judged is None or self.letters_test is None or self.cluster:
            return None
        return check_as_ordered(
            self.judged.judgments,
            self.summarizers,
            self.letters_test.differs,
            self.random.components if self.random else None,
            confidence=self.confidence,
        )

    @cached_property
    def rank_limits(self) -> Mapping[str, tuple[int, int]]:
        """By summarizer, the best and the worst rank that the test behind the letters leaves open, if there is one."""
        if self.significantly_better is None:
            return {}
        lower, upper = rank_intervals(self.significantly_better)
        limits = zip(map(int, lower), map(int, upper), strict=True)
        return dict(zip(self.summarizers, limits, strict=True))

    # Means and standings

    @property
    def _adjusted_means(self) -> Floats | None:
        if self.random:
            return self.random.components.means
        if self.anova is not None and self.anova.pieces == 1:
            return self.anova.row_means
        return None

    @cached_property
    def _best_first(self) -> list[int]:
        """Rows by adjusted means; equals by their names."""
        means = self._adjusted_means
        if means is None:
            return []
        # Means that differ by rounding alone are equal.
        goodness = snap_ties(means if self.higher_is_better else -means)
        return sorted(range(len(means)), key=lambda row: (-goodness[row], self.summarizers[row]))

    @cached_property
    def adjusted(self) -> Mapping[str, float]:
        """By summarizer, best first, the least-squares mean: what it would average over all topics."""
        means = self._adjusted_means
        if means is None:
            return {}
        return {self.summarizers[row]: float(means[row]) for row in self._best_first}

    @cached_property
    def _uncut_limits(self) -> Limits:
        """The interval of each mean before the scale cuts it; none where scores that do not vary leave no width."""
        if self.random is not None:
            return self.random.mean_limits(own=self.options.mean_interval == "own")
        lower, upper = self.scores.mean_limits(self.anova, self.options, self.seed)
        has_width = upper - lower > SLACK * np.abs(self.scores.means).max(initial=0.0)
        return np.where(has_width, lower, np.nan), np.where(has_width, upper, np.nan)

    @cached_property
    def cut_at(self) -> tuple[float, float] | None:
        """The scale, if some intervals would reach past it.

        Means outside the scale are on another one, such as percentages in somebody's score table: nothing is cut.
        """
        # Only a scale that is known can end an interval.
        if self.scale is None:
            return None
        low, high = self.scale
        means = self.scores.means
        if (means < low).any() or (means > high).any():
            return None
        lower, upper = self._uncut_limits
        is_past = bool((lower < low).any() or (upper > high).any())
        return self.scale if is_past else None

    @property
    def _limits(self) -> Limits:
        lower, upper = self._uncut_limits
        if self.cut_at is None:
            return lower, upper
        return np.clip(lower, *self.cut_at), np.clip(upper, *self.cut_at)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Everyone's place, best first."""
        means, counts = self.scores.means, self.scores.counts
        lower, upper = self._limits
        # With complete scores, least-squares means are the plain ones, but for rounding.
        ranked_by = means
        # Plain means of different topics would rank by who got the easy ones.
        if (self.has_missing_scores or self.random) and self.adjusted:
            ranked_by = np.array([self.adjusted[summarizer] for summarizer in self.summarizers])
        goodness = snap_ties(ranked_by if self.higher_is_better else -ranked_by)
        untested = (None, None)
        standings = [
            Standing(
                measure=self.measure,
                summarizer=summarizer,
                value=float(means[row]),
                n=int(counts[row]),
                missing=self.topic_total - int(counts[row]),
                lower=defined(lower[row]),
                upper=defined(upper[row]),
                confidence=self.confidence,
                method=self.options.mean_interval,
                seed=self.seed,
                rank=int((goodness > goodness[row]).sum()) + 1,
                rank_lower=self.rank_limits.get(summarizer, untested)[0],
                rank_upper=self.rank_limits.get(summarizer, untested)[1],
                letters=self.letters.get(summarizer),
                letters_by=self.letters_by if summarizer in self.letters else None,
                adjusted=defined(self.adjusted.get(summarizer)),
                mean_rank=defined(self.mean_ranks.get(summarizer)),
                analysis=self,
            )
            for row, summarizer in enumerate(self.summarizers)
        ]
        return tuple(sorted(standings, key=lambda standing: (standing.rank, standing.summarizer)))

    @cached_property
    def components(self) -> tuple[ComponentRow, ...]:
        """Where the variance of judgments comes from, if assessors are treated as a random sample."""
        return tuple(self.random.rows(self.about)) if self.random else ()

    # The tests as rows

    def anova_rows(self) -> list[AnovaRow]:
        """The table of the analysis of variance; where there is none, its sources without numbers."""
        if self.random:
            return self._mixed_model_rows(self.random)
        if self.anova is None:
            sources = ("summarizer", "topic", "residual")
            return [AnovaRow(measure=self.measure, source=source, analysis=self) for source in sources]
        return [
            AnovaRow(
                measure=self.measure,
                source=row.source,
                ss=defined(row.sum_of_squares),
                df=row.degrees_of_freedom,
                ms=defined(row.mean_square),
                # Both take topics as independent.
                f=None if self.cluster else defined(row.f),
                p=None if self.cluster else defined(row.p),
                analysis=self,
            )
            for row in self.anova.table
        ]

    def _mixed_model_rows(self, model: RandomAssessors) -> list[AnovaRow]:
        """The F test of the mixed model: the effect of the system, and the degrees of freedom of its error."""
        test = model.f_test
        facts: dict[str, Any] = {"measure": self.measure, "assessors": "random", "analysis": self}
        return [
            AnovaRow(source="summarizer", df=test.numerator, f=test.f, p=test.p, **facts),
            AnovaRow(source="residual", df=test.denominator, **facts),
        ]

    def tukey_row(self) -> TukeyRow:
        """Tukey's test in one row."""
        test = self.tukey
        row = TukeyRow(measure=self.measure, confidence=self.confidence, assessors=self.assessors, analysis=self)
        if test is None:
            return row
        return replace(
            row,
            q=defined(test.q),
            mse=defined(test.mean_square),
            df=None if np.isnan(test.degrees_of_freedom) else test.degrees_of_freedom,
            critical_difference=defined(test.critical_difference),
            least=defined(test.least_difference),
            largest=defined(test.largest_difference),
            pairs=test.pairs,
        )

    def friedman_row(self) -> FriedmanRow:
        """Friedman's test in one row."""
        test = self.friedman
        row = FriedmanRow(measure=self.measure, confidence=self.confidence, analysis=self)
        if test is None:
            return row
        return replace(
            row,
            chi2=defined(test.chi2),
            df=test.degrees_of_freedom,
            p=defined(test.p),
            exact=test.exact,
            nemenyi_difference=defined(test.nemenyi_difference),
            topics=test.columns,
            pairs=test.pairs,
        )

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The pairs that differ by Tukey's test, by Nemenyi's or by the test behind the letters, best first."""
        tests = [test for test in (self.tukey, self.friedman, self.paired) if test is not None]
        if not tests:
            return ()
        # A pair is listed if any test finds it, because readers want to see where tests disagree.
        differs = np.logical_or.reduce([test.differs for test in tests])
        # The better system of a pair comes first.
        order = list(self.adjusted) if self.adjusted else list(self.summarizers)
        row_of = {summarizer: row for row, summarizer in enumerate(self.summarizers)}
        differences = []
        for a, b in combinations(order, 2):
            cell = row_of[a], row_of[b]
            if not differs[cell]:
                continue
            difference = Difference(
                measure=self.measure,
                a=a,
                b=b,
                difference=self.adjusted[a] - self.adjusted[b] if self.adjusted else None,
                tukey=None if self.tukey is None else bool(self.tukey.differs[cell]),
                nemenyi=None if self.friedman is None else bool(self.friedman.differs[cell]),
                paired=None if self.paired is None else bool(self.paired.differs[cell]),
                analysis=self,
            )
            differences.append(difference)
        return tuple(differences)
