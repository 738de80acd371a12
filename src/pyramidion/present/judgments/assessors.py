"""Assessors, for readers: who judged what, when and how long; who is strict or lenient, and whether that changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyramidion.errors import InputError, mention_call
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Column, Row, Table, grouped, notes_of, table_of
from pyramidion.show.wording import capital, counted, in_words, listed, noted, with_interval
from pyramidion.studies.judgments.assessors import (
    AssessorDescription,
    AssessorDrift,
    AssessorSeverity,
    AssessorTopic,
    Tested,
)
from pyramidion.studies.judgments.deviations import Basis

PANEL_COLUMNS = 3
"""Panels of questions or assessors beside each other in a figure."""
_COMPARED: dict[Basis, str] = {
    "summaries": "the other assessors' answers about the same summaries",
    "topics": "the other assessors' answers about the same topics, adjusted for the summarizers",
    "summarizers": "the other assessors' answers about the same summarizers on other topics",
    "own": "the mean answer about the same summarizer",
}


def assessor_label(assessor: str) -> str:
    """An assessor's name for people: data that does not say who answered has an empty one."""
    return assessor or "(no name)"


_ASSESSOR = Column("assessor", of=lambda row: assessor_label(row.assessor))


def tables(description: AssessorDescription) -> list[Table]:
    """Work, severity and drift; as details, work by topic and answers that took unusually long or short."""
    shown = [work_table(description)]
    if any(severity.deviation is not None for severity in description.severities):
        shown.append(severity_table(description))
    if any(drift.change is not None for drift in description.drifts):
        shown.append(drift_table(description))
    shown.append(topic_table(description))
    if description.unusual:
        shown.append(unusual_time_table(description))
    return shown


def work_table(description: AssessorDescription) -> Table:
    """What each assessor judged, when, and how long it took."""
    # None in all rows leaves the column out.
    preferences = Column("preferences", of=lambda work: work.preferences or None)
    return table_of(
        description.work,
        (
            *(_ASSESSOR, "answers", "summaries", "topics", "questions", preferences),
            *("first", "last", "seconds", "hours"),
        ),
        title=noted("Who judged what", description.note),
        sentences=work_sentences(description),
    )


def severity_table(description: AssessorDescription) -> Table:
    """How strict or lenient each assessor is."""
    return _tested_table(
        description,
        description.severities,
        title="Severity of assessors",
        values=("mean", "deviation"),
        note=f"Deviation: mean difference from {_comparison(description.severities)}; below 0: stricter.",
        sentences=severity_sentences(description),
    )


def drift_table(description: AssessorDescription) -> Table:
    """Whether an assessor became stricter or more lenient."""
    return _tested_table(
        description,
        description.drifts,
        title="Drift of assessors",
        values=("change",),
        note=f"Change: trend of the difference from {_comparison(description.drifts)}; below 0: becomes stricter.",
        sentences=drift_sentences(description),
    )


def _tested_table(
    description: AssessorDescription,
    rows: Sequence[Tested],
    *,
    title: str,
    values: tuple[str, ...],
    note: str,
    sentences: Iterable[str],
) -> Table:
    """Values of each assessor on each question, the last with limits and p; marked: significant."""
    significant = description.significant(rows)
    return table_of(
        rows,
        ("question", _ASSESSOR, *values, "lower", "upper", "p_adjusted", "n", "topics"),
        title=noted(title, f"{description.confidence:g} % intervals over topics", description.note),
        heads=2,
        marks={values[-1]: lambda row: row in significant},
        sentences=sentences,
        notes=(note, *_notes_of_tests(rows)),
    )


def _comparison(rows: Sequence[AssessorSeverity | AssessorDrift]) -> str:
    """What answers are compared with, where assessors differ in that: `…, or …`."""
    bases = dict.fromkeys(row.compared_with for row in rows if row.compared_with)
    return ", or ".join(_COMPARED[basis] for basis in bases)


def _notes_of_tests(rows: Iterable[Row]) -> list[str]:
    """What rows note, and why something is undefined, but not again that judgments are simulated: the title says so."""
    return [note for note in notes_of(rows) if not note.startswith("Simulated")]


