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
from typing import Any, ClassVar, Literal, Self, TypeVar, dataclass_transform

from pyramidion.errors import UsageError, did_you_mean, mention

Function = TypeVar("Function", bound=Callable[..., Any])


def option(default: Any, help: str, **facts: Any) -> Any:
    """A field that is an option.

    Args:
        default: its value unless told otherwise.
        help: what it does, in one line.
        facts: `minimum`, `above`, `maximum` and `below` of a number; `most`, above which a whole number is a slip;
            `metavar`; `separator` of several values in one
            argument of the command line; `also`, another spelling of it there.
    """
    return dataclasses.field(default=default, metadata={"help": help, **facts})


@dataclass(frozen=True)
class Option:
    """What the command line and the documentation need to know of a field."""

    name: str
    type: Any
    default: Any
    help: str
    facts: Mapping[str, Any]

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.rstrip("_").replace("_", "-")

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that it can have, if it is one of a few."""
        return _choices(self.type)

    @property
    def repeated(self) -> bool:
        """Whether it may be given several times."""
        return Sequence in (typing.get_origin(part) for part in (self.type, *typing.get_args(self.type)))

    def listed(self, value: Any) -> Any:
        """A value; if there may be several, a tuple of them, also if a single one is given."""
        if value is None or not self.repeated:
            return value
        pairs = any(typing.get_origin(part) is tuple for part in typing.get_args(self.type))
        if not isinstance(value, Sequence) or isinstance(value, str) or (pairs and set(map(type, value)) == {str}):
            return (value,)
        return tuple(value)

    def arguments(self, value: Any) -> list[str]:
        """The words of a command line that give this value."""
        if isinstance(value, bool):
            return [self.flag]
        if isinstance(value, Mapping):
            value = [f"{key}={one}" for key, one in value.items()]
        if separator := self.facts.get("separator"):
            return [self.flag, separator.join(map(str, value))]
        if not self.repeated and not isinstance(value, list):
            value = [value]
        words = [one if isinstance(one, tuple) else (one,) for one in value]
        return [word for one in words for word in (self.flag, *map(_written, one))]

    def problem(self, value: Any) -> str:
        """What is wrong with a value, or nothing."""
        for one in value if isinstance(value, tuple | list) else (value,):
            if self.choices and one is not None and one not in self.choices:
                return f"{mention(self.name, one)}: expected {', '.join(map(str, self.choices))}"
            if isinstance(one, int | float) and not isinstance(one, bool):
                bounds = self._bounds(one)
                if any(not _BOUNDS[name][0](one, bound) for name, bound in bounds.items()):
                    expected = " and ".join(
                        f"{words} {_written(bounds[name])}" for name, (_, words) in _BOUNDS.items() if name in bounds
                    )
                    return f"{self._mention_number(one)}: expected {expected}"
        return ""

    def _mention_number(self, value: int | float) -> str:
        """The option with a number, as a message shows it: not in full if it has dozens of digits."""
        if isinstance(value, int) and abs(value) >= MANY_DIGITS:
            return f"`{self.name}=` with a number of {len(str(abs(value)))} digits"
        return mention(self.name, value)

    def _bounds(self, value: int | float) -> dict[str, float]:
        """The bounds of a number; one that is so large that it can only be a slip is above the usual one."""
        own = {name: bound for name, bound in self.facts.items() if name in _BOUNDS}
        most = self.facts.get("most", MOST)
        usual, infinite = (LARGEST_NUMBER, math.isinf(value)) if isinstance(value, float) else (most, False)
        beyond = value > usual and not infinite and not {"maximum", "below"} & own.keys()
        return own | ({"maximum": usual} if beyond else {})


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


MANY_DIGITS = 10**20
"""Numbers from here on are not shown in full."""
MOST = 10**9
"""Of what is counted, unless an option says otherwise."""
LARGEST_NUMBER = 1e15
"""A number above this is a slip, unless an option says otherwise."""
_BOUNDS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (operator.ge, "at least"),
    "above": (operator.gt, "more than"),
    "maximum": (operator.le, "at most"),
    "below": (operator.lt, "less than"),
}


def _choices(kind: Any) -> tuple[Any, ...]:
    """The values of a Literal, also inside `X | None` and `Sequence[X]`."""
    if typing.get_origin(kind) is Literal:
        return typing.get_args(kind)
    if typing.get_origin(kind) in (typing.Union, types.UnionType, Sequence):
        return tuple(value for part in typing.get_args(kind) for value in _choices(part))
    return ()


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options: frozen dataclasses whose values are checked when they are given, all problems at once."""

    without: ClassVar[tuple[str, ...]] = ()
    """Options of `Choice` that mean nothing to the analysis."""

    def __init_subclass__(cls, *, without: tuple[str, ...] | None = None) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        cls.without = cls.without if without is None else without

    def __post_init__(self) -> None:
        problems = [problem for one in self.each() if (problem := one.problem(getattr(self, one.name)))]
        if problems:
            raise UsageError("\n".join(problems))

    @classmethod
    @functools.cache
    def each(cls) -> tuple[Option, ...]:
        """The options, in order."""
        types = typing.get_type_hints(cls)
        return tuple(
            Option(field.name, types[field.name], field.default, field.metadata["help"], field.metadata)
            for field in dataclasses.fields(cls)
        )

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Self:
        """Options from keywords; one that does not exist is a usage error, and one value stands for a list of one."""
        options = {option.name: option for option in cls.each()}
        _refuse_unknown(keywords, options)
        return cls(**{name: options[name].listed(value) for name, value in keywords.items()})

    @classmethod
    def choose(cls, options: Self | None, keywords: Mapping[str, Any]) -> Self:
        """The options that a function was called with: as one object, or as keywords; both is a usage error."""
        if options is None:
            return cls.of(keywords)
        if keywords:
            raise UsageError(f"give {cls.__name__} or keywords, not both: found options and {', '.join(keywords)}")
        return options

    def arguments(self, without: Sequence[str] = ()) -> list[str]:
        """The words of a command line that give these options; defaults are left out."""
        return [
            word
            for one in self.each()
            if (value := getattr(self, one.name)) != one.default and one.name not in without
            for word in one.arguments(value)
        ]


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
        options = [option for kind in kinds for option in kind.each()]
        parameters += [
            inspect.Parameter(
                option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=option.type
            )
            for option in options
        ]
        names = [*(parameter.name for parameter in parameters), "progress"]

        @functools.wraps(function)
        def check_keywords(*arguments: Any, **keywords: Any) -> Any:
            _refuse_unknown(keywords, names)
            return function(*arguments, **keywords)

        check_keywords.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        lines = [f"    {option.name}: {option.help}" for option in options]
        check_keywords.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Options:", *lines])
        return typing.cast(Function, check_keywords)

    return document


def _refuse_unknown(keywords: Iterable[str], names: Collection[str]) -> None:
    for keyword in keywords:
        if keyword not in names:
            hint = did_you_mean(keyword, names)
            raise UsageError(f"there is no option {keyword!r}{hint} there are: {', '.join(names)}")


def confidence_level(what: str = "Confidence level, in percent.") -> Any:
    """The option `confidence`."""
    return option(95.0, what, minimum=1, below=100)


MOST_DRAWS = 10**7
"""Samples and permutations above this change no digit that anyone would report."""


def draws(what: str = "Number of bootstrap samples.", default: int = 1000, minimum: int = 1) -> Any:
    """An option that counts random draws: `resamples`, `permutations`."""
    return option(default, what, minimum=minimum, most=MOST_DRAWS)
