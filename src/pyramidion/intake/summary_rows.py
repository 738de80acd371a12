"""From a row as a user's table has it to a row of summaries in our own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.intake.cells import as_id, is_missing, lacks_number, parse_number, split_texts
from pyramidion.intake.summary_columns import FLAT_FIELDS, SummaryColumns

_NUMBER_FIELDS = ("judgments", "scores")
_TEXT_FIELDS = ("references", "documents")
_KEPT_FIELDS = ("judgments", "scores", "simulated")
"""Fields of our own form that are kept as they are, whatever the other columns are called."""


def convert_row(columns: SummaryColumns, raw: Mapping[str, Any], number: int) -> dict[str, Any]:
    """A row in our own form; what can't be used is left for the decoder to refuse.

    Args:
        columns: what the columns of the table mean.
        raw: the row as JSON has it.
        number: the topic, if no column holds one.
    """
    row = _keep_fields(columns, raw) if columns.is_own else _rename_fields(columns, raw)
    _add_id(row, raw, "topic", columns.topic, str(number), columns)
    _add_id(row, raw, "summarizer", columns.summarizer, columns.named, columns)
    _add_run(row, raw, columns)
    for field in _TEXT_FIELDS:
        if isinstance(row.get(field), str | dict):
            row[field] = [row[field]]
    if is_missing(row.get("summary", "")):
        row["summary"] = None
    _add_numbers(row, raw, "judgments", columns.judgments, columns.measures)
    _add_numbers(row, raw, "scores", columns.scores, columns.measures)
    for field in _NUMBER_FIELDS:
        if field in row:
            row[field] = drop_missing_answers(row[field])
    return row


def _keep_fields(columns: SummaryColumns, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row that has our own names, without missing ones and columns of numbers; unknown keys stay."""
    numbers = {*columns.scores, *columns.judgments}
    row: dict[str, Any] = {}
    for key, cell in raw.items():
        if key in numbers:
            continue
        can_be_absent = key in FLAT_FIELDS and key != "summary"
        if can_be_absent and is_missing(cell):
            continue
        row[str(key)] = cell
    return row


def _rename_fields(columns: SummaryColumns, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The summary, references, documents and nested fields of a row under our own names."""
    row = {field: raw[field] for field in _KEPT_FIELDS if not is_missing(raw.get(field))}
    if not columns.summary:
        row["summary"] = None
    elif columns.summary in raw:
        row["summary"] = raw[columns.summary]
    for field, names in (("references", columns.references), ("documents", columns.documents)):
        texts: list[Any] = []
        for name in names:
            texts += _texts_of(raw.get(name), cells_are_text=columns.cells_are_text)
        if texts:
            row[field] = texts
    return row


def _texts_of(cell: Any, *, cells_are_text: bool) -> list[Any]:
    """The texts in a cell: one, or a list of them."""
    if is_missing(cell):
        return []
    if isinstance(cell, list | tuple):
        return list(cell)
    if not isinstance(cell, str):
        return [cell]
    if cells_are_text and not cell.strip():  # an empty cell of CSV is no text
        return []
    if cells_are_text or cell.startswith("["):
        return split_texts(cell)
    return [cell]


def _add_id(
    row: dict[str, Any], raw: Mapping[str, Any], field: str, column: str | None, default: str, columns: SummaryColumns
) -> None:
    """Add the topic or summarizer of a row.

    Args:
        row: gets the id, or loses it if the cell is missing.
        raw: the row as the table has it.
        field: which id.
        column: its column.
        default: the id, if no column holds one.
        columns: what the columns mean.
    """
    if column is None:
        row[field] = default
        return
    if column not in raw:
        return
    id = as_id(raw[column], integral=column in columns.integral)
    if is_missing(id):
        row.pop(field, None)
    else:
        row[field] = id


def _add_run(row: dict[str, Any], raw: Mapping[str, Any], columns: SummaryColumns) -> None:
    """Add the label of a row's run, if a column has it."""
    column = columns.run
    if column is None:
        return
    if column != "run":
        row.pop(column, None)
    label = as_id(raw.get(column), integral=True)
    if is_missing(label):
        row.pop("run", None)
    else:
        row["run"] = label


def _add_numbers(
    row: dict[str, Any], raw: Mapping[str, Any], field: str, columns: Sequence[str], measures: Mapping[str, str]
) -> None:
    """Add the numbers of a row to its judgments or scores.

    Args:
        row: gets them.
        raw: the row as the table has it.
        field: judgments or scores.
        columns: the columns of numbers.
        measures: by column, what it measures, where that is not its name.
    """
    numbers: dict[str, Any] = {}
    for column in columns:
        cell = raw.get(column)
        if not lacks_number(cell):
            numbers[measures.get(column, column)] = parse_number(cell)
    if not numbers:
        return
    nested = row.get(field)
    if isinstance(nested, dict):
        numbers = {**nested, **numbers}
    row[field] = numbers


def drop_missing_answers(judgments: Any) -> Any:
    """Judgments by question without missing answers; also those in a list of {question, assessor, value}.

    Anything else, including a repeated answer, stays as it is, and the decoder refuses it.
    """
    if isinstance(judgments, list):
        judgments = _by_question(judgments)
    if not isinstance(judgments, dict):
        return judgments
    answers: dict[Any, Any] = {}
    for question, answer in judgments.items():
        if isinstance(answer, dict):
            cells = {assessor: cell for assessor, cell in answer.items() if not lacks_number(cell)}
            is_dropped = bool(answer) and not cells
            if not is_dropped:
                answers[question] = {assessor: parse_number(cell) for assessor, cell in cells.items()}
        elif not lacks_number(answer):
            answers[question] = parse_number(answer)
    return answers


def _by_question(judgments: list[Any]) -> Any:
    """Judgments in a list, as they are written to Parquet, by question and assessor."""
    nested: dict[str, dict[str, Any]] = {}
    for judgment in judgments:
        match judgment:
            case {"question": str(question), **fields} if {*fields} <= {"assessor", "value"}:
                assessor = fields.get("assessor", "")
                answers = nested.setdefault(question, {})
                if not isinstance(assessor, str) or assessor in answers:
                    return judgments
                answers[assessor] = fields.get("value")
            case _:
                return judgments
    return nested
