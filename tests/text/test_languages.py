"""Words by ICU and stems by Snowball, in 46 languages; the sentences were written for this test."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.compat.evaluate import compute
from pyramidion.compat.rouge_score.rouge_scorer import RougeScorer
from pyramidion.compat.rouge_score.tokenizers import LanguageTokenizer
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.measures.registry import select
from pyramidion.text.languages import SNOWBALL, icu_words, snowball
from pyramidion.text.overlap import OverlapKind, count_overlaps, match_positions
from pyramidion.text.tokens import locate_tokens, tokenise

PAIR = np.array([[0, 1]])
SENTENCES = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("languages.tsv").read_text(encoding="utf-8").splitlines()
]


def f_of(first: str, second: str, kind: OverlapKind, **reading: object) -> float:
    hits, model, peer, _ = count_overlaps([first, second], PAIR, [kind], **reading)[0, 0]  # type: ignore[arg-type]
    return float(2 * hits / (model + peer))


@pytest.mark.parametrize(("language", "first", "second"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_identical_texts_score_1_and_texts_that_share_half_their_words_about_half(
    language: str, first: str, second: str
) -> None:
    stems = [False, *([name] if (name := f"snowball-{language}") in SNOWBALL else [])]
    for stem in stems:
        for kind in (OverlapKind("n", 1), OverlapKind("n", 2), OverlapKind("l")):
            assert f_of(first, first, kind, tokens="icu", stem=stem) == 1
        assert 0.3 <= f_of(first, second, OverlapKind("n", 1), tokens="icu", stem=stem) <= 0.7
    scorer = RougeScorer(["rouge1", "rougeL"], tokenizer=LanguageTokenizer())
    assert scorer.score(first, first)["rougeL"].fmeasure == 1
    assert 0.3 <= scorer.score(first, second)["rouge1"].fmeasure <= 0.7


def test_forty_languages_are_tried() -> None:
    assert len({row[0] for row in SENTENCES}) >= 40


def test_words_are_those_that_a_reader_sees() -> None:
    assert [word for _, _, word in icu_words("Die STRASSE, die Straße!")] == ["die", "strasse", "die", "strasse"]
    assert tokenise("ไม่ได้ไปโรงเรียน", tokens="icu") == ["ไม่", "ได้", "ไป", "โรงเรียน"]
    assert tokenise("我们今天去学校。", tokens="icu") == ["我们", "今天", "去", "学校"]


def test_composed_and_decomposed_letters_are_equal() -> None:
    assert tokenise("cafe\u0301", tokens="icu") == tokenise("caf\u00e9", tokens="icu")


def test_stems_are_those_that_snowball_publishes() -> None:
    # from the sample vocabulary on snowballstem.org/algorithms/german/stemmer.html
    words = ["aufeinanderfolgenden", "aufeinanderschlügen", "kategorien", "käufer", "auffälligen"]
    assert [snowball("snowball-de")(word) for word in words] == ["aufeinanderfolg", "aufeinanderschlug", "kategori", "kauf", "auffall"]  # fmt: skip


@given(st.text(max_size=60))
def test_places_are_in_order_and_inside_the_text(text: str) -> None:
    for tokens in ("icu", "unicode"):
        ends = [0]
        for token in locate_tokens(text, tokens=tokens, stem="snowball-fr"):
            assert ends[-1] <= token.start < token.end <= len(text)
            assert token.form == snowball("snowball-fr")(token.surface)
            ends.append(token.end)


@given(st.lists(st.sampled_from(["a", "b c", "été", "\n", " "]), max_size=12).map("".join))
def test_matches_count_what_is_counted(text: str) -> None:
    found = match_positions(text, "b été", OverlapKind("n", 1), tokens="icu", stem="snowball-fr")
    hits = count_overlaps([text, "b été"], PAIR, [OverlapKind("n", 1)], tokens="icu", stem="snowball-fr")[0, 0, 0]
    assert sum(token.matched for token in found.peer) == hits


def test_measures_take_them_by_name_and_signatures_have_versions() -> None:
    rows = [{"topic": "t", "summarizer": "s", "summary": "Die Häuser am Fluss", "references": ["Das Haus am Fluss"]}]
    for name in ("rouge-1(stem=snowball-de,tokens=icu).f", "rouge1(stem=snowball-de,tokens=icu)"):
        table = pyramidion.score(rows, [name])
        row = next(iter(table.to_polars().iter_rows(named=True)))
        assert row["value"] == pytest.approx(0.75)
        assert "|icu:" in row["signature"] and "|snowball:" in row["signature"]
    plain = pyramidion.score(rows, ["rouge1(tokens=rouge-score)"]).to_polars()["value"][0]
    assert plain != pytest.approx(0.75)


def test_evaluate_takes_the_tokenizer_as_a_function() -> None:
    texts = {"predictions": ["Die Häuser"], "references": ["das Haus"]}
    found = compute(**texts, rouge_types=["rouge1"], use_aggregator=False, tokenizer=LanguageTokenizer("snowball-de").tokenize)  # type: ignore[arg-type]  # fmt: skip
    assert found == {"rouge1": [0.5]}


def test_what_can_not_be_is_refused() -> None:
    with pytest.raises(UsageError, match=r"expected yes or no, or one of snowball-ar"):
        select("rouge-1(stem=snowball-xx)")
    with pytest.raises(UsageError, match="lcs_forgets_bytes=no"):
        select("rouge-l(tokens=icu,bytes=100)")
    with pytest.raises(UsageError, match="expected yes or no"):
        select("be-hm(stem=snowball-de)")


def test_without_the_libraries_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    with pytest.raises(MissingExtraError, match=r"tokens=icu: .*pip install 'pyramidion-eval\[languages\]'"):
        tokenise("a", tokens="icu")
