"""What assessors said: how often each answer was given, by kind of summarizer (Dang 2006, Table 2).

Also here is what all studies of judgments share: which questions there are, and what must be said of the answers.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.campaign import Campaign, Judgment
from pyramidion.errors import InputError, UsageError, did_you_mean

KINDS = ("human", "baseline", "participant")
MOST_VALUES = 20
BINS = 10

_SCALES_OF_SETS = {"duc2006": (1, 5), "tac2008": (1, 5), "tac2009": (1, 10)}
"""Of the built-in sets of questions, which a campaign names instead of listing its questions."""


@dataclass(frozen=True, kw_only=True)
class Frequency:
    """How often one answer was given to one question, on the summaries of one kind of summarizer."""

    question: str
    kind: str
    value: float
    count: int
    share: float
    n: int
    """All answers to the question on summaries of this kind."""
    below: float | None = None
    """Where answers are grouped: `value` is the lowest of the group, and this the value it ends before."""


@dataclass(frozen=True, kw_only=True)
class Frequencies:
    """Frequencies of answers, by question, kind of summarizer and value."""

    rows: tuple[Frequency, ...]
    note: str = ""
    """What must be said wherever they show, such as "simulated judgments"."""

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, in the campaign's order."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    def of(self, question: str) -> dict[str, list[Frequency]]:
        """The frequencies of one question: by kind of summarizer, the values in order."""
        by_kind: dict[str, list[Frequency]] = defaultdict(list)
        for row in self.rows:
            if row.question == question:
                by_kind[row.kind].append(row)
        return dict(by_kind)


def judgment_frequencies(campaign: Campaign, *, questions: Sequence[str] | None = None) -> Frequencies:
    """How often each answer was given, by question and kind of summarizer; an answer of each assessor counts.

    The values are those of the question's scale, those that nobody gave included. Where the campaign declares no
    scale: the whole numbers from the lowest answer to the highest, or the answers themselves if they are no whole
    numbers. More than twenty values, or ten that are no whole numbers, are put in ten groups of equal width.

    Args:
        campaign: with judgments.
        questions: which questions; by default all that were answered.
    """
    rows: list[Frequency] = []
    for question in judged_questions(campaign, questions):
        answers: dict[str, list[float]] = defaultdict(list)
        for judgment in answers_to(campaign, question):
            answers[campaign.kind_of(judgment.summarizer)].append(judgment.value)
        values = scale_values(campaign, question)
        broken = sum(1 for value in values if not float(value).is_integer())
        count_all = _grouped if len(values) > MOST_VALUES or broken > BINS else _counted
        for kind in KINDS:
            if kind in answers:
                rows += count_all(question, kind, answers[kind], values)
    return Frequencies(rows=tuple(rows), note=note_on_judgments(campaign))


def judged_questions(campaign: Campaign, asked: Sequence[str] | None) -> tuple[str, ...]:
    """The questions that are meant: those asked for, or all that were answered.

    Raises:
        InputError: if there are no judgments.
        UsageError: if one that is asked for was never answered.
    """
    there = campaign.question_names
    if not there:
        raise InputError(
            "the data has no judgments; a campaign folder has them in judgments.jsonl, a flat file in `judgments`"
        )
    for question in asked or ():
        if question not in there:
            raise UsageError(
                f"nobody answered a question {question!r}{did_you_mean(question, there)} there are: {', '.join(there)}"
            )
    return tuple(dict.fromkeys(asked)) if asked else there


def note_on_judgments(campaign: Campaign) -> str:
    """What must be said of the judgments wherever they show: whether they, or the texts judged, are made up."""
    parts = [part for part in map(str.strip, campaign.simulated.split(",")) if part in ("texts", "judgments")]
    return f"simulated {' and '.join(parts)}" if parts else ""


def answers_to(campaign: Campaign, question: str) -> list[Judgment]:
    """The judgments that answer one question."""
    return [judgment for judgment in campaign.judgments if judgment.question == question]


def scale_values(campaign: Campaign, question: str) -> tuple[float, ...]:
    """The values of a question in order: those of its scale, and all that were given."""
    given = {judgment.value for judgment in answers_to(campaign, question)}
    scale = next((one.scale for one in campaign.questions if one.name == question), None)
    scale = scale or _SCALES_OF_SETS.get(campaign.question_set)
    whole = all(float(value).is_integer() for value in given)
    if scale is None and whole and max(given) - min(given) < MOST_VALUES:
        scale = (int(min(given)), int(max(given)))
    return tuple(sorted(given | (set(range(scale[0], scale[1] + 1)) if scale else set())))


def _counted(question: str, kind: str, given: list[float], values: Sequence[float]) -> list[Frequency]:
    counts, n = Counter(given), len(given)
    return [
        Frequency(
            question=question,
            kind=kind,
            value=int(value) if float(value).is_integer() else value,
            count=counts[value],
            share=counts[value] / n,
            n=n,
        )
        for value in values
    ]


def _grouped(question: str, kind: str, given: list[float], values: Sequence[float]) -> list[Frequency]:
    """Ten groups of equal width; the highest value belongs to the last, and rounding moves no value over an edge."""
    lowest, width = values[0], (values[-1] - values[0]) / BINS
    edges = [round(lowest + width * group, 12) for group in range(BINS + 1)]
    counts = Counter(min(math.floor((value - lowest) / width + 1e-9), BINS - 1) for value in given)
    return [
        Frequency(
            question=question,
            kind=kind,
            value=edges[group],
            below=edges[group + 1],
            count=counts[group],
            share=counts[group] / len(given),
            n=len(given),
        )
        for group in range(BINS)
    ]
