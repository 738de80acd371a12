"""Tables of judgments, as people have them: CSV, TSV, JSON, JSON lines or Parquet, long or wide.

Long: topic, summarizer, assessor, question, value. Wide: topic, summarizer, assessor, and a column for each question.
Columns are found by their usual names; an empty cell is a missing answer, not a zero. Answers in words ("4/5",
`{"score": 4}`) are read by the grammar of `answers`. A column of runs (run, seed, trial, …) tells the answers of an
assessor apart who was asked several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.answers import Grade, Misfit, read_answer
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Assessor, Judgment, to_plain
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import (
    LONGEST_ID,
    as_id,
    is_missing,
    is_odd_id,
    keys_of,
    lacks_number,
    note_long_id,
    note_odd_id,
)
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.judgment_columns import JudgmentColumns, recognise_judgments
from pyramidion.intake.nested import unfold
from pyramidion.intake.opened import FileTable, OpenedTable
from pyramidion.intake.repeats import name_distinguishing_column
from pyramidion.intake.roles import JUDGMENT_ROLES, TOGETHER, exclude, names_judges
from pyramidion.intake.run_numbers import number_runs
from pyramidion.show.wording import counted

_IDS = ("topic", "summarizer", "assessor")
_NAMED = (*_IDS, "question")
"""Roles whose cells are names."""
_OPTIONAL = ("run", "time", "seconds", "comment")
"""Further fields of a judgment."""

_NAME_OR_REMOVE = "Add a column assessor (or run, if a judge was asked several times), or remove one of the two rows."
_SAY_RUNS = (
    "If they are runs of one judge: `runs=True` (runs are averaged). Otherwise add a column assessor, or remove one of "
    "the two rows."
)
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
    assessor_column: str = ""
    """The column that says who judged, if there is one."""
    unused: tuple[str, ...] = ()
    """Columns that nothing uses."""
    distinguishing_column: str = ""
    """The column in which most rows with the same key differ, if there is one and nobody said that it is the run."""


def read_judgments(
    path: Path | OpenedTable,
    problems: Problems,
    columns: Mapping[str, str] | None = None,
    *,
    aside: Collection[str] = (),
    is_imported: bool = True,
    repeats_are_runs: bool = False,
) -> JudgmentTable:
    """Read a table of judgments; problems are noted, not raised.

    Args:
        path: the file, or a table that was opened.
        problems: takes errors and warnings.
        columns: which column is the topic, summarizer, assessor, question or value; any other name is a question
            with its column, and then only such columns are questions.
        aside: columns that hold something else, such as the summaries.
        is_imported: whether a user says that these are judgments: then each column of words that can't be a question is
            a warning, and latencies and the like are questions.
        repeats_are_runs: whether several answers of one assessor to a question about a summary are runs.
    """
    opened = path if isinstance(path, OpenedTable) else FileTable(path)
    at = problems.at(opened.path)
    named = columns or {}
    opened = unfold(opened, named.values())
    sample = opened.sample
    rows = opened.objects(problems, "an object {…}", mark_is_fine=True)
    first = next(rows, None)
    if first is None:
        if not problems.errors:
            at.error("no rows", "a table with a row for each summary or answer", "Check the file.")
        return JudgmentTable()
    names = exclude(list(first[1]) if is_imported else keys_of([first[1], *sample]), aside)
    meaning = recognise_judgments(names, named, file=opened.path, rows=sample, uses_bookkeeping=is_imported)
    if isinstance(meaning, ColumnQuestion):
        meaning.note(at)
        return JudgmentTable()
    reader = _JudgmentReader(meaning)
    for line, row in chain([first], rows):
        reader.add(row, at.at(line))
    reader.note_misfits({*named.values()}, is_imported=is_imported)
    distinguishing_column = ""
    if "run" not in meaning.columns:
        distinguishing_column = meaning.find_distinguishing_column(sample)
    answers = reader.list_answers()
    if repeats_are_runs:
        answers = number_repeats(answers)
    return JudgmentTable(
        answers=answers,
        missing=reader.count_missing(),
        understood=meaning.describe(reader.answered_columns),
        assessor_column=meaning.columns.get("assessor", ""),
        unused=(*meaning.unused, *reader.wordy_columns),
        distinguishing_column=distinguishing_column,
    )


def read_judged(
    opened: OpenedTable,
    problems: Problems,
    columns: Mapping[str, str],
    *,
    aside: Collection[str] = (),
    repeats_are_runs: bool = False,
) -> Campaign:
    """The judgments of a table that was recognised by its column of judges or assessors; remarks say what is what.

    Whoever a column such as `judge` names is a judge, which is a program; others are people.

    Args:
        opened: the table.
        problems: takes errors, warnings and remarks.
        columns: by role, the columns that the user names.
        aside: columns that hold something else, such as the summaries.
        repeats_are_runs: whether several answers of one assessor to a question about a summary are runs.
    """
    problems.files.note_read(opened.path)
    named = judgment_columns_of(columns)
    table = read_judgments(opened, problems, named, aside=aside, is_imported=False, repeats_are_runs=repeats_are_runs)
    if table.understood:
        sentence = f"{opened.path.name}: judgments; {table.understood}"
        if table.unused:
            sentence += f"; not used: {', '.join(table.unused)}"
        if table.missing:
            sentence += f"; {counted(table.missing, 'empty cell')}, read as missing answers"
        problems.remark(sentence)
    judgments = without_repeats({opened.path: table}, problems, remedy=_SAY_RUNS)
    assessors: dict[str, Assessor] = {}
    if names_judges(table.assessor_column):
        assessors = {judgment.assessor: Assessor(kind="judge") for judgment in judgments if judgment.assessor}
    return Campaign(judgments=tuple(judgments), assessors=assessors)


def judgment_columns_of(columns: Mapping[str, str]) -> dict[str, str]:
    """By role of a table of judgments, the columns that the user names; named scores are questions."""
    named = {role: column for role, column in columns.items() if role in JUDGMENT_ROLES}
    for role in ("judgments", "scores", "score"):
        questions = [name for name in columns.get(role, "").split(TOGETHER) if name]
        named |= {name: name for name in questions}
    return named


def number_repeats(answers: Sequence[Answer]) -> list[Answer]:
    """The answers, those of one assessor about a summary numbered as runs, in the order of the file."""
    counts: Counter[tuple[str, ...]] = Counter()
    numbered: list[Answer] = []
    for line, judgment in answers:
        key = (judgment.topic, judgment.summarizer, judgment.assessor, judgment.question, str(judgment.run))
        counts[key] += 1
        if judgment.run == 1:
            judgment = msgspec.structs.replace(judgment, run=counts[key])  # the same answer, numbered
        numbered.append((line, judgment))
    return numbered


@dataclass(frozen=True)
class _CellAnswer:
    """The answer of a cell, and where it is."""

    column: str
    at: Place
    judgment: Judgment
    run: Any
    """As the table has it."""
    out_of: float | None


@dataclass
class _JudgmentReader:
    """Gathers the judgments of a table row by row; what is wrong with a row is noted."""

    meaning: JudgmentColumns
    cell_answers: list[_CellAnswer] = field(default_factory=list)
    missing_counts: Counter[str] = field(default_factory=Counter)
    """By column, its cells without an answer."""
    answer_counts: Counter[str] = field(default_factory=Counter)
    """By column, its cells with one."""
    misfits: dict[str, list[tuple[Place, Misfit]]] = field(default_factory=dict)
    """By column, the cells that the grammar of answers does not read."""

    def add(self, row: Mapping[str, Any], at: Place) -> None:
        """Add the answers of a row."""
        texts = self._read_ids(row, at)
        if texts is None:
            return
        optional = self._read_optional(row)
        cells = self.meaning.questions
        # A long table has one answer a row, and says to which question.
        if self.meaning.is_long:
            cells = {texts["question"]: self.meaning.columns["value"]}
        for question, column in cells.items():
            grade = self._read_grade(row.get(column), column, question, at)
            if grade is None:
                continue
            reason = row.get(self.meaning.reasons.get(question, ""))
            self._add_answer(texts, question, grade, _with_reason(optional, reason, grade), at, column)

    def _read_ids(self, row: Mapping[str, Any], at: Place) -> dict[str, str] | None:
        """The topic, summarizer, assessor and question of a row; None, and errors, if they can be no ids."""
        columns = self.meaning.columns
        id_columns = {role: columns[role] for role in _IDS if role in columns}
        odd_columns = {role: column for role, column in id_columns.items() if is_odd_id(row.get(column))}
        for role, column in odd_columns.items():
            note_odd_id(at, column, role, row[column])
        if odd_columns:
            return None
        texts = {role: _read_id(row.get(column)) for role, column in columns.items() if role in _NAMED}
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
        return {role: cell for role, cell in cells.items() if not lacks_number(cell)}

    def _read_grade(self, cell: Any, column: str, question: str, at: Place) -> Grade | None:
        """The answer in a cell; None if there is none, which is remembered."""
        grade = read_answer(cell, labels=[question])
        if isinstance(cell, bool):  # true and false of a judge are 1 and 0
            grade = Grade(float(cell))
        if isinstance(grade, Grade):
            self.answer_counts[column] += 1
            return grade
        if grade.kind == "empty":
            self.missing_counts[column] += 1
        else:
            self.misfits.setdefault(column, []).append((at.at(at.line, column), grade))
        return None

    def _add_answer(
        self,
        texts: Mapping[str, str],
        question: str,
        grade: Grade,
        optional: Mapping[str, Any],
        at: Place,
        column: str,
    ) -> None:
        """Add one answer; optional fields that can't be read are an error."""
        judgment = Judgment(
            topic=texts["topic"],
            summarizer=texts["summarizer"],
            assessor=texts.get("assessor", ""),
            question=question,
            # A whole number stays one, because it is written as 4 and not as 4.0.
            value=int(grade.value) if grade.value.is_integer() else grade.value,
        )
        fields = {role: cell for role, cell in optional.items() if role != "run"}
        if fields:
            try:
                judgment = msgspec.convert(to_plain(judgment) | fields, Judgment, strict=False)
            except msgspec.ValidationError as error:
                expected = "the optional fields of a judgment"
                at.error(str(error), expected, "Correct the cell.", field=", ".join(fields))
                return
        self.cell_answers.append(_CellAnswer(column, at, judgment, optional.get("run"), grade.out_of))

    def list_answers(self) -> list[Answer]:
        """The answers of the columns that are questions, with the numbers of their runs."""
        # Runs are known only after all rows: names are numbered in the order in which they come.
        number_of_run = number_runs([answer.run for answer in self.cell_answers])
        answers: list[Answer] = []
        for answer in self.cell_answers:
            if answer.column not in self.answered_columns:
                continue
            judgment = answer.judgment
            if answer.run is not None:
                run = number_of_run.get(str(answer.run))
                if run is None:
                    remedy = "Number all runs, from 0 or 1, or name all of them."
                    answer.at.error(
                        shorten(answer.run), "the number of a run", remedy, field=self.meaning.columns["run"]
                    )
                    continue
                judgment = msgspec.structs.replace(judgment, run=run)
            answers.append((answer.at.line or 0, judgment))
        return answers

    @property
    def answered_columns(self) -> set[str]:
        """The columns of questions: as many cells are answers as are not."""
        columns = {*self.answer_counts}
        if self.meaning.is_long:
            return columns
        return {name for name in columns if self.answer_counts[name] >= len(self.misfits.get(name, ()))}

    @property
    def wordy_columns(self) -> list[str]:
        """The columns of words that are no questions."""
        return [name for name in self.misfits if name not in self.answered_columns]

    def count_missing(self) -> int:
        """Cells without an answer, in columns that have answers."""
        return sum(count for column, count in self.missing_counts.items() if column in self.answered_columns)

    def note_misfits(self, named_columns: Collection[str], *, is_imported: bool) -> None:
        """Note cells that are no answers: errors, unless they are in a column of words that nobody named.

        Args:
            named_columns: the columns that the user names.
            is_imported: whether such a column is a warning.
        """
        for column, misfits in self.misfits.items():
            is_question = column in self.answered_columns or column in named_columns or self.meaning.is_long
            # Without any column of answers, the words in these are what is wrong with the table.
            if is_question or not self.answered_columns:
                for place, misfit in misfits:
                    remedy = "Correct the value; leave the cell empty if there is no answer."
                    place.error(misfit.found, misfit.expected, remedy)
            elif is_imported:
                place, misfit = misfits[0]
                place.warning(f"a column of text, such as {misfit.found}", "numbers", "It was left out.")
        self._note_other_scales()

    def _note_other_scales(self) -> None:
        """Note answers that count on another scale than the first ones of their question: 4/5 and 8/10."""
        highest: dict[str, float] = {}
        for answer in self.cell_answers:
            if answer.out_of is not None:
                highest.setdefault(answer.judgment.question, answer.out_of)
        for answer in self.cell_answers:
            top = highest.get(answer.judgment.question)
            if top is None:
                continue
            value = answer.judgment.value
            # 4/5 and a plain 8 of the same question: the plain ones are taken to be out of 5, too.
            if answer.out_of not in (None, top) or value > top:
                shown = f"{value:g}" if answer.out_of is None else f"{value:g}/{answer.out_of:g}"
                expected = f"an answer out of {top:g}, as others are"
                remedy = "Bring all answers to one scale."
                answer.at.error(shown, expected, remedy, field=answer.column)


