"""What to do about rows with the same key: most often, a column was not recognised."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import mention
from pyramidion.intake.column_questions import option_for
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import RUN

REMOVE = "Remove one of the two rows"
OTHERWISE_REMOVE = "Otherwise remove one of the two rows"
_SHOWN_COLUMNS = 3
"""Columns that a remedy names."""


def remedy_of_repeats(
    table: TableProfile,
    *,
    topic: str | None,
    summarizer: str | None,
    other: Sequence[str] = (),
    runs: bool,
    has_run: bool = False,
) -> str:
    """What to do where a table has the same topic and summarizer again.

    Args:
        table: its columns, without those of texts and scores, and its first rows.
        topic: the column of topics, if there is one.
        summarizer: the column of summarizers, if there is one.
        other: further columns that play a role.
        runs: whether rows are scores, which are runs of a judge most often; else they are summaries.
        has_run: whether a column numbers the runs already.
    """
    keys = [name for name in (topic, summarizer, *other) if name]
    is_common = table.has_mostly_repeats(keys)
    distinguishing = table.distinguishing_columns(keys)
    run_columns = [] if runs else RUN.match(distinguishing)
    if run_columns and is_common:
        remedy = (
            f"These seem to be several runs of a system: {option_for({'run': run_columns[:1]})} (scores are averaged)."
        )
        return remedy if summarizer else f"{remedy} If each is a system: {_either('summarizer', run_columns[:1])}."
    if summarizer is None:
        labels = [name for name in table.label_columns if name not in keys]
        systems = [name for name in distinguishing if name in labels] or labels
        return _name_systems(systems, is_common=is_common)
    if run_columns:
        return (
            f"{REMOVE}, or if they are runs of a system: {option_for({'run': run_columns[:1]})} (scores are averaged)."
        )
    if distinguishing and is_common:
        column = distinguishing[0]
        roles = ["assessor"] if runs else []
        # A role that some other column plays already is offered only if no row comes again then.
        keys_by_role = {"topic": [column, summarizer], "summarizer": [topic or column, column]}
        roles += [role for role, new_keys in keys_by_role.items() if not table.has_repeats([*new_keys, *other])]
        return name_distinguishing_column(column, roles, runs=runs, is_run=not has_run)
    if runs and not has_run:
        return f"If they are runs of one judge: {mention('runs', True)} (runs are averaged). {OTHERWISE_REMOVE}."
    if is_common and not runs:
        return f"If they are runs of one system: {mention('runs', True)} (scores are averaged). {OTHERWISE_REMOVE}."
    return f"{REMOVE}."


def _name_systems(columns: Sequence[str], *, is_common: bool) -> str:
    """What to do where no column of systems was recognised.

    Args:
        columns: those that may be systems.
        is_common: whether most topics come again.
    """
    if not columns:
        return f"{REMOVE}, or add a column `summarizer` with the system of each row."
    option = _either("summarizer", columns)
    if is_common:
        return f"No column of systems was recognised. Name it: {option}."
    return f"{REMOVE}, or name the column of systems: {option}."


def name_distinguishing_column(column: str, roles: Sequence[str], *, runs: bool, is_run: bool = True) -> str:
    """What to do where rows with the same key differ in a column.

    Args:
        column: that column.
        roles: what the column may be, besides a run.
        runs: whether it is a run most often; then that is said first.
        is_run: whether it may be a run at all: no other column numbers them.
    """
    options = [option_for({role: [column]}) for role in roles]
    if is_run:
        run_option = f"{option_for({'run': [column]})} (runs are averaged)"
        options.insert(0 if runs else len(options), run_option)
    if not options:
        return f"These rows differ in the column {column}. {REMOVE}."
    choices = options[-1]
    if len(options) > 1:
        choices = f"{', '.join(options[:-1])} or {options[-1]}"
    return f"These rows differ in the column {column}. Say what it is: {choices}."


def _either(role: str, names: Sequence[str]) -> str:
    return " or ".join(option_for({role: [name]}) for name in names[:_SHOWN_COLUMNS])
