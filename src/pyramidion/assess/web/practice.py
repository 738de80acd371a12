"""Practice and norming: work that never enters the data; with forms, pyramids or peers.

A practice round has the organiser's answers, which assessors see beside their own when they have handed in. In a
norming round all judge the same few summaries blind, and then see each other's answers, without names, and α.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, TopicFacts, number_handles, shuffle
from pyramidion.assess.kinds.form.passes import pass_of
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import State, Task, changed, number_tasks
from pyramidion.assess.web.access import Organiser, Visit, Worker
from pyramidion.assess.web.comparing import compare_work
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Judgment, plain
from pyramidion.errors import PyramidionError, UsageError
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import grouped
from pyramidion.studies import JudgmentAgreement

router: APIRouter = APIRouter()

ROUNDS = "practice-rounds"
ROUND = "round"
KEY = "key"

Sort: TypeAlias = Literal["practice", "norming"]
PracticeKind: TypeAlias = Literal["form", "pyramid", "peer"]
KIND_TITLES: Mapping[PracticeKind, str] = {
    "form": "Questions",
    "pyramid": "Pyramid of the topic's models",
    "peer": "Peer annotation",
}


@dataclass(frozen=True, kw_only=True)
class Round:
    """Some summaries of one topic that everyone judges, or its models, of which everyone makes a pyramid."""

    id: str
    sort: Sort
    topic: str
    summarizers: tuple[str, ...]
    kind: PracticeKind = "form"


def read_rounds(assessment: Assessment) -> list[Round]:
    """All rounds, oldest first."""
    stored = assessment.settings.get(ROUNDS, [])
    return [Round(**{**fields, "summarizers": tuple(fields["summarizers"])}) for fields in stored]


def find_round(assessment: Assessment, id: str) -> Round | None:
    """The round of an id."""
    for round_ in read_rounds(assessment):
        if round_.id == id:
            return round_
    return None


def create_round(
    assessment: Assessment,
    organiser: Person,
    *,
    sort: Sort,
    topic: str,
    number: int,
    seed: int = 0,
    kind: PracticeKind = "form",
) -> Round:
    """A new round about some summaries of a topic, drawn by seed; norming starts at once.

    Raises:
        UsageError: if the topic has too few summaries, or lacks what the kind of work rests on.
    """
    campaign = assessment.campaign
    data = campaign.topic(topic, peers="all")
    models = {model.summarizer for model in data.models}
    summarizers = sorted({summary.summarizer for summary in data.peers})
    if kind == "form" and not campaign.questions:
        raise UsageError("the campaign asks no questions: add some on the page Questions")
    if kind == "pyramid":
        if len(models) < 2:
            raise UsageError(f"topic {topic} has {len(models)} models: a pyramid needs at least 2")
        summarizers, number = [], 0
    if kind == "peer":
        if not data.pyramids:
            raise UsageError(f"topic {topic} has no pyramid yet: peers are matched against one")
        summarizers = [summarizer for summarizer in summarizers if summarizer not in models]
    if kind != "pyramid" and not 1 <= number <= len(summarizers):
        raise UsageError(f"topic {topic} has {len(summarizers)} summaries; choose 1 to {len(summarizers)}")
    drawn = tuple(Random(f"{seed}/{topic}/practice").sample(summarizers, number))
    new = Round(id=secrets.token_hex(4), sort=sort, topic=topic, summarizers=drawn, kind=kind)
    rounds = [*read_rounds(assessment), new]
    assessment.settings.set(ROUNDS, [asdict(round_) for round_ in rounds])
    if sort == "practice":
        assessment.work.add(_make_tasks(campaign, new, [organiser], key=True))
    else:
        publish(assessment, new)
    return new


def publish(assessment: Assessment, round_: Round) -> int:
    """Give a round to all assessors who do not have it yet; returns how many they are.

    Raises:
        UsageError: if the organiser's answers are not complete.
    """
    if round_.sort == "practice":
        keys = _key_tasks(assessment, round_)
        if not keys or not all(task.done for task in keys):
            raise UsageError("answer the questions yourself first, and hand them in: assessors will see your answers")
    # Assessors who join later get the round, too; the others keep what they have.
    served = {task.person for task in tasks_of(assessment, round_) if not task.spec.get(KEY)}
    new = [person for person in assessment.assessors() if person.id not in served]
    there = set(assessment.campaign.summarizer_ids)
    present = tuple(summarizer for summarizer in round_.summarizers if summarizer in there)
    if round_.topic not in assessment.campaign.topic_ids or (round_.summarizers and not present):
        raise UsageError("the topic or the summaries of this round were removed: start another round")
    present_round = replace(round_, summarizers=present)
    assessment.work.add(_make_tasks(assessment.campaign, present_round, new, key=False))
    return len(new)


def _make_tasks(campaign: Campaign, round_: Round, people: Sequence[Person], *, key: bool) -> list[Task]:
    """The tasks of each person; with `key`, those of the organiser, whose work assessors will see."""
    tasks: list[Task] = []
    for person in people:
        if round_.kind != "form":
            tasks += _annotation_tasks(campaign, round_, person, key=key)
            continue
        for number in campaign.questions.passes:
            order = shuffle(round_.summarizers, round_.id, person.name, number)
            spec: dict[str, Any] = {"pass": number, ROUND: round_.id, "summaries": number_handles(order)}
            if key:
                spec[KEY] = True
            tasks.append(Task(id="", kind="form", topic=round_.topic, person=person.id, spec=spec, practice=True))
    return number_tasks(tasks)


def _annotation_tasks(campaign: Campaign, round_: Round, person: Person, *, key: bool) -> list[Task]:
    """A pyramid of the models, or the peers of a round."""
    data = campaign.topic(round_.topic, peers="all")
    models = tuple(model.summarizer for model in data.models)
    facts = TopicFacts(topic=round_.topic, summarizers=round_.summarizers, models=models)
    assignment = Assignment(kind=round_.kind, topic=round_.topic, person=person.name, summarizers=round_.summarizers)
    tasks = []
    for work_spec in TASK_TYPES[round_.kind].specs(assignment, campaign, facts, PlanSettings()):
        spec = {**work_spec, ROUND: round_.id, **({KEY: True} if key else {})}
        task = Task(id="", kind=round_.kind, topic=round_.topic, person=person.id, spec=spec, practice=True)
        tasks.append(task)
    return tasks


def tasks_of(assessment: Assessment, round_: Round) -> list[Task]:
    """The tasks of a round."""
    return [task for task in assessment.given_out(practice=True) if task.spec.get(ROUND) == round_.id]


def feedback(assessment: Assessment, task: Task) -> Mapping[str, Any]:
    """What the page of a practice task shows once it is handed in: the organiser's answers, or a link."""
    if not task.practice or not task.done or task.spec.get(KEY):
        return {}
    round_ = find_round(assessment, task.spec.get(ROUND, ""))
    if round_ is None:
        return {}
    if round_.kind != "form":
        has_key = round_.sort == "norming" or all(key.done for key in _key_tasks(assessment, round_))
        can_see = has_key and _has_finished(assessment, round_, task.person)
        return {"comparison": f"/norming/{round_.id}"} if can_see else {}
    if round_.sort == "norming":
        return {"norming": f"/norming/{round_.id}"} if _has_finished(assessment, round_, task.person) else {}
    for key in _key_tasks(assessment, round_):
        if key.done and pass_of(key) == pass_of(task):
            return {"feedback": _organisers_answers(assessment, key, task)}
    return {}


