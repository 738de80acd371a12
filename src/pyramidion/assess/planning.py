"""Plans and the database: the draft that the organiser looks at, taking it, and work of someone who leaves."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import KINDS, Assignment, PlanOptions, draw, reassign, topics_of
from pyramidion.assess.kinds.form.passes import AFTER_ALL_TOPICS, pass_of
from pyramidion.assess.kinds.preference.pairs import shuffle, specs_of
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.errors import UsageError

DRAFT = "plan-draft"
OPTIONS = "plan-options"


def workers(assessment: Assessment) -> list[Person]:
    """Those who can be given work."""
    return [one for one in assessment.people.all(active=True) if one.role == "assessor"]


def options_so_far(assessment: Assessment) -> PlanOptions:
    """The options of the last plan, or the defaults."""
    return _options(assessment.settings.get(OPTIONS, {}))


def draft(assessment: Assessment) -> tuple[PlanOptions, list[Assignment]] | None:
    """The plan that was drawn and not yet taken."""
    stored = assessment.settings.get(DRAFT)
    if not stored:
        return None
    return _options(stored["options"]), [_assignment(one) for one in stored["assignments"]]


def draw_draft(assessment: Assessment, options: PlanOptions) -> None:
    """Draw a plan for everyone who can be given work, and keep it to be looked at."""
    people = [one.name for one in workers(assessment)]
    keep_draft(assessment, options, draw(topics_of(assessment.campaign, options), people, options))


def keep_draft(assessment: Assessment, options: PlanOptions, assignments: Sequence[Assignment]) -> None:
    """Keep a plan as it is now."""
    assessment.settings.set(DRAFT, {"options": asdict(options), "assignments": [asdict(one) for one in assignments]})
    assessment.settings.set(OPTIONS, asdict(options))


def drop_draft(assessment: Assessment) -> None:
    """Forget the plan that was drawn."""
    assessment.settings.set(DRAFT, None)


@dataclass(frozen=True)
class NewWork:
    """What a plan adds to the work that people already have."""

    tasks: tuple[Task, ...]
    """Work that nobody was given before, without ids."""
    known: int
    """Pieces of work of the plan that people already have."""
    shortened: int
    """New pieces of work without the summaries or pairs that their person already has."""


def new_work(assessment: Assessment, options: PlanOptions, assignments: Sequence[Assignment]) -> NewWork:
    """What activating a plan would give out: not the work, the summaries or the pairs that someone already has.

    Raises:
        UsageError: if the plan names someone who is no longer there.
    """
    ids = {one.name: one.id for one in assessment.people.all(active=True)}
    facts = {one.topic: one for one in topics_of(assessment.campaign, options)}
    given = GivenWork(assessment.work.given_out(practice=False))
    made: list[Task] = []
    known = shortened = 0
    for one in assignments:
        if one.person not in ids:
            raise UsageError(f"{one.person} is not among the people: choose someone else for topic {one.topic}")
        if one.topic not in facts:
            raise UsageError(f"topic {one.topic} is no longer in the campaign: draw the plan again")
        for spec in specs_of(one, assessment.campaign, facts[one.topic], options):
            task = Task(id="", kind=one.kind, topic=one.topic, person=ids[one.person], spec=spec)
            rest = given.without_known(task)
            if rest is None:
                known += 1
            else:
                shortened += rest is not task
                given.add(rest)
                made.append(rest)
    return NewWork(tuple(made), known, shortened)


class GivenWork:
    """The work that people have, to be compared with that of a plan."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._items: dict[Hashable, set[Hashable]] = defaultdict(set)
        for task in tasks:
            self.add(task)

    def add(self, task: Task) -> None:
        """Count a task as given."""
        self._items[_fingerprint(task)] |= set(_items(task).values())

    def without_known(self, task: Task) -> Task | None:
        """A task with the summaries or pairs that its person does not have yet; None if they have all of it."""
        mark = _fingerprint(task)
        if mark not in self._items:
            return task
        known, items = self._items[mark], _items(task)
        numbers = [number for number in items if items[number] not in known]
        if not numbers:
            return None
        field = _LISTED[task.kind]
        values = task.spec[field]
        left = {str(place): values[number] for place, number in enumerate(numbers, start=1)}
        return replace(task, spec={**task.spec, field: left})


def take(assessment: Assessment, options: PlanOptions, assignments: Sequence[Assignment]) -> NewWork:
    """Give out the work of a plan, except what people already have; return what was new and what was known."""
    work = new_work(assessment, options, assignments)
    assessment.give_out(numbered(sorted(work.tasks, key=_order(assessment.campaign.topic_ids))))
    drop_draft(assessment)
    return work


def leave(assessment: Assessment, person: Person, seed: int = 0) -> int:
    """Give the open work of a person to the others. Work that was started begins anew; its events stay in the log.

    Returns:
        The number of tasks that were given to others.
    """
    tasks = assessment.work.given_out(practice=False)
    left = [task for task in tasks if task.person == person.id and not task.done and task.kind in KINDS]
    names = {one.id: one.name for one in assessment.people.all()}
    others = [one.name for one in workers(assessment) if one.id != person.id]
    if left and not others:
        raise UsageError("there is nobody else to give the work to")
    keys = list(dict.fromkeys((task.kind, task.topic) for task in left))
    stay = [
        Assignment(kind=task.kind, topic=task.topic, person=names[task.person])
        for task in tasks
        if task.person != person.id
    ]
    wanted = [Assignment(kind=kind, topic=topic, person=person.name) for kind, topic in keys]
    facts = topics_of(assessment.campaign, PlanOptions())
    chosen = reassign(wanted, list(dict.fromkeys(stay)), facts, others, seed)
    ids = {name: id for id, name in names.items()}
    by_key = {(one.kind, one.topic): one.person for one in chosen}
    made = []
    for task in left:
        name = by_key[task.kind, task.topic]
        spec = _reordered(task, name, seed)
        made.append(Task(id="", kind=task.kind, topic=task.topic, person=ids[name], spec=spec))
    assessment.give_out(numbered(made))
    for task in left:
        assessment.work.withdraw(task.id)
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


_LISTED = {"form": "summaries", "preference": "pairs"}
"""Kinds of work about several summaries or pairs, and the field of their spec that lists them by number."""


def _fingerprint(task: Task) -> Hashable:
    """What makes two tasks the same work, apart from the summaries or pairs that they list."""
    about: Hashable = None
    if task.kind in ("peer", "coverage"):
        about = tuple(task.spec["summaries"].values())
    elif task.kind == "form":
        about = task.spec.get("pass")
    return (task.kind, task.topic, task.person, about)


def _items(task: Task) -> dict[str, Hashable]:
    """The summaries or pairs that a task lists, by number; whoever stands on the left, a pair is the same."""
    if task.kind == "preference":
        return {number: frozenset(pair) for number, pair in task.spec["pairs"].items()}
    return dict(task.spec["summaries"]) if task.kind == "form" else {}


def _options(stored: Mapping[str, Any]) -> PlanOptions:
    lists = {"kinds", "left_out"}
    fields: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in stored.items()}
    return PlanOptions(**fields)


def _assignment(stored: Mapping[str, Any]) -> Assignment:
    return Assignment(**{**stored, "summarizers": tuple(stored["summarizers"])})
