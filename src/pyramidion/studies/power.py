"""How many topics a comparison needs, or the smallest difference it can detect, from the variances of a pilot.

A pilot is any score table. Two summarizers are compared by the mean of their paired differences over topics. Its spread
comes from the two-way residual variance of all summarizers (a difference has variance 2·MSE), or, for a named pair,
from that pair's own differences. Where `compare` treats a question's assessors as a random sample, so does this: the
variance of a difference then has a part that more topics do not reduce (`statistics.design`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError, mention
from pyramidion.options import Assessors, CompareOptions, PowerOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.show.tables import Cell, Column, Finding, NotedRow, Table, columns_of, grouped, hidden
from pyramidion.show.wording import capital, counted, defined, noted
from pyramidion.statistics import paired_differences, two_way_anova
from pyramidion.statistics.design import design_power, detectable_shift, least_topics
from pyramidion.statistics.power import detectable_difference, paired_power, topics_needed, variance_limits
from pyramidion.statistics.values import SLACK, spreads_of
from pyramidion.studies.comparison.assessors import judged_summaries, treat_assessors
from pyramidion.studies.comparison.pairs import chosen_pairs
from pyramidion.studies.design import Pilot as DesignPilot

TOPICS = (5, 10, 20, 30, 50, 100, 200, 500)
"""Numbers of topics for which a detectable difference is given if none are asked for."""

DRAWS = 1_000
"""Draws of the variances behind the limits where assessors are random."""

Solved = Literal["topics", "difference", "power"]


class PowerStatement(NotedRow, record="power"):
    """This many topics detect this difference with this power; one of the three was solved for."""

    measure: str
    a: str
    """Empty, like b, for any pair: the spread is that of all summarizers."""
    b: str
    solved: Solved
    difference: float | None
    power: float | None
    alpha: float
    """Significance level of one two-sided test."""
    topics: int | None
    lower: float | None
    """Limits of what was solved for, given how well the pilot determines the spread."""
    upper: float | None
    sd: float | None
    """Standard deviation of paired differences in the pilot; with random assessors, √topics times the standard error of
    a difference in a design like the pilot."""
    pilot_topics: int
    assessors: Assessors = "fixed"
    """How a question's assessors are treated, as in `compare`."""
    holds_for: str = hidden(default="")
    """Which assessors the numbers hold for, in words; nothing for automatic measures."""

    def sentence(self) -> str:
        """How many topics are needed, if that was solved for and is known; with random assessors, if none suffices."""
        if self.solved != "topics" or self.power is None:
            return ""
        if self.topics is None:
            return f"{capital(self.reason)}. {self.holds_for}" if self.assessors == "random" else ""
        more = self.topics - self.pilot_topics
        have = f"{more:,} more than your {self.pilot_topics:,}" if more > 0 else f"you have {self.pilot_topics:,}"
        limits = ""
        if self.lower and self.upper:
            limits = f" (between {self.lower:,g} and {self.upper:,g}, given this pilot)"
        elif self.lower:
            limits = f" (at least {self.lower:,g}, given this pilot)"
        return (
            f"Detecting a difference of {self.difference:g} with {100 * self.power:g} % power needs "
            f"{counted(self.topics, 'topic')}: {have}{limits}. {self.holds_for}"
        ).rstrip()


