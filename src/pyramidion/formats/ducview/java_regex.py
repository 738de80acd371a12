"""The expressions by which DUCView's files find the headers of models, as far as such files contain them.

A file brings its own expression, in Java's syntax, and an expression can be made to search for ever. So only the
pieces are used that the expressions of DUC, of TAC and of our own exports consist of. An expression with anything else
is refused, and the models are found in another way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pyramidion.files import guards

_IN_SET = r"[A-Za-z0-9 _.]"
_PIECES = {
    "start": r"\^",
    "any": r"\.",
    "set": rf"\[(?:-|-?(?:{_IN_SET}(?:-{_IN_SET})?)+-?)\]",
    "class": r"\\[nrtsdw]",
    "sign": r"\\[^A-Za-z0-9]",
    "character": r"[^\\^$.|?*+()\[\]{}]",
}
"""What matches one character: `.`, `[A-Z]`, `\\n`, `\\.`, `D`; and the start of the text."""
_ANY_PIECE = "|".join(f"(?P<{name}>{piece})" for name, piece in _PIECES.items())
_ONE_PIECE = f"(?:{'|'.join(_PIECES.values())})"
_GROUP = rf"\((?:\?:)?(?:{_ONE_PIECE}[*+?]?|\|)*\)(?![*+?{{])"
_PIECE = re.compile(rf"(?:{_ANY_PIECE})(?P<repeat>[*+?]?)")
_EXPRESSION = re.compile(rf"(?:{_ONE_PIECE}[*+?]?(?![*+?])|{_GROUP})*")
"""Pieces and groups of them in a row. No group is repeated, so that the time of a search is linear in the text."""
_REPEATS = {"": "", "?": "?+", "*": f"{{0,{guards.RULE_CHARACTERS}}}+", "+": f"{{1,{guards.RULE_CHARACTERS}}}+"}
"""Repeats in Python: each takes all that it can, and gives nothing back."""


class UnsupportedError(ValueError):
    """The expression has something else than the pieces of DUCView's files."""


@dataclass(frozen=True)
class JavaPattern:
    """A compiled expression."""

    compiled: re.Pattern[str]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of every match that is not empty, from left to right."""
        for match in self.compiled.finditer(text):
            if match.end() > match.start():
                yield match.span()


def compile_java(expression: str) -> JavaPattern:
    """The expression, ready to search.

    Raises:
        UnsupportedError: with the place, if it has something else than the pieces of DUCView's files.
    """
    understood = _EXPRESSION.match(expression)
    end = understood.end() if understood else 0
    if end < len(expression):
        raise UnsupportedError(f"{expression[end : end + 20]!r} at character {end + 1}")
    try:
        return JavaPattern(re.compile(_PIECE.sub(_translate, expression), re.ASCII))
    except re.error as error:
        raise UnsupportedError(str(error)) from None


def _translate(piece: re.Match[str]) -> str:
    """A piece in Python's syntax."""
    if piece["start"]:
        return r"\A"
    if piece["any"]:
        return r"[^\n\r\x85\u2028\u2029]" + _REPEATS[piece["repeat"]]
    if piece["character"]:
        return re.escape(piece["character"]) + _REPEATS[piece["repeat"]]
    matched = piece["set"] or piece["class"] or piece["sign"]
    return matched + _REPEATS[piece["repeat"]]
