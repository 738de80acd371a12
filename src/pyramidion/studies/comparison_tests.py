"""Do summarizers differ on a measure, and which: analysis of variance with Tukey's test and letters, and Friedman's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.friedman import FriedmanTest, friedman_test
from pyramidion.statistics.letters import assign_letters
from pyramidion.statistics.ties import settled
from pyramidion.statistics.tukey import TukeyTest, tukey_test
from pyramidion.statistics.variance import TwoWayAnova, two_way_anova
from pyramidion.studies.values import p_in_words

MOST_NAMED = 5
MOST_SUMMARIZERS = 1000
"""Beyond this nobody reads letters, and the pairs would fill the memory."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A pair that differs by one of the two tests; None where a test could not be made."""

    measure: str
    a: str
    b: str
    difference: float
    """Of the least-squares means, a less b."""
    tukey: bool | None
    nemenyi: bool | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """Both analyses of one measure; what could not be made is None, and the reason is given."""

    measure: str
    summarizers: tuple[str, ...]
    """In the order of the tests' rows."""
    anova: TwoWayAnova | None
    tukey: TukeyTest | None
    friedman: FriedmanTest | None
    letters: Mapping[str, str] = field(default_factory=dict)
    """By summarizer; two share a letter exactly when Tukey's test does not tell them apart."""
    adjusted: Mapping[str, float] = field(default_factory=dict)
    """By summarizer, the least-squares mean: what it would average over all topics."""
    no_anova: str = ""
    no_tukey: str = ""
    no_friedman: str = ""
    no_letters: str = ""

    @property
    def mean_ranks(self) -> Mapping[str, float]:
        """By summarizer, its mean rank inside topics, which Nemenyi's test compares; 1 is for the lowest value."""
        if self.friedman is None:
            return {}
        return dict(zip(self.summarizers, map(float, self.friedman.mean_ranks), strict=True))

    @property
    def note(self) -> str:
        """What must be said with the analysis of variance."""
        if self.anova is None:
            return ""
        said = []
        if self.anova.missing:
            cells = self.anova.present.size
            kramer = ", Tukey–Kramer on least-squares means" if self.tukey else ""
            missing = f"{self.anova.missing} of {cells} cells are missing"
            said.append(f"{missing}: least squares, sums of squares of type II{kramer}")
        if self.anova.pieces > 1:
            said.append(f"{self.anova.pieces} groups of summarizers share no topic: tests inside of the groups only")
        if self.anova.mean_square == 0:
            said.append("every residual is zero: any difference counts")
        return "; ".join(said)

    def sentences(self) -> list[str]:
        """What the tests say, in plain words."""
        return [sentence for sentence in (self._variance(), self._best(), self._ranks()) if sentence]

    def _variance(self) -> str:
        if self.anova is None:
            return f"No analysis of variance: {self.no_anova}."
        rows = self.anova.row_table
        freedom = f"({rows.degrees_of_freedom}, {self.anova.degrees_of_freedom})"
        found = "no F, for nothing is left over"
        if not np.isnan(rows.f):
            found = f"F{freedom} = {rows.f:.2f}, {p_in_words(rows.p)}"
        said = f"Analysis of variance (summarizer + topic): {found}."
        if self.tukey is None:
            return f"{said} No Tukey test: {self.no_tukey}."
        size = (
            f"{self.tukey.critical_difference:.5g}"
            if not np.isnan(self.tukey.critical_difference)
            else f"{self.tukey.least_difference:.5g} to {self.tukey.largest_difference:.5g} (by pair)"
        )
        return f"{said} Tukey: {self.tukey.pairs} of {self._total} pairs differ (critical difference {size})."

    @property
    def _total(self) -> int:
        return len(self.summarizers) * (len(self.summarizers) - 1) // 2

    def _best(self) -> str:
        if not self.letters or self.tukey is None:
            return ""
        place = {who: row for row, who in enumerate(self.summarizers)}
        best, *others = self.letters
        tied = [who for who in others if not self.tukey.differs[place[best], place[who]]]
        if not tied:
            return f"{best} is better than {others[0] if len(others) == 1 else 'every other'}."
        named = ", ".join(tied[:MOST_NAMED]) + (f" and {len(tied) - MOST_NAMED} more" if len(tied) > MOST_NAMED else "")
        return f"Not told apart from the best, {best}: {named}."

    def _ranks(self) -> str:
        if self.friedman is None or np.isnan(self.friedman.chi2):
            return f"No Friedman test: {self.no_friedman}."
        both = [one for one in self.differences() if one.tukey and one.nemenyi]
        topics = "1 topic" if self.friedman.columns == 1 else f"{self.friedman.columns} topics"
        also = f" ({len(both)} of them by Tukey's test as well)" if self.tukey and self.friedman.pairs else ""
        return (
            f"Friedman on {topics}: χ²({self.friedman.degrees_of_freedom}) = {self.friedman.chi2:.2f}, "
            f"{p_in_words(self.friedman.p)}; Nemenyi: {self.friedman.pairs} of {self._total} pairs differ{also}."
        )

    def differences(self) -> list[Difference]:
        """The pairs that differ by Tukey's test or by Nemenyi's, best first."""
        if self.tukey is None and self.friedman is None:
            return []
        tukey = self.tukey.differs if self.tukey else None
        nemenyi = self.friedman.differs if self.friedman else None
        either = np.zeros((len(self.summarizers),) * 2, dtype=np.bool_)
        for found in (tukey, nemenyi):
            if found is not None:
                either |= found
        order = list(self.adjusted) if self.adjusted else list(self.summarizers)
        place = {who: row for row, who in enumerate(self.summarizers)}
        return [
            Difference(
                measure=self.measure,
                a=first,
                b=second,
                difference=self.adjusted[first] - self.adjusted[second] if self.adjusted else np.nan,
                tukey=None if tukey is None else bool(tukey[place[first], place[second]]),
                nemenyi=None if nemenyi is None else bool(nemenyi[place[first], place[second]]),
            )
            for number, first in enumerate(order)
            for second in order[number + 1 :]
            if either[place[first], place[second]]
        ]