def _key_tasks(assessment: Assessment, round_: Round) -> list[Task]:
    """The organiser's own tasks of a practice round, whose answers assessors will see."""
    return [task for task in tasks_of(assessment, round_) if task.spec.get(KEY)]


def _organisers_answers(assessment: Assessment, key: Task, task: Task) -> dict[str, Any]:
    """The organiser's answers and comments, by the handles of an assessor's task."""
    state = assessment.work.state(key)
    key_handles = {summarizer: handle for handle, summarizer in key.spec["summaries"].items()}
    answers = {}
    for handle, summarizer in task.spec["summaries"].items():
        start = f"answer/{key_handles[summarizer]}/"
        answers[handle] = {
            "answers": {name.removeprefix(start): value for name, value in state.items() if name.startswith(start)},
            "comment": state.get(f"comment/{key_handles[summarizer]}", ""),
        }
    return answers


@dataclass(frozen=True, kw_only=True)
class SummaryAnswers:
    """What everyone answered about one summary."""

    number: int
    text: str
    answers: Mapping[str, Sequence[Any]]
    """By question, in the order of the assessors."""
    comments: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Norming:
    """What a norming round showed."""

    people: Sequence[str]
    """How assessors are called: without names."""
    waiting: int
    """Assessors who have not handed in everything."""
    summaries: Sequence[SummaryAnswers]
    agreement: JudgmentAgreement | None


