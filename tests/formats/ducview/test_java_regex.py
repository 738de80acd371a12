"""The expressions of DUCView's files find what Java finds, in linear time; anything else is refused with its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.formats.ducview.java_regex import UnsupportedError, compile_java


def found(expression: str, text: str) -> list[str]:
    return [text[start:end] for start, end in compile_java(expression).spans(text)]


@pytest.mark.parametrize(
    ("expression", "header"),
    [
        (r"[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n", "----\n D0891-B.M.100.A.C\n----\n"),
        (r"[-]*\n D[0-9]*\.M\.250\.[A-Z]\.[A-Z]\n[-]*\n", "----\n D0601.M.250.A.C\n----\n"),
        (r"[-]*\nD[0-9]*\.M\.250\.[A-Z]\.[A-Z]\n[-]*\n", "----\nD0601.M.250.A.C\n----\n"),
        (r"[-]*\n(\s*)D[0-9]*\.M\.250\.[A-Z]\.[A-Z]\n[-]*\n", "----\n \tD0601.M.250.A.C\n----\n"),
        (r"\-+\nD[0-9]+\.M\.250\.[A-Z]\.[A-Z]\n\-+\n", "----\nD0601.M.250.A.C\n----\n"),
        (r"-*D[0-9]+.[A-Z].250.[A-Z].[A-Z]", "----D0601.M.250.A.C"),
        (r"[-]+\nX1\.(?:ann|bob\.2|c\+\+)\n[-]+\n", "----\nX1.c++\n----\n"),
        (r"-+\n.*\n-+\n", "----\nwhoever wrote it\n----\n"),
    ],
)
def test_the_expressions_of_duc_of_tac_and_of_our_exports_find_headers(expression: str, header: str) -> None:
    text = f"{header}\nThe ferry burned.\n\n{header}\nNobody died.\n"
    assert found(expression, text) == [header, header]


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        (".", "a\r\n\x85b\u2028", ["a", "b"]),  # Java knows more line ends than Python
        (r"\d\w\s", "1a ٣a ", ["1a "]),
        ("^x", "x\nx", ["x"]),
        ("x*", "axx", ["xx"]),
        ("[a-c_-]+", "ab-_d", ["ab-_"]),
        (r"(a|b\|)", "ab|", ["a", "b|"]),
    ],
)
def test_pieces_mean_what_they_mean_in_java(expression: str, text: str, expected: list[str]) -> None:
    assert found(expression, text) == expected


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("(?=a)", 1),
        (r"a(b)\1", 5),
        ("[a&&b]", 1),
        ("(a", 1),
        ("a)", 2),
        ("[a", 1),
        ("*", 1),
        ("a{2}", 2),
        ("(ab)+", 1),
        ("((ab))", 1),
        ("a|b", 2),
        ("a*+", 1),
        (r"\p{Lu}", 1),
        ("a\\", 2),
        ("[--a]", 1),
    ],
)
def test_anything_else_is_refused_with_its_place(expression: str, place: int) -> None:
    with pytest.raises(UnsupportedError, match=f"at character {place}"):
        compile_java(expression)


def test_a_range_that_runs_backwards_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="bad character range z-a"):
        compile_java("[z-a]")


def test_no_search_takes_longer_than_linear_time() -> None:
    assert found(r"[-]+\n[-]+\n", "-" * 30_000) == []
    assert found("-*-*-*-*-*-*-*-*x", "-" * 3000) == []


@settings(max_examples=300, deadline=None)
@given(st.text("ab[](){}*+?|^$\\.-&,1<>=!:pQEdx", max_size=15), st.text("ab\n", max_size=10))
def test_any_expression_is_used_or_refused(expression: str, text: str) -> None:
    try:
        pattern = compile_java(expression)
    except UnsupportedError:
        return
    assert all(0 <= start < end <= len(text) for start, end in pattern.spans(text))
    # Java may repeat an anchor ("^?"); Python's own module, which is asked as a second opinion, refuses that alone.
    if re.search(r"[\^$][?*+{]", expression) is None:
        assert re.compile(expression)
