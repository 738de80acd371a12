"""Practice and norming: work that never enters the data.

A practice round has the organiser's answers, which assessors see beside their own when they have handed in. In a
norming round all judge the same few summaries blind, and then see each other's answers, without names, and α.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.passes import pass_of
from pyramidion.assess.plan.specs import shuffle
from pyramidion.assess.planning import numbered, workers
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import State, Task, changed
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Judgment, plain
from pyramidion.errors import PyramidionError, UsageError
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import grouped
from pyramidion.studies import JudgmentAgreement

ROUNDS = "practice-rounds"
ROUND = "round"
KEY = "key"

Sort: TypeAlias = Literal["practice", "norming"]


@dataclass(frozen=True, kw_only=True)
class Round:
    """Some summaries of one topic that everyone judges."""

    id: str
    sort: Sort
    topic: str
    summarizers: tuple[str, ...]


def rounds(the: Assessment) -> list[Round]:
    """All rounds, oldest first."""
    return [Round(**{**one, "summarizers": tuple(one["summarizers"])}) for one in the.settings.get(ROUNDS, [])]


def round_of(the: Assessment, id: str) -> Round | None:
    """One round."""
    return next((one for one in rounds(the) if one.id == id), None)


def create(the: Assessment, organiser: Person, *, sort: Sort, topic: str, number: int, seed: int = 0) -> Round:
    """A new round about some summaries of a topic, drawn by seed; norming starts at once.

    Raises:
        UsageError: if the topic has too few summaries, or the campaign asks no questions.
    """
    campaign = the.campaign
    if not campaign.questions:
        raise UsageError("the campaign asks no questions: add [questions] to campaign.toml")
    found = sorted({one.summarizer for one in campaign.topic(topic, peers="all").peers})
    if not 1 <= number <= len(found):
        raise UsageError(f"topic {topic} has {len(found)} summaries; choose 1 to {len(found)}")
    drawn = tuple(Random(f"{seed}/{topic}/practice").sample(found, number))
    new = Round(id=secrets.token_hex(4), sort=sort, topic=topic, summarizers=drawn)
    the.settings.set(ROUNDS, [*(asdict(one) for one in rounds(the)), asdict(new)])
    if sort == "practice":
        the.work.add(_tasks(campaign, new, [organiser], key=True))
    else:
        publish(the, new)
    return new


def publish(the: Assessment, one: Round) -> int:
    """Give a round to all assessors who do not have it yet; returns how many they are.

    Raises:
        UsageError: if the organiser's answers are not complete.
    """
    if one.sort == "practice" and not answered(the, one):
        raise UsageError("answer the questions yourself first, and hand them in: assessors will see your answers")
    have = {task.person for task in tasks_of(the, one) if not task.spec.get(KEY)}
    new = [person for person in workers(the) if person.id not in have]
    the.work.add(_tasks(the.campaign, one, new, key=False))
    return len(new)


def _tasks(campaign: Campaign, one: Round, people: Sequence[Person], *, key: bool) -> list[Task]:
    made = []
    for person in people:
        for number in campaign.questions.passes:
            order = shuffle(one.summarizers, one.id, person.name, number)
            spec: dict[str, Any] = {"pass": number, ROUND: one.id}
            spec["summaries"] = {str(at): who for at, who in enumerate(order, start=1)}
            if key:
                spec[KEY] = True
            made.append(Task(id="", kind="form", topic=one.topic, person=person.id, spec=spec, practice=True))
    return numbered(made)


def tasks_of(the: Assessment, one: Round) -> list[Task]:
    """The tasks of a round."""
    return [task for task in the.work.given_out(practice=True) if task.spec.get(ROUND) == one.id]


def answered(the: Assessment, one: Round) -> bool:
    """Whether the organiser has answered all questions of a practice round."""
    keys = [task for task in tasks_of(the, one) if task.spec.get(KEY)]
    return bool(keys) and all(task.done for task in keys)


def feedback(the: Assessment, task: Task) -> Mapping[str, Any]:
    """What the page of a practice task shows once it is handed in: the organiser's answers, or a link."""
    one = round_of(the, task.spec.get(ROUND, "")) if task.practice and task.done else None
    if one is None or task.spec.get(KEY):
        return {}
    if one.sort == "norming":
        return {"norming": f"/norming/{one.id}"} if _all_done(the, one, task.person) else {}
    key = next((other for other in tasks_of(the, one) if other.spec.get(KEY) and pass_of(other) == pass_of(task)), None)
    if key is None or not key.done:
        return {}
    state = the.work.state(key)
    places = {who: handle for handle, who in key.spec["summaries"].items()}
    return {"feedback": {handle: _answers(state, places[who]) for handle, who in task.spec["summaries"].items()}}


