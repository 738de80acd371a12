"""Texts that no file can hold: halves of surrogate pairs, from names that are not UTF-8 and from JSON's escapes."""

from __future__ import annotations

import re
from typing import Any

SURROGATE = re.compile("[\ud800-\udfff]")


def is_whole(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return text.isascii() or not SURROGATE.search(text)


def whole(text: str) -> str:
    """The text without halves of surrogate pairs.

    Those that stand for the bytes of a file's name that is not UTF-8 are read as Windows-1252, else as Latin-1, like
    the text of any foreign file; others become U+FFFD.
    """
    if is_whole(text):
        return text
    try:
        name = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        return name.decode("cp1252")
    except UnicodeDecodeError:
        return name.decode("latin-1")


def whole_value(value: Any) -> Any:
    """A value of JSON with all of its texts and keys whole."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [whole_value(one) for one in value]
    if isinstance(value, tuple):
        return tuple(map(whole_value, value))
    if isinstance(value, dict):
        return {whole_value(key): whole_value(one) for key, one in value.items()}
    return value
