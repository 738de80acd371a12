"""Tables of judgments, as people have them: CSV, TSV, JSON, JSON lines or Parquet, long or wide.

Long: topic, summarizer, assessor, question, value. Wide: topic, summarizer, assessor, and a column for each question.
Columns are found by their usual names; an empty cell is a missing answer, not a zero. A column of runs (run, seed,
trial, …) tells the answers of an assessor apart who was asked several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.decoding import finite
from pyramidion.campaign.nouns import Judgment, to_plain
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import (
    LONGEST_ID,
    as_id,
    is_missing,
    is_odd_id,
    lacks_number,
    note_long_id,
    note_odd_id,
    number_of,
)
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.columns import JudgmentColumns, recognise_judgments
from pyramidion.intake.nested import unfold
from pyramidion.intake.opened import FileTable
from pyramidion.intake.repeats import name_distinguishing_column
from pyramidion.show.wording import counted

_IDS = ("topic", "summarizer", "assessor")
_OPTIONAL = ("run", "time", "seconds", "comment")
"""Further fields of a judgment."""

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
    distinguishing_column: str = ""
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
    named = columns or {}
    opened = unfold(FileTable(path), named.values())
    sample = opened.sample
    rows = opened.objects(problems, "an object {…}", mark_is_fine=True)
    first = next(rows, None)
    if first is None:
        if not problems.errors:
            at.error("no rows", "a table with a row for each summary or answer", "Check the file.")
        return JudgmentTable()
    meaning = recognise_judgments(list(first[1]), named, file=path)
    if isinstance(meaning, ColumnQuestion):
        meaning.note(at)
        return JudgmentTable()
    reader = _JudgmentReader(meaning, run_offset=_run_offset(meaning, sample))
    for line, row in chain([first], rows):
        reader.add(row, at.at(line))
    reader.note_words({*named.values()})
    distinguishing_column = ""
    if "run" not in meaning.columns:
        distinguishing_column = meaning.find_distinguishing_column(sample)
    return JudgmentTable(
        answers=reader.answers,
        missing=reader.count_missing(),
        understood=meaning.describe(reader.numeric_columns),
        distinguishing_column=distinguishing_column,
    )


def _run_offset(meaning: JudgmentColumns, sample: Sequence[Mapping[str, Any]]) -> int:
    """What to add to the number of a run: ours are counted from 1, those of a column such as seed perhaps from 0."""
    column = meaning.columns.get("run", "run")
    if column == "run":
        return 0
    has_zero = any(number_of(row.get(column)) == 0 for row in sample)
    return 1 if has_zero else 0


@dataclass
class _JudgmentReader:
    """Gathers the judgments of a table row by row; what is wrong with a row is noted."""

    meaning: JudgmentColumns
    run_offset: int
    answers: list[Answer] = field(default_factory=list)
    numeric_columns: set[str] = field(default_factory=set)
    """Columns with a number somewhere."""
    missing_counts: Counter[str] = field(default_factory=Counter)
    """By column, its cells without an answer."""
    words: dict[str, tuple[Place, str]] = field(default_factory=dict)
    """By column, where the first cell is that is no number, and what it says."""

    def add(self, row: Mapping[str, Any], at: Place) -> None:
        """Add the answers of a row."""
        texts = self._read_ids(row, at)
        if texts is None:
            return
        optional = self._read_optional(row)
        cells = self.meaning.questions
        if self.meaning.is_long:
            cells = {texts["question"]: self.meaning.columns["value"]}
        for question, column in cells.items():
            value = self._read_number(row.get(column), column, at)
            if value is not None:
                self._add_answer(texts, question, value, optional, at)

    def _read_ids(self, row: Mapping[str, Any], at: Place) -> dict[str, str] | None:
        """The topic, summarizer, assessor and question of a row; None, and errors, if they can be no ids."""
        columns = self.meaning.columns
        id_columns = {role: columns[role] for role in _IDS if role in columns}
        odd_columns = {role: column for role, column in id_columns.items() if is_odd_id(row.get(column))}
        for role, column in odd_columns.items():
            note_odd_id(at, column, role, row[column])
        if odd_columns:
            return None
        texts = {role: _read_id(row.get(column)) for role, column in columns.items() if role not in _OPTIONAL}
        required = ["topic", "summarizer"]
        if self.meaning.is_long:
            required.append("question")
        for role in required:
            if not texts[role]:
                at.error("nothing", f"the {role}", "Fill in the cell or remove the row.", field=columns[role])
                return None
        long_roles = [role for role, text in texts.items() if len(text) > LONGEST_ID]
        for role in long_roles:
            note_long_id(at, columns[role], texts[role], len(texts[role]))
        if long_roles:
            return None
        return texts

    def _read_optional(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The run, time, seconds and comment of a row, as far as it has them."""
        columns = self.meaning.columns
        cells = {role: row.get(columns[role]) for role in _OPTIONAL if role in columns}
        optional = {role: cell for role, cell in cells.items() if not lacks_number(cell)}
        run = number_of(optional.get("run"))
        if self.run_offset and run is not None:
            optional["run"] = int(run) + self.run_offset
        return optional

    def _read_number(self, cell: Any, column: str, at: Place) -> float | None:
        """The number in a cell; None if there is none, which is remembered."""
        if lacks_number(cell):
            self.missing_counts[column] += 1
            return None
        value = number_of(cell)
        if value is None or not finite(value):
            self.words.setdefault(column, (at.at(at.line, column), shorten(cell)))
            return None
        self.numeric_columns.add(column)
        return value

    def _add_answer(
        self, texts: Mapping[str, str], question: str, value: float, optional: Mapping[str, Any], at: Place
    ) -> None:
        """Add one answer; optional fields that can't be read are an error."""
        judgment = Judgment(
            topic=texts["topic"],
            summarizer=texts["summarizer"],
            assessor=texts.get("assessor", ""),
            question=question,
            value=int(value) if value.is_integer() else value,
        )
        if optional:
            try:
                judgment = msgspec.convert(to_plain(judgment) | optional, Judgment, strict=False)
            except msgspec.ValidationError as error:
                expected = "the optional fields of a judgment"
                at.error(str(error), expected, "Correct the cell.", field=", ".join(optional))
                return
        self.answers.append((at.line or 0, judgment))

    def count_missing(self) -> int:
        """Cells without an answer, in columns that have answers."""
        return sum(count for column, count in self.missing_counts.items() if column in self.numeric_columns)

    def note_words(self, named_columns: Collection[str]) -> None:
        """Note cells that are no numbers: errors, unless they are in a column of text that nobody named.

        Args:
            named_columns: the columns that the user names.
        """
        for column, (place, text) in self.words.items():
            is_question = column in self.numeric_columns or column in named_columns or self.meaning.is_long
            if is_question or not self.numeric_columns:
                place.error(text, "a number", "Correct the value; leave the cell empty if there is no answer.")
            else:
                place.warning(f"a column of text, such as {text}", "numbers", "It was left out.")


