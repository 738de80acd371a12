"""People and invitations: who takes part, in which role, and the links that let them in."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.exc import IntegrityError

from pyramidion.assess.routes.access import Organiser, Visit
from pyramidion.assess.store.people import INVITATION_DAYS, Person, Role

router: APIRouter = APIRouter()

LONGEST_NAME = 60


@router.get("/people", response_class=HTMLResponse)
def people(visit: Organiser) -> HTMLResponse:
    """Everybody, and a form to invite someone."""
    return _page(visit)


@router.post("/people", response_class=HTMLResponse)
def add(visit: Organiser, name: Annotated[str, Form()], role: Annotated[Role, Form()]) -> HTMLResponse:
    """Invite someone new: the page shows the link, once."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        return _page(visit, problem=f"A name has 1 to {LONGEST_NAME} characters, without control characters.")
    try:
        person = visit.the.people.add(name, role)
    except IntegrityError:
        return _page(visit, problem=f"There is already someone called {name}.")
    visit.record("person added", f"{name} as {role}")
    return _invited(visit, person)


@router.post("/people/{id}/invite", response_class=HTMLResponse)
def invite(visit: Organiser, id: str) -> HTMLResponse:
    """A new link for someone who lost theirs, or forgot the password."""
    return _invited(visit, _person(visit, id))


@router.post("/people/{id}/role")
def change_role(visit: Organiser, id: str, role: Annotated[Role, Form()]) -> RedirectResponse:
    """Give someone another role."""
    person = _other(visit, id)
    visit.the.people.change(person.id, role=role)
    visit.record("role changed", f"{person.name}: {person.role} to {role}")
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/active")
def change_activity(visit: Organiser, id: str, active: Annotated[bool, Form()]) -> RedirectResponse:
    """Let someone in again, or no longer; their work stays."""
    person = _other(visit, id)
    visit.the.people.change(person.id, active=active)
    visit.record("person let in" if active else "person shut out", person.name)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/sign-out", response_model=None)
def sign_out(visit: Organiser, id: str) -> HTMLResponse | RedirectResponse:
    """End all sessions of someone, on every device."""
    person = _person(visit, id)
    if person.id == visit.person.id and not person.password:
        return _page(visit, problem="You have no password: set a password first (click on your name), to get in again.")
    visit.the.people.sign_out(person=person.id)
    visit.record("sessions ended", person.name)
    return RedirectResponse("/people", 303)


def _page(visit: Visit, *, problem: str = "", link: str = "", invited: str = "") -> HTMLResponse:
    work = visit.the.work.tasks(withdrawn=False)
    given = Counter(task.person for task in work)
    done = Counter(task.person for task in work if task.done)
    rows = [{"person": one, "tasks": given[one.id], "done": done[one.id]} for one in visit.the.people.all()]
    values = {"rows": rows, "days": INVITATION_DAYS, "link": link, "invited": invited}
    return visit.page("people.html", problem=problem, **values)


def _invited(visit: Visit, person: Person) -> HTMLResponse:
    token = visit.the.people.invite(person.id)
    visit.record("invitation", person.name)
    address = visit.request.app.state.address or str(visit.request.base_url).rstrip("/")
    return _page(visit, link=f"{address}/join/{token}", invited=person.name)


def _person(visit: Visit, id: str) -> Person:
    person = visit.the.people.find(id=id)
    if person is None:
        raise HTTPException(404, "there is no such person")
    return person


def _other(visit: Visit, id: str) -> Person:
    """Someone else: organisers can't lock themselves out."""
    if id == visit.person.id:
        raise HTTPException(422, "ask another organiser to change your own role")
    return _person(visit, id)
