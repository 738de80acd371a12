"""Annotation: what its pages show, who makes a consensus of what two annotators did, and how far they agree."""

from __future__ import annotations

import secrets
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate.consensus import Consensus
from pyramidion.assess.kinds.adjudicate.double_annotation import DoubleAnnotation, find_double_annotations
from pyramidion.assess.kinds.assignment import Spec
from pyramidion.assess.kinds.base import RefusedError, SuggestionRequest
from pyramidion.assess.moves import record_move
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import AssignedTask, Organiser, ServedAssessment
from pyramidion.assess.web.task_data import annotation_settings, set_annotation
from pyramidion.show.wording import counted

router: APIRouter = APIRouter()


@dataclass(frozen=True)
class ConsensusWork:
    """What a consensus can be made of, who has it already, and what of it nobody has."""

    double: DoubleAnnotation
    adjudicators: tuple[str, ...]
    """The names of those who make the consensus, also where it is one of other annotators."""
    open_specs: tuple[Spec, ...]
    """The tasks that can be given out."""

    @property
    def what(self) -> str:
        """What both have done, as the page tells it."""
        if self.double.kind == "adjudicate":
            return "Pyramid"
        return f"Peer annotation: {counted(len(self.double.summarizers), 'summary', 'summaries')}"


def find_consensus_work(assessment: Assessment) -> list[ConsensusWork]:
    """All that two annotators have both done. The files hold one consensus of a topic's pyramids, and one of a peer."""
    holders: dict[Hashable, str] = {}
    for task in assessment.work.tasks(kind=["adjudicate", "adjudicate-peer"], withdrawn=False, practice=False):
        holders[_subject(task.kind, task.topic, task.spec)] = assessment.name_of(task.person)
    found = []
    for double in find_double_annotations(assessment.campaign):
        adjudicators = []
        open_specs = []
        for spec in double.specs(assessment.campaign):
            subject = _subject(double.kind, double.topic, spec)
            if subject in holders:
                adjudicators.append(holders[subject])
            else:
                open_specs.append(spec)
        found.append(ConsensusWork(double, tuple(dict.fromkeys(adjudicators)), tuple(open_specs)))
    return found


def _subject(kind: str, topic: str, spec: Spec) -> Hashable:
    """What there is one consensus of."""
    return (kind, topic, *spec.get("summaries", {}).values())


@router.get("/annotation", response_class=HTMLResponse)
def annotation_page(visit: Organiser) -> HTMLResponse:
    """Settings, and what two annotators have both done."""
    assessment = visit.assessment
    people = [person for person in assessment.people.all(active=True) if person.role != "guest"]
    settings = annotation_settings(assessment.settings)
    return visit.page("annotation.html", rows=find_consensus_work(assessment), people=people, settings=settings)


@router.post("/annotation/settings")
def change_settings(
    visit: Organiser, scores: Annotated[bool, Form()] = False, suggestions: Annotated[bool, Form()] = False
) -> RedirectResponse:
    """Show or hide scores and suggestions."""
    notes = []
    for name, is_shown in {"scores": scores, "suggestions": suggestions}.items():
        set_annotation(visit.assessment.settings, name, is_shown)
        notes.append(f"{name} on" if is_shown else f"{name} off")
    visit.record("annotation settings", ", ".join(notes))
    return RedirectResponse("/annotation", 303)


@router.post("/annotation/adjudicate")
def adjudicate(visit: Organiser, work: Annotated[str, Form()], person: Annotated[str, Form()]) -> RedirectResponse:
    """Give someone the consensus of what two annotators did."""
    assessment = visit.assessment
    adjudicator = assessment.people.find(id=person)
    with assessment.giving:
        found = {consensus.double.key: consensus for consensus in find_consensus_work(assessment)}
        if work not in found or adjudicator is None or not adjudicator.active:
            raise HTTPException(404, "there is no such work or person")
        double = found[work].double
        tasks = [
            Task(id=secrets.token_hex(8), kind=double.kind, topic=double.topic, person=adjudicator.id, spec=spec)
            for spec in found[work].open_specs
        ]
        assessment.give_out(tasks)
    if tasks:
        description = f"Consensus of topic {double.topic} given to {adjudicator.name}"
        record_move(assessment, visit.person, description, given=[task.id for task in tasks])
        visit.record("adjudication given", f"{double.kind}, topic {double.topic}")
    return RedirectResponse("/annotation", 303)


@router.get("/api/task/{id}/agreement")
def agreement(task: AssignedTask, assessment: ServedAssessment) -> list[dict[str, Any]]:
    """How far both annotators and the consensus so far agree."""
    task_type = assessment.task_type(task)
    if not isinstance(task_type, Consensus):
        raise HTTPException(404, "this work is not about two annotators")
    return task_type.agreement(assessment.context(task), assessment.work.state(task))


class SentRequest(BaseModel):
    """What suggestions a page asks for."""

    about: Literal["span", "scu", "models"]
    model: Annotated[str | None, Field(max_length=20)] = None
    parts: Annotated[list[tuple[int, int]], Field(max_length=200)] = []
    uid: int | None = None


@router.post("/api/task/{id}/suggestions")
def suggestions(sent: SentRequest, task: AssignedTask, assessment: ServedAssessment) -> list[dict[str, Any]]:
    """Suggestions, if the organiser turned them on."""
    if not annotation_settings(assessment.settings)["suggestions"]:
        raise HTTPException(403, "suggestions are turned off")
    task_type = assessment.task_type(task)
    if not task_type.has_suggestions:
        raise HTTPException(404, "there are no suggestions for this work")
    request = SuggestionRequest(about=sent.about, model=sent.model, parts=tuple(sent.parts), uid=sent.uid)
    try:
        return task_type.suggest(assessment.context(task), assessment.work.state(task), request, assessment.idf)
    except RefusedError as refused:
        raise HTTPException(422, str(refused)) from None
