"""Whether a value has the type that an option declares, and what to say if it has not."""

from __future__ import annotations

import numbers
import os
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pyramidion.errors import UsageError, mention

_WORDS: Mapping[Any, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    os.PathLike: "a path",
    type(None): "None",
}
_PLURALS: Mapping[str, str] = {
    "a string": "strings",
    "a whole number": "whole numbers",
    "a number": "numbers",
    "a path": "paths",
    "a pair of strings": "pairs of strings",
}


def fits_type(value: object, hint: Any) -> bool:
    """Whether a value is what a type hint of an option says.

    Numbers of NumPy are numbers; True is none, although Python counts with it; a string is no list of letters.

    >>> fits_type(("A", "B"), tuple[str, str]), fits_type("AB", Sequence[str]), fits_type(True, int)
    (True, False, False)
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if origin in (typing.Union, types.UnionType):
        # Beside a path, a string is one, too, and an empty string names no file.
        kinds = [part for part in parts if part is not str] if Path in parts else parts
        return any(fits_type(value, part) for part in kinds)
    if origin is Literal:
        # Lists and other values without a hash are compared as well; NaN and arrays equal nothing.
        return any(type(value) is type(choice) and value == choice for choice in parts)
    if origin is Sequence:
        return _fits_list(value, parts[0])
    if origin is tuple:
        return _fits_tuple(value, parts)
    if origin is Mapping:
        return _fits_mapping(value, *parts)
    return _fits_class(value, hint)


def is_path(value: object) -> bool:
    r"""Whether a value can name a file or a folder: a path, or a string that is not empty.

    >>> is_path("a.csv"), is_path(""), is_path("a\0b"), is_path(5)
    (True, False, False, False)
    """
    if not isinstance(value, os.PathLike | str) or not value:
        return False
    try:
        return b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:  # half a character, which no file system has
        return False


def as_path(value: object, name: str) -> Path:
    """The path that a user gave as an argument of a function.

    Args:
        value: what was given.
        name: the parameter, for the message.

    Raises:
        UsageError: if it is no path.
    """
    if not is_path(value):
        raise UsageError(f"{mention(name, value)}: expected a path")
    return Path(typing.cast("str | os.PathLike[str]", value))


def _fits_list(value: object, kind: Any) -> bool:
    """Whether a value is a list, or something like it, of one kind."""
    # A string is a sequence of strings to Python, and a name would become its letters.
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        return False
    return all(fits_type(part, kind) for part in value)


def _fits_mapping(value: object, kind_of_keys: Any, kind_of_values: Any) -> bool:
    """Whether a value is a mapping with keys and values of these types."""
    if not isinstance(value, Mapping):
        return False
    are_keys_right = all(fits_type(key, kind_of_keys) for key in value)
    are_values_right = all(fits_type(part, kind_of_values) for part in value.values())
    return are_keys_right and are_values_right


def _fits_tuple(value: object, parts: tuple[Any, ...]) -> bool:
    """Whether a value is a tuple, or a list that can stand for one, with parts of these types."""
    if not isinstance(value, tuple | list):
        return False
    is_of_any_length = len(parts) == 2 and parts[1] is Ellipsis
    if is_of_any_length:
        return all(fits_type(part, parts[0]) for part in value)
    if len(value) != len(parts):
        return False
    return all(map(fits_type, value, parts))


def _fits_class(value: object, kind: Any) -> bool:
    if kind in (bool, int, float):
        return _fits_number(value, kind)
    if kind is str:
        return isinstance(value, str) or _is_measure(value)
    if typing.get_origin(kind) is Callable or kind is Callable:
        return callable(value)
    if not isinstance(kind, type):
        return True
    if issubclass(kind, os.PathLike):
        return is_path(value)
    return isinstance(value, kind)


def _fits_number(value: object, kind: type) -> bool:
    """Whether a value is a number of this kind, or True or False where these are asked for."""
    # NumPy's truth values are no bool of Python.
    is_truth_value = isinstance(value, bool) or type(value).__name__ == "bool_"
    if kind is bool:
        return is_truth_value
    # True is an integer to Python: as a number of topics it can only be a slip.
    if is_truth_value:
        return False
    return isinstance(value, numbers.Integral if kind is int else numbers.Real)


def _is_measure(value: object) -> bool:
    """Whether a value is a measure, or one of its statistics: in Python it stands for its name."""
    is_measure = callable(getattr(value, "from_name", None))
    is_selection = hasattr(value, "measure") and hasattr(value, "statistic")
    return (is_measure or is_selection) and not isinstance(value, type)


def describe_type(hint: Any) -> str:
    """What a type hint asks for, in words.

    >>> describe_type(Sequence[tuple[str, str]]), describe_type(float | None), describe_type(Mapping[str, str])
    ('a list of pairs of strings', 'a number', 'a dictionary of strings')
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        # None means "as if it was not given": nobody needs to be told.
        kinds = [part for part in parts if part is not type(None)]
        if Path in kinds:
            kinds = [Path]
        return " or ".join(dict.fromkeys(map(describe_type, kinds)))
    if origin is Literal:
        return ", ".join(map(str, parts))
    if origin is Sequence:
        return f"a list of {_plural(describe_type(parts[0]))}"
    if origin is tuple:
        is_pair = len(parts) == 2 and Ellipsis not in parts
        inner = _plural(describe_type(parts[0]))
        return f"a pair of {inner}" if is_pair else f"a list of {inner}"
    if origin is Mapping:
        return f"a dictionary of {_plural(describe_type(parts[1]))}"
    if isinstance(hint, type) and issubclass(hint, os.PathLike):
        return _WORDS[os.PathLike]
    return _WORDS.get(hint, getattr(hint, "__name__", str(hint)))


def _plural(words: str) -> str:
    return " or ".join(_PLURALS.get(word, word) for word in words.split(" or "))
