"""The kernels against their plain twin, and what the door to them promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.errors import InputError, UsageError
from pyramidion.text import _native
from pyramidion.text.inputs import WordRules, score_inputs
from pyramidion.text.overlap import (
    BeMode,
    OverlapKind,
    Quirks,
    count_be_overlaps,
    count_overlaps,
    count_rouge_score,
    count_token_overlaps,
    match_positions,
)
from text import twin

PAIR = np.array([[0, 1]])
KINDS = [
    *(OverlapKind("n", n) for n in (1, 2, 3, 4, 9)),
    OverlapKind("l"),
    *(OverlapKind("w", weight) for weight in (1.2, 2, 1)),
    *(OverlapKind(family, gap) for family in ("s", "su") for gap in (0, 1, 4, 40, -1)),
]

WORDS = "the The a of told better bests dogs barking documents elements u.s don't x y 42"
words = st.sampled_from(WORDS.split())
lines = st.lists(words | st.sampled_from(["", " ", "\t", "é", "-"]), max_size=12).map(" ".join)
wordy_texts = st.lists(lines, max_size=6).map("\n".join)
texts = st.one_of(wordy_texts, wordy_texts, st.text(max_size=200), st.lists(lines, max_size=5))
few_tokens = st.sampled_from("abcdefg")
token_texts = st.lists(st.lists(few_tokens, max_size=20), max_size=4)
long_token_texts = st.lists(st.lists(few_tokens, max_size=150), max_size=3)


def expected(peer: twin.Tokens, model: twin.Tokens, kind: OverlapKind, **clip: Any) -> tuple[float, ...]:
    parameter = int(kind.parameter)
    if kind.family == "n":
        return twin.overlap(twin.ngrams(peer, parameter), twin.ngrams(model, parameter))
    if kind.family == "l":
        return twin.lcs(peer, model, **clip)
    if kind.family == "w":
        return twin.weighted_lcs(peer, model, kind.parameter, **clip)
    unigrams = kind.family == "su"
    return twin.overlap(*(twin.skip_bigrams(text, parameter, unigrams=unigrams) for text in (peer, model)))


def assert_counts(found: Any, peer: twin.Tokens, model: twin.Tokens, **clip: Any) -> None:
    for row, kind in zip(found, KINDS, strict=True):
        use = clip if kind.family in ("l", "w") else {}
        assert tuple(row) == pytest.approx(expected(peer, model, kind, **use), rel=1e-12, abs=0), kind


@given(token_texts | long_token_texts, token_texts | long_token_texts)
def test_tokens_are_counted_as_the_twin_counts_them(peer: list[list[str]], model: list[list[str]]) -> None:
    assert_counts(count_token_overlaps([peer, model], PAIR, KINDS)[0], peer, model)


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_long_models_are_counted_as_the_twin_counts_them(data: st.DataObject) -> None:
    """Models of several machine words: sentences of up to 400 tokens."""
    long = st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=50, max_size=400), min_size=1, max_size=3)
    peer, model = data.draw(long), data.draw(long)
    kinds = [OverlapKind("l"), OverlapKind("w", 1.2), OverlapKind("s", -1), OverlapKind("su", 4), OverlapKind("n", 2)]
    for row, kind in zip(count_token_overlaps([peer, model], PAIR, kinds)[0], kinds, strict=True):
        assert tuple(row) == pytest.approx(expected(peer, model, kind), rel=1e-12, abs=0), kind


@pytest.mark.parametrize("length", [1, 61, 62, 63, 64, 65, 124, 125, 126, 127, 128, 129])
def test_models_that_just_fill_a_machine_word_are_counted_as_the_twin_counts_them(length: int) -> None:
    rng = np.random.default_rng(length)
    peer = [list("".join(rng.choice(list("abcdefghij"), size))) for size in (40, 1, 50)]
    tokens = list("".join(rng.choice(list("abcdefgh"), length)))
    model = [tokens[: length // 3], tokens[length // 3 : length // 2], tokens[length // 2 :]]
    assert_counts(count_token_overlaps([peer, model], PAIR, KINDS, threads=1)[0], peer, model)


@given(texts, texts, st.booleans(), st.booleans())
def test_texts_are_read_as_the_twin_reads_them(peer: Any, model: Any, stem: bool, stop: bool) -> None:
    found = count_overlaps([peer, model], PAIR, KINDS, stem=stem, stop=stop)[0]
    assert_counts(found, twin.read(peer, stem=stem, stop=stop), twin.read(model, stem=stem, stop=stop))


@given(texts, texts, st.integers(1, 40), st.booleans())
def test_word_limits_cut_as_the_twin_does(peer: Any, model: Any, limit: int, blank: bool) -> None:
    quirks = Quirks(leading_blank_is_word=blank)
    found = count_overlaps([peer, model], PAIR, KINDS, words=limit, quirks=quirks)[0]
    read = [twin.read(text, words=limit, leading_blank_is_word=blank) for text in (peer, model)]
    assert_counts(found, *read)


@given(texts, texts, st.integers(1, 120), st.booleans())
def test_byte_limits_cut_as_the_twin_does(peer: Any, model: Any, limit: int, forgets: bool) -> None:
    quirks = Quirks(lcs_forgets_bytes=forgets)
    found = count_overlaps([peer, model], PAIR, KINDS, bytes=limit, quirks=quirks)[0]
    plain = [twin.read(text, bytes=limit) for text in (peer, model)]
    lcs = [twin.read(text, bytes=limit, lcs=True, lcs_forgets_bytes=forgets) for text in (peer, model)]
    clip = {"clip_peer": plain[0], "clip_model": plain[1]}
    for row, kind in zip(found, KINDS, strict=True):
        if kind.family in ("l", "w"):
            wanted = expected(lcs[0], lcs[1], kind, **clip)
        else:
            wanted = expected(plain[0], plain[1], kind)
        assert tuple(row) == pytest.approx(wanted, rel=1e-12, abs=0), kind


@given(st.lists(texts, min_size=1, max_size=8), st.data())
def test_many_pairs_in_one_call_are_each_counted_alone(many: list[Any], data: st.DataObject) -> None:
    index = st.integers(0, len(many) - 1)
    pairs = np.array(data.draw(st.lists(st.tuples(index, index), max_size=30)), dtype=np.int64).reshape(-1, 2)
    together = count_overlaps(many, pairs, KINDS)
    for counts, (peer, model) in zip(together, pairs, strict=True):
        np.testing.assert_array_equal(counts, count_overlaps([many[peer], many[model]], PAIR, KINDS)[0])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_no_number(threads: int) -> None:
    rng = np.random.default_rng(0)
    vocabulary = [f"word{i}" for i in range(500)]
    many = [" ".join(rng.choice(vocabulary, 40)) + "\n" + " ".join(rng.choice(vocabulary, 20)) for _ in range(700)]
    pairs = rng.integers(0, len(many), (1500, 2))
    alone = [count_overlaps(many, pairs[i : i + 1], KINDS, threads=1)[0] for i in range(0, 1500, 37)]
    np.testing.assert_array_equal(count_overlaps(many, pairs, KINDS, threads=threads)[::37], np.array(alone))


@given(token_texts, token_texts)
def test_the_quirks_of_su_and_w_can_be_turned_off(peer: list[list[str]], model: list[list[str]]) -> None:
    quirks = Quirks(su_drops_last_unigram=False, w_weights_model_twice=False)
    kinds = [OverlapKind("su", 4), OverlapKind("w", 1.2)]
    found = count_token_overlaps([peer, model], PAIR, kinds, quirks=quirks)[0]
    pairs = [twin.skip_bigrams(text, 4, unigrams=True, drop_last=False) for text in (peer, model)]
    assert tuple(found[0]) == twin.overlap(*pairs)
    assert tuple(found[1]) == pytest.approx(twin.weighted_lcs(peer, model, 1.2, twice=False), rel=1e-12)


def test_identical_texts_of_six_tokens_have_the_recall_of_w_that_the_perl_program_prints() -> None:
    """R .69883, P 1 (printed by ROUGE-1.5.5 -w 1.2)."""
    hits, model, peer, single = count_overlaps(["a b c d e f"], np.array([[0, 0]]), [OverlapKind("w", 1.2)])[0, 0]
    assert round(float((hits / model) ** (1 / 1.2)), 5) == 0.69883
    assert hits == peer == single


def test_one_token_scores_nothing_under_su_against_itself() -> None:
    assert count_overlaps(["word"], np.array([[0, 0]]), [OverlapKind("su", 4)])[0, 0].tolist() == [0, 0, 0, 0]


@given(wordy_texts, wordy_texts)
def test_a_tokenizer_of_the_users_own_is_used(peer: str, model: str) -> None:
    def by_hand(sentence: str) -> list[str]:
        return twin.rouge155_tokens(sentence.encode())

    own = count_overlaps([peer, model], PAIR, KINDS, tokens=by_hand, stop=True)
    np.testing.assert_array_equal(own, count_overlaps([peer, model], PAIR, KINDS, stop=True))


# No bars: a bar separates the parts in the files these come from.
part = st.sampled_from(["NIL", "nil", "nils", "Dogs", "told", "running mates", " barking  dogs ", "-- best", "x", ""])
elements = st.lists(st.tuples(part, part, part), max_size=8)


@given(elements, elements, st.sampled_from(["h", "hm", "hmr", "hm1", "hmr1", "hmr2"]), st.booleans())
def test_basic_elements_are_counted_as_the_twin_counts_them(
    peer: list[tuple[str, str, str]], model: list[tuple[str, str, str]], mode: BeMode, stem: bool
) -> None:
    found = count_be_overlaps([peer, model], PAIR, [mode], stem=stem)[0, 0]
    assert tuple(found) == twin.overlap(*(twin.be_keys(text, mode, stem=stem) for text in (peer, model)))


@given(wordy_texts, wordy_texts, st.sampled_from(KINDS), st.sampled_from([None, 30]))
def test_matched_tokens_stand_where_they_are_said_to_and_agree_with_the_hits(
    peer: str, model: str, kind: OverlapKind, limit: int | None
) -> None:
    matches = match_positions(peer, model, kind, bytes=limit)
    hits = count_overlaps([peer, model], PAIR, [kind], bytes=limit)[0, 0, 0]
    for text, tokens in ((peer, matches.peer), (model, matches.model)):
        for token in tokens:
            assert text[token.start : token.end].lower() == token.surface
        assert any(token.matched for token in tokens) == (hits > 0)
    if kind.family == "l":
        assert sum(token.matched for token in matches.model) == hits
    if kind == OverlapKind("n", 1):
        assert sum(token.matched for token in matches.model) == hits
        assert sum(token.matched for token in matches.peer) == hits


def test_offsets_count_code_points_from_the_start_of_a_str_and_of_a_sentence() -> None:
    text = "Café naïve\n𝒳 dogs"
    in_text = match_positions(text, text, OverlapKind("n", 1)).peer[-1]
    in_list = match_positions(text.split("\n"), text, OverlapKind("n", 1)).peer[-1]
    assert (in_text.form, in_text.sentence, text[in_text.start : in_text.end]) == ("dog", 1, "dogs")
    assert (in_list.sentence, in_list.start, in_list.end) == (1, 2, 6)


def test_a_table_beyond_max_cells_is_refused_with_the_pair_and_the_remedy() -> None:
    long = "a b " * 500
    for kind in (OverlapKind("l"), OverlapKind("w", 1.2), OverlapKind("s", -1)):
        with pytest.raises(InputError, match=r"pair 1 \(peer text 1, model text 1\).*max_cells=1000"):
            count_overlaps(["a", long], np.array([[0, 0], [1, 1]]), [kind], max_cells=1000)
    with pytest.raises(InputError, match="max_cells=1000"):
        match_positions(long, long, OverlapKind("l"), max_cells=1000)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: OverlapKind("x"), "unknown kind"),  # type: ignore[arg-type]
        (lambda: OverlapKind("n", 0), "whole number from 1"),
        (lambda: OverlapKind("w", 0), "above 0"),
        (lambda: OverlapKind("s", 1.5), "whole number"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")]), "there are 1 texts"),
        (lambda: count_overlaps(["a"], np.array([[0, -1]]), [OverlapKind("l")]), "there are 1 texts"),
        (lambda: count_overlaps(["a"], np.array([[0, 0, 0]]), [OverlapKind("l")]), "shape"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], tokens="words"), "unknown tokens"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], stem="best"), "unknown stems"),  # type: ignore[arg-type]
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], words=1, bytes=1), "give one of"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], words=0), "1 or more"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], words=10**20), "no text is that long"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], bytes=2**63), "no text is that long"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], threads=0), "1 or more"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], threads=1.5), "whole number, 1 or more"),  # type: ignore[arg-type]
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], threads=True), "whole number, 1 or more"),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], words=2.5), "words=2.5: a limit is a whole number"),  # type: ignore[arg-type]
        (
            lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], max_cells=10**20),
            "max_cells=1000.*whole number of cells",
        ),
        (lambda: count_overlaps(["a"], PAIR, [OverlapKind("l")], max_cells=-1), "max_cells=-1"),
        (lambda: match_positions("a", "a", OverlapKind("l"), max_cells=0.5), "max_cells=0.5"),  # type: ignore[arg-type]
        (lambda: count_be_overlaps([[]], PAIR, ["x"]), "unknown mode"),  # type: ignore[list-item]
    ],
)
def test_wrong_calls_say_what_is_wrong(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_texts_that_are_no_texts_are_refused() -> None:
    for bad in ([1, 2], [["a", 1], "b"], [None, "a"]):
        with pytest.raises(InputError, match="a text is a str"):
            count_overlaps(bad, PAIR, [OverlapKind("l")])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a sentence is a sequence of tokens"):
        count_token_overlaps([["a b"], [["a"]]], PAIR, [OverlapKind("l")])
    with pytest.raises(InputError, match="a basic element is a tuple"):
        count_be_overlaps([[("a", "b")], []], PAIR, ["h"])  # type: ignore[list-item]


def test_lone_surrogates_separate_tokens() -> None:
    assert count_overlaps(["a\ud800b", "b a"], PAIR, [OverlapKind("n", 1)])[0, 0].tolist() == [2, 2, 2, 2]


def test_no_pairs_and_no_kinds_give_empty_arrays() -> None:
    assert count_overlaps(["a"], np.empty((0, 2), dtype=np.int64), [OverlapKind("l")]).shape == (0, 1, 4)
    assert count_overlaps(["a"], np.array([[0, 0]]), []).shape == (1, 0, 4)


@pytest.mark.slow
def test_long_texts_are_counted_within_the_default_limit() -> None:
    """20,000 tokens under L, W and S*: a text against itself is matched in full."""
    rng = np.random.default_rng(1)
    text = [[f"w{i}" for i in rng.zipf(1.3, 20_000) % 5000]]
    counts = count_token_overlaps(
        [text], np.array([[0, 0]]), [OverlapKind("l"), OverlapKind("w", 1.2), OverlapKind("s", -1)]
    )[0]
    assert counts[0].tolist() == [20_000] * 4
    assert counts[1, 0] == counts[1, 2] == counts[1, 3]
    assert counts[2].tolist() == [20_000 * 19_999 / 2] * 4


def test_a_sequence_that_lies_about_its_length_is_read_as_it_is() -> None:
    class Sequence:
        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[Any]:
            return iter([[["a"]]] * 5_000)

        def __getitem__(self, at: int) -> Any:
            return [["a"]]

    pairs, out = np.array([[0, 4_999]]), np.zeros((1, 1, 4))
    _native.count_token_overlaps(Sequence(), pairs, [("n", 1)], out, _native.Quirks(), 1000, 1)  # type: ignore[arg-type]
    assert out[0, 0, 0] == 1


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([[0.5, 1]], r"contain 0\.5: expected rows \(peer, model\) of indices"),
        (np.array([[0.0, 1.0]]), r"contain 0\.0"),
        ([[float("nan"), 1]], "contain nan"),
        ([[True, False]], "contain True"),
        ([["0", "1"]], "contain '0'"),
        ([[None, 1]], "contain None"),
        ([[0, 2**70]], f"contain {2**70}"),
        (np.array([[0, 2**63]], dtype=np.uint64), f"contain {2**63}"),
        (np.array([[0, 1]], dtype=object), "an array of integers"),
        ([[0, 1], [0]], "rows of different lengths"),
        ([0, 1], "shape"),
    ],
    ids=repr,
)
def test_pairs_that_are_no_integers_are_refused_and_never_rounded(pairs: Any, message: str) -> None:
    texts, rules = ["a b", "a c"], WordRules()
    with pytest.raises(UsageError, match=f"^pairs.*{message}"):
        count_overlaps(texts, pairs, [OverlapKind("n", 1)])
    with pytest.raises(UsageError, match=r"^pairs"):
        count_rouge_score(texts, pairs, ["rouge1"])
    with pytest.raises(UsageError, match=r"^pairs"):
        count_be_overlaps([[("a", "b", "c")]] * 2, pairs, ["h"])
    with pytest.raises(UsageError, match=r"^summaries"):
        score_inputs(texts, [[0]], pairs, [], rules)


def test_integers_of_every_size_are_taken() -> None:
    for kind in (np.int8, np.uint16, np.int32, np.uint64):
        assert count_overlaps(["a b", "a c"], np.array([[0, 1]], dtype=kind), [OverlapKind("n", 1)])[0, 0, 0] == 1


@pytest.mark.parametrize("kind", [np.float32, np.int64])
def test_the_kernels_fill_no_array_of_another_type(kind: type) -> None:
    """Results would go to a copy, and what is in the array would pass for counts."""
    settings = (_native.Quirks(), 1000, 1)
    with pytest.raises(TypeError):
        _native.count_token_overlaps([[["a"]]], np.array([[0, 0]]), [("n", 1.0)], np.zeros((1, 1, 4), kind), *settings)
    with pytest.raises(TypeError):
        _native.pool_rows(np.ones((1, 4), kind), np.array([0, 1]), False, 0.5)
    with pytest.raises(TypeError):
        _native.pool_rows(np.ones((1, 4)), np.array([0.5, 1.5]), False, 0.5)
    with pytest.raises(TypeError):
        _native.ArrowNumbers(["a"], np.ones((1, 1), kind))
