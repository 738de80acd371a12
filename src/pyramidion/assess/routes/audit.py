"""The audit: sign-ins, exports, changes of roles and settings."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pyramidion.assess.pages import render
from pyramidion.assess.routes.access import Organiser, The

router: APIRouter = APIRouter()

SHOWN = 1_000


@router.get("/audit", response_class=HTMLResponse)
def audit(request: Request, session: Organiser, the: The) -> HTMLResponse:
    """The latest entries, newest first."""
    names = {person.id: person.name for person in the.people.all()}
    rows = [{**row, "who": names.get(row["person"] or "", "")} for row in the.people.audit(SHOWN)]
    return render(request, "audit.html", session, rows=rows, shown=SHOWN)
