"""Who judged what, when and how long; which assessors are strict or lenient, and whether that changes over time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal, TypeVar

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign, Judgment
from pyramidion.campaign.nouns import mean_of_runs, moment
from pyramidion.options import AssessorOptions
from pyramidion.statistics.multiple import adjusted
from pyramidion.studies.judgments.deviations import (
    BASES,
    Answers,
    Basis,
    Estimate,
    mean_over_topics,
    trend_over_topics,
)
from pyramidion.studies.judgments.questions import answers_to, judged_questions, name_of, note_on_judgments
from pyramidion.tables import Column, Finding, NotedRow, Table, grouped, notes_of, table_of
from pyramidion.wording import capital, counted, in_words, noted, together, with_interval

FEWEST_TIMED = 10
"""Answers of an assessor to a question from which an unusual time can be told."""
UNUSUAL = 3.5
"""Robust standard deviations of the logarithm of time beyond which an answer took unusually long or short."""
SHORTEST = 0.1
"""Seconds: a shorter time counts as this."""
_COMPARED: dict[Basis, str] = {
    "summaries": "the other assessors' answers about the same summaries",
    "topics": "the other assessors' answers about the same topics, adjusted for the summarizers",
    "summarizers": "the other assessors' answers about the same summarizers on other topics",
    "own": "the mean answer about the same summarizer",
}
_CAUTION: dict[Basis, str] = {
    "topics": (
        "no summary was judged by two assessors: answers are compared within topics, adjusted for the summarizers"
    ),
    "summarizers": (
        "no topic was judged by two assessors: answers are compared with those about the same summarizers on other "
        "topics, so an assessor with difficult topics looks strict"
    ),
}


@dataclass(frozen=True, kw_only=True)
class AssessorWork(NotedRow, record="assessor-work"):
    """What one assessor judged, when, and how long it took."""

    assessor: str
    answers: int
    summaries: int
    topics: int
    questions: int
    preferences: int
    first: str | None
    """Time of the first answer, as given."""
    last: str | None
    seconds: float | None
    """Median of an answer."""
    hours: float | None
    """All answers together, where their time is known."""
    timed: int
    """Answers whose time is known."""


@dataclass(frozen=True, kw_only=True)
class AssessorSeverity(NotedRow, record="assessor-severity"):
    """How far an assessor's answers to a question lie above or below those of others; below 0: stricter."""

    question: str
    assessor: str
    mean: float
    deviation: float | None
    lower: float | None
    upper: float | None
    p: float | None
    p_adjusted: float | None
    n: int
    """Answers that could be compared."""
    topics: int
    compared_with: Basis | None
    confidence: float

    def in_words(self) -> str:
        """`−0.31 (−0.42 to −0.20)`."""
        return with_interval(self.deviation, self.lower, self.upper)


@dataclass(frozen=True, kw_only=True)
class AssessorDrift(NotedRow, record="assessor-drift"):
    """How an assessor's deviation from others changes from the first answer to the last."""

    question: str
    assessor: str
    change: float | None
    lower: float | None
    upper: float | None
    p: float | None
    p_adjusted: float | None
    n: int
    topics: int
    compared_with: Basis | None
    confidence: float


Tested = TypeVar("Tested", AssessorSeverity, AssessorDrift)


