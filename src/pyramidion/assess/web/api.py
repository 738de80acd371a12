"""The HTTP API for programs: what work there is, and each piece with its events. See tasks.py for sending events."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import API, Anyone, Organiser, Worker
from pyramidion.assess.web.home import WorkEntry, entries_of
from pyramidion.assess.web.task_data import task_data

router: APIRouter = APIRouter()


@router.get("/api/tasks")
def list_tasks(visit: Worker, everyone: bool = False) -> JSONResponse:
    """Who asks gets their own work, in the order of the page; an organiser that of everybody with `everyone=true`."""
    assessment = visit.assessment
    people = [visit.person]
    if everyone:
        if visit.person.role != "organiser":
            raise HTTPException(403, "only an organiser sees the work of others")
        people = assessment.people.all()
    rows = [
        {"person": person.name, **_entry_row(entry)} for person in people for entry in entries_of(assessment, person)
    ]
    return JSONResponse({"tasks": rows})


@router.get("/api/work/{id}")
def send_work(visit: Organiser, id: str) -> JSONResponse:
    """Anybody's piece of work with all its events, for organisers: who changed what, when, and for how long."""
    assessment = visit.assessment
    task = assessment.work.task(id)
    if task is None:
        raise HTTPException(404, "there is no such work")
    data = task_data(assessment, task)
    return JSONResponse({**data, "person": assessment.name_of(task.person), "history": _history(assessment, task)})


@router.get("/api/openapi.json")
def describe_api(visit: Anyone, request: Request) -> JSONResponse:  # noqa: ARG001  # only for people of the campaign
    """The schema of the API, in the form of OpenAPI."""
    schema = request.app.openapi()
    return JSONResponse(
        {
            **schema,
            "paths": {path: operations for path, operations in schema["paths"].items() if path.startswith(API)},
            "components": {**schema["components"], "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
            "security": [{"token": []}],
        }
    )


def _entry_row(entry: WorkEntry) -> dict[str, Any]:
    """A piece of work in a list."""
    task = entry.task
    return {
        "id": task.id,
        "kind": task.kind,
        "topic": task.topic,
        "title": entry.heading,
        "practice": task.practice,
        "version": task.version,
        "finished": entry.finished,
        "total": entry.total,
        "done": task.done,
        "locked": entry.locked or None,
    }


def _history(assessment: Assessment, task: Task) -> list[dict[str, Any]]:
    """The events of a task, oldest first."""
    return [
        {
            "id": event.id,
            "version": event.version,
            "person": assessment.name_of(event.person),
            "time": event.time,
            "seconds": event.seconds,
            "action": event.action,
            "changes": dict(event.changes),
        }
        for event in assessment.work.history(task.id)
    ]
