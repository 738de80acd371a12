"""The page of questions: what assessors are asked, on which scale, with which guidelines; with a preview of the form.

What is saved goes to campaign.toml, whose comments stay. Answers that do not fit any more are removed only after
asking, and can be put back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.kinds.topic.routes import SentDraft, forget_draft, read_draft, store_draft
from pyramidion.assess.removals import (
    ask_questions,
    count_rows,
    describe_rows,
    forms_without_questions,
    is_off,
    read_removals,
)
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.assess.web.guide import example_data
from pyramidion.assess.web.moving import refuse, show_confirmation
from pyramidion.assess.web.plan import count_work
from pyramidion.campaign.nouns import Example, Question
from pyramidion.campaign.questions import QuestionSet, check_questions, question_sets
from pyramidion.campaign.settings import FILE
from pyramidion.errors import InputError, UsageError
from pyramidion.files.problems import Problems
from pyramidion.show.wording import counted, listed

router: APIRouter = APIRouter()

DRAFT = ""
"""Where drafts of this page are kept among those of topics, whose numbers are never empty."""
LONGEST_NAME = 60
MOST_VALUES = 101
"""Values of a scale: 0 to 100."""
MOST_PASSES = 9
SET_TITLES = {
    "duc2006": "DUC 2006: five questions about language, then content, then overall responsiveness, 1 to 5",
    "tac2008": "TAC 2008: linguistic quality and overall responsiveness, 1 to 5",
    "tac2009": "TAC 2009: the same, 1 to 10",
}
_NAME = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")
_EXAMPLE = re.compile(r"\s*(-?\d+)\s*:\s*(.*)")


@dataclass(frozen=True, kw_only=True)
class TypedQuestion:
    """A question as the form has it."""

    name: str
    text: str = ""
    low: str = "1"
    high: str = "5"
    labels: str = ""
    """One on each line."""
    pass_number: str = "1"
    required: bool = True
    examples: str = ""
    """VALUE: TEXT, one on each line; lines without a value go on with the example above."""
    removed: bool = False


def typed_question(question: Question) -> TypedQuestion:
    """A question as the form shows it."""
    low, high = question.scale
    return TypedQuestion(
        name=question.name,
        text=question.text,
        low=str(low),
        high=str(high),
        labels="\n".join(question.labels),
        pass_number=str(question.pass_number),
        required=question.required,
        examples="\n".join(f"{example.value:g}: {example.text}" for example in question.examples),
    )


def read_typed(fields: Mapping[str, Any]) -> list[TypedQuestion]:
    """The questions that a form holds; a new one, if it has a name, comes last."""

    def text_of(name: str) -> str:
        return str(fields.get(name, "")).replace("\r\n", "\n").strip()

    typed = []
    place = 0
    while f"name/{place}" in fields:
        typed.append(
            TypedQuestion(
                name=text_of(f"name/{place}"),
                text=text_of(f"text/{place}"),
                low=text_of(f"low/{place}"),
                high=text_of(f"high/{place}"),
                labels=text_of(f"labels/{place}"),
                pass_number=text_of(f"pass/{place}"),
                required=f"required/{place}" in fields,
                examples=text_of(f"examples/{place}"),
                removed=f"remove/{place}" in fields,
            )
        )
        place += 1
    if text_of("new"):
        typed.append(TypedQuestion(name="-".join(text_of("new").split())))
    return typed


def parse_questions(typed: Sequence[TypedQuestion], before: QuestionSet) -> QuestionSet:
    """The questions that a form asks for. A set of the package stays one while all of its questions are there.

    Raises:
        UsageError: if a question can't be asked so.
        InputError: if it breaks a rule of campaign.toml.
    """
    questions = tuple(_parse_question(question, before) for question in typed if not question.removed)
    if not questions:
        raise UsageError("ask at least one question, or no forms can be given out")
    names = [question.name for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"there are two questions {name!r}: choose another name")
    problems = Problems()
    check_questions({question.name: question for question in questions}, problems.at(FILE))
    problems.refuse()
    set_names = [question.name for question in question_sets().get(before.name, ())]
    # A reduced set is a copy: campaign.toml then says all of each question.
    is_whole = set_names == names[: len(set_names)]
    return QuestionSet(questions, before.name if is_whole else "")


def _parse_question(typed: TypedQuestion, before: QuestionSet) -> Question:
    known = before.get(typed.name)
    if known is None and (not _NAME.fullmatch(typed.name) or len(typed.name) > LONGEST_NAME):
        raise UsageError(
            f"a question can't be called {typed.name!r}: use letters and digits, joined by hyphens, such as focus"
        )
    low, high = (
        _parse_number(typed.name, what, text) for what, text in (("lowest", typed.low), ("highest", typed.high))
    )
    if not 1 < high - low + 1 <= MOST_VALUES:
        raise UsageError(
            f"{typed.name}: a scale from {low} to {high}; give 2 to {MOST_VALUES} values, the lowest first"
        )
    pass_number = _parse_number(typed.name, "pass", typed.pass_number)
    if not 1 <= pass_number <= MOST_PASSES:
        raise UsageError(f"{typed.name}: pass {pass_number}; choose 1 to {MOST_PASSES}")
    question = Question(name=typed.name) if known is None else known
    return msgspec.structs.replace(
        question,
        text=typed.text,
        scale=(low, high),
        labels=tuple(label.strip() for label in typed.labels.splitlines() if label.strip()),
        pass_number=pass_number,
        required=typed.required,
        examples=_parse_examples(typed),
    )


def _parse_number(name: str, what: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{name}: {text!r} as the {what} value is no whole number") from None


def _parse_examples(typed: TypedQuestion) -> tuple[Example, ...]:
    """The examples of a question; a line without a value goes on with the example above it."""
    examples: list[tuple[int, list[str]]] = []
    for line in typed.examples.splitlines():
        if match := _EXAMPLE.fullmatch(line):
            examples.append((int(match[1]), [match[2]]))
        elif examples:
            examples[-1][1].append(line)
        elif line.strip():
            raise UsageError(f"{typed.name}: begin each example with its value and a colon, such as “5: No error.”")
    return tuple(Example(value=value, text="\n".join(lines).strip()) for value, lines in examples)


# The pages


async def _form_of(request: Request) -> FormData:
    return await request.form()


Fields = Annotated[FormData, Depends(_form_of)]


@router.get("/questions", response_class=HTMLResponse)
def questions_page(visit: Organiser) -> HTMLResponse:
    """All questions, as a form."""
    return _show_page(visit, [typed_question(question) for question in visit.assessment.base.questions])


@router.post("/questions", response_model=None)
def change(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Save the questions, after asking if answers would be lost."""
    typed = read_typed(fields)
    try:
        questions = parse_questions(typed, visit.assessment.base.questions)
    except (UsageError, InputError) as error:
        return _show_page(visit, typed, problem=str(error))
    if sentences := _what_is_lost(visit.assessment, questions):
        confirmed = str(fields.get("confirmed", ""))
        if confirmed != sentences[0]:
            sent = {name: str(value) for name, value in fields.items() if name not in ("csrf", "confirmed")}
            return _confirm(visit, sentences, "/questions", sent)
    forget_draft(visit.assessment, visit.person, DRAFT, str(fields.get("draft", "")))
    return _save(visit, questions)


