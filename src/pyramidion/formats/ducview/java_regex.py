"""Java's regular expressions, translated for RE2, which searches in time linear in the text.

Files bring their own expressions, so a backtracking engine could be made to run for ever. What RE2 can't do
(look-around, back references) and sets within negated sets or with && are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_LINE_END = r"\n\r\x{85}\x{2028}\x{2029}"
_BEFORE_LAST_LINE_END = rf"((?:\r\n|[{_LINE_END}])?\z)"
"""Java's $ and \\Z; RE2 has no look-ahead, so the line end becomes a group, and the match ends before it."""

_GROUP = re.compile(r"\(\?(?:<(?![=!])[^>]*>|(?P<flags>[ims]*)(?P<end>[:)]))")
_QUANTIFIER = re.compile(r"(?P<repeat>[*+?]|\{[0-9]+(?:,[0-9]*)?\})(?P<lazy>\?)?\+?")
_CODE = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})")
_PROPERTY = re.compile(r"([pP])(?:\{(?:Is)?([A-Za-z]+)\}|([A-Z]))")
_POSIX = frozenset({"Alpha", "Digit", "Alnum", "Upper", "Lower", "Punct", "Space", "Blank", "ASCII"})
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_SETS = {
    **{letter: f"\\{letter}" for letter in "dDwW"},
    "s": "[:space:]",
    "S": "[:^space:]",
    "h": r" \t\x{a0}\x{1680}\x{180e}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}",
}


class UnsupportedError(ValueError):
    """The expression is malformed, or uses what is not supported here."""


@dataclass(frozen=True)
class JavaPattern:
    """A compiled expression."""

    compiled: Any

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of every match that is not empty, from left to right, as Java's `find` gives them."""
        for match in self.compiled.finditer(text):
            start, end = match.span()
            # The only groups are those of $: the match ends where one of them starts.
            end = min([end, *(at for group in range(self.compiled.groups) if (at := match.start(group + 1)) >= 0)])
            if end > start:
                yield start, end


def compile_java(expression: str) -> JavaPattern:
    """The expression, ready to search.

    Raises:
        UnsupportedError: with the reason, if it can't be used.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return JavaPattern(re2.compile(_Translation(expression).whole(), options))
    except RecursionError:
        raise UnsupportedError("brackets nested too deeply") from None
    except (re2.error, UnicodeError) as error:
        reason = error.args[0]
        raise UnsupportedError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(error)) from None


class _Translation:
    """The expression in RE2's syntax, from left to right."""

    def __init__(self, expression: str) -> None:
        self.text = expression
        self.at = 0
        self.flags: list[frozenset[str]] = [frozenset()]
        """Of the groups that are open."""

    def whole(self) -> str:
        pieces: list[str] = []
        while self.at < len(self.text):
            pieces.append(self._piece())
        return "".join(pieces)

    def _piece(self) -> str:
        if quantifier := self._match(_QUANTIFIER):
            # Possessive ones are translated as greedy: the same words, found without giving back.
            return quantifier["repeat"] + (quantifier["lazy"] or "")
        character = self._next()
        multiline = "m" in self.flags[-1]
        if character == "(":
            return self._group()
        if character == ")":
            if len(self.flags) == 1:
                raise UnsupportedError(f"an unmatched ) at character {self.at}")
            self.flags.pop()
            return ")"
        if character == "[":
            return f"[{'^' if self._accept('^') else ''}{self._set()}]"
        if character == ".":
            return "(?s:.)" if "s" in self.flags[-1] else f"[^{_LINE_END}]"
        if character == "^":
            return "(?m:^)" if multiline else r"\A"
        if character == "$":
            return "(?m:$)" if multiline else _BEFORE_LAST_LINE_END
        if character == "\\":
            return self._escape()
        if character == "{":
            raise UnsupportedError(f"the repeat {self.text[self.at - 1 :][:20]}")
        return character if character == "|" else _literal(character)

    def _group(self) -> str:
        """The start of a group, or flags; groups are numbered for $ alone."""
        self.at -= 1
        group = self._match(_GROUP)
        if group is None:
            if self.text.startswith("(?", self.at):
                raise UnsupportedError(f"the group {self.text[self.at :][:4]} (look-around and atomic groups included)")
            self.at += 1
        flags = group["flags"] or "" if group else ""
        if group and group["end"] == ")":
            self.flags[-1] |= set(flags)
            return f"(?{flags})" if flags else ""
        self.flags.append(self.flags[-1] | set(flags))
        return f"(?{flags}:"

    def _escape(self) -> str:
        if self._accept("Q"):
            quoted, _, rest = self.text[self.at :].partition("\\E")
            self.at = len(self.text) - len(rest)
            return "".join(map(_literal, quoted))
        character = self.text[self.at : self.at + 1]
        if character and character in "AzZbBRH":
            self.at += 1
            return {
                "Z": _BEFORE_LAST_LINE_END,
                "R": rf"(?:\r\n|[\v\f{_LINE_END}])",
                "H": f"[^{_SETS['h']}]",
            }.get(character, f"\\{character}")
        return f"[{self._member()}]"

    def _set(self) -> str:
        """The members of a set; the opening bracket is behind. A set in a set adds its members."""
        negated = self.text.startswith("[^", self.at - 2)
        members: list[str] = []
        while not (members and self._accept("]")):
            if self.text.startswith("&&", self.at):
                raise UnsupportedError("an intersection of sets (&&)")
            character = self._next()
            if character == "[":
                if negated or self._accept("^"):  # versions of Java disagree on what this means
                    raise UnsupportedError("a negated set that contains a set or is part of one")
                members.append(self._set())
            else:
                members.append(self._member() if character == "\\" else _literal(character))
                if re.match(r"-[^]\[]", self.text[self.at : self.at + 2]):
                    self.at += 1
                    last = self._next()
                    members.append(f"-{self._member() if last == chr(92) else _literal(last)}")
        return "".join(members)

    def _member(self) -> str:
        """A character, or a set of them, by its escape; as it is written between brackets."""
        if code := self._match(_CODE):
            return f"\\x{{{code[1] or code[2] or code[3]}}}"
        if property := self._match(_PROPERTY):
            name = property[2] or property[3]
            if name in _POSIX:
                return f"[:{'^' if property[1] == 'P' else ''}{name.lower()}:]"
            return f"\\{property[1]}{{{name}}}"
        character = self._next()
        if character in _SETS:
            return _SETS[character]
        if character.isascii() and character.isalnum() and character not in _CONTROLS:
            raise UnsupportedError("a back reference" if character in "k123456789" else f"the escape \\{character}")
        return _literal(_CONTROLS.get(character, character))

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match

    def _accept(self, character: str) -> bool:
        found = self.text.startswith(character, self.at)
        self.at += found
        return found

    def _next(self) -> str:
        if self.at >= len(self.text):
            raise UnsupportedError("an expression that ends too early")
        self.at += 1
        return self.text[self.at - 1]


def _literal(character: str) -> str:
    """A character that stands for itself, within brackets and outside of them."""
    return character if character.isalnum() and character.isascii() else f"\\x{{{ord(character):x}}}"
