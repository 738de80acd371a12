"""Who judged what, when and how long; which assessors are strict or lenient, and whether that changes over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from pyramidion.options import AssessorOptions
from pyramidion.show.tables import Column, Finding, NotedRow, Table, headed, notes_of, table_of
from pyramidion.show.wording import capital, counted, in_words, listed, noted, with_interval
from pyramidion.studies.judgments.deviations import Basis
from pyramidion.studies.judgments.questions import name_of

_COMPARED: dict[Basis, str] = {
    "summaries": "the other assessors' answers about the same summaries",
    "topics": "the other assessors' answers about the same topics, adjusted for the summarizers",
    "summarizers": "the other assessors' answers about the same summarizers on other topics",
    "own": "the mean answer about the same summarizer",
}


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
    seconds: float | None = headed("median seconds", digits=1)
    """Median of an answer."""
    hours: float | None = headed(digits=2)
    """All answers together, where their time is known."""
    timed: int
    """Answers whose time is known."""


class AssessorTopic(NotedRow, record="assessor-topic"):
    """What one assessor judged of one topic."""

    assessor: str
    topic: str
    answers: int
    summaries: int
    first: str | None
    last: str | None
    hours: float | None = headed(digits=2)


class AssessorSeverity(NotedRow, record="assessor-severity", digits=3):
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

    def in_words(self) -> str:
        """`−0.31 (−0.42 to −0.20)`."""
        return with_interval(self.deviation, self.lower, self.upper)


class AssessorDrift(NotedRow, record="assessor-drift", digits=3):
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

    def tables(self) -> list[Table]:
        """Work, severity, drift; if asked for, work by topic, and answers that took unusually long or short."""
        tables = [self.work_table()]
        if any(one.deviation is not None for one in self.severities):
            tables.append(self.severity_table())
        if any(one.change is not None for one in self.drifts):
            tables.append(self.drift_table())
        tables.append(self._topic_table())
        if self.unusual:
            tables.append(self._unusual_table())
        return tables

    def work_table(self) -> Table:
        """What each assessor judged."""
        judged = (_ASSESSOR, "answers", "summaries", "topics", "questions")
        preferences = Column("preferences", of=lambda one: one.preferences or None)
        return table_of(
            self.work,
            (*judged, preferences, "first", "last", "seconds", "hours"),
            title=noted("Who judged what", self.note),
            sentences=tuple(self._work_in_words()),
        )

    def severity_table(self) -> Table:
        """How strict or lenient each assessor is."""
        return self._tested_table(
            self.severities,
            "Severity of assessors",
            ("mean", "deviation"),
            f"Deviation: mean difference from {self._comparison(self.severities)}; below 0: stricter.",
            sentences=tuple(self._severity_in_words()),
        )

    def drift_table(self) -> Table:
        """Whether an assessor became stricter or more lenient."""
        return self._tested_table(
            self.drifts,
            "Drift of assessors",
            ("change",),
            f"Change: trend of the difference from {self._comparison(self.drifts)}; below 0: becomes stricter.",
            sentences=tuple(self._drift_in_words()),
        )

    def _tested_table(
        self, rows: Sequence[Tested], title: str, values: tuple[str, ...], note: str, *, sentences: tuple[str, ...]
    ) -> Table:
        """Values of an assessor on a question, the last with limits and p; marked: significant."""
        told = self._significant(rows)
        return table_of(
            rows,
            ("question", _ASSESSOR, *values, "lower", "upper", "p_adjusted", "n", "topics"),
            title=noted(title, f"{self.confidence:g} % intervals over topics", self.note),
            heads=2,
            marks={values[-1]: lambda one: one in told},
            sentences=sentences,
            notes=(note, *_notes(rows)),
        )

    def _topic_table(self) -> Table:
        return table_of(
            self.by_topic,
            (_ASSESSOR, "topic", "answers", "summaries", "first", "last", "hours"),
            record=AssessorTopic.record,
            title=noted("Who judged which topics", self.note),
            heads=2,
            detail=True,
        )

    def _unusual_table(self) -> Table:
        return table_of(
            self.unusual,
            (_ASSESSOR, "question", "topic", "summarizer", "seconds", "median", "took"),
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
            yield f'{found} took unusually long or short (`records("assessor-time")` lists them).'

    def _severity_in_words(self) -> Iterator[str]:
        tested = [one for one in self.severities if one.p_adjusted is not None]
        told = self._significant(tested)
        if not tested:
            return
        if not told:
            yield "No assessor is significantly stricter or more lenient than the others."
            return
        yield self._deviating(told, len(tested))
        if all(one.compared_with in ("summarizers", "own") for one in tested):
            yield "Assessors judged different topics, so a deviation may also come from how hard their topics are."
        extremes = {"strictest": min(told, key=_deviation), "most lenient": max(told, key=_deviation)}
        for word, one in extremes.items():
            if (_deviation(one) < 0) == (word == "strictest"):
                yield f"Of these, the {word} is {name_of(one.assessor)} on {one.question}: {one.in_words()}."

    def _deviating(self, told: Sequence[AssessorSeverity], tested: int) -> str:
        """Who is strict or lenient on what, the furthest from the others first."""
        ranked = sorted(told, key=lambda one: -abs(_deviation(one)))
        sides = {
            word: [f"{name_of(one.assessor)} on {one.question}" for one in ranked if (_deviation(one) < 0) == strict]
            for word, strict in (("stricter than the others", True), ("more lenient", False))
        }
        found = "; ".join(f"significantly {word}: {listed(some, most=3)}" for word, some in sides.items() if some)
        return f"{capital(found)} (Holm correction for {counted(tested, 'test')})."

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
