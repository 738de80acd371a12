"""Do summarizers differ on a measure, and which: analysis of variance with Tukey's test and letters, and Friedman's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Assessors, LettersTest
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import NotedRow
from pyramidion.show.wording import capital, counted, defined, listed, p_in_words, together
from pyramidion.statistics.friedman import FriedmanTest, friedman_test
from pyramidion.statistics.letters import TukeyTest, assign_letters, tukey_test
from pyramidion.statistics.values import settled
from pyramidion.statistics.variance import (
    OwnVarianceTests,
    TwoWayAnova,
    VarianceCheck,
    check_variances,
    own_variance_tests,
    two_way_anova,
)
from pyramidion.studies.comparison.assessors import RandomAssessors
from pyramidion.studies.comparison.pairs import PairFits, fit_all_pairs

DESCRIPTIVE = "neither high nor low is better"
"""What one must know of a measure that only describes, such as length."""
NOT_PAIRED = "the letters do not come from paired tests"
PAIRED = "paired t tests with Holm's correction"
MOST_SUMMARIZERS = 1000
"""Beyond this nobody reads letters, and the pairs would fill the memory."""


class AnovaRow(NotedRow, record="anova"):
    """A source of variance in the two-way analysis (type II sums of squares)."""

    measure: str
    source: str
    ss: float | None = None
    df: float | None = None
    ms: float | None = None
    f: float | None = None
    p: float | None = None
    assessors: Assessors = "fixed"


class TukeyRow(NotedRow, record="tukey"):
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


class FriedmanRow(NotedRow, record="friedman"):
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


class Difference(NotedRow, record="difference"):
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """Both analyses of one measure; what could not be made is None, and the reason is given."""

    measure: str
    confidence: float
    summarizers: tuple[str, ...]
    """In the order of the tests' rows."""
    about: str = ""
    """What one must know about the measure's values."""
    anova: TwoWayAnova | None = None
    tukey: TukeyTest | None = None
    friedman: FriedmanTest | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    """By summarizer, best first; two share a letter exactly when the test behind the letters finds no difference."""
    paired: OwnVarianceTests | None = None
    """Paired t tests of all pairs with Holm's correction, where the letters come from them."""
    variances: VarianceCheck | None = None
    """Whether the variances of paired differences are equal, where that was checked."""
    significantly_better: Bools | None = None
    """Rows × rows: the row is significantly better than the column, by the test behind the letters."""
    adjusted: Mapping[str, float] = field(default_factory=dict)
    """By summarizer, best first, the least-squares mean: what it would average over all topics."""
    no_anova: str = ""
    no_tukey: str = ""
    no_friedman: str = ""
    no_letters: str = ""
    random: RandomAssessors | None = None
    """The fit with assessors as random, where they are; Tukey's test and the adjusted means are then its."""
    as_given: TukeyTest | None = None
    """With random assessors: Tukey's test if they were taken as given."""
    is_descriptive: bool = False
    """Whether neither high nor low values are better."""
    fixed: str = ""
    """What a question's differences hold for, where its assessors are taken as given."""

    @property
    def assessors(self) -> Assessors:
        """How assessors are treated."""
        return "random" if self.random else "fixed"

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

    @property
    def letters_test_name(self) -> str:
        """What the test behind the letters is called."""
        return PAIRED if self.paired else "Tukey's test"

    @property
    def missing(self) -> bool:
        """Whether scores are missing, so that adjusted means differ from plain ones."""
        return self.anova is not None and self.anova.missing > 0

    @property
    def mean_ranks(self) -> Mapping[str, float]:
        """By summarizer, its mean rank within topics, which Nemenyi's test compares; 1 is the lowest value."""
        if self.friedman is None:
            return {}
        return dict(zip(self.summarizers, map(float, self.friedman.mean_ranks), strict=True))

    @property
    def note(self) -> str:
        """What one must know to read the analysis of variance and the letters."""
        return self._noted(kramer=self.letters_by == "tukey")

    def _noted(self, *, kramer: bool) -> str:
        """What one must know to read the analysis of variance, and with `kramer` Tukey's test with missing scores."""
        if (found := self.anova) is None or self.random:
            return ""
        means = ", Tukey–Kramer on least-squares means" if kramer else ""
        missing = f"{found.missing} of {found.present.size} scores are missing"
        return together(
            f"{missing}: least squares with type II sums of squares{means}" if found.missing else "",
            f"{found.pieces} groups of summarizers share no topic: tested within groups only"
            if found.pieces > 1
            else "",
            self._without_residuals if found.mean_square == 0 else "",
        )

    @property
    def _without_residuals(self) -> str:
        """What follows from a residual variance of zero."""
        if self.tukey is not None and self.tukey.pairs == 0:
            return "the residual variance is zero and all means are equal: there is no difference to test"
        return "the residual variance is zero: every difference between means is significant"

    def anova_rows(self) -> list[AnovaRow]:
        """The table of the analysis of variance; where there is none, each source says why."""
        facts: dict[str, Any] = {"measure": self.measure, "note": together(self.about, self.note)}
        if self.random:
            return self._random_rows(facts)
        if self.anova is None:
            sources = ("summarizer", "topic", "residual")
            return [AnovaRow(source=source, reason=self.no_anova, **facts) for source in sources]
        return [
            AnovaRow(
                source=row.source,
                ss=defined(row.sum_of_squares),
                df=row.degrees_of_freedom,
                ms=defined(row.mean_square),
                f=defined(row.f),
                p=defined(row.p),
                reason=_why_no_f(row.source, row.degrees_of_freedom),
                **facts,
            )
            for row in self.anova.table
        ]

    def _random_rows(self, facts: dict[str, Any]) -> list[AnovaRow]:
        """The F test of the mixed model: the effect of the system, and the degrees of freedom of its error."""
        assert self.random is not None
        test = self.random.f_test
        mixed = "F test of a mixed model, which has no sums of squares"
        return [
            AnovaRow(
                source="summarizer", df=test.numerator, f=test.f, p=test.p, assessors="random", reason=mixed, **facts
            ),
            AnovaRow(source="residual", df=test.denominator, assessors="random", reason=mixed, **facts),
        ]

    def tukey_row(self) -> TukeyRow:
        """Tukey's test in one row."""
        test = self.tukey
        note = together(self.about, self._noted(kramer=test is not None))
        if test is None:
            return TukeyRow(
                measure=self.measure,
                confidence=self.confidence,
                assessors=self.assessors,
                note=note,
                reason=self.no_tukey,
            )
        by_pair = "scores are missing, so it differs by pair: see least and largest"
        if self.random:
            by_pair = "each pair has its own variance and degrees of freedom"
        return TukeyRow(
            measure=self.measure,
            q=defined(test.q),
            mse=defined(test.mean_square),
            df=None if np.isnan(test.degrees_of_freedom) else test.degrees_of_freedom,
            critical_difference=defined(test.critical_difference),
            least=defined(test.least_difference),
            largest=defined(test.largest_difference),
            pairs=test.pairs,
            confidence=self.confidence,
            assessors=self.assessors,
            note=note,
            reason=by_pair,
        )

    def friedman_row(self) -> FriedmanRow:
        """Friedman's test in one row."""
        test, reason = self.friedman, self.no_friedman
        if test is None:
            return FriedmanRow(measure=self.measure, confidence=self.confidence, note=self.about, reason=reason)
        if test.exact and np.isnan(test.nemenyi_difference):
            reason = f"{counted(test.columns, 'topic')} can't show a difference between two systems by ranks"
        return FriedmanRow(
            measure=self.measure,
            chi2=defined(test.chi2),
            df=test.degrees_of_freedom,
            p=defined(test.p),
            exact=test.exact,
            nemenyi_difference=defined(test.nemenyi_difference),
            topics=test.columns,
            pairs=test.pairs,
            confidence=self.confidence,
            note=self.about,
            reason=reason,
        )

    def differences(self) -> list[Difference]:
        """The pairs that differ by Tukey's test, by Nemenyi's or by the test behind the letters, best first."""
        tests = [test for test in (self.tukey, self.friedman, self.paired) if test is not None]
        if not tests:
            return []
        either = np.logical_or.reduce([test.differs for test in tests])
        order = list(self.adjusted) if self.adjusted else list(self.summarizers)
        place = {who: row for row, who in enumerate(self.summarizers)}
        return [
            Difference(
                measure=self.measure,
                a=first,
                b=second,
                difference=self.adjusted[first] - self.adjusted[second] if self.adjusted else None,
                tukey=None if self.tukey is None else bool(self.tukey.differs[at]),
                nemenyi=None if self.friedman is None else bool(self.friedman.differs[at]),
                paired=None if self.paired is None else bool(self.paired.differs[at]),
                note=self.about,
                reason=together(self.no_tukey or self.no_friedman, "" if self.paired else NOT_PAIRED),
            )
            for first, second in combinations(order, 2)
            if either[at := (place[first], place[second])]
        ]

    def sentences(self, labels: Mapping[str, str] | None = None, *, one_of_several: bool = False) -> list[str]:
        """What the tests say, in plain words.

        Args:
            labels: names of summarizers to use instead of their ids.
            one_of_several: whether other measures are compared as well: then each test names this one.
        """
        holds = [*self.random.sentences(), self._as_given()] if self.random else [self.fixed]
        name = self.measure if one_of_several else ""
        letters = self._about_letters(name)
        found = (self._best(labels or {}, name), self._variance(name), letters, *holds, self._ranks(name))
        return [sentence for sentence in found if sentence]

    def undecided(self, best: str, others: Iterable[str]) -> list[str] | None:
        """Who of the others is not significantly worse than the best, by the test behind the letters.

        None without a test.
        """
        if self.significantly_better is None:
            return None
        place = {who: row for row, who in enumerate(self.summarizers)}
        return [who for who in others if not self.significantly_better[place[best], place[who]]]

    def _best(self, labels: Mapping[str, str], measure: str) -> str:
        if not self.letters:
            return ""
        on = f" on {measure}" if measure else ""

        def name(who: str) -> str:
            return labels.get(who, who)

        best, *others = self.letters
        better = "higher" if self.is_descriptive else "better"
        if undecided := self.undecided(best, others):
            best_system = f"the {'highest' if self.is_descriptive else 'best'} system{on} ({name(best)})"
            return f"Not significantly different from {best_system}: {listed(list(map(name, undecided)))}."
        if len(others) == 1:  # the test of the pair may decide otherwise
            return f"{name(best)} is significantly {better} than {name(others[0])}{on} ({self.letters_test_name})."
        return f"{name(best)} is significantly {better} than every other{on}."

    def _variance(self, measure: str) -> str:
        of = f" for {measure}" if measure else ""
        if self.random:
            test = self.random.f_test
            found = f"F({test.numerator}, {test.denominator:.4g}) = {test.f:.2f}, {p_in_words(test.p)}"
            return self._with_tukey(f"Mixed model{of} (topics and assessors random), effect of system: {found}.")
        if self.anova is None:
            return f"No analysis of variance{of}: {self.no_anova}."
        rows = self.anova.row_table
        found = "F is undefined: the residual variance is zero"
        if not np.isnan(rows.f):
            freedom = f"({rows.degrees_of_freedom}, {self.anova.degrees_of_freedom})"
            found = f"F{freedom} = {rows.f:.2f}, {p_in_words(rows.p)}"
        return self._with_tukey(f"Two-way analysis of variance{of} (system + topic), effect of system: {found}.")

    def _about_letters(self, measure: str) -> str:
        """Where the letters do not come from Tukey's test, or should not: why, and what they show."""
        on = f" on {measure}" if measure else ""
        unequal = ""
        if self.variances is not None and self.variances.unequal:
            unequal = (
                f"The systems vary unequally{on} (the largest standard deviation of paired differences is "
                f"{self.variances.ratio:.2g} times their root mean square)"
            )
        if self.paired is None:
            doubt = "so Tukey's test may find differences that are not there"
            remedy = '`letters="paired"` tests each pair with its own variance'
            return f"{unequal}, {doubt}; {remedy}." if unequal else ""
        why = f"Scores are missing{on}" if self.missing else unequal
        come = f"letters come from {PAIRED}"
        if self.missing:
            come += " on the topics that both systems of a pair have"
        sentence = f"{why}, so {come}" if why else f"{capital(come)}{on}"
        found = f"{self.paired.pairs} of {self.pairs} pairs differ significantly"
        untested = self.paired.untested
        share = "shares no topic" if untested == 1 else "share no topic"
        none = f" {counted(untested, 'pair')} {share} and can't be tested." if untested else ""
        return f"{sentence}: {found}.{none}"

    def _as_given(self) -> str:
        """How the verdict changes with the assessors as a sample."""
        if self.as_given is None or self.random is None or self.tukey is None or self.paired is not None:
            return ""
        found, given = self.tukey.pairs, self.as_given.pairs
        these = f"these {self.random.assessors} assessors"
        if given == found:
            return f"Treating {these} as fixed gives the same number of significant pairs."
        doubt = ", but other assessors might not confirm all of them" if given > found else ""
        treated = f"With {these} treated as fixed"
        return f"{treated}, {given} of {self.pairs} pairs would differ significantly instead of {found}{doubt}."

    def _with_tukey(self, anova: str) -> str:
        if self.tukey is None:
            return f"{anova} No Tukey test: {self.no_tukey}."
        if self.pairs == 1:
            return anova
        size = (
            f"{self.tukey.critical_difference:.5g}"
            if not np.isnan(self.tukey.critical_difference)
            else f"{self.tukey.least_difference:.5g} to {self.tukey.largest_difference:.5g}, depending on the pair"
        )
        significant = f"{self.tukey.pairs} of {self.pairs} pairs differ significantly"
        if self.paired is not None:
            return f"{anova} Tukey's test would find {self.tukey.pairs} of {self.pairs} pairs significant."
        return f"{anova} {significant} (Tukey's test; critical difference {size})."

    @property
    def pairs(self) -> int:
        """The number of pairs of summarizers."""
        return len(self.summarizers) * (len(self.summarizers) - 1) // 2

    def _ranks(self, measure: str) -> str:
        of = f" for {measure}" if measure else ""
        if self.friedman is None or np.isnan(self.friedman.chi2):
            return f"No Friedman test{of}: {self.no_friedman}."
        both = sum(1 for one in self.differences() if one.tukey and one.nemenyi)
        every = "all" if both == self.friedman.pairs else both
        also = f", {every} of which are also significant by Tukey's test" if self.tukey and self.friedman.pairs else ""
        nemenyi = f"; Nemenyi's test finds {self.friedman.pairs} of {self.pairs} pairs significant{also}"
        exact = "exact " if self.friedman.exact else ""
        return (
            f"Friedman's test{of} over {counted(self.friedman.columns, 'topic')}: "
            f"χ²({self.friedman.degrees_of_freedom}) = {self.friedman.chi2:.2f}, {exact}{p_in_words(self.friedman.p)}"
            f"{nemenyi if self.pairs > 1 else ''}.{self._other_verdict(self.friedman.p)}"
        )

    def _other_verdict(self, by_ranks: float) -> str:
        """A remark where the test of ranks and the test of means decide differently."""
        of_means = self.random.f_test.p if self.random else self.anova.row_table.p if self.anova else np.nan
        ranks, means = (p <= 1 - self.confidence / 100 for p in (by_ranks, of_means))
        if np.isnan(of_means) or ranks == means:
            return ""
        found = "by ranks within topics, but not by means" if ranks else "by means, but not by ranks within topics"
        what = "The difference is" if self.pairs == 1 else "Differences are"
        return f" {what} significant {found}; the verdicts here are about means."


