"""Plans and the database: the draft that the organiser looks at, taking it, and work of someone who leaves."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.passes import AFTER_ALL_TOPICS, pass_of
from pyramidion.assess.plan import Assignment, PlanOptions, draw, reassign, specs_of, topics_of
from pyramidion.assess.plan.drawing import KINDS
from pyramidion.assess.plan.specs import shuffle
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.errors import UsageError

DRAFT = "plan-draft"
OPTIONS = "plan-options"


def workers(the: Assessment) -> list[Person]:
    """Those who can be given work."""
    return [one for one in the.people.all(active=True) if one.role == "assessor"]


def options_so_far(the: Assessment) -> PlanOptions:
    """The options of the last plan, or the defaults."""
    return _options(the.settings.get(OPTIONS, {}))


def draft(the: Assessment) -> tuple[PlanOptions, list[Assignment]] | None:
    """The plan that was drawn and not yet taken."""
    stored = the.settings.get(DRAFT)
    if not stored:
        return None
    return _options(stored["options"]), [_assignment(one) for one in stored["assignments"]]


def draw_draft(the: Assessment, options: PlanOptions) -> None:
    """Draw a plan for everyone who can be given work, and keep it to be looked at."""
    people = [one.name for one in workers(the)]
    keep_draft(the, options, draw(topics_of(the.campaign, options), people, options))


def keep_draft(the: Assessment, options: PlanOptions, assignments: Sequence[Assignment]) -> None:
    """Keep a plan as it is now."""
    the.settings.set(DRAFT, {"options": asdict(options), "assignments": [asdict(one) for one in assignments]})
    the.settings.set(OPTIONS, asdict(options))


def drop_draft(the: Assessment) -> None:
    """Forget the plan that was drawn."""
    the.settings.set(DRAFT, None)


def take(the: Assessment, options: PlanOptions, assignments: Sequence[Assignment]) -> int:
    """Give out the work of a plan; what someone already has is not given again. Returns the number of tasks."""
    ids = {one.name: one.id for one in the.people.all(active=True)}
    facts = {one.topic: one for one in topics_of(the.campaign, options)}
    given = set(map(_fingerprint, the.work.given_out(practice=False)))
    made: list[Task] = []
    for one in assignments:
        if one.person not in ids:
            raise UsageError(f"{one.person} is not among the people: choose someone else for topic {one.topic}")
        for spec in specs_of(one, the.campaign, facts[one.topic], options):
            task = Task(id="", kind=one.kind, topic=one.topic, person=ids[one.person], spec=spec)
            if (mark := _fingerprint(task)) not in given:
                given.add(mark)
                made.append(task)
    the.give_out(numbered(sorted(made, key=_order(the.campaign.topic_ids))))
    drop_draft(the)
    return len(made)


def leave(the: Assessment, person: Person, seed: int = 0) -> int:
    """Give the open work of a person to the others. Work that was started begins anew; its events stay in the log.

    Returns:
        The number of tasks that were given to others.
    """
    tasks = the.work.given_out(practice=False)
    left = [task for task in tasks if task.person == person.id and not task.done and task.kind in KINDS]
    names = {one.id: one.name for one in the.people.all()}
    others = [one.name for one in workers(the) if one.id != person.id]
    if left and not others:
        raise UsageError("there is nobody else to give the work to")
    keys = list(dict.fromkeys((task.kind, task.topic) for task in left))
    stay = [
        Assignment(kind=task.kind, topic=task.topic, person=names[task.person])
        for task in tasks
        if task.person != person.id
    ]
    wanted = [Assignment(kind=kind, topic=topic, person=person.name) for kind, topic in keys]
    facts = topics_of(the.campaign, PlanOptions())
    chosen = reassign(wanted, list(dict.fromkeys(stay)), facts, others, seed)
    ids = {name: id for id, name in names.items()}
    by_key = {(one.kind, one.topic): one.person for one in chosen}
    made = []
    for task in left:
        name = by_key[task.kind, task.topic]
        spec = _reordered(task, name, seed)
        made.append(Task(id="", kind=task.kind, topic=task.topic, person=ids[name], spec=spec))
    the.give_out(numbered(made))
    for task in left:
        the.work.withdraw(task.id)
    return len(made)


def numbered(tasks: Iterable[Task]) -> list[Task]:
    """New ids: those of one batch are in the order in which the work is listed."""
    batch = secrets.token_hex(4)
    return [Task(**{**vars(task), "id": f"{batch}-{number:05d}"}) for number, task in enumerate(tasks, start=1)]


def _order(topics: Sequence[str]) -> Callable[[Task], tuple[int, bool, int]]:
    """Kind by kind and topic by topic, all passes of a topic together, except those that wait for all topics."""
    places = {topic: place for place, topic in enumerate(topics)}
    return lambda task: (KINDS.index(task.kind), pass_of(task) >= AFTER_ALL_TOPICS, places.get(task.topic, len(places)))


def _reordered(task: Task, person: str, seed: int) -> Mapping[str, Any]:
    """The same work in an order of the new person's own."""
    if task.kind != "form":
        return task.spec
    names = list(task.spec["summaries"].values())
    order = shuffle(names, seed, person, task.topic, "form", pass_of(task))
    return {**task.spec, "summaries": {str(at): one for at, one in enumerate(order, start=1)}}


def _fingerprint(task: Task) -> tuple[Any, ...]:
    """What makes two tasks the same work."""
    spec = task.spec
    single = task.kind in ("peer", "coverage")
    about = tuple(spec["summaries"].values()) if single else spec.get("pass") if task.kind == "form" else None
    return (task.kind, task.topic, task.person, about)


def _options(stored: Mapping[str, Any]) -> PlanOptions:
    lists = {"kinds", "left_out"}
    fields: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in stored.items()}
    return PlanOptions(**fields)


def _assignment(stored: Mapping[str, Any]) -> Assignment:
    return Assignment(**{**stored, "summarizers": tuple(stored["summarizers"])})
