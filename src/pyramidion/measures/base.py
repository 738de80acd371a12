"""What a measure is: a small frozen dataclass whose fields are its options.

From the fields come its name, its parse, its signature and its documentation. It says what it needs and whether
high is good, and turns topics into evidence.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import numbers
import types
import typing
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.measures.names import MeasureName, Option
from pyramidion.measures.run_context import RunContext
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import Reduced, jackknifed, with_all_models
from pyramidion.show import tables
from pyramidion.version import VERSION

Item = TypeVar("Item", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)


class MeasureWarning(UserWarning):
    """The values are right, but something about them deserves a look."""


Need = Literal["models", "documents", "pyramid", "judgments", "imported"]


ONE_VALUE = ("",)
"""The `statistics` of a measure that gives a summary a single number: its name has no statistic, as in `js`."""


def option(default: Any, doc: str, *, least: float | None = None, most: float = math.inf) -> Any:
    """A field that is an option of the measure, with its line of documentation and the bounds of a number."""
    return dataclasses.field(default=default, metadata={"doc": doc, "least": least, "most": most})


def identity(default: Any = dataclasses.MISSING) -> Any:
    """A field that is part of the measure's base name, such as the 2 of rouge-2."""
    return dataclasses.field(default=default, metadata={"identity": True})