@router.post("/api/questions/draft")
def keep_typed(visit: Organiser, sent: SentDraft) -> dict[str, bool]:
    """Keep what is being typed about questions, until it is saved."""
    store_draft(visit.assessment, visit.person, DRAFT, sent.draft.model_dump() if sent.draft else None)
    return {"kept": True}


@router.post("/questions/set", response_model=None)
def use_set(
    visit: Organiser, name: Annotated[str, Form()], confirmed: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Ask the questions of a set, instead of those that are asked now; after asking."""
    if name not in question_sets():
        raise HTTPException(404, "there is no such set of questions")
    questions = QuestionSet.named(name)
    asked = list(visit.assessment.base.questions)
    sentences = _what_is_lost(visit.assessment, questions)
    if not sentences and asked:
        sentences = [f"{counted(len(asked), 'question')} with their wording are replaced by those of {name}."]
    if sentences and confirmed != sentences[0]:
        return _confirm(visit, sentences, "/questions/set", {"name": name})
    return _save(visit, questions)


@router.post("/questions/preview", response_class=HTMLResponse)
def preview(visit: Organiser, fields: Fields, number: int = 1) -> HTMLResponse:
    """The form of a pass as assessors will see it, with the questions as they are typed; nothing is stored."""
    try:
        questions = parse_questions(read_typed(fields), visit.assessment.base.questions)
    except (UsageError, InputError) as error:
        return refuse(visit, "/questions", str(error))
    if number not in questions.passes:
        return refuse(visit, "/questions", f"no question is in pass {number}")
    data = example_data("form", questions=questions, pass_number=number)
    assert data is not None
    task = Task(id=data["task"]["id"], kind="form", topic=data["task"]["topic"], person=visit.person.id)
    heading = f"Preview: {data['task']['title']}"
    data["task"] |= {"title": heading, "practice": False}
    return visit.page("task.html", task=task, page=TASK_TYPES["form"].page, heading=heading, task_data=data)


def _save(visit: Visit, questions: QuestionSet) -> HTMLResponse | RedirectResponse:
    try:
        removal = ask_questions(visit.assessment, visit.person, questions)
    except InputError as error:
        return refuse(visit, "/questions", str(error))
    visit.record("questions", "answers removed" if removal else "")
    return RedirectResponse("/questions?saved=yes", 303)


def _what_is_lost(assessment: Assessment, questions: QuestionSet) -> list[str]:
    """What other questions would remove; nothing if all answers fit."""
    counts = count_rows(assessment.campaign, is_off(questions))
    forms = forms_without_questions(assessment, questions)
    sentences = []
    if counts:
        names = {question.name for question in questions}
        gone = [question.name for question in assessment.base.questions if question.name not in names]
        reason = "because they are off the new scales"
        if gone:
            reason = f"because {listed(gone)} will not be asked any more"
        verb = "leaves" if counts.total() == 1 else "leave"
        sentences.append(f"{describe_rows(counts)} {verb} the data, {reason}.")
    if forms:
        verb = "is" if len(forms) == 1 else "are"
        sentences.append(f"{count_work(len(forms))} without any question left {verb} taken back.")
    if sentences:
        sentences.append("All of it is kept in the folder “removed” of the campaign, and can be put back on this page.")
    return sentences


def _confirm(visit: Visit, sentences: Sequence[str], action: str, fields: Mapping[str, str]) -> HTMLResponse:
    return show_confirmation(
        visit,
        title="Change the questions?",
        sentences=sentences,
        action=action,
        button="Change the questions",
        back="/questions",
        fields={**fields, "confirmed": sentences[0]},
    )


def _show_page(visit: Visit, typed: Sequence[TypedQuestion], problem: str = "") -> HTMLResponse:
    assessment = visit.assessment
    answers = dict.fromkeys((question.name for question in assessment.base.questions), 0)
    for judgment in assessment.campaign.judgments:
        if judgment.question in answers:
            answers[judgment.question] += 1
    passes = sorted({question.pass_number for question in typed if question.pass_number.isdigit()})
    return visit.page(
        "questions.html",
        problem=problem,
        draft=read_draft(assessment, visit.person, DRAFT),
        questions=typed,
        answers=answers,
        passes=passes or ["1"],
        set_name=assessment.base.questions.name,
        sets=SET_TITLES,
        saved="saved" in visit.request.query_params,
        removals=read_removals(assessment, "question"),
    )