def norming(assessment: Assessment, round_: Round, viewer: Person) -> Norming:
    """The answers of all who have handed in, as they were when they did so first."""
    tasks_by_person = grouped(tasks_of(assessment, round_), lambda task: task.person)
    complete = [person for person, tasks in tasks_by_person.items() if all(task.done for task in tasks)]
    order = shuffle(complete, round_.id, viewer.id)
    # One's own answers come first; the others' order differs for each viewer, so that numbers name nobody.
    order.sort(key=lambda person: person != viewer.id)
    names = [f"Assessor {number}" for number in range(1, len(order) + 1)]
    if viewer.id in order:
        names[0] = "You"
    judgments: list[Judgment] = []
    for person, name in zip(order, names, strict=True):
        for task in tasks_by_person[person]:
            judgments += _first_judgments(assessment, task, name)
    campaign = assessment.campaign
    summaries = campaign.topic(round_.topic, peers="all").peers
    texts = {summary.summarizer: plain(summary.text) for summary in summaries}
    questions = [question.name for question in campaign.questions]
    shown = []
    for number, summarizer in enumerate(shuffle(round_.summarizers, round_.id), start=1):
        about = [judgment for judgment in judgments if judgment.summarizer == summarizer]
        values = {(judgment.question, judgment.assessor): judgment.value for judgment in about}
        answers = {question: [values.get((question, name), "–") for name in names] for question in questions}
        comments = [judgment.comment for judgment in about if judgment.comment]
        text = texts.get(summarizer, "")
        shown.append(SummaryAnswers(number=number, text=text, answers=answers, comments=comments))
    judged = replace(campaign.restricted({round_.topic}), judgments=tuple(judgments))
    return Norming(
        people=names,
        waiting=len(tasks_by_person) - len(complete),
        summaries=shown,
        agreement=_agreement(judged),
    )


def _first_judgments(assessment: Assessment, task: Task, name: str) -> list[Judgment]:
    """What someone answered before seeing anyone else's answers, under another name."""
    state: State = {}
    for event in assessment.work.history(task.id):
        state = changed(state, event.changes)
        if state.get("done"):
            break
    judgments = []
    for noun in assessment.task_type(task).nouns(assessment.context(task), state, ()):
        assert isinstance(noun, Judgment)
        judgments.append(msgspec.structs.replace(noun, assessor=name))
    return judgments


def may_see(assessment: Assessment, round_: Round, person: Person) -> bool:
    """Others' answers are for the organiser, and for those who have handed in their own."""
    return person.role == "organiser" or _has_finished(assessment, round_, person.id)


def _has_finished(assessment: Assessment, round_: Round, person: str) -> bool:
    """Whether someone has handed in all tasks of a round."""
    tasks = [task for task in tasks_of(assessment, round_) if task.person == person]
    return bool(tasks) and all(task.done for task in tasks)


def _agreement(campaign: Campaign) -> JudgmentAgreement | None:
    if len({judgment.assessor for judgment in campaign.judgments}) < 2:
        return None
    try:
        return Evaluation(campaign).judgment_agreement(resamples=200)
    except PyramidionError:
        return None


