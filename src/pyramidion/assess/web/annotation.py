"""Annotation: what its pages show, who makes a consensus of what two annotators did, and how far they agree."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field

from pyramidion.assess.kinds.adjudicate.double_annotation import (
    SETTINGS,
    annotation_settings,
    find_double_annotations,
    set_annotation,
)
from pyramidion.assess.kinds.adjudicate.task_type import Consensus
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.kinds.suggestions import About, Asked, suggest
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import AssignedTask, Organiser, ServedAssessment

router: APIRouter = APIRouter()


@router.get("/annotation", response_class=HTMLResponse)
def annotation_page(visit: Organiser) -> HTMLResponse:
    """Settings, and what two annotators have both done."""
    assessment = visit.assessment
    tasks = assessment.work.tasks(kind=["adjudicate", "adjudicate-peer"], withdrawn=False)
    given = {(task.kind, task.topic, tuple(task.spec["annotators"])) for task in tasks}
    rows = [
        {"twice": one, "given": (one.kind, one.topic, one.annotators) in given}
        for one in find_double_annotations(assessment.campaign)
    ]
    people = [person for person in assessment.people.all(active=True) if person.role != "guest"]
    settings = annotation_settings(assessment.settings)
    return visit.page("annotation.html", rows=rows, people=people, settings=settings)


@router.post("/annotation/settings")
def change_settings(
    visit: Organiser, scores: Annotated[bool, Form()] = False, suggestions: Annotated[bool, Form()] = False
) -> RedirectResponse:
    """Show or hide scores and suggestions."""
    chosen = {"scores": scores, "suggestions": suggestions}
    for name in SETTINGS:
        set_annotation(visit.assessment.settings, name, chosen[name])
    said = ", ".join(f"{name} {'on' if value else 'off'}" for name, value in chosen.items())
    visit.record("annotation settings", said)
    return RedirectResponse("/annotation", 303)


@router.post("/annotation/adjudicate")
def adjudicate(visit: Organiser, work: Annotated[str, Form()], person: Annotated[str, Form()]) -> RedirectResponse:
    """Give someone the consensus of what two annotators did."""
    assessment = visit.assessment
    twice = next((one for one in find_double_annotations(assessment.campaign) if one.key == work), None)
    chosen = assessment.people.find(id=person)
    if twice is None or chosen is None or not chosen.active:
        raise HTTPException(404, "there is no such work or person")
    tasks = [
        Task(id=secrets.token_hex(8), kind=twice.kind, topic=twice.topic, person=chosen.id, spec=spec)
        for spec in twice.specs(assessment.campaign)
    ]
    assessment.give_out(tasks)
    visit.record("adjudication given", f"{twice.kind}, topic {twice.topic}")
    return RedirectResponse("/annotation", 303)


@router.get("/api/task/{id}/agreement")
def agreement(task: AssignedTask, assessment: ServedAssessment) -> list[dict[str, Any]]:
    """How far both annotators and the consensus so far agree."""
    kind = assessment.task_type(task)
    if not isinstance(kind, Consensus):
        raise HTTPException(404, "this work is not about two annotators")
    return kind.agreement(assessment.context(task), assessment.work.state(task))


class AskedFor(BaseModel):
    """What suggestions a page asks for."""

    about: About
    model: Annotated[str | None, Field(max_length=20)] = None
    parts: Annotated[list[tuple[int, int]], Field(max_length=200)] = []
    uid: int | None = None


@router.post("/api/task/{id}/suggestions")
def suggestions(asked: AskedFor, task: AssignedTask, assessment: ServedAssessment) -> list[dict[str, Any]]:
    """Suggestions, if the organiser turned them on."""
    if not annotation_settings(assessment.settings)["suggestions"]:
        raise HTTPException(403, "suggestions are turned off")
    if not assessment.task_type(task).has_suggestions:
        raise HTTPException(404, "there are no suggestions for this work")
    wanted = Asked(about=asked.about, model=asked.model, parts=tuple(asked.parts), uid=asked.uid)
    try:
        return suggest(assessment.context(task), assessment.work.state(task), wanted, assessment.idf)
    except RefusedError as refused:
        raise HTTPException(422, str(refused)) from None
