"""Derived measures: functions of the columns of a score table, such as `scaled-rank(of=question.overall)`.

They see no texts. What they rest on is scored first; `with_derived` then adds them to the table.
"""

from __future__ import annotations

import dataclasses
import hashlib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from pyramidion.arrays import Floats
from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import ONE_VALUE, Measure, MeasureWarning, write_option
from pyramidion.measures.names import MeasureName, parse
from pyramidion.scores import Evidence, ScoreCube, ScoreTable, cube_of
from pyramidion.scores.table import COLUMNS
from pyramidion.version import VERSION


def positional(doc: str) -> Any:
    """The field that holds the measures given without a key, as in `hbr(rouge-1.recall,js)`: names of columns."""
    return dataclasses.field(default=(), metadata={"positional": doc})


@dataclass(frozen=True, kw_only=True, eq=False)
class Derivation:
    """What a derived measure makes of its columns."""

    values: Floats
    """Summarizers × topics of the cube; NaN where there is no value."""
    higher_is_better: bool = True
    reason: str = ""
    """Why values are missing although the columns are there; said as a warning."""
    facts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What else determines the values and belongs in the signature."""


@dataclass(frozen=True, kw_only=True)
class Derived(Measure):
    """Base of all derived measures: they name their columns and turn these into one value for each summary."""

    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures that it rests on, by their canonical names, statistic included (see `column`)."""
        raise NotImplementedError(f"{type(self).__name__} must name its columns")

    def derive(self, cube: ScoreCube) -> Derivation:
        """Values from the columns, which the cube has in the order of `columns`, each once."""
        raise NotImplementedError(f"{type(self).__name__} must derive its values")

    def evidence(self, topic: TopicData) -> Evidence | None:  # noqa: ARG002  # the same door as other measures
        """There is none: a derived measure needs the whole table."""
        raise UsageError(f"{self.name()} is derived from other scores: score those, then call `with_derived`")

    def name(self, statistic: str | None = None) -> str:
        """The canonical name: the columns given without a key first."""
        given = (parse(column) for field in self._positional_fields() for column in getattr(self, field.name))
        plain = parse(super().name(statistic))
        return str(replace(plain, arguments=(*given, *plain.arguments)))

    @classmethod
    def from_name(cls, name: MeasureName, identities: Mapping[str, Any]) -> Self:
        """The measure that a parsed name means; measures given without a key go to the positional field."""
        fields = cls._positional_fields()
        if name.measures and fields:
            columns = tuple(dict.fromkeys(column(str(one)) for one in name.measures))
            identities = {**identities, fields[0].name: columns}
            name = replace(name, arguments=name.options)
        return super().from_name(name, identities)

    @classmethod
    def _positional_fields(cls) -> list[dataclasses.Field[Any]]:
        return [field for field in dataclasses.fields(cls) if "positional" in field.metadata]

    def signature_on(self, cube: ScoreCube, facts: Mapping[str, str]) -> str:
        """Every option, the columns, and how many summarizers and topics (with a hash of their names)."""
        options = {field.name: write_option(getattr(self, field.name)) for field in self.option_fields()}
        names = "\n".join([*sorted(cube.summarizers), "", *sorted(cube.topics)])
        parts = [
            self.base,
            *(f"{key}:{value}" for key, value in sorted(options.items())),
            f"columns:{','.join(cube.measures)}",
            f"summarizers:{len(cube.summarizers)}",
            f"topics:{len(cube.topics)}",
            f"names:{hashlib.sha256(names.encode()).hexdigest()[:8]}",
            *(f"{key}:{value}" for key, value in facts.items()),
            f"v:{VERSION}",
        ]
        return "|".join(parts)


def column(name: str) -> str:
    """The canonical name of the one column that a name means; a measure with several values needs its statistic."""
    from pyramidion.measures.registry import select  # the registry knows the derived families, too

    selection = select(name)
    if selection.statistic is None and selection.measure.statistics != ONE_VALUE:
        known = selection.measure.statistics
        such = f", such as {selection.measure.name(known[0])}" if known else ""
        raise UsageError(f"{name} has several values; say which one is meant{such}")
    return selection.name


def resting_on(derived: Iterable[Derived]) -> tuple[list[Derived], list[str]]:
    """The derived measures and those inside them, innermost first, and the columns that must be scored for them."""
    from pyramidion.measures.registry import select

    order: dict[Derived, None] = {}
    scored: dict[str, None] = {}

    def visit(measure: Derived) -> None:
        for name in measure.columns:
            inner = select(name).measure
            if isinstance(inner, Derived):
                visit(inner)
            else:
                scored.setdefault(name)
        order.setdefault(measure)

    for measure in derived:
        visit(measure)
    return list(order), list(scored)


def with_derived(table: ScoreTable, derived: Iterable[Derived]) -> ScoreTable:
    """The table with these derived measures added; those that it has already are kept as they are.

    Raises:
        UsageError: if a column that one of them rests on has no value in the table.
    """
    for measure in resting_on(derived)[0]:
        if measure.name() in table.measures:
            continue
        missing = [name for name in measure.columns if name not in table.measures]
        if missing:
            known = ", ".join(table.measures) or "none"
            raise UsageError(f"{measure.name()} rests on {missing[0]}, which has no value here; there are: {known}")
        table = _added(table, measure)
    return table


def _added(table: ScoreTable, measure: Derived) -> ScoreTable:
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
    summaries = table.frame.select("topic", "summarizer").n_unique()
    notes = "; ".join(dict.fromkeys(filter(None, cube.notes)))
    return replace(
        table,
        frame=pl.concat([table.frame, rows]),
        higher_is_better={**table.higher_is_better, name: derivation.higher_is_better},
        unscored={**table.unscored, **({name: summaries - rows.height} if rows.height < summaries else {})},
        notes={**table.notes, **({name: notes} if notes else {})},
    )
