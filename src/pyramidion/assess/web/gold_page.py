"""The page of gold items: which they are, whether assessors get feedback, and what they show about people."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.gold import (
    GoldItem,
    add_gold,
    gives_feedback,
    gold_answers,
    gold_records,
    let_see,
    read_gold,
    remove_gold,
)
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()

LONGEST_COMMENT = 1_000


@router.get("/dashboard/gold", response_class=HTMLResponse)
def gold_page(visit: Organiser) -> HTMLResponse:
    """All items, and what assessors answered about them."""
    return _show_page(visit)


@router.post("/dashboard/gold", response_model=None)
def add(
    visit: Organiser,
    topic: Annotated[str, Form()],
    summarizer: Annotated[str, Form()],
    question: Annotated[str, Form()],
    low: Annotated[int, Form()],
    high: Annotated[int, Form()],
    comment: Annotated[str, Form(max_length=LONGEST_COMMENT)] = "",
    attention: Annotated[bool, Form()] = False,
) -> HTMLResponse | RedirectResponse:
    """Add an item."""
    item = GoldItem(
        topic=topic,
        summarizer=summarizer,
        question=question,
        low=low,
        high=high,
        comment=comment.strip(),
        is_attention=attention,
    )
    try:
        add_gold(visit.assessment, item)
    except UsageError as error:
        return _show_page(visit, problem=str(error))
    visit.record("gold item", f"topic {topic}, {question}")
    return RedirectResponse("/dashboard/gold", 303)


@router.post("/dashboard/gold/remove")
def remove(
    visit: Organiser,
    topic: Annotated[str, Form()],
    summarizer: Annotated[str, Form()],
    question: Annotated[str, Form()],
) -> RedirectResponse:
    """Forget an item; the answers stay."""
    remove_gold(visit.assessment, (topic, summarizer, question))
    visit.record("gold item removed", f"topic {topic}, {question}")
    return RedirectResponse("/dashboard/gold", 303)


@router.post("/dashboard/gold/feedback")
def change_feedback(visit: Organiser, feedback: Annotated[bool, Form()] = False) -> RedirectResponse:
    """Show the right answers once a form is handed in, or never."""
    let_see(visit.assessment, feedback)
    visit.record("gold feedback", "on" if feedback else "off")
    return RedirectResponse("/dashboard/gold", 303)


def _show_page(visit: Visit, problem: str = "") -> HTMLResponse:
    assessment = visit.assessment
    campaign = assessment.campaign
    answers = gold_answers(assessment)
    given = Counter(answer.item.key for answer in answers)
    right = Counter(answer.item.key for answer in answers if not answer.distance)
    return visit.page(
        "gold.html",
        problem=problem,
        items=[(item, right[item.key], given[item.key]) for item in read_gold(assessment)],
        records=gold_records(assessment, answers),
        feedback=gives_feedback(assessment),
        topics=campaign.topic_ids,
        summarizers=campaign.summarizer_ids,
        questions=[(question.name, question.scale) for question in campaign.questions],
    )
