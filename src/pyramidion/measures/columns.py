"""The columns of a score table that was read from a file: measures of ours by their names, all others as imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyramidion.errors import UsageError
from pyramidion.measures.imported import Imported
from pyramidion.measures.names import MeasureName
from pyramidion.measures.registry import Selection, select
from pyramidion.scores import ScoreTable


def named(table: ScoreTable) -> ScoreTable:
    """The table with canonical names: `rouge-2.recall` stays, a column `judge` of another program is `imported.judge`.

    Where the file does not give the direction of a measure of ours, the measure does.
    """
    names: dict[str, str] = {}
    directions: dict[str, bool | None] = {}
    for column in table.measures:
        higher = table.higher_is_better.get(column, True)
        try:
            selection = select(column)
        except UsageError:  # not a measure of ours
            names[column] = str(MeasureName("imported", statistic=column))
        else:
            names[column] = selection.name
            higher = higher and selection.measure.higher_is_better
        directions[names[column]] = higher
    renamed = table.renamed(names)
    renamed.require_unique_keys()
    return replace(renamed, higher_is_better=directions)


def with_directions(table: ScoreTable, selections: Sequence[Selection]) -> ScoreTable:
    """The table with a column for each `imported(better=low).X` that is asked for: `imported.X` with that direction."""
    for selection in selections:
        measure = selection.measure
        if selection.name in table.measures:
            continue
        if not isinstance(measure, Imported) or measure.better is None:
            continue
        imported = {name: select(name) for name in table.measures if name.startswith("imported.")}
        names = {
            name: measure.name(column.statistic)
            for name, column in imported.items()
            if selection.statistic in (None, column.statistic)
        }
        turned = table.only(names).renamed(names)
        directions = dict.fromkeys(names.values(), measure.higher_is_better)
        table = table.join(replace(turned, higher_is_better=directions))
    return table
