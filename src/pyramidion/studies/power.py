"""How many topics a comparison needs, or the smallest difference it can detect, from the variances of a pilot.

A pilot is any score table. Two summarizers are compared by the mean of their paired differences over topics. Its spread
comes from the two-way residual variance of all summarizers (a difference has variance 2·MSE), or, for a named pair,
from that pair's own differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.options import CompareOptions, PowerOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.statistics import paired_differences, two_way_anova
from pyramidion.statistics.means import spreads_of
from pyramidion.statistics.power import detectable_difference, paired_power, topics_needed, variance_limits
from pyramidion.studies.comparison.pairs import chosen_pairs
from pyramidion.tables import Cell, Column, Finding, NotedRow, Table, columns_of, grouped
from pyramidion.wording import capital, counted, noted

TOPICS = (5, 10, 20, 30, 50, 100, 200, 500)
"""Numbers of topics for which a detectable difference is given if none are asked for."""

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
    """Standard deviation of paired differences in the pilot."""
    pilot_topics: int

    def sentence(self) -> str:
        """How many topics are needed, if that was solved for and is known."""
        if self.solved != "topics" or self.topics is None or self.power is None:
            return ""
        more = self.topics - self.pilot_topics
        have = f"{more:,} more than your {self.pilot_topics:,}" if more > 0 else f"you have {self.pilot_topics:,}"
        limits = (
            f" (between {self.lower:,g} and {self.upper:,g}, given this pilot)" if self.lower and self.upper else ""
        )
        return (
            f"Detecting a difference of {self.difference:g} with {100 * self.power:g} % power needs "
            f"{counted(self.topics, 'topic')}: {have}{limits}."
        )


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
            notes=tuple(dict.fromkeys(f"{capital(one.reason)}." for one in group if "reason" in one.fields())),
            about=noted(first.measure, whose if first.a else ""),
        )


def power_analysis(table: ScoreTable, options: PowerOptions | None = None) -> Power:
    """What a campaign of n topics can detect, for every measure of a pilot.

    With a difference: the topics that are needed, and the power of each number of topics. Each number of topics gets
    its smallest detectable difference; by default some from 5 to 500, and the pilot's own.
    """
    options = options or PowerOptions()
    alpha = (100 - options.confidence) / 100 / options.comparisons
    if options.power_in_percent / 100 <= alpha:
        raise UsageError(
            f"--power {options.power:g}: chance alone finds {100 * alpha:g} %; expected a percentage above that, such "
            "as 80"
        )
    pairs = chosen_pairs(table.summarizers, CompareOptions(pair=options.pair))
    _check_difference(table, options.difference)
    return Power(
        statements=tuple(
            statement
            for measure in table.measures
            for pilot in _pilots(table.matrix(measure), pairs)
            for statement in _Plan(pilot, options, alpha, table.notes.get(measure, "")).statements()
        ),
        options=options,
    )


def _check_difference(table: ScoreTable, difference: float | None) -> None:
    """Refuse a difference that no measure can have: on a scale from 0 to 1, 1 was probably meant as a hundredth."""
    if difference is None or difference < 1 or not table.measures:
        return
    values = [table.matrix(measure).values for measure in table.measures]
    if all(bool(((one >= 0) & (one <= 1) | np.isnan(one)).all()) and not np.isnan(one).all() for one in values):
        raise UsageError(
            f"--difference {difference:g}: these scores lie between 0 and 1, so that no two systems can differ by as "
            f"much; did you mean --difference {difference / 100:g}?"
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
        whole = int(value) if solved == "topics" and value is not None else value
        facts = {"difference": None, "power": None, "topics": None, **given, solved: whole}
        return PowerStatement.of(
            pilot,
            self,
            solved=solved,
            lower=limits[0],
            upper=limits[1],
            pilot_topics=pilot.topics,
            reason=reason,
            **facts,
        )
