"""Topics: their list, and a form for each: number, title, request, people, documents; and the limit in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData, UploadFile

from pyramidion.assess import topics
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.kinds.topic import LISTS
from pyramidion.assess.pages import render
from pyramidion.assess.plan.drawing import DEVELOPER, WRITERS
from pyramidion.assess.routes.access import Organiser, The
from pyramidion.assess.store.people import Session
from pyramidion.campaign.nouns import plain
from pyramidion.campaign.settings import FILE, write_settings
from pyramidion.errors import UsageError

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
def topics_page(request: Request, session: Organiser, the: The) -> HTMLResponse:
    """All topics, and a form for a new one."""
    return _list(request, session, the)


@router.post("/topics", response_model=None)
def add_topic(
    request: Request, session: Organiser, the: The, number: Annotated[str, Form()]
) -> HTMLResponse | RedirectResponse:
    """A new topic."""
    try:
        topics.change(the, session.person, number.strip(), {})
    except UsageError as error:
        return _list(request, session, the, problem=str(error))
    return RedirectResponse(request.url_for("topic_page").include_query_params(number=number.strip()), 303)


@router.post("/topics/limit")
def set_limit(session: Organiser, the: The, limit: Annotated[int, Form(ge=0, le=100_000)]) -> RedirectResponse:
    """The length of summaries in words, in campaign.toml; 0: no limit."""
    the.files.read()
    write_settings(the.folder / FILE, replace(the.base, word_limit=limit or None))
    the.people.record("word limit", str(limit), person=session.person.id)
    return RedirectResponse("/topics", 303)


@router.get("/topic", response_class=HTMLResponse)
def topic_page(request: Request, session: Organiser, the: The, number: str) -> HTMLResponse:
    """The form of a topic."""
    return _form(request, session, the, number)


@router.post("/topic", response_model=None)
def change_topic(
    request: Request, session: Organiser, the: The, number: str, given: FormAndFiles
) -> HTMLResponse | RedirectResponse:
    """Store what was changed."""
    fields, files = given
    try:
        topics.change(the, session.person, number, _changes(the, number, fields, files))
    except (UsageError, RefusedError) as error:
        return _form(request, session, the, number, problem=str(error))
    return RedirectResponse(request.url_for("topic_page").include_query_params(number=number), 303)


def _changes(the: Assessment, number: str, fields: FormData, files: list[tuple[str, bytes]]) -> dict[str, Any]:
    state = topics.state_of(the, number)
    changes: dict[str, Any] = {
        key: str(fields.get(key, "")).strip().replace("\r\n", "\n") or None for key in ("title", "narrative")
    }
    attributes = dict(state.get("attributes", {}))
    for key in (DEVELOPER, WRITERS):
        attributes[key] = str(fields.get(key, "")).strip()
    changes["attributes"] = {key: value for key, value in attributes.items() if value != ""} or None
    known = topics.choices(the, number)
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


def _list(request: Request, session: Session, the: Assessment, problem: str = "") -> HTMLResponse:
    campaign = the.campaign
    rows = []
    for data in campaign.each_topic(peers="all"):
        topic = data.topic
        models = len(data.models)
        rows.append((topic, len(topic.documents) + len(topic.background), models, len(data.peers) - models))
    status = 422 if problem else 200
    return render(request, "topics.html", session, status=status, problem=problem, rows=rows)


def _form(request: Request, session: Session, the: Assessment, number: str, problem: str = "") -> HTMLResponse:
    state = topics.state_of(the, number)
    documents = [
        (key, id, value, len(plain(_text(value)).split()))
        for key, value in state.items()
        for field, _, id in [key.partition("/")]
        if field in LISTS and id
    ]
    return render(
        request,
        "topic.html",
        session,
        status=422 if problem else 200,
        problem=problem,
        number=number,
        state=state,
        attributes=state.get("attributes", {}),
        documents=documents,
        choices=list(topics.choices(the, number).values())[:500],
        people=[one.name for one in the.people.all(role="assessor", active=True)],
    )


def _text(value: dict[str, Any]) -> str | tuple[str, ...]:
    text = value["text"]
    return text if isinstance(text, str) else tuple(text)
