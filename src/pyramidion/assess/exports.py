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

JUDGMENT_FIELDS = ("topic", "summarizer", "assessor", "question", "value", "run", "time", "seconds", "comment")
PREFERENCE_FIELDS = ("topic", "a", "b", "assessor", "choice", "reason", "time", "seconds")


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
    """Judgments, preferences, pyramids, annotations and coverage as CSV, as a zip."""
    campaign = assessment.campaign
    tables = {
        "judgments.csv": _pick_fields(campaign.judgments, JUDGMENT_FIELDS),
        "judgments-by-summary.csv": _judgments_by_summary(campaign),
        "preferences.csv": _pick_fields(campaign.preferences, PREFERENCE_FIELDS),
        "pyramids.csv": _pyramid_rows(campaign),
        "annotations.csv": _annotation_rows(campaign),
        "coverage.csv": _coverage_rows(campaign),
    }

    def write(folder: Path) -> None:
        for name, rows in tables.items():
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
    """Write a campaign in a foreign format; what that can't hold is in NOTES.txt."""
    problems = Problems()
    notes: list[object] = []
    try:
        find_format(name).write(campaign, folder, problems)
    except InputError as error:
        notes.append(error)
    notes += problems
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


def _pick_fields(nouns: Iterable[object], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Some fields of each noun, by their names."""
    for noun in nouns:
        yield {name: getattr(noun, name) for name in names}


def _judgments_by_summary(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each summary and assessor, a column for each question: the layout of NIST's tables."""
    names = ("topic", "summarizer", "assessor", "run")
    rows: dict[tuple[str, str, str, int], dict[str, Any]] = {}
    for judgment in campaign.judgments:
        key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.run or 1)
        row = rows.setdefault(key, dict(zip(names, key, strict=True)))
        row[judgment.question] = judgment.value
    yield from rows.values()


def _pyramid_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each contributor of each SCU."""
    keys = _pick_fields(campaign.pyramids, ("topic", "annotator", "consensus"))
    for key, pyramid in zip(keys, campaign.pyramids, strict=True):
        for scu in pyramid.scus:
            unit = {"scu": scu.uid, "label": scu.label, "weight": scu.weight}
            for contributor in scu.contributors:
                yield {**key, **unit, "model": contributor.model, "parts": json.dumps(contributor.parts)}


def _annotation_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each SCU that a peer was matched against."""
    keys = _pick_fields(campaign.annotations, ("topic", "summarizer", "annotator", "consensus"))
    for key, annotation in zip(keys, campaign.annotations, strict=True):
        for match in annotation.scus:
            contributors = json.dumps(match.contributors)
            yield {**key, "scu": match.uid, "present": match.present, "contributors": contributors}


def _coverage_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each unit of a model that an assessor compared with a peer."""
    keys = _pick_fields(campaign.coverage, ("topic", "summarizer", "model", "assessor"))
    for key, coverage in zip(keys, campaign.coverage, strict=True):
        for unit in coverage.units:
            yield {**key, "start": unit.unit[0], "end": unit.unit[1], "percent": unit.percent}
