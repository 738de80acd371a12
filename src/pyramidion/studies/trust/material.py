"""What a trial looks at: scores of a judge or a measure and people's answers, on the same systems and topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign.nouns import Assessor, Judgment, Preference, mean_of_runs
from pyramidion.scores import ScoreTable
from pyramidion.scores.table import Score

POWER = 0.8
"""The chance with which a trial is to find what it can detect."""
TextOf = Callable[[str, str], str]
"""From a topic and a system to a text; empty if there is none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HumanScores:
    """The human scores: systems × topics, and the single answers behind them where these are known."""

    name: str
    """The measure."""
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    means: Floats
    """Systems × topics, better when high; NaN where nobody answered."""
    answers: Floats
    """Systems × topics × people; no people where only means are known."""
    persons: tuple[str, ...] = ()
    scale: tuple[float, float] | None = None
    is_reversed: bool = False
    """Whether values were multiplied by −1, because lower is better."""
    outside: Floats = field(default_factory=lambda: np.zeros(0))
    """Human scores of systems and topics that nothing on trial has scored; better when high."""

    @property
    def codings(self) -> Floats:
        """The answers as summaries × people."""
        return self.answers.reshape(-1, len(self.persons))

    @cached_property
    def noise(self) -> Floats | None:
        """The variance of each mean, s²/k of k answers; NaN where one person answered, None if nobody shares any.

        Where everybody answered everything, people's levels are taken out first: they are the same for all summaries.
        """
        if self.answers.shape[2] < 2:
            return None
        answers = self.answers
        is_given = ~np.isnan(answers)
        if is_given.all():
            answers = answers - answers.mean(axis=(0, 1))
        counts = is_given.sum(axis=2)
        if not (counts >= 2).any():
            return None
        means = np.divide(
            np.where(is_given, answers, 0.0).sum(axis=2),
            counts,
            out=np.full(counts.shape, np.nan),
            where=counts > 0,
        )
        squares = np.where(is_given, answers - means[:, :, None], 0.0) ** 2
        variances = np.full(counts.shape, np.nan)
        is_shared = counts >= 2
        variances[is_shared] = (squares.sum(axis=2) / np.maximum(counts - 1, 1) / np.maximum(counts, 1))[is_shared]
        if not is_shared.all():
            # A summary with one answer has the noise of a single answer of the others.
            single = float((variances[is_shared] * counts[is_shared]).mean())
            variances = np.where(counts == 1, single, variances)
        return variances

    @property
    def topic_codes(self) -> Integers:
        """Systems × topics: the number of the topic."""
        return np.broadcast_to(np.arange(len(self.topics)), self.means.shape).copy()

    @property
    def system_codes(self) -> Integers:
        """Systems × topics: the number of the system."""
        return np.broadcast_to(np.arange(len(self.systems))[:, None], self.means.shape).copy()

    def matrix(self, cells: Mapping[tuple[str, str], float]) -> Floats:
        """Values by topic and system as systems × topics; NaN where there is none."""
        values = np.full(self.means.shape, np.nan)
        rows = {system: number for number, system in enumerate(self.systems)}
        columns = {topic: number for number, topic in enumerate(self.topics)}
        for (topic, system), value in cells.items():
            if topic in columns and system in rows:
                values[rows[system], columns[topic]] = value
        return values


@dataclass(frozen=True, kw_only=True, eq=False)
class Defendant:
    """A judge or a measure on trial."""

    measure: str
    judge: str = ""
    """The assessor's name, if it is one."""
    facts: Assessor = field(default_factory=Assessor)
    """What campaign.toml says about the judge."""
    relatives: tuple[str, ...] = ()
    """The systems of its own family."""
    scores: Floats
    """Systems × topics, better when high."""
    is_reversed: bool = False
    """Whether the scores were multiplied by −1, because lower is better."""
    runs: Floats | None = None
    """Summaries × runs; None without several runs."""
    places: Floats | None = None
    """Systems × topics: where in the work it answered, from 0 (first) to 1 (last); None if that is not known."""
    anchor: Floats | None = None
    """Systems × topics: its scores in the anchor; None without an anchor."""
    preferences: tuple[Preference, ...] = ()
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By topic and system, the judge's comment."""
    note: str = ""

    def head(self, people: HumanScores) -> dict[str, Any]:
        """The fields that all rows about it have: who is tried against whom."""
        return {"measure": self.measure, "with_": people.name, "note": self.note}


