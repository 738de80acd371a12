"""The pages of topics: a list, a form for each (title, request, people, documents), and the limit in words.

Each topic has a task of its own, so that every change is an event.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field
from starlette.datastructures import FormData, UploadFile

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.topic.task_type import LISTS, document_value
from pyramidion.assess.removals import is_of_topic, read_removals, remove_topic, tasks_of_topic
from pyramidion.assess.settings_file import change_settings
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Event, State, Task
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.assess.web.moving import refuse, show_confirmation
from pyramidion.assess.web.plan import DEVELOPER, WRITERS
from pyramidion.assess.web.removing import describe_removal
from pyramidion.campaign.nouns import Document, plain
from pyramidion.campaign.settings import FILE
from pyramidion.errors import InputError, UsageError
from pyramidion.files.locks import CampaignLockedError, lock_campaign

router: APIRouter = APIRouter()

FOLDER = "documents"
"""Where the campaign's folder may hold texts (*.txt) to choose documents from."""
LONGEST_NUMBER = 60
MOST_CHOICES = 500
"""Documents that a page offers to choose from."""

UploadedFiles = list[tuple[str, bytes]]
"""Names and contents."""


# A topic and its task


def ensure_task(assessment: Assessment, organiser: Person, topic: str) -> Task:
    """The task of a topic; a new one goes on from what the file has.

    Raises:
        UsageError: if the number can't be one.
    """
    task = _find_task(assessment, topic)
    if task is not None:
        return task
    if not topic.strip() or len(topic) > LONGEST_NUMBER or topic != topic.strip():
        raise UsageError(f"a number of a topic has 1 to {LONGEST_NUMBER} characters, such as D0601")
    task = Task(id=f"topic-{secrets.token_hex(8)}", kind="topic", topic=topic, person=organiser.id)
    assessment.give_out([task])
    return assessment.work.task(task.id) or task


def _find_task(assessment: Assessment, topic: str) -> Task | None:
    tasks = assessment.work.tasks(kind="topic", topic=topic, withdrawn=False)
    return tasks[0] if tasks else None


def topic_state(assessment: Assessment, topic: str) -> State:
    """A topic as it is now: its task's state, or what the file says."""
    task = _find_task(assessment, topic)
    if task is not None:
        return assessment.work.state(task)
    # No task yet: nothing is stored because someone looks at a topic.
    blank = Task(id="", kind="topic", topic=topic, person="")
    context = TaskContext(task=blank, campaign=assessment.campaign, person="")
    return assessment.task_type(blank).initial_state(context)


def store_changes(assessment: Assessment, organiser: Person, topic: str, changes: dict[str, Any]) -> None:
    """Store changes of a topic that differ from what there is.

    Raises:
        UsageError: if the topic's number can't be one.
        RefusedError: if a value is not what the field holds.
    """
    task = ensure_task(assessment, organiser, topic)
    _declare_other_topics(assessment, organiser, topic)
    state = assessment.work.state(task)
    differing = {key: value for key, value in changes.items() if state.get(key) != value}
    if differing or not task.version:
        _append_event(assessment, organiser, task, differing or {"title": ""})


def _declare_other_topics(assessment: Assessment, organiser: Person, topic: str) -> None:
    """When one topic is declared, those that only occur in other files must be, too."""
    campaign = assessment.campaign
    declared = {declared_topic.topic for declared_topic in campaign.topics} | {topic}
    for id in campaign.topic_ids:
        if id in declared:
            continue
        task = ensure_task(assessment, organiser, id)
        if not task.version:
            _append_event(assessment, organiser, task, {"title": ""})


def _append_event(assessment: Assessment, organiser: Person, task: Task, changes: dict[str, Any]) -> None:
    event = Event(id=str(uuid.uuid4()), version=task.version + 1, action="describe", changes=changes)
    assessment.append(task, organiser.id, [event])


# What is typed and not saved yet


def read_draft(assessment: Assessment, organiser: Person, topic: str) -> dict[str, Any]:
    """What an organiser typed about a topic and did not save, and the id of what was saved last."""
    stored = assessment.settings.get(_draft_key(organiser, topic)) or {}
    return {"draft": stored.get("draft"), "saved": stored.get("saved", "")}


def store_draft(assessment: Assessment, organiser: Person, topic: str, draft: dict[str, Any] | None) -> None:
    """Keep what an organiser types about a topic; None: forget it."""
    saved = read_draft(assessment, organiser, topic)["saved"]
    if draft is None or draft["draft"] != saved:  # else it comes late: it was saved as a whole since
        assessment.settings.set(_draft_key(organiser, topic), {"draft": draft, "saved": saved})


