"""The first page: an assessor's own work; an organiser's overview."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pyramidion.assess.pages import render
from pyramidion.assess.routes.access import Anyone, The

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
def home(request: Request, session: Anyone, the: The) -> HTMLResponse:
    """What there is to do."""
    tasks = [task for task in the.work.tasks(person=session.person.id) if not task.withdrawn]
    states = the.work.states(tasks)
    rows = [
        {"task": task, "kind": the.kind(task), "progress": the.kind(task).progress(the.piece(task), state)}
        for task, state in zip(tasks, states, strict=True)
    ]
    return render(request, "home.html", session, rows=rows)
