"""Topics as organisers describe them: each has a task of its own, so that every change is an event."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import TaskContext
from pyramidion.assess.kinds.topic.task_type import LISTS
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Event, State, Task
from pyramidion.campaign.nouns import Document, to_plain
from pyramidion.errors import UsageError

FOLDER = "documents"
"""Where the campaign's folder may hold texts (*.txt) to choose documents from."""
LONGEST_NUMBER = 60


def task_for(assessment: Assessment, organiser: Person, topic: str) -> Task:
    """The task of a topic; a new one goes on from what the file has.

    Raises:
        UsageError: if the number can't be one.
    """
    if found := _known(assessment, topic):
        return found
    if not topic.strip() or len(topic) > LONGEST_NUMBER or topic != topic.strip():
        raise UsageError(f"a number of a topic has 1 to {LONGEST_NUMBER} characters, such as D0601")
    task = Task(id=f"topic-{secrets.token_hex(8)}", kind="topic", topic=topic, person=organiser.id)
    assessment.give_out([task])
    return assessment.work.task(task.id) or task


def _known(assessment: Assessment, topic: str) -> Task | None:
    return next(iter(assessment.work.tasks(kind="topic", topic=topic, withdrawn=False)), None)


def state_of(assessment: Assessment, topic: str) -> State:
    """A topic as it is now: its task's state, or what the file says."""
    if task := _known(assessment, topic):
        return assessment.work.state(task)
    blank = Task(id="", kind="topic", topic=topic, person="")
    return assessment.task_type(blank).initial_state(TaskContext(task=blank, campaign=assessment.campaign, person=""))


def change(assessment: Assessment, organiser: Person, topic: str, changes: dict[str, Any]) -> None:
    """Store changes of a topic that differ from what there is.

    Raises:
        RefusedError: if a value is not what the field holds.
    """
    task = task_for(assessment, organiser, topic)
    _declare_others(assessment, organiser, topic)
    state = assessment.work.state(task)
    real = {key: value for key, value in changes.items() if state.get(key) != value}
    if real or not task.version:
        _store(assessment, organiser, task, real or {"title": ""})


def draft_of(assessment: Assessment, organiser: Person, topic: str) -> dict[str, Any]:
    """What an organiser typed about a topic and did not save, and the id of what was saved last."""
    stored = assessment.settings.get(_draft_key(organiser, topic)) or {}
    return {"draft": stored.get("draft"), "saved": stored.get("saved", "")}


def keep_draft(assessment: Assessment, organiser: Person, topic: str, draft: dict[str, Any] | None) -> None:
    """Keep what an organiser types about a topic; None: forget it."""
    saved = draft_of(assessment, organiser, topic)["saved"]
    if draft is None or draft["draft"] != saved:  # else it comes late: it was saved as a whole since
        assessment.settings.set(_draft_key(organiser, topic), {"draft": draft, "saved": saved})


def draft_saved(assessment: Assessment, organiser: Person, topic: str, id: str) -> None:
    """Forget what was typed: it was saved."""
    assessment.settings.set(_draft_key(organiser, topic), {"draft": None, "saved": id})


def _draft_key(organiser: Person, topic: str) -> str:
    return f"topic-draft/{organiser.id}/{topic}"


def _declare_others(assessment: Assessment, organiser: Person, topic: str) -> None:
    """When one topic is declared, those that only occur in other files must be, too."""
    campaign = assessment.campaign
    declared = {one.topic for one in campaign.topics} | {topic}
    for id in campaign.topic_ids:
        if id not in declared:
            other = task_for(assessment, organiser, id)
            if not other.version:
                _store(assessment, organiser, other, {"title": ""})


def _store(assessment: Assessment, organiser: Person, task: Task, changes: dict[str, Any]) -> None:
    event = Event(id=str(uuid.uuid4()), version=task.version + 1, action="describe", changes=changes)
    assessment.append(task, organiser.id, [event])


def choices(assessment: Assessment, topic: str) -> dict[str, Document]:
    """Documents to choose from: those of other topics, and the texts in the campaign's folder."""
    own = {key.partition("/")[2] for key in state_of(assessment, topic) if key.partition("/")[0] in LISTS}
    found: dict[str, Document] = {}
    for one in assessment.campaign.topics:
        for document in (*one.documents, *one.background):
            found.setdefault(document.id, document)
    folder = assessment.folder / FOLDER
    for path in sorted(folder.glob("*.txt")) if folder.is_dir() else []:
        found.setdefault(path.stem, _from_file(path))
    return {id: document for id, document in found.items() if id not in own}


def as_value(document: Document) -> dict[str, Any]:
    """A document as the state of a topic holds it."""
    fields: dict[str, Any] = to_plain(document)
    del fields["id"]
    return fields


def uploaded(files: Sequence[tuple[str, bytes]]) -> dict[str, dict[str, Any]]:
    """Uploaded texts, by the names of their files.

    Raises:
        UsageError: if one is not a text in UTF-8.
    """
    found = {}
    for name, content in files:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{name}: found byte {error.start + 1} that is not UTF-8; save the file as UTF-8"
            ) from None
        if "\0" in text or not text.strip():
            raise UsageError(f"{name}: found no text; upload plain texts (*.txt)")
        found[Path(name).stem or name] = {"text": text.replace("\r\n", "\n").strip()}
    return found


def _from_file(path: Path) -> Document:
    return Document(id=path.stem, text=path.read_text(encoding="utf-8", errors="replace").strip())