class Power(Finding, eq=True):
    """For each measure and pair: the topics that are needed, and what numbers of topics can detect."""

    statements: tuple[PowerStatement, ...]
    options: PowerOptions

    def __repr__(self) -> str:
        return f"<Power on {', '.join(dict.fromkeys(one.measure for one in self.statements)) or 'nothing'}>"

    def answer(self) -> tuple[str, ...]:
        """How many topics each measure needs, if a difference was asked for."""
        several = len({(one.measure, one.a, one.b) for one in self.statements}) > 1
        said = [(f"{one.measure}: " if several else "", one.sentence()) for one in self.statements]
        return tuple(f"{of}{sentence}" for of, sentence in said if sentence)

    def tables(self) -> list[Table]:
        """A table for each measure and pair: what numbers of topics detect."""
        groups = grouped(self.statements, lambda one: (one.measure, one.a, one.b))
        return [self._table(group) for group in groups.values()]

    def _table(self, group: Sequence[PowerStatement]) -> Table:
        first = group[0]
        whose = f"{first.a} and {first.b}" if first.a else "any two summarizers"
        percent = f"{self.options.power_in_percent:g}"
        spread = "" if not first.sd else f"standard deviation of differences {first.sd:.5g}"
        pilot = f"{spread} on {counted(first.pilot_topics, 'topic')}" if spread else ""
        rows: dict[int, list[Cell]] = {}
        for one in group:
            if one.solved == "difference" and first.sd:
                rows[one.topics or 0] = [one.topics, one.difference, one.lower, one.upper, None]
            elif one.solved == "power" and first.sd:
                rows[one.topics or 0][-1] = one.power
        return Table(
            record="power",
            title=noted(
                f"{first.measure}, {whose}: smallest difference detected with {percent} % power",
                f"significance level {first.alpha:g}",
                pilot,
                first.note,
            ),
            columns=columns_of(
                "topics",
                Column("difference", "detectable difference"),
                "lower",
                "upper",
                Column("power", f"power for {self.options.difference or 0:g}"),
            ),
            rows=list(rows.values()),
            sentences=tuple(filter(None, (one.sentence() for one in group))),
            notes=tuple(filter(None, (*self._reasons(group), self._holds_for(group)))),
            about=noted(first.measure, whose if first.a else ""),
        )

    @staticmethod
    def _reasons(group: Sequence[PowerStatement]) -> list[str]:
        """Why something is undefined, each reason once, unless a sentence has said it."""
        spoken = group[0].sentence()
        reasons = [one.reason for one in group if "reason" in one.fields() and capital(one.reason) not in spoken]
        return [f"{capital(reason)}." for reason in dict.fromkeys(reasons)]

    @staticmethod
    def _holds_for(group: Sequence[PowerStatement]) -> str:
        """Which assessors the numbers hold for, unless a sentence has said it."""
        return "" if any(one.sentence() for one in group) else group[0].holds_for


def power_analysis(
    table: ScoreTable,
    options: PowerOptions | None = None,
    *,
    judgments: Mapping[str, Sequence[Judgment]] | None = None,
    seed: int = 0,
) -> Power:
    """What a campaign of n topics can detect, for every measure of a pilot.

    With a difference: the topics that are needed, and the power of each number of topics. Each number of topics gets
    its smallest detectable difference; by default some from 5 to 500, and the pilot's own.

    Args:
        table: the scores of the pilot.
        options: what is solved for.
        judgments: by measure, the single judgments behind it; assessors are treated as `compare` treats them.
        seed: of the limits where assessors are random.
    """
    options = options or PowerOptions()
    alpha = (100 - options.confidence) / 100 / options.comparisons
    if options.power_in_percent / 100 <= alpha:
        raise UsageError(
            f"{mention('power', options.power)}: chance alone finds {100 * alpha:g} %; expected a percentage above "
            "that, such as 80"
        )
    pairs = chosen_pairs(table.summarizers, CompareOptions(pair=options.pair))
    _check_difference(table, options.difference)
    statements: list[PowerStatement] = []
    for measure in table.measures:
        matrix, note = table.matrix(measure), table.notes.get(measure, "")
        for pilot in _pilots(matrix, pairs):
            treated = _treat(pilot, matrix, (judgments or {}).get(measure, ()), options, seed)
            if isinstance(treated, _JudgedPilot):
                statements += _JudgedPlan(treated, options, alpha, note).statements()
            else:
                statements += _Plan(replace(pilot, holds_for=treated), options, alpha, note).statements()
    return Power(statements=tuple(statements), options=options)


