"""Characters of the data that a browser would obey, made visible."""

from __future__ import annotations

from unicodedata import category

_STEERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows."""


def visible(text: str) -> str:
    """The text with one sign for each control character, steering mark or half character; no place moves.

    Line breaks and tabs stay, and so do joiners and hard blanks, which many scripts need.
    """
    if text.isprintable():
        return text
    return "".join("\ufffd" if _is_unseen(character) else character for character in text)


def _is_unseen(character: str) -> bool:
    return character in _STEERING or (character not in "\n\t" and category(character) in ("Cc", "Cs"))
