"""How often each answer was given, by kind of summarizer (Dang 2006, Table 2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.options import FrequencyOptions
from pyramidion.show.tables import Column, Finding, NotedRow, Record, Table, columns_of, grouped
from pyramidion.show.wording import capital, counted, noted
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
    below: float | None = None
    """Where answers are grouped: `value` is the lowest of the group, and the group ends before this value."""

    @property
    def answer(self) -> str:
        """The value, or the ends of the group; fractions (means of assessors) are shortened."""
        ends = [one for one in (self.value, self.below) if one is not None]
        return " – ".join(f"{one:g}" if float(one).is_integer() else f"{one:.3g}" for one in ends)

    def fields(self) -> Record:
        """The record; `below` only where answers are grouped."""
        return {key: value for key, value in super().fields().items() if key != "below" or value is not None}


class Frequencies(Finding, eq=True):
    """Frequencies of answers, by question, kind of summarizer and value."""

    frequencies: tuple[Frequency, ...]
    means: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By question and kind of summarizer; each answer of each assessor counts once."""
    basis: str = ""
    """Who judged what, in a sentence."""
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
        return grouped((row for row in self.frequencies if row.question == question), lambda row: row.kind)

    def tables(self) -> list[Table]:
        """The shares of answers, one table for all questions on the same scale."""
        scales = grouped(
            self.questions, lambda question: tuple(row.answer for row in next(iter(self.of(question).values())))
        )
        return [
            Table(
                record="frequency",
                title=noted("How often each answer was given, in percent", self.note),
                columns=columns_of(
                    "question",
                    "kind",
                    *(Column(answer, digits=1) for answer in answers),
                    Column("mean", digits=2),
                    Column("n", "answers"),
                ),
                rows=[
                    [question, kind, *(100 * row.share for row in rows), self.means[question][kind], rows[0].n]
                    for question in questions
                    for kind, rows in self.of(question).items()
                ],
                heads=2,
                sentences=() if number else (self.basis, *self._what_stands_out()),
                about=", ".join(questions),
            )
            for number, (answers, questions) in enumerate(scales.items())
        ]

    def _what_stands_out(self) -> Iterator[str]:
        """Where participants do well and badly, and how far they are from humans and baselines."""
        participants = {
            question: kinds["participant"] for question, kinds in self.means.items() if "participant" in kinds
        }
        if len(participants) > 1:
            best, worst = (choose(participants, key=participants.__getitem__) for choose in (max, min))
            yield (
                f"Submitted systems are rated highest on {best} (mean {participants[best]:.2f}) and lowest on {worst} "
                f"({participants[worst]:.2f})."
            )
        for kind in ("human", "baseline"):
            gaps = {
                question: kinds[kind] - kinds["participant"]
                for question, kinds in self.means.items()
                if kind in kinds and "participant" in kinds
            }
            if gaps:
                yield self._compared(kind, gaps)

    def _compared(self, kind: str, gaps: Mapping[str, float]) -> str:
        ahead = sum(gap > 0 for gap in gaps.values())
        where = f"on {ahead} of {len(gaps)} questions"
        if ahead in (0, len(gaps)):
            where = f"on {'every' if ahead else 'no'} question" if len(gaps) > 1 else f"on {next(iter(gaps))}"
        higher = "higher" if ahead or len(gaps) > 1 else "no higher"
        widest = max(gaps, key=lambda question: abs(gaps[question]))
        both = self.means[widest]
        most = f"the difference is largest on {widest}: " if len(gaps) > 1 else ""
        return (
            f"{capital(kind)}s have {higher} means than submitted systems {where} ({most}{both[kind]:.2f} vs. "
            f"{both['participant']:.2f})."
        )


def judgment_frequencies(campaign: Campaign, options: FrequencyOptions | None = None) -> Frequencies:
    """How often each answer was given, by question and kind of summarizer; an answer of each assessor counts.

    The values are those of the question's scale, including those that nobody gave. Where the campaign declares no
    scale: the whole numbers from the lowest answer to the highest, or the answers themselves if they are no whole
    numbers. More than twenty values, or ten that are no whole numbers, are put in ten groups of equal width.
    """
    found: list[Frequency] = []
    means: dict[str, dict[str, float]] = {}
    note = note_on_judgments(campaign)
    for question in judged_questions(campaign, options.question if options else ()):
        by_kind = grouped(answers_to(campaign, question), lambda one: campaign.kind_of(one.summarizer))
        answers = {kind: [one.value for one in by_kind[kind]] for kind in KINDS if kind in by_kind}
        means[question] = {kind: sum(given) / len(given) for kind, given in answers.items()}
        values = scale_values(campaign, question)
        fractions = sum(1 for value in values if not float(value).is_integer())
        count_all = _grouped if len(values) > MOST_VALUES or fractions > BINS else _counted
        for kind, given in answers.items():
            found += [
                Frequency(question=question, kind=kind, n=len(given), note=note, **facts)
                for facts in count_all(given, values)
            ]
    return Frequencies(frequencies=tuple(found), means=means, basis=_basis(campaign), note=note)


def _basis(campaign: Campaign) -> str:
    assessors = {judgment.assessor for judgment in campaign.judgments}
    answered = Counter((one.question, one.topic, one.summarizer) for one in campaign.judgments)
    summaries = len({(topic, who) for _, topic, who in answered})
    about = f"{counted(len(campaign.question_names), 'question')} about {counted(summaries, 'summary', 'summaries')}"
    answers, once = counted(len(campaign.judgments), "answer"), max(answered.values()) == 1
    if assessors == {""}:
        unknown = ", so agreement is unknown" if once else ""
        return f"{answers} to {about}; assessors are not recorded{unknown}."
    unknown = " No summary was judged by two assessors, so their agreement is unknown." if once else ""
    return f"{counted(len(assessors), 'assessor')} answered {about}: {answers}.{unknown}"


def _counted(given: list[float], values: Sequence[float]) -> Iterator[dict[str, Any]]:
    counts = Counter(given)
    for value in values:
        whole = int(value) if float(value).is_integer() else value
        yield {"value": whole, "count": counts[value], "share": counts[value] / len(given)}


def _grouped(given: list[float], values: Sequence[float]) -> Iterator[dict[str, Any]]:
    """Ten groups of equal width; the highest value belongs to the last, and rounding moves no value over an edge."""
    lowest, width = values[0], (values[-1] - values[0]) / BINS
    edges = [round(lowest + width * group, 12) for group in range(BINS + 1)]
    counts = Counter(min(math.floor((value - lowest) / width + 1e-9), BINS - 1) for value in given)
    for group in range(BINS):
        share = counts[group] / len(given)
        yield {"value": edges[group], "below": edges[group + 1], "count": counts[group], "share": share}
