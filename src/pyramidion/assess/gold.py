"""Gold items: summaries whose right answers the organiser knows, and what assessors answered about them.

Assessors judge them among the others, and nothing on the page tells which they are. An attention item is a gold item
that anybody who reads answers rightly, such as a summary that says which answer to give. What counts is what someone
answered when they first handed in: later feedback changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.form.task_type import questions_of
from pyramidion.assess.store.work import Event, State, Task, changed
from pyramidion.errors import UsageError
from pyramidion.show.tables import grouped

ITEMS = "gold-items"
FEEDBACK = "gold-feedback"
"""Settings: the items, and whether assessors see the right answers once they have handed in."""


@dataclass(frozen=True, kw_only=True)
class GoldItem:
    """The right answers to one question about one summary: from the lowest to the highest that is right."""

    topic: str
    summarizer: str
    question: str
    low: int
    high: int
    comment: str = ""
    """Why, as assessors read it if they get feedback."""
    is_attention: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What no other item has."""
        return (self.topic, self.summarizer, self.question)

    def distance(self, value: int) -> int:
        """How far an answer is from the nearest right one."""
        return max(self.low - value, value - self.high, 0)


@dataclass(frozen=True, kw_only=True)
class GoldRecord:
    """What someone's answers to gold items show."""

    person: str
    answers: int
    right: int
    by_guessing: float
    """How many would be right on average if values were chosen at random."""
    mean_distance: float
    """How far answers are from the nearest right one, on average."""
    attention_answers: int
    attention_failures: int


def read_gold(assessment: Assessment) -> list[GoldItem]:
    """All items, in the order in which they were added."""
    return [GoldItem(**fields) for fields in assessment.settings.get(ITEMS, [])]


def add_gold(assessment: Assessment, item: GoldItem) -> None:
    """Add an item, or change the right answers of one.

    Raises:
        UsageError: if there is no such summary or question, or the answers are not on its scale.
    """
    campaign = assessment.campaign
    summaries = {(summary.topic, summary.summarizer) for summary in campaign.summaries}
    if (item.topic, item.summarizer) not in summaries:
        raise UsageError(f"{item.summarizer} has no summary of topic {item.topic}")
    question = campaign.questions.get(item.question)
    if question is None:
        raise UsageError(f"the campaign asks no question {item.question!r}")
    lowest, highest = question.scale
    if not lowest <= item.low <= item.high <= highest:
        raise UsageError(
            f"right answers from {item.low} to {item.high}: the scale of {item.question} is {lowest} to {highest}"
        )
    others = [other for other in read_gold(assessment) if other.key != item.key]
    assessment.settings.set(ITEMS, [asdict(other) for other in (*others, item)])


def remove_gold(assessment: Assessment, key: tuple[str, str, str]) -> None:
    """Forget an item; the answers stay in the data."""
    assessment.settings.set(ITEMS, [asdict(item) for item in read_gold(assessment) if item.key != key])


def gives_feedback(assessment: Assessment) -> bool:
    """Whether assessors see the right answers once they have handed in."""
    return bool(assessment.settings.get(FEEDBACK, False))


def let_see(assessment: Assessment, gives: bool) -> None:
    """Show the right answers to assessors who have handed in, or not."""
    assessment.settings.set(FEEDBACK, gives)


@dataclass(frozen=True, kw_only=True)
class GoldAnswer:
    """What someone answered to a gold item when they first handed in, or so far."""

    item: GoldItem
    person: str
    value: int

    @property
    def distance(self) -> int:
        """How far it is from the nearest right answer."""
        return self.item.distance(self.value)


def gold_answers(assessment: Assessment) -> list[GoldAnswer]:
    """All answers to gold items, before anybody saw feedback."""
    items = {item.key: item for item in read_gold(assessment)}
    if not items:
        return []
    topics = {item.topic for item in items.values()}
    tasks = [
        task for task in assessment.given_out(kind="form", practice=False) if task.topic in topics and task.version
    ]
    histories = assessment.work.histories(tasks)
    answers = []
    for task in tasks:
        state = state_when_handed_in(histories[task.id])
        name = assessment.name_of(task.person)
        answers += [GoldAnswer(item=item, person=name, value=value) for item, value in _answers_to(items, task, state)]
    return answers


def gold_records(assessment: Assessment, answers: Sequence[GoldAnswer]) -> list[GoldRecord]:
    """What the answers to gold items show about each person who gave some."""
    scales = {question.name: question.scale for question in assessment.base.questions}
    by_person = grouped(answers, lambda answer: answer.person)
    return [_record(person, given, scales) for person, given in sorted(by_person.items())]


def state_when_handed_in(history: Sequence[Event]) -> State:
    """What someone answered before they could see any feedback: when they first handed in, or so far."""
    state: State = {}
    for event in history:
        state = changed(state, event.changes)
        if state.get("done"):
            break
    return state


def _answers_to(items: Mapping[tuple[str, str, str], GoldItem], task: Task, state: State) -> list[tuple[GoldItem, int]]:
    answers = []
    for key, value in state.items():
        field, _, rest = key.partition("/")
        handle, _, question = rest.partition("/")
        summarizer = task.spec["summaries"].get(handle)
        item = items.get((task.topic, summarizer, question)) if field == "answer" else None
        if item is not None:
            answers.append((item, value))
    return answers


def _record(person: str, answers: Sequence[GoldAnswer], scales: Mapping[str, tuple[int, int]]) -> GoldRecord:
    by_guessing = 0.0
    for answer in answers:
        item = answer.item
        low, high = scales.get(item.question, (item.low, item.high))
        by_guessing += (item.high - item.low + 1) / (high - low + 1)
    distances = [answer.distance for answer in answers]
    attention = [answer.distance for answer in answers if answer.item.is_attention]
    return GoldRecord(
        person=person,
        answers=len(answers),
        right=distances.count(0),
        by_guessing=by_guessing,
        mean_distance=sum(distances) / len(distances),
        attention_answers=len(attention),
        attention_failures=len(attention) - attention.count(0),
    )


def gold_feedback(assessment: Assessment, task: Task) -> dict[str, Any]:
    """The right answers to gold items of a form that was handed in, by handle, if assessors are to see them."""
    if task.kind != "form" or task.practice or not task.done or not gives_feedback(assessment):
        return {}
    asked = {question.name for question in questions_of(assessment.context(task))}
    feedback: dict[str, Any] = {}
    for item in read_gold(assessment):
        if item.topic != task.topic or item.question not in asked:
            continue
        for handle, summarizer in task.spec["summaries"].items():
            if summarizer == item.summarizer:
                answers = feedback.setdefault(handle, {})
                answers[item.question] = {"low": item.low, "high": item.high, "comment": item.comment}
    return {"gold": feedback} if feedback else {}
