"""Guided first tasks: an example of each kind of work, with its page, that stores nothing."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from pyramidion.assess.kinds.registry import KINDS
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Worker
from pyramidion.assess.web.example import example
from pyramidion.assess.web.pages import WORK_PAGES

router: APIRouter = APIRouter()


@router.get("/guide/{kind}", response_class=HTMLResponse)
def guide_page(kind: str, visit: Worker) -> HTMLResponse:
    """The page of a kind of work with an example in it."""
    data = example(kind)
    if data is None:
        raise HTTPException(404, "there is no guide for this kind of work")
    task = Task(id=data["task"]["id"], kind=kind, topic=data["task"]["topic"], person=visit.person.id)
    heading = f"Guide: {KINDS[kind].title}"
    return visit.page("task.html", task=task, page=WORK_PAGES[kind], heading=heading, guide=kind, task_data=data)
