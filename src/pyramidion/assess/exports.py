"""What organisers take with them: the campaign's files, DUCView's, tables, and the log of events."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.assess.assessment import Assessment
from pyramidion.campaign import Problems, write_folder
from pyramidion.campaign.campaign import Campaign
from pyramidion.errors import InputError
from pyramidion.formats import find_format

JUDGMENT = ("topic", "summarizer", "assessor", "question", "value", "run", "time", "seconds", "comment")
PREFERENCE = ("topic", "a", "b", "assessor", "choice", "reason", "time", "seconds")


def export_campaign(the: Assessment) -> bytes:
    """The campaign folder with all work so far, as a zip."""
    return _zipped(lambda folder: write_folder(the.campaign, folder))


def export_ducview(the: Assessment) -> bytes:
    """The pyramids (.pyr) and peer annotations (.pan), as a zip."""
    return _zipped(lambda folder: _foreign("ducview", the.campaign, folder))


def export_nist(the: Assessment) -> bytes:
    """Tables and files in NIST's layout, as a zip."""
    return _zipped(lambda folder: _foreign("nist", the.campaign, folder))


def export_tables(the: Assessment) -> bytes:
    """Judgments, preferences, pyramids, annotations and coverage as CSV, as a zip."""
    campaign = the.campaign
    found = {
        "judgments.csv": _fields(campaign.judgments, JUDGMENT),
        "judgments-by-summary.csv": _by_summary(campaign),
        "preferences.csv": _fields(campaign.preferences, PREFERENCE),
        "pyramids.csv": _pyramids(campaign),
        "annotations.csv": _annotations(campaign),
        "coverage.csv": _coverage(campaign),
    }

    def write(folder: Path) -> None:
        for name, rows in found.items():
            if text := _csv(rows):
                (folder / name).write_text(text, encoding="utf-8")

    return _zipped(write)


def export_events(the: Assessment) -> Iterator[bytes]:
    """Every event, a JSON object on each line: who, when, how long, on which task, what changed."""
    tasks = {task.id: task for task in the.work.tasks()}
    for event in the.work.history():
        task = tasks[event.task]
        row = {
            **{"time": event.time, "person": the.name_of(event.person), "seconds": event.seconds},
            **{"task": task.id, "kind": task.kind, "topic": task.topic, "practice": task.practice},
            **{"withdrawn": task.withdrawn, "spec": task.spec, "id": event.id, "version": event.version},
            **{"action": event.action, "changes": event.changes},
        }
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _foreign(name: str, campaign: Campaign, folder: Path) -> None:
    problems = Problems()
    notes: list[object] = []
    try:
        find_format(name).write(campaign, folder, problems)
    except InputError as error:
        notes.append(error)
    notes += problems
    if notes:
        (folder / "NOTES.txt").write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")


def _zipped(write: Callable[[Path], None]) -> bytes:
    held = io.BytesIO()
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        folder = Path(place) / "export"
        folder.mkdir()
        write(folder)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return held.getvalue()


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    listed = list(rows)
    columns = list(dict.fromkeys(key for row in listed for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue() if listed else ""


def _fields(nouns: Iterable[object], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """These fields of each noun."""
    for one in nouns:
        yield {name: getattr(one, name) for name in names}


def _by_summary(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each summary and assessor, a column for each question: the layout of NIST's tables."""
    rows: dict[tuple[str, str, str, int], dict[str, Any]] = {}
    for one in campaign.judgments:
        key = (one.topic, one.summarizer, one.assessor, one.run or 1)
        row = rows.setdefault(key, dict(zip(("topic", "summarizer", "assessor", "run"), key, strict=True)))
        row[one.question] = one.value
    yield from rows.values()


def _pyramids(campaign: Campaign) -> Iterator[dict[str, Any]]:
    by = _fields(campaign.pyramids, ("topic", "annotator", "consensus"))
    for who, pyramid in zip(by, campaign.pyramids, strict=True):
        for scu in pyramid.scus:
            for one in scu.contributors:
                unit = {"scu": scu.uid, "label": scu.label, "weight": scu.weight}
                yield {**who, **unit, "model": one.model, "parts": json.dumps(one.parts)}


def _annotations(campaign: Campaign) -> Iterator[dict[str, Any]]:
    by = _fields(campaign.annotations, ("topic", "summarizer", "annotator", "consensus"))
    for who, annotation in zip(by, campaign.annotations, strict=True):
        for one in annotation.scus:
            yield {**who, "scu": one.uid, "present": one.present, "contributors": json.dumps(one.contributors)}


def _coverage(campaign: Campaign) -> Iterator[dict[str, Any]]:
    by = _fields(campaign.coverage, ("topic", "summarizer", "model", "assessor"))
    for who, one in zip(by, campaign.coverage, strict=True):
        for unit in one.units:
            yield {**who, "start": unit.unit[0], "end": unit.unit[1], "percent": unit.percent}
