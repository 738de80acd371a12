"""The organiser's dashboard: progress, agreement, leaderboards so far; guests see it without names."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, Response

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate.double_annotation import find_double_annotations
from pyramidion.assess.store import schema
from pyramidion.assess.store.database import reading
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Organiser, Reader, Visit
from pyramidion.errors import PyramidionError
from pyramidion.options import Choice
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Finding, Table, grouped
from pyramidion.show.wording import counted

router: APIRouter = APIRouter()


@dataclass(frozen=True, kw_only=True)
class TaskProgress:
    """How far one task is."""

    task: Task
    heading: str
    counted_in: str
    """What its items are."""
    person: str
    finished: int
    total: int
    seconds: float
    last: str
    """When it was last worked on."""

    @property
    def left(self) -> int:
        """Items that are still to be finished: none once the task is handed in, whatever was left open."""
        if self.task.done:
            return 0
        return max(0, self.total - self.finished)

    @property
    def share(self) -> float:
        """How much of the task is finished, from 0 to 1."""
        if self.task.done:
            return 1.0
        return self.finished / max(self.total, 1)


@dataclass(frozen=True, kw_only=True)
class GroupProgress:
    """How far some tasks are together."""

    name: str
    tasks: int
    handed_in: int
    finished: int
    total: int
    left: int
    """Items that are still to be finished."""
    counted_in: str
    """What the items are; "items" where they differ."""
    share: float
    """How much of the work is finished: the mean over tasks, whose items differ in size."""
    hours: float
    rate: float | None
    """Items an hour; None while nothing has been timed."""
    hours_left: float | None
    """Of the kinds of work that have a rate; None if none has."""
    more: bool
    """Whether there is work whose time can't be told yet."""
    last: str


def task_progress(assessment: Assessment) -> list[TaskProgress]:
    """All work that was given out, without practice."""
    tasks = assessment.given_out(practice=False)
    times = _times(assessment)
    names = {person.id: person.name for person in assessment.people.all()}
    base = assessment.base  # asked once: it looks whether the files have changed
    rows = []
    for context, state in zip(assessment.contexts(tasks), assessment.work.states(tasks), strict=True):
        task = context.task
        finished, total = assessment.progress(context, state)
        seconds, last = times.get(task.id, (0.0, ""))
        rows.append(
            TaskProgress(
                task=task,
                heading=assessment.task_type(task).heading(base, task),
                counted_in=assessment.task_type(task).counted_in(task.spec),
                person=names[task.person],
                finished=finished,
                total=total,
                seconds=seconds,
                last=last,
            )
        )
    return rows


def group_progress(rows: Sequence[TaskProgress], key: Callable[[TaskProgress], str]) -> list[GroupProgress]:
    """The progress of each group, in the order in which groups come."""
    speeds = _speeds(rows)
    return [_add_up(name, group, speeds) for name, group in grouped(rows, key).items()]


def _add_up(name: str, rows: Sequence[TaskProgress], speeds: Mapping[str, float]) -> GroupProgress:
    """The progress of some tasks; `speeds` are those of all tasks, for work that nobody of the group has begun."""
    finished = sum(row.finished for row in rows)
    hours = sum(row.seconds for row in rows) / 3600
    open_rows = [row for row in rows if row.left]
    nouns = {row.counted_in for row in rows}
    timed_rows = [row for row in open_rows if row.heading in speeds]
    # The group's own speed counts; where it has none yet, that of everybody does.
    speeds = {**speeds, **_speeds(rows)}
    hours_left = None
    if timed_rows or not open_rows:
        hours_left = sum(row.left * speeds[row.heading] for row in timed_rows) / 3600
    return GroupProgress(
        name=name,
        tasks=len(rows),
        handed_in=sum(row.task.done for row in rows),
        finished=finished,
        total=sum(row.total for row in rows),
        left=sum(row.left for row in rows),
        counted_in=nouns.pop() if len(nouns) == 1 else "items",
        share=sum(row.share for row in rows) / len(rows),
        hours=hours,
        rate=finished / hours if hours and finished else None,
        hours_left=hours_left,
        more=len(timed_rows) < len(open_rows),
        last=max((row.last for row in rows), default=""),
    )


def _speeds(rows: Sequence[TaskProgress]) -> dict[str, float]:
    """Seconds for an item, by kind of work."""
    speeds = {}
    for name, group in grouped(rows, lambda row: row.heading).items():
        seconds, finished = sum(row.seconds for row in group), sum(row.finished for row in group)
        if seconds and finished:
            speeds[name] = seconds / finished
    return speeds


def _times(assessment: Assessment) -> dict[str, tuple[float, str]]:
    """Seconds and the last moment of each task."""
    columns = schema.events.c
    query = sa.select(columns.task, sa.func.sum(columns.seconds), sa.func.max(columns.time)).group_by(columns.task)
    with reading(assessment.engine) as connection:
        return {task: (float(seconds), last) for task, seconds, last in connection.execute(query)}


