"""What an option is: a field whose type, default and help make the command-line option and the keyword in Python."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import operator
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypedDict, TypeVar, Unpack, dataclass_transform

from pyramidion.errors import UsageError, did_you_mean, mention
from pyramidion.options.value_types import describe_type, fits_type

Function = TypeVar("Function", bound=Callable[..., Any])


class OptionMetadata(TypedDict, total=False):
    """What the command line and the checks need to know of an option besides its type."""

    minimum: float
    above: float
    maximum: float
    below: float
    most: int
    metavar: str
    separator: str
    also: str
    flag_value: str


def option(default: Any, help: str, **metadata: Unpack[OptionMetadata]) -> Any:
    """A field that is an option.

    Args:
        default: its value unless told otherwise.
        help: what it does, in one line.
        metadata: `minimum`, `above`, `maximum` and `below` of a number; `most`, above which a whole number is a slip;
            `metavar`; `separator` of several values in one
            argument of the command line; `also`, another spelling of it there; `flag_value`, what the flag alone
            means there.
    """
    return dataclasses.field(default=default, metadata={"help": help, **metadata})


@dataclass(frozen=True)
class Option:
    """What the command line and the documentation need to know of a field."""

    name: str
    type: Any
    default: Any
    help: str
    metadata: Mapping[str, Any]

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        # `with_` ends in an underscore because `with` is a keyword of Python.
        return "--" + self.name.rstrip("_").replace("_", "-")

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that it can have, if it is one of a few."""
        return _choices(self.type)

    @property
    def is_repeated(self) -> bool:
        """Whether it may be given several times."""
        types_of_parts = (self.type, *typing.get_args(self.type))
        origins = [typing.get_origin(part) for part in types_of_parts]
        return Sequence in origins

    @property
    def _takes_pairs(self) -> bool:
        """Whether each of several values is a pair, such as two systems."""
        origins = [typing.get_origin(part) for part in typing.get_args(self.type)]
        return tuple in origins

    def is_default(self, value: Any) -> bool:
        """Whether a value is the default, and nothing that only equals it, as 1 equals True."""
        # A number that the command line read is another object; anything else can be an array, which equals nothing.
        return value is self.default or (isinstance(value, float) and value == self.default)

    def wrap_single(self, value: Any) -> Any:
        """A value; if there may be several, a tuple of them, also if a single one is given."""
        if value is None or not self.is_repeated:
            return value
        if self._is_single(value):
            value = (value,)
        # A list of two names is a pair as well: JSON has no tuples.
        return tuple(map(_pair_of_list, value)) if self._takes_pairs else tuple(value)

    def _is_single(self, value: Any) -> bool:
        """Whether a value is one of those that a repeated option takes: a text, a number, a pair of texts."""
        # A str is a sequence of letters, too.
        if isinstance(value, str) or not isinstance(value, Sequence):
            return True
        types_of_parts = set(map(type, value))
        # ("A", "B") is one pair; (("A", "B"), ("A", "C")) are two.
        return self._takes_pairs and types_of_parts == {str}

    def arguments(self, value: Any) -> list[str]:
        """The words of a command line that give this value.

        Args:
            value: of Python; the values of a repeated option as a tuple, as `wrap_single` makes it.
        """
        if isinstance(value, bool):
            return [self.flag]
        values = self._separate(value)
        separator = self.metadata.get("separator")
        if separator:
            return [self.flag, separator.join(map(str, values))]
        words: list[str] = []
        for single in values:
            parts = single if isinstance(single, tuple) else (single,)
            words.append(self.flag)
            words += map(_write_value, parts)
        return words

    def _separate(self, value: Any) -> Sequence[Any]:
        """The parts of a value that the command line gets one by one."""
        if isinstance(value, Mapping):
            return [f"{key}={part}" for key, part in value.items()]
        if self.is_repeated or isinstance(value, list):
            parts: Sequence[Any] = value
            return parts
        return [value]

    def find_problem(self, value: Any) -> str:
        """What is wrong with a value, or with the first wrong one of several; or nothing."""
        # A list of several choices has the words of `_problem_of_single`, which names the wrong one.
        names_choices = bool(self.choices) and self._are_texts(value)
        if not names_choices and not fits_type(value, self.type):
            return f"{mention(self.name, value)}: expected {describe_type(self.type)}{self._hint_for(value)}"
        values = value if isinstance(value, tuple | list) else (value,)
        problems = map(self._problem_of_single, values)
        return next(filter(None, problems), "")

    def _hint_for(self, value: Any) -> str:
        """What to write instead of a list in a dictionary, where several names are joined by +."""
        if self.name != "columns" or not isinstance(value, Mapping):
            return ""
        lists = {role: names for role, names in value.items() if isinstance(names, list | tuple)}
        if not lists:
            return ""
        joined = {role: "+".join(map(str, names)) for role, names in lists.items()}
        return f"; several columns are joined by +: {mention(self.name, joined)}"

    def _are_texts(self, value: Any) -> bool:
        """Whether a value is a string, or several where several are possible."""
        if self.is_repeated and isinstance(value, tuple | list):
            return all(isinstance(part, str) for part in value)
        return isinstance(value, str)

    def _problem_of_single(self, value: Any) -> str:
        """What is wrong with one value, or nothing."""
        # True is an int to Python, and would be checked as 1.
        if value is None or isinstance(value, bool):
            return ""
        choices = self.choices
        if choices and value not in choices:
            expected = ", ".join(map(str, choices))
            return f"{mention(self.name, value)}: expected {expected}"
        if isinstance(value, int | float):
            return self._problem_of_number(value)
        return ""

    def _problem_of_number(self, value: int | float) -> str:
        """Which bounds a number is outside of, or nothing."""
        bounds = self._bounds_for(value)
        # NaN holds no bound, so that it is refused where one is declared.
        if all(_BOUNDS[name].holds(value, limit) for name, limit in bounds.items()):
            return ""
        expected = " and ".join(f"{_BOUNDS[name].words} {_write_value(limit)}" for name, limit in bounds.items())
        return f"{self._mention_number(value)}: expected {expected}"

    def _mention_number(self, value: int | float) -> str:
        """The option with a number, as a message shows it: not in full if it has dozens of digits."""
        if isinstance(value, int) and abs(value) >= MANY_DIGITS:
            return f"`{self.name}=` with a number of {len(str(abs(value)))} digits"
        return mention(self.name, value)

    def _bounds_for(self, value: int | float) -> dict[str, float]:
        """The declared bounds; of a number that can only be a slip, because it is so large, also the usual maximum."""
        bounds = {name: self.metadata[name] for name in _BOUNDS if name in self.metadata}
        has_upper_bound = "maximum" in bounds or "below" in bounds
        usual_maximum = self._usual_maximum(value)
        # A number such as 10**30 is a slip of the pen, and would ask for memory or run for ever.
        if value > usual_maximum and not has_upper_bound:
            bounds["maximum"] = usual_maximum
        return bounds

    def _usual_maximum(self, value: int | float) -> float:
        """The number above which a value is a slip; infinity, where a user can only mean it, is none."""
        if isinstance(value, int):
            maximum: float = self.metadata.get("most", MOST)
            return maximum
        if math.isinf(value):
            return math.inf
        return LARGEST_NUMBER