def _treat(
    pilot: _Pilot, matrix: ScoreMatrix, judgments: Sequence[Judgment], options: PowerOptions, seed: int
) -> _JudgedPilot | str:
    """The pilot with assessors as a random sample, where `compare` takes them so; else what the numbers hold for."""
    rows_with_scores = np.flatnonzero((~np.isnan(matrix.values)).any(axis=1))
    systems = [matrix.summarizers[row] for row in rows_with_scores]
    if pilot.a:
        systems = [who for who in (pilot.a, pilot.b) if who in systems]
    own = [one for one in judgments if one.summarizer in systems]
    if not own:
        return ""
    judged = judged_summaries(own)
    treated = treat_assessors(
        judged, systems, options.assessors, measure=matrix.measure, confidence=options.confidence, seed=seed
    )
    if isinstance(treated, str):
        return treated and f"Assessors are treated as fixed. {treated}"
    per_summary = len(judged.judgments) / len({(one.topic, one.summarizer) for one in judged.judgments})
    design = DesignPilot.from_components(matrix.measure, treated.components, systems=2, seed=seed)
    design = replace(design, draws={term: values[:DRAWS] for term, values in design.draws.items()})
    return _JudgedPilot(
        measure=matrix.measure,
        a=pilot.a,
        b=pilot.b,
        topics=pilot.topics,
        design=design,
        assessor_count=treated.assessors,
        judgments=round(per_summary),
    )


def _check_difference(table: ScoreTable, difference: float | None) -> None:
    """Refuse a difference that no measure can have: on a scale from 0 to 1, 1 was probably meant as a hundredth."""
    if difference is None or difference < 1 or not table.measures:
        return
    values = [table.matrix(measure).values for measure in table.measures]
    if all(bool(((one >= 0) & (one <= 1) | np.isnan(one)).all()) and not np.isnan(one).all() for one in values):
        raise UsageError(
            f"{mention('difference', difference)}: these scores lie between 0 and 1, so that no two systems can differ "
            f"by as much; did you mean {mention('difference', difference / 100)}?"
        )


@dataclass(frozen=True, kw_only=True)
class _Pilot:
    """What a table says about the spread of paired differences."""

    measure: str
    a: str = ""
    b: str = ""
    sd: float = math.nan
    degrees_of_freedom: int = 0
    topics: int
    reason: str = ""
    holds_for: str = ""
    assessors: Assessors = "fixed"


@dataclass(frozen=True, kw_only=True, eq=False)
class _JudgedPilot:
    """What judgments say about the variance of a difference, with assessors as a random sample."""

    measure: str
    a: str
    b: str
    topics: int
    design: DesignPilot
    """Its variance is that of a pair tested alone."""
    assessor_count: int
    judgments: int
    """Of each summary; on average, rounded."""
    assessors: Assessors = "random"

    @property
    def holds_for(self) -> str:
        """What the numbers hold for, in words."""
        each = counted(self.judgments, "judgment")
        return (
            f"Assessors are treated as a random sample, with {counted(self.assessor_count, 'assessor')} and {each} of "
            "each summary, as in the pilot."
        )

    @property
    def sd(self) -> float:
        """√topics times the standard error of a difference in a design like the pilot."""
        variance, _ = self.variance(np.array([float(self.topics)]), draws=False)
        return math.sqrt(float(variance[0]) * self.topics)

    def variance(self, topics: Floats, *, draws: bool) -> tuple[Floats, Floats]:
        """Variance and degrees of freedom of a difference with these numbers of topics; few have fewer assessors."""
        assessors = np.minimum(self.assessor_count, np.maximum(topics * self.judgments, 2))
        return self.design.variance(draws=draws, topics=topics, assessors=assessors, judgments=self.judgments)


