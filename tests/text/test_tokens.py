"""Tokens, stems, stop words and length limits as seen from Python."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import UsageError
from pyramidion.text.stop import stop_words
from pyramidion.text.tokens import UNICODE_VERSION, cut, cut_sentences, locate_tokens, stem_token, stem_word, tokenise
from text import twin

ascii_text = st.text(st.characters(max_codepoint=127))
porter_words = st.builds(
    "{}{}{}".format,
    st.text("abcdefghilmnorstuvwyz1", min_size=1, max_size=6),
    st.sampled_from(["", *twin.STEP_2, *twin.STEP_3, *twin.STEP_4, "ment", "ent", "sion", "tion", "eed", "ing", "ied"]),
    st.sampled_from(["", "s", "ed", "ing", "ly", "y", "es", "e", "ll"]),
)


@given(st.text())
def test_rouge155_tokens_are_those_of_the_twin(text: str) -> None:
    assert tokenise(text) == twin.rouge155_tokens(text.encode())


@given(st.text())
def test_rouge_score_tokens_are_those_of_the_twin(text: str) -> None:
    assert tokenise(text, tokens="rouge_score") == twin.rouge_score_tokens(text)


@given(st.text("aBİKıé -9"))
def test_rouge_score_tokens_know_what_python_lowers_into_ascii(text: str) -> None:
    assert tokenise(text, tokens="rouge_score") == twin.rouge_score_tokens(text)


@pytest.mark.skipif(unicodedata.unidata_version != UNICODE_VERSION, reason="this Python knows another Unicode")
@given(st.text() | st.text("aÉßﬁ ́‍​­กิ漢かカ한é๑٣²-'"))
def test_unicode_tokens_are_those_of_the_twin(text: str) -> None:
    assert tokenise([text], tokens="unicode") == twin.unicode_tokens(text)


@given(ascii_text)
def test_ascii_text_has_the_same_tokens_under_all_names(text: str) -> None:
    assert tokenise(text, tokens="unicode") == tokenise(text) == tokenise(text, tokens="rouge_score")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Čeština je KRÁSNÁ.", ["čeština", "je", "krásná"]),
        ("Straße, STRASSE", ["strasse", "strasse"]),
        ("漢字とカナ", ["漢", "字", "と", "カ", "ナ"]),
        ("ภาษาไทย", ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("co\u00adoperate ❤\ufe0f", ["cooperate"]),
        ("l'été don't", ["l", "été", "don", "t"]),
    ],
)
def test_unicode_tokens_of_some_scripts(text: str, tokens: list[str]) -> None:
    assert tokenise(text, tokens="unicode") == tokens


@given(st.text(), st.sampled_from(["rouge155", "unicode"]))
def test_tokens_stand_where_they_are_said_to(text: str, tokens: str) -> None:
    located = locate_tokens(text, tokens=tokens)
    assert [token.form for token in located] == tokenise(text, tokens=tokens)
    for token in located:
        slice_ = text[token.start : token.end]
        kept = "".join(c for c in slice_ if unicodedata.category(c) != "Cf")
        assert kept.casefold() == token.surface
        assert text[: token.start].count("\n") == token.sentence
    assert all(a.end <= b.start for a, b in itertools.pairwise(located))


def test_tokens_of_a_function_are_located_and_prepared() -> None:
    located = locate_tokens("The DOGS barked", tokens=lambda text: text.lower().split(), stop=True, stem=True)
    assert [(token.form, token.start, token.end) for token in located] == [("dog", 4, 8), ("bark", 9, 15)]


def test_unknown_tokens_are_named_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"unknown tokens 'words'.*rouge155"):
        tokenise("a", tokens="words")


@given(porter_words | st.text("aeiouybcdlst3", max_size=12))
def test_stems_of_rouge155_are_those_of_the_twin(word: str) -> None:
    assert stem_token(word) == twin.rouge155_stem(word)
    assert stem_word(word) == (twin.EXCEPTIONS.get(word) or twin.rouge155_porter(word))


@given(porter_words | st.text("aeiouybcdlst3", min_size=1, max_size=12))
def test_stems_of_the_other_dialects_are_those_of_nltk(word: str) -> None:
    """NLTK's PorterStemmer (PyPI nltk) in its modes MARTIN_EXTENSIONS and NLTK_EXTENSIONS."""
    porter = pytest.importorskip("nltk.stem.porter")
    martin = porter.PorterStemmer(porter.PorterStemmer.MARTIN_EXTENSIONS)
    assert stem_word(word, stems="martin") == martin.stem(word)
    assert stem_word(word, stems="nltk") == porter.PorterStemmer().stem(word)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("element", "elem"),
        ("document", "docum"),
        ("they", "thei"),
        ("better", "well"),
        ("told", "tell"),
        ("men", "men"),
    ],
)
def test_stems_that_the_description_of_rouge155_names(word: str, stem: str) -> None:
    assert stem_token(word) == stem


def test_stop_words_are_tested_before_stemming() -> None:
    assert len(stop_words()) == 596  # 598 lines, two repeat another one
    assert tokenise("does doe", stop=True, stem=True) == ["doe"]


@given(st.text(), st.integers(1, 50))
def test_a_text_cut_to_bytes_is_a_prefix_line_by_line(text: str, limit: int) -> None:
    kept = cut(text, bytes=limit)
    assert sum(len(line.encode()) for line in kept.split("\n")) <= limit
    assert all(full.startswith(line) for full, line in zip(text.split("\n"), kept.split("\n"), strict=False))
    wanted = twin.cut_to_bytes([line.encode() for line in text.split("\n")], limit, forget=False)
    assert kept == "\n".join(line.decode("utf-8", "ignore") for line in wanted)


@given(st.lists(st.sampled_from(["a", "bb", " ", "  ", "\t", "\n", "é"])).map("".join), st.integers(1, 8))
def test_a_text_cut_to_words_has_the_words_of_the_twin(text: str, limit: int) -> None:
    kept = cut(text, words=limit)
    wanted = twin.cut_to_words([line.encode() for line in text.split("\n")], limit, leading_blank_is_word=True)
    assert kept.split() == b"\n".join(wanted).decode().split()
    assert cut_sentences(text.split("\n"), words=limit) == kept.split("\n")


def test_a_leading_blank_is_a_word_unless_told_otherwise() -> None:
    assert cut(" one two", words=2) == " one"
    assert cut(" one two three", words=2, leading_blank_is_word=False) == " one two"
