"""Practice and norming rounds: the organiser starts them, assessors see what they led to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess import practice
from pyramidion.assess.web.access import Organiser, Visit, Worker
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()


@router.get("/practice", response_class=HTMLResponse)
def practice_page(visit: Organiser) -> HTMLResponse:
    """All rounds, and a form for a new one."""
    return _page(visit)


@router.post("/practice", response_model=None)
def create_round(
    visit: Organiser,
    sort: Annotated[practice.Sort, Form()],
    topic: Annotated[str, Form()],
    number: Annotated[int, Form()],
) -> HTMLResponse | RedirectResponse:
    """Start a round."""
    try:
        one = practice.create(visit.assessment, visit.person, sort=sort, topic=topic, number=number)
    except UsageError as error:
        return _page(visit, problem=str(error))
    visit.record(f"{one.sort} round", f"topic {topic}")
    return RedirectResponse("/practice", 303)


@router.post("/practice/{id}/publish", response_model=None)
def publish_round(visit: Organiser, id: str) -> HTMLResponse | RedirectResponse:
    """Give a round to all assessors who do not have it yet."""
    one = practice.round_of(visit.assessment, id)
    if one is None:
        raise HTTPException(404, "there is no such round")
    try:
        practice.publish(visit.assessment, one)
    except UsageError as error:
        return _page(visit, problem=str(error))
    return RedirectResponse("/practice", 303)


@router.get("/norming/{id}", response_class=HTMLResponse)
def norming_page(visit: Worker, id: str) -> HTMLResponse:
    """Everyone's answers, without names, for those who have handed in their own."""
    one = practice.round_of(visit.assessment, id)
    if one is None or one.sort != "norming" or not practice.may_see(visit.assessment, one, visit.person):
        raise HTTPException(404, "there is no such round, or you have not handed in your answers yet")
    result = practice.norming(visit.assessment, one, visit.person)
    tables = (
        [table for table in result.agreement.tables() if table.record == "question-alpha"] if result.agreement else []
    )
    return visit.page("norming.html", round=one, result=result, tables=tables)


def _page(visit: Visit, problem: str = "") -> HTMLResponse:
    listed = []
    for one in practice.rounds(visit.assessment):
        tasks = practice.tasks_of(visit.assessment, one)
        given = [task for task in tasks if not task.spec.get(practice.KEY)]
        key = next((task for task in tasks if task.spec.get(practice.KEY) and not task.done), None)
        people = {task.person for task in given}
        done = [who for who in people if all(task.done for task in given if task.person == who)]
        listed.append({"round": one, "key": key, "people": len(people), "done": len(done)})
    counts = {one.topic.topic: len(one.peers) for one in visit.assessment.campaign.each_topic(peers="all")}
    topics = [(id, count) for id, count in counts.items() if count]
    return visit.page("practice.html", problem=problem, rounds=listed, topics=topics)