def analyse(matrix: ScoreMatrix, *, confidence: float) -> Analysis:
    """Both analyses of a matrix in which every summarizer has a score."""
    values, summarizers = matrix.values, matrix.summarizers
    if len(summarizers) < 2:
        reason = "there is only one summarizer"
        return Analysis(
            measure=matrix.measure,
            summarizers=summarizers,
            anova=None,
            tukey=None,
            friedman=None,
            no_anova=reason,
            no_tukey=reason,
            no_friedman=reason,
            no_letters=reason,
        )
    anova = two_way_anova(values)
    many = len(summarizers) > MOST_SUMMARIZERS
    tukey = tukey_test(anova, confidence=confidence) if anova and not many else None
    friedman = friedman_test(values, confidence=confidence) if not many else None
    order = _order(anova.row_means, summarizers, higher_is_better=matrix.higher_is_better) if anova else []
    given = assign_letters(tukey.differs, order) if tukey else None
    no_tukey = _why_no_tukey(anova, values, many=many) if tukey is None else ""
    return Analysis(
        measure=matrix.measure,
        summarizers=summarizers,
        anova=anova,
        tukey=tukey,
        friedman=friedman,
        letters={summarizers[row]: given[row] for row in order} if given else {},
        adjusted={summarizers[row]: float(anova.row_means[row]) for row in order}
        if anova and anova.pieces == 1
        else {},
        no_anova=_why_no_anova(values) if anova is None else "",
        no_tukey=no_tukey,
        no_friedman=_why_no_friedman(friedman, many=many),
        no_letters="" if given else no_tukey or "there are more groups than letters can show",
    )


def _order(means: Floats, summarizers: tuple[str, ...], *, higher_is_better: bool) -> list[int]:
    """Rows from best to worst; equals by their names."""
    goodness = settled(means if higher_is_better else -means)
    return sorted(range(len(means)), key=lambda row: (-goodness[row], summarizers[row]))


def _why_no_anova(values: Floats) -> str:
    topics = int((~np.isnan(values)).any(axis=0).sum())
    shown = "one topic" if topics == 1 else f"{topics} topics"
    return f"no degree of freedom is left for error ({shown}, {int((~np.isnan(values)).sum())} scores)"


def _why_no_tukey(anova: TwoWayAnova | None, values: Floats, *, many: bool) -> str:
    if many:
        return f"more than {MOST_SUMMARIZERS} summarizers are too many to compare pair by pair"
    if anova is None:
        return _why_no_anova(values)
    return f"{anova.pieces} groups of summarizers share no topic, so that they can't be compared"


def _why_no_friedman(friedman: FriedmanTest | None, *, many: bool) -> str:
    if many:
        return f"more than {MOST_SUMMARIZERS} summarizers are too many to compare pair by pair"
    if friedman is None:
        return "no topic has a score of every summarizer"
    return "no topic tells any two summarizers apart" if np.isnan(friedman.chi2) else ""
