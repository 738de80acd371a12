"""Export: what organisers take with them at any time. Each is noted in the audit."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.person_names import name_problems
from pyramidion.assess.web.access import Organiser
from pyramidion.campaign import Problems, write_folder
from pyramidion.campaign.campaign import Campaign
from pyramidion.errors import InputError, UsageError
from pyramidion.formats import find_format

router: APIRouter = APIRouter()

SHOWN_NOTES = 5
"""Reasons why nothing can be exported that the page lists."""


def export_campaign(assessment: Assessment) -> bytes:
    """The campaign folder with all work so far, as a zip."""
    return _zip_folder(lambda folder: write_folder(assessment.campaign, folder))


def export_ducview(assessment: Assessment) -> bytes:
    """The pyramids (.pyr) and peer annotations (.pan), as a zip."""
    return _zip_folder(lambda folder: _write_format("ducview", assessment.campaign, folder))


def export_nist(assessment: Assessment) -> bytes:
    """Tables and files in NIST's layout, as a zip."""
    return _zip_folder(lambda folder: _write_format("nist", assessment.campaign, folder))


def export_tables(assessment: Assessment) -> bytes:
    """The tables of all kinds of work as CSV, as a zip."""
    campaign = assessment.campaign

    def write(folder: Path) -> None:
        for task_type in TASK_TYPES.values():
            for name, rows in task_type.export_tables(campaign).items():
                text = _format_csv(rows)
                if text:
                    (folder / name).write_text(text, encoding="utf-8")

    return _zip_folder(write)


def export_events(assessment: Assessment) -> Iterator[bytes]:
    """Every event, a JSON object on each line: who, when, how long, on which task, what changed."""
    tasks = {task.id: task for task in assessment.work.tasks()}
    for event in assessment.work.history():
        task = tasks[event.task]
        row = {
            "time": event.time,
            "person": assessment.name_of(event.person),
            "seconds": event.seconds,
            "task": task.id,
            "kind": task.kind,
            "topic": task.topic,
            "practice": task.practice,
            "withdrawn": task.withdrawn,
            "spec": task.spec,
            "id": event.id,
            "version": event.version,
            "action": event.action,
            "changes": event.changes,
        }
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _write_format(name: str, campaign: Campaign, folder: Path) -> None:
    """Write a campaign in a foreign format; what that can't hold is in NOTES.txt.

    Raises:
        UsageError: if it can hold nothing of the campaign.
    """
    problems = Problems()
    notes: list[object] = []
    try:
        find_format(name).write(campaign, folder, problems)
    except InputError as error:
        notes.append(error)
    notes += problems
    if not any(path.is_file() for path in folder.rglob("*")):
        # A zip with nothing but notes would look like an export until someone opens it.
        shown = " ".join(str(note).replace(f"{folder}: ", "") for note in notes[:SHOWN_NOTES])
        more = f" (and {len(notes) - SHOWN_NOTES} more reasons)" if len(notes) > SHOWN_NOTES else ""
        raise UsageError(f"Nothing of this campaign can be written in this layout. {shown}{more}".strip())
    if notes:
        (folder / "NOTES.txt").write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")


def _zip_folder(write: Callable[[Path], None]) -> bytes:
    """What is written into a folder, as a zip."""
    content = io.BytesIO()
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        folder = Path(place) / "export"
        folder.mkdir()
        write(folder)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return content.getvalue()


def _format_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV with a header; an empty text if there are none."""
    records = list(rows)
    if not records:
        return ""
    columns = list(dict.fromkeys(key for record in records for key in record))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


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
    try:
        content = ZIPS[name][1](visit.assessment)
    except UsageError as error:
        return visit.page("refused.html", problem=str(error), back="/export")
    visit.record("export", name)
    return Response(content, media_type="application/zip", headers=_named(f"{name}.zip"))


def _named(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
