"""Recognises the columns of a table of summaries, and notes what has to be asked or said about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pyramidion.files.problems import Place
from pyramidion.intake.cells import keys_of
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.columns import is_flat_form, recognise_summaries
from pyramidion.intake.meanings import SummaryColumns
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.rows import RowFormat, columns_of
from pyramidion.intake.summary_rows import convert_row


class Columns(SummaryColumns):
    """Which column of a table of summaries is what, and rows in our own form."""

    @property
    def called(self) -> Mapping[str, str]:
        """What the file calls the fields of our own form, where it has one column with another name, for messages."""
        return self.renamed_fields

    def each(self) -> list[Columns]:
        """The columns of each system, if each has a column of summaries; else these alone."""
        return cast(list[Columns], self.split_systems())

    def row(self, raw: Mapping[str, Any], number: int) -> dict[str, Any]:
        """A row in our own form.

        Args:
            raw: the row as JSON has it.
            number: the topic, if no column holds one.
        """
        return convert_row(self, raw, number)


def find_columns(
    sample: Sequence[Mapping[str, Any]],
    given: Mapping[str, str],
    at: Place,
    *,
    named: str,
    texts: bool = False,
    lines: bool = False,
    completes: bool = False,
) -> Columns | None:
    """Which column of a table of summaries is what; None, and an error, if the user has to say.

    A remark says what was understood.

    Args:
        sample: the first rows.
        given: what the user says: by role, a column, or several with +.
        at: the file.
        named: the summarizer, if no column has one.
        texts: whether all cells are text.
        lines: whether these are lines of JSON.
        completes: whether the table may have no summaries, but references or documents of those in other tables.

    Raises:
        UsageError: if `given` names what is not there.
    """
    format: RowFormat | None = "csv" if texts else ("jsonl" if lines else None)
    table = TableProfile(keys_of(sample), sample)
    answer = recognise_summaries(table, given, file=at.file, format=format, summarizer=named, completes=completes)
    if isinstance(answer, ColumnQuestion):
        answer.note(at)
        return None
    note_columns(answer, at)
    return Columns(**vars(answer))


def note_columns(columns: SummaryColumns, at: Place) -> None:
    """Remark which column of a table of summaries is what, and warn of numbers that belong to no system.

    Args:
        columns: the answer of the recogniser.
        at: the file.
    """
    for column in columns.unowned:
        at.at(1).warning(
            f"one number for the summaries of several systems ({', '.join(columns.systems)})",
            f"a column of each system, such as {column}_{columns.systems[0]}",
            "It was left out.",
            field=column,
        )
    sentence = columns.describe(Path(at.file).name)
    if sentence:
        at.problems.remark(sentence)


def is_flat(path: Path) -> bool:
    """Whether a file holds rows in our own form, which no other format has."""
    return is_flat_form(columns_of(path))