def topic_table(description: AssessorDescription) -> Table:
    """What each assessor judged of each topic: a detail."""
    return table_of(
        description.by_topic,
        (_ASSESSOR, "topic", "answers", "summaries", "first", "last", "hours"),
        record=AssessorTopic.record,
        title=noted("Who judged which topics", description.note),
        heads=2,
        detail=True,
    )


def unusual_time_table(description: AssessorDescription) -> Table:
    """Answers that took an assessor much longer or shorter than usual: a detail."""
    return table_of(
        description.unusual,
        (_ASSESSOR, "question", "topic", "summarizer", "seconds", "median", "took"),
        title=noted("Answers that took unusually long or short", description.note),
        heads=4,
        detail=True,
    )


def work_sentences(description: AssessorDescription) -> Iterator[str]:
    """How much was judged by how many, who judged the most, and how long it took."""
    answers = sum(work.answers for work in description.work)
    summaries = counted(description.summaries, "summary", "summaries")
    plural = "s" if len(description.work) > 1 else ""
    assessors = f"{capital(in_words(len(description.work)))} assessor{plural}"
    yield f"{assessors} gave {answers:,} answers about {summaries} of {counted(description.topics, 'topic')}."
    ranked = sorted(description.work, key=lambda work: work.answers)
    least, most = ranked[0], ranked[-1]
    if most.answers > least.answers:
        yield (
            f"{assessor_label(most.assessor)} gave the most ({most.answers:,}), {assessor_label(least.assessor)} the "
            f"fewest ({least.answers:,})."
        )
    timed = [work for work in description.work if work.seconds is not None]
    if timed:
        hours = sum(work.hours or 0.0 for work in timed)
        median_seconds = _rounded_range([work.seconds or 0.0 for work in timed])
        yield (
            f"The {sum(work.timed for work in timed):,} answers with a known time took {hours:.1f} hours; the median "
            f"of an assessor is {median_seconds} seconds an answer."
        )
    if description.unusual:
        unusual = counted(len(description.unusual), "answer")
        yield f"{unusual} took unusually long or short ({mention_call('records', 'assessor-time')} lists them)."


def _rounded_range(values: Sequence[float]) -> str:
    """From the lowest to the highest value, as whole numbers: `12 to 15`, or `12`."""
    lowest, highest = f"{min(values):.0f}", f"{max(values):.0f}"
    if lowest == highest:
        return lowest
    return f"{lowest} to {highest}"


def severity_sentences(description: AssessorDescription) -> Iterator[str]:
    """Who is significantly strict or lenient on what, and the furthest of them; nothing if nothing was tested."""
    tested = [severity for severity in description.severities if severity.p_adjusted is not None]
    if not tested:
        return
    significant = description.significant(tested)
    if not significant:
        yield "No assessor is significantly stricter or more lenient than the others."
        return
    yield _deviation_sentence(significant, test_count=len(tested))
    # Without a shared topic, a strict assessor and hard topics look the same.
    if all(severity.compared_with in ("summarizers", "own") for severity in tested):
        yield "Assessors judged different topics, so a deviation may also come from how hard their topics are."
    strictest = min(significant, key=_deviation)
    most_lenient = max(significant, key=_deviation)
    if _deviation(strictest) < 0:
        yield _extreme_sentence("strictest", strictest)
    if _deviation(most_lenient) >= 0:
        yield _extreme_sentence("most lenient", most_lenient)


def _deviation_sentence(significant: Sequence[AssessorSeverity], *, test_count: int) -> str:
    """Who is strict or lenient on what, the furthest from the others first."""
    ranked = sorted(significant, key=lambda severity: -abs(_deviation(severity)))
    stricter = [_assessor_on_question(severity) for severity in ranked if _deviation(severity) < 0]
    lenient = [_assessor_on_question(severity) for severity in ranked if _deviation(severity) >= 0]
    parts = []
    if stricter:
        parts.append(f"significantly stricter than the others: {listed(stricter, most=3)}")
    if lenient:
        parts.append(f"significantly more lenient: {listed(lenient, most=3)}")
    return f"{capital('; '.join(parts))} (Holm correction for {counted(test_count, 'test')})."


