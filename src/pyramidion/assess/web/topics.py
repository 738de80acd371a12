"""Topics: their list, and a form for each: number, title, request, people, documents; and the limit in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field
from starlette.datastructures import FormData, UploadFile

from pyramidion.assess import topics
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import DEVELOPER, WRITERS
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.kinds.topic.task_type import LISTS
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.campaign.nouns import plain
from pyramidion.campaign.settings import FILE, write_settings
from pyramidion.errors import UsageError
from pyramidion.files.locks import CampaignLockedError, lock_campaign

router: APIRouter = APIRouter()


async def form_and_files(request: Request) -> tuple[FormData, list[tuple[str, bytes]]]:
    """All fields, and the content of uploaded files."""
    form = await request.form()
    uploads = [one for one in form.getlist("files") if isinstance(one, UploadFile) and one.filename]
    content = [(one.filename or "", await one.read()) for one in uploads]
    await form.close()
    return form, content


FormAndFiles = Annotated[tuple[FormData, list[tuple[str, bytes]]], Depends(form_and_files)]


@router.get("/topics", response_class=HTMLResponse)
def topics_page(visit: Organiser) -> HTMLResponse:
    """All topics, and a form for a new one."""
    return _list(visit)


@router.post("/topics", response_model=None)
def add_topic(visit: Organiser, number: Annotated[str, Form()]) -> HTMLResponse | RedirectResponse:
    """A new topic."""
    try:
        topics.change(visit.assessment, visit.person, number.strip(), {})
    except UsageError as error:
        return _list(visit, problem=str(error))
    return _to_form(visit, number.strip())


@router.post("/topics/limit", response_model=None)
def set_limit(visit: Organiser, limit: Annotated[int, Form(ge=0, le=100_000)]) -> HTMLResponse | RedirectResponse:
    """The length of summaries in words, in campaign.toml; 0: no limit."""
    assessment = visit.assessment
    try:
        with lock_campaign(assessment.folder):
            assessment.files.read()
            write_settings(assessment.folder / FILE, replace(assessment.base, word_limit=limit or None))
    except CampaignLockedError as error:
        return _list(visit, problem=str(error))
    visit.record("word limit", str(limit))
    return RedirectResponse("/topics", 303)


@router.get("/topic", response_class=HTMLResponse)
def topic_page(visit: Organiser, number: str) -> HTMLResponse:
    """The form of a topic."""
    return _form(visit, number)


@router.post("/topic", response_model=None)
def change_topic(visit: Organiser, number: str, given: FormAndFiles) -> HTMLResponse | RedirectResponse:
    """Store what was changed."""
    try:
        topics.change(visit.assessment, visit.person, number, _changes(visit.assessment, number, *given))
    except (UsageError, RefusedError) as error:
        return _form(visit, number, problem=str(error))
    topics.draft_saved(visit.assessment, visit.person, number, str(given[0].get("draft", "")))
    return _to_form(visit, number)


class TypedForm(BaseModel):
    """The fields of a topic's form while someone types; `before` is what they held when the page was opened."""

    draft: Annotated[str, Field(pattern="^[0-9a-f-]{36}$")]
    fields: Annotated[dict[str, str], Field(max_length=2_000)]
    before: Annotated[dict[str, str], Field(max_length=2_000)]
    time: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class SentDraft(BaseModel):
    """What is to be kept; None: nothing."""

    draft: TypedForm | None


@router.post("/api/topic/draft")
def keep_draft(visit: Organiser, number: str, sent: SentDraft) -> dict[str, bool]:
    """Keep what is being typed about a topic, until it is saved."""
    if number not in visit.assessment.campaign.topic_ids:
        raise HTTPException(404, "there is no such topic")
    topics.keep_draft(visit.assessment, visit.person, number, sent.draft.model_dump() if sent.draft else None)
    return {"kept": True}


def _to_form(visit: Visit, number: str) -> RedirectResponse:
    return RedirectResponse(visit.request.url_for("topic_page").include_query_params(number=number), 303)


def _changes(assessment: Assessment, number: str, fields: FormData, files: list[tuple[str, bytes]]) -> dict[str, Any]:
    state = topics.state_of(assessment, number)
    changes: dict[str, Any] = {
        key: str(fields.get(key, "")).strip().replace("\r\n", "\n") or None for key in ("title", "narrative")
    }
    attributes = dict(state.get("attributes", {}))
    for key in (DEVELOPER, WRITERS):
        attributes[key] = str(fields.get(key, "")).strip()
    changes["attributes"] = {key: value for key, value in attributes.items() if value != ""} or None
    known = topics.choices(assessment, number)
    for id in map(str, fields.getlist("choose")):
        if id in known:
            changes[f"document/{id}"] = topics.as_value(known[id])
    for id, value in topics.uploaded(files).items():
        changes[f"document/{id}"] = value
    for key in map(str, fields.getlist("remove")):
        changes[key] = None
    for key, value in state.items():
        if key.partition("/")[0] in LISTS and "/" in key and key not in changes:
            dated = {
                name: str(fields.get(f"{name}/{key}", value.get(name, ""))).strip() for name in ("date", "headline")
            }
            changes[key] = {"text": value["text"], **{name: one for name, one in dated.items() if one}}
    return changes


def _list(visit: Visit, problem: str = "") -> HTMLResponse:
    rows = []
    for data in visit.assessment.campaign.each_topic(peers="all"):
        topic = data.topic
        models = len(data.models)
        rows.append((topic, len(topic.documents) + len(topic.background), models, len(data.peers) - models))
    return visit.page("topic/topics.html", problem=problem, rows=rows)


def _form(visit: Visit, number: str, problem: str = "") -> HTMLResponse:
    state = topics.state_of(visit.assessment, number)
    documents = [
        (key, id, value, len(plain(_text(value)).split()))
        for key, value in state.items()
        for field, _, id in [key.partition("/")]
        if field in LISTS and id
    ]
    return visit.page(
        "topic/topic.html",
        problem=problem,
        number=number,
        state=state,
        draft=topics.draft_of(visit.assessment, visit.person, number),
        attributes=state.get("attributes", {}),
        documents=documents,
        choices=list(topics.choices(visit.assessment, number).values())[:500],
        people=[one.name for one in visit.assessment.people.all(role="assessor", active=True)],
    )


def _text(value: dict[str, Any]) -> str | tuple[str, ...]:
    text = value["text"]
    return text if isinstance(text, str) else tuple(text)