def _read_id(cell: Any) -> str:
    return "" if is_missing(cell) else str(as_id(cell)).strip()


def without_repeats(tables: Mapping[Path, JudgmentTable], problems: Problems) -> list[Judgment]:
    """The judgments of all files; the same answer twice counts once, two answers of one assessor are an error.

    A row with several such answers is one error.
    """
    firsts: dict[tuple[Any, ...], tuple[Path, int, Judgment]] = {}
    equal_counts: Counter[Path] = Counter()
    refused: set[tuple[Path, int]] = set()
    for path, table in tables.items():
        for line, judgment in table.answers:
            key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.question, judgment.run)
            first_path, first_line, first = firsts.setdefault(key, (path, line, judgment))
            if first is judgment:
                continue
            if first.value == judgment.value:
                equal_counts[path] += 1
            elif (path, line) not in refused:
                refused.add((path, line))
                place = f"{first_line}" if first_path == path else f"{first_line} of {first_path}"
                _note_repeat(judgment, first, place, table, problems.at(path, line))
    for path, count in equal_counts.items():
        repeats = f"{counted(count, 'answer')} more than once"
        problems.at(path).warning(repeats, "each answer once", "The repeats were left out.", count=count)
    return [judgment for _, _, judgment in firsts.values()]


def _note_repeat(judgment: Judgment, first: Judgment, first_place: str, table: JudgmentTable, at: Place) -> None:
    """Note that an assessor gave two answers.

    Args:
        judgment: the second answer.
        first: the first answer.
        first_place: the line of the first answer, and its file if that is another one.
        table: the table with the second answer.
        at: its line.
    """
    key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.question)
    if table.distinguishing_column:
        fields = ", ".join(_IDS)
        roles = () if judgment.assessor else ("assessor",)
        at.error(
            f"the key {key[:3]!r} again (first on line {first_place})",
            f"each ({fields}) once",
            name_distinguishing_column(table.distinguishing_column, roles, runs=True),
            field=fields,
        )
        return
    at.error(
        f"{judgment.value:g} for {key!r}, but {first.value:g} on line {first_place}",
        "one answer",
        "Add a column assessor (or run, if a judge was asked several times), or remove one of the two rows.",
        field="value",
    )
