"""How far the scores of a judge lie from people's where people answered the same question: alone, they mislead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Judgment
from pyramidion.campaign.raters import name_of_column
from pyramidion.measures.names import parse
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.show.tables import ExplainedRow, hidden
from pyramidion.studies.deciding import find_programs
from pyramidion.studies.judgments.deviations import mean_over_topics


class JudgeOffset(ExplainedRow, record="judge-offset"):
    """A judge's scores less people's, on the summaries that both judged."""

    measure: str
    """What was compared: the judge's scores."""
    with_: str
    """The question that people answered, too."""
    judges: tuple[str, ...]
    difference: float
    lower: float | None
    upper: float | None
    p: float | None
    topics: int
    """Topics that both judged."""
    topics_total: int
    """Topics that the judge scored."""
    n: int
    """Summaries that both judged."""
    confidence: float
    is_planned: bool = hidden(default=False)
    """Whether a plan drew what people judged."""


def find_judge_offsets(
    campaign: Campaign, table: ScoreTable, measures: Iterable[str], *, confidence: float
) -> tuple[JudgeOffset, ...]:
    """For each measure that is a judge's, how far it lies from people's answers to the same question.

    Measures that people or automatic measures are behind, and judges whose question no person answered, have none.

    Args:
        campaign: with the answers of all raters.
        table: the scores that are compared.
        measures: those to look at.
        confidence: of the limits, in percent.
    """
    programs = find_programs(campaign)
    if not programs:
        return ()
    offsets: list[JudgeOffset] = []
    for measure in measures:
        matrix = table.matrix(measure)
        judges, question = _judges_behind(campaign, measure, matrix, programs)
        if not judges:
            continue
        answers = [answer for answer in campaign.judgments if answer.question == question]
        people = _people_means([answer for answer in answers if answer.assessor not in {*programs, *judges}])
        offset = _offset(measure, judges, question, matrix, people, confidence)
        if offset is not None:
            offsets.append(replace(offset, is_planned=bool(campaign.sample)))
    return tuple(offsets)


def _judges_behind(
    campaign: Campaign, measure: str, matrix: ScoreMatrix, programs: set[str]
) -> tuple[tuple[str, ...], str]:
    """The judges whose scores a measure has, and the question that they answer; nobody for other measures."""
    name = parse(measure)
    question = name.statistic or ""
    if name.base == "question":
        assessor = next((option.value for option in name.options if option.key == "assessor"), "")
        if assessor:
            return ((assessor,) if assessor in programs else ()), question
        return _only_judges(campaign, question, matrix, programs), question
    if name.base != "imported" or name_of_column(measure) not in campaign.judges:
        return (), ""
    judge = name_of_column(measure)
    declared = campaign.assessors[judge].question if judge in campaign.assessors else ""
    return (judge,), declared or _only_question_on_scale(campaign, matrix, programs)


def _only_judges(campaign: Campaign, question: str, matrix: ScoreMatrix, programs: set[str]) -> tuple[str, ...]:
    """The judges of a question, if the scores are theirs and not those of people."""
    answers = [answer for answer in campaign.judgments if answer.question == question]
    judges = sorted({answer.assessor for answer in answers} & programs)
    if not judges:
        return ()
    means = _people_means([answer for answer in answers if answer.assessor in judges])
    for (topic, system), value in _cells(matrix):
        if (topic, system) not in means or abs(means[topic, system] - value) > 1e-9:
            return ()
    return tuple(judges)


def _only_question_on_scale(campaign: Campaign, matrix: ScoreMatrix, programs: set[str]) -> str:
    """The question that people answered, if it is a single one and the scores can be answers to it; else empty."""
    answers = [answer for answer in campaign.judgments if answer.assessor not in programs]
    questions = {answer.question for answer in answers}
    if len(questions) != 1:
        return ""
    (question,) = questions
    values = [float(answer.value) for answer in answers]
    low, high = min(values), max(values)
    declared = campaign.questions.get(question)
    if declared is not None:
        low, high = float(declared.scale[0]), float(declared.scale[1])
    scores = matrix.values[~np.isnan(matrix.values)]
    return question if len(scores) and low <= scores.min() and scores.max() <= high else ""


def _people_means(answers: Sequence[Judgment]) -> dict[tuple[str, str], float]:
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for answer in answers:
        values[answer.topic, answer.summarizer].append(float(answer.value))
    return {key: sum(numbers) / len(numbers) for key, numbers in values.items()}


def _cells(matrix: ScoreMatrix) -> Iterable[tuple[tuple[str, str], float]]:
    for row, system in enumerate(matrix.summarizers):
        for column, topic in enumerate(matrix.topics):
            value = float(matrix.values[row, column])
            if not np.isnan(value):
                yield (topic, system), value


def _offset(
    measure: str,
    judges: tuple[str, ...],
    question: str,
    matrix: ScoreMatrix,
    people: dict[tuple[str, str], float],
    confidence: float,
) -> JudgeOffset | None:
    """Mean of judge − people with topics as what varies; None if they share no summary."""
    topic_numbers = {topic: number for number, topic in enumerate(matrix.topics)}
    differences: list[float] = []
    topics: list[int] = []
    scored: set[str] = set()
    for (topic, system), value in _cells(matrix):
        scored.add(topic)
        if (topic, system) in people:
            differences.append(value - people[topic, system])
            topics.append(topic_numbers[topic])
    if not differences:
        return None
    estimate = mean_over_topics(
        np.array(differences, dtype=np.float64), np.array(topics, dtype=np.int64), confidence=confidence
    )
    return JudgeOffset(
        measure=measure,
        with_=f"question.{question}",
        judges=judges,
        difference=float(np.mean(differences)),
        lower=estimate.lower,
        upper=estimate.upper,
        p=estimate.p,
        topics=len(set(topics)),
        topics_total=len(scored),
        n=len(differences),
        confidence=confidence,
    )
