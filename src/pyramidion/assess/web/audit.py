"""The audit: sign-ins, exports, changes of roles and settings."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pyramidion.assess.web.access import Organiser

router: APIRouter = APIRouter()

SHOWN = 1_000


@router.get("/audit", response_class=HTMLResponse)
def audit(visit: Organiser) -> HTMLResponse:
    """The latest entries, newest first."""
    people = visit.assessment.people
    names = {person.id: person.name for person in people.all()}
    rows = [{**row, "who": names.get(row["person"] or "", "")} for row in people.audit(SHOWN)]
    return visit.page("audit.html", rows=rows, shown=SHOWN)
