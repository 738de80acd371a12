"""`judgments describe`: who judged what, when and how long; which assessors are strict, and whether that changes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign, Judgment
from pyramidion.campaign.nouns import mean_of_runs, moment
from pyramidion.options import AssessorOptions
from pyramidion.show.tables import ExplainedRow, Finding, NotedRow, WordedRow, grouped, headed, hidden
from pyramidion.show.wording import counted, defined
from pyramidion.statistics.multiple import adjusted
from pyramidion.studies.judgments.deviations import (
    BASES,
    Basis,
    IntervalEstimate,
    NumberedAnswers,
    mean_over_topics,
    trend_over_topics,
)
from pyramidion.studies.judgments.questions import answers_to, judged_questions, note_on_judgments

FEWEST_TIMED = 10
"""Answers of an assessor to a question from which an unusual time can be told."""
# Iglewicz and Hoaglin (1993) call a modified z-score above 3.5 a potential outlier.
UNUSUAL = 3.5
"""Robust standard deviations of the logarithm of time beyond which an answer took unusually long or short."""
SHORTEST = 0.1
"""Seconds: a shorter time counts as this."""


class AssessorWork(ExplainedRow, record="assessor-work"):
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
    seconds: float | None = headed("median seconds", digits=1)
    """Median of an answer."""
    hours: float | None = headed(digits=2)
    """All answers together, where their time is known."""
    timed: int
    """Answers whose time is known."""


class AssessorTopic(ExplainedRow, record="assessor-topic"):
    """What one assessor judged of one topic."""

    assessor: str
    topic: str
    answers: int
    summaries: int
    first: str | None
    last: str | None
    hours: float | None = headed(digits=2)


class AssessorSeverity(WordedRow, record="assessor-severity", digits=3):
    """How far an assessor's answers to a question lie above or below those of others; below 0: stricter."""

    question: str
    assessor: str
    mean: float = headed(digits=2)
    deviation: float | None = headed("deviation from others")
    lower: float | None
    upper: float | None
    p: float | None
    p_adjusted: float | None = headed("p (Holm)")
    n: int = headed("answers compared")
    topics: int
    compared_with: Basis | None
    confidence: float
    about: str = hidden(default="")
    """What one must know of all answers."""


class AssessorDrift(WordedRow, record="assessor-drift", digits=3):
    """How an assessor's deviation from others changes from the first answer to the last."""

    question: str
    assessor: str
    change: float | None = headed("change from first to last")
    lower: float | None
    upper: float | None
    p: float | None
    p_adjusted: float | None = headed("p (Holm)")
    n: int = headed("answers compared")
    topics: int
    compared_with: Basis | None
    confidence: float
    about: str = hidden(default="")
    """What one must know of all answers."""


Tested = TypeVar("Tested", AssessorSeverity, AssessorDrift)


class UnusualTime(NotedRow, record="assessor-time", digits=1):
    """An answer that took an assessor much longer, or much shorter, than others to the same question."""

    question: str
    assessor: str
    topic: str
    summarizer: str
    seconds: float
    median: float = headed("median seconds")
    """Of the assessor's answers to the question."""
    took: Literal["long", "short"]


