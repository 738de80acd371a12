"""Files of strangers are decoded, read as tables and named, and what is odd about them is reported."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.miniature import Put, only
from pyramidion.campaign import Problems
from pyramidion.errors import InputError
from pyramidion.files.problems import Place
from pyramidion.formats.text_files import (
    LONGEST_WHOLE_NAME,
    any_file_name_of,
    decode_tolerantly,
    file_name_of,
    files_in,
    read_table,
    read_text,
)


@pytest.mark.parametrize(
    ("content", "text", "noted"),
    [
        (b"caf\xc3\xa9", "café", None),
        (b"\xef\xbb\xbfone", "one", "byte-order mark"),
        (b"one\ncaf\xe9 \x93x\x94", "one\ncafé “x”", "Windows-1252"),
        (b"caf\xe9 \x81", "café \x81", "Latin-1"),
    ],
)
def test_bytes_are_utf_8_else_windows_1252_else_latin_1(content: bytes, text: str, noted: str | None) -> None:
    problems = Problems()
    assert decode_tolerantly(content, Path("text"), problems) == text
    assert [noted in str(problem) for problem in problems if noted] == [True] * (noted is not None)
    assert problems.errors == 0


def test_windows_line_ends_are_replaced_with_one_warning(put: Put) -> None:
    problems = Problems()
    assert read_text(put("text", "one\ntwo\r\nthree\r\n"), problems) == "one\ntwo\nthree\n"
    assert only(problems).startswith("text:2: warning: found 2 Windows line ends (CR LF)")


def test_rows_of_a_table_have_every_column_and_empty_rows_are_skipped(put: Put) -> None:
    problems = Problems()
    rows = list(read_table(put("t.csv", "a, b\n1,2\n,\n3\n"), problems, ("a",), strict=True))
    assert rows == [(2, {"a": "1", "b": "2"}), (4, {"a": "3", "b": ""})]
    assert list(read_table(Path("t.csv"), problems, ("a", "c"), strict=True)) == []
    assert only(problems).startswith("t.csv:1: error: found no column c; expected the columns a, c")


def test_hidden_files_and_folders_are_not_listed(put: Put) -> None:
    for name in ("x/b.txt", "x/a.txt", "x/.c.txt", "x/d.md", "x/e.txt/f"):
        put(name, "")
    assert files_in(Path("x"), ".txt") == [Path("x/a.txt"), Path("x/b.txt")]
    assert files_in(Path("absent")) == []


def test_a_repeated_key_is_an_error_that_names_the_first() -> None:
    problems, lines = Problems(), dict[str, int]()
    for line in (3, 8):
        Place(problems, "file", line).is_first(lines, "k", "the key 'k'", expected="each key once", remedy="Rename it.")
    assert (
        only(problems) == "file:8: error: found the key 'k' again (first on line 3); expected each key once. Rename it."
    )


LONGEST_ID = LONGEST_WHOLE_NAME // len("%F0%9F%98%80")
"""Characters of an id whose name fits, even if each of them takes four escaped bytes."""


@given(st.text(max_size=LONGEST_ID), st.text(max_size=LONGEST_ID))
def test_different_ids_have_different_safe_file_names_that_give_the_ids_back(first: str, second: str) -> None:
    names = [file_name_of(first), file_name_of(second)]
    assert [unquote(name) for name in names] == [first, second]
    assert_safe(names)


@given(st.text(), st.text())
@example("😀" * 21, "😀" * 22)
def test_different_ids_of_any_length_have_different_safe_file_names(first: str, second: str) -> None:
    names = [any_file_name_of(first), any_file_name_of(second)]
    assert len(set(names)) == len({first, second})
    assert_safe(names)


def test_an_id_whose_escaped_name_is_too_long_is_refused() -> None:
    assert len(file_name_of("😀" * LONGEST_ID)) == LONGEST_WHOLE_NAME
    with pytest.raises(InputError, match=r"too long for a file name: at most 240 bytes.*Shorten it\."):
        file_name_of("😀" * (LONGEST_ID + 1))


def assert_safe(names: Iterable[str]) -> None:
    """No name is hidden, leads to another folder or needs quotes."""
    for name in names:
        assert not name.startswith(".")
        assert not set(name) & set("/\\\0 ")
