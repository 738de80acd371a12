"""The work itself: a page for each task, its data, and the events that the page sends."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, Field, field_validator

from pyramidion.assess.annotation import annotation_settings
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.pages import render
from pyramidion.assess.practice import feedback
from pyramidion.assess.routes.access import Own, The, Worker
from pyramidion.assess.store.work import Event, StaleError, Task

router = APIRouter()


class SentEvent(BaseModel):
    """An event as the browser sends it."""

    id: Annotated[str, Field(pattern="^[0-9a-f-]{36}$")]
    version: Annotated[int, Field(ge=1)]
    action: Annotated[str, Field(max_length=40, pattern="^[a-z-]+$")]
    changes: Annotated[dict[str, Any], Field(min_length=1, max_length=500)]
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = 0.0

    @field_validator("changes")
    @classmethod
    def can_be_stored(cls, changes: dict[str, Any]) -> dict[str, Any]:
        """Half of a character, NaN and values nested too deeply are in no file."""
        try:
            json.dumps(changes, ensure_ascii=False, allow_nan=False).encode()
        except RecursionError:
            raise ValueError("nested too deeply") from None
        return changes


class SentEvents(BaseModel):
    """What is waiting in the browser, in order."""

    events: Annotated[list[SentEvent], Field(min_length=1, max_length=200)]


@router.get("/task/{id}", response_class=HTMLResponse)
def task_page(request: Request, task: Own, session: Worker, the: The) -> HTMLResponse:
    """The page of a task: a frame; its script asks for the data."""
    _check_open(the, task)
    template = f"tasks/{task.kind}.html"
    return render(request, template, session, task=task, kind=the.kind(task), heading=the.heading(task))


@router.get("/api/task/{id}")
def task_data(task: Own, the: The) -> dict[str, Any]:
    """What the page shows: material, state, and the history that undo needs."""
    _check_open(the, task)
    shown = ("id", "version", "action", "changes")
    state = the.work.state(task)
    return {
        "task": {"id": task.id, "kind": task.kind, "topic": task.topic, "practice": task.practice},
        "version": task.version,
        "state": state,
        "history": [{name: getattr(one, name) for name in shown} for one in the.work.history(task.id)],
        "material": {**the.kind(task).material(replace(the.piece(task), state=state)), **feedback(the, task)},
        "settings": annotation_settings(the.settings),
    }


@router.post("/api/task/{id}/events", response_model=None)
def append(sent: SentEvents, task: Own, session: Worker, the: The) -> dict[str, int] | JSONResponse:
    """Store events; the answer is given when they are on disk. 409: the work went on elsewhere, with its new state."""
    events = [Event(**event.model_dump()) for event in sent.events]
    try:
        return {"version": the.append(task, session.person.id, events)}
    except StaleError as stale:
        content = {"version": stale.task.version, "state": the.work.state(stale.task), "detail": str(stale)}
        return JSONResponse(content, status_code=409)
    except RefusedError as refused:
        raise HTTPException(422, str(refused)) from None


def _check_open(the: Assessment, task: Task) -> None:
    if reason := the.locked(task):
        raise HTTPException(403, reason)
