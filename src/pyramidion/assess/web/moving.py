"""Work that changes hands: all open work of someone who leaves, one piece of work, and undoing either.

Each act is shown before it happens: who gets what, and which answers leave the data. What is confirmed is what was
shown; if the work has changed in between, the new state is shown instead.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, TopicFacts, choose_successor
from pyramidion.assess.kinds.registry import PLANNED, TASK_TYPES
from pyramidion.assess.moves import Move, find_move, record_move, started_tasks, undo_move
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task, number_tasks
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.assess.web.plan import GivenWork, count_work, topic_facts
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted

router: APIRouter = APIRouter()


@dataclass(frozen=True)
class Handover:
    """Work that is to change hands: the tasks that are taken back, and those that take their place, without ids."""

    withdrawn: tuple[Task, ...]
    given: tuple[Task, ...]

    @property
    def digest(self) -> str:
        """Changes when anything of it does, so that only what was shown is carried out."""
        old = [(task.id, task.version) for task in self.withdrawn]
        new = [(task.kind, task.topic, task.person, sorted(map(repr, task.spec.items()))) for task in self.given]
        return hashlib.sha256(repr((old, new)).encode()).hexdigest()


# Who takes over


def reassign(
    left: Iterable[Assignment],
    plan: Sequence[Assignment],
    topics: Sequence[TopicFacts],
    people: Sequence[str],
    seed: int,
) -> list[Assignment]:
    """The open work of someone who leaves, given to others: load balanced, nobody the same work twice.

    Args:
        left: the work to be given to others.
        plan: all the open work of the others.
        topics: facts about the topics.
        people: those who stay.
        seed: for ties.

    Raises:
        UsageError: if everyone who stays has done some of the work already.
    """
    left = list(left)
    facts = {topic.topic: topic for topic in topics}
    reassigned: list[Assignment] = []
    for kind in PLANNED:
        # A stream for each kind of work: choosing one more kind changes nothing in the others.
        rng = Random(f"{seed}/leave/{kind}")
        taken: dict[str, set[str]] = defaultdict(set)
        for assignment in plan:
            if assignment.kind == kind:
                taken[assignment.topic].add(assignment.person)
        # One by one: two pieces of work may be about one topic.
        for assignment in left:
            if assignment.kind != kind:
                continue
            loads = Counter(other.person for other in (*plan, *reassigned) if other.person in people)
            topic = facts.get(assignment.topic) or TopicFacts(topic=assignment.topic)
            person = choose_successor(topic, people, taken[assignment.topic], loads, rng)
            taken[assignment.topic].add(person)
            reassigned.append(replace(assignment, person=person))
    return reassigned


def hand_over_all(assessment: Assessment, person: Person, seed: int = 0) -> Handover:
    """The open work of a person, given to the others. Work that was started begins anew; its events stay in the log.

    Raises:
        UsageError: if there is nobody else, or everyone else has done some of the work already.
    """
    tasks = assessment.given_out(practice=False)
    left = [task for task in tasks if task.person == person.id and not task.done and task.kind in PLANNED]
    names = {other.id: other.name for other in assessment.people.all()}
    people = [other.name for other in assessment.assessors() if other.id != person.id]
    if left and not people:
        raise UsageError("there is nobody else to give the work to")
    work = dict.fromkeys(Assignment(kind=task.kind, topic=task.topic, person=names[task.person]) for task in tasks)
    open_work = dict.fromkeys(Assignment(kind=task.kind, topic=task.topic, person=person.name) for task in left)
    stays = [assignment for assignment in work if assignment.person != person.name]
    # The default options: who may take over does not depend on what the plan was drawn by.
    facts = topic_facts(assessment.campaign, PlanSettings())
    reassigned = reassign(open_work, stays, facts, people, seed)
    successors = {(assignment.kind, assignment.topic): assignment.person for assignment in reassigned}
    ids = {name: id for id, name in names.items()}
    given = []
    for task in left:
        successor = successors[task.kind, task.topic]
        given.append(_in_hands_of(task, ids[successor], successor, seed))
    return Handover(tuple(left), tuple(given))


def possible_successors(assessment: Assessment, task: Task) -> list[Person]:
    """Who can take over a task: everyone who can be given work and does not have the same work already."""
    given_work = GivenWork(assessment.given_out(practice=False))
    people = [person for person in assessment.assessors() if person.id != task.person]
    return [person for person in people if given_work.without_known(replace(task, person=person.id)) is not None]


def hand_over(assessment: Assessment, task: Task, successor: Person, seed: int = 0) -> Handover:
    """One piece of work, given to someone else, who begins anew.

    Raises:
        UsageError: if the person can't take it over.
    """
    if task.withdrawn:
        raise UsageError("this work was taken back already")
    if successor.id not in {person.id for person in possible_successors(assessment, task)}:
        raise UsageError(
            f"{successor.name} can't take this over: they have the same work already, or can't be given any"
        )
    return Handover((task,), (_in_hands_of(task, successor.id, successor.name, seed),))


def _in_hands_of(task: Task, person: str, name: str, seed: int) -> Task:
    """A task as someone else gets it: not begun, with its summaries in an order of their own."""
    spec = TASK_TYPES[task.kind].reorder(task, name, seed)
    return Task(id="", kind=task.kind, topic=task.topic, person=person, spec=spec)


def carry_out(assessment: Assessment, organiser: Person, handover: Handover, description: str) -> Move:
    """Give the work to others, and keep what was done."""
    tasks = number_tasks(handover.given)
    withdrawn = [task.id for task in handover.withdrawn]
    assessment.give_out(tasks, instead_of=withdrawn)
    assessment.on_change()
    return record_move(assessment, organiser, description, withdrawn=withdrawn, given=[task.id for task in tasks])


# What is shown before


def _describe_loss(tasks: Sequence[Task]) -> str:
    """What becomes of work on tasks that are taken back."""
    begun = started_tasks(tasks)
    if not begun:
        return "Nobody has worked on them yet." if len(tasks) > 1 else "Nobody has worked on it yet."
    handed_in = sum(task.done for task in begun)
    verb = "was" if len(begun) == 1 else "were"
    begun_words = f"{count_work(len(begun))} {verb} begun"
    if handed_in:
        begun_words += f", {handed_in} of them handed in"
    return (
        f"{begun_words}: these answers leave the data. They stay in the log of events, and undoing brings them back. "
        "What is typed meanwhile on an open page is refused, and the page says why."
    )


def count_by_person(assessment: Assessment, tasks: Iterable[Task]) -> list[tuple[str, str, int]]:
    """How many tasks of which kind each person gets: name, kind of work, number."""
    counts = Counter((assessment.name_of(task.person), assessment.heading(task)) for task in tasks)
    return [(name, heading, count) for (name, heading), count in sorted(counts.items())]


def show_confirmation(
    visit: Visit,
    *,
    title: str,
    sentences: Sequence[str],
    action: str,
    button: str,
    back: str,
    fields: Mapping[str, str] | None = None,
    rows: Sequence[tuple[str, str, int]] = (),
) -> HTMLResponse:
    """The page that says what will happen and asks whether it shall; `fields` are sent with the answer."""
    return visit.page(
        "confirm.html",
        title=title,
        sentences=sentences,
        action=action,
        button=button,
        back=back,
        fields={"confirmed": "yes", **(fields or {})},
        rows=rows,
    )


# The routes


@router.post("/plan/leave", response_model=None)
def leave(
    visit: Organiser,
    person: Annotated[str, Form()],
    confirmed: Annotated[str, Form()] = "",
    shown: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Give the open work of someone to others, after asking."""
    leaver = _find_person(visit, person)
    with visit.assessment.giving:
        try:
            handover = hand_over_all(visit.assessment, leaver)
        except UsageError as error:
            return refuse(visit, "/plan", str(error))
        number = count_work(len(handover.withdrawn))
        if not handover.withdrawn:
            return refuse(visit, "/plan", f"{leaver.name} has no open work")
        if not confirmed or shown != handover.digest:
            return show_confirmation(
                visit,
                title=f"Give the open work of {leaver.name} to others?",
                sentences=[
                    f"{number} of {leaver.name} will be taken back and begin anew with others.",
                    _describe_loss(handover.withdrawn),
                ],
                action="/plan/leave",
                button=f"Give {number} to others",
                back="/plan",
                fields={"person": leaver.id, "shown": handover.digest},
                rows=count_by_person(visit.assessment, handover.given),
            )
        carry_out(visit.assessment, visit.person, handover, f"{number} of {leaver.name} given to others")
    visit.record("work given to others", f"{len(handover.withdrawn)} of {leaver.name}")
    return RedirectResponse("/plan#moves", 303)


