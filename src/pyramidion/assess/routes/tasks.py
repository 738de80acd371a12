"""The work itself: a page for each task, its data, and the events that the page sends."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.data import data_of
from pyramidion.assess.events import SentEvents
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.pages import WORK_PAGES, render
from pyramidion.assess.routes.access import Own, The, Worker
from pyramidion.assess.store.work import Event, StaleError, Task

router: APIRouter = APIRouter()


@router.get("/task/{id}", response_class=HTMLResponse)
def task_page(request: Request, task: Own, session: Worker, the: The) -> HTMLResponse:
    """The page of a task: a frame; its script asks for the data."""
    _check_open(the, task)
    page = WORK_PAGES.get(task.kind)
    if page is None:
        raise HTTPException(404, "a topic is described under Topics")
    return render(request, "task.html", session, task=task, page=page, heading=the.heading(task))


@router.get("/api/task/{id}")
def task_data(task: Own, the: The) -> JSONResponse:
    """What the page shows: material, state, and the history that undo needs."""
    _check_open(the, task)
    return JSONResponse(data_of(the, task))


@router.post("/api/task/{id}/events")
def append(sent: SentEvents, task: Own, session: Worker, the: The) -> JSONResponse:
    """Store events; the answer is given when they are on disk. 409: the work went on elsewhere, with its new state."""
    events = [Event(**event.model_dump()) for event in sent.events]
    try:
        return JSONResponse({"version": the.append(task, session.person.id, events)})
    except StaleError as stale:
        content = {"version": stale.task.version, "state": the.work.state(stale.task), "detail": str(stale)}
        return JSONResponse(content, status_code=409)
    except RefusedError as refused:
        raise HTTPException(422, str(refused)) from None


def _check_open(the: Assessment, task: Task) -> None:
    if reason := the.locked(task):
        raise HTTPException(403, reason)
