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
from pyramidion.measures.names import MeasureName, MeasureOption
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
    skipped_why: str = ""
    """What these words have in common: "the source documents do not have"."""
    lacking: str = ""
    """Why some summaries have no value; a warning where the column is asked for."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Values of one measure on several topics: a row for each peer, a column for each statistic."""

    topics: Integers
    """Per row, the index of its topic in the group."""
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

    chosen_options: frozenset[str] = dataclasses.field(default=frozenset(), compare=False, repr=False)
    """Options that the name writes out, also those that have their default value: what is chosen needs no note."""

    def __post_init__(self) -> None:
        """Refuse values of another type than their options, and numbers outside their bounds."""
        types_ = _types_of(type(self))  # type: ignore[arg-type]  # as below
        for field in self.option_fields():
            value = getattr(self, field.name)
            if not _is_of_type(types_[field.name], value):
                raise UsageError(f"{self.base}: {field.name}={value!r}: expected {_describe_type(types_[field.name])}")
            least = field.metadata.get("least")
            if least is None or not isinstance(value, int | float):
                continue
            most = field.metadata["most"]
            if not least <= value <= most:
                expected = f"from {least} up" if most == math.inf else f"from {least} to {most}"
                raise UsageError(f"{self.base}: {field.name}={value}: expected a number {expected}")

    @classmethod
    def family_of(cls, statistic: str | None) -> type[Measure]:  # noqa: ARG003  # for those that have several
        """The class of the measure with this statistic, where one of its statistics has options of its own."""
        return cls

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
        if base in cls.base_names:
            return {}
        return None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """Base names of the family, for lists and for did-you-mean."""
        return cls.base_names

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """Evidence of several measures of the family on several topics; None where a topic lacks what it needs.

        A family that can share work between its measures (tokenising, parsing) does so here.

        Args:
            measures: of this family, each once.
            topics: a batch of them, with the peers that are scored.

        Returns:
            For each measure the evidence on each topic, in these orders.
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
        """One value for each peer: against all models; with jackknife=yes, the mean over all but one in turn.

        Args:
            evidence: on one topic.
            topic: its id, by which models are drawn where a measure uses some of them.
            seed: of the run, for the same reason.
        """
        if getattr(self, "jackknife", False):
            return jackknifed(evidence)
        return with_all_models(evidence)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """The values of all peers on all topics that have evidence.

        Args:
            evidence: what `gather` returned for this measure.
            topics: the batch that it was gathered on.
            seed: of the run.
        """
        columns: dict[str, int] = {}
        for scored_evidence in filter(None, evidence):
            for statistic in scored_evidence.statistics:
                columns.setdefault(statistic, len(columns))
        index: list[int] = []
        peers: list[str] = []
        models: list[Integers] = [np.zeros(0, dtype=np.int64)]
        values: list[Floats] = [np.zeros((0, len(columns)))]
        counts: list[Floats] = []
        for number, (topic_evidence, topic) in enumerate(zip(evidence, topics, strict=True)):
            if topic_evidence is None:
                continue
            reduced = self.reduce(topic_evidence, topic=topic.topic.topic, seed=seed)
            block = np.full((len(topic_evidence.peers), len(columns)), np.nan)
            block[:, [columns[statistic] for statistic in topic_evidence.statistics]] = reduced.values
            index += [number] * len(topic_evidence.peers)
            peers += topic_evidence.peers
            models.append(reduced.models)
            values.append(block)
            if reduced.counts is not None:
                counts.append(reduced.counts)
        all_counts = np.concatenate(counts) if counts else None
        return Rows(
            topics=np.array(index, dtype=np.int64),
            peers=peers,
            models=np.concatenate(models),
            statistics=tuple(columns),
            values=np.concatenate(values),
            counts=all_counts,
        )

    def facts(self, *, seed: int) -> Mapping[str, str]:  # noqa: ARG002  # for those who draw
        """What else determines the values and belongs in the signature."""
        return {}

    def name(self, statistic: str | None = None) -> str:
        """The canonical name: defaults dropped, options in declared order.

        Args:
            statistic: one of `statistics`; None for the measure as a whole.
        """
        options = tuple(
            MeasureOption(field.name, write_option(getattr(self, field.name)))
            for field in self.option_fields()
            if getattr(self, field.name) != field.default
        )
        return str(MeasureName(self.base, options, self._named(statistic)))

    def signature(self, statistic: str, *, models: int, seed: int) -> str:
        """Every option written out, with the number of models and the version.

        Args:
            statistic: which of the measure's values it is.
            models: how many models a summary was compared with.
            seed: of the run; part of the signature only where something is drawn.
        """
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
        if self.statistics == ONE_VALUE:
            return None
        return statistic

    @classmethod
    def option_fields(cls) -> list[dataclasses.Field[Any]]:
        """The fields that are options, in declared order."""
        return [field for field in dataclasses.fields(cls) if "doc" in field.metadata]

    @classmethod
    def from_name(cls, name: MeasureName, identities: Mapping[str, Any]) -> Self:
        """The measure that a parsed name means.

        Args:
            name: as `parse` returns it.
            identities: the fields that its base name stands for, from `from_base`.

        Raises:
            UsageError: if it has an option twice, one that the measure does not have, or a value that does not fit.
        """
        if name.measures:
            raise UsageError(f"{name.base} takes options key=value, not the measure {name.measures[0]}")
        types_ = _types_of(cls)  # type: ignore[arg-type]  # it confuses the hash of instances with that of the class
        names = [field.name for field in cls.option_fields()]
        values: dict[str, Any] = {}
        for option in name.options:
            if option.key not in names:
                raise UsageError(_unknown_option(cls, name.base, option.key, names))
            if option.key in values:
                raise UsageError(f"{name.base}: the option {option.key} is given twice")
            try:
                values[option.key] = read_option(types_[option.key], option.value)
            except ValueError as error:
                raise UsageError(f"{name.base}: {option.key}={option.value}: expected {error}") from None
        return cls(**identities, **values, chosen_options=frozenset(values))


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
        if base in cls.base_names:
            return {"feature": base}
        return None


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The distinct items by what the key says of them, in order: those that can share work are together.

    Examples:
        >>> grouped([1, 2, 3, 1], lambda number: number % 2)
        {1: [1, 3], 0: [2]}
    """
    return tables.grouped(dict.fromkeys(items), key)