def _with_reason(optional: Mapping[str, Any], reason: Any, grade: Grade) -> Mapping[str, Any]:
    """The optional fields of an answer, with the words that belong to it alone as its comment."""
    if isinstance(reason, str) and reason.strip():
        return {**optional, "comment": reason}
    if "comment" not in optional and grade.reason:
        return {**optional, "comment": grade.reason}
    return optional


def _read_id(cell: Any) -> str:
    return "" if is_missing(cell) else str(as_id(cell)).strip()


def without_repeats(
    tables: Mapping[Path, JudgmentTable], problems: Problems, *, remedy: str = _NAME_OR_REMOVE
) -> list[Judgment]:
    """The judgments of all files; the same answer twice counts once, two answers of one assessor are an error.

    A row with several such answers is one error.

    Args:
        tables: by file, what was read.
        problems: takes the errors and warnings.
        remedy: what to do about two answers of one assessor.
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
                _note_repeat(judgment, first, place, table, problems.at(path, line), remedy)
    for path, count in equal_counts.items():
        repeats = f"{counted(count, 'answer')} more than once"
        problems.at(path).warning(repeats, "each answer once", "The repeats were left out.", count=count)
    return [judgment for _, _, judgment in firsts.values()]


def _note_repeat(
    judgment: Judgment, first: Judgment, first_place: str, table: JudgmentTable, at: Place, remedy: str
) -> None:
    """Note that an assessor gave two answers.

    Args:
        judgment: the second answer.
        first: the first answer.
        first_place: the line of the first answer, and its file if that is another one.
        table: the table with the second answer.
        at: its line.
        remedy: what to do, if no column tells the two answers apart.
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
        remedy,
        field="value",
    )
