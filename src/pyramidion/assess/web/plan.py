"""The plan: who does what. Its options, the draft that is drawn, and accepting it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import (
    DESIGNS,
    Assignment,
    PlanSettings,
    TopicFacts,
    parse_number,
)
from pyramidion.assess.kinds.registry import PLANNED, TASK_TYPES, plan_choices
from pyramidion.assess.moves import read_moves, record_move, undoable_moves
from pyramidion.assess.store.work import Task, number_tasks
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted

router: APIRouter = APIRouter()

DRAFT = "plan-draft"
OPTIONS = "plan-options"
"""Settings: the plan that was drawn and not yet accepted, and the options of the last one."""
ACCEPTED = "plan-accepted"
"""The setting with the options of the plans that were activated, by kind of work: late work follows them."""
SHOWN_MOVES = 30
"""The latest acts that the page lists."""
DEVELOPER = "developer"
WRITERS = "writers"
"""Attributes of a topic that name its developer, and its writers separated by commas."""
DESIGN_TITLES = {
    "one": "One assessor for all summaries of a topic",
    "crossed": "Several assessors for each summary (for agreement)",
    "twice": "One assessor, and a drawn share judged twice",
}


@dataclass(frozen=True)
class Draft:
    """A plan that was drawn and not yet accepted."""

    options: PlanSettings
    assignments: list[Assignment]

    @property
    def assigned(self) -> list[Assignment]:
        """The assignments without those that the organiser gave to nobody."""
        return [assignment for assignment in self.assignments if assignment.person]


# What a plan rests on


def topic_facts(campaign: Campaign, options: PlanSettings) -> list[TopicFacts]:
    """What a plan must know about each topic of a campaign."""
    judged = set(judged_summarizers(campaign, options))
    return [_facts_of(topic, judged) for topic in campaign.each_topic(peers="all")]


def _facts_of(data: TopicData, judged: set[str]) -> TopicFacts:
    """The facts about one topic; its developer and writers are attributes, and whoever wrote a model is a writer."""
    attributes = data.topic.attributes
    models = tuple(model.summarizer for model in data.models)
    summarizers = [summary.summarizer for summary in data.peers if summary.summarizer in judged]
    named = [name.strip() for name in str(attributes.get(WRITERS, "")).split(",")]
    writers = [name for name in named if name]
    return TopicFacts(
        topic=data.topic.topic,
        summarizers=tuple(dict.fromkeys(summarizers)),
        models=models,
        writers=tuple(dict.fromkeys([*writers, *models])),
        developer=str(attributes.get(DEVELOPER, "")),
    )


def judged_summarizers(campaign: Campaign, options: PlanSettings) -> list[str]:
    """The summarizers whose summaries are judged at all."""
    judged = []
    runs: Counter[str] = Counter()
    for id in campaign.summarizer_ids:
        is_human = campaign.kind_of(id) == "human"
        if id in options.left_out or (is_human and not options.humans):
            continue
        declared = campaign.summarizers.get(id)
        team = declared.organisation if declared and not is_human else ""
        # Teams sent several runs in order of priority; the first ones are judged.
        if team:
            runs[team] += 1
        if options.runs_of_a_team and runs[team] > options.runs_of_a_team:
            continue
        judged.append(id)
    return judged


# Drawing


def draw_plan(topics: Sequence[TopicFacts], people: Sequence[str], options: PlanSettings) -> list[Assignment]:
    """A plan: the same topics, people and options always give the same one.

    Raises:
        UsageError: if there are too few people, or a kind of work that no plan gives out.
    """
    for kind in options.kinds:
        if kind not in PLANNED:
            raise UsageError(f"there is no kind of work {kind!r}: choose from {', '.join(PLANNED)}")
    if not people:
        raise UsageError("there is nobody to give work to: invite assessors first")
    assignments: list[Assignment] = []
    for kind in PLANNED:
        if kind in options.kinds:
            assignments += TASK_TYPES[kind].draw(topics, people, options)
    return assignments


# The draft


def last_options(assessment: Assessment) -> PlanSettings:
    """The options of the last plan, or the defaults."""
    return _options_from(assessment.settings.get(OPTIONS, {}))


def accepted_options(assessment: Assessment) -> dict[str, PlanSettings]:
    """The options of the last activated plan of each kind of work."""
    stored = assessment.settings.get(ACCEPTED, {})
    last = last_options(assessment)
    return {kind: _options_from(stored[kind]) if kind in stored else last for kind in PLANNED}


def read_draft(assessment: Assessment) -> Draft | None:
    """The plan that was drawn and not yet accepted."""
    stored = assessment.settings.get(DRAFT)
    if not stored:
        return None
    assignments = [
        Assignment(**{**assignment, "summarizers": tuple(assignment["summarizers"])})
        for assignment in stored["assignments"]
    ]
    return Draft(_options_from(stored["options"]), assignments)


def draw_draft(assessment: Assessment, options: PlanSettings) -> None:
    """Draw a plan for everyone who can be given work, and keep it to be looked at."""
    people = [person.name for person in assessment.assessors()]
    assignments = draw_plan(topic_facts(assessment.campaign, options), people, options)
    keep_draft(assessment, Draft(options, assignments))


def keep_draft(assessment: Assessment, draft: Draft) -> None:
    """Keep a plan as it is now."""
    options = _options_to_store(draft.options)
    assignments = [asdict(assignment) for assignment in draft.assignments]
    assessment.settings.set(DRAFT, {"options": options, "assignments": assignments})
    assessment.settings.set(OPTIONS, options)


def drop_draft(assessment: Assessment) -> None:
    """Forget the plan that was drawn."""
    assessment.settings.set(DRAFT, None)


def _options_to_store(options: PlanSettings) -> dict[str, Any]:
    """Options as the database holds them: the choices of single kinds of work stand beside the others."""
    stored = asdict(options)
    choices = stored.pop("choices")
    return {**stored, **choices}


def _options_from(stored: Mapping[str, Any]) -> PlanSettings:
    """Options that the database holds."""
    names = {field.name for field in fields(PlanSettings)}
    common: dict[str, Any] = {name: value for name, value in stored.items() if name in names}
    for name in ("kinds", "left_out"):
        if name in common:
            common[name] = tuple(common[name])
    choices = {name: value for name, value in stored.items() if name not in names}
    return PlanSettings(**common, choices=choices)


# Accepting it


@dataclass(frozen=True)
class NewWork:
    """What a plan adds to the work that people already have."""

    tasks: tuple[Task, ...]
    """Work that nobody was given before; without ids until it is given out."""
    known_count: int
    """Pieces of work of the plan that people already have."""
    shortened_count: int
    """New pieces of work without the summaries or pairs that their person already has."""


def find_new_work(assessment: Assessment, draft: Draft) -> NewWork:
    """What accepting a plan would give out: not the work, the summaries or the pairs that someone already has.

    Raises:
        UsageError: if the plan names someone who is no longer there.
    """
    ids = {person.name: person.id for person in assessment.people.all(active=True)}
    facts = {topic.topic: topic for topic in topic_facts(assessment.campaign, draft.options)}
    given_work = GivenWork(assessment.given_out(practice=False))
    tasks: list[Task] = []
    known_count = shortened_count = 0
    for assignment in draft.assigned:
        kind, topic, person = assignment.kind, assignment.topic, assignment.person
        if person not in ids:
            raise UsageError(f"{person} is not among the people: choose someone else for topic {topic}")
        if topic not in facts:
            raise UsageError(f"topic {topic} is no longer in the campaign: draw the plan again")
        for spec in TASK_TYPES[kind].specs(assignment, assessment.campaign, facts[topic], draft.options):
            task = Task(id="", kind=kind, topic=topic, person=ids[person], spec=spec)
            # Drawing again with more assessors must not give anyone the same work twice.
            rest = given_work.without_known(task)
            if rest is None:
                known_count += 1
                continue
            if rest is not task:
                shortened_count += 1
            given_work.add(rest)
            tasks.append(rest)
    return NewWork(tuple(tasks), known_count, shortened_count)


class GivenWork:
    """The work that people have, to be compared with that of a plan."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._items: dict[Hashable, set[Hashable]] = defaultdict(set)
        """The summaries or pairs that were given out, by what makes tasks the same work apart from these."""
        for task in tasks:
            self.add(task)

    def add(self, task: Task) -> None:
        """Count a task as given."""
        self._items[_work_key(task)] |= set(TASK_TYPES[task.kind].items(task.spec).values())

    def without_known(self, task: Task) -> Task | None:
        """A task with the summaries or pairs that its person does not have yet; None if they have all of it."""
        key = _work_key(task)
        if key not in self._items:
            return task
        task_type = TASK_TYPES[task.kind]
        items = task_type.items(task.spec)
        numbers = [number for number in items if items[number] not in self._items[key]]
        if not numbers:
            return None
        listed = task.spec[task_type.listing_field]
        rest = {str(place): listed[number] for place, number in enumerate(numbers, start=1)}
        return replace(task, spec={**task.spec, task_type.listing_field: rest})


