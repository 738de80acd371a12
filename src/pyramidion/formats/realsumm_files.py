"""REALSumm's own files, each read by itself: score dictionaries (.pkl), the list of SCUs, the crowd's answers."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.campaign import Problems
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import head_of
from pyramidion.formats.decoding import read_tolerantly
from pyramidion.formats.pickles import read_pickle

BLANK = "BLANK"
UNUSED = "N"
_LIST_COLUMNS = ("eventId", "questionText")
_CROWD_COLUMNS = ("Input.eventId", "Input.summaryId", "Input.summary_text")
_STATEMENT = re.compile(r"Input\.statement_([0-9]{1,4})", re.ASCII)
_PART = re.compile(r"(?:.*[_-])?(abs|ext)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ListedScu:
    """A row of the list of SCUs; `number` counts the rows of its event, those not used included."""

    event: str
    number: int
    label: str


@dataclass(frozen=True, kw_only=True)
class Answers:
    """One worker's answers about one summary."""

    event: str
    summary: str
    text: str
    statements: Mapping[int, str]
    present: Mapping[int, bool]
    """By the number of the statement; those without a readable answer are left out."""
    line: int


@dataclass(frozen=True, kw_only=True)
class ScoredSummary:
    """An entry of a score dictionary."""

    document: str
    reference: str
    system: str
    text: str
    scores: Mapping[str, float]


def kind_of(path: Path) -> str:
    """Which of the files it is: "pickle", "list", "crowd", or nothing of these."""
    if path.suffix.lower() in (".pkl", ".pickle"):
        return "pickle"
    if path.suffix.lower() != ".csv":
        return ""
    header = head_of(path).partition(b"\n")[0].decode(errors="replace")
    columns = {name.strip().strip('"') for name in header.split(",")}
    if columns.issuperset(_CROWD_COLUMNS):
        return "crowd"
    return "list" if columns.issuperset(_LIST_COLUMNS) else ""


def part_of(path: Path) -> str:
    """Which part, "abs" or "ext", by the file's name or its folder's: abs.pkl, SCU_rating_results_ext/x.csv."""
    names = (path.stem, *(parent.name for parent in list(path.absolute().parents)[:2]))
    return next((match[1].lower() for name in names if (match := _PART.fullmatch(name))), "")


def read_list(path: Path, problems: Problems) -> Iterator[ListedScu]:
    """The SCUs that are used, with their numbers."""
    counts: dict[str, int] = {}
    for _, row in _rows(path, problems, _LIST_COLUMNS):
        event, label = row["eventId"].strip(), row["questionText"].strip()
        number = counts[event] = counts.get(event, 0) + 1
        if event and label not in ("", BLANK) and row.get("answer", "").strip() != UNUSED:
            yield ListedScu(event=event, number=number, label=label)


def read_answers(path: Path, problems: Problems) -> Iterator[Answers]:
    """The rows of a file of answers; an answer other than p or n is noted and left out."""
    odd = 0
    first: tuple[int, str] = (0, "")
    for line, row in _rows(path, problems, _CROWD_COLUMNS):
        statements: dict[int, str] = {}
        present: dict[int, bool] = {}
        for name, value in row.items():
            match = _STATEMENT.fullmatch(name)
            text = " ".join(value.split())
            if match is None or text in ("", BLANK):
                continue
            number = int(match[1])
            statements[number] = text
            answer = row.get(f"Answer.S{number}Answer", "").strip().lower()
            if answer in ("p", "n"):
                present[number] = answer == "p"
            else:
                odd += 1
                first = first if odd > 1 else (line, answer)
        event, summary = row["Input.eventId"].strip(), row["Input.summaryId"].strip()
        if not event or not summary:
            _note(problems, "error", path, line, "no eventId or no summaryId", "both", "Correct the row.")
            continue
        yield Answers(
            event=event,
            summary=summary,
            text=row["Input.summary_text"],
            statements=statements,
            present=present,
            line=line,
        )
    if odd:
        found = f"{odd} answers that are neither, first {shorten(first[1])}"
        _note(problems, "warning", path, first[0], found, "p (present) or n (not)", "They were left out.")


def read_scores(path: Path, problems: Problems) -> Iterator[ScoredSummary]:
    """The entries of a score dictionary."""
    content = read_pickle(path, problems, what="a score dictionary of REALSumm")
    if content is None:
        return
    if not isinstance(content, dict):
        _note(problems, "error", path, None, type(content).__name__, "a dictionary by doc_id", "Check the file.")
        return
    for key, entry in content.items():
        at = f"doc_id {shorten(key)}"
        match entry:
            case {"ref_summ": str(reference), "system_summaries": dict(systems)}:
                for name, system in systems.items():
                    yield from _scored(path, problems, at, str(entry.get("doc_id", key)), reference, name, system)
            case _:
                expected = "ref_summ and system_summaries"
                _note(problems, "error", path, None, shorten(entry), expected, "Check the file.", at=at)


def _scored(
    path: Path, problems: Problems, at: str, document: str, reference: str, name: object, system: object
) -> Iterator[ScoredSummary]:
    match system:
        case {"system_summary": str(text)}:
            given = system.get("scores") if isinstance(system, dict) else None
            scores: dict[str, float] = {}
            for metric, value in given.items() if isinstance(given, dict) else ():
                number = _number(value)
                if number is None:
                    found = f"{shorten(metric)}: {shorten(value)}"
                    remedy = "The value was left out."
                    _note(problems, "warning", path, None, found, "a number", remedy, at=f"{at} {name}")
                else:
                    scores[str(metric)] = number
            yield ScoredSummary(document=document, reference=reference, system=str(name), text=text, scores=scores)
        case _:
            _note(
                problems, "error", path, None, shorten(system), "system_summary", "Check the file.", at=f"{at} {name}"
            )


def _number(value: Any) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _rows(path: Path, problems: Problems, required: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    text = read_tolerantly(path, problems)
    if text is None:
        return
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(rows, [])]
        missing = [name for name in required if name not in header]
        if missing:
            _note(problems, "error", path, 1, f"no column {', '.join(missing)}", ", ".join(required), "Check the file.")
            return
        for row in rows:
            if len(row) < len(header):
                row += [""] * (len(header) - len(row))
            if any(row):
                yield rows.line_num, dict(zip(header, row, strict=False))
    except csv.Error as error:
        _note(problems, "error", path, rows.line_num, str(error), "a CSV table", "Mend the quotes there.")


def _note(
    problems: Problems,
    severity: Severity,
    path: Path,
    line: int | None,
    found: str,
    expected: str,
    remedy: str,
    *,
    at: str | None = None,
) -> None:
    problems.add(severity, file=path, line=line, field=at, found=found, expected=expected, remedy=remedy)
