"""Texts that no file can hold: halves of surrogate pairs, from names that are not UTF-8 and from JSON's escapes."""

from __future__ import annotations

import re
from typing import Any

SURROGATE = re.compile("[\ud800-\udfff]")


def is_encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return text.isascii() or not SURROGATE.search(text)


def repair_text(text: str) -> str:
    """The text without halves of surrogate pairs.

    Those that stand for the bytes of a file's name that is not UTF-8 are read as Windows-1252, else as Latin-1, like
    the text of any foreign file; others become U+FFFD.
    """
    if is_encodable(text):
        return text
    try:
        name = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        return name.decode("cp1252")
    except UnicodeDecodeError:
        return name.decode("latin-1")


def repair_value(value: Any) -> Any:
    """A value of JSON without halves of surrogate pairs in its texts and keys, as `repair_text` has them."""
    if isinstance(value, str):
        return repair_text(value)
    if isinstance(value, list):
        return [repair_value(item) for item in value]
    if isinstance(value, tuple):
        return tuple(map(repair_value, value))
    if isinstance(value, dict):
        return {repair_value(key): repair_value(item) for key, item in value.items()}
    return value