def _work_key(task: Task) -> Hashable:
    """What makes two tasks the same work, apart from the summaries or pairs that they list."""
    return (task.kind, task.topic, task.person, TASK_TYPES[task.kind].subject(task.spec))


def accept_plan(assessment: Assessment, draft: Draft) -> NewWork:
    """Give out the work of a plan, except what people already have; return what was new and what was known.

    Raises:
        UsageError: if the plan names someone who is no longer there.
    """
    work = find_new_work(assessment, draft)
    tasks = number_tasks(sorted(work.tasks, key=_listing_order(assessment.campaign.topic_ids)))
    assessment.give_out(tasks)
    accepted = dict.fromkeys(draft.options.kinds, _options_to_store(draft.options))
    assessment.settings.set(ACCEPTED, {**assessment.settings.get(ACCEPTED, {}), **accepted})
    drop_draft(assessment)
    return replace(work, tasks=tuple(tasks))


def _listing_order(topics: Sequence[str]) -> Callable[[Task], tuple[int, bool, int]]:
    """Kind by kind and topic by topic, all tasks of a topic together, except those that wait for all topics."""
    places = {topic: place for place, topic in enumerate(topics)}

    def order(task: Task) -> tuple[int, bool, int]:
        waits = TASK_TYPES[task.kind].waits_for_all_topics(task)
        return (PLANNED.index(task.kind), waits, places.get(task.topic, len(places)))

    return order


