"""People and invitations: who takes part, in which role, and the links that let them in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.exc import IntegrityError

from pyramidion.assess.person_names import check_name, name_problems, propose_name, rename
from pyramidion.assess.store.people import INVITATION_DAYS, Person, Role
from pyramidion.assess.web.access import Organiser, Visit
from pyramidion.assess.web.moving import show_confirmation
from pyramidion.assess.web.plan import count_work
from pyramidion.errors import UsageError

router: APIRouter = APIRouter()

LONGEST_NAME = 60
MOST_AT_ONCE = 200
"""People on one pasted list."""
_STAYS = "Their work stays theirs, and in the data. If they will not come back, give what is open to others: page Plan."


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
    # Rows under the old name are to leave the files at once.
    visit.assessment.on_change()
    return _page(
        visit, done=f"{person.name} is called {successor.name} now, signs in with this name, and has all the work."
    )


@router.post("/people/{id}/role", response_model=None)
def change_role(
    visit: Organiser, id: str, role: Annotated[Role, Form()], confirmed: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Give someone another role, after asking if they have open work that they could not reach any more."""
    person = _other(visit, id)
    if role == "guest" and not confirmed and _count_open_work(visit, person):
        return show_confirmation(
            visit,
            title=f"Make {person.name} a guest?",
            sentences=[
                f"{person.name} has {count_work(_count_open_work(visit, person))} that a guest can't open.",
                _STAYS,
                "To undo it, make them an assessor again.",
            ],
            action=f"/people/{id}/role",
            button="Make them a guest",
            back="/people",
            fields={"role": role},
        )
    visit.assessment.people.change(person.id, role=role)
    visit.record("role changed", f"{person.name}: {person.role} to {role}")
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/active", response_model=None)
def change_activity(
    visit: Organiser, id: str, active: Annotated[bool, Form()], confirmed: Annotated[str, Form()] = ""
) -> HTMLResponse | RedirectResponse:
    """Let someone in again, or no longer, after asking; their work stays."""
    person = _other(visit, id)
    if not active and not confirmed:
        return show_confirmation(
            visit,
            title=f"Shut out {person.name}?",
            sentences=[
                f"{person.name} is signed out everywhere, and can't sign in until you let them in again. Links that "
                "they were sent no longer work.",
                f"They have {count_work(_count_open_work(visit, person))} that is not handed in.",
                _STAYS,
            ],
            action=f"/people/{id}/active",
            button=f"Shut out {person.name}",
            back="/people",
            fields={"active": "false"},
        )
    visit.assessment.people.change(person.id, active=active)
    visit.record("person let in" if active else "person shut out", person.name)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/judges")
def let_judge(visit: Organiser, id: str, judges: Annotated[bool, Form()]) -> RedirectResponse:
    """Let plans give work to an organiser, or no longer."""
    person = _person(visit, id)
    if person.role != "organiser":
        raise HTTPException(422, "assessors are given work anyway, and guests never are")
    visit.assessment.let_judge(person, judges)
    visit.record("organiser judges" if judges else "organiser no longer judges", person.name)
    return RedirectResponse("/people", 303)


@router.post("/people/{id}/reset-password", response_model=None)
def reset_password(visit: Organiser, id: str, confirmed: Annotated[str, Form()] = "") -> HTMLResponse:
    """Make someone's password useless, end their sessions, and show a link with which they set a new one."""
    person = _other(visit, id)
    if not confirmed:
        return show_confirmation(
            visit,
            title=f"Reset the password of {person.name}?",
            sentences=[
                f"The password of {person.name} stops working at once, and they are signed out everywhere.",
                "You get a link to send them, with which they set a new one. Their work stays as it is.",
            ],
            action=f"/people/{id}/reset-password",
            button="Reset the password",
            back="/people",
        )
    visit.assessment.people.forget_password(person.id)
    visit.record("password reset", person.name)
    return _invited(visit, person)


