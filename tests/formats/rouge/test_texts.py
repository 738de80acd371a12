"""Sentences as ROUGE-1.5.5 sees them. Expected values follow its reading rules (format description, 2.3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.campaign import Problems
from pyramidion.formats.rouge.rouge_texts import TEXT_TYPES, TextFiles, TextType, guess_type, split_text
from pyramidion.formats.text_files import decode_tolerantly

SEE = '<a name="1">[1]</a> <a href="#1" id=1>The ferry stopped on Saturday.</a>\n'
OLD_SEE = '<a size="9" name="1">[1]</a> <a href="#1" id=1>The ferry stopped on Saturday.</a>\n'
ISI = '<S SNTNO="1">The ferry stopped on Saturday.</S>\n'


@pytest.mark.parametrize(("text", "type"), [(SEE, "SEE"), (OLD_SEE, "SEE"), (ISI, "ISI")])
def test_a_tagged_sentence_is_the_text_between_its_tags(text: str, type: TextType) -> None:
    assert split_text(text, type) == ("The ferry stopped on Saturday.",)
    assert guess_type(text) == type


def test_a_line_is_a_sentence_and_only_empty_lines_are_dropped() -> None:
    assert split_text("one\n\n  two\n \nthree", "SPL") == ("one", "  two", " ", "three")


def test_carriage_returns_stay_because_byte_limits_count_them() -> None:
    assert split_text("one\r\n\r\ntwo\rthree\r\n", "SPL") == ("one\r", "\r", "two\rthree\r")


def test_only_line_feeds_end_lines() -> None:
    text = "a\x0bb\x0cc\x1cd\x85e\u2028f"
    assert split_text(text, "SPL") == (text,)


def test_entities_are_not_decoded() -> None:
    assert split_text('<S SNTNO="1">Black &amp; white</S>\n', "ISI") == ("Black &amp; white",)


def test_a_see_sentence_ends_at_the_next_tag_or_past_the_line_end() -> None:
    start = '<a name="2">[2]</a> <a href="#2" id=2>'
    assert split_text(f"{start}One <b>bold</b></a>\n{start}Two\n{start}</a>\n", "SEE") == ("One ", "Two\n")


def test_lines_outside_the_pattern_are_ignored() -> None:
    frame = '<html><head><title>N</title></head><body bgcolor="white">\n'
    assert split_text(f"{frame}{SEE} {SEE}</body></html>\n", "SEE") == ("The ferry stopped on Saturday.",)
    assert split_text(f'{ISI}<s sntno="2">no</s>\n<S SNTNO="3">unclosed\n', "ISI") == (
        "The ferry stopped on Saturday.",
    )


def test_a_line_that_is_almost_a_sentence_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(f'{ISI}<S SNTNO="2">cut off here\n')
    problems = Problems()
    TextFiles(problems).read(path, "ISI")
    (problem,) = problems
    assert str(problem).startswith(f"{path}:2: warning: found '<S SNTNO=\"2\">cut off here'")


def test_a_file_is_read_and_noted_once(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"caf\xe9\r\n")
    problems = Problems()
    files = TextFiles(problems)
    assert files.read(path, "SPL") == files.read(path, "SPL") == ("café\r",)
    assert [problem.found for problem in problems] == [
        "byte 0xE9, which is not UTF-8",
        "1 Windows line end (CR LF)",
    ]


@given(content=st.binary(), type=st.sampled_from(TEXT_TYPES))
def test_any_bytes_give_sentences_of_the_text(content: bytes, type: TextType) -> None:
    text = decode_tolerantly(content, Path("text"), Problems())
    sentences = split_text(text, type)
    assert all(sentence and sentence in text for sentence in sentences)
    if type == "SPL":
        assert "\n".join(sentences) == "\n".join(line for line in text.split("\n") if line)


tagged = st.lists(
    st.sampled_from(['<S SNTNO="1">', "</S>", "\n", '<a name="1">', "[1]</a> ", '<a href="#1" id=1>', "a", "<", "\r"])
).map("".join)


@given(text=tagged, type=st.sampled_from(("SEE", "ISI")))
def test_no_tag_gets_into_a_sentence(text: str, type: TextType) -> None:
    assert not any("<" in sentence for sentence in split_text(text, type))