def analyse(
    matrix: ScoreMatrix,
    *,
    confidence: float,
    about: str = "",
    treated: RandomAssessors | str = "",
    letters: LettersTest | None = None,
    fits: PairFits | None = None,
    seed: int = 0,
) -> Analysis:
    """Both analyses of a matrix in which every summarizer has a score.

    Args:
        matrix: the scores.
        confidence: of all tests, in per cent.
        about: what one must know about the scores.
        treated: how the assessors are treated.
        letters: the test behind the letters; None: as the scores suggest.
        fits: how assessors are treated in each pair, for letters from paired tests.
        seed: of the check of equal variances.
    """
    values, summarizers = matrix.values, matrix.summarizers
    plain = Analysis(
        measure=matrix.measure,
        confidence=confidence,
        summarizers=summarizers,
        about=about,
        is_descriptive=matrix.is_descriptive,
    )
    if len(summarizers) < 2:
        alone = "only one summarizer has scores"
        return replace(plain, no_anova=alone, no_tukey=alone, no_friedman=alone, no_letters=alone)
    few = len(summarizers) <= MOST_SUMMARIZERS
    there = ~np.isnan(values)
    found = replace(
        plain,
        anova=two_way_anova(values),
        friedman=friedman_test(values, confidence=confidence) if few else None,
        random=treated if isinstance(treated, RandomAssessors) and few else None,
        fixed=treated if isinstance(treated, str) else "",
    )

    def paired() -> OwnVarianceTests:
        if found.random is None or fits is None:
            return own_variance_tests(values, confidence=confidence)
        return fit_all_pairs(values, summarizers, fits, confidence=confidence)

    return concluded(
        choose_letters(found, letters, sample=values, paired=paired, seed=seed),
        higher_is_better=matrix.higher_is_better,
        topics=int(there.any(axis=0).sum()),
        scores=int(there.sum()),
    )


