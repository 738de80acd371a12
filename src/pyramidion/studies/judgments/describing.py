"""`judgments describe`: from judgments to the work, severity and drift of assessors."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign, Judgment
from pyramidion.campaign.nouns import mean_of_runs, moment
from pyramidion.options import AssessorOptions
from pyramidion.show.tables import grouped
from pyramidion.show.wording import defined, together
from pyramidion.statistics.multiple import adjusted
from pyramidion.studies.judgments.assessors import (
    AssessorDescription,
    AssessorDrift,
    AssessorSeverity,
    AssessorTopic,
    AssessorWork,
    Tested,
    UnusualTime,
)
from pyramidion.studies.judgments.deviations import BASES, Answers, Basis, Estimate, mean_over_topics, trend_over_topics
from pyramidion.studies.judgments.questions import answers_to, judged_questions, note_on_judgments

FEWEST_TIMED = 10
"""Answers of an assessor to a question from which an unusual time can be told."""
UNUSUAL = 3.5
"""Robust standard deviations of the logarithm of time beyond which an answer took unusually long or short."""
SHORTEST = 0.1
"""Seconds: a shorter time counts as this."""
_CAUTION: dict[Basis, str] = {
    "topics": (
        "no summary was judged by two assessors: answers are compared within topics, adjusted for the summarizers"
    ),
    "summarizers": (
        "no topic was judged by two assessors: answers are compared with those about the same summarizers on other "
        "topics, so an assessor with difficult topics looks strict"
    ),
}


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
        unusual += _unusual(answered, note)
    return AssessorDescription(
        work=tuple(_work(given, campaign, note)),
        severities=_holm(severities),
        drifts=_holm(drifts),
        by_topic=tuple(_by_topic(given, note)),
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
        seconds = _seconds(own)
        yield AssessorWork(
            assessor=assessor,
            topics=len({one.topic for one in own}),
            questions=len({one.question for one in own}),
            preferences=len(preferred.get(assessor, ())),
            seconds=median(seconds) if seconds else None,
            timed=len(seconds),
            **_amount(own, note),
        )


def _by_topic(given: Sequence[Judgment], note: str) -> Iterator[AssessorTopic]:
    judged = grouped(given, lambda one: (one.assessor, one.topic))
    for assessor, topic in sorted(judged, key=lambda key: key[0]):  # topics as they come
        yield AssessorTopic(assessor=assessor, topic=topic, **_amount(judged[assessor, topic], note))


def _amount(own: Sequence[Judgment], note: str) -> dict[str, Any]:
    """How much was judged, when and how long."""
    times = sorted((when, one.time) for one in own if (when := moment(one.time)) is not None)
    seconds = _seconds(own)
    return {
        "answers": len(own),
        "summaries": len({(one.topic, one.summarizer) for one in own}),
        "first": times[0][1] if times else None,
        "last": times[-1][1] if times else None,
        "hours": sum(seconds) / 3600 if seconds else None,
        "note": note,
        "reason": "the times of the answers are not known",
    }


def _seconds(own: Sequence[Judgment]) -> list[float]:
    return [float(one.seconds) for one in own if one.seconds is not None]


def _compared(
    question: str, answered: Sequence[Judgment], options: AssessorOptions, note: str
) -> tuple[list[AssessorSeverity], list[AssessorDrift]]:
    """Severity of every assessor of a question, and drift of those whose answers have times."""
    names = sorted({one.assessor for one in answered})
    number_of = {name: number for number, name in enumerate(names)}
    answers = Answers(
        assessors=np.array([number_of[one.assessor] for one in answered], dtype=np.int64),
        summaries=_numbered((one.topic, one.summarizer) for one in answered),
        topics=_numbered(one.topic for one in answered),
        summarizers=_numbered(one.summarizer for one in answered),
        values=np.array([one.value for one in answered], dtype=np.float64),
    )
    deviations = {basis: answers.deviations(basis) for basis in BASES}
    severities: list[AssessorSeverity] = []
    drifts: list[AssessorDrift] = []
    for number, assessor in enumerate(names):
        own = np.nonzero(answers.assessors == number)[0]
        basis = next(one for one in BASES if not np.isnan(deviations[one][own]).all())
        values, topics = deviations[basis][own], answers.topics[own]
        others = basis != "own"
        about = together(note, _CAUTION.get(basis, ""))
        found = mean_over_topics(values, topics, confidence=options.confidence) if others else Estimate()
        severities.append(
            AssessorSeverity(
                question=question,
                assessor=assessor,
                mean=float(answers.values[own].mean()),
                deviation=found.value,
                lower=found.lower,
                upper=found.upper,
                p=found.p,
                p_adjusted=found.p,
                n=found.n,
                topics=found.topics,
                compared_with=basis if others else None,
                note=about,
                confidence=options.confidence,
                reason=_why_no_mean(found, others=others),
            )
        )
        places = _places([answered[place] for place in own.tolist()])
        if not np.isnan(places).all():
            trend = trend_over_topics(values, topics, places, confidence=options.confidence)
            reason = "a trend needs answers with a time in at least three topics, judged one after the other"
            drifts.append(
                AssessorDrift(
                    question=question,
                    assessor=assessor,
                    change=trend.value,
                    lower=trend.lower,
                    upper=trend.upper,
                    p=trend.p,
                    p_adjusted=trend.p,
                    n=trend.n,
                    topics=trend.topics,
                    compared_with=basis,
                    note=about,
                    confidence=options.confidence,
                    reason=reason if trend.value is None else "the trend fits exactly",
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


def _unusual(answered: Sequence[Judgment], note: str) -> Iterator[UnusualTime]:
    """Answers far from the median of log(seconds), in units of 1.4826 times the median distance from it."""
    timed = [one for one in answered if one.seconds is not None]
    for own in grouped(timed, lambda one: one.assessor).values():
        seconds = np.array([float(one.seconds or 0.0) for one in own])
        logs = np.log(np.maximum(seconds, SHORTEST))
        distances = np.abs(logs - np.median(logs))
        spread = 1.4826 * float(np.median(distances))
        if len(own) < FEWEST_TIMED or spread <= 0:
            continue
        for index in np.nonzero(distances / spread > UNUSUAL)[0]:
            judgment = own[index]
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


def _holm(rows: Sequence[Tested]) -> tuple[Tested, ...]:
    p = np.array([np.nan if one.p is None else one.p for one in rows], dtype=np.float64)
    corrected = adjusted(p, correction="holm")
    return tuple(replace(one, p_adjusted=defined(value)) for one, value in zip(rows, corrected, strict=True))