@dataclass(frozen=True, kw_only=True)
class UnusualTime(NotedRow, record="assessor-time"):
    """An answer that took an assessor much longer, or much shorter, than others to the same question."""

    question: str
    assessor: str
    topic: str
    summarizer: str
    seconds: float
    median: float
    """Of the assessor's answers to the question."""
    took: Literal["long", "short"]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AssessorDescription(Finding):
    """Who judged what, when and how long; severity and drift of assessors."""

    work: tuple[AssessorWork, ...]
    severities: tuple[AssessorSeverity, ...]
    drifts: tuple[AssessorDrift, ...] = ()
    unusual: tuple[UnusualTime, ...] = ()
    options: AssessorOptions
    summaries: int
    topics: int
    note: str = ""
    """What one must know about the judgments, such as that they are simulated."""

    def __repr__(self) -> str:
        return f"<{counted(len(self.work), 'assessor')}>"

    @property
    def confidence(self) -> float:
        """Of the intervals, in per cent."""
        return self.options.confidence

    def tables(self) -> list[Table]:
        """Work, severity, drift; answers that took unusually long or short if asked for."""
        tables = [self.work_table()]
        if any(one.deviation is not None for one in self.severities):
            tables.append(self.severity_table())
        if any(one.change is not None for one in self.drifts):
            tables.append(self.drift_table())
        if self.unusual:
            tables.append(self._unusual_table())
        return tables

    def work_table(self) -> Table:
        """What each assessor judged."""
        return table_of(
            self.work,
            (
                _ASSESSOR,
                "answers",
                "summaries",
                "topics",
                "questions",
                Column("preferences", of=lambda one: one.preferences or None),
                "first",
                "last",
                Column("seconds", "median seconds", digits=1),
                Column("hours", digits=2),
            ),
            title=noted("Who judged what", self.note),
            sentences=tuple(self._work_in_words()),
        )

    def severity_table(self) -> Table:
        """How strict or lenient each assessor is."""
        told = self._significant(self.severities)
        return table_of(
            self.severities,
            (
                "question",
                _ASSESSOR,
                Column("mean", digits=2),
                Column("deviation", "deviation from others", digits=3),
                Column("lower", digits=3),
                Column("upper", digits=3),
                Column("p_adjusted", "p (Holm)"),
                Column("n", "answers"),
                "topics",
            ),
            title=noted("Severity of assessors", f"{self.confidence:g} % intervals over topics", self.note),
            heads=2,
            marked=frozenset((row, 3) for row, one in enumerate(self.severities) if one in told),
            sentences=tuple(self._severity_in_words()),
            notes=(
                f"Deviation: mean difference from {self._comparison(self.severities)}; below 0: stricter.",
                *_notes(self.severities),
            ),
        )

    def drift_table(self) -> Table:
        """Whether an assessor became stricter or more lenient."""
        told = self._significant(self.drifts)
        return table_of(
            self.drifts,
            (
                "question",
                _ASSESSOR,
                Column("change", "change from first to last", digits=3),
                Column("lower", digits=3),
                Column("upper", digits=3),
                Column("p_adjusted", "p (Holm)"),
                Column("n", "answers"),
                "topics",
            ),
            title=noted("Drift of assessors", f"{self.confidence:g} % intervals over topics", self.note),
            heads=2,
            marked=frozenset((row, 2) for row, one in enumerate(self.drifts) if one in told),
            sentences=tuple(self._drift_in_words()),
            notes=(
                f"Change: trend of the difference from {self._comparison(self.drifts)}; below 0: becomes stricter.",
                *_notes(self.drifts),
            ),
        )

    def _unusual_table(self) -> Table:
        return table_of(
            self.unusual,
            (
                _ASSESSOR,
                "question",
                "topic",
                "summarizer",
                Column("seconds", digits=1),
                Column("median", "median seconds", digits=1),
                "took",
            ),
            title=noted("Answers that took unusually long or short", self.note),
            heads=4,
            detail=True,
        )

    def _work_in_words(self) -> Iterator[str]:
        answers = sum(one.answers for one in self.work)
        about = f"{counted(self.summaries, 'summary', 'summaries')} of {counted(self.topics, 'topic')}"
        who = f"{capital(in_words(len(self.work)))} assessor{'s' * (len(self.work) > 1)}"
        yield f"{who} gave {answers:,} answers about {about}."
        if len(self.work) > 1:
            ranked = sorted(self.work, key=lambda one: one.answers)
            most, least = ranked[-1], ranked[0]
            if most.answers > least.answers:
                yield (
                    f"{name_of(most.assessor)} gave the most ({most.answers:,}), {name_of(least.assessor)} the fewest "
                    f"({least.answers:,})."
                )
        timed = [one for one in self.work if one.seconds is not None]
        if timed:
            hours = sum(one.hours or 0.0 for one in timed)
            yield (
                f"The {sum(one.timed for one in timed):,} answers with a known time took {hours:.1f} hours; the median "
                f"of an assessor is {_range([one.seconds or 0.0 for one in timed])} seconds an answer."
            )
        if self.unusual:
            found = counted(len(self.unusual), "answer")
            yield f"{found} took unusually long or short (--show assessor-time lists them)."

    def _severity_in_words(self) -> Iterator[str]:
        tested = [one for one in self.severities if one.p_adjusted is not None]
        told = self._significant(tested)
        if not tested:
            return
        if not told:
            yield "No assessor is significantly stricter or more lenient than the others."
            return
        yield (
            f"{len(told)} of {len(tested)} deviations of an assessor from the others are significant (corrected by "
            "Holm's method)."
        )
        extremes = {"strictest": min(told, key=_deviation), "most lenient": max(told, key=_deviation)}
        for word, one in extremes.items():
            if (_deviation(one) < 0) == (word == "strictest"):
                yield f"The {word} is {name_of(one.assessor)} on {one.question}: {one.in_words()}."

    def _drift_in_words(self) -> Iterator[str]:
        tested = [one for one in self.drifts if one.p_adjusted is not None]
        if not tested:
            return
        told = self._significant(tested)
        if not told:
            yield "No assessor became significantly stricter or more lenient over time."
        for one in sorted(told, key=lambda one: -abs(one.change or 0.0)):
            change = one.change or 0.0
            became = "stricter" if change < 0 else "more lenient"
            shown = f"{with_interval(change, one.lower, one.upper)} from the first answer to the last"
            yield f"{name_of(one.assessor)} became {became} on {one.question}: {shown}."

    def _significant(self, rows: Sequence[Tested]) -> list[Tested]:
        level = 1 - self.confidence / 100
        return [one for one in rows if one.p_adjusted is not None and one.p_adjusted < level]

    @staticmethod
    def _comparison(rows: Sequence[AssessorSeverity | AssessorDrift]) -> str:
        return ", or ".join(dict.fromkeys(_COMPARED[one.compared_with] for one in rows if one.compared_with))


