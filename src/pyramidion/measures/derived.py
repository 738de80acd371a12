"""Derived measures: functions of the columns of a score table, such as `scaled-rank(of=question.overall)`.

They see no texts. The columns that they use are scored first; `deriving` then adds them to the table.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from pyramidion.arrays import Floats
from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import ONE_VALUE, Measure, write_option
from pyramidion.measures.names import MeasureName, parse
from pyramidion.scores import Evidence
from pyramidion.scores.cube import ScoreCube
from pyramidion.version import VERSION


def positional(doc: str) -> Any:
    """The field that holds the measures given without a key, as in `hbr(rouge-1.recall,js)`: names of columns."""
    return dataclasses.field(default=(), metadata={"positional": doc, "column": True})


def column_option(doc: str) -> Any:
    """A field that is an option and names a column, as in `scaled-rank(of=js)`."""
    return dataclasses.field(default="", metadata={"doc": doc, "column": True})


@dataclass(frozen=True, kw_only=True, eq=False)
class Derivation:
    """What a derived measure makes of its columns."""

    values: Floats
    """Summarizers × topics of the cube; NaN where there is no value."""
    higher_is_better: bool = True
    reason: str = ""
    """Why values are missing although the columns are there; becomes a warning."""
    facts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What else determines the values and belongs in the signature."""


@dataclass(frozen=True, kw_only=True)
class Derived(Measure):
    """Base of all derived measures: they name their columns and turn these into one value for each summary."""

    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE

    def __post_init__(self) -> None:
        super().__post_init__()
        # One spelling, so that equal measures are equal; what is unknown here may be known where it is used.
        for name, columns in self._columns_by_field(_canonical).items():
            object.__setattr__(self, name, columns)

    def resolved(self, resolve: Callable[[str], str]) -> Self:
        """The measure with its columns under the names that `resolve` gives them, or its error."""
        return replace(self, **self._columns_by_field(resolve))

    def _columns_by_field(self, rename: Callable[[str], str]) -> dict[str, Any]:
        """By field, the renamed column or columns that it names; fields that name none are left out."""
        columns: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if "column" not in field.metadata or not value:
                continue
            if isinstance(value, tuple):
                columns[field.name] = tuple(dict.fromkeys(map(rename, value)))
            else:
                columns[field.name] = rename(value)
        return columns

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures that it is derived from, by their canonical names, statistic included (see `column`)."""
        raise NotImplementedError(f"{type(self).__name__} must name its columns")

    def derive(self, cube: ScoreCube) -> Derivation:
        """Values from the columns, which the cube has in the order of `columns`, each once.

        Args:
            cube: measures × summarizers × topics, NaN where a summary has no score.
        """
        raise NotImplementedError(f"{type(self).__name__} must derive its values")

    def evidence(self, topic: TopicData) -> Evidence | None:  # noqa: ARG002  # the same door as other measures
        """There is none: a derived measure needs the whole table."""
        raise UsageError(f"{self.name()} is derived from other scores; score those and call `add_derived`")

    def name(self, statistic: str | None = None) -> str:
        """The canonical name: the columns given without a key first."""
        columns: list[MeasureName] = []
        for field in self._positional_fields():
            columns += map(parse, getattr(self, field.name))
        name = parse(super().name(statistic))
        return str(replace(name, arguments=(*columns, *name.arguments)))

    @classmethod
    def from_name(cls, name: MeasureName, identities: Mapping[str, Any]) -> Self:
        """The measure that a parsed name means; measures given without a key go to the positional field."""
        fields = cls._positional_fields()
        if name.measures and fields:
            identities = {**identities, fields[0].name: tuple(map(str, name.measures))}
            name = replace(name, arguments=name.options)
        return super().from_name(name, identities)

    @classmethod
    def _positional_fields(cls) -> list[dataclasses.Field[Any]]:
        """The fields that take measures given without a key."""
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


def _canonical(name: str) -> str:
    """The canonical name of a column that the registry knows; of another, the name as it is."""
    from pyramidion.measures.registry import column  # which knows the derived families

    try:
        return column(name)
    except UsageError:
        return name
