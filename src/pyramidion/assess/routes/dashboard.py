"""The organiser's dashboard: progress, agreement, leaderboards so far; guests see it without names."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, Response

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.progress import TaskProgress, by, task_progress
from pyramidion.assess.routes.access import Organiser, Reader, Visit
from pyramidion.errors import PyramidionError
from pyramidion.options import Choice
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Finding, Table
from pyramidion.show.wording import counted

router: APIRouter = APIRouter()

RESAMPLES = 200
"""For intervals that are looked at again and again while the work goes on."""
FIXED = (
    "Here assessors are treated as given, which is quick. The command pyramidion compare and the report treat them as "
    "a random sample where the design allows it: then intervals are wider, and fewer differences are significant."
)


@router.get("/dashboard", response_class=HTMLResponse)
def dashboard(visit: Reader) -> HTMLResponse:
    """Progress by kind of work, assessor and topic; what is missing."""
    rows = task_progress(visit.the)
    names = _names(visit, sorted({row.person for row in rows}))
    return visit.page(
        "dashboard.html",
        total=by(rows, lambda _: "All"),
        groups=[
            ("Kind of work", by(rows, lambda row: row.heading)),
            ("Assessor", by(rows, lambda row: names[row.person])),
            ("Topic", by(rows, lambda row: row.task.topic)),
        ],
        missing=[(row, names[row.person]) for row in rows if not row.task.done][:200],
        unassigned=_unassigned(visit.the, rows),
        now=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


@router.get("/dashboard/agreement", response_class=HTMLResponse)
def agreement(visit: Reader) -> HTMLResponse:
    """Agreement so far with intervals; for organisers also severity, drift, and answers that took unusually long."""
    evaluation = Evaluation(visit.the.campaign)
    analyses: list[Callable[[], Finding]] = [lambda: evaluation.judgment_agreement(resamples=RESAMPLES)]
    shown = {"question-alpha"}
    if visit.person.role == "organiser":
        analyses.append(evaluation.describe_assessors)
        shown |= {"question-pair", "assessor-work", "assessor-severity", "assessor-drift", "assessor-time"}
    tables, problems = _tables(analyses)
    undefined = [
        one for one in tables if one.record == "question-alpha" and "alpha" not in [c.key for c in one.columns]
    ]
    if undefined:
        problems.append("No summary has been judged by two assessors yet.")
    found = [table for table in tables if table.record in shown and table not in undefined]
    return visit.page("findings.html", title="Agreement so far", lead="", tables=found, problems=problems, choices=[])


@router.get("/dashboard/leaderboards", response_class=HTMLResponse)
def leaderboards(visit: Organiser, measure: str = "") -> HTMLResponse:
    """The leaderboard by one of the questions that have answers, or by the pyramids."""
    campaign = visit.the.campaign
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
        choices=[(one, one == chosen) for one in measures],
    )


@router.get("/dashboard/report")
def report(visit: Organiser) -> Response:
    """The report of the campaign as it is now, as a file."""
    visit.record("report")
    from pyramidion.reports.page import write_report  # what draws figures is loaded when a report is asked for

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            path = write_report(Path(folder) / "report.html", Evaluation(visit.the.campaign))
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


def _unassigned(the: Assessment, rows: Sequence[TaskProgress]) -> str:
    """Topics that nobody works on."""
    topics = set(the.campaign.topic_ids) - {row.task.topic for row in rows}
    return f"{counted(len(topics), 'topic')} without any work: {', '.join(sorted(topics)[:20])}" if topics else ""
