"""The splitter of clauses loses no word and cuts where a reader would."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.text.clauses import clause_spans, split_clauses
from pyramidion.text.sentences import sentence_spans

WORDS = "The ferry sank , and ; : – — -- - but which killing because was 3.5 U.S. it's who . ! \n é"
any_text = st.text() | st.lists(st.sampled_from([*WORDS.split(" "), " ", "  "])).map(" ".join)


@given(any_text)
def test_every_word_is_in_exactly_one_clause(text: str) -> None:
    at = 0
    for start, end in clause_spans(text):
        assert not re.search(r"\w", text[at:start])
        assert re.search(r"\w", text[start:end])
        at = end
    assert not re.search(r"\w", text[at:])


@given(any_text)
def test_a_clause_lies_within_a_sentence_and_has_no_blank_at_its_edges(text: str) -> None:
    sentences = sentence_spans(text)
    for start, end in clause_spans(text):
        assert any(begin <= start and end <= stop for begin, stop in sentences)
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "The ferry sank at night, but nobody drowned because help came soon.",
            ["The ferry sank at night", "but nobody drowned", "because help came soon."],
        ),
        ("Ships and boats were lost.", ["Ships and boats were lost."]),
        (
            "Twenty-four workers escaped; eleven, not fourteen, were missing.",
            ["Twenty-four workers escaped", "eleven, not fourteen, were missing."],
        ),
        (
            "A bomb exploded in the harbour, killing twelve people.",
            ["A bomb exploded in the harbour", "killing twelve people."],
        ),
        (
            "The minister, who was abroad, returned and resigned.",
            ["The minister, who was abroad, returned and resigned."],  # too short to stand alone
        ),
        (
            "Rescuers reached the crew who had waited for nine days – all were alive.",
            ["Rescuers reached the crew", "who had waited for nine days", "all were alive."],
        ),
        ("It opened at 10:30 in Baden-Baden.", ["It opened at 10:30 in Baden-Baden."]),
        ("It rained. The sun shone.", ["It rained.", "The sun shone."]),
        ("", []),
        (" . ", []),
    ],
)
def test_clauses_of_sentences(text: str, clauses: list[str]) -> None:
    assert split_clauses(text) == clauses
