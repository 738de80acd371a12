"""Signing in and out: by the organiser's one-time link, by invitation, by name and password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.limits import SignInLimit
from pyramidion.assess.pages import render
from pyramidion.assess.routes.access import COOKIE, Anyone, The
from pyramidion.assess.store.people import SESSION_DAYS, Person

router: APIRouter = APIRouter()

SHORTEST_PASSWORD = 10
NO_INVITATION = "this invitation was used, has expired or was replaced by a newer one: ask the organiser for another"


@router.get("/sign-in", response_class=HTMLResponse)
def sign_in_page(request: Request) -> HTMLResponse:
    """Name and password."""
    return render(request, "sign_in.html", None, problem="")


@router.post("/sign-in", response_model=None)
def sign_in(
    request: Request, the: The, name: Annotated[str, Form()], password: Annotated[str, Form()]
) -> HTMLResponse | RedirectResponse:
    """Sign in with name and password."""
    limit: SignInLimit = request.app.state.sign_ins
    address = request.client.host if request.client else ""
    if wait := limit.wait(name, address):
        problem = f"Too many tries. Please wait {wait // 60 + 1} minutes, or ask the organiser for a new link."
        page = render(request, "sign_in.html", None, status=429, problem=problem)
        page.headers["Retry-After"] = str(wait)
        return page
    person = the.people.check_password(name, password)
    if person is None:
        limit.failed(name, address)
        the.people.record("sign-in refused")
        return render(request, "sign_in.html", None, status=401, problem="Name and password do not match.")
    limit.succeeded(name)
    return enter(the, person, request)


@router.get("/join/{token}", response_class=HTMLResponse)
def join_page(request: Request, token: str, the: The) -> HTMLResponse:
    """What an invitation opens: a form for a password."""
    person = the.people.invited(token)
    if person is None:
        raise HTTPException(404, NO_INVITATION)
    return render(request, "join.html", None, token=token, name=person.name, problem="", shortest=SHORTEST_PASSWORD)


@router.post("/join/{token}", response_model=None)
def join(request: Request, token: str, the: The, password: Annotated[str, Form()]) -> HTMLResponse | RedirectResponse:
    """Use an invitation up, set the password and sign in."""
    person = the.people.invited(token)
    if person is not None and len(password) < SHORTEST_PASSWORD:
        problem = f"Please choose a password of at least {SHORTEST_PASSWORD} characters."
        values = {"token": token, "name": person.name, "shortest": SHORTEST_PASSWORD}
        return render(request, "join.html", None, status=422, problem=problem, **values)
    if the.people.accept(token) is None or person is None:
        raise HTTPException(404, NO_INVITATION)
    the.people.set_password(person.id, password)
    return enter(the, person, request)


@router.get("/start/{token}")
def start(request: Request, token: str, the: The) -> RedirectResponse:
    """The organiser's one-time link, which the start command prints."""
    person = the.people.accept(token)
    if person is None:
        raise HTTPException(404, "this link was used or has expired: the start command prints a new one")
    return enter(the, person, request)


@router.post("/sign-out")
def sign_out(visit: Anyone) -> RedirectResponse:
    """End this session."""
    visit.the.people.sign_out(token=visit.session.token)
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


def enter(the: Assessment, person: Person, request: Request) -> RedirectResponse:
    """Sign someone in and lead them to their first page."""
    session = the.people.sign_in(person)
    the.people.record("sign-in", person=person.id)
    response = RedirectResponse("/", 303)
    secure = request.app.state.secure or request.url.scheme == "https"
    response.set_cookie(
        COOKIE, session.token, max_age=SESSION_DAYS * 86_400, httponly=True, samesite="lax", secure=secure
    )
    return response
