"""What to do about rows with the same key: most often, a column was not recognised."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.files.looks import Looks, to_type
from pyramidion.files.roles import candidates

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
    if summarizer is None:
        free = free or [name for name in looks.names if name not in keys]
        if not free:
            return f"{REMOVE}, or add a column `summarizer` with the system of each row."
        why = "No column of systems was recognised: say" if most else f"{REMOVE}; if they are of two systems, say"
        return f"{why} which column names the system: {_either('summarizer', free, file)}."
    again = candidates("run", free)
    if again and not runs:
        which = f"These seem to be several runs of a system (column {again[0]})" if most else REMOVE
        return f"{which}; give each run a name of its own in the column {summarizer}, or keep one run."
    if free and most:
        told = [f"{_either('run', free[:1], file)} if these are runs ({mean})"] if runs else []
        told += [f"{_either('topic', free[:1], file)} or {_either('summarizer', free[:1], file)}"]
        return f"The column {free[0]} tells these rows apart: say what it holds, {', '.join(told)}."
    return f"{REMOVE}{f'; if they are runs of one judge, number them in a column `run`: {mean}' if runs else ''}."


def _either(role: str, names: Sequence[str], file: object) -> str:
    return " or ".join(to_type({role: [name]}, file) for name in names[:NAMED])