_ASSESSOR = Column("assessor", of=lambda one: name_of(one.assessor))


def _deviation(one: AssessorSeverity) -> float:
    return one.deviation or 0.0


def _notes(rows: Iterable[NotedRow]) -> tuple[str, ...]:
    """What rows note, and why something is undefined, but not again that judgments are simulated: the title says so."""
    return tuple(line for line in notes_of(rows) if not line.startswith("Simulated"))


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.0f}", f"{max(values):.0f}"
    return low if low == high else f"{low} to {high}"


def describe_assessors(campaign: Campaign, options: AssessorOptions | None = None) -> AssessorDescription:
    """Who judged what, when and how long; severity and drift of assessors, question by question.

    An answer is compared with what the other assessors said about the same summary; if they judged none of the
    assessor's summaries, about the same topic, or at least about the same summarizer.

    Args:
        campaign: with judgments.
        options: questions and confidence.

    Raises:
        InputError: if there are no judgments.
        UsageError: if a question was never answered.
    """
    options = options or AssessorOptions()
    questions = judged_questions(campaign, options.question)
    note = note_on_judgments(campaign)
    given = [one for question in questions for one in answers_to(campaign, question)]
    severities: list[AssessorSeverity] = []
    drifts: list[AssessorDrift] = []
    unusual: list[UnusualTime] = []
    for question in questions:
        answered = mean_of_runs(answers_to(campaign, question))
        severe, drifting = _compared(question, answered, options, note)
        severities += severe
        drifts += drifting
        unusual += _unusual(question, answered, note)
    return AssessorDescription(
        work=tuple(_work(given, campaign, note)),
        severities=_holm(severities),
        drifts=_holm(drifts),
        unusual=tuple(unusual),
        options=options,
        summaries=len({(one.topic, one.summarizer) for one in given}),
        topics=len({one.topic for one in given}),
        note=note,
    )


def _work(given: Sequence[Judgment], campaign: Campaign, note: str) -> Iterator[AssessorWork]:
    preferred = grouped(campaign.preferences, lambda one: one.assessor)
    judged = grouped(given, lambda one: one.assessor)
    for assessor in sorted(judged):
        own = judged[assessor]
        seconds = [float(one.seconds) for one in own if one.seconds is not None]
        times = sorted((when, one.time) for one in own if (when := moment(one.time)) is not None)
        yield AssessorWork(
            assessor=assessor,
            answers=len(own),
            summaries=len({(one.topic, one.summarizer) for one in own}),
            topics=len({one.topic for one in own}),
            questions=len({one.question for one in own}),
            preferences=len(preferred.get(assessor, ())),
            first=times[0][1] if times else None,
            last=times[-1][1] if times else None,
            seconds=median(seconds) if seconds else None,
            hours=sum(seconds) / 3600 if seconds else None,
            timed=len(seconds),
            note=note,
            reason="the times of the answers are not known",
        )


