"""The task of a form: one pass of questions about all summaries of a topic that an assessor judges."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    PlanSettings,
    Spec,
    TopicFacts,
    number_handles,
    shuffle,
)
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import (
    answer_times,
    check_answered,
    check_text,
    pick_fields,
    request_of,
    shown_text,
)
from pyramidion.assess.kinds.form.passes import AFTER_ALL_TOPICS, lock_reason, pass_of
from pyramidion.assess.store.work import Event, State, Task
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Judgment, Noun, Question
from pyramidion.show.wording import in_words, listed

LONGEST_COMMENT = 5_000
QUALITIES = ("grammaticality", "non-redundancy", "referential-clarity", "focus", "coherence")
"""The questions of paper 003 that are about language."""
EXPORTED = ("topic", "summarizer", "assessor", "question", "value", "run", "time", "seconds", "comment")


class FormWork(TaskType[Judgment]):
    """Questions about summaries, one summary after the other."""

    name = "form"
    title = "Questions"
    noun_type = Judgment
    page: ClassVar[WorkPage | None] = WorkPage("kinds/form/page.js", wide=False, styles=("static/forms.css",))
    listing_field = "summaries"
    can_be_locked = True

    def heading(self, campaign: Campaign, task: Task) -> str:
        """What the pass is about."""
        return heading(campaign, pass_of(task))

    def lock_reason(self, task: Task, tasks: Iterable[Task]) -> str:
        """Why the pass is not open yet, or no longer."""
        return lock_reason(task, tasks)

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The request, the questions and the summaries, cut at the campaign's limit."""
        limit = context.word_limit
        return {
            "pass": context.spec["pass"],
            "request": request_of(context),
            "limit": limit,
            "questions": [_shown_question(question) for question in questions_of(context)],
            "summaries": [
                {"handle": handle, **shown_text(context.summary(handle).text, limit)} for handle in handles_of(context)
            ],
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Answers on the scale, and comments that are texts."""
        questions = {question.name: question for question in questions_of(context)}
        handles = context.spec["summaries"]
        match key.split("/", 2):
            case ["answer", handle, question] if handle in handles and question in questions:
                _check_answer(questions[question], value)
            case ["comment", handle] if handle in handles:
                check_text(value, "a comment", LONGEST_COMMENT)
            case _:
                super().check_field(context, state, key, value)

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every question that needs an answer has one, about every summary."""
        required = [question.name for question in questions_of(context) if question.required]
        needed = {f"answer/{handle}/{name}" for handle in context.spec["summaries"] for name in required}
        check_answered(needed - valid_answers(context, state).keys(), "question")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """A judgment for each answer; a comment goes with the first answer about its summary."""
        times = answer_times(events)
        answers = valid_answers(context, state)
        judgments: list[Noun] = []
        for handle in handles_of(context):
            comment = state.get(f"comment/{handle}", "")
            for question in questions_of(context):
                key = f"answer/{handle}/{question.name}"
                if key not in answers:
                    continue
                judgment = Judgment(
                    topic=context.task.topic,
                    summarizer=context.spec["summaries"][handle],
                    question=question.name,
                    value=answers[key],
                    assessor=context.person,
                    comment=comment,
                    **times.get(key, {}),
                )
                judgments.append(judgment)
                comment = ""
        return judgments

    def is_task_row(self, context: TaskContext, row: Judgment) -> bool:
        """Whether a judgment is its person's, of these summaries, on these questions."""
        questions = {question.name for question in questions_of(context)}
        is_by_person = row.assessor == context.person
        is_first_run = row.run == 1  # people judge one output of each system
        return is_by_person and is_first_run and row.question in questions and context.is_about(row.summarizer)

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Answers given, of all."""
        return len(valid_answers(context, state)), len(context.spec["summaries"]) * len(questions_of(context))

    def initial_state(self, context: TaskContext) -> State:
        """The answers and comments that the campaign already has."""
        handles = {summarizer: handle for handle, summarizer in context.spec["summaries"].items()}
        state: State = {}
        for judgment in self.task_rows(context):
            handle = handles[judgment.summarizer]
            state[f"answer/{handle}/{judgment.question}"] = judgment.value
            if judgment.comment:
                state.setdefault(f"comment/{handle}", judgment.comment)
        return state

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """A task for each pass, with the summaries in an order of its own."""
        for number in campaign.questions.passes:
            seed = (options.seed, assignment.person, assignment.topic, "form", number)
            yield {"pass": number, "summaries": number_handles(shuffle(assignment.summarizers, *seed))}

    def subject(self, spec: Spec) -> Hashable:
        """The pass."""
        number: int | None = spec.get("pass")
        return number

    def reorder(self, task: Task, person: str, seed: int) -> Spec:
        """The summaries in an order of the new person's own."""
        names = list(task.spec["summaries"].values())
        order = shuffle(names, seed, person, task.topic, "form", pass_of(task))
        return {**task.spec, "summaries": number_handles(order)}

    def waits_for_all_topics(self, task: Task) -> bool:
        """Whether it is a late pass: overall responsiveness comes after all topics."""
        return pass_of(task) >= AFTER_ALL_TOPICS

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The judgments, and the same with a row for each summary."""
        return {
            "judgments.csv": pick_fields(campaign.judgments, EXPORTED),
            "judgments-by-summary.csv": _judgments_by_summary(campaign),
        }


def questions_of(context: TaskContext) -> Sequence[Question]:
    """The questions of the task's pass."""
    return context.campaign.questions.passes.get(context.spec["pass"], ())


def valid_answers(context: TaskContext, state: State) -> dict[str, int]:
    """The answers that the campaign asks for now: questions and scales may have changed since they were given."""
    scales = {question.name: question.scale for question in questions_of(context)}
    answers = {}
    for key, value in state.items():
        field, _, rest = key.partition("/")
        handle, _, name = rest.partition("/")
        if field != "answer" or name not in scales or handle not in context.spec["summaries"]:
            continue
        low, high = scales[name]
        if low <= value <= high:
            answers[key] = value
    return answers


def handles_of(context: TaskContext) -> list[str]:
    """The handles of the summaries, in the order in which they are shown."""
    return sorted(context.spec["summaries"], key=int)


def heading(campaign: Campaign, number: int) -> str:
    """What a pass is about: `Pass 2: content responsiveness`."""
    names = [question.name for question in campaign.questions.passes.get(number, ())]
    if not names:
        return f"Pass {number}"
    if number == 1 and set(QUALITIES) <= set(names):
        return f"Pass {number}: linguistic quality"
    if len(names) > 2:
        return f"Pass {number}: {in_words(len(names))} questions"
    return f"Pass {number}: {listed([name.replace('-', ' ') for name in names])}"


def _check_answer(question: Question, value: Any) -> None:
    low, high = question.scale
    if value is None:
        return
    # True is 1 to Python, and no answer.
    if type(value) is not int or not low <= value <= high:
        raise RefusedError(f"{question.name}: {value!r} is not on the scale; choose {low} to {high}")


def _shown_question(question: Question) -> dict[str, Any]:
    low, high = question.scale
    return {
        "name": question.name,
        "text": question.text,
        "required": question.required,
        "values": [{"value": value, "label": question.label_of(value)} for value in range(low, high + 1)],
        "examples": [{"value": example.value, "text": example.text} for example in question.examples],
    }


def _judgments_by_summary(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each summary and assessor, a column for each question: the layout of NIST's tables."""
    names = ("topic", "summarizer", "assessor", "run")
    rows: dict[tuple[str, str, str, int], dict[str, Any]] = {}
    for judgment in campaign.judgments:
        key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.run or 1)
        row = rows.setdefault(key, dict(zip(names, key, strict=True)))
        row[judgment.question] = judgment.value
    yield from rows.values()


TASK_TYPE = FormWork()
