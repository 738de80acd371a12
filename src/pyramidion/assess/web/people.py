"""People and invitations: who takes part, in which role, and the links that let them in."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.exc import IntegrityError

from pyramidion.assess.person_names import check_name, name_problems, propose_name, rename
from pyramidion.assess.store.people import INVITATION_DAYS, Person, Role
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.errors import UsageError

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
    try:
        _check_characters(name)
        check_name(visit.assessment, name)
        person = visit.assessment.people.add(name, role)
    except UsageError as error:
        return _page(visit, problem=str(error), proposal=_proposal(visit, name))
    except IntegrityError:  # added by someone else since it was checked
        return _page(visit, problem=f"There is already someone called {name}.")
    visit.record("person added", f"{name} as {role}")
    return _invited(visit, person)


@router.post("/people/{id}/invite", response_class=HTMLResponse)
def invite(visit: Organiser, id: str) -> HTMLResponse:
    """A new link for someone who lost theirs, or forgot the password."""
    return _invited(visit, _person(visit, id))


@router.post("/people/{id}/name", response_class=HTMLResponse)
def change_name(visit: Organiser, id: str, name: Annotated[str, Form()]) -> HTMLResponse:
    """Give someone who is called like a system another name; they sign in with it and their password."""
    person = _other(visit, id)
    name = " ".join(name.split())
    try:
        _check_characters(name)
        successor = rename(visit.assessment, person, name)
    except UsageError as error:
        return _page(visit, problem=str(error))
    visit.record("name changed", f"{person.name} to {name}")
    visit.assessment.on_change()
    return _page(
        visit, done=f"{person.name} is called {successor.name} now, signs in with this name, and has all the work."
    )


@router.post("/people/{id}/role")
def change_role(visit: Organiser, id: str, role: Annotated[Role, Form()]) -> RedirectResponse:
    """Give someone another role."""
    person = _other(visit, id)
    visit.assessment.people.change(person.id, role=role)
    visit.record("role changed", f"{person.name}: {person.role} to {role}")
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/active")
def change_activity(visit: Organiser, id: str, active: Annotated[bool, Form()]) -> RedirectResponse:
    """Let someone in again, or no longer; their work stays."""
    person = _other(visit, id)
    visit.assessment.people.change(person.id, active=active)
    visit.record("person let in" if active else "person shut out", person.name)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/sign-out", response_model=None)
def sign_out(visit: Organiser, id: str) -> HTMLResponse | RedirectResponse:
    """End all sessions of someone, on every device."""
    person = _person(visit, id)
    if person.id == visit.person.id and not person.password:
        return _page(visit, problem="You have no password: set a password first (click on your name), to get in again.")
    visit.assessment.people.sign_out(person=person.id)
    visit.record("sessions ended", person.name)
    return RedirectResponse("/people", 303)


def _page(
    visit: Visit, *, problem: str = "", link: str = "", invited: str = "", proposal: str = "", done: str = ""
) -> HTMLResponse:
    work = visit.assessment.work.tasks(withdrawn=False)
    tasks = Counter(task.person for task in work)
    handed_in = Counter(task.person for task in work if task.done)
    everybody = visit.assessment.people.all()
    reasons = name_problems(visit.assessment)
    rows = []
    misnamed = []
    for person in everybody:
        rows.append({"person": person, "tasks": tasks[person.id], "done": handed_in[person.id]})
        if person.id in reasons:
            proposal_for_person = propose_name(visit.assessment, person.name)
            misnamed.append({"person": person, "reason": reasons[person.id], "proposal": proposal_for_person})
    values = {"rows": rows, "days": INVITATION_DAYS, "link": link, "invited": invited, "misnamed": misnamed}
    return visit.page("people.html", problem=problem, proposal=proposal, outcome=done, **values)


def _check_characters(name: str) -> None:
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A name has 1 to {LONGEST_NAME} characters, without control characters.")


def _proposal(visit: Visit, name: str) -> str:
    """A name to go on with in the form; none where the name itself can't be held."""
    proposal = propose_name(visit.assessment, name)
    return proposal if name and len(proposal) <= LONGEST_NAME and name.isprintable() else ""


def _invited(visit: Visit, person: Person) -> HTMLResponse:
    token = visit.assessment.people.invite(person.id)
    visit.record("invitation", person.name)
    address = visit.request.app.state.address or str(visit.request.base_url).rstrip("/")
    return _page(visit, link=f"{address}/join/{token}", invited=person.name)


def _person(visit: Visit, id: str) -> Person:
    person = visit.assessment.people.find(id=id)
    if person is None:
        raise HTTPException(404, "there is no such person")
    return person


def _other(visit: Visit, id: str) -> Person:
    """Someone else: organisers can't lock themselves out."""
    if id == visit.person.id:
        raise HTTPException(422, "ask another organiser to change your own role")
    return _person(visit, id)
