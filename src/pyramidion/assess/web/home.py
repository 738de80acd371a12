"""The first page: someone's own work, by kind and topic, and for the organiser what to set up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.crowd import Crowd
from pyramidion.assess.kinds.registry import WITH_PAGES
from pyramidion.assess.person_names import name_problems
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Anyone
from pyramidion.assess.web.practice import feedback
from pyramidion.show.tables import grouped

router: APIRouter = APIRouter()


@dataclass(frozen=True, kw_only=True)
class WorkEntry:
    """A task as the page lists it."""

    task: Task
    heading: str
    topic_title: str
    finished: int
    total: int
    counted_in: str
    """What is finished: answers, words, pairs."""
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
    entries = entries_of(visit.assessment, visit.person)
    groups = grouped(entries, lambda entry: entry.heading)
    open_entries = [entry for entry in entries if not entry.task.done and not entry.locked]
    steps = _steps(visit.assessment, visit.person)
    following = open_entries[0] if open_entries else None
    completion = {} if following else Crowd(visit.assessment).completion(visit.person)
    return visit.page(
        "home.html", groups=groups, following=following, steps=steps, guided=WITH_PAGES, completion=completion
    )


def entries_of(assessment: Assessment, person: Person) -> list[WorkEntry]:
    """The tasks of a person, practice first."""
    # Practice comes first: it is for learning.
    tasks = sorted(assessment.given_out(person=person.id), key=lambda task: not task.practice)
    base = assessment.base
    entries = []
    for context, state in zip(assessment.contexts(tasks), assessment.work.states(tasks), strict=True):
        task = context.task
        finished, total = assessment.progress(context, state)
        entries.append(
            WorkEntry(
                task=task,
                heading=("Practice: " if task.practice else "") + assessment.task_type(task).heading(base, task),
                topic_title=context.topic.title,
                finished=finished,
                total=total,
                counted_in=assessment.task_type(task).counted_in(task.spec),
                locked=assessment.task_type(task).lock_reason(task, tasks),
                **_practice_link(assessment, task),
            )
        )
    return _number_entries(entries)


def _number_entries(entries: list[WorkEntry]) -> list[WorkEntry]:
    """Pieces of work of one kind on one topic are distinguished by their number."""
    totals = Counter((entry.heading, entry.task.topic) for entry in entries)
    seen: Counter[tuple[str, str]] = Counter()
    numbered = []
    for entry in entries:
        key = (entry.heading, entry.task.topic)
        seen[key] += 1
        if totals[key] > 1:
            entry = replace(entry, number=f"{seen[key]} of {totals[key]}")  # the same entry, with its number
        numbered.append(entry)
    return numbered


def _practice_link(assessment: Assessment, task: Task) -> dict[str, str]:
    """Where someone sees what their practice led to, if there is anything to see."""
    answers = feedback(assessment, task)
    if not answers:
        return {}
    if "comparison" in answers:
        return {"practice_link": answers["comparison"], "practice_title": "Compare"}
    if "norming" in answers:
        return {"practice_link": answers["norming"], "practice_title": "The others' answers"}
    return {"practice_link": f"/task/{task.id}", "practice_title": "The organiser's answers"}


def _steps(assessment: Assessment, person: Person) -> list[tuple[str, str, str]]:
    """What an organiser sets up, in order: the page, its title, and how far it is."""
    if person.role != "organiser":
        return []
    topics = len(assessment.campaign.topic_ids)
    systems = sum(assessment.campaign.kind_of(id) != "human" for id in assessment.campaign.summarizer_ids)
    questions = len(assessment.base.questions)
    people = len(assessment.assessors())
    given_out = len(assessment.given_out())
    misnamed = len(name_problems(assessment))
    renaming = ""
    if misnamed:
        verb = "needs" if misnamed == 1 else "need"
        renaming = f"; {misnamed} {verb} another name"
    return [
        ("/topics", "Topics", f"{topics} in the campaign"),
        ("/systems", "Systems", f"{systems} with summaries"),
        ("/questions", "Questions", f"{questions} for assessors"),
        ("/people", "Invite assessors", f"{people} so far{renaming}"),
        ("/plan", "Plan who judges what", f"{given_out} pieces of work given out"),
        ("/dashboard", "Follow the progress", "rates, agreement and what is missing"),
    ]
