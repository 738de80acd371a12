"""Export: everything at any time, noted in the audit."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.exports import export_campaign, export_ducview, export_events, export_nist, export_tables
from pyramidion.assess.names import name_problems
from pyramidion.assess.web.access import Organiser

router: APIRouter = APIRouter()

ZIPS: dict[str, tuple[str, Callable[[Assessment], bytes]]] = {
    "campaign": ("The campaign folder with all work so far, as a zip of its files", export_campaign),
    "ducview": ("Pyramids (.pyr) and peer annotations (.pan) for DUCView, as a zip", export_ducview),
    "nist": ("Tables and file names in NIST's layout, as a zip", export_nist),
    "tables": (
        "CSV tables: judgments (also one row per summary, as NIST has them), preferences, pyramids, annotations, "
        "coverage, as a zip",
        export_tables,
    ),
}
EVENTS = "The log of events: who, when, how long, what changed (one JSON object per line)"


@router.get("/export", response_class=HTMLResponse)
def export_page(visit: Organiser) -> HTMLResponse:
    """What can be taken away, and where the files are."""
    links = [(f"/export/{name}.zip", title) for name, (title, _) in ZIPS.items()] + [("/export/events.jsonl", EVENTS)]
    misnamed = list(name_problems(visit.assessment).values())
    folder = visit.assessment.folder.resolve()
    return visit.page("export.html", links=links, folder=folder, unwritten=visit.assessment.problem, misnamed=misnamed)


@router.get("/export/events.jsonl")
def events(visit: Organiser) -> StreamingResponse:
    """The log of events."""
    visit.record("export", "events")
    lines = export_events(visit.assessment)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=_named("events.jsonl"))


@router.get("/export/{name}.zip")
def zipped(visit: Organiser, name: str) -> Response:
    """One of the zips."""
    if name not in ZIPS:
        raise HTTPException(404, "there is no such export")
    visit.record("export", name)
    return Response(ZIPS[name][1](visit.assessment), media_type="application/zip", headers=_named(f"{name}.zip"))


def _named(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
