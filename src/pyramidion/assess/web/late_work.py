"""Late work: what plans that were activated did not know yet, such as systems and topics that came later.

Whoever judges a topic gets its late summaries, too, so that all systems of a topic have the same judges. Assessors who
have not begun get them among the others, in a new random order; the others as a piece of work of its own. Topics that
nobody has work on are drawn as a plan draws them, balanced with the work that people have already.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, Spec, TopicFacts, choose_successor
from pyramidion.assess.kinds.registry import PLANNED, TASK_TYPES
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Organiser
from pyramidion.assess.web.moving import Handover, carry_out, count_by_person, refuse, show_confirmation
from pyramidion.assess.web.plan import GivenWork, accepted_options, count_work, topic_facts
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted, listed

router: APIRouter = APIRouter()

MOST_NAMES = 12
"""Systems and topics that are listed by name."""


@dataclass(frozen=True)
class LateWork:
    """What can be given out besides what people have."""

    handover: Handover
    """New tasks; tasks that nobody has begun are taken back, and their summaries are in the new ones."""
    summarizers: tuple[str, ...]
    """Those whose summaries came late."""
    topics: tuple[str, ...]
    """The topics that nobody has work of some kind on."""

    @property
    def number(self) -> int:
        """New pieces of work, and earlier ones that get summaries."""
        return len(self.handover.given)

    @property
    def sentence(self) -> str:
        """What is new."""
        parts = []
        if self.summarizers:
            noun = "Nobody has been given the summaries of"
            parts.append(f"{noun} {_list_names(self.summarizers, 'summarizer')}.")
        if self.topics:
            noun = "topic has" if len(self.topics) == 1 else "topics have"
            parts.append(f"{len(self.topics)} {noun} work that nobody has: {_list_names(self.topics, 'topic')}.")
        return " ".join(parts)


def _list_names(names: Sequence[str], noun: str) -> str:
    if len(names) > MOST_NAMES:
        return f"{listed(list(names[:MOST_NAMES]))} and {counted(len(names) - MOST_NAMES, f'more {noun}')}"
    return listed(list(names))


def find_late_work(assessment: Assessment) -> LateWork:
    """What the plans that were activated would give out today, and people do not have.

    Raises:
        UsageError: if nobody is left to whom it could be given.
    """
    tasks = assessment.given_out(practice=False)
    kinds = [kind for kind in PLANNED if any(task.kind == kind for task in tasks)]
    if not kinds:
        return LateWork(Handover((), ()), (), ())
    finder = _Finder(assessment, tasks)
    for kind in kinds:
        finder.add_late_summaries(kind)
        finder.add_late_topics(kind)
    handover = Handover(tuple(finder.withdrawn), tuple(finder.given))
    return LateWork(handover, tuple(dict.fromkeys(finder.late)), tuple(dict.fromkeys(finder.topics)))


class _Finder:
    """Collects late work, kind by kind."""

    def __init__(self, assessment: Assessment, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.campaign = assessment.campaign
        self.options_by_kind = accepted_options(assessment)
        self.facts = {kind: topic_facts(self.campaign, self._options(kind)) for kind in PLANNED}
        self.people = [person.name for person in assessment.assessors()]
        self.names = {person.id: person.name for person in assessment.people.all()}
        self.ids = {name: id for id, name in self.names.items()}
        self.given_work = GivenWork(tasks)
        self.withdrawn: list[Task] = []
        self.given: list[Task] = []
        self.late: list[str] = []
        self.topics: list[str] = []

    def _options(self, kind: str) -> PlanSettings:
        return self.options_by_kind.get(kind, PlanSettings())

    def _tasks(self, kind: str) -> dict[str, dict[str, list[Task]]]:
        """The tasks of a kind by topic and person."""
        tasks: dict[str, dict[str, list[Task]]] = defaultdict(lambda: defaultdict(list))
        for task in self.tasks:
            if task.kind == kind:
                tasks[task.topic][self.names[task.person]].append(task)
        return tasks

    def add_late_summaries(self, kind: str) -> None:
        """Summaries of topics that people judge already, and that none of them was given."""
        task_type = TASK_TYPES[kind]
        if task_type.is_about_models or not task_type.is_about_summaries:
            return
        options = self._options(kind)
        tasks_by_topic = self._tasks(kind)
        for facts in self.facts[kind]:
            tasks_by_person = tasks_by_topic.get(facts.topic)
            if not tasks_by_person:
                continue
            judged = {person: _judged_in(tasks) for person, tasks in tasks_by_person.items()}
            # A summary that anybody on the topic has is not late: shares differ by person.
            known = {summarizer for summarizers in judged.values() for summarizer in summarizers}
            late = [summarizer for summarizer in facts.summarizers if summarizer not in known]
            if not late:
                continue
            for person, share in _shares(judged, late, f"{options.seed}/{kind}/{facts.topic}/late").items():
                earlier = tasks_by_person[person]
                successor = self._successor(person, facts, judged, options)
                everything = (*sorted(judged[person]), *share)
                assignment = Assignment(kind=kind, topic=facts.topic, person=successor, summarizers=everything)
                known_specs = [task.spec for task in earlier]
                specs = task_type.late_specs(assignment, share, known_specs, self.campaign, facts, options)
                for spec in specs:
                    task = Task(id="", kind=kind, topic=facts.topic, person=self.ids[successor], spec=spec)
                    if self._add(task, earlier if successor == person else (), options):
                        self.late += [name for name in share if name in task_type.summarizers_in(spec)]

    def add_late_topics(self, kind: str) -> None:
        """Topics on which nobody has this kind of work."""
        task_type = TASK_TYPES[kind]
        tasks_by_topic = self._tasks(kind)
        options = self._options(kind)
        new_topics = [facts for facts in self.facts[kind] if facts.topic not in tasks_by_topic]
        # Who has less work of this kind so far gets more of the new topics.
        loads: Counter[str] = Counter()
        for people in tasks_by_topic.values():
            loads.update(person for person in people if person in self.people)
        if not new_topics:
            return
        facts_by_topic = {facts.topic: facts for facts in new_topics}
        for assignment in task_type.draw(new_topics, self.people, options, loads):
            facts = facts_by_topic[assignment.topic]
            for spec in task_type.specs(assignment, self.campaign, facts, options):
                task = Task(id="", kind=kind, topic=facts.topic, person=self.ids[assignment.person], spec=spec)
                if self._add(task, (), options):
                    self.topics.append(facts.topic)

    def _successor(self, person: str, facts: TopicFacts, judged: Mapping[str, set[str]], options: PlanSettings) -> str:
        """Who gets the late summaries of someone: they themselves, unless they can't be given work any more."""
        if person in self.people:
            return person
        loads = Counter(self.names[task.person] for task in self.tasks)
        rng = Random(f"{options.seed}/{facts.topic}/{person}/late")
        return choose_successor(facts, self.people, set(judged), loads, rng)

    def _add(self, task: Task, earlier: Sequence[Task], options: PlanSettings) -> bool:
        """Add a new task; where the same work was not begun, it gets the new summaries in a new order instead."""
        task_type = TASK_TYPES[task.kind]
        rest = self.given_work.without_known(task)
        if rest is None:
            return False
        self.given_work.add(rest)
        for other in earlier:
            is_same_work = task_type.subject(other.spec) == task_type.subject(rest.spec)
            # Version 0: nobody has begun it, so that its order may still change.
            if task_type.listing_field and is_same_work and not other.version:
                self.withdrawn.append(other)
                seed = f"{options.seed}/{task.person}/{task.topic}/{task_type.subject(rest.spec)}/late"
                rest = replace(rest, spec=_merge_listings(other.spec, rest.spec, task_type.listing_field, seed))
                break
        self.given.append(rest)
        return True


