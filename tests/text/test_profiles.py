"""Tokenizer profiles: their numbers never change under their names, and the table of languages is what they give."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from pathlib import Path

import icu4py.breakers
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.text.languages import PROFILES, fold
from pyramidion.text.overlap import OverlapKind, count_overlaps
from pyramidion.text.tokens import locate_tokens, tokenise

SENTENCES = {
    line.split("\t")[0]: line.split("\t")[1:]
    for line in Path(__file__).with_name("languages.tsv").read_text(encoding="utf-8").splitlines()
}
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "measures.md"
TABLE = re.findall(
    r"^\| \w+ \((\w\w)\) \| `tokens=([\w-]+)`[^|]*\| ([\d.]+|none) \| ([\d.]+) \|", PAGE.read_text(), re.M
)

CASES = {
    "Die STRASSE, die Straße": ["die", "strasse", "die", "strasse"],
    "Ｆｕｌｌ－ｗｉｄｔｈ １２": ["full", "width", "12"],
    "ﬁnal eﬃcient": ["final", "efficient"],
    "cafe\u0301 caf\u00e9": ["caf\u00e9", "caf\u00e9"],
    "co\u00adoperate": ["cooperate"],
    "don't U.S.": ["don", "t", "u", "s"],
    "ΟΔΟΣ οδός": ["οδοσ", "οδόσ"],
    "東京 カフェ ｶﾌｪ": ["東", "京", "カ", "フ", "ェ", "カ", "フ", "ェ"],
    "नई दिल्ली": ["नई", "दिल्ली"],
}
"""By the rules of Unicode: NFKC (UAX 15) and full case folding (CaseFolding.txt, C and F), written by hand."""


@pytest.mark.parametrize("text", CASES)
def test_words_are_compared_in_one_form(text: str) -> None:
    assert tokenise(text, tokens="words-1") == CASES[text]


def test_characters_are_grapheme_clusters() -> None:
    assert tokenise("東京2026年、が", tokens="characters-1") == ["東", "京", "2", "0", "2", "6", "年", "が"]
    assert tokenise("か\u3099", tokens="characters-1") == ["が"]  # a letter with a mark is one character
    assert tokenise("\u1112\u1161\u11ab", tokens="characters-1") == ["한"]  # and so is a syllable of three parts


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "en", "ru", "el", "ar", "de", "vi"])
def test_characters_are_those_of_icu(language: str) -> None:
    for text in SENTENCES[language]:
        clusters = [str(cluster) for cluster in icu4py.breakers.CharacterBreaker(text, "root")]
        words = [cluster for cluster in clusters if unicodedata.category(cluster[0])[0] in "LN"]
        assert tokenise(text, tokens="characters-1") == [fold(cluster) for cluster in words]


FROZEN = {
    "words-1": "4b5973274eb7c91500bd1ed2d6f7f2380d39cc13eed154ab29f26b69247b07a3",
    "characters-1": "7b65e6b17e757a7d11cd06a56a419389a943493d4968463aa97bf562401d2573",
}
"""Digests of all tokens of the sentences in 46 languages. If one changes, the profile needs another number."""


@pytest.mark.parametrize("profile", PROFILES)
def test_the_numbers_of_a_profile_never_change_under_its_name(profile: str) -> None:
    made = [[tokenise(text, tokens=profile) for text in texts] for texts in SENTENCES.values()]
    digest = hashlib.sha256(json.dumps([made, [tokenise(text, tokens=profile) for text in CASES]]).encode()).hexdigest()
    assert digest == FROZEN[profile]


@pytest.mark.parametrize("profile", PROFILES)
@given(text=st.text(max_size=40))
def test_places_are_in_order_and_lie_in_the_text(profile: str, text: str) -> None:
    tokens = locate_tokens([text], tokens=profile)
    ends = [0, *(token.end for token in tokens)]
    assert all(end <= token.start < token.end <= len(text) for end, token in zip(ends, tokens, strict=False))
    assert [token.form for token in tokens] == tokenise([text], tokens=profile)


@given(text=st.text(max_size=40))
def test_a_form_is_its_own_form(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_signatures_name_the_profile_and_the_versions() -> None:
    rows = [{"topic": "1", "summarizer": "a", "summary": "東京に行く", "references": ["東京へ行く"]}]
    table = pyramidion.score(rows, ["rouge-1(tokens=characters-1,stem=no).f", "rouge1(tokens=words-1)"])
    assert table.to_polars()["value"].to_list() == pytest.approx([0.8, 0.8])  # four of five characters
    first, second = table.to_polars()["signature"].to_list()
    assert "|tokens:characters-1|" in first
    for signature in (first, second):
        assert f"normalization:{unicodedata.unidata_version}" in signature
    assert re.search(r"\|unicode:\d+\.\d+", second)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(UsageError, match="words-1, characters-1"):
        tokenise("x", tokens="words-2")


def f_of(first: str, second: str, tokens: str) -> str:
    hits, model, peer, _ = count_overlaps([first, second], np.array([[0, 1]]), [OverlapKind("n", 1)], tokens=tokens)[
        0, 0
    ]
    return f"{2 * hits / (model + peer):.2f}" if model + peer else "none"


def test_the_table_of_languages_is_what_rouge_gives() -> None:
    assert len(TABLE) == 12
    for language, profile, original, value in TABLE:
        first, second = SENTENCES[language]
        assert (language, original, value) == (language, f_of(first, second, "rouge155"), f_of(first, second, profile))
