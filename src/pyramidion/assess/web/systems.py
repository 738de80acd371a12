"""The page of systems: who is evaluated; late systems are added here, and systems are removed, after asking."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.kinds.topic.routes import FormAndFiles
from pyramidion.assess.removals import (
    is_of_summarizer,
    read_removals,
    refuse_removal_of_model_writer,
    remove_summarizer,
    tasks_of_summarizer,
)
from pyramidion.assess.systems import add_system, describe_added, list_systems
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.assess.web.moving import refuse, show_confirmation
from pyramidion.assess.web.removing import describe_removal
from pyramidion.errors import InputError, UsageError

router: APIRouter = APIRouter()

KINDS = {"participant": "system", "baseline": "baseline"}


@router.get("/systems", response_class=HTMLResponse)
def systems_page(visit: Organiser) -> HTMLResponse:
    """All systems, and a form for a late one."""
    return _show_page(visit)


@router.post("/systems", response_class=HTMLResponse)
def add(visit: Organiser, sent: FormAndFiles) -> HTMLResponse:
    """Add a system, or summaries of one."""
    fields, files = sent
    id = str(fields.get("id", "")).strip()
    kind = str(fields.get("kind", "participant"))
    if kind not in KINDS:
        raise HTTPException(404, "there is no such kind of system")
    declaration = {name: " ".join(str(fields.get(name, "")).split())[:200] for name in ("name", "organisation")}
    try:
        number = add_system(visit.assessment, id, {"kind": kind, **declaration}, files)
    except (UsageError, InputError) as error:
        return _show_page(visit, problem=str(error))
    visit.record("system added", f"{id}, {number} summaries")
    return _show_page(visit, outcome=describe_added(id, number))


@router.post("/system/remove", response_model=None)
def take_out_system(
    visit: Organiser, id: str, confirmed: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Remove a system with what was said of it, after asking; it can be put back."""
    assessment = visit.assessment
    if id not in assessment.campaign.summarizer_ids:
        raise HTTPException(404, "there is no such system")
    try:
        refuse_removal_of_model_writer(assessment.campaign, id)
    except UsageError as error:
        return refuse(visit, "/systems", str(error))
    sentences = describe_removal(
        assessment, f"The system {id}", is_of_summarizer(id), tasks_of_summarizer(assessment, id), "/systems"
    )
    sentences.insert(
        1, "Forms and lists of pairs go on without it, with all other answers; work about it alone is taken back."
    )
    if confirmed != sentences[0]:
        return show_confirmation(
            visit,
            title=f"Remove the system {id}?",
            sentences=sentences,
            action=f"/system/remove?id={quote(id, safe='')}",
            button=f"Remove {id}",
            back="/systems",
            fields={"confirmed": sentences[0]},
        )
    try:
        remove_summarizer(assessment, visit.person, id)
    except InputError as error:
        return refuse(visit, "/systems", str(error))
    visit.record("system removed", id)
    return RedirectResponse("/systems#removed", 303)


def _show_page(visit: Visit, problem: str = "", outcome: str = "") -> HTMLResponse:
    campaign = visit.assessment.campaign
    return visit.page(
        "systems.html",
        problem=problem,
        outcome=outcome,
        systems=list_systems(campaign),
        topics=len(campaign.topic_ids),
        kinds=KINDS,
        removals=read_removals(visit.assessment, "summarizer"),
    )
