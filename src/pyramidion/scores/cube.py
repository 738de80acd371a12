"""Several measures of a score table on the same summarizers and topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyramidion.arrays import Floats
from pyramidion.scores.table import ScoreTable, grid


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCube:
    """Measures × summarizers × topics; NaN where a summary has no score."""

    measures: tuple[str, ...]
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    higher_is_better: tuple[bool, ...]
    """By measure."""
    notes: tuple[str, ...]
    """By measure: what a reader of its values must know, or ""."""

    def __getitem__(self, measure: str) -> Floats:
        """One measure as summarizers × topics."""
        layer: Floats = self.values[self.measures.index(measure)]
        return layer

    def sorted_by_name(self) -> ScoreCube:
        """Summarizers and topics sorted by their ids: what a seed draws does not depend on the order of a file."""
        rows = sorted(range(len(self.summarizers)), key=self.summarizers.__getitem__)
        columns = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        return replace(
            self,
            summarizers=tuple(self.summarizers[row] for row in rows),
            topics=tuple(self.topics[column] for column in columns),
            values=self.values[:, rows][:, :, columns],
        )


def cube_of(table: ScoreTable, measures: Sequence[str] | None = None) -> ScoreCube:
    """The named measures (default: all) on every summarizer and topic that has a score on one of them."""
    names = tuple(table.measures if measures is None else dict.fromkeys(measures))
    summarizers, topics, values = grid(table.only(names).frame, names)
    return ScoreCube(
        measures=names,
        summarizers=summarizers,
        topics=topics,
        values=values,
        higher_is_better=tuple(map(table.is_higher_better, names)),
        notes=tuple(table.notes.get(name, "") for name in names),
    )
