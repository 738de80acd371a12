"""What the columns of a table mean, by the table of cases in column_tables.txt: its head says how to read it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from intake.column_cases import Case, read_cases, rows_of
from pyramidion.campaign.judgment_tables import _Layout
from pyramidion.errors import UsageError
from pyramidion.files.problems import Problems
from pyramidion.intake.columns import find_columns
from pyramidion.intake.profile import IN_MEMORY
from pyramidion.intake.roles import keys_of
from pyramidion.scores import reading
from pyramidion.scores.gathering import ASIDE
from pyramidion.scores.reading import are_scores


def short(name: str) -> str:
    return name.replace(" ", "~")


def written(**roles: Any) -> str:
    """An answer in short."""
    columns = {role: [names] if isinstance(names, str) else list(names or ()) for role, names in roles.items()}
    return (
        " ".join(f"{role}={'+'.join(map(short, names))}" for role, names in columns.items() if any(names)) or "nothing"
    )


def asked(problems: Problems) -> str:
    """A question in short: the options to type."""
    (problem,) = problems
    typed = re.findall(r"--columns ('[^']*'|\S*[^\s.,;])", problem.remedy)
    in_python = [
        ",".join(f"{role}={names}" for role, names in json.loads(option).items())
        for option in re.findall(r"columns=(\{.*?\})", problem.remedy)
    ]
    return " ".join(["?", *(short(option.strip("'")) for option in (*typed, *in_python))])


def columns_of_summaries(
    table: str, named: dict[str, str], *, format: str, completes: bool = False, once: bool = False
) -> str:
    rows = rows_of(table, each_topic_once=once, are_text=format == "csv")
    problems = Problems()
    at = problems.at(IN_MEMORY if format == "memory" else Path(f"x.{format}"))
    try:
        columns = find_columns(
            *(rows, named, at), named="x", texts=format == "csv", lines=format == "jsonl", completes=completes
        )
    except UsageError as error:
        return f"! {error}"
    if columns is None:
        return asked(problems)
    nobodys = [problem.field for problem in problems]
    measured = {measure: measure for held in columns.by_system.values() for measure in held.values()}
    return written(
        topic=columns.topic,
        summarizer=columns.summarizer,
        summary=columns.systems or columns.summary,
        references=columns.references,
        documents=columns.documents,
        judgments=columns.judgments,
        scores=columns.scores,
        measured=list(measured),
        whole=sorted(columns.integral),
        nobodys=nobodys,
        unused=columns.others,
    )


def columns_of_scores(
    table: str, named: dict[str, str], *, format: str, bookkeeping: bool = False, once: bool = False
) -> str:
    rows = rows_of(table, each_topic_once=once, are_text=format == "csv")
    names = keys_of(rows)
    problems = Problems()
    called = reading._called(names, rows, named, bookkeeping=bookkeeping)
    at = problems.at(IN_MEMORY if format == "memory" else Path(f"x.{format}"))
    if reading._asks_for_systems(names, rows, called, named, at):
        return asked(problems)
    systems = reading._system_columns(named, names)
    roles = {ours: theirs for theirs, ours in called.items() if ours}
    return written(
        **{role: roles.get(role) for role in ("topic", "summarizer", "measure", "value", "run")},
        systems=systems,
        measures=[name for name in names if name not in called and name not in (*ASIDE, *systems)],
        unused=[theirs for theirs, ours in called.items() if not ours],
    )


def columns_of_judgments(table: str, named: dict[str, str]) -> str:
    problems = Problems()
    rows = rows_of(table)
    try:
        layout = _Layout.of(list(rows[0]), named, problems.at(Path("x.csv")))
    except UsageError as error:
        return f"! {error}"
    if layout is None:
        return asked(problems)
    return written(**layout.names, questions=layout.questions)


def kind_of_table(table: str, named: dict[str, str], *, format: str, once: bool = False) -> str:
    rows = rows_of(table, each_topic_once=once, are_text=format == "csv")
    is_scores = are_scores(keys_of(rows), rows, named, format=None if format == "memory" else format)
    return "scores" if is_scores else "summaries"


def assert_answers(case: Case, answer: str) -> None:
    if case.answer.startswith("! "):  # a part of the message of a usage error
        assert answer.startswith("! ")
        assert case.answer[2:] in answer
    else:
        assert answer == case.answer


@pytest.mark.parametrize("case", read_cases("summaries"), ids=str)
def test_columns_of_summaries(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_summaries(case.table, case.named, format=format))


@pytest.mark.parametrize("case", read_cases("summaries, each topic once"), ids=str)
def test_columns_of_summaries_of_sheets(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_summaries(case.table, case.named, format=format, once=True))


@pytest.mark.parametrize("case", read_cases("references for other files"), ids=str)
def test_columns_of_tables_that_complete_others(case: Case) -> None:
    for format in case.formats:
        answer = columns_of_summaries(case.table, case.named, format=format, once=True, completes=True)
        assert_answers(case, answer)


@pytest.mark.parametrize("case", read_cases("summaries or scores"), ids=str)
def test_whether_a_table_holds_summaries_or_scores(case: Case) -> None:
    for format in case.formats:
        assert kind_of_table(case.table, case.named, format=format) == case.answer


@pytest.mark.parametrize("case", read_cases("scores"), ids=str)
def test_columns_of_scores(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_scores(case.table, case.named, format=format))


@pytest.mark.parametrize("case", read_cases("scores, each topic once"), ids=str)
def test_columns_of_scores_of_sheets(case: Case) -> None:
    for format in case.formats:
        assert_answers(case, columns_of_scores(case.table, case.named, format=format, once=True))


@pytest.mark.parametrize("case", read_cases("judgments"), ids=str)
def test_columns_of_judgments(case: Case) -> None:
    assert_answers(case, columns_of_judgments(case.table, case.named))
