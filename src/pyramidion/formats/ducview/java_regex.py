"""Java's regular expressions, as far as headers of models need them, searched in time linear in the text.

Files bring their own expressions, so a backtracking engine could be made to run for ever. Here an expression becomes a
small program (`java_program`). Look-around, back references and intersections of sets are refused.
"""

from __future__ import annotations

import unicodedata

from pyramidion.formats.ducview.java_program import (
    ASCII_LETTERS,
    DIGITS,
    LINE_ENDS,
    WORD,
    Again,
    Check,
    Fork,
    Instruction,
    JavaPattern,
    Take,
    Test,
)

LONGEST = 5000
"""Instructions of a program; only repeats such as (a{1000}){1000} need more."""

_DEEPEST = 100
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_BLANKS = frozenset(" \t\n\x0b\f\r")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class UnsupportedError(ValueError):
    """The expression is wrong, or needs what is not done here."""


def compile_java(expression: str) -> JavaPattern:
    """The expression, ready to search.

    Raises:
        UnsupportedError: with the reason, if it can't be used.
    """
    parser = _Parser(expression)
    code = parser.alternatives(0)
    if parser.at < len(expression):
        raise UnsupportedError(f"an unmatched ) at character {parser.at + 1}")
    return JavaPattern((*code, None))


Code = list[Instruction]
"""Instructions whose jumps count from their own start."""


def _moved(code: Code, by: int) -> Code:
    return [_moved_one(one, by) for one in code]


def _moved_one(one: Instruction, by: int) -> Instruction:
    if isinstance(one, Fork):
        return Fork(one.first + by, one.second + by)
    return Again(one.start + by, one.past + by) if isinstance(one, Again) else one


def _joined(*codes: Code) -> Code:
    whole: Code = []
    for code in codes:
        whole += _moved(code, len(whole))
        if len(whole) > LONGEST:
            raise UnsupportedError("too many repeats")
    return whole