# The page


async def form_of(request: Request) -> FormData:
    """All fields of a form."""
    return await request.form()


Fields = Annotated[FormData, Depends(form_of)]


@router.get("/plan", response_class=HTMLResponse)
def plan_page(visit: Organiser, new: int | None = None, old: int = 0) -> HTMLResponse:
    """Options, the plan that was drawn, and what was given out so far.

    Args:
        visit: who asks.
        new: how many pieces of work a plan that was just accepted gave out.
        old: how many of its pieces of work people had already.
    """
    outcome = ""
    if new is not None:
        outcome = _describe_outcome(new, old)
    return _show_page(visit, outcome=outcome)


@router.post("/plan/draw", response_model=None)
def draw(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Draw a plan by these options."""
    try:
        draw_draft(visit.assessment, _parse_options(fields, visit.assessment))
    except UsageError as error:
        return _show_page(visit, problem=str(error))
    # 303: the browser gets the page anew, and reloading it does not draw a second plan.
    return RedirectResponse("/plan#drawn", 303)


@router.post("/plan/change", response_model=None)
def change_plan(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Keep the changes made by hand; with `take`, give out the work."""
    with visit.assessment.giving:
        return _change_plan(visit, fields)


def _change_plan(visit: Visit, fields: FormData) -> HTMLResponse | RedirectResponse:
    draft = read_draft(visit.assessment)
    if draft is None:
        return RedirectResponse("/plan", 303)
    changed = []
    for place, assignment in enumerate(draft.assignments):
        person = str(fields.get(f"person/{place}", assignment.person))
        changed.append(replace(assignment, person=person))
    draft = replace(draft, assignments=changed)
    if problem := _find_repetition(draft.assigned):
        return _show_page(visit, problem=problem)
    # Work that was given to nobody is dropped only now, so that places in the form and in the draft agree until then.
    draft = replace(draft, assignments=draft.assigned)
    keep_draft(visit.assessment, draft)
    if "take" not in fields:
        return RedirectResponse("/plan", 303)
    try:
        work = accept_plan(visit.assessment, draft)
    except UsageError as error:
        return _show_page(visit, problem=str(error))
    if work.tasks:
        # A plan that was activated by mistake can be taken back as a whole.
        description = f"Plan activated: {count_work(len(work.tasks))} given out"
        record_move(visit.assessment, visit.person, description, given=[task.id for task in work.tasks])
    visit.record("plan taken", count_work(len(work.tasks)))
    return RedirectResponse(f"/plan?new={len(work.tasks)}&old={work.known_count}", 303)


@router.post("/plan/drop")
def drop_plan(visit: Organiser) -> RedirectResponse:
    """Forget the plan that was drawn."""
    drop_draft(visit.assessment)
    return RedirectResponse("/plan", 303)


def count_work(number: int) -> str:
    """A number of tasks in words: "1 piece of work"."""
    return counted(number, "piece of work", "pieces of work")


def _describe_outcome(new: int, known_count: int) -> str:
    """What became of a plan that was activated."""
    if not new:
        return f"Nothing was given out: {_explain_nothing_new(known_count)}"
    verb = "was" if new == 1 else "were"
    outcome = f"{count_work(new)} {verb} given out."
    if known_count:
        outcome += f" People already had the other {count_work(known_count)} of this plan."
    return outcome


def _explain_nothing_new(known_count: int) -> str:
    """Why a plan gives out nothing."""
    if not known_count:
        return "this plan has no work in it."
    whole = "the only piece of work" if known_count == 1 else f"all {count_work(known_count)}"
    return f"people already have {whole} of this plan. To give out more, choose another kind of work or more assessors."


def _foresee(assessment: Assessment, draft: Draft) -> str:
    """What activating the plan that was drawn would do, where some of its work was given out before."""
    try:
        work = find_new_work(assessment, draft)
    except UsageError as error:
        return f"This plan can't be activated: {error}."
    if not work.tasks:
        return f"Activating this plan gives out nothing: {_explain_nothing_new(work.known_count)}"
    sentences = []
    if work.known_count:
        total = count_work(len(work.tasks) + work.known_count)
        sentences.append(f"{len(work.tasks)} of {total} are new: people have the others.")
    if work.shortened_count:
        shortened = count_work(work.shortened_count)
        sentences.append(f"{shortened} will list only the summaries that their assessor has not got yet.")
    return " ".join(sentences)


def _show_page(visit: Visit, problem: str = "", outcome: str = "") -> HTMLResponse:
    from pyramidion.assess.web import sample  # both rest on this module
    from pyramidion.assess.web.late_work import describe_late_work

    assessment = visit.assessment
    draft = read_draft(assessment)
    foreseen = _foresee(assessment, draft) if draft else ""
    draft = draft or Draft(last_options(assessment), [])
    people = [person.name for person in assessment.assessors()]
    tasks = assessment.given_out(practice=False)
    campaign = assessment.campaign
    return visit.page(
        "plan.html",
        problem=problem,
        outcome=outcome,
        foreseen=foreseen,
        late=describe_late_work(assessment),
        sample=sample.describe_sample(assessment),
        sample_choices=list(sample.CHOICES.items()),
        sample_default="scu" if campaign.pyramids else "topic",
        default_share=sample.DEFAULT_SHARE,
        options=draft.options,
        kinds=[(kind, TASK_TYPES[kind].title) for kind in PLANNED],
        titles={kind: task_type.title for kind, task_type in TASK_TYPES.items()},
        designs=[(design, DESIGN_TITLES[design]) for design in DESIGNS],
        choices=[(choice, choice.value_in(draft.options)) for choice in plan_choices()],
        summarizers=_describe_summarizers(campaign),
        topic_titles={topic.topic: topic.title for topic in campaign.topics},
        people=people,
        workers=assessment.assessors(),
        drawn=list(enumerate(draft.assignments)),
        loads=[(name, _count_kinds(draft.assignments, name)) for name in people],
        moves=list(reversed(read_moves(assessment)))[:SHOWN_MOVES],
        undoable={move.id for move in undoable_moves(assessment)},
        open_work=Counter(task.person for task in tasks if not task.done),
        all_work=Counter(task.person for task in tasks),
    )


def _describe_summarizers(campaign: Campaign) -> list[tuple[str, str, str, str]]:
    """Id, name, kind and organisation of each summarizer."""
    teams = {id: summarizer.organisation for id, summarizer in campaign.summarizers.items()}
    return [(id, campaign.name_of(id), campaign.kind_of(id), teams.get(id, "")) for id in campaign.summarizer_ids]


def _count_kinds(assignments: Iterable[Assignment], person: str) -> Counter[str]:
    """How many assignments of each kind a person has."""
    return Counter(assignment.kind for assignment in assignments if assignment.person == person)


def _find_repetition(assignments: Iterable[Assignment]) -> str:
    """What is wrong with a plan in which someone has the same work twice; empty if nobody has."""
    seen: set[tuple[str, str, str]] = set()
    for assignment in assignments:
        kind, topic, person = assignment.kind, assignment.topic, assignment.person
        if (kind, topic, person) in seen:
            return f"{person} has the same work on topic {topic} twice: choose someone else for one of them"
        seen.add((kind, topic, person))
    return ""


def _parse_options(fields: FormData, assessment: Assessment) -> PlanSettings:
    """The options that the form holds.

    Raises:
        UsageError: if one of them is none.
    """
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    judged = set(map(str, fields.getlist("judged")))
    numbers: dict[str, Any] = {
        name: parse_number(name, texts.get(name), int) for name in ("assessors", "runs_of_a_team", "seed")
    }
    return PlanSettings(
        kinds=tuple(map(str, fields.getlist("kinds"))),
        design=texts.get("design", "one"),  # type: ignore[arg-type]  # checked there
        share=parse_number("share", texts.get("share"), float) / 100,
        left_out=tuple(id for id in assessment.campaign.summarizer_ids if id not in judged),
        choices={choice.name: choice.parse(texts.get(choice.name)) for choice in plan_choices()},
        **numbers,
    )
