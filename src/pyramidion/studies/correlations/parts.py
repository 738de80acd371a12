"""Correlations in groups of topics, such as those with specific and with general requests (Dang 2006, Table 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyramidion.options import CorrelateOptions
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from pyramidion.show.wording import counted, number
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.studies.correlations.correlations import Correlations, correlate


class PartCorrelations(Correlations):
    """The same correlations in each group of topics; `part` of a row says of which."""

    by: str
    """The field or attribute of topics that makes the groups."""
    parts: Mapping[str, Correlations]
    topics: Mapping[str, int]
    """Topics of each group."""

    def __repr__(self) -> str:
        return f"<PartCorrelations by {self.by}: {', '.join(self.parts)}>"

    def tables(self) -> list[Table]:
        """The tables of each group, one after the other; first what differs most."""
        tables = [
            replace(table, title=f"{table.title}; {self._named(part)}", about=f"{self.by} {part}, {table.about}")
            for part, found in self.parts.items()
            for table in found.tables()
        ]
        if tables:
            tables[0] = replace(tables[0], sentences=(*self._differences(), *tables[0].sentences))
        return tables

    def _named(self, part: str) -> str:
        return f"{self.by} {part} ({counted(self.topics[part], 'topic')})"

    def _differences(self) -> Iterator[str]:
        """In which group the first measures correlate best, and in which least."""
        first = next(iter(self.parts.values()))
        if first.options.matrix:
            return
        level, coefficient = first.options.level[0], first.options.coefficient[0]
        for target in first.targets:
            for measure in first.measures[:3]:
                values = {
                    part: value
                    for part, found in self.parts.items()
                    if (value := found.value(measure, target, level=level, coefficient=coefficient)) is not None
                }
                if len(values) < 2:
                    continue
                best, least = (choose(values, key=lambda part: abs(values[part])) for choose in (max, min))
                yield (
                    f"{measure} has its strongest correlation with {target} where {self.by} is {best} "
                    f"({coefficient.capitalize()} {number(values[best], 3)}), lowest where it is {least} "
                    f"({number(values[least], 3)})."
                )


def correlate_parts(
    tables: Mapping[str, ScoreTable],
    by: str,
    measures: Sequence[str],
    with_: Sequence[str],
    options: CorrelateOptions,
    *,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> PartCorrelations:
    """Correlate measures in each group of topics; the tables are by the value that the topics of a group share."""
    parts = {
        part: correlate(table, measures, with_, options, seed=seed, progress=progress) for part, table in tables.items()
    }
    first = next(iter(parts.values()))
    rows: dict[str, Any] = {
        name: tuple(replace(row, part=part) for part, found in parts.items() for row in getattr(found, name))
        for name in ("correlations", "tests", "significant", "accuracies", "clusters", "mean_ranks")
    }
    about = {name: getattr(first, name) for name in ("lower_is_better", "notes", "names", "kinds")}
    topics = {part: table.topic_total for part, table in tables.items()}
    return PartCorrelations(by=by, parts=parts, topics=topics, options=options, **rows, **about)