@router.post("/people/list", response_class=HTMLResponse)
def add_many(visit: Organiser, names: Annotated[str, Form()], role: Annotated[Role, Form()]) -> HTMLResponse:
    """Invite everybody on a pasted list, a name on each line: all of them or, if a name can't be taken, nobody."""
    lines = [" ".join(line.split()) for line in names.splitlines()]
    wanted = [line for line in lines if line]
    problems = _check_names(visit, wanted)
    if problems:
        return _page(visit, problem=" ".join(problems), pasted=names)
    links = []
    for name in wanted:
        person = visit.assessment.people.add(name, role)
        visit.record("person added", f"{name} as {role}")
        links.append((name, _new_link(visit, person)))
    return _page(visit, links=links)


def _check_names(visit: Visit, names: Sequence[str]) -> list[str]:
    """What is wrong with a pasted list; nothing if all names can be taken."""
    if not names:
        return ["There is no name on the list: write one on each line."]
    if len(names) > MOST_AT_ONCE:
        return [f"Invite at most {MOST_AT_ONCE} people at once; the list has {len(names)}."]
    problems = []
    for name, count in Counter(map(str.casefold, names)).items():
        if count > 1:
            problems.append(f"{name} is on the list {count} times.")
    for name in names:
        try:
            _check_characters(name)
            check_name(visit.assessment, name)
        except UsageError as error:
            problems.append(str(error))
    return problems


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
    visit: Visit,
    *,
    problem: str = "",
    link: str = "",
    invited: str = "",
    proposal: str = "",
    done: str = "",
    links: Sequence[tuple[str, str]] = (),
    pasted: str = "",
) -> HTMLResponse:
    work = visit.assessment.given_out()
    tasks = Counter(task.person for task in work)
    handed_in = Counter(task.person for task in work if task.done)
    everybody = visit.assessment.people.all()
    reasons = name_problems(visit.assessment)
    rows = []
    misnamed = []
    for person in everybody:
        judges = person.role == "organiser" and visit.assessment.is_assessor_too(person)
        rows.append({"person": person, "tasks": tasks[person.id], "done": handed_in[person.id], "judges": judges})
        if person.id in reasons:
            proposal_for_person = propose_name(visit.assessment, person.name)
            misnamed.append({"person": person, "reason": reasons[person.id], "proposal": proposal_for_person})
    values = {"rows": rows, "days": INVITATION_DAYS, "link": link, "invited": invited, "misnamed": misnamed}
    # As a file, it opens in a spreadsheet for a mail merge.
    table = "".join(f"{name}\t{address}\n" for name, address in links)
    file = "data:text/tab-separated-values;charset=utf-8," + quote(table)
    values |= {"links": links, "links_table": table, "links_file": file, "pasted": pasted}
    return visit.page("people.html", problem=problem, proposal=proposal, outcome=done, **values)


def _count_open_work(visit: Visit, person: Person) -> int:
    """How many pieces of work someone has not handed in."""
    return sum(not task.done for task in visit.assessment.given_out(person=person.id, practice=False))


def _check_characters(name: str) -> None:
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A name has 1 to {LONGEST_NAME} characters, without control characters.")


def _proposal(visit: Visit, name: str) -> str:
    """A name to go on with in the form; none where the name itself can't be held."""
    if not name.isprintable() or not name:
        return ""
    proposal = propose_name(visit.assessment, name)
    return proposal if len(proposal) <= LONGEST_NAME else ""


def _invited(visit: Visit, person: Person) -> HTMLResponse:
    return _page(visit, link=_new_link(visit, person), invited=person.name)


def _new_link(visit: Visit, person: Person) -> str:
    """A new invitation; earlier ones for the same person end."""
    token = visit.assessment.people.invite(person.id)
    visit.record("invitation", person.name)
    address = visit.request.app.state.address or str(visit.request.base_url).rstrip("/")
    return f"{address}/join/{token}"


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