def with_signatures_of(measure: Measure, rows: Rows, *, seed: int) -> Rows:
    """The rows with the signature of a measure that says more than the one that was asked for."""
    if rows.signatures is not None:
        return rows
    # A signature tells the number of models, of which there are few different ones.
    signatures: dict[int, list[str]] = {}
    for count in set(rows.models.tolist()):
        signatures[count] = [measure.signature(statistic, models=count, seed=seed) for statistic in rows.statistics]
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
    """Refuse a lambda: signatures show the function's name.

    Args:
        base: of the measure, for the message.
        what: what the function is, such as "tokenizer".
        function: whatever was given; anything but a function passes.

    Raises:
        UsageError: if the function has no name.
    """
    if callable(function) and getattr(function, "__name__", "<lambda>") == "<lambda>":
        raise UsageError(f"{base}: the {what} needs a name, which signatures show: define it with def")


@functools.cache
def _types_of(cls: Any) -> Mapping[str, Any]:
    """Types of the fields; finding them takes longer than all the rest of reading a name."""
    return typing.get_type_hints(cls)


def _unknown_option(cls: type[Measure], base: str, key: str, names: Sequence[str]) -> str:
    """The message about an option that a measure does not have."""
    if key == "jackknife" and "models" not in cls.needs:
        return f"{base} can't be jackknifed: its values do not depend on models"
    return f"{base} has no option {key!r}{did_you_mean(key, names)} it has: {', '.join(names) or 'none'}"


def write_option(value: Any) -> str:
    """An option's value as names and signatures show it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        # The shortest text that is read as the same number.
        return repr(value)
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return str(value)


def _is_of_type(kind: Any, value: Any) -> bool:
    """Whether a value that was given in Python is one of an option of this type; no number is rounded."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of_type(alternative, value) for alternative in typing.get_args(kind))
    if origin is Literal:
        return isinstance(value, str) and value in typing.get_args(kind)
    if kind in (bool, types.NoneType):
        return isinstance(value, kind)
    if kind in (int, float):
        number_type = numbers.Integral if kind is int else numbers.Real
        # The abstract types take NumPy's numbers, too; and to Python, True is a number.
        return isinstance(value, number_type) and not isinstance(value, bool)
    return True  # texts and functions, which each measure looks at itself


def _describe_type(kind: Any) -> str:
    """What an option of numbers or words takes, as `read_option` says it."""
    try:
        # A text that no such option takes: the error says what would be taken.
        return str(read_option(kind, "\0"))
    except ValueError as error:
        return str(error)


def read_option(kind: Any, text: str) -> Any:
    """The value that a text means for an option of this type.

    Args:
        kind: the type of the option's field: bool, int, float, str, a Literal, or a union of them with None.
        text: what stands behind the equals sign; empty for None.

    Raises:
        ValueError: with what was expected instead.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if type(None) in arguments and text == "":
            return None
        kinds = [argument for argument in arguments if argument is not type(None)]
        words: list[str] = []
        for alternative in kinds:
            if typing.get_origin(alternative) is Literal:
                words += typing.get_args(alternative)
        if text in words:
            return text
        try:
            return read_option(kinds[0], text)
        except ValueError as error:
            raise ValueError(f"{error}{_or_words(words)}") from None
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
            expected = "a whole number" if kind is int else "a number"
            raise ValueError(expected) from None
    return text


def _or_words(words: Sequence[str]) -> str:
    """What follows in a message where an option also takes some words."""
    if not words:
        return ""
    if len(words) == 1:
        return f" or {words[0]}"
    return f", or one of {', '.join(words)}"