def _answers(state: State, handle: str) -> dict[str, Any]:
    start = f"answer/{handle}/"
    answers = {key.removeprefix(start): value for key, value in state.items() if key.startswith(start)}
    return {"answers": answers, "comment": state.get(f"comment/{handle}", "")}


@dataclass(frozen=True, kw_only=True)
class Answers:
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
    summaries: Sequence[Answers]
    agreement: JudgmentAgreement | None


def norming(the: Assessment, one: Round, viewer: Person) -> Norming:
    """The answers of all who have handed in, as they were when they did so first."""
    by_person = grouped(tasks_of(the, one), lambda task: task.person)
    complete = [who for who, tasks in by_person.items() if all(task.done for task in tasks)]
    order = shuffle(complete, one.id, viewer.id)
    order.sort(key=lambda who: who != viewer.id)
    names = ["You" if who == viewer.id else f"Assessor {at}" for at, who in enumerate(order, start=1)]
    found: dict[tuple[str, str, str], Any] = {}
    comments: dict[str, list[str]] = {}
    judgments = []
    for who, name in zip(order, names, strict=True):
        for task in by_person[who]:
            state = _first_hand_in(the, task)
            for noun in the.kind(task).nouns(the.piece(task), state, ()):
                assert isinstance(noun, Judgment)
                judgments.append(msgspec.structs.replace(noun, assessor=name))
                found[who, noun.summarizer, noun.question] = noun.value
                if noun.comment:
                    comments.setdefault(noun.summarizer, []).append(noun.comment)
    campaign = the.campaign
    texts = {summary.summarizer: summary.text for summary in campaign.topic(one.topic, peers="all").peers}
    questions = [question.name for question in campaign.questions]
    summaries = [
        Answers(
            number=number,
            text=plain(texts.get(who, "")),
            answers={question: [found.get((person, who, question), "–") for person in order] for question in questions},
            comments=comments.get(who, []),
        )
        for number, who in enumerate(shuffle(one.summarizers, one.id), start=1)
    ]
    held = replace(campaign.restricted({one.topic}), judgments=tuple(judgments))
    return Norming(
        people=names, waiting=len(by_person) - len(complete), summaries=summaries, agreement=_agreement(held)
    )


def may_see(the: Assessment, one: Round, person: Person) -> bool:
    """Others' answers are for the organiser, and for those who have handed in their own."""
    return person.role == "organiser" or _all_done(the, one, person.id)


def _all_done(the: Assessment, one: Round, person: str) -> bool:
    own = [task for task in tasks_of(the, one) if task.person == person]
    return bool(own) and all(task.done for task in own)


def _agreement(campaign: Campaign) -> JudgmentAgreement | None:
    if len({one.assessor for one in campaign.judgments}) < 2:
        return None
    try:
        return Evaluation(campaign).judgment_agreement(resamples=200)
    except PyramidionError:
        return None


def _first_hand_in(the: Assessment, task: Task) -> State:
    """What was answered before seeing anyone else's answers."""
    state: State = {}
    for event in the.work.history(task.id):
        state = changed(state, event.changes)
        if state.get("done"):
            break
    return state
