"""People and invitations: who takes part, in which role, and the links that let them in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.exc import IntegrityError

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.pages import render
from pyramidion.assess.routes.access import Organiser, The
from pyramidion.assess.store.people import INVITATION_DAYS, Person, Role, Session

router: APIRouter = APIRouter()

LONGEST_NAME = 60


@router.get("/people", response_class=HTMLResponse)
def people(request: Request, session: Organiser, the: The) -> HTMLResponse:
    """Everybody, and a form to invite someone."""
    return _page(request, session, the)


@router.post("/people", response_class=HTMLResponse)
def add(
    request: Request, session: Organiser, the: The, name: Annotated[str, Form()], role: Annotated[Role, Form()]
) -> HTMLResponse:
    """Invite someone new: the page shows the link, once."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        problem = f"A name has 1 to {LONGEST_NAME} characters, without control characters."
        return _page(request, session, the, status=422, problem=problem)
    try:
        person = the.people.add(name, role)
    except IntegrityError:
        return _page(request, session, the, status=422, problem=f"There is already someone called {name}.")
    the.people.record("person added", f"{name} as {role}", person=session.person.id)
    return _invited(request, session, the, person)


@router.post("/people/{id}/invite", response_class=HTMLResponse)
def invite(request: Request, session: Organiser, the: The, id: str) -> HTMLResponse:
    """A new link for someone who lost theirs, or forgot the password."""
    return _invited(request, session, the, _person(the, id))


@router.post("/people/{id}/role")
def change_role(session: Organiser, the: The, id: str, role: Annotated[Role, Form()]) -> RedirectResponse:
    """Give someone another role."""
    person = _other(the, session, id)
    the.people.change(person.id, role=role)
    the.people.record("role changed", f"{person.name}: {person.role} to {role}", person=session.person.id)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/active")
def change_activity(session: Organiser, the: The, id: str, active: Annotated[bool, Form()]) -> RedirectResponse:
    """Let someone in again, or no longer; their work stays."""
    person = _other(the, session, id)
    the.people.change(person.id, active=active)
    the.people.record("person let in" if active else "person shut out", person.name, person=session.person.id)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/sign-out")
def sign_out(session: Organiser, the: The, id: str) -> RedirectResponse:
    """End all sessions of someone, on every device."""
    person = _person(the, id)
    the.people.sign_out(person=person.id)
    the.people.record("sessions ended", person.name, person=session.person.id)
    return RedirectResponse("/people", 303)


def _page(
    request: Request, session: Session, the: Assessment, *, status: int = 200, problem: str = "", **shown: str
) -> HTMLResponse:
    work = the.work.tasks(withdrawn=False)
    given = {person.id: [task for task in work if task.person == person.id] for person in the.people.all()}
    rows = [
        {"person": one, "tasks": len(given[one.id]), "done": sum(task.done for task in given[one.id])}
        for one in the.people.all()
    ]
    values = {"link": "", "invited": "", **shown}
    return render(
        request, "people.html", session, status=status, rows=rows, problem=problem, days=INVITATION_DAYS, **values
    )


def _invited(request: Request, session: Session, the: Assessment, person: Person) -> HTMLResponse:
    token = the.people.invite(person.id)
    the.people.record("invitation", person.name, person=session.person.id)
    address = request.app.state.address or str(request.base_url).rstrip("/")
    return _page(request, session, the, link=f"{address}/join/{token}", invited=person.name)


def _person(the: Assessment, id: str) -> Person:
    person = the.people.find(id=id)
    if person is None:
        raise HTTPException(404, "there is no such person")
    return person


def _other(the: Assessment, session: Session, id: str) -> Person:
    """Someone else: organisers can't lock themselves out."""
    if id == session.person.id:
        raise HTTPException(422, "ask another organiser to change your own role")
    return _person(the, id)
