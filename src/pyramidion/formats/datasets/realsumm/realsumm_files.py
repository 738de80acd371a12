"""REALSumm's own files, each read by itself: score dictionaries (.pkl), the list of SCUs, the crowd's answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.datasets.realsumm.pickles import read_pickle
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.json_values import object_at
from pyramidion.formats.text_files import number_of, read_table, read_text
from pyramidion.show.wording import counted

BLANK = "BLANK"
UNUSED = "N"
_LIST_COLUMNS = ("eventId", "questionText")
_CROWD_COLUMNS = ("Input.eventId", "Input.summaryId", "Input.summary_text")
_STATEMENT = re.compile(r"Input\.statement_([0-9]{1,4})", re.ASCII)
_PART = re.compile(r"(?:.*[_-])?(abs|ext)(?:_systems)?", re.IGNORECASE)
_SELECTED = re.compile(r"\[\s*([0-9]+(?:\s*,\s*[0-9]+)+)\s*\]")
_TEXT = ".txt"


class WorkerAnswers(NamedTuple):
    """One worker's answers about one summary."""

    line: int
    event: str
    summary: str
    text: str
    statements: Mapping[int, tuple[str, bool | None]]
    """By number: what was asked, and whether it is present; None without a readable answer."""


class ScoredSummary(NamedTuple):
    """An entry of a score dictionary."""

    document: str
    reference: str
    system: str
    text: str
    scores: Mapping[str, float]


def kind_of(path: Path) -> str:
    """Which of the files it is: "pickle", "list", "crowd", "selected", "bart", or nothing of these."""
    if path.suffix.lower() in (".pkl", ".pickle"):
        return "pickle"
    if path.name == "selected_documents.md":
        return "selected"
    if path.parts[-3:] == ("abs", "bart", "out.txt"):
        return "bart"
    if path.suffix.lower() != ".csv":
        return ""
    columns = Glimpse(path).header
    if columns.issuperset(_CROWD_COLUMNS):
        return "crowd"
    if columns.issuperset(_LIST_COLUMNS):
        return "list"
    return ""


def part_of(path: Path) -> str:
    """Which part, "abs" or "ext": by its name for abs.pkl, by its folder's for SCU_rating_results_ext_systems/x.csv."""
    folders = [parent.name for parent in list(path.absolute().parents)[:2]]
    names = folders if path.suffix.lower() == ".csv" else [path.stem, *folders]
    return next((match[1].lower() for name in names if (match := _PART.fullmatch(name))), "")


def read_selected(path: Path, problems: Problems) -> list[str]:
    """The ids of the documents, in order: document k of the score dictionaries is the k-th of them."""
    listed = _SELECTED.search(read_text(path, problems) or "")
    if listed is None:
        Place(problems, path).warning(
            found="no list of numbers",
            expected="[1017, 10586, …]",
            remedy="Documents keep their numbers.",
        )
        return []
    return [f"cnndm{number.strip()}" for number in listed[1].split(",")]


def read_list(path: Path, problems: Problems) -> Iterator[tuple[str, int, str]]:
    """Event, number and label of the SCUs that are used; numbers count the rows of an event, unused ones included."""
    counts: dict[str, int] = {}
    for _, row in read_table(path, problems, _LIST_COLUMNS, strict=False):
        event, label = row["eventId"].strip(), row["questionText"].strip()
        number = counts[event] = counts.get(event, 0) + 1
        if event and label not in ("", BLANK) and row.get("answer", "").strip() != UNUSED:
            yield event, number, label


def read_answers(path: Path, problems: Problems) -> Iterator[WorkerAnswers]:
    """The rows of a file of answers; an answer other than p or n is left out with a warning."""
    odd: list[tuple[int, str]] = []
    for line, row in read_table(path, problems, _CROWD_COLUMNS, strict=False):
        statements: dict[int, tuple[str, bool | None]] = {}
        for name, value in row.items():
            match = _STATEMENT.fullmatch(name)
            text = " ".join(value.split())
            if match is None or text in ("", BLANK):
                continue
            number = int(match[1])
            answer = row.get(f"Answer.S{number}Answer", "").strip().lower()
            statements[number] = (text, {"p": True, "n": False}.get(answer))
            if answer not in ("p", "n"):
                odd.append((line, answer))
        event, summary = row["Input.eventId"].strip(), row["Input.summaryId"].strip()
        if not event or not summary:
            Place(problems, path, line).error(
                found="no eventId or no summaryId",
                expected="both",
                remedy="Correct the row.",
            )
            continue
        yield WorkerAnswers(line, event, summary, row["Input.summary_text"], statements)
    if odd:
        line, answer = odd[0]
        Place(problems, path, line).warning(
            found=f"{counted(len(odd), 'answer')} other than p and n, first {shorten(answer)}",
            expected="p (present) or n (not)",
            remedy="They were left out.",
        )


def read_scores(path: Path, problems: Problems) -> Iterator[ScoredSummary]:
    """The entries of a score dictionary."""
    content = read_pickle(path, problems, what="a score dictionary of REALSumm")
    at = Place(problems, path)
    if content is not None and not isinstance(content, dict):
        at.error(
            found=type(content).__name__,
            expected="a dictionary by doc_id",
            remedy="Check the file.",
        )
    for key, entry in object_at(content).items():
        here = at.at(field=f"doc_id {shorten(key)}")
        document = entry.get("doc_id", key) if isinstance(entry, dict) else key
        match entry:
            case {"ref_summ": str(reference), "system_summaries": dict(systems)} if isinstance(document, str | int):
                for name, system in systems.items():
                    system_place = at.at(field=f"{here.field} {shorten(name)}")
                    yield from _scored(system_place, str(document), reference, str(name), system)
            case _:
                here.error(
                    found=shorten(entry),
                    expected="ref_summ and system_summaries",
                    remedy="Check the file.",
                )


def _scored(here: Place, document: str, reference: str, name: str, system: object) -> Iterator[ScoredSummary]:
    """The text and the scores of a system's entry; an error if it has no text."""
    match system:
        case {"system_summary": str(text), **rest}:
            scores: dict[str, float] = {}
            for metric, value in object_at(rest, "scores").items():
                number = number_of(value)
                if number is None:
                    here.warning(
                        found=f"{shorten(metric)}: {shorten(value)}",
                        expected="a number",
                        remedy="The value was left out.",
                    )
                else:
                    scores[str(metric)] = number
            yield ScoredSummary(document, reference, name.removesuffix(_TEXT), text, scores)
        case _:
            here.error(
                found=shorten(system),
                expected="system_summary",
                remedy="Check the file.",
            )
