"""Derived measures added to the score table that has their columns."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from pyramidion.errors import UsageError
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.derived import Derived
from pyramidion.measures.registry import NOTHING_KNOWN, Known, Selection, column, select
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of
from pyramidion.scores.table import COLUMNS


def dependencies(
    derived: Iterable[Derived], *, known: Known = NOTHING_KNOWN, columns: Collection[str] = ()
) -> tuple[list[Derived], list[Selection]]:
    """The derived measures and those within them, innermost first, and what has to be scored for them.

    Args:
        derived: the measures that are asked for.
        known: measures that were given as objects, by name, as for `select`.
        columns: of a score table, as for `select`.

    Raises:
        UsageError: if a measure names a column that means nothing.
    """
    order: dict[Derived, None] = {}
    scored: dict[Selection, None] = {}

    def visit(measure: Derived) -> None:
        """Add a measure after all that it is derived from."""
        for name in measure.columns:
            selection = select(name, known=known, columns=columns)
            if isinstance(selection.measure, Derived):
                visit(selection.measure)
            else:
                scored.setdefault(selection)
        order.setdefault(measure)

    resolve = partial(column, known=known, columns=columns)
    for measure in derived:
        # Resolved first, so that two spellings of one column are one dependency and the name is canonical.
        visit(measure.resolved(resolve))
    return list(order), list(scored)


def add_derived(table: ScoreTable, derived: Iterable[Derived], *, known: Known = NOTHING_KNOWN) -> ScoreTable:
    """The table with these derived measures added; those that it has already are kept as they are.

    Raises:
        UsageError: if a column that one of them uses has no value in the table.
    """
    for measure in dependencies(derived, known=known, columns=table.measures)[0]:
        if measure.name() in table.measures:
            continue
        missing = [name for name in measure.columns if name not in table.measures]
        if missing:
            measures = ", ".join(table.measures) or "none"
            raise UsageError(f"{measure.name()} needs {missing[0]}, which has no value here; there are: {measures}")
        table = _add_measure(table, measure)
    return table


def _add_measure(table: ScoreTable, measure: Derived) -> ScoreTable:
    """The table with the rows of a derived measure."""
    name = measure.name()
    cube = cube_of(table, measure.columns)
    derivation = measure.derive(cube)
    if derivation.reason:
        warnings.warn(f"{name}: {derivation.reason}", MeasureWarning, stacklevel=4)
    summarizers, topics = np.nonzero(~np.isnan(derivation.values))
    rows = pl.DataFrame(
        {
            "measure": [name] * len(topics),
            "topic": np.array(cube.topics, dtype=object)[topics].tolist(),
            "summarizer": np.array(cube.summarizers, dtype=object)[summarizers].tolist(),
            "value": derivation.values[summarizers, topics],
            "signature": [measure.signature_on(cube, derivation.facts)] * len(topics),
        },
        schema=COLUMNS,
    )
    # Counted against all summaries of the table: a derived measure lacks a row wherever one of its columns does.
    unscored, notes = dict(table.unscored), dict(table.notes)
    missing = table.frame.select("topic", "summarizer").n_unique() - rows.height
    if missing > 0:
        unscored[name] = missing
    note = "; ".join(dict.fromkeys(filter(None, cube.notes)))
    if note:
        notes[name] = note
    return replace(
        table,
        frame=pl.concat([table.frame, rows]),
        higher_is_better={**table.higher_is_better, name: derivation.higher_is_better},
        unscored=unscored,
        notes=notes,
    )
