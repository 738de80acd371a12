"""How many topics tell a difference, which difference a number of topics tells: from the variances of a pilot.

A pilot is any score table. Two summarizers are compared by the mean of their paired differences over topics. Its spread
comes from the two-way residual variance of all summarizers (a difference has variance 2·MSE), or, for a named pair,
from that pair's own differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.statistics import detectable_difference, paired_differences, paired_power, topics_needed
from pyramidion.statistics.checks import check_resampling
from pyramidion.statistics.intervals import spreads_of
from pyramidion.statistics.power import variance_limits
from pyramidion.studies.comparison.pairs import chosen_pairs

TOPICS = (5, 10, 20, 30, 50, 100, 200, 500)
"""Numbers of topics for which a detectable difference is given if none are asked for."""

Solved = Literal["topics", "difference", "power"]


@dataclass(frozen=True, kw_only=True)
class PowerStatement:
    """A difference is told with this power at this level by so many topics; one of the three was solved for.

    None is what can't be had, with the reason.
    """

    measure: str
    a: str | None
    """None, as b, for any pair: the spread is that of all summarizers."""
    b: str | None
    solved: Solved
    difference: float | None
    power: float | None
    alpha: float
    """Level of one two-sided test."""
    topics: int | None
    lower: float | None
    """Between this and `upper` lies what was solved for, as far as the pilot's spread is known."""
    upper: float | None
    sd: float | None
    """Standard deviation of paired differences in the pilot."""
    pilot_topics: int
    reason: str = ""
    note: str = ""
    """What must be said of the measure's values, such as "simulated judgments"."""


def power_analysis(
    table: ScoreTable,
    *,
    difference: float | None = None,
    topics: Sequence[int] = (),
    power: float = 80.0,
    confidence: float = 95.0,
    pairs: Sequence[tuple[str, str]] = (),
    comparisons: int = 1,
) -> list[PowerStatement]:
    """What a campaign of n topics can tell, for every measure of a pilot.

    Args:
        table: scores of the pilot.
        difference: what is to be told; gives the topics that are needed, and the power of each number of topics.
        topics: numbers of topics; each gets its least detectable difference. By default some from 5 to 500, and the
            pilot's own.
        power: in per cent.
        confidence: of the tests, in per cent; the level is 100 less this.
        pairs: of summarizers, whose own differences are used; by default any pair, with the residual variance.
        comparisons: how many tests share the level (Bonferroni).
    """
    check_resampling(confidence=confidence, resamples=1)
    if not 0 < power < 100:
        raise UsageError(f"power {power:g}: expected a percentage between 0 and 100, such as 80")
    if comparisons < 1:
        raise UsageError(f"comparisons {comparisons}: expected a number from 1 up")
    if any(count < 2 for count in topics):
        raise UsageError(f"topics {min(topics)}: the spread of differences needs 2 or more")
    if difference is not None and (difference == 0 or not math.isfinite(difference)):
        raise UsageError(f"difference {difference:g}: no number of topics tells no difference; expected one not 0")
    alpha = (100 - confidence) / 100 / comparisons
    if power / 100 <= alpha:
        raise UsageError(
            f"power {power:g}: chance alone finds {100 * alpha:g} %; expected a percentage above that, such as 80"
        )
    chosen = chosen_pairs(table.summarizers, CompareOptions(pair=tuple(pairs)))
    plan = _Plan(difference and abs(difference), tuple(topics), power / 100, alpha, confidence)
    return [
        replace(statement, note=table.notes.get(measure, ""))
        for measure in table.measures
        for pilot in _pilots(table.matrix(measure), chosen)
        for statement in plan.statements(pilot)
    ]


@dataclass(frozen=True)
class _Pilot:
    """What a table says of the spread of paired differences."""

    measure: str
    a: str | None
    b: str | None
    sd: float
    degrees_of_freedom: int
    topics: int
    reason: str = ""