def choose_letters(
    found: Analysis,
    asked: LettersTest | None,
    *,
    sample: Floats,
    paired: Callable[[], OwnVarianceTests],
    seed: int,
) -> Analysis:
    """An analysis with the paired tests behind its letters, where these are better than Tukey's test.

    That is where scores are missing, so that pairs are compared on the same topics as a pair that is asked for, and
    where variances are unequal.

    Args:
        found: the analysis so far.
        asked: which test is to be behind the letters; None: as the scores suggest.
        sample: summarizers × topics, enough of them to see whether variances are equal.
        paired: makes the paired tests.
        seed: of the check of equal variances.
    """
    anova = found.anova
    if len(found.summarizers) > MOST_SUMMARIZERS or anova is None or anova.pieces > 1:
        return found
    variances = check_variances(sample, seed=seed) if not (anova.missing or found.random) else None
    found = replace(found, variances=variances)
    unequal = variances is not None and variances.unequal
    if asked == "paired" or (asked is None and (anova.missing or unequal)):
        return replace(found, paired=paired())
    return found


def concluded(found: Analysis, *, higher_is_better: bool, topics: int, scores: int) -> Analysis:
    """An analysis with Tukey's test and the letters, and why something could not be tested."""
    anova, friedman, random, summarizers = found.anova, found.friedman, found.random, found.summarizers
    too_many = ""
    if len(summarizers) > MOST_SUMMARIZERS:
        too_many = f"more than {MOST_SUMMARIZERS:,} summarizers are too many to compare pair by pair"
    tukey = tukey_test(anova, confidence=found.confidence) if anova and not too_many else None
    as_given = tukey if random else None
    means = anova.row_means if anova and anova.pieces == 1 else None
    if random:
        tukey, means = random.tukey(), random.components.means
    order = best_first(means, summarizers, higher_is_better=higher_is_better) if means is not None else []
    test = found.paired or tukey
    letters = assign_letters(test.differs, order) if test else None
    no_anova = no_tukey = no_friedman = ""
    if anova is None:
        no_anova = f"no degree of freedom is left for error ({counted(topics, 'topic')}, {counted(scores, 'score')})"
    if tukey is None:
        pieces = f"{anova.pieces} groups of summarizers share no topic and can't be compared" if anova else no_anova
        no_tukey = too_many or pieces
    if friedman is None:
        no_friedman = too_many or "no topic has scores of every summarizer"
    elif np.isnan(friedman.chi2):
        no_friedman = "all summarizers are equal on every topic"
    return replace(
        found,
        tukey=tukey,
        as_given=as_given,
        significantly_better=_significantly_better(found.paired, tukey, means, higher_is_better=higher_is_better),
        letters={summarizers[row]: letters[row] for row in order} if letters else {},
        adjusted={} if means is None else {summarizers[row]: float(means[row]) for row in order},
        no_anova=no_anova,
        no_tukey=no_tukey,
        no_friedman=no_friedman,
        no_letters="" if letters else no_tukey or "there are more groups than letters can show",
    )


def _significantly_better(
    paired: OwnVarianceTests | None, tukey: TukeyTest | None, means: Floats | None, *, higher_is_better: bool
) -> Bools | None:
    """Rows × rows: whether the row is significantly better than the column; None without a test.

    Where topics are missing, the mean difference over shared topics may have another sign than that of adjusted means.
    """
    sign = 1 if higher_is_better else -1
    if paired is not None:
        return paired.differs & (sign * np.nan_to_num(paired.differences) > 0)
    if tukey is None or means is None:
        return None
    return tukey.differs & (sign * (means[:, None] - means[None, :]) > 0)


def best_first(means: Floats, summarizers: tuple[str, ...], *, higher_is_better: bool) -> list[int]:
    """Rows from best to worst; equals by their names."""
    goodness = settled(means if higher_is_better else -means)
    return sorted(range(len(means)), key=lambda row: (-goodness[row], summarizers[row]))


def _why_no_f(source: str, degrees_of_freedom: int) -> str:
    if source == "residual":
        return "the residual is what the others are tested against"
    return "the residual variance is zero" if degrees_of_freedom else "there is nothing to compare"