@dataclass(frozen=True, kw_only=True, eq=False)
class Texts:
    """What is known about the summaries besides scores."""

    lengths: Floats
    """Systems × topics: words; NaN where there is no text."""
    copied: Floats
    """Systems × topics: the share of words that stand in fragments copied from the documents; NaN where unknown."""
    text_of: TextOf
    source_of: TextOf
    """A reference or the document; the system does not matter."""


def places_in_order(answers: Sequence[Judgment], people: HumanScores) -> Floats | None:
    """Systems × topics: the place at which answers were given, from 0 to 1, the mean of runs; None if not recorded."""
    cells: dict[tuple[str, str], list[int]] = {}
    for answer in answers:
        if answer.order is not None:
            cells.setdefault((answer.topic, answer.summarizer), []).append(answer.order)
    orders = [order for places in cells.values() for order in places]
    if not orders or min(orders) == max(orders):
        return None
    first, last = min(orders), max(orders)
    return people.matrix({key: (float(np.mean(places)) - first) / (last - first) for key, places in cells.items()})


def people_of_answers(
    judgments: Sequence[Judgment],
    *,
    name: str,
    judges: set[str],
    systems: Sequence[str],
    topics: Sequence[str],
    scale: tuple[float, float] | None,
) -> HumanScores:
    """People's answers to a question, without those of judges.

    Args:
        judgments: all answers to the question.
        name: the measure.
        judges: assessors that are no people, or that are on trial.
        systems: in order.
        topics: in order.
        scale: the lowest and the highest answer, if they are declared.
    """
    answers = [judgment for judgment in mean_of_runs(judgments) if judgment.assessor not in judges]
    persons = tuple(sorted({judgment.assessor for judgment in answers}))
    rows = {system: number for number, system in enumerate(systems)}
    columns = {topic: number for number, topic in enumerate(topics)}
    layers = {person: number for number, person in enumerate(persons)}
    values = np.full((len(systems), len(topics), len(persons)), np.nan)
    for judgment in answers:
        if judgment.summarizer in rows and judgment.topic in columns:
            cell = rows[judgment.summarizer], columns[judgment.topic], layers[judgment.assessor]
            values[cell] = judgment.value
    is_given = ~np.isnan(values)
    counts = is_given.sum(axis=2)
    sums = np.where(is_given, values, 0.0).sum(axis=2)
    means = np.divide(sums, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    return HumanScores(
        name=name,
        systems=tuple(systems),
        topics=tuple(topics),
        means=means,
        answers=values,
        persons=persons,
        scale=scale,
    )


def run_matrix(cells: Mapping[tuple[str, str], Sequence[float]]) -> Floats | None:
    """Summaries × runs from the answers about each summary; None if none has two."""
    most = max((len(values) for values in cells.values()), default=0)
    if most < 2:
        return None
    matrix = np.full((len(cells), most), np.nan)
    for row, values in enumerate(cells.values()):
        matrix[row, : len(values)] = values
    return matrix


def both_as_table(people: HumanScores, defendant: Defendant) -> ScoreTable:
    """Human scores and those on trial as a score table, both better when high."""
    rows: list[Score] = []
    for measure, values in ((people.name, people.means), (defendant.measure, defendant.scores)):
        for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True):
            rows.append(Score(measure, people.topics[column], people.systems[row], float(values[row, column])))
    return ScoreTable.of(rows)


def is_on_scale(people: HumanScores, scores: Floats) -> Bools | bool:
    """Whether scores can be answers to the question: they lie within its scale."""
    defined_scores = scores[~np.isnan(scores)]
    if people.scale is None or people.is_reversed or not len(defined_scores):
        return False
    low, high = people.scale
    return bool(((defined_scores >= low) & (defined_scores <= high)).all())