def _pilots(matrix: ScoreMatrix, pairs: Sequence[tuple[str, str]]) -> list[_Pilot]:
    if not pairs:
        there = ~np.isnan(matrix.values)
        topics = int(there.any(axis=0).sum())
        fit = two_way_anova(matrix.values) if there.any(axis=1).sum() > 1 else None
        if fit is None:
            reason = "a pilot needs two summarizers and two topics that both have"
            return [_Pilot(matrix.measure, None, None, math.nan, 0, topics, reason)]
        sd = math.sqrt(2 * fit.mean_square)
        return [_Pilot(matrix.measure, None, None, sd, fit.degrees_of_freedom, topics, _why_not(sd))]
    row = {who: place for place, who in enumerate(matrix.summarizers)}
    pilots: list[_Pilot] = []
    for a, b in pairs:
        values = np.full((1, 1), np.nan)
        if a in row and b in row:
            values = paired_differences(matrix.values, [(row[a], row[b])])
        n = int((~np.isnan(values)).sum())
        sd = float(spreads_of(values)[0])
        reason = "the pair shares fewer than two topics" if n < 2 else _why_not(sd)
        pilots.append(_Pilot(matrix.measure, a, b, sd, n - 1, n, reason))
    return pilots


def _why_not(sd: float) -> str:
    return "" if sd > 0 else "differences do not vary in the pilot, so that any number of topics tells any difference"


@dataclass(frozen=True)
class _Plan:
    """What is asked of every pilot."""

    difference: float | None
    topics: tuple[int, ...]
    power: float
    alpha: float
    confidence: float

    def statements(self, pilot: _Pilot) -> list[PowerStatement]:
        """The needed topics first, then for each number of topics what it tells."""
        said: list[PowerStatement] = []
        if (asked := self.difference) is not None:
            said.append(
                self._solve(
                    pilot,
                    "topics",
                    lambda sd: topics_needed(difference=asked, sd=sd, power=self.power, alpha=self.alpha),
                    difference=asked,
                    power=self.power,
                )
            )
        for count in self.topics or sorted({*TOPICS, max(pilot.topics, 2)}):

            def detectable(sd: float, count: int = count) -> float:
                return detectable_difference(topics=count, sd=sd, power=self.power, alpha=self.alpha)

            said.append(self._solve(pilot, "difference", detectable, power=self.power, topics=count))
            if asked is not None:

                def reached(sd: float, count: int = count, asked: float = asked) -> float:
                    return paired_power(difference=asked, sd=sd, topics=count, alpha=self.alpha)

                said.append(self._solve(pilot, "power", reached, difference=asked, topics=count))
        return said

    def _solve(
        self,
        pilot: _Pilot,
        solved: Solved,
        solve: Callable[[float], float | None],
        *,
        difference: float | None = None,
        power: float | None = None,
        topics: int | None = None,
    ) -> PowerStatement:
        known = pilot.sd > 0
        value = solve(pilot.sd) if known else None
        limits: list[float | None] = [None, None]
        reason = pilot.reason
        if known:
            ends = variance_limits(pilot.sd**2, pilot.degrees_of_freedom, confidence=self.confidence)
            limits = [solve(math.sqrt(end)) for end in ends]
            if solved == "power":  # which falls as the spread grows
                limits.reverse()
            if value is None:
                reason = "no number of topics that one could have tells so small a difference"
            elif None in limits:
                reason = "the pilot is too small to bound it"
        return PowerStatement(
            measure=pilot.measure,
            a=pilot.a,
            b=pilot.b,
            solved=solved,
            difference=value if solved == "difference" else difference,
            power=value if solved == "power" else power,
            alpha=self.alpha,
            topics=_whole(value) if solved == "topics" else topics,
            lower=limits[0],
            upper=limits[1],
            sd=pilot.sd if known or pilot.sd == 0 else None,
            pilot_topics=pilot.topics,
            reason=reason,
        )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