@dataclass(frozen=True)
class StatisticFacts:
    """What came with a column of values: whether high is good (None: neither), and what to know about it."""

    higher_is_better: bool | None = True
    note: str = ""
    skipped: int = 0
    """Words of summaries that were left out because their inputs do not have them."""
    lacking: str = ""
    """Why some summaries have no value; a warning where the column is asked for."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Values of one measure on several topics: a row for each peer, a column for each statistic."""

    topics: Integers
    """Per row, the index of its topic in the batch."""
    peers: Sequence[str]
    models: Integers
    """Per row, the number of models that it rests on."""
    statistics: tuple[str, ...]
    values: Floats
    counts: Floats | None = None
    """Per row, hits, model count and peer count, where the values are ratios of such; NaN where there is no value."""
    signatures: Sequence[Sequence[str]] | None = None
    """Per row and statistic, the signature that came with the value; "" if none did. None: the measure's own."""
    facts: Mapping[str, StatisticFacts] = dataclasses.field(default_factory=dict)
    """By statistic, what the data says about it."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """Base of all measures."""

    base_names: ClassVar[tuple[str, ...]] = ()
    """The base names of the family; one whose names have parts (rouge-2) says `base` and `from_base` itself."""
    needs: ClassVar[frozenset[Need]] = frozenset()
    statistics: ClassVar[tuple[str, ...] | None] = None
    """Names of its values, `ONE_VALUE` if it is just one; None if they come with the data (questions, columns)."""
    bounds: ClassVar[tuple[float, float] | None] = None
    """The lowest and the highest value that it can have, where it has both."""

    default_statistic: ClassVar[str | None] = None
    """What the name alone means; None: all statistics."""

    def __post_init__(self) -> None:
        """Refuse values of another type than their options, and numbers outside their bounds."""
        types_ = _types_of(type(self))  # type: ignore[arg-type]  # as below
        for field in self.option_fields():
            value, least = getattr(self, field.name), field.metadata.get("least")
            if not _fits(types_[field.name], value):
                raise UsageError(f"{self.base}: {field.name}={value!r}: expected {_in_words(types_[field.name])}")
            if least is not None and isinstance(value, int | float) and not least <= value <= field.metadata["most"]:
                most = field.metadata["most"]
                expected = f"from {least} up" if most == math.inf else f"from {least} to {most}"
                raise UsageError(f"{self.base}: {field.name}={value}: expected a number {expected}")

    @property
    def required(self) -> frozenset[Need]:
        """What this very measure needs of a topic."""
        return self.needs

    @property
    def higher_is_better(self) -> bool | None:
        """Whether a high value is a good one; None if neither high nor low is: the measure only describes."""
        return True

    @property
    def base(self) -> str:
        """The first part of the name, such as `rouge-2`."""
        return self.base_names[0]

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The identity fields that a base name means, or None if it is not of this family."""
        return {} if base in cls.base_names else None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """Base names of the family, for lists and for did-you-mean."""
        return cls.base_names

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """Evidence of several measures of the family on several topics; None where a topic lacks what it needs.

        A family that can share work between its measures (tokenising, parsing) does so here.
        """
        return [[measure.evidence(topic) for topic in topics] for measure in measures]

    @classmethod
    def gather_in_run(
        cls,
        measures: Sequence[Self],
        topics: Sequence[TopicData],
        run: RunContext,  # noqa: ARG003  # for families that cache, report progress or look at the whole campaign
    ) -> list[Sequence[Evidence | None]]:
        """As `gather`, with what the run offers: a cache, whom to report progress to, and the whole campaign."""
        return cls.gather(measures, topics)

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Evidence on one topic; None if it lacks what the measure needs. A family has this, `gather`, or both."""
        if type(self).gather.__func__ is Measure.gather.__func__:  # type: ignore[attr-defined]
            raise NotImplementedError(f"{type(self).__name__} must turn a topic into evidence")
        return self.gather([self], [topic])[0][0]

    def reduce(self, evidence: Evidence, *, topic: str, seed: int) -> Reduced:  # noqa: ARG002  # for those who draw
        """One value for each peer: against all models; with jackknife=yes, the mean over all but one in turn."""
        return jackknifed(evidence) if getattr(self, "jackknife", False) else with_all_models(evidence)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """The values of all peers on all topics that have evidence."""
        columns: dict[str, int] = {}
        for one in evidence:
            for statistic in one.statistics if one else ():
                columns.setdefault(statistic, len(columns))
        index: list[int] = []
        peers: list[str] = []
        models: list[Integers] = [np.zeros(0, dtype=np.int64)]
        values: list[Floats] = [np.zeros((0, len(columns)))]
        counts: list[Floats] = []
        for number, (one, topic) in enumerate(zip(evidence, topics, strict=True)):
            if one is None:
                continue
            reduced = self.reduce(one, topic=topic.topic.topic, seed=seed)
            block = np.full((len(one.peers), len(columns)), np.nan)
            block[:, [columns[statistic] for statistic in one.statistics]] = reduced.values
            index += [number] * len(one.peers)
            peers += one.peers
            models.append(reduced.models)
            values.append(block)
            if reduced.counts is not None:
                counts.append(reduced.counts)
        return Rows(
            topics=np.array(index, dtype=np.int64),
            peers=peers,
            models=np.concatenate(models),
            statistics=tuple(columns),
            values=np.concatenate(values),
            counts=np.concatenate(counts) if counts else None,
        )

    def facts(self, *, seed: int) -> Mapping[str, str]:  # noqa: ARG002  # for those who draw
        """What else determines the values and belongs in the signature."""
        return {}

    def name(self, statistic: str | None = None) -> str:
        """The canonical name: defaults dropped, options in declared order."""
        options = tuple(
            Option(field.name, write_option(getattr(self, field.name)))
            for field in self.option_fields()
            if getattr(self, field.name) != field.default
        )
        return str(MeasureName(self.base, options, self._named(statistic)))

    def signature(self, statistic: str, *, models: int, seed: int) -> str:
        """Every option written out, with the number of models and the version."""
        parts = [f"{key}:{write_option(value)}" for key, value in sorted(self.options_in_effect().items())]
        parts += [f"{key}:{value}" for key, value in self.facts(seed=seed).items()]
        if "models" in self.required:
            parts.append(f"nmodels:{models}")
        return "|".join([str(MeasureName(self.base, (), self._named(statistic))), *parts, f"v:{VERSION}"])

    def options_in_effect(self) -> Mapping[str, Any]:
        """Every option with the value that is used, for the signature."""
        return {field.name: getattr(self, field.name) for field in self.option_fields()}

    def _named(self, statistic: str | None) -> str | None:
        """The statistic as names have it: none where there is only one value."""
        return None if self.statistics == ONE_VALUE else statistic

    @classmethod
    def option_fields(cls) -> list[dataclasses.Field[Any]]:
        """The fields that are options, in declared order."""
        return [field for field in dataclasses.fields(cls) if "doc" in field.metadata]

    @classmethod
    def from_name(cls, name: MeasureName, identities: Mapping[str, Any]) -> Self:
        """The measure that a parsed name means."""
        if name.measures:
            raise UsageError(f"{name.base} takes options key=value, not the measure {name.measures[0]}")
        types_ = _types_of(cls)  # type: ignore[arg-type]  # it confuses the hash of instances with that of the class
        known = [field.name for field in cls.option_fields()]
        values: dict[str, Any] = {}
        for given in name.options:
            if given.key not in known:
                raise UsageError(_unknown_option(cls, name.base, given.key, known))
            if given.key in values:
                raise UsageError(f"{name.base}: the option {given.key} is given twice")
            try:
                values[given.key] = read_option(types_[given.key], given.value)
            except ValueError as error:
                raise UsageError(f"{name.base}: {given.key}={given.value}: expected {error}") from None
        return cls(**identities, **values)


@dataclass(frozen=True, kw_only=True)
class FeatureMeasure(Measure):
    """Base of families with one value and one name for each of their features, such as `js` and `cosine`."""

    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE

    feature: str = identity()

    @property
    def base(self) -> str:
        """The feature's name."""
        return self.feature

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The feature that a base name means."""
        return {"feature": base} if base in cls.base_names else None


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The distinct items by what the key says of them, in order: those that can share work are together."""
    return tables.grouped(dict.fromkeys(items), key)