def _judged_in(tasks: Sequence[Task]) -> set[str]:
    """The summarizers whose summaries tasks are about, without the models that they are compared with."""
    judged: set[str] = set()
    for task in tasks:
        summaries = task.spec.get("summaries")
        judged |= set(summaries.values()) if summaries is not None else TASK_TYPES[task.kind].summarizers_in(task.spec)
    return judged


def _shares(judged: Mapping[str, set[str]], late: Sequence[str], seed: str) -> dict[str, list[str]]:
    """Which late summaries each judge of a topic gets: a share, where they judge a share of the others."""
    most = max(len(summarizers) for summarizers in judged.values())
    shares = {}
    for person, summarizers in sorted(judged.items()):
        rng = Random(f"{seed}/{person}")
        drawn = [summarizer for summarizer in late if rng.random() < len(summarizers) / most]
        if drawn:
            shares[person] = drawn
    return shares


def _merge_listings(spec: Spec, late_spec: Spec, field: str, seed: str) -> dict[str, Any]:
    """A spec with the summaries or pairs of another one among its own, all in a new order."""
    listed_items = [*spec[field].values(), *late_spec[field].values()]
    Random(seed).shuffle(listed_items)
    return {**spec, field: {str(number): item for number, item in enumerate(listed_items, start=1)}}


def describe_late_work(assessment: Assessment) -> LateWork | None:
    """What the plan page says of late work; None if there is none."""
    try:
        late = find_late_work(assessment)
    except UsageError:
        return None  # nobody is left to give it to: the page says that there are no assessors
    return late if late.number else None


@router.post("/plan/late", response_model=None)
def give_late_work(
    visit: Organiser, confirmed: Annotated[str, Form()] = "", shown: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Give out what came after the plan was activated, after asking."""
    with visit.assessment.giving:
        try:
            late = find_late_work(visit.assessment)
        except UsageError as error:
            return refuse(visit, "/plan", str(error))
        if not late.number:
            return refuse(
                visit, "/plan", "there is nothing new: people have all the work of the plans that were activated"
            )
        number = count_work(late.number)
        if not confirmed or shown != late.handover.digest:
            return show_confirmation(
                visit,
                title=f"Give out {number}?",
                sentences=[late.sentence, *_describe_replacement(late.handover)],
                action="/plan/late",
                button=f"Give out {number}",
                back="/plan",
                fields={"shown": late.handover.digest},
                rows=count_by_person(visit.assessment, late.handover.given),
            )
        carry_out(visit.assessment, visit.person, late.handover, f"Late work: {number} given out")
    visit.record("late work given out", number)
    return RedirectResponse(f"/plan?new={late.number}", 303)


def _describe_replacement(handover: Handover) -> list[str]:
    """What happens to work that nobody has begun."""
    sentences = [
        "Whoever judges a topic judges its late summaries, too. The order is random, and no name is shown.",
    ]
    if handover.withdrawn:
        number = len(handover.withdrawn)
        replaced = "1 piece of work that nobody has begun is replaced by one"
        if number > 1:
            replaced = f"{number} pieces of work that nobody has begun are each replaced by one"
        sentences.append(f"{replaced} that has the late summaries among the others.")
    return sentences
