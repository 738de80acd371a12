"""Who may do what: every route names the roles that it serves, and unsafe requests must carry the session's token."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Person, Role, Session
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.pages import render

COOKIE = "pyramidion_session"
API = "/api/"
"""Where programs are served, which sign in with a token instead of a cookie."""
CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
SAFE = ("GET", "HEAD")

EVERYONE: tuple[Role, ...] = ("organiser", "assessor", "guest")


async def assessment_of(request: Request) -> Assessment:  # no thread for it, as a plain function would get
    """The assessment that this server serves."""
    return cast(Assessment, request.app.state.assessment)


@dataclass(frozen=True)
class Visit:
    """A request of someone who is signed in."""

    request: Request
    session: Session
    assessment: Assessment

    @property
    def person(self) -> Person:
        """Who asks."""
        return self.session.person

    def page(self, template: str, *, problem: str = "", **values: object) -> HTMLResponse:
        """A page; a problem is what kept the form on it from being stored."""
        status = 422 if problem else 200
        return render(self.request, template, self.session, status=status, problem=problem, **values)

    def record(self, action: str, detail: str = "") -> None:
        """Note in the audit what was done."""
        self.assessment.people.record(action, detail, person=self.person.id)


def allow(*roles: Role) -> Callable[[Request], Awaitable[Visit]]:
    """The dependency of a route that serves these roles."""

    async def signed_in(request: Request) -> Visit:
        session = await session_of(request)
        if session is None:
            raise HTTPException(401, "please sign in")
        if session.person.role not in roles:
            raise HTTPException(403, "this page is not for you")
        return Visit(request, session, await assessment_of(request))

    return signed_in


async def session_of(request: Request) -> Session | None:
    """Who is signed in, or whose token a program sends; an unsafe request without the session's token is refused."""
    if "authorization" in request.headers and request.url.path.startswith(API):
        return await _session_of_program(request)
    token = request.cookies.get(COOKIE)
    people = (await assessment_of(request)).people
    session = await run_in_threadpool(people.session, token) if token else None
    # A page elsewhere can make a browser send the cookie, but it can't read the token.
    if session is not None and request.method not in SAFE:
        sent_token: Any = request.headers.get(CSRF_HEADER)
        if sent_token is None and "form" in request.headers.get("content-type", ""):
            sent_token = (await request.form()).get(CSRF_FIELD)
        if not isinstance(sent_token, str) or not secrets.compare_digest(sent_token, session.csrf):
            raise HTTPException(403, "the form is out of date: reload the page and try again")
    return session


async def _session_of_program(request: Request) -> Session | None:
    """A session for one request with a token of the API; None if nobody holds it."""
    # No browser adds this header by itself, so there is nothing that a page elsewhere could forge.
    scheme, _, token = request.headers["authorization"].partition(" ")
    if scheme.lower() != "bearer":
        return None
    tokens = (await assessment_of(request)).api_tokens
    holder = await run_in_threadpool(tokens.holder, token.strip())
    return None if holder is None else Session(person=holder, csrf="", token="")


Organiser = Annotated[Visit, Depends(allow("organiser"))]
Worker = Annotated[Visit, Depends(allow("organiser", "assessor"))]
Reader = Annotated[Visit, Depends(allow("organiser", "guest"))]
Anyone = Annotated[Visit, Depends(allow(*EVERYONE))]
ServedAssessment = Annotated[Assessment, Depends(assessment_of)]


def assigned_task(id: str, visit: Worker) -> Task:
    """A task of who asks; that of someone else is as if it did not exist."""
    task = visit.assessment.work.task(id)
    # The same answer for all three: whether work of others exists is not told.
    if task is None or task.withdrawn or task.person != visit.person.id:
        raise HTTPException(404, "there is no such work")
    return task


AssignedTask = Annotated[Task, Depends(assigned_task)]
