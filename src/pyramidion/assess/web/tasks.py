"""The work itself: a page for each task, its data, and the events that the page sends."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, JSONResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.store.work import Event, StaleError, Task
from pyramidion.assess.web.access import AssignedTask, ServedAssessment, Worker
from pyramidion.assess.web.events import SentEvents
from pyramidion.assess.web.task_data import task_data

router: APIRouter = APIRouter()


@router.get("/task/{id}", response_class=HTMLResponse)
def task_page(task: AssignedTask, visit: Worker) -> HTMLResponse:
    """The page of a task: a frame; its script asks for the data."""
    _check_open(visit.assessment, task)
    page = visit.assessment.task_type(task).page
    if page is None:
        raise HTTPException(404, "a topic is described under Topics")
    return visit.page("task.html", task=task, page=page, heading=visit.assessment.heading(task))


@router.get("/api/task/{id}")
def send_data(task: AssignedTask, assessment: ServedAssessment) -> JSONResponse:
    """What the page shows: material, state, and the history that undo needs."""
    _check_open(assessment, task)
    return JSONResponse(task_data(assessment, task))


@router.post("/api/task/{id}/events")
def append(sent: SentEvents, task: AssignedTask, visit: Worker) -> JSONResponse:
    """Store events; the answer is given when they are on disk. 409: the work went on elsewhere, with its new state."""
    events = [Event(**event.model_dump()) for event in sent.events]
    try:
        return JSONResponse({"version": visit.assessment.append(task, visit.person.id, events)})
    except StaleError as stale:
        content = {
            "version": stale.task.version,
            "state": visit.assessment.work.state(stale.task),
            "detail": str(stale),
        }
        return JSONResponse(content, status_code=409)
    except RefusedError as refused:
        raise HTTPException(422, str(refused)) from None


def _check_open(assessment: Assessment, task: Task) -> None:
    reason = assessment.lock_reason(task)
    if reason:
        raise HTTPException(403, reason)
