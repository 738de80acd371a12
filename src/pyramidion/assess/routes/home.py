"""The first page: someone's own work, by kind and topic, and for the organiser what to set up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.guides import GUIDED
from pyramidion.assess.names import name_problems
from pyramidion.assess.passes import locked
from pyramidion.assess.practice import feedback
from pyramidion.assess.routes.access import Anyone
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.show.tables import grouped

router: APIRouter = APIRouter()


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A task as the page lists it."""

    task: Task
    heading: str
    topic_title: str
    finished: int
    total: int
    locked: str
    practice_link: str = ""
    """Where someone sees what their practice led to."""
    practice_title: str = ""
    number: str = ""
    """Which of several pieces of work on one topic it is."""


@router.get("/", response_model=None)
def home(visit: Anyone) -> HTMLResponse | RedirectResponse:
    """What there is to do, and what is next."""
    if visit.person.role == "guest":
        return RedirectResponse("/dashboard", 303)
    entries = entries_of(visit.the, visit.person)
    groups = grouped(entries, lambda entry: entry.heading)
    following = next((one for one in entries if not one.task.done and not one.locked), None)
    steps = _steps(visit.the, visit.person)
    return visit.page("home.html", groups=groups, following=following, steps=steps, guided=GUIDED)


def entries_of(the: Assessment, person: Person) -> list[Entry]:
    """The tasks of a person, practice first."""
    tasks = sorted(the.work.given_out(person=person.id), key=lambda task: not task.practice)
    entries = []
    for piece, state in zip(the.pieces(tasks), the.work.states(tasks), strict=True):
        task = piece.task
        finished, total = the.progress(piece, state)
        entries.append(
            Entry(
                task=task,
                heading=("Practice: " if task.practice else "") + the.heading(task),
                topic_title=piece.topic.title,
                finished=finished,
                total=total,
                locked=locked(task, tasks),
                **_practice(the, task),
            )
        )
    return _numbered(entries)


def _numbered(entries: list[Entry]) -> list[Entry]:
    """Pieces of work of one kind on one topic are distinguished by their number."""
    several = Counter((one.heading, one.task.topic) for one in entries)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for one in entries:
        key = (one.heading, one.task.topic)
        seen[key] += 1
        found.append(replace(one, number=f"{seen[key]} of {several[key]}") if several[key] > 1 else one)
    return found


def _practice(the: Assessment, task: Task) -> dict[str, str]:
    found = feedback(the, task)
    if "norming" in found:
        return {"practice_link": found["norming"], "practice_title": "The others' answers"}
    return {"practice_link": f"/task/{task.id}", "practice_title": "The organiser's answers"} if found else {}


def _steps(the: Assessment, person: Person) -> list[tuple[str, str, str]]:
    """What an organiser sets up, in order: the page, its title, and how far it is."""
    if person.role != "organiser":
        return []
    topics, people = len(the.campaign.topic_ids), the.people.all(role="assessor", active=True)
    given = len(the.work.given_out())
    misnamed = len(name_problems(the))
    renaming = f"; {misnamed} {'needs' if misnamed == 1 else 'need'} another name" if misnamed else ""
    return [
        ("/topics", "Topics", f"{topics} in the campaign"),
        ("/people", "Invite assessors", f"{len(people)} so far{renaming}"),
        ("/plan", "Plan who judges what", f"{given} pieces of work given out"),
        ("/dashboard", "Follow the progress", "rates, agreement and what is missing"),
    ]
