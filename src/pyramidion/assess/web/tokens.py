"""The page on which organisers make and withdraw tokens of the HTTP API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from pyramidion.assess.web.access import Organiser, Visit

router: APIRouter = APIRouter()

LONGEST_PURPOSE = 80


@router.get("/tokens", response_class=HTMLResponse)
def tokens(visit: Organiser) -> HTMLResponse:
    """All tokens, and a form for a new one."""
    return _page(visit)


@router.post("/tokens", response_class=HTMLResponse)
def create(visit: Organiser, person: Annotated[str, Form()], purpose: Annotated[str, Form()]) -> HTMLResponse:
    """Make a token: the page shows it, once."""
    purpose = " ".join(purpose.split())
    if not purpose or len(purpose) > LONGEST_PURPOSE or not purpose.isprintable():
        return _page(visit, problem=f"Say in 1 to {LONGEST_PURPOSE} characters what the token is for.")
    holder = visit.assessment.people.find(id=person, active=True)
    if holder is None:
        return _page(visit, problem="Choose a person who is not shut out.")
    token = visit.assessment.api_tokens.create(holder.id, purpose)
    visit.record("token made", f"for {holder.name}: {purpose}")
    return _page(visit, token=token, holder=holder.name)


@router.post("/tokens/{id}/withdraw")
def withdraw(visit: Organiser, id: str) -> RedirectResponse:
    """Let a token open nothing any more."""
    token = visit.assessment.api_tokens.withdraw(id)
    if token is None:
        raise HTTPException(404, "there is no such token")
    visit.record("token withdrawn", f"of {visit.assessment.name_of(token.person)}: {token.purpose}")
    return RedirectResponse("/tokens", 303)


def _page(visit: Visit, *, problem: str = "", token: str = "", holder: str = "") -> HTMLResponse:
    rows = [(row, visit.assessment.name_of(row.person)) for row in visit.assessment.api_tokens.all()]
    people = visit.assessment.people.all(active=True)
    return visit.page(
        "tokens.html", problem=problem, token=token, holder=holder, rows=rows, people=people, longest=LONGEST_PURPOSE
    )
