"""The types of fields, taken apart and put into words for error messages."""

from __future__ import annotations

import types
import typing
from typing import Any, TypeGuard

import msgspec

from pyramidion.campaign.nouns import Noun

_WORDS = {
    str: ("a string", "strings"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    bool: ("true or false", "true or false"),
    type(None): ("null", "null"),
    dict: ("an object {…}", "objects {…}"),
    list: ("a list", "lists"),
}


def options(kind: Any) -> tuple[Any, ...]:
    """The members of a union, or the type alone."""
    return typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)


def is_noun(kind: Any) -> TypeGuard[type[Noun]]:
    """Whether the type is one of our nouns."""
    return isinstance(kind, type) and issubclass(kind, Noun)


def describe(kind: Any, *, many: bool = False) -> str:
    """A type in words, in the singular or (`many`) the plural."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if len(options(kind)) > 1:
        described = dict.fromkeys(describe(option, many=many) for option in options(kind))
        if _WORDS[float][many] in described:
            described.pop(_WORDS[int][many], None)
        described.pop("null", None)
        return " or ".join(described)
    if origin is typing.Literal:
        return "one of " + ", ".join(map(str, arguments))
    if origin is typing.Annotated:
        return describe(arguments[0], many=many) + _limits(arguments[1])
    if origin is tuple:
        what = "list" if arguments[-1] is Ellipsis else "pair"
        return f"{what + 's' if many else 'a ' + what} of {describe(arguments[0], many=True)}"
    return _WORDS[dict if is_noun(kind) else origin or kind][many]


def _limits(meta: msgspec.Meta) -> str:
    return " that is not empty" if meta.min_length else f" of at least {meta.ge}"