def _pilots(matrix: ScoreMatrix, pairs: Sequence[tuple[str, str]]) -> Iterator[_Pilot]:
    if not pairs:
        there = ~np.isnan(matrix.values)
        topics = int(there.any(axis=0).sum())
        fit = two_way_anova(matrix.values) if there.any(axis=1).sum() > 1 else None
        if fit is None:
            reason = "a pilot needs two summarizers with at least two topics in common"
            yield _Pilot(measure=matrix.measure, topics=topics, reason=reason)
            return
        sd, df = math.sqrt(2 * fit.mean_square), fit.degrees_of_freedom
        yield _Pilot(measure=matrix.measure, sd=sd, degrees_of_freedom=df, topics=topics, reason=_why_not(sd))
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    for a, b in pairs:
        values = np.full((1, 1), np.nan)
        if a in row and b in row:
            values = paired_differences(matrix.values, [(row[a], row[b])])
        n = int((~np.isnan(values)).sum())
        sd = float(spreads_of(values)[0])
        reason = "the pair has fewer than two topics in common" if n < 2 else _why_not(sd)
        yield _Pilot(measure=matrix.measure, a=a, b=b, sd=sd, degrees_of_freedom=n - 1, topics=n, reason=reason)


def _why_not(sd: float) -> str:
    return "" if sd > 0 else "differences do not vary in the pilot: any number of topics would detect any difference"


@dataclass(frozen=True)
class _Plan:
    """What is asked of a pilot."""

    pilot: _Pilot
    options: PowerOptions
    alpha: float
    note: str

    def statements(self) -> Iterator[PowerStatement]:
        """The needed topics first, then for each number of topics what it detects."""
        power, asked = self.options.power_in_percent / 100, self.options.difference
        if asked is not None:
            yield self._solve("topics", topics_needed, difference=asked, power=power)
        for count in self.options.topics or sorted({*TOPICS, max(self.pilot.topics, 2)}):
            yield self._solve("difference", detectable_difference, power=power, topics=count)
            if asked is not None:
                yield self._solve("power", paired_power, difference=asked, topics=count)

    def _solve(self, solved: Solved, solve: Callable[..., float | None], **given: float) -> PowerStatement:
        """A statement of what is given and what follows from it."""
        pilot, reason = self.pilot, self.pilot.reason
        value: float | None = None
        limits: list[float | None] = [None, None]
        if pilot.sd > 0:
            ends = variance_limits(pilot.sd**2, pilot.degrees_of_freedom, confidence=self.options.confidence)
            spreads = [pilot.sd, *map(math.sqrt, ends)]
            value, *limits = (solve(sd=sd, alpha=self.alpha, **given) for sd in spreads)
            if solved == "power":  # which falls as the spread grows
                limits.reverse()
            reason = "the pilot is too small for limits"
            if value is None:
                reason = "the difference is too small for any feasible number of topics"
        amounts: dict[str, float | None] = {**given, solved: _unless_nan(value)}
        topics = amounts["topics"]
        return PowerStatement(
            measure=pilot.measure,
            a=pilot.a,
            b=pilot.b,
            solved=solved,
            difference=amounts["difference"],
            power=amounts["power"],
            alpha=self.alpha,
            topics=None if topics is None else int(topics),
            lower=_unless_nan(limits[0]),
            upper=_unless_nan(limits[1]),
            sd=defined(pilot.sd),
            pilot_topics=pilot.topics,
            assessors=pilot.assessors,
            holds_for=pilot.holds_for,
            note=self.note,
            reason=reason,
        )


