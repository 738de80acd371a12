"""The assignment plan: options, the plan as a table, changes by hand, taking it, and giving up someone's work."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pyramidion.assess import planning
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.registry import KINDS as WORK
from pyramidion.assess.plan import Assignment, PlanOptions
from pyramidion.assess.plan.drawing import DESIGNS, KINDS, UNITS
from pyramidion.assess.routes.access import Organiser, Visit
from pyramidion.errors import UsageError
from pyramidion.show.wording import counted

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
def plan_page(visit: Organiser, given: int | None = None, known: int = 0) -> HTMLResponse:
    """Options, the plan that was drawn, and what was given out so far; `given` pieces of work a moment ago."""
    return _page(visit, outcome="" if given is None else _say_given(given, known))


@router.post("/plan/draw", response_model=None)
def draw_plan(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Draw a plan by these options."""
    try:
        planning.draw_draft(visit.the, _options(fields, visit.the))
    except UsageError as error:
        return _page(visit, problem=str(error))
    return RedirectResponse("/plan#drawn", 303)


@router.post("/plan/change", response_model=None)
def change_plan(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Keep the changes made by hand; with `take`, give out the work."""
    found = planning.draft(visit.the)
    if found is None:
        return RedirectResponse("/plan", 303)
    options, assignments = found
    changed = [replace(one, person=str(fields.get(f"person/{at}", one.person))) for at, one in enumerate(assignments)]
    if problem := _repeated(changed):
        return _page(visit, problem=problem)
    planning.keep_draft(visit.the, options, [one for one in changed if one.person])
    if "take" in fields:
        try:
            work = planning.take(visit.the, options, [one for one in changed if one.person])
        except UsageError as error:
            return _page(visit, problem=str(error))
        visit.record("plan taken", _pieces(len(work.tasks)))
        return RedirectResponse(f"/plan?given={len(work.tasks)}&known={work.known}", 303)
    return RedirectResponse("/plan", 303)


@router.post("/plan/drop")
def drop_plan(visit: Organiser) -> RedirectResponse:
    """Forget the plan that was drawn."""
    planning.drop_draft(visit.the)
    return RedirectResponse("/plan", 303)


@router.post("/plan/leave", response_model=None)
def leave(visit: Organiser, fields: Fields) -> HTMLResponse | RedirectResponse:
    """Give the open work of someone to others."""
    person = visit.the.people.find(id=str(fields.get("person", "")))
    if person is None:
        raise HTTPException(404, "there is no such person")
    try:
        number = planning.leave(visit.the, person)
    except UsageError as error:
        return _page(visit, problem=str(error))
    visit.record("work given to others", f"{number} of {person.name}")
    return RedirectResponse("/plan", 303)


def _pieces(number: int) -> str:
    return counted(number, "piece of work", "pieces of work")


def _say_given(given: int, known: int) -> str:
    """What became of a plan that was activated."""
    if not given:
        return f"Nothing was given out: {_say_known(known)}"
    already = f" People already had the other {_pieces(known)} of this plan." if known else ""
    return f"{_pieces(given)} {'was' if given == 1 else 'were'} given out.{already}"


def _say_known(known: int) -> str:
    """Why a plan gives out nothing."""
    if not known:
        return "this plan has no work in it."
    whole = "the only piece of work" if known == 1 else f"all {_pieces(known)}"
    return f"people already have {whole} of this plan. To give out more, choose another kind of work or more assessors."


def _foresee(the: Assessment, options: PlanOptions, assignments: list[Assignment]) -> str:
    """What activating the plan that was drawn would do, where some of its work was given out before."""
    try:
        work = planning.new_work(the, options, [one for one in assignments if one.person])
    except UsageError as error:
        return f"This plan can't be activated: {error}."
    if not work.tasks:
        return f"Activating this plan gives out nothing: {_say_known(work.known)}"
    told = []
    if work.known:
        told.append(f"{len(work.tasks)} of {_pieces(len(work.tasks) + work.known)} are new: people have the others.")
    if work.shortened:
        told.append(f"{_pieces(work.shortened)} will list only the summaries that their assessor has not got yet.")
    return " ".join(told)


def _page(visit: Visit, problem: str = "", outcome: str = "") -> HTMLResponse:
    the = visit.the
    found = planning.draft(the)
    options, assignments = found or (planning.options_so_far(the), [])
    people = [one.name for one in planning.workers(the)]
    tasks = the.work.given_out(practice=False)
    campaign = the.campaign
    teams = {id: one.organisation for id, one in campaign.summarizers.items()}
    return visit.page(
        "plan.html",
        problem=problem,
        outcome=outcome,
        foreseen=_foresee(the, options, assignments) if found else "",
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
    def number(name: str, kind: type[float] = int, what: str = "a whole number") -> Any:
        try:
            return kind(str(fields.get(name, "")))
        except ValueError:
            raise UsageError(f"{name.replace('_', ' ')}: {fields.get(name)!r} is not {what}") from None

    judged = set(map(str, fields.getlist("judged")))
    return PlanOptions(
        kinds=tuple(map(str, fields.getlist("kinds"))),
        design=str(fields.get("design", "one")),  # type: ignore[arg-type]
        share=number("share", float, "a number") / 100,
        units=str(fields.get("units", "clauses")),  # type: ignore[arg-type]
        left_out=tuple(id for id in the.campaign.summarizer_ids if id not in judged),
        **{name: name in fields for name in ("informative", "light", "non_matching")},
        **{name: number(name) for name in ("assessors", "writers", "pairs", "runs_of_a_team", "seed")},
    )