class AssessorDescription(Finding):
    """Who judged what, when and how long; severity and drift of assessors."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "assessor-work",
        "assessor-severity",
        "assessor-drift",
        "assessor-topic",
        "assessor-time",
    )

    work: tuple[AssessorWork, ...]
    severities: tuple[AssessorSeverity, ...]
    drifts: tuple[AssessorDrift, ...] = ()
    by_topic: tuple[AssessorTopic, ...] = ()
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

    def significant(self, rows: Sequence[Tested]) -> list[Tested]:
        """The severities, or the drifts, whose adjusted p is below the level of the intervals."""
        level = 1 - self.confidence / 100
        return [row for row in rows if row.p_adjusted is not None and row.p_adjusted < level]


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
    note = note_on_judgments(campaign)
    all_judgments: list[Judgment] = []
    severities: list[AssessorSeverity] = []
    drifts: list[AssessorDrift] = []
    unusual: list[UnusualTime] = []
    for question in judged_questions(campaign, options.question):
        judgments = answers_to(campaign, question)
        all_judgments += judgments
        # Several runs of a judge are one answer here: they are no independent opinions.
        answers = _QuestionAnswers(question, mean_of_runs(judgments), note)
        severities += answers.severities(options.confidence)
        drifts += answers.drifts(options.confidence)
        unusual += _unusual_times(answers.judgments, note)
    return AssessorDescription(
        work=tuple(_work_by_assessor(all_judgments, campaign, note)),
        severities=_with_holm_correction(severities),
        drifts=_with_holm_correction(drifts),
        by_topic=tuple(_work_by_topic(all_judgments, note)),
        unusual=tuple(unusual),
        options=options,
        summaries=len({(judgment.topic, judgment.summarizer) for judgment in all_judgments}),
        topics=len({judgment.topic for judgment in all_judgments}),
        note=note,
    )


def _work_by_assessor(judgments: Sequence[Judgment], campaign: Campaign, note: str) -> Iterator[AssessorWork]:
    """What each assessor judged, in the order of their names."""
    preferences = grouped(campaign.preferences, lambda preference: preference.assessor)
    by_assessor = grouped(judgments, lambda judgment: judgment.assessor)
    for assessor in sorted(by_assessor):
        work = by_assessor[assessor]
        seconds = _known_seconds(work)
        yield AssessorWork(
            assessor=assessor,
            topics=len({judgment.topic for judgment in work}),
            questions=len({judgment.question for judgment in work}),
            preferences=len(preferences.get(assessor, ())),
            seconds=median(seconds) if seconds else None,
            timed=len(seconds),
            **_amount_of_work(work, note),
        )


def _work_by_topic(judgments: Sequence[Judgment], note: str) -> Iterator[AssessorTopic]:
    """What each assessor judged of each topic: assessors by name, topics as they come."""
    by_topic = grouped(judgments, lambda judgment: (judgment.assessor, judgment.topic))
    for assessor, topic in sorted(by_topic, key=lambda key: key[0]):
        yield AssessorTopic(assessor=assessor, topic=topic, **_amount_of_work(by_topic[assessor, topic], note))


def _amount_of_work(judgments: Sequence[Judgment], note: str) -> dict[str, Any]:
    """How much was judged, when and how long."""
    times = []
    for judgment in judgments:
        time = moment(judgment.time)
        if time is not None:
            times.append((time, judgment.time))
    times.sort()
    seconds = _known_seconds(judgments)
    return {
        "answers": len(judgments),
        "summaries": len({(judgment.topic, judgment.summarizer) for judgment in judgments}),
        "first": times[0][1] if times else None,
        "last": times[-1][1] if times else None,
        "hours": sum(seconds) / 3600 if seconds else None,
        "note": note,
    }


def _known_seconds(judgments: Sequence[Judgment]) -> list[float]:
    """How long the answers took whose time is known."""
    return [float(judgment.seconds) for judgment in judgments if judgment.seconds is not None]


class _QuestionAnswers:
    """The answers to one question, compared with each other."""

    def __init__(self, question: str, judgments: Sequence[Judgment], note: str) -> None:
        self.question = question
        self.judgments = judgments
        self.note = note
        self.assessors = sorted({judgment.assessor for judgment in judgments})
        numbers = {assessor: number for number, assessor in enumerate(self.assessors)}
        self._answers = NumberedAnswers(
            assessors=np.array([numbers[judgment.assessor] for judgment in judgments], dtype=np.int64),
            summaries=_number_names((judgment.topic, judgment.summarizer) for judgment in judgments),
            topics=_number_names(judgment.topic for judgment in judgments),
            summarizers=_number_names(judgment.summarizer for judgment in judgments),
            values=np.array([judgment.value for judgment in judgments], dtype=np.float64),
        )
        self._deviations = {basis: self._answers.deviations(basis) for basis in BASES}

    def severities(self, confidence: float) -> Iterator[AssessorSeverity]:
        """How far each assessor lies above or below the others; without numbers if nobody else answered."""
        for number, assessor in enumerate(self.assessors):
            places = self._places_of(number)
            # Others' answers to the same summaries say most, then those within the same topics.
            basis = self._closest_basis(places)
            is_compared = basis != "own"
            estimate = IntervalEstimate()
            if is_compared:
                values, topics = self._deviations[basis][places], self._answers.topics[places]
                estimate = mean_over_topics(values, topics, confidence=confidence)
            yield AssessorSeverity(
                question=self.question,
                assessor=assessor,
                mean=float(self._answers.values[places].mean()),
                deviation=estimate.value,
                lower=estimate.lower,
                upper=estimate.upper,
                p=estimate.p,
                p_adjusted=estimate.p,
                n=estimate.n,
                topics=estimate.topics,
                compared_with=basis if is_compared else None,
                about=self.note,
                confidence=confidence,
            )

    def drifts(self, confidence: float) -> Iterator[AssessorDrift]:
        """How the deviation of each assessor changes over time; only of assessors whose answers have times."""
        for number, assessor in enumerate(self.assessors):
            places = self._places_of(number)
            positions = _positions_in_time([self.judgments[place] for place in places.tolist()])
            if np.isnan(positions).all():
                continue
            basis = self._closest_basis(places)
            values, topics = self._deviations[basis][places], self._answers.topics[places]
            trend = trend_over_topics(values, topics, positions, confidence=confidence)
            yield AssessorDrift(
                question=self.question,
                assessor=assessor,
                change=trend.value,
                lower=trend.lower,
                upper=trend.upper,
                p=trend.p,
                p_adjusted=trend.p,
                n=trend.n,
                topics=trend.topics,
                compared_with=basis,
                about=self.note,
                confidence=confidence,
            )

    def _places_of(self, assessor: int) -> Integers:
        """Where the assessor's answers stand among all answers."""
        return np.nonzero(self._answers.assessors == assessor)[0]

    def _closest_basis(self, places: Integers) -> Basis:
        """The most direct comparison that at least one of these answers allows."""
        # BASES ends in "own", which is always defined.
        return next(basis for basis in BASES if not np.isnan(self._deviations[basis][places]).all())