@dataclass(frozen=True, eq=False)
class _JudgedPlan:
    """What is asked of a pilot whose assessors are a random sample."""

    pilot: _JudgedPilot
    options: PowerOptions
    alpha: float
    note: str

    def statements(self) -> Iterator[PowerStatement]:
        """The needed topics first, then for each number of topics what it detects."""
        power, asked = self.options.power_in_percent / 100, self.options.difference
        if asked is not None:
            yield self._needed_topics(asked, power)
        for count in self.options.topics or sorted({*TOPICS, max(self.pilot.topics, 2)}):
            yield self._detectable_difference(count, power)
            if asked is not None:
                yield self._power(asked, count)

    def _needed_topics(self, difference: float, power: float) -> PowerStatement:
        def search(*, draws: bool) -> Floats:
            return least_topics(
                lambda topics: self._detectable(topics, power, draws=draws) <= difference * (1 + SLACK),
                draws=DRAWS if draws else 1,
            )

        topics = float(search(draws=False)[0])
        lower, upper = self._limits(search(draws=True))
        reason = "some variances that the pilot allows need more assessors, however many topics there are"
        if math.isinf(topics):
            reason = (
                f"no number of topics detects a difference of {difference:g} with {100 * power:g} % power and "
                f"{counted(self.pilot.assessor_count, 'assessor')}, who differ in their ranking of systems: plan more "
                "assessors (`design`)"
            )
        return self._statement(
            "topics",
            difference=difference,
            power=power,
            topics=None if math.isinf(topics) else int(topics),
            lower=_finite(lower),
            upper=_finite(upper),
            reason=reason,
        )

    def _detectable_difference(self, topics: int, power: float) -> PowerStatement:
        counts = np.array([float(topics)])
        lower, upper = self._limits(self._detectable(counts, power, draws=True))
        return self._statement(
            "difference",
            difference=float(self._detectable(counts, power, draws=False)[0]),
            power=power,
            topics=topics,
            lower=lower,
            upper=upper,
            reason=_NO_LIMITS,
        )

    def _power(self, difference: float, topics: int) -> PowerStatement:
        def solve(*, draws: bool) -> Floats:
            variance, freedom = self.pilot.variance(np.array([float(topics)]), draws=draws)
            return design_power(difference, variance, freedom, alpha=self.alpha)

        lower, upper = self._limits(solve(draws=True))
        return self._statement(
            "power",
            difference=difference,
            power=float(solve(draws=False)[0]),
            topics=topics,
            lower=lower,
            upper=upper,
            reason=_NO_LIMITS,
        )

    def _detectable(self, topics: Floats, power: float, *, draws: bool) -> Floats:
        """The differences that these numbers of topics detect: as estimated, or for each draw of the variances."""
        variance, freedom = self.pilot.variance(topics, draws=draws)
        if not draws:
            return np.sqrt(variance) * detectable_shift(freedom, power=power, alpha=self.alpha)
        grid, shifts = self._shifts
        return np.sqrt(variance) * np.interp(1 / freedom, grid, shifts)

    @cached_property
    def _shifts(self) -> tuple[Floats, Floats]:
        """Detectable differences in units of their standard error, by the reciprocal of their degrees of freedom."""
        grid = np.linspace(1e-6, 1.0, 200)
        shifts = detectable_shift(1 / grid, power=self.options.power_in_percent / 100, alpha=self.alpha)
        return grid, shifts

    def _limits(self, drawn: Floats) -> tuple[float, float]:
        """The middle of what the draws of the variances lead to."""
        tail = (1 - self.options.confidence / 100) / 2
        lower, upper = np.quantile(drawn, [tail, 1 - tail], method="inverted_cdf")
        return float(lower), float(upper)

    def _statement(
        self,
        solved: Solved,
        *,
        difference: float,
        power: float,
        topics: int | None,
        lower: float | None,
        upper: float | None,
        reason: str,
    ) -> PowerStatement:
        return PowerStatement(
            measure=self.pilot.measure,
            a=self.pilot.a,
            b=self.pilot.b,
            solved=solved,
            difference=defined(difference),
            power=defined(power),
            alpha=self.alpha,
            topics=topics,
            lower=defined(lower),
            upper=defined(upper),
            sd=defined(self.pilot.sd),
            pilot_topics=self.pilot.topics,
            assessors=self.pilot.assessors,
            holds_for=self.pilot.holds_for,
            note=self.note,
            reason=reason,
        )


_NO_LIMITS = "the pilot is too small for limits"


def _unless_nan(value: float | None) -> float | None:
    """The number as it is, so that a count of topics stays whole, or None where it is undefined (NaN)."""
    return None if value is None or math.isnan(value) else value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