def forget_draft(assessment: Assessment, organiser: Person, topic: str, id: str) -> None:
    """Forget what was typed: it was saved."""
    assessment.settings.set(_draft_key(organiser, topic), {"draft": None, "saved": id})


def _draft_key(organiser: Person, topic: str) -> str:
    return f"topic-draft/{organiser.id}/{topic}"


# Documents


def documents_to_choose(assessment: Assessment, topic: str) -> dict[str, Document]:
    """Documents that a topic does not have yet: those of other topics, and the texts in the campaign's folder."""
    documents: dict[str, Document] = {}
    # First what the topic itself had: a document that was removed by mistake is added again from here.
    for id, value in _removed_documents(assessment, topic).items():
        documents[id] = Document(id=id, **value)
    for other in assessment.campaign.topics:
        for document in (*other.documents, *other.background):
            documents.setdefault(document.id, document)
    for path in sorted((assessment.folder / FOLDER).glob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace").strip()
        documents.setdefault(path.stem, Document(id=path.stem, text=text))
    used = {id for _, id in _document_keys(topic_state(assessment, topic)).values()}
    return {id: document for id, document in documents.items() if id not in used}


def _removed_documents(assessment: Assessment, topic: str) -> dict[str, dict[str, Any]]:
    """Documents that a topic had once, by id: the events of its task have them."""
    task = _find_task(assessment, topic)
    if task is None:
        return {}
    documents: dict[str, dict[str, Any]] = {}
    for event in assessment.work.history(task.id):
        for key, (_, id) in _document_keys(dict(event.changes)).items():
            if event.changes[key] is not None:
                documents[id] = event.changes[key]
    return documents


def _document_keys(state: State) -> dict[str, tuple[str, str]]:
    """The keys of a state that hold documents, with the list and the id of each."""
    keys = {}
    for key in state:
        field, _, id = key.partition("/")
        if field in LISTS and id:
            keys[key] = (field, id)
    return keys


def read_uploads(files: Sequence[tuple[str, bytes]]) -> dict[str, dict[str, Any]]:
    """Uploaded texts, by the names of their files.

    Raises:
        UsageError: if one is not a text in UTF-8.
    """
    documents = {}
    for name, content in files:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{name}: found byte {error.start + 1} that is not UTF-8; save the file as UTF-8"
            ) from None
        if "\0" in text or not text.strip():
            raise UsageError(f"{name}: found no text; upload plain texts (*.txt)")
        documents[Path(name).stem or name] = {"text": text.replace("\r\n", "\n").strip()}
    return documents


# The pages


async def form_and_files(request: Request) -> tuple[FormData, UploadedFiles]:
    """All fields, and the content of uploaded files."""
    form = await request.form()
    files: UploadedFiles = []
    for upload in form.getlist("files"):
        if isinstance(upload, UploadFile) and upload.filename:
            files.append((upload.filename, await upload.read()))
    await form.close()
    return form, files


FormAndFiles = Annotated[tuple[FormData, UploadedFiles], Depends(form_and_files)]


@router.get("/topics", response_class=HTMLResponse)
def topics_page(visit: Organiser) -> HTMLResponse:
    """All topics, and a form for a new one."""
    return _show_list(visit)


@router.post("/topics", response_model=None)
def add_topic(visit: Organiser, number: Annotated[str, Form()]) -> HTMLResponse | RedirectResponse:
    """A new topic."""
    try:
        store_changes(visit.assessment, visit.person, number.strip(), {})
    except UsageError as error:
        return _show_list(visit, problem=str(error))
    return _redirect_to_form(visit, number.strip())


@router.post("/topics/limit", response_model=None)
def set_limit(visit: Organiser, limit: Annotated[int, Form(ge=0, le=100_000)]) -> HTMLResponse | RedirectResponse:
    """The length of summaries in words, in campaign.toml; 0: no limit."""
    assessment = visit.assessment
    try:
        with lock_campaign(assessment.folder):
            assessment.files.read()
            change_settings(assessment.folder / FILE, {"word_limit": limit or None})
    except CampaignLockedError as error:
        return _show_list(visit, problem=str(error))
    visit.record("word limit", str(limit))
    return RedirectResponse("/topics", 303)


@router.get("/topic", response_class=HTMLResponse)
def topic_page(visit: Organiser, number: str) -> HTMLResponse:
    """The form of a topic."""
    return _show_form(visit, number)