def _compared(
    question: str, answered: Sequence[Judgment], options: AssessorOptions, note: str
) -> tuple[list[AssessorSeverity], list[AssessorDrift]]:
    """Severity of every assessor of a question, and drift of those whose answers have times."""
    names = sorted({one.assessor for one in answered})
    answers = Answers(
        assessors=np.array([names.index(one.assessor) for one in answered], dtype=np.int64),
        summaries=_numbered((one.topic, one.summarizer) for one in answered),
        topics=_numbered(one.topic for one in answered),
        summarizers=_numbered(one.summarizer for one in answered),
        values=np.array([one.value for one in answered], dtype=np.float64),
    )
    deviations = {basis: answers.deviations(basis) for basis in BASES}
    severities: list[AssessorSeverity] = []
    drifts: list[AssessorDrift] = []
    for number, assessor in enumerate(names):
        own = answers.assessors == number
        basis = next(one for one in BASES if not np.isnan(deviations[one][own]).all())
        values, topics = deviations[basis][own], answers.topics[own]
        others = basis != "own"
        facts = {"question": question, "assessor": assessor, "confidence": options.confidence}
        about = together(note, _CAUTION.get(basis, ""))
        found = mean_over_topics(values, topics, confidence=options.confidence) if others else Estimate()
        severities.append(
            AssessorSeverity.of(
                found,
                mean=float(answers.values[own].mean()),
                deviation=found.value,
                p_adjusted=found.p,
                compared_with=basis if others else None,
                note=about,
                reason=_why_no_mean(found, others=others),
                **facts,
            )
        )
        places = _places([one for one, mine in zip(answered, own, strict=True) if mine])
        if not np.isnan(places).all():
            trend = trend_over_topics(values, topics, places, confidence=options.confidence)
            reason = "a trend needs answers with a time in at least three topics, judged one after the other"
            drifts.append(
                AssessorDrift.of(
                    trend,
                    change=trend.value,
                    p_adjusted=trend.p,
                    compared_with=basis,
                    note=about,
                    reason=reason if trend.value is None else "the trend fits exactly",
                    **facts,
                )
            )
    return severities, drifts


def _why_no_mean(found: Estimate, *, others: bool) -> str:
    if not others:
        return "nobody else answered the question"
    return "an interval needs at least two topics" if found.topics < 2 else "the deviation is the same in all topics"


def _numbered(names: Iterable[Hashable]) -> Integers:
    """Each distinct name as a number, in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _places(own: Sequence[Judgment]) -> Floats:
    """Where each answer comes among those of the assessor, from 0 (the first) to 1 (the last); NaN without a time."""
    times = [(when, index) for index, one in enumerate(own) if (when := moment(one.time)) is not None]
    places = np.full(len(own), np.nan)
    for place, (_, index) in enumerate(sorted(times)):
        places[index] = place / max(len(times) - 1, 1)
    return places


def _unusual(question: str, answered: Sequence[Judgment], note: str) -> Iterator[UnusualTime]:
    """Answers far from the median of log(seconds), in units of 1.4826 times the median distance from it."""
    timed = [one for one in answered if one.seconds is not None]
    for assessor, own in grouped(timed, lambda one: one.assessor).items():
        seconds = np.array([float(one.seconds or 0.0) for one in own])
        logs = np.log(np.maximum(seconds, SHORTEST))
        distances = np.abs(logs - np.median(logs))
        spread = 1.4826 * float(np.median(distances))
        if len(own) < FEWEST_TIMED or spread <= 0:
            continue
        for index in np.nonzero(distances / spread > UNUSUAL)[0]:
            yield UnusualTime(
                question=question,
                assessor=assessor,
                topic=own[index].topic,
                summarizer=own[index].summarizer,
                seconds=float(seconds[index]),
                median=float(np.median(seconds)),
                took="long" if seconds[index] > np.median(seconds) else "short",
                note=note,
            )


def _holm(rows: Sequence[Tested]) -> tuple[Tested, ...]:
    p = np.array([np.nan if one.p is None else one.p for one in rows], dtype=np.float64)
    corrected = adjusted(p, correction="holm")
    return tuple(
        replace(one, p_adjusted=None if np.isnan(value) else float(value))
        for one, value in zip(rows, corrected, strict=True)
    )
