"""The assignment plan: options, the plan as a table, changes by hand, taking it, and giving up someone's work."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pyramidion.assess import planning
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.registry import KINDS as WORK
from pyramidion.assess.pages import render
from pyramidion.assess.plan import Assignment, PlanOptions
from pyramidion.assess.plan.drawing import DESIGNS, KINDS, UNITS
from pyramidion.assess.routes.access import Organiser, The
from pyramidion.assess.store.people import Session
from pyramidion.errors import UsageError
from pyramidion.wording import counted

router: APIRouter = APIRouter()

DESIGN_TITLES = {
    "one": "One assessor for all summaries of a topic",
    "crossed": "Several assessors for each summary (for agreement)",
    "twice": "One assessor, and a drawn share judged twice",
}


async def form_of(request: Request) -> FormData:
    """All fields of a form."""
    return await request.form()


Fields = Annotated[FormData, Depends(form_of)]


@router.get("/plan", response_class=HTMLResponse)
def plan_page(request: Request, session: Organiser, the: The) -> HTMLResponse:
    """Options, the plan that was drawn, and what was given out so far."""
    return _page(request, session, the)


@router.post("/plan/draw", response_model=None)
def draw_plan(request: Request, session: Organiser, the: The, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Draw a plan by these options."""
    try:
        planning.draw_draft(the, _options(fields, the))
    except UsageError as error:
        return _page(request, session, the, problem=str(error))
    return RedirectResponse("/plan#drawn", 303)


@router.post("/plan/change", response_model=None)
def change_plan(request: Request, session: Organiser, the: The, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Keep the changes made by hand; with `take`, give out the work."""
    found = planning.draft(the)
    if found is None:
        return RedirectResponse("/plan", 303)
    options, assignments = found
    changed = [replace(one, person=str(fields.get(f"person/{at}", one.person))) for at, one in enumerate(assignments)]
    if problem := _repeated(changed):
        return _page(request, session, the, problem=problem)
    planning.keep_draft(the, options, [one for one in changed if one.person])
    if "take" in fields:
        try:
            number = planning.take(the, options, [one for one in changed if one.person])
        except UsageError as error:
            return _page(request, session, the, problem=str(error))
        the.people.record("plan taken", counted(number, "piece of work", "pieces of work"), person=session.person.id)
    return RedirectResponse("/plan", 303)


@router.post("/plan/drop")
def drop_plan(session: Organiser, the: The) -> RedirectResponse:  # noqa: ARG001  # only organisers may
    """Forget the plan that was drawn."""
    planning.drop_draft(the)
    return RedirectResponse("/plan", 303)


@router.post("/plan/leave", response_model=None)
def leave(request: Request, session: Organiser, the: The, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Give the open work of someone to others."""
    person = the.people.find(id=str(fields.get("person", "")))
    if person is None:
        raise HTTPException(404, "there is no such person")
    try:
        number = planning.leave(the, person)
    except UsageError as error:
        return _page(request, session, the, problem=str(error))
    the.people.record("work given to others", f"{number} of {person.name}", person=session.person.id)
    return RedirectResponse("/plan", 303)


def _page(request: Request, session: Session, the: Assessment, problem: str = "") -> HTMLResponse:
    found = planning.draft(the)
    options, assignments = found or (planning.options_so_far(the), [])
    people = [one.name for one in planning.workers(the)]
    tasks = [one for one in the.work.tasks(practice=False) if not one.withdrawn and one.kind != "topic"]
    campaign = the.campaign
    teams = {id: one.organisation for id, one in campaign.summarizers.items()}
    return render(
        request,
        "plan.html",
        session,
        status=422 if problem else 200,
        problem=problem,
        options=options,
        kinds=[(kind, WORK[kind].title) for kind in KINDS if kind in WORK],
        titles={kind: one.title for kind, one in WORK.items()},
        designs=[(design, DESIGN_TITLES[design]) for design in DESIGNS],
        units=UNITS,
        summarizers=[
            (id, campaign.name_of(id), campaign.kind_of(id), teams.get(id, "")) for id in campaign.summarizer_ids
        ],
        topic_titles={topic.topic: topic.title for topic in campaign.topics},
        people=people,
        workers=planning.workers(the),
        drawn=list(enumerate(assignments)),
        loads=[(name, Counter(one.kind for one in assignments if one.person == name)) for name in people],
        open_work=Counter(task.person for task in tasks if not task.done),
        all_work=Counter(task.person for task in tasks),
    )


def _repeated(assignments: list[Assignment]) -> str:
    seen: set[tuple[str, str, str]] = set()
    for one in assignments:
        key = (one.kind, one.topic, one.person)
        if one.person and key in seen:
            return f"{one.person} has the same work on topic {one.topic} twice: choose someone else for one of them"
        seen.add(key)
    return ""


def _options(fields: FormData, the: Assessment) -> PlanOptions:
    def number(name: str) -> int:
        try:
            return int(str(fields.get(name, "")))
        except ValueError:
            raise UsageError(f"{name.replace('_', ' ')}: {fields.get(name)!r} is not a whole number") from None

    try:
        share = float(str(fields.get("share", ""))) / 100
    except ValueError:
        raise UsageError(f"share: {fields.get('share')!r} is not a number") from None
    judged = set(map(str, fields.getlist("judged")))
    return PlanOptions(
        kinds=tuple(map(str, fields.getlist("kinds"))),
        design=str(fields.get("design", "one")),  # type: ignore[arg-type]
        assessors=number("assessors"),
        share=share,
        writers=number("writers"),
        pairs=number("pairs"),
        informative="informative" in fields,
        light="light" in fields,
        non_matching="non_matching" in fields,
        units=str(fields.get("units", "clauses")),  # type: ignore[arg-type]
        runs_of_a_team=number("runs_of_a_team"),
        left_out=tuple(id for id in the.campaign.summarizer_ids if id not in judged),
        seed=number("seed"),
    )