def with_signatures_of(measure: Measure, rows: Rows, *, seed: int) -> Rows:
    """The rows with the signature of a measure that says more than the one that was asked for."""
    if rows.signatures is not None:
        return rows
    signatures = {
        count: [measure.signature(statistic, models=count, seed=seed) for statistic in rows.statistics]
        for count in set(rows.models.tolist())
    }
    return dataclasses.replace(rows, signatures=[signatures[count] for count in rows.models.tolist()])


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelEvidence:
    """What evidence that follows the models shares; counts that add up over topics are the overlap measures' alone."""

    peers: tuple[str, ...]
    models: tuple[str, ...]
    statistics: tuple[str, ...] = ONE_VALUE

    @property
    def own(self) -> Bools:
        """Peers × models: True where the model is the peer's own."""
        same = [[peer == model for model in self.models] for peer in self.peers]
        return np.array(same, dtype=np.bool_).reshape(len(self.peers), len(self.models))

    def counts(self, masks: Bools) -> None:  # noqa: ARG002  # the same door as other evidence
        """There are none."""
        return


def check_named(base: str, what: str, function: object) -> None:
    """Refuse a lambda: signatures show the function's name."""
    if callable(function) and getattr(function, "__name__", "<lambda>") == "<lambda>":
        raise UsageError(f"{base}: the {what} needs a name, which signatures show: define it with def")


@functools.cache
def _types_of(cls: Any) -> Mapping[str, Any]:
    """Types of the fields; finding them takes longer than all the rest of reading a name."""
    return typing.get_type_hints(cls)


def _unknown_option(cls: type[Measure], base: str, key: str, known: Sequence[str]) -> str:
    if key == "jackknife" and "models" not in cls.needs:
        return f"{base} can't be jackknifed: its values do not depend on models"
    return f"{base} has no option {key!r}{did_you_mean(key, known)} it has: {', '.join(known) or 'none'}"


def write_option(value: Any) -> str:
    """An option's value as names and signatures show it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return str(value)


def _fits(kind: Any, value: Any) -> bool:
    """Whether a value that was given in Python is one of an option of this type; no number is rounded."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(one, value) for one in typing.get_args(kind))
    if origin is Literal:
        return isinstance(value, str) and value in typing.get_args(kind)
    if kind in (bool, types.NoneType):
        return isinstance(value, kind)
    if kind in (int, float):
        return isinstance(value, numbers.Integral if kind is int else numbers.Real) and not isinstance(value, bool)
    return True  # texts and functions, which each measure looks at itself


def _in_words(kind: Any) -> str:
    """What an option of numbers or words takes, as `read_option` says it."""
    try:
        return str(read_option(kind, "\0"))
    except ValueError as error:
        return str(error)


def read_option(kind: Any, text: str) -> Any:
    """The value that a text means for an option of this type; ValueError says what was expected."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if type(None) in arguments and text == "":
            return None
        kinds = [one for one in arguments if one is not type(None)]
        words = [word for one in kinds if typing.get_origin(one) is Literal for word in typing.get_args(one)]
        if text in words:
            return text
        try:
            return read_option(kinds[0], text)
        except ValueError as error:
            others = f" or {words[0]}" if len(words) == 1 else f", or one of {', '.join(words)}" if words else ""
            raise ValueError(f"{error}{others}") from None
    if origin is Literal:
        if text not in arguments:
            raise ValueError("one of " + ", ".join(arguments))
        return text
    if kind is bool:
        if text not in ("yes", "no"):
            raise ValueError("yes or no")
        return text == "yes"
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise ValueError("a whole number" if kind is int else "a number") from None
    return text
