"""How often each answer was given, by kind of summarizer (Dang 2006, Table 2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.options import FrequencyOptions
from pyramidion.show.tables import Finding, NotedRow, grouped, optional
from pyramidion.studies.judgments.questions import (
    MOST_VALUES,
    answers_to,
    judged_questions,
    note_on_judgments,
    scale_values,
)

KINDS = ("human", "baseline", "participant")
BINS = 10


class Frequency(NotedRow, record="frequency"):
    """How often one answer was given to one question, on the summaries of one kind of summarizer."""

    question: str
    kind: str
    value: float
    count: int
    share: float
    n: int
    """All answers to the question on summaries of this kind."""
    below: float | None = optional()
    """Where answers are grouped: `value` is the lowest of the group, and the group ends before this value."""


@dataclass(frozen=True, kw_only=True)
class JudgmentCounts:
    """How much was judged, over all questions of a campaign."""

    answers: int
    questions: int
    summaries: int
    assessors: int | None
    """None if the data does not say who answered."""
    has_double_answers: bool
    """Whether a question about some summary was answered more than once; without that, agreement is unknown."""


class Frequencies(Finding, eq=True):
    """Frequencies of answers, by question, kind of summarizer and value."""

    frequencies: tuple[Frequency, ...]
    means: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By question and kind of summarizer; each answer of each assessor counts once."""
    counts: JudgmentCounts | None = None
    """Who judged how much."""
    note: str = ""
    """What one must know about the judgments, such as that they are simulated."""

    def __repr__(self) -> str:
        return f"<Frequencies of answers to {', '.join(self.questions)}>"

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, in the campaign's order."""
        return tuple(dict.fromkeys(row.question for row in self.frequencies))

    def of(self, question: str) -> dict[str, list[Frequency]]:
        """The frequencies of one question: by kind of summarizer, the values in order."""
        rows = [row for row in self.frequencies if row.question == question]
        return grouped(rows, lambda row: row.kind)

    def headline_means(self) -> dict[str, float]:
        """By question, the mean of participants; of questions that they have no answers to, of the first kind."""
        return {
            question: means.get("participant", next(iter(means.values()))) for question, means in self.means.items()
        }

    def gaps_to_participants(self, kind: str) -> dict[str, float]:
        """By question, how much higher the mean of one kind of summarizer is than that of participants."""
        return {
            question: means[kind] - means["participant"]
            for question, means in self.means.items()
            if kind in means and "participant" in means
        }


def judgment_frequencies(campaign: Campaign, options: FrequencyOptions | None = None) -> Frequencies:
    """How often each answer was given, by question and kind of summarizer; an answer of each assessor counts.

    The values are those of the question's scale, including those that nobody gave. Where the campaign declares no
    scale: the whole numbers from the lowest answer to the highest, or the answers themselves if they are no whole
    numbers. More than twenty values, or ten that are no whole numbers, are put in ten groups of equal width.
    """
    options = options or FrequencyOptions()
    note = note_on_judgments(campaign)
    frequencies: list[Frequency] = []
    means: dict[str, dict[str, float]] = {}
    for question in judged_questions(campaign, options.question):
        answers = _answers_by_kind(campaign, question)
        means[question] = {kind: sum(values) / len(values) for kind, values in answers.items()}
        scale = scale_values(campaign, question)
        fractions = sum(1 for value in scale if not float(value).is_integer())
        is_grouped = len(scale) > MOST_VALUES or fractions > BINS
        count_values = _count_in_groups if is_grouped else _count_each_value
        for kind, values in answers.items():
            frequencies += [
                Frequency(question=question, kind=kind, n=len(values), note=note, **counts)
                for counts in count_values(values, scale)
            ]
    return Frequencies(frequencies=tuple(frequencies), means=means, counts=_judgment_counts(campaign), note=note)


def _answers_by_kind(campaign: Campaign, question: str) -> dict[str, list[float]]:
    """The answers to a question by kind of summarizer: humans, then baselines, then participants."""
    judgments = grouped(answers_to(campaign, question), lambda judgment: campaign.kind_of(judgment.summarizer))
    return {kind: [judgment.value for judgment in judgments[kind]] for kind in KINDS if kind in judgments}


def _judgment_counts(campaign: Campaign) -> JudgmentCounts:
    """How many answers, questions, summaries and assessors the campaign has."""
    assessors = {judgment.assessor for judgment in campaign.judgments}
    answers = Counter((judgment.question, judgment.topic, judgment.summarizer) for judgment in campaign.judgments)
    return JudgmentCounts(
        answers=len(campaign.judgments),
        questions=len(campaign.question_names),
        summaries=len({(topic, summarizer) for _, topic, summarizer in answers}),
        assessors=None if assessors == {""} else len(assessors),
        has_double_answers=max(answers.values()) > 1,
    )


def _count_each_value(answers: Sequence[float], scale: Sequence[float]) -> Iterator[dict[str, Any]]:
    """How often each value of the scale was given."""
    counts = Counter(answers)
    for value in scale:
        shown_value = int(value) if float(value).is_integer() else value
        yield {"value": shown_value, "count": counts[value], "share": counts[value] / len(answers)}


def _count_in_groups(answers: Sequence[float], scale: Sequence[float]) -> Iterator[dict[str, Any]]:
    """Ten groups of equal width; the highest value belongs to the last, and rounding moves no value over an edge."""
    lowest, width = scale[0], (scale[-1] - scale[0]) / BINS
    edges = [round(lowest + width * group, 12) for group in range(BINS + 1)]
    counts = Counter(min(math.floor((answer - lowest) / width + 1e-9), BINS - 1) for answer in answers)
    for group in range(BINS):
        share = counts[group] / len(answers)
        yield {"value": edges[group], "below": edges[group + 1], "count": counts[group], "share": share}