def _write_value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


MANY_DIGITS = 10**20
"""Numbers from here on are not shown in full."""
MOST = 10**9
"""Of what is counted, unless an option says otherwise."""
LARGEST_NUMBER = 1e15
"""A number above this is a slip, unless an option says otherwise."""


class _Bound(NamedTuple):
    """A kind of limit of a number."""

    holds: Callable[[float, float], bool]
    """Whether a number keeps to a limit."""
    words: str


_BOUNDS: Mapping[str, _Bound] = {
    "minimum": _Bound(operator.ge, "at least"),
    "above": _Bound(operator.gt, "more than"),
    "maximum": _Bound(operator.le, "at most"),
    "below": _Bound(operator.lt, "less than"),
}


def _choices(kind: Any) -> tuple[Any, ...]:
    """The values of a Literal, also inside `X | None` and `Sequence[X]`."""
    origin = typing.get_origin(kind)
    parts = typing.get_args(kind)
    if origin is Literal:
        return parts
    if origin not in (typing.Union, types.UnionType, Sequence):
        return ()
    choices: list[Any] = []
    for part in parts:
        choices += _choices(part)
    return tuple(choices)


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options: frozen dataclasses whose values are checked when they are given, all problems at once."""

    unused_choice: ClassVar[tuple[str, ...]] = ()
    """Options of `Choice` that mean nothing to the analysis."""

    def __init_subclass__(cls, *, unused_choice: tuple[str, ...] | None = None) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        if unused_choice is not None:
            cls.unused_choice = unused_choice

    def __post_init__(self) -> None:
        problems: list[str] = []
        for option in self.each():
            value = getattr(self, option.name)
            # Defaults are right: a test checks them, once for all.
            if not option.is_default(value):
                problems.append(option.find_problem(value))
        problems = list(filter(None, problems))
        if problems:
            raise UsageError("\n".join(problems))

    @classmethod
    @functools.cache
    def each(cls) -> tuple[Option, ...]:
        """The options, in order."""
        # Annotations are strings under `from __future__ import annotations`; this resolves them.
        types = typing.get_type_hints(cls)
        return tuple(
            Option(field.name, types[field.name], field.default, field.metadata["help"], field.metadata)
            for field in dataclasses.fields(cls)
        )

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Self:
        """Options from keywords; one value stands for a list of one.

        Raises:
            UsageError: if there is no such option, with one that may have been meant.
        """
        options = {option.name: option for option in cls.each()}
        _require_known(keywords, options)
        values = {name: options[name].wrap_single(value) for name, value in keywords.items()}
        return cls(**values)

    @classmethod
    def choose(cls, options: Self | None, keywords: Mapping[str, Any]) -> Self:
        """The options that a function was called with: as one object, or as keywords.

        Raises:
            UsageError: if both are given.
        """
        if options is None:
            return cls.of(keywords)
        if keywords:
            names = ", ".join(keywords)
            raise UsageError(f"give {cls.__name__} or keywords, not both: found options and {names}")
        return options

    def arguments(self, unused: Sequence[str] = ()) -> list[str]:
        """The words of a command line that give these options; defaults are left out.

        Args:
            unused: options that the command does not have.
        """
        words: list[str] = []
        for option in self.each():
            value = getattr(self, option.name)
            if value != option.default and option.name not in unused:
                words += option.arguments(value)
        return words


def with_options(*kinds: type[Options]) -> Callable[[Function], Function]:
    """Give a function with typed keywords (`Unpack`) the signature and the documentation of these options.

    Type checkers see the function as it is written; help() and a caller who misspells a keyword see what this adds.
    """

    def document(function: Function) -> Function:
        signature = inspect.signature(function)
        parameters = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        options = list(chain.from_iterable(kind.each() for kind in kinds))
        # help() and editors without a type checker go by __signature__.
        parameters += map(_parameter_of, options)
        names = [*(parameter.name for parameter in parameters), "progress"]

        @functools.wraps(function)
        def check_keywords(*arguments: Any, **keywords: Any) -> Any:  # of any function; its own types are checked
            _require_known(keywords, names)
            return function(*arguments, **keywords)

        check_keywords.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        lines = [f"    {option.name}: {option.help}" for option in options]
        check_keywords.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Options:", *lines])
        return typing.cast(Function, check_keywords)

    return document


def _pair_of_list(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _parameter_of(option: Option) -> inspect.Parameter:
    """The keyword of an option in a signature."""
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=option.type
    )


def _require_known(keywords: Iterable[str], names: Collection[str]) -> None:
    """Refuse keywords that are no option.

    Raises:
        UsageError: with a name that is like it, and all that exist.
    """
    for keyword in keywords:
        if keyword not in names:
            hint = did_you_mean(keyword, names)
            existing = ", ".join(names)
            raise UsageError(f"there is no option {keyword!r}{hint} there are: {existing}")


def confidence_level(what: str = "Confidence level, in percent.") -> Any:
    """The option `confidence`."""
    return option(95.0, what, minimum=1, below=100)


MOST_DRAWS = 10**7
"""Samples and permutations above this change no digit that anyone would report."""


def draws(what: str = "Number of bootstrap samples.", default: int = 1000, minimum: int = 1) -> Any:
    """An option that counts random draws: `resamples`, `permutations`."""
    return option(default, what, minimum=minimum, most=MOST_DRAWS)