@router.post("/work/{id}/give", response_model=None)
def give_one(
    visit: Organiser,
    id: str,
    person: Annotated[str, Form()],
    confirmed: Annotated[str, Form()] = "",
    shown: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Give one piece of work to someone else, after asking."""
    assessment = visit.assessment
    successor = _find_person(visit, person)
    with assessment.giving:
        task = assessment.work.task(id)
        if task is None or task.practice or assessment.task_type(task).page is None:
            raise HTTPException(404, "there is no such work")
        try:
            handover = hand_over(assessment, task, successor)
        except UsageError as error:
            return refuse(visit, f"/work/{id}", str(error))
        work = f"{assessment.heading(task)}, topic {task.topic}"
        before = assessment.name_of(task.person)
        if not confirmed or shown != handover.digest:
            return show_confirmation(
                visit,
                title=f"Give this work to {successor.name}?",
                sentences=[
                    f"{work}: taken back from {before}, and given to {successor.name}, who begins anew.",
                    _describe_loss(handover.withdrawn),
                ],
                action=f"/work/{id}/give",
                button=f"Give it to {successor.name}",
                back=f"/work/{id}",
                fields={"person": successor.id, "shown": handover.digest},
            )
        carry_out(assessment, visit.person, handover, f"{work}: from {before} to {successor.name}")
    visit.record("work given to another", f"{work}: {before} to {successor.name}")
    return RedirectResponse("/plan#moves", 303)


@router.post("/moves/{id}/undo", response_model=None)
def undo(visit: Organiser, id: str, confirmed: Annotated[str, Form()] = "") -> HTMLResponse | RedirectResponse:
    """Undo a move, after asking."""
    assessment = visit.assessment
    move = find_move(assessment, id)
    if move is None:
        raise HTTPException(404, "there is no such act")
    tasks = {task.id: task for task in assessment.work.tasks(practice=False)}
    given = [tasks[task_id] for task_id in move.given if task_id in tasks]
    if not confirmed:
        sentences = [f"{move.description} ({move.time[:16].replace('T', ' ')} UTC, by {move.organiser})."]
        if move.withdrawn:
            number = counted(len(move.withdrawn), "piece of work goes", "pieces of work go")
            sentences.append(f"{number} back to whoever had it before, with all that was done on it.")
        if given:
            sentences.append(f"{count_work(len(given))} will be taken back. {_describe_loss(given)}")
        return show_confirmation(
            visit,
            title="Undo this?",
            sentences=sentences,
            action=f"/moves/{id}/undo",
            button="Undo",
            back="/plan#moves",
        )
    try:
        with assessment.giving:
            undone = undo_move(assessment, visit.person, move)
    except UsageError as error:
        return refuse(visit, "/plan#moves", str(error))
    visit.record("move undone", undone.description)
    return RedirectResponse("/plan#moves", 303)


def _find_person(visit: Visit, id: str) -> Person:
    person = visit.assessment.people.find(id=id)
    if person is None:
        raise HTTPException(404, "there is no such person")
    return person


def refuse(visit: Visit, back: str, reason: str) -> HTMLResponse:
    """A page with the reason why nothing happened."""
    return visit.page("refused.html", problem=reason, back=back)