def _number_names(names: Iterable[Hashable]) -> Integers:
    """Each distinct name as a number, in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _positions_in_time(judgments: Sequence[Judgment]) -> Floats:
    """Where each answer of an assessor comes in time, from 0 (the first) to 1 (the last); NaN without a time."""
    times = []
    for index, judgment in enumerate(judgments):
        time = moment(judgment.time)
        if time is not None:
            times.append((time, index))
    positions = np.full(len(judgments), np.nan)
    for order, (_, index) in enumerate(sorted(times)):
        # By order, not by the clock: a night between two answers is no drift.
        positions[index] = order / max(len(times) - 1, 1)
    return positions


def _unusual_times(judgments: Sequence[Judgment], note: str) -> Iterator[UnusualTime]:
    """Answers far from the median of log(seconds), in units of 1.4826 times the median distance from it."""
    timed = [judgment for judgment in judgments if judgment.seconds is not None]
    for work in grouped(timed, lambda judgment: judgment.assessor).values():
        seconds = np.array(_known_seconds(work))
        # Times are skewed: ten times as long is as unusual as a tenth.
        logs = np.log(np.maximum(seconds, SHORTEST))
        distances = np.abs(logs - np.median(logs))
        # 1.4826 makes the median distance the standard deviation of a normal distribution.
        spread = 1.4826 * float(np.median(distances))
        if len(work) < FEWEST_TIMED or spread <= 0:
            continue
        for index in np.nonzero(distances / spread > UNUSUAL)[0]:
            judgment = work[index]
            yield UnusualTime(
                question=judgment.question,
                assessor=judgment.assessor,
                topic=judgment.topic,
                summarizer=judgment.summarizer,
                seconds=float(seconds[index]),
                median=float(np.median(seconds)),
                took="long" if seconds[index] > np.median(seconds) else "short",
                note=note,
            )


def _with_holm_correction(rows: Sequence[Tested]) -> tuple[Tested, ...]:
    """The rows with p adjusted for the number of tests, over all questions and assessors."""
    p_values = np.array([np.nan if row.p is None else row.p for row in rows], dtype=np.float64)
    corrected = adjusted(p_values, correction="holm")
    return tuple(replace(row, p_adjusted=defined(value)) for row, value in zip(rows, corrected, strict=True))
