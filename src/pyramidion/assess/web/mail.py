"""Work by mail: one assessor's tasks as a page that needs no server, and the events that come back.

The page holds the same modules as the server's pages, as data: addresses behind an import map, and says by its own
Content-Security-Policy that nothing else may run. Merging is idempotent: events are known by their ids.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, ValidationError

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Event, StaleError, Task
from pyramidion.assess.web.events import SentEvent
from pyramidion.assess.web.pages import HERE, page_text
from pyramidion.assess.web.task_data import task_data
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import open_file, repair_text
from pyramidion.files.writing import atomic_writer
from pyramidion.show.wording import counted

FORMAT = "pyramidion-events"
LARGEST = 200_000_000
"""Bytes of a file of events."""
IMPORT = re.compile(r'(from\s+|import\s+|import\()"(\.[\w./-]+\.js)"')
PREFIX = "assess/"


Passes: TypeAlias = Literal["open", "all"]
MAILED_LOCKED = "mailed-locked-tasks"
"""The setting that holds the ids of tasks that were mailed before they would have opened on the pages."""


@dataclass(frozen=True, kw_only=True)
class ExportedWork:
    """What a page by mail holds, and what it leaves out."""

    task_count: int
    locked: Mapping[str, int]
    """Pieces of work that open later (their earlier passes are not handed in), by heading."""
    passes: Passes

    @property
    def locked_count(self) -> int:
        """Pieces of work that open later."""
        return sum(self.locked.values())


def export_task_page(assessment: Assessment, assessor: str, target: Path, *, passes: Passes = "open") -> ExportedWork:
    """Write the tasks of an assessor as one page that works from a file, offline.

    Args:
        assessment: whose work.
        assessor: the name of the person.
        target: the file.
        passes: `open` leaves out work that opens later; `all` includes it, and its answers are taken in any order.

    Raises:
        UsageError: if there is no such person, or nothing for them to do.
    """
    person = _person(assessment, repair_text(assessor))
    tasks = assessment.given_out(person=person.id)
    locked = [task for task in tasks if assessment.lock_reason(task)]
    if passes == "open":
        tasks = [task for task in tasks if task not in locked]
    if not tasks:
        remedy = "give them tasks on the page Plan"
        if locked:
            remedy = 'all of theirs opens later: `passes="all"` includes it'
        raise UsageError(f"{mention('assessor', assessor)}: has no open work; {remedy}")
    page = task_page(assessment, person, tasks)
    with atomic_writer(target) as file:
        file.write(page.encode())
    if passes == "all" and locked:
        mailed = {*assessment.settings.get(MAILED_LOCKED, []), *(task.id for task in locked)}
        assessment.settings.set(MAILED_LOCKED, sorted(mailed))
    counts = Counter(assessment.heading(task) for task in locked)
    return ExportedWork(task_count=len(tasks), locked=counts, passes=passes)


def task_page(assessment: Assessment, person: Person, tasks: Sequence[Task]) -> str:
    """The page of these tasks."""
    data = {
        "format": FORMAT,
        "assessor": person.name,
        "tasks": {task.id: task_data(assessment, task) for task in tasks},
        "work": [_listed_task(assessment, task) for task in tasks],
    }
    scripts = [path.relative_to(HERE) for path in sorted(HERE.rglob("*.js"))]
    modules = {PREFIX + script.as_posix(): _address(script) for script in scripts}
    styles = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.rglob("*.css"), key=_first))
    inline = {
        "imports": json.dumps({"imports": modules}),
        "start": f'import "{PREFIX}static/js/mail.js";',
        "style": styles,
    }
    # The page may run these two scripts and nothing else: a hostile summary in it stays a text.
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(inline['imports'])} {_hash(inline['start'])} data:",
            f"style-src {_hash(inline['style'])}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    # In a script element only "</" and "<!--" could end the data.
    embedded = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return page_text("mail.html", campaign=assessment.base, person=person, policy=policy, data=embedded, **inline)


def _listed_task(assessment: Assessment, task: Task) -> dict[str, Any]:
    """A task as the page lists it, with the script that opens it."""
    page = assessment.task_type(task).page
    assert page is not None  # it was given out
    return {
        "id": task.id,
        "module": PREFIX + page.script,
        "wide": page.wide,
        "heading": assessment.heading(task),
        "note": assessment.lock_reason(task),
    }


@dataclass
class Merged:
    """What became of the events of some files."""

    new: int = 0
    known: int = 0
    tasks: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    """Conflicts and refusals: nothing of these was stored."""

    def sentences(self) -> list[str]:
        """The answer first, then each problem."""
        events = counted(self.new, "new event")
        tasks = counted(len(self.tasks), "task")
        outcome = f"{events} of {tasks} stored; {self.known} were known."
        return [outcome, *self.problems]


class MailedEvent(SentEvent):
    """An event as a page by mail keeps it: with the time that the assessor's computer told."""

    time: Annotated[str, Field(pattern=r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)?$")] = ""


Versions: TypeAlias = dict[int, dict[str, tuple[MailedEvent, Path]]]
"""The events of one task by version and id, with the files that hold them."""


class MailedTask(BaseModel):
    """The events of one task."""

    events: list[MailedEvent]


class EventFile(BaseModel):
    """What "Download answers" gives."""

    format: str
    assessor: str
    tasks: dict[str, MailedTask]


def merge_event_files(assessment: Assessment, files: Iterable[Path]) -> Merged:
    """Store the events of files that came back by mail: in any order, any number of times, the state is the same.

    Where two files have different events for one version of a task, or the work went on elsewhere, nothing of that
    task is stored from there on, and the conflict is listed.

    Raises:
        InputError: if a file is none that a page by mail made; then nothing was stored.
    """
    events: dict[tuple[str, str], Versions] = defaultdict(lambda: defaultdict(dict))
    for path in sorted(set(files)):
        event_file = read_event_file(path)
        for id, task in event_file.tasks.items():
            for event in task.events:
                events[event_file.assessor, id][event.version].setdefault(event.id, (event, path))
    merged = Merged()
    for (assessor, id), versions in sorted(events.items()):
        _merge_task(assessment, assessor, id, versions, merged)
    return merged


def read_event_file(path: Path) -> EventFile:
    """A file of events.

    Raises:
        InputError: if it is none.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: larger than {LARGEST // 1_000_000} MB; expected a file of events")
        with open_file(path) as file:
            event_file = EventFile.model_validate_json(file.read())
    except (ValidationError, ValueError) as error:
        place = ""
        if isinstance(error, ValidationError) and error.errors():
            first = error.errors()[0]
            place = f" ({'.'.join(map(str, first['loc']))}: {first['msg']})"
        raise InputError(f"{path}: expected a file that the button Download answers gave{place}") from None
    if event_file.format != FORMAT:
        raise InputError(f"{path}: expected a file of {FORMAT}, found {event_file.format!r}")
    return event_file


def _merge_task(
    assessment: Assessment,
    assessor: str,
    id: str,
    versions: Versions,
    merged: Merged,
) -> None:
    """Store what files have of one task, or say why not."""
    task = assessment.work.task(id)
    person = assessment.people.find(name=assessor)
    where = f"task {id} of {assessor}"
    if task is None or task.withdrawn or person is None or task.person != person.id:
        merged.problems.append(f"{where}: there is no such work (any more); its events were not stored")
        return
    where = f"{where}, topic {task.topic}"
    # A file may be merged again, or hold what another one had.
    stored = {event.id for event in assessment.work.history(id)}
    for events in versions.values():
        merged.known += sum(event in stored for event in events)
    chain: list[Event] = []
    for version in sorted(versions):
        new = [sent for event, sent in versions[version].items() if event not in stored]
        if len(new) > 1:
            files = ", ".join(sorted({str(path) for _, path in new}))
            merged.problems.append(
                f"{where}: conflict at version {version}: {files} went on in different ways; "
                "nothing was stored from there on. Merge the one that counts by itself."
            )
            break
        chain += [Event(**event.model_dump()) for event, _ in new]
    _store_chain(assessment, task, chain, merged, where)


def _store_chain(assessment: Assessment, task: Task, chain: Sequence[Event], merged: Merged, where: str) -> None:
    """Store events that follow each other, up to the first that can't be stored."""
    for place, event in enumerate(chain):
        try:
            assessment.append(task, task.person, [event], is_locked_ignored=_was_mailed_locked(assessment, task))
        except StaleError as stale:
            left = counted(len(chain) - place, "event")
            merged.problems.append(
                f"{where}: conflict: {left} follow version {event.version - 1}, "
                f"but the work is at version {stale.task.version}; they were not stored"
            )
            return
        except RefusedError as refused:
            merged.problems.append(
                f"{where}: version {event.version} was refused: {refused}; nothing was stored from there on"
            )
            return
        merged.new += 1
        merged.tasks.add(task.id)


def _was_mailed_locked(assessment: Assessment, task: Task) -> bool:
    """Whether the organiser mailed all passes of this kind of work at once: then answers come in any order."""
    mailed = set(assessment.settings.get(MAILED_LOCKED, []))
    return any(other.id in mailed for other in assessment.work.tasks(person=task.person, kind=task.kind))


def _person(assessment: Assessment, name: str) -> Person:
    person = assessment.people.find(name=name)
    if person is None:
        names = ", ".join(other.name for other in assessment.people.all())
        raise UsageError(f"{mention('assessor', name)}: there is no such person; there are: {names or 'none'}")
    return person


def _address(script: Path) -> str:
    """A module as an address; what it imports is found by the page's import map, under its path from here."""
    folder = script.parent.as_posix()

    def name_import(match: re.Match[str]) -> str:
        return f'{match[1]}"{PREFIX}{posixpath.normpath(f"{folder}/{match[2]}")}"'

    named = IMPORT.sub(name_import, (HERE / script).read_text(encoding="utf-8"))
    return "data:text/javascript;base64," + base64.b64encode(named.encode()).decode()


def _first(path: Path) -> tuple[bool, str]:
    return (path.name != "style.css", path.name)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