def _extreme_sentence(extreme: str, severity: AssessorSeverity) -> str:
    """Who is the strictest, or the most lenient, with the interval of the deviation."""
    return f"Of these, the {extreme} is {_assessor_on_question(severity)}: {severity_with_interval(severity)}."


def _assessor_on_question(row: AssessorSeverity | AssessorDrift) -> str:
    return f"{assessor_label(row.assessor)} on {row.question}"


def severity_with_interval(severity: AssessorSeverity) -> str:
    """A deviation with its interval: `−0.31 (−0.42 to −0.20)`."""
    return with_interval(severity.deviation, severity.lower, severity.upper)


def _deviation(severity: AssessorSeverity) -> float:
    return severity.deviation or 0.0


def drift_sentences(description: AssessorDescription) -> Iterator[str]:
    """Who became significantly stricter or more lenient, the largest change first; nothing if nothing was tested."""
    tested = [drift for drift in description.drifts if drift.p_adjusted is not None]
    if not tested:
        return
    significant = description.significant(tested)
    if not significant:
        yield "No assessor became significantly stricter or more lenient over time."
    for drift in sorted(significant, key=lambda drift: -abs(drift.change or 0.0)):
        change = drift.change or 0.0
        became = "stricter" if change < 0 else "more lenient"
        interval = with_interval(change, drift.lower, drift.upper)
        yield (
            f"{assessor_label(drift.assessor)} became {became} on {drift.question}: {interval} from the first answer "
            "to the last."
        )


def draw_severities(description: AssessorDescription, *, columns: int = PANEL_COLUMNS) -> Chart:
    """How far each assessor lies from the others, with intervals, one panel a question on one scale."""
    severities = [severity for severity in description.severities if severity.deviation is not None]
    if not severities:
        raise InputError("there is nothing to draw: no question was answered by two assessors")
    ends = [0.0]
    for severity in severities:
        ends += [end for end in (severity.deviation, severity.lower, severity.upper) if end is not None]
    x = {"title": "deviation from others", "scale": {"domain": [min(ends), max(ends)], "nice": True}}
    panels = [
        vl.intervals(
            [_severity_interval(severity) for severity in group],
            x,
            size=(200, {"step": 20}),
            title=vl.label(question),
            under=[vl.zero_rule()],
        )
        for question, group in grouped(severities, lambda severity: severity.question).items()
    ]
    title = f"Severity of assessors, {description.confidence:g} % intervals"
    return vl.titled(title, description.note, {"concat": panels, "columns": columns})


def _severity_interval(severity: AssessorSeverity) -> vl.Spec:
    label = assessor_label(severity.assessor)
    return vl.interval(label, _deviation(severity), severity.lower, severity.upper)


def section(description: AssessorDescription, context: SectionContext) -> Section:
    """The work of each assessor, severity and drift; the heading says who is strict, else how much was judged."""
    blocks: list[Table | Figure] = [table for table in description.tables() if not table.detail]
    if any(severity.deviation is not None for severity in description.severities):
        blocks.insert(0, _severity_figure(description))
    headings = [*severity_sentences(description), *description.sentences()]
    return Section(
        id="assessors",
        title="Assessors",
        finding=headings[0].rstrip("."),
        mark=description.note,
        sentences=tuple(description.sentences()),
        blocks=tuple(blocks),
        commands=(context.command_line("judgments describe", options=description.options),),
    )


def _severity_figure(description: AssessorDescription) -> Figure:
    """How strict each assessor is on each question."""
    values = [
        f"{severity.question}, {severity.assessor} {severity_with_interval(severity)}"
        for severity in description.severities
        if severity.deviation is not None
    ]
    caption = (
        f"How much stricter (left of 0) or more lenient each assessor is, with {description.confidence:g} % intervals"
    )
    return Figure(
        id="assessors-severity",
        caption=noted(caption, description.note),
        alt=f"Dots with intervals: {'; '.join(values)}.",
        draw=lambda: draw_severities(description, columns=2),
    )


ASSESSORS = Presenter(tables=tables, figure=draw_severities)