@router.post("/topic", response_model=None)
def change_topic(visit: Organiser, number: str, sent: FormAndFiles) -> HTMLResponse | RedirectResponse:
    """Store what was changed."""
    fields, files = sent
    try:
        changes = _parse_changes(visit.assessment, number, fields, files)
        store_changes(visit.assessment, visit.person, number, changes)
    except (UsageError, RefusedError) as error:
        return _show_form(visit, number, problem=str(error))
    forget_draft(visit.assessment, visit.person, number, str(fields.get("draft", "")))
    return _redirect_to_form(visit, number)


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
    draft = sent.draft.model_dump() if sent.draft else None
    store_draft(visit.assessment, visit.person, number, draft)
    return {"kept": True}


def _redirect_to_form(visit: Visit, number: str) -> RedirectResponse:
    return RedirectResponse(visit.request.url_for("topic_page").include_query_params(number=number), 303)


def _parse_changes(assessment: Assessment, number: str, fields: FormData, files: UploadedFiles) -> dict[str, Any]:
    """What a form says of a topic, as changes of its state."""

    def text_of(name: str, default: str = "") -> str:
        return str(fields.get(name, default)).strip()

    state = topic_state(assessment, number)
    changes: dict[str, Any] = {}
    for key in ("title", "narrative"):
        changes[key] = text_of(key).replace("\r\n", "\n") or None
    attributes = dict(state.get("attributes", {}))
    for key in (DEVELOPER, WRITERS):
        attributes[key] = text_of(key)
    changes["attributes"] = {key: value for key, value in attributes.items() if value != ""} or None
    choices = documents_to_choose(assessment, number)
    field = "background" if "as_background" in fields else "document"
    for id in map(str, fields.getlist("choose")):
        if id in choices:
            changes[f"{field}/{id}"] = document_value(choices[id])
    for id, value in read_uploads(files).items():
        changes[f"{field}/{id}"] = value
    for key in map(str, fields.getlist("remove")):
        changes[key] = None
    # The form shows date and headline of each document, not its text, which stays.
    for key in _document_keys(state):
        if key in changes:
            continue
        document = {"text": state[key]["text"]}
        for name in ("date", "headline"):
            text = text_of(f"{name}/{key}", state[key].get(name, ""))
            if text:
                document[name] = text
        changes[key] = document
    return changes


@router.post("/topic/remove", response_model=None)
def take_out_topic(
    visit: Organiser, number: str, confirmed: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Remove a topic with its work, after asking; it can be put back."""
    assessment = visit.assessment
    if number not in assessment.campaign.topic_ids:
        raise HTTPException(404, "there is no such topic")
    sentences = describe_removal(
        assessment, f"Topic {number}", is_of_topic(number), tasks_of_topic(assessment, number), "/topics"
    )
    if confirmed != sentences[0]:
        return show_confirmation(
            visit,
            title=f"Remove topic {number}?",
            sentences=sentences,
            action=f"/topic/remove?number={quote(number, safe='')}",
            button=f"Remove topic {number}",
            back="/topics",
            fields={"confirmed": sentences[0]},
        )
    try:
        remove_topic(assessment, visit.person, number)
    except InputError as error:
        return refuse(visit, "/topics", str(error))
    visit.record("topic removed", number)
    return RedirectResponse("/topics#removed", 303)


def _show_list(visit: Visit, problem: str = "") -> HTMLResponse:
    rows = []
    for data in visit.assessment.campaign.each_topic(peers="all"):
        topic = data.topic
        models = len(data.models)
        rows.append((topic, len(topic.documents) + len(topic.background), models, len(data.peers) - models))
    return visit.page(
        "topic/topics.html", problem=problem, rows=rows, removals=read_removals(visit.assessment, "topic")
    )


def _show_form(visit: Visit, number: str, problem: str = "") -> HTMLResponse:
    assessment = visit.assessment
    state = topic_state(assessment, number)
    documents = []
    for key, (_, id) in _document_keys(state).items():
        documents.append((key, id, state[key], _count_words(state[key]["text"])))
    return visit.page(
        "topic/topic.html",
        problem=problem,
        number=number,
        state=state,
        draft=read_draft(assessment, visit.person, number),
        attributes=state.get("attributes", {}),
        documents=documents,
        choices=list(documents_to_choose(assessment, number).values())[:MOST_CHOICES],
        people=[person.name for person in assessment.assessors()],
    )


def _count_words(text: str | list[str]) -> int:
    """The words of a document, whose text may be a list of sentences."""
    return len(plain(text if isinstance(text, str) else tuple(text)).split())