# The pages


@router.get("/practice", response_class=HTMLResponse)
def practice_page(visit: Organiser) -> HTMLResponse:
    """All rounds, and a form for a new one."""
    return _show_page(visit)


@router.post("/practice", response_model=None)
def start_round(
    visit: Organiser,
    sort: Annotated[Sort, Form()],
    topic: Annotated[str, Form()],
    number: Annotated[int, Form()],
    kind: Annotated[PracticeKind, Form()] = "form",
) -> HTMLResponse | RedirectResponse:
    """Start a round."""
    try:
        round_ = create_round(visit.assessment, visit.person, sort=sort, topic=topic, number=number, kind=kind)
    except UsageError as error:
        return _show_page(visit, problem=str(error))
    visit.record(f"{round_.sort} round", f"topic {topic}")
    return RedirectResponse("/practice", 303)


@router.post("/practice/{id}/publish", response_model=None)
def publish_round(visit: Organiser, id: str) -> HTMLResponse | RedirectResponse:
    """Give a round to all assessors who do not have it yet."""
    round_ = find_round(visit.assessment, id)
    if round_ is None:
        raise HTTPException(404, "there is no such round")
    try:
        publish(visit.assessment, round_)
    except UsageError as error:
        return _show_page(visit, problem=str(error))
    return RedirectResponse("/practice", 303)


@router.get("/norming/{id}", response_class=HTMLResponse)
def norming_page(visit: Worker, id: str) -> HTMLResponse:
    """Everyone's answers or annotations, without names, for those who have handed in their own."""
    round_ = find_round(visit.assessment, id)
    topics = visit.assessment.campaign.topic_ids
    if round_ is None or round_.topic not in topics or not _is_compared(round_):
        raise HTTPException(404, "there is no such round")
    if not may_see(visit.assessment, round_, visit.person):
        raise HTTPException(404, "you have not handed in your own answers yet")
    if round_.kind != "form":
        return _show_comparison(visit, round_)
    result = norming(visit.assessment, round_, visit.person)
    tables = []
    if result.agreement is not None:
        tables = [table for table in result.agreement.tables() if table.record == "question-alpha"]
    return visit.page("norming.html", round=round_, result=result, tables=tables)


def _is_compared(round_: Round) -> bool:
    """Whether a round has a page that shows several people's work: in practice, forms show it themselves."""
    return round_.sort == "norming" or round_.kind != "form"


def _show_comparison(visit: Visit, round_: Round) -> HTMLResponse:
    """What a round with pyramids or peers showed: in practice one's own work beside the organiser's."""
    tasks = [task for task in tasks_of(visit.assessment, round_) if not task.spec.get(KEY)]
    if round_.sort == "practice" and visit.person.role != "organiser":
        tasks = [task for task in tasks if task.person == visit.person.id]
    keys = _key_tasks(visit.assessment, round_)
    return visit.page("comparison.html", round=round_, result=compare_work(visit.assessment, tasks, keys, visit.person))


def _show_page(visit: Visit, problem: str = "") -> HTMLResponse:
    assessment = visit.assessment
    rounds = [_describe_round(assessment, round_) for round_ in read_rounds(assessment)]
    all_topics = assessment.campaign.each_topic(peers="all")
    topics = [(data.topic.topic, len(data.peers)) for data in all_topics if data.peers]
    return visit.page("practice.html", problem=problem, rounds=rounds, topics=topics, kinds=KIND_TITLES)


def _describe_round(assessment: Assessment, round_: Round) -> dict[str, Any]:
    """A round as the page lists it: what the organiser has to answer first, and how far assessors are."""
    tasks = tasks_of(assessment, round_)
    open_keys = [task for task in tasks if task.spec.get(KEY) and not task.done]
    by_person = grouped([task for task in tasks if not task.spec.get(KEY)], lambda task: task.person)
    done = sum(all(task.done for task in theirs) for theirs in by_person.values())
    return {
        "round": round_,
        "key": open_keys[0] if open_keys else None,
        "people": len(by_person),
        "done": done,
    }
