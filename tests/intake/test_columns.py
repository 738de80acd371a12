"""What the columns of a table mean, by the table of cases in column_tables.txt: its head says how to read it."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest

from intake.column_cases import Case, read_cases, rows_of
from pyramidion.errors import UsageError
from pyramidion.intake.cells import keys_of
from pyramidion.intake.column_questions import IN_MEMORY, ColumnQuestion
from pyramidion.intake.columns import recognise
from pyramidion.intake.judgment_columns import recognise_judgments
from pyramidion.intake.opened import RowFormat
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.score_columns import recognise_scores
from pyramidion.intake.summary_columns import SummaryColumns, recognise_summaries


def short(name: str) -> str:
    return name.replace(" ", "~")


def written(**roles: Any) -> str:
    """An answer in short."""
    columns = {role: [names] if isinstance(names, str) else list(names or ()) for role, names in roles.items()}
    pairs = [f"{role}={'+'.join(map(short, names))}" for role, names in columns.items() if any(names)]
    return " ".join(pairs) or "nothing"


def asked(question: ColumnQuestion) -> str:
    """A question in short: the options to type."""
    options = [json.loads(option) for option in re.findall(r"`columns=(\{.*?\})`", question.remedy)]
    typed = [",".join(f"{role}={names}" for role, names in option.items()) for option in options]
    return " ".join(["?", *map(short, typed)])


def table_of(case: Case, format: str, *, once: bool) -> TableProfile:
    rows = rows_of(case.table, each_topic_once=once, are_text=format == "csv")
    return TableProfile(keys_of(rows), rows)


def file_of(format: str) -> str:
    return IN_MEMORY if format == "memory" else f"x.{format}"


def format_of(format: str) -> RowFormat | None:
    return None if format == "memory" else cast(RowFormat, format)


def columns_of_summaries(case: Case, format: str, *, once: bool, completes: bool = False) -> str:
    try:
        columns = recognise_summaries(
            table_of(case, format, once=once),
            case.named,
            file=file_of(format),
            format=format_of(format),
            completes=completes,
        )
    except UsageError as error:
        return f"! {error}"
    if isinstance(columns, ColumnQuestion):
        return asked(columns)
    measured = [
        f"{system}/{measure}/{column}"
        for system, measures in columns.measures_by_system.items()
        for column, measure in measures.items()
    ]
    return written(
        topic=columns.topic,
        summarizer=columns.summarizer,
        summary=columns.systems or columns.summary,
        run=columns.run,
        references=columns.references,
        documents=columns.documents,
        judgments=columns.judgments,
        scores=columns.scores,
        measured=measured,
        whole=sorted(columns.integral),
        nobodys=columns.unowned,
        unused=columns.unused,
    )


def columns_of_scores(case: Case, format: str, *, once: bool) -> str:
    table = table_of(case, format, once=once)
    try:
        columns = recognise_scores(table, case.named, uses_bookkeeping=False)
    except UsageError as error:
        return f"! {error}"
    if isinstance(columns, ColumnQuestion):
        return asked(columns)
    measures = [name for name in columns.measure_columns(table.columns) if name not in columns.systems]
    roles = {role: columns.columns.get(role) for role in ("topic", "summarizer", "measure", "value", "run")}
    if columns.grid:
        measures = list(next(iter(columns.grid.values())))
    systems = (*columns.systems, *columns.grid)
    return written(**roles, systems=systems, measures=measures, unused=columns.unused)


def columns_of_judgments(case: Case) -> str:
    try:
        columns = recognise_judgments(keys_of(rows_of(case.table)), case.named, file="x.csv")
    except UsageError as error:
        return f"! {error}"
    if isinstance(columns, ColumnQuestion):
        return asked(columns)
    return written(**columns.columns, questions=columns.questions)


def assert_answers(case: Case, answer: str) -> None:
    if case.answer.startswith("! "):  # a part of the message of a usage error
        assert answer.startswith("! ")
        assert case.answer[2:] in answer
    else:
        assert answer == case.answer


@pytest.mark.parametrize("case", read_cases("summaries"), ids=str)
def test_columns_of_summaries(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_summaries(case, format, once=False))


@pytest.mark.parametrize("case", read_cases("summaries, each topic once"), ids=str)
def test_columns_of_summaries_of_sheets(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_summaries(case, format, once=True))


@pytest.mark.parametrize("case", read_cases("references for other files"), ids=str)
def test_columns_of_tables_that_complete_others(case: Case) -> None:
    for format in case.formats:
        answer = columns_of_summaries(case, format, once=True, completes=True)
        assert_answers(case, answer)


@pytest.mark.parametrize("case", read_cases("summaries or scores"), ids=str)
def test_whether_a_table_holds_summaries_or_scores(case: Case) -> None:
    for format in case.formats:
        table = table_of(case, format, once=False)
        assert recognise(table, case.named, format=format_of(format)) == case.answer


@pytest.mark.parametrize("case", read_cases("scores"), ids=str)
def test_columns_of_scores(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_scores(case, format, once=False))


@pytest.mark.parametrize("case", read_cases("scores, each topic once"), ids=str)
def test_columns_of_scores_of_sheets(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_scores(case, format, once=True))


@pytest.mark.parametrize("case", read_cases("judgments"), ids=str)
def test_columns_of_judgments(case: Case) -> None:
    assert_answers(case, columns_of_judgments(case))


def test_what_was_understood_names_no_column_that_is_not_there() -> None:
    rows = [{"topic": "t", "summarizer": "A", "summary": "a b", "reference": "a c"}]
    columns = recognise_summaries(TableProfile(keys_of(rows), rows), {}, file="rows.jsonl", format="jsonl")
    assert isinstance(columns, SummaryColumns)
    assert columns.describe("x").endswith("summary = summary; references = reference")
