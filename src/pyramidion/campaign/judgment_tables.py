"""Tables of judgments, as people have them: CSV, TSV, JSON, JSON lines or Parquet, long or wide.

Long: topic, summarizer, assessor, question, value. Wide: topic, summarizer, assessor, and a column for each question.
Columns are found by their usual names; an empty cell is a missing answer, not a zero. A column of runs (run, seed,
trial, …) tells the answers of an assessor apart who was asked several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.decoding import finite
from pyramidion.campaign.nouns import Judgment, to_plain
from pyramidion.errors import UsageError
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.looks import Looks
from pyramidion.intake.repeats import differing
from pyramidion.intake.roles import (
    LONGEST_ID,
    Role,
    as_id,
    candidates,
    is_index,
    is_missing,
    is_odd_id,
    keys_of,
    lacks_number,
    note_long_id,
    note_odd_id,
    number_of,
)
from pyramidion.intake.rows import read_objects, sample_rows
from pyramidion.wording import counted

FIELDS: tuple[Role, ...] = ("topic", "summarizer", "assessor", "question", "value")
_IDS = ("topic", "summarizer", "assessor")
OPTIONAL = ("run", "time", "seconds", "comment")
"""Further fields of a judgment, read where they have their own names; a run also under others, such as seed."""

Answer = tuple[int, Judgment]
"""The line of a judgment, and the judgment."""


@dataclass
class JudgmentTable:
    """What a file holds."""

    answers: list[Answer] = field(default_factory=list)
    missing: int = 0
    """Cells without an answer."""
    understood: str = ""
    """Which columns were taken for what."""
    telling: str = ""
    """The column in which most rows with the same key differ, if there is one and nobody said that it is the run."""


def read_judgments(path: Path, problems: Problems, columns: Mapping[str, str] | None = None) -> JudgmentTable:
    """Read a table of judgments; problems are noted, not raised.

    Args:
        path: the file.
        problems: takes errors and warnings.
        columns: which column is the topic, summarizer, assessor, question or value; any other name is a question
            with its column, and then only such columns are questions.
    """
    at = problems.at(path)
    rows = read_objects(path, problems, "an object {…}", mark_is_fine=True)
    first = next(rows, None)
    if first is None:
        if not problems.errors:
            at.error("no rows", "a table with a row for each summary or answer", "Check the file.")
        return JudgmentTable()
    layout = _Layout.of(list(first[1]), columns or {}, at)
    table = JudgmentTable()
    if layout is None:
        return table
    if "run" in layout.names and layout.names["run"] != "run":
        values = [number_of(row.get(layout.names["run"])) for row in sample_rows(path)]
        layout = replace(layout, first_run=int(any(value == 0 for value in values)))
    numeric: set[str] = set()
    words: dict[str, tuple[Place, str]] = {}
    missing: Counter[str] = Counter()
    for line, row in chain([first], rows):
        for judgment in _answers(layout, row, at.at(line), numeric, words):
            if isinstance(judgment, str):
                missing[judgment] += 1
            else:
                table.answers.append((line, judgment))
    table.missing = sum(count for column, count in missing.items() if column in numeric)
    for column, (place, found) in words.items():
        if column in numeric or layout.is_long or column in (columns or {}).values() or not numeric:
            place.error(found, "a number", "Correct the value; leave the cell empty if there is no answer.")
        else:
            place.warning(f"a column of text, such as {found}", "numbers", "It was left out.")
    table.understood = layout.described(numeric)
    table.telling = "" if "run" in layout.names else layout.telling(sample_rows(path))
    return table


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """Which column is what."""

    names: Mapping[str, str]
    """By field, the column."""
    questions: Mapping[str, str]
    """By question, the column; empty in a long table."""
    first_run: int = 0
    """1 if runs are counted from 0: ours are counted from 1."""

    @property
    def is_long(self) -> bool:
        return not self.questions

    @classmethod
    def of(cls, header: Sequence[str], columns: Mapping[str, str], at: Place) -> _Layout | None:
        for name, column in columns.items():
            if column not in header:
                raise UsageError(
                    f"--columns {name}={column}: {at.file} has no column {column!r}; it has: {', '.join(header)}"
                )
        names = {name: columns[name] for name in (*FIELDS, *OPTIONAL) if name in columns}
        chosen = {name: column for name, column in columns.items() if name not in names}
        for name in FIELDS:
            free = [column for column in header if column not in (*names.values(), *chosen.values())]
            if name not in names:
                names.update((name, column) for column in candidates(name, free)[:1])
        names |= {name: name for name in OPTIONAL if name in header and name not in names}
        if "run" not in names:
            free = [column for column in header if column not in (*names.values(), *chosen.values())]
            names.update(("run", column) for column in candidates("run", free)[:1])
        if chosen or not {"question", "value"} <= names.keys():
            for name in ("question", "value"):  # then such a column is a question of a wide table
                if name not in columns:
                    names.pop(name, None)
            rest = (column for column in header if column not in names.values() and not is_index(column))
            chosen = chosen or {column: column for column in rest}
        lacking = [name for name in ("topic", "summarizer") if name not in names]
        if lacking or not (chosen or {"question", "value"} <= names.keys()):
            at.at(1).error(
                f"the columns {', '.join(header)}",
                "topic, summarizer, and a column for each question; or topic, summarizer, question and value",
                f"Say which is which, for instance: --columns {_example(lacking, header, names)}.",
            )
            return None
        return cls(names=names, questions=chosen)

    def telling(self, sample: Sequence[Mapping[str, Any]]) -> str:
        """A column in which most rows with the same key differ."""
        answers = {self.names["value"]} if self.is_long else {*self.questions.values()}
        looks = Looks([name for name in keys_of(sample) if answers != {name}], sample)
        keys = [self.names[name] for name in ("topic", "summarizer", "assessor", "question") if name in self.names]
        groups = looks.groups(keys)
        if 2 * sum(len(rows) > 1 for rows in groups) < len(groups):
            return ""
        return next(iter(looks.apart(keys)), "")

    def described(self, numeric: set[str]) -> str:
        shown = (*FIELDS, "run")
        renamed = [f"{name} = {column}" for name, column in self.names.items() if name in shown]
        asked = [name for name, column in self.questions.items() if column in numeric]
        return ", ".join([*renamed, *([f"questions: {', '.join(asked)}"] if asked else [])])


def _example(lacking: Sequence[str], header: Sequence[str], names: Mapping[str, str]) -> str:
    """What to type where columns are not found, with columns that are free."""
    taken = names.values() if lacking else [names[name] for name in ("topic", "summarizer", *OPTIONAL) if name in names]
    free = [column for column in header if column not in taken and not is_index(column)]
    return ",".join(
        f"{name}={column}" for name, column in zip(lacking or ["QUESTION"], [*free, "A", "B"], strict=False)
    )


def _answers(
    layout: _Layout, row: Mapping[str, Any], at: Place, numeric: set[str], words: dict[str, tuple[Place, str]]
) -> Iterator[Judgment | str]:
    """The answers of a row; for each that is missing, its column."""
    odd = [name for name in _IDS if name in layout.names and is_odd_id(row.get(layout.names[name]))]
    for name in odd:
        note_odd_id(at, layout.names[name], name, row[layout.names[name]])
    if odd:
        return
    texts: dict[str, str] = {name: _id(row.get(column)) for name, column in layout.names.items() if name in FIELDS}
    for name in ("topic", "summarizer", *(["question"] if layout.is_long else [])):
        if not texts[name]:
            at.error("nothing", f"the {name}", "Fill in the cell or remove the row.", field=layout.names[name])
            return
    long = [(name, text) for name, text in texts.items() if len(text) > LONGEST_ID]
    for name, text in long:
        note_long_id(at, layout.names[name], text, len(text))
    if long:
        return
    further = {
        name: value
        for name in OPTIONAL
        if name in layout.names and not lacks_number(value := row.get(layout.names[name]))
    }
    if layout.first_run and (run := number_of(further.get("run"))) is not None:
        further["run"] = int(run) + layout.first_run
    cells = {texts["question"]: layout.names["value"]} if layout.is_long else layout.questions
    for question, column in cells.items():
        cell = row.get(column)
        if lacks_number(cell):
            yield column
            continue
        value = number_of(cell)
        if value is None or not finite(value):
            words.setdefault(column, (at.at(at.line, column), shorten(cell)))
            continue
        numeric.add(column)
        judgment = Judgment(
            topic=texts["topic"],
            summarizer=texts["summarizer"],
            assessor=texts.get("assessor", ""),
            question=question,
            value=int(value) if value.is_integer() else value,
        )
        try:
            yield msgspec.convert(to_plain(judgment) | further, Judgment, strict=False) if further else judgment
        except msgspec.ValidationError as error:
            at.error(str(error), "the optional fields of a judgment", "Correct the cell.", field=", ".join(further))


def _id(cell: Any) -> str:
    return "" if is_missing(cell) else str(as_id(cell)).strip()


def without_repeats(tables: Mapping[Path, JudgmentTable], problems: Problems) -> list[Judgment]:
    """The judgments of all files; the same answer twice counts once, two answers of one assessor are an error.

    A row with several such answers is one error.
    """
    answers = ((path, answer) for path, table in tables.items() for answer in table.answers)
    seen: dict[tuple[Any, ...], tuple[Path, int, Judgment]] = {}
    equal: Counter[Path] = Counter()
    kept: list[Judgment] = []
    refused: set[tuple[Path, int]] = set()
    for path, (line, one) in answers:
        key = (one.topic, one.summarizer, one.assessor, one.question, one.run)
        if key not in seen:
            seen[key] = (path, line, one)
            kept.append(one)
            continue
        first, before, other = seen[key]
        if other.value == one.value:
            equal[path] += 1
            continue
        if (path, line) in refused:
            continue
        refused.add((path, line))
        at, named = problems.at(path, line), f"{before}" if first == path else f"{before} of {first}"
        if telling := tables[path].telling:
            roles = ("topic", "summarizer", "assessor")
            at.error(
                f"the key {key[:3]!r} again (first on line {named})",
                f"each ({', '.join(roles)}) once",
                differing(telling, path, () if one.assessor else ("assessor",), runs=True),
                field=", ".join(roles),
            )
            continue
        remedy = "Add a column assessor (or run, if a judge was asked several times), or remove one of the two rows."
        found = f"{one.value:g} for {key[:4]!r}, but {other.value:g} on line {named}"
        at.error(found, "one answer", remedy, field="value")
    for path, count in equal.items():
        found = f"{counted(count, 'answer')} more than once"
        problems.at(path).warning(found, "each answer once", "The repeats were left out.", count=count)
    return kept
