"""Java's expressions find what Java finds, in linear time; what is not supported is refused with a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.formats.ducview.java_regex import UnsupportedError, compile_java


def found(expression: str, text: str) -> list[str]:
    return [text[start:end] for start, end in compile_java(expression).spans(text)]


ATOMS = st.sampled_from(["a", "b", "-", ".", r"\n", "[ab]", "[^a]", "[-]", r"\w", r"\d", r"[a-c\n]", "(?:ab|a)", r"\."])
REPEATS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?", "??"])
PIECES = st.lists(st.tuples(ATOMS, REPEATS).map("".join), min_size=1, max_size=4).map("".join)
# A loop whose body may be empty prefers, in rare cases, another length here; no header is written like that.
FULL = PIECES.filter(lambda inside: re.fullmatch(inside, "") is None)
EXPRESSIONS = st.lists(PIECES, min_size=1, max_size=3).map("|".join) | FULL.map(lambda inside: f"({inside})+b")


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS, st.text("ab-.\n1", max_size=20))
def test_matches_are_those_of_another_engine(expression: str, text: str) -> None:
    """Python's engine agrees with Java's on this part of the language, where a match is not empty."""
    empty = re.compile(expression, re.ASCII).match("") is not None
    if not empty:  # after an empty match, Python tries the same place again and Java does not
        assert found(expression, text) == [match[0] for match in re.finditer(expression, text, re.ASCII)]


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        (r"\QD1.M\E\.", "D1.M. D1xM.", ["D1.M."]),
        (r"\p{Upper}\P{Alpha}", "A1 ab", ["A1"]),
        (r"\p{Lu}+", "ŻA ż", ["ŻA"]),
        (r"[a[xy]]+", "axyb", ["axy"]),
        (r"(?<name>a)b", "ab", ["ab"]),
        (r"a++b", "aab", ["aab"]),
        (r"(?i)d\d", "D1 d2", ["D1", "d2"]),
        (r"(?m)^-+$", "--\nx\n---", ["--", "---"]),
        (r"(?s)a.b", "a\nb", ["a\nb"]),
        (r"x\z", "x\nx", ["x"]),
        (r"x$", "x\nx\n", ["x"]),
        (r"\x41\u0042", "AB", ["AB"]),
        (r"a\Rb", "a\r\nb a\nb", ["a\r\nb", "a\nb"]),
        (r"\bon\b", "on one on", ["on", "on"]),
        (r"[]a]", "]a", ["]", "a"]),
        (r"[a\-z]+", "a-z b", ["a-z"]),
        (r"[^\S\n]+", "a \t\n\v", [" \t", "\v"]),
        (r"[\p{Lu}\d]+", "Ż1 ż", ["Ż1"]),
        (r"(x\Z)+", "x\nx\r\n", ["x"]),
        ("(" * 500 + "a" + ")" * 500, "ba", ["a"]),
    ],
)
def test_what_only_java_writes_is_understood(expression: str, text: str, expected: list[str]) -> None:
    assert found(expression, text) == expected


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("(?=a)", r"the group \(\?=a \(look-around"),
        ("(?<!a)b", r"the group \(\?<! \(look-around"),
        (r"(a)\1", "a back reference"),
        ("[a&&b]", "an intersection"),
        ("(a", r"missing \)"),
        ("a)", "unmatched"),
        ("[a", "ends too early"),
        ("*", "no argument for repetition operator"),
        ("a{2,1}", r"invalid repetition size: \{2,1\}"),
        ("a{x}", "the repeat {x}"),
        ("[a[^b]]", "a negated set that contains a set"),
        ("[^a[b]]", "a negated set that contains a set"),
        ("(a{999}){999}", "invalid repetition size"),
        (r"\p{Klingon}", r"\\p{Klingon}"),
        ("\\", "too early"),
        (r"\y", "the escape"),
    ],
)
def test_what_is_not_supported_is_refused_with_a_reason(expression: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        compile_java(expression)


def test_an_expression_that_would_never_end_elsewhere_ends_here() -> None:
    assert found("(a*)*(a*)*(a|aa)+b", "a" * 3000) == []
    assert found(r"[-]+\n[-]+\n", "-" * 30_000) == []


@settings(max_examples=300, deadline=None)
@given(st.text("ab[](){}*+?|^$\\.-&,1<>=!:pQEdx", max_size=15), st.text("ab\n", max_size=10))
def test_any_expression_is_used_or_refused(expression: str, text: str) -> None:
    try:
        pattern = compile_java(expression)
    except UnsupportedError:
        return
    assert all(0 <= start < end <= len(text) for start, end in pattern.spans(text))