class _Parser:
    """Recursive descent over the expression."""

    def __init__(self, expression: str) -> None:
        self.text = expression
        self.at = 0
        self.flags: frozenset[str] = frozenset()

    def alternatives(self, depth: int) -> Code:
        if depth > _DEEPEST:
            raise UnsupportedError("groups nested too deep")
        branches = [self._sequence(depth)]
        while self._accept("|"):
            branches.append(self._sequence(depth))
        code = branches.pop()
        while branches:
            first = branches.pop()
            # fork to the first or past it; from its end jump over the others.
            code = _joined([Fork(1, len(first) + 2)], first, [Fork(len(code) + 1, len(code) + 1)], code)
        return code

    def _sequence(self, depth: int) -> Code:
        code: Code = []
        while self.at < len(self.text) and self._peek() not in "|)":
            code = _joined(code, self._quantified(depth))
        return code

    def _quantified(self, depth: int) -> Code:
        code = self._atom(depth)
        while (limits := self._limits()) is not None:
            least, most = limits
            lazy = self._accept("?")
            if not lazy:
                self._accept("+")  # possessive: the same words, found without giving back
            code = _repeated(code, least, most, lazy=lazy)
        return code

    def _limits(self) -> tuple[int, int | None] | None:
        if self._accept("*"):
            return 0, None
        if self._accept("+"):
            return 1, None
        if self._accept("?"):
            return 0, 1
        if not self._accept("{"):
            return None
        inside, brace, _ = self.text[self.at :].partition("}")
        least, comma, most = inside.partition(",")
        if not brace or not least.isdecimal() or not least.isascii() or (most and not most.isdecimal()):
            raise UnsupportedError(f"the repeat {{{inside[:20]}")
        self.at += len(inside) + 1
        limits = int(least[:9]), (int(most[:9]) if most else None) if comma else int(least[:9])
        if limits[1] is not None and limits[1] < limits[0]:
            raise UnsupportedError(f"the repeat {{{inside}}}")
        return limits

    def _atom(self, depth: int) -> Code:
        character = self._next()
        if character == "(":
            return self._group(depth)
        if character == "[":
            return [Take(self._folded(self._set(depth)))]
        if character == ".":
            return [Take((lambda _: True) if "s" in self.flags else lambda one: one not in LINE_ENDS)]
        if character in "^$":
            return [Check("m^" if character == "^" else "m$") if "m" in self.flags else Check(character)]  # type: ignore[arg-type]
        if character == "\\":
            return self._escape()
        if character in "*+?{":
            raise UnsupportedError(f"{character} with nothing to repeat")
        return [Take(self._folded(_one(character)))]

    def _group(self, depth: int) -> Code:
        before = self.flags
        if self._accept("?"):
            if self._accept("<"):
                if self._peek() in "=!":
                    raise UnsupportedError("look-behind")
                _, bracket, _ = self.text[self.at :].partition(">")
                if not bracket:
                    raise UnsupportedError("a group without a name")
                self.at = self.text.index(">", self.at) + 1
            elif self._peek() in "=!>":
                raise UnsupportedError("look-ahead" if self._peek() in "=!" else "an atomic group")
            else:
                while self._peek() in "ims":
                    self.flags |= {self._next()}
                if self._accept(")"):
                    return []  # flags for all that follows
                if not self._accept(":"):
                    raise UnsupportedError(f"the group (?{self._peek()}")
        code = self.alternatives(depth + 1)
        if not self._accept(")"):
            raise UnsupportedError("a group that is not closed")
        self.flags = before
        return code

    def _escape(self) -> Code:
        character = self._next()
        if character == "Q":
            quoted, _, _ = self.text[self.at :].partition("\\E")
            self.at = min(self.at + len(quoted) + 2, len(self.text))
            return [Take(self._folded(_one(one))) for one in quoted]
        if character in "AzZbB":
            return [Check(character)]  # type: ignore[arg-type]
        if character == "R":
            # \r\n, or any single line end
            return [Fork(1, 4), Take(_one("\r")), Take(_one("\n")), Fork(5, 5), Take(LINE_ENDS.__contains__)]
        self.at -= 1
        return [Take(self._folded(self._escaped_set()))]

    def _escaped_set(self) -> Test:
        """What stands after a backslash and means one character or a set of them."""
        character = self._next()
        known = {"d": DIGITS, "w": WORD, "s": _BLANKS, "h": frozenset(" \t\xa0\u1680\u180e\u202f\u205f\u3000")}
        if character.lower() in known:
            members = known[character.lower()]
            return members.__contains__ if character.islower() else lambda one: one not in members
        if character in "pP":
            test = self._property()
            return test if character == "p" else lambda one: not test(one)
        if character in "xu":
            return _one(self._code_point(character))
        if character in _ESCAPED:
            return _one(_ESCAPED[character])
        if character in ASCII_LETTERS | DIGITS:
            raise UnsupportedError("a back reference" if character in "k123456789" else f"the escape \\{character}")
        return _one(character)

    def _code_point(self, kind: str) -> str:
        if self._accept("{"):
            digits, brace, _ = self.text[self.at :].partition("}")
            length = len(digits) + 1 if brace else -1
        else:
            length = 2 if kind == "x" else 4
            digits = self.text[self.at : self.at + length]
        try:
            found = chr(int(digits, 16))
        except (ValueError, OverflowError):
            raise UnsupportedError(f"the escape \\{kind}{digits[:8]}") from None
        self.at += length
        return found

    def _property(self) -> Test:
        name = self._next()
        if name == "{":
            name, brace, _ = self.text[self.at :].partition("}")
            if not brace:
                raise UnsupportedError("a property that is not closed")
            self.at += len(name) + 1
        short = name.removeprefix("Is")
        tests: dict[str, Test] = {
            "Alpha": ASCII_LETTERS.__contains__,
            "Digit": DIGITS.__contains__,
            "Alnum": (ASCII_LETTERS | DIGITS).__contains__,
            "Upper": lambda one: "A" <= one <= "Z",
            "Lower": lambda one: "a" <= one <= "z",
            "Punct": _PUNCTUATION.__contains__,
            "Space": _BLANKS.__contains__,
            "Blank": frozenset(" \t").__contains__,
            "ASCII": str.isascii,
        }
        if short in tests:
            return tests[short]
        if 1 <= len(short) <= 2 and short[0] in "LMNPSZC":
            return lambda one: unicodedata.category(one).startswith(short)
        raise UnsupportedError(f"the property {name[:20]}")

    def _set(self, depth: int) -> Test:
        """What stands between brackets: characters, ranges, escapes and sets; the opening one is behind."""
        if depth > _DEEPEST:
            raise UnsupportedError("sets nested too deep")
        negated = self._accept("^")
        tests: list[Test] = []
        while not (self._peek() == "]" and tests):
            if self.at >= len(self.text):
                raise UnsupportedError("a set that is not closed")
            if self.text.startswith("&&", self.at):
                raise UnsupportedError("an intersection of sets")
            character = self._next()
            if character == "[":
                tests.append(self._set(depth + 1))
                continue
            first = self._member(character)
            if isinstance(first, str) and self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                last = self._member(self._next())
                if not isinstance(last, str) or last < first:
                    raise UnsupportedError("a range that is not one")
                tests.append(_between(first, last))
            else:
                tests.append(_one(first) if isinstance(first, str) else first)
        self.at += 1
        return lambda one: any(test(one) for test in tests) != negated

    def _member(self, character: str) -> str | Test:
        if character != "\\":
            return character
        following = self._peek()
        if following in _ESCAPED or (following and following not in ASCII_LETTERS | DIGITS):
            self.at += 1
            return _ESCAPED.get(following, following)
        if following in ("x", "u"):
            self.at += 1
            return self._code_point(following)
        return self._escaped_set()

    def _folded(self, test: Test) -> Test:
        if "i" not in self.flags:
            return test
        return lambda one: test(one) or test(one.lower()) or test(one.upper())

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _accept(self, character: str) -> bool:
        if self.text.startswith(character, self.at):
            self.at += 1
            return True
        return False

    def _next(self) -> str:
        if self.at >= len(self.text):
            raise UnsupportedError("an end that comes too early")
        self.at += 1
        return self.text[self.at - 1]


def _one(character: str) -> Test:
    return lambda one: one == character


def _between(first: str, last: str) -> Test:
    return lambda one: first <= one <= last


def _repeated(code: Code, least: int, most: int | None, *, lazy: bool) -> Code:
    def fork(first: int, second: int) -> Code:
        return [Fork(second, first) if lazy else Fork(first, second)]

    if max(least, most or 0) * max(len(code), 1) > LONGEST:
        raise UnsupportedError("too many repeats")
    again = [code] * least
    if most is None:
        # fork into the body or past it; from its end back to the fork
        past = len(code) + 2
        return _joined(*again, [*_moved(fork(1, past), 0), *_moved(code, 1), Again(0, past)])
    optional: Code = []
    for _ in range(most - least):
        optional = _joined(fork(1, len(code) + len(optional) + 1), _joined(code, optional))
    return _joined(*again, optional)
