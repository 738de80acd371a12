"""What to do about rows with the same key: most often, a column was not recognised."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.intake.looks import Looks, to_type
from pyramidion.intake.roles import candidates

REMOVE = "Remove one of the two rows"
NAMED = 3
"""Columns that a remedy names."""


def remedy_of_repeats(
    looks: Looks, file: object, *, topic: str | None, summarizer: str | None, other: Sequence[str] = (), runs: bool
) -> str:
    """What to do where a table has the same topic and summarizer again.

    Args:
        looks: of the table.
        file: its path, or what stands for rows in memory.
        topic: the column of topics, if there is one.
        summarizer: the column of summarizers, if there is one.
        other: further columns that play a role.
        runs: whether values of several runs can be averaged, as scores are.
    """
    keys = [name for name in (topic, summarizer, *other) if name]
    groups = looks.groups(keys)
    most = 2 * sum(len(rows) > 1 for rows in groups) >= len(groups)
    free = looks.apart(keys)
    mean = "then the mean of all runs is used"
    again = candidates("run", free)
    if summarizer is None and again and not runs and most:
        return (
            f"These seem to be several runs of one system (column {again[0]}): keep one of them. If each is a system: "
            f"{_either('summarizer', again[:1], file)}."
        )
    if summarizer is None:
        names = [name for name in looks.names if name not in keys]
        systems = [name for name in free if name in names] or names
        if not systems:
            return f"{REMOVE}, or add a column `summarizer` with the system of each row."
        why = "No column of systems was recognised. Name it" if most else f"{REMOVE}, or name the column of systems"
        return f"{why}: {_either('summarizer', systems, file)}."
    if again and not runs:
        which = f"These seem to be several runs of a system (column {again[0]}): " if most else f"{REMOVE}, or "
        example = f"a-{again[0]}0, a-{again[0]}1"
        return f"{which}rename the systems so that each run is its own system ({example}), or keep one run."
    if free and most:
        return differing(free[0], file, ("topic", "summarizer"), runs=runs)
    return f"{REMOVE}{f'; if they are runs of one judge, number them in a column `run`: {mean}' if runs else ''}."


def differing(column: str, file: object, roles: Sequence[str], *, runs: bool) -> str:
    """What to do where rows with the same key differ in a column.

    Args:
        column: that column.
        file: the path of the table, or what stands for rows in memory.
        roles: what the column may be, besides a run.
        runs: whether it may be one.
    """
    options = [f"{to_type({'run': [column]}, file)} (runs are averaged)"] if runs else []
    options += [to_type({role: [column]}, file) for role in roles]
    either = " or ".join(filter(None, (", ".join(options[:-1]), options[-1])))
    return f"These rows differ in the column {column}. Say what it is: {either}."


def _either(role: str, names: Sequence[str], file: object) -> str:
    return " or ".join(to_type({role: [name]}, file) for name in names[:NAMED])
