"""Signing in and out: by the organiser's one-time link, by invitation, by name and password."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import SESSION_DAYS, Person, Session
from pyramidion.assess.web.access import COOKIE, Anyone, ServedAssessment, session_of
from pyramidion.assess.web.limits import SignInLimit
from pyramidion.assess.web.pages import render

router: APIRouter = APIRouter()

SHORTEST_PASSWORD = 10
TOO_SHORT = f"Please choose a password of at least {SHORTEST_PASSWORD} characters."
NO_INVITATION = "this invitation was used, has expired or was replaced by a newer one: ask the organiser for another"
NO_LINK = (
    "this link was used, has expired or was replaced by a newer one: "
    "on the computer that runs the pages, pyramidion assess CAMPAIGN --link prints a new one"
)


@router.get("/sign-in", response_class=HTMLResponse)
def sign_in_page(request: Request) -> HTMLResponse:
    """Name and password."""
    return render(request, "sign_in.html", None, problem="")


@router.post("/sign-in", response_model=None)
def sign_in(
    request: Request, assessment: ServedAssessment, name: Annotated[str, Form()], password: Annotated[str, Form()]
) -> HTMLResponse | RedirectResponse:
    """Sign in with name and password."""
    limit: SignInLimit = request.app.state.sign_ins
    address = request.client.host if request.client else ""
    if wait := limit.wait(name, address):
        problem = f"Too many tries. Please wait {wait // 60 + 1} minutes, or ask the organiser for a new link."
        page = render(request, "sign_in.html", None, status=429, problem=problem)
        page.headers["Retry-After"] = str(wait)
        return page
    person = assessment.people.check_password(name, password)
    if person is None:
        limit.failed(name, address)
        assessment.people.record("sign-in refused")
        return render(request, "sign_in.html", None, status=401, problem="Name and password do not match.")
    limit.succeeded(name)
    return enter(assessment, person, request)


@router.get("/join/{token}", response_class=HTMLResponse)
async def join_page(request: Request, token: str, assessment: ServedAssessment, instead: str = "") -> HTMLResponse:
    """What an invitation opens: a form for a password; whoever is signed in as someone else is asked first."""
    person = await run_in_threadpool(assessment.people.invited, token)
    if person is None:
        raise HTTPException(404, NO_INVITATION)
    session = await session_of(request)
    if _is_someone_else(session, person) and not instead:
        return render(request, "join_instead.html", session, token=token, name=person.name)
    return _password_form(request, token, person, instead=instead)


@router.post("/join/{token}", response_model=None)
def join(
    request: Request,
    token: str,
    assessment: ServedAssessment,
    password: Annotated[str, Form()],
    instead: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Use an invitation up, set the password and sign in; `instead` ends the session of someone else."""
    person = assessment.people.invited(token)
    if person is None:
        raise HTTPException(404, NO_INVITATION)
    cookie = request.cookies.get(COOKIE)
    session = assessment.people.session(cookie) if cookie else None
    if _is_someone_else(session, person) and not instead:
        return render(request, "join_instead.html", session, status=409, token=token, name=person.name)
    if len(password) < SHORTEST_PASSWORD:
        return _password_form(request, token, person, instead=instead, problem=TOO_SHORT)
    if assessment.people.accept(token) is None:
        raise HTTPException(404, NO_INVITATION)
    if session is not None:
        assessment.people.sign_out(token=session.token)
    assessment.people.set_password(person.id, password)
    return enter(assessment, person, request)


def _is_someone_else(session: Session | None, invited: Person) -> bool:
    return session is not None and session.person.id != invited.id


def _password_form(request: Request, token: str, person: Person, *, instead: str, problem: str = "") -> HTMLResponse:
    values = {"token": token, "name": person.name, "shortest": SHORTEST_PASSWORD, "instead": instead}
    return render(request, "join.html", None, status=422 if problem else 200, problem=problem, **values)


@router.get("/start/{token}")
def start(request: Request, token: str, assessment: ServedAssessment) -> RedirectResponse:
    """The organiser's one-time link, which the start command prints."""
    person = assessment.people.accept(token)
    if person is None:
        raise HTTPException(404, NO_LINK)
    return enter(assessment, person, request)


@router.get("/password", response_class=HTMLResponse)
def password_page(visit: Anyone) -> HTMLResponse:
    """A form for one's own password."""
    return visit.page("password.html", shortest=SHORTEST_PASSWORD)


@router.post("/password", response_model=None)
def change_password(
    visit: Anyone,
    password: Annotated[str, Form()],
    current: Annotated[str, Form()] = "",
    then: Annotated[str, Form()] = "",
) -> HTMLResponse | RedirectResponse:
    """Set one's own password, which ends one's sessions elsewhere; `then=sign-out` ends this one, too."""
    people, person, limit = visit.assessment.people, visit.person, cast(SignInLimit, visit.request.app.state.sign_ins)
    address = visit.request.client.host if visit.request.client else ""
    problem = ""
    if len(password) < SHORTEST_PASSWORD:
        problem = TOO_SHORT
    elif wait := limit.wait(person.name, address):
        problem = f"Too many tries. Please wait {wait // 60 + 1} minutes."
    elif person.password and people.check_password(person.name, current) is None:
        limit.failed(person.name, address)
        problem = "The current password is not right."
    if problem:
        template = "sign_out.html" if then else "password.html"
        return visit.page(template, problem=problem, shortest=SHORTEST_PASSWORD)
    people.set_password(person.id, password)
    visit.record("password set")
    return _leave() if then == "sign-out" else enter(visit.assessment, person, visit.request)


@router.post("/sign-out", response_model=None)
def sign_out(visit: Anyone, anyway: Annotated[str, Form()] = "") -> HTMLResponse | RedirectResponse:
    """End this session; someone without a password, who could not come back, is asked first."""
    if not visit.person.password and not anyway:
        return visit.page("sign_out.html", shortest=SHORTEST_PASSWORD)
    visit.assessment.people.sign_out(token=visit.session.token)
    return _leave()


def _leave() -> RedirectResponse:
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


def enter(assessment: Assessment, person: Person, request: Request) -> RedirectResponse:
    """Sign someone in and lead them to their first page."""
    session = assessment.people.sign_in(person)
    assessment.people.record("sign-in", person=person.id)
    response = RedirectResponse("/", 303)
    secure = request.app.state.secure or request.url.scheme == "https"
    response.set_cookie(
        COOKIE, session.token, max_age=SESSION_DAYS * 86_400, httponly=True, samesite="lax", secure=secure
    )
    return response
