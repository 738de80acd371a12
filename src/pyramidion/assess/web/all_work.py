"""All work, for organisers: a list of every piece of work, and each of them read-only, at any moment of its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.access import Organiser
from pyramidion.assess.web.dashboard import TaskProgress, task_progress
from pyramidion.assess.web.moving import possible_successors
from pyramidion.assess.web.task_data import task_data

router: APIRouter = APIRouter()

ROWS_ON_A_PAGE = 100
STATES = {"open": "not begun", "begun": "begun", "done": "handed in"}


@dataclass(frozen=True, kw_only=True)
class WorkFilter:
    """Which work is listed; an empty field admits all."""

    person: str = ""
    topic: str = ""
    heading: str = ""
    state: str = ""

    def admits(self, row: TaskProgress) -> bool:
        """Whether a piece of work is listed."""
        if self.person and row.person != self.person:
            return False
        if self.topic and row.task.topic != self.topic:
            return False
        if self.heading and row.heading != self.heading:
            return False
        return not self.state or state_of(row.task) == self.state


def state_of(task: Task) -> str:
    """How far a task is: one of `STATES`."""
    if task.done:
        return "done"
    return "begun" if task.version else "open"


@router.get("/work", response_class=HTMLResponse)
def work_list(
    visit: Organiser, person: str = "", topic: str = "", heading: str = "", state: str = "", page: int = 1
) -> HTMLResponse:
    """Every piece of work that was given out, a hundred on a page."""
    rows = task_progress(visit.assessment)
    chosen = WorkFilter(person=person, topic=topic, heading=heading, state=state)
    admitted = [row for row in rows if chosen.admits(row)]
    pages = max(1, -(-len(admitted) // ROWS_ON_A_PAGE))
    page = min(max(page, 1), pages)
    start = (page - 1) * ROWS_ON_A_PAGE
    return visit.page(
        "all_work.html",
        rows=[(row, STATES[state_of(row.task)]) for row in admitted[start : start + ROWS_ON_A_PAGE]],
        total=len(admitted),
        chosen=chosen,
        people=sorted({row.person for row in rows}),
        topics=list(dict.fromkeys(row.task.topic for row in rows)),
        headings=list(dict.fromkeys(row.heading for row in rows)),
        states=STATES,
        number=page,
        pages=pages,
    )


@router.get("/work/{id}", response_class=HTMLResponse)
def view_work(visit: Organiser, id: str, version: int | None = None) -> HTMLResponse:
    """Someone's work as they see it, read-only: now, or after one of its events."""
    assessment = visit.assessment
    task = assessment.work.task(id)
    page = None if task is None else assessment.task_type(task).page
    if task is None or page is None:
        raise HTTPException(404, "there is no such work")
    if task.topic not in assessment.campaign.topic_ids:
        raise HTTPException(404, f"topic {task.topic} was removed: put it back on the page Topics to see this work")
    history = assessment.work.history(id)
    shown = task.version if version is None else min(max(version, 0), task.version)
    successors = [] if task.withdrawn or task.practice else possible_successors(assessment, task)
    return visit.page(
        "view_work.html",
        task=task,
        page=page,
        heading=assessment.heading(task),
        worker=assessment.name_of(task.person),
        state=STATES[state_of(task)],
        shown=shown,
        moment=_moment(history, shown),
        steps=_steps(history, shown),
        successors=successors,
        task_data=data_at(assessment, task, shown),
    )


def data_at(assessment: Assessment, task: Task, version: int) -> dict[str, Any]:
    """What the page of a task showed after an event, so that it can be looked at and not be changed."""
    # The record of the task as it was then: from it follow the state and what the page may show.
    state = assessment.work.state_at(task.id, version=version)
    data = task_data(assessment, replace(task, version=version, done=bool(state.get("done"))))
    history = [event for event in data["history"] if event["version"] <= version]
    return {**data, "history": history, "readonly": True}


def _moment(history: Sequence[Event], version: int) -> Event | None:
    """The event that led to a version; None before the first."""
    return next((event for event in history if event.version == version), None)


def _steps(history: Sequence[Event], version: int) -> dict[str, int | None]:
    """The versions to go to from here: the first, the one before, the next, the last."""
    last = history[-1].version if history else 0
    return {
        "first": 0 if version > 0 else None,
        "before": version - 1 if version > 0 else None,
        "next": version + 1 if version < last else None,
        "last": last if version < last else None,
    }
