"""The splitter keeps every character and knows the usual traps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.text.sentences import sentence_spans, split_sentences

PIECES = 'Mr. U.S. The dog . ... ? ! " ” ( ) 3.5 J. 。 é'
any_text = st.text() | st.lists(st.sampled_from([*PIECES.split(), " ", "  ", "\n", "\t"])).map("".join)


@given(any_text)
def test_sentences_are_slices_and_only_white_space_lies_between(text: str) -> None:
    at = 0
    for start, end in sentence_spans(text):
        assert text[at:start].strip() == ""
        assert start < end
        assert text[start:end] == text[start:end].strip()
        assert "\n" not in text[start:end]
        at = end
    assert text[at:].strip() == ""


@given(any_text)
def test_splitting_a_sentence_again_changes_nothing_in_its_text(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "sentences",
    [
        ["The dog barked.", "The cat ran."],
        ["Mr. Lee met Dr. J. R. Smith in St. Louis.", "They talked."],
        ["It cost $3.5 million in the U.S. Senate race.", "He lost."],
        ["He moved to the U.S.", "The others stayed."],
        ["Acme Inc. Chairman Jo Low resigned at 3 p.m. Monday."],
        ["She left at 3 p.m.", "The train was late."],
        ['"Why?" he asked.', '"Because."', "She smiled."],
        ["“It works!” she said.", "Nobody believed her…", "Then they did."],
        ["He waited... and waited.", "Nothing."],
        ["See e.g. Smith et al. 2004 for details.", "It is long."],
        ["the cat sat .", "the dog ran .", "it barked"],
        ["猫が座った。", "犬が走った！", "「本当？」", "はい"],
        ["Is it No. 5?", "He said no.", "The others agreed."],
        ["यह एक वाक्य है।", "यह दूसरा है।"],
        ["One line", "another line"],
    ],
)
def test_usual_traps(sentences: list[str]) -> None:
    separator = "\n" if sentences[0] == "One line" else "" if "猫" in sentences[0] else " "
    assert split_sentences(separator.join(sentences)) == sentences
