"""Practice and norming rounds: the organiser starts them, assessors see what they led to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess import practice
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.pages import render
from pyramidion.assess.routes.access import Organiser, The, Worker
from pyramidion.assess.store.people import Session
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()


@router.get("/practice", response_class=HTMLResponse)
def practice_page(request: Request, session: Organiser, the: The) -> HTMLResponse:
    """All rounds, and a form for a new one."""
    return _page(request, session, the)


@router.post("/practice", response_model=None)
def create_round(
    request: Request,
    session: Organiser,
    the: The,
    sort: Annotated[practice.Sort, Form()],
    topic: Annotated[str, Form()],
    number: Annotated[int, Form()],
) -> HTMLResponse | RedirectResponse:
    """Start a round."""
    try:
        one = practice.create(the, session.person, sort=sort, topic=topic, number=number)
    except UsageError as error:
        return _page(request, session, the, problem=str(error))
    the.people.record(f"{one.sort} round", f"topic {topic}", person=session.person.id)
    return RedirectResponse("/practice", 303)


@router.post("/practice/{id}/publish", response_model=None)
def publish_round(request: Request, id: str, session: Organiser, the: The) -> HTMLResponse | RedirectResponse:
    """Give a round to all assessors who do not have it yet."""
    one = practice.round_of(the, id)
    if one is None:
        raise HTTPException(404, "there is no such round")
    try:
        practice.publish(the, one)
    except UsageError as error:
        return _page(request, session, the, problem=str(error))
    return RedirectResponse("/practice", 303)


@router.get("/norming/{id}", response_class=HTMLResponse)
def norming_page(request: Request, id: str, session: Worker, the: The) -> HTMLResponse:
    """Everyone's answers, without names, for those who have handed in their own."""
    one = practice.round_of(the, id)
    if one is None or one.sort != "norming" or not practice.may_see(the, one, session.person):
        raise HTTPException(404, "there is no such round, or you have not handed in your answers yet")
    result = practice.norming(the, one, session.person)
    tables = (
        [table for table in result.agreement.tables() if table.record == "question-alpha"] if result.agreement else []
    )
    return render(request, "norming.html", session, round=one, result=result, tables=tables)


def _page(request: Request, session: Session, the: Assessment, problem: str = "") -> HTMLResponse:
    listed = []
    for one in practice.rounds(the):
        tasks = practice.tasks_of(the, one)
        given = [task for task in tasks if not task.spec.get(practice.KEY)]
        key = next((task for task in tasks if task.spec.get(practice.KEY) and not task.done), None)
        people = {task.person for task in given}
        done = [who for who in people if all(task.done for task in given if task.person == who)]
        listed.append({"round": one, "key": key, "people": len(people), "done": len(done)})
    campaign = the.campaign
    counts = {id: len(campaign.topic(id, peers="all").peers) for id in campaign.topic_ids}
    return render(
        request,
        "practice.html",
        session,
        status=422 if problem else 200,
        problem=problem,
        rounds=listed,
        topics=[(id, counts[id]) for id in campaign.topic_ids if counts[id]],
    )