RESAMPLES = 200
"""For intervals that are looked at again and again while the work goes on."""
FIXED = (
    "Here assessors are treated as given, which is quick. The command pyramidion compare and the report treat them as "
    "a random sample where the design allows it: then intervals are wider, and fewer differences are significant."
)


@router.get("/dashboard", response_class=HTMLResponse)
def dashboard(visit: Reader) -> HTMLResponse:
    """Progress by kind of work, assessor and topic; what is missing."""
    rows = task_progress(visit.assessment)
    names = _names(visit, sorted({row.person for row in rows}))
    return visit.page(
        "dashboard.html",
        total=group_progress(rows, lambda _: "All"),
        groups=[
            ("Kind of work", group_progress(rows, lambda row: row.heading)),
            ("Assessor", group_progress(rows, lambda row: names[row.person])),
            ("Topic", group_progress(rows, lambda row: row.task.topic)),
        ],
        missing=[(row, names[row.person]) for row in rows if not row.task.done][:200],
        unassigned=_unassigned(visit.assessment, rows),
        now=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


@router.get("/dashboard/agreement", response_class=HTMLResponse)
def agreement(visit: Reader) -> HTMLResponse:
    """Agreement so far with intervals; for organisers also severity, drift, and answers that took unusually long."""
    evaluation = Evaluation(visit.assessment.campaign)
    analyses: list[Callable[[], Finding]] = [lambda: evaluation.judgment_agreement(resamples=RESAMPLES)]
    shown = {"question-alpha"}
    if visit.person.role == "organiser":
        analyses.append(evaluation.describe_assessors)
        shown |= {"question-pair", "assessor-work", "assessor-severity", "assessor-drift", "assessor-time"}
        if find_double_annotations(visit.assessment.campaign):
            # Without intervals: the page is looked at again and again while the work goes on.
            analyses.append(lambda: evaluation.pyramid_agreement(resamples=0))
            shown.add("alpha")
    tables, problems = _tables(analyses)
    shown_tables = []
    for table in tables:
        if table.record == "question-alpha" and "alpha" not in [column.key for column in table.columns]:
            problems.append("No summary has been judged by two assessors yet.")
        elif table.record in shown:
            shown_tables.append(table)
    return visit.page(
        "findings.html", title="Agreement so far", lead="", tables=shown_tables, problems=problems, choices=[]
    )


@router.get("/dashboard/leaderboards", response_class=HTMLResponse)
def leaderboards(visit: Organiser, measure: str = "") -> HTMLResponse:
    """The leaderboard by one of the questions that have answers, or by the pyramids."""
    campaign = visit.assessment.campaign
    measures = [f"question.{name}" for name in reversed(campaign.question_names)]
    if campaign.annotations:
        measures.append("pyramid.modified")
    chosen = measure if measure in measures else next(iter(measures), "")
    evaluation = Evaluation(campaign, Choice(peers="all"))
    tables, problems = _tables([lambda: evaluation.compare([chosen], assessors="fixed")] if chosen else [])
    return visit.page(
        "findings.html",
        title="Leaderboards so far",
        lead=FIXED,
        tables=[table for table in tables if table.record == "mean"],
        problems=problems or ([] if chosen else ["There are no answers yet."]),
        choices=[(name, name == chosen) for name in measures],
    )


@router.get("/dashboard/report")
def report(visit: Organiser) -> Response:
    """The report of the campaign as it is now, as a file."""
    visit.record("report")
    from pyramidion.reports.page import write_report  # what draws figures is loaded when a report is asked for

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            path = write_report(Path(folder) / "report.html", Evaluation(visit.assessment.campaign))
        except PyramidionError as error:
            raise HTTPException(422, f"there is no report yet: {error}") from None
        content = path.read_bytes()
    return Response(
        content, media_type="text/html", headers={"Content-Disposition": 'attachment; filename="report.html"'}
    )


def _tables(analyses: Sequence[Callable[[], Finding]]) -> tuple[list[Table], list[str]]:
    """What analyses show, and why some of them can't yet."""
    tables: list[Table] = []
    problems: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for analysis in analyses:
            try:
                tables += [table.without_empty_columns() for table in analysis().tables()]
            except PyramidionError as error:
                problems.append(str(error))
    return tables, problems


def _names(visit: Visit, people: Sequence[str]) -> dict[str, str]:
    """How people are called: guests do not see names."""
    if visit.person.role == "organiser":
        return {name: name for name in people}
    return {name: f"Assessor {number}" for number, name in enumerate(people, start=1)}


def _unassigned(assessment: Assessment, rows: Sequence[TaskProgress]) -> str:
    """Topics that nobody works on."""
    topics = set(assessment.campaign.topic_ids) - {row.task.topic for row in rows}
    return f"{counted(len(topics), 'topic')} without any work: {', '.join(sorted(topics)[:20])}" if topics else ""
