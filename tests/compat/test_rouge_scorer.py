"""The drop-in scorer by itself: golden values, types, several targets, batches, tokenizers and errors."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.compat.rouge_score import rouge_scorer, scoring, tokenize, tokenizers
from text.golden import read_jsonl

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
ITEMS = {item["id"]: item for item in read_jsonl("items.jsonl")}

words = st.sampled_from(["the", "cat", "cats", "sat", "on", "a", "mat", "running", "runs", "ran"])
texts = st.lists(st.lists(words, max_size=8).map(" ".join), max_size=4).map("\n".join)


def as_golden(scores: dict[str, scoring.Score]) -> dict[str, list[float]]:
    """The golden file has recall, precision and F in this order."""
    return {name: [score.recall, score.precision, score.fmeasure] for name, score in scores.items()}


@pytest.mark.parametrize("stem", [False, True])
def test_every_golden_item_scores_as_rouge_score_did(stem: bool) -> None:
    # golden/rouge/rouge_score_items.jsonl: computed with rouge-score 0.1.2 and nltk 3.10.4
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=stem)
    prefix = "stem" if stem else "nostem"
    for expected in read_jsonl("rouge_score_items.jsonl"):
        item = ITEMS[expected["id"]]
        first = as_golden(scorer.score(item["refs"][0], item["peer"]))
        multi = as_golden(scorer.score_multi(item["refs"], item["peer"]))
        for name in TYPES:
            assert first[name] == pytest.approx(expected[f"{prefix}_first"][name], abs=1e-9), (item["id"], name)
            assert multi[name] == pytest.approx(expected[f"{prefix}_multi"][name], abs=1e-9), (item["id"], name)


def test_scores_have_the_names_types_and_order_of_rouge_score() -> None:
    scores = rouge_scorer.RougeScorer(["rougeL", "rouge1"]).score("one two three", "one two")
    assert list(scores) == ["rougeL", "rouge1"]
    score = scores["rouge1"]
    assert isinstance(score, scoring.Score)
    assert isinstance(score, tuple)
    assert score._fields == ("precision", "recall", "fmeasure")
    assert score == (1.0, 2 / 3, 0.8)
    assert all(type(value) is float for value in score)
    assert isinstance(rouge_scorer.RougeScorer(["rouge1"]), scoring.BaseScorer)


@pytest.mark.parametrize(("target", "prediction"), [("", ""), ("a", ""), ("", "a"), ("...", "\n\n"), ("é", "ß")])
def test_texts_without_tokens_score_zero(target: str, prediction: str) -> None:
    scores = rouge_scorer.RougeScorer([*TYPES, "rouge9"]).score(target, prediction)
    assert set(scores.values()) == {(0.0, 0.0, 0.0)}


def test_of_several_targets_the_one_with_the_highest_f_counts_for_each_type() -> None:
    # by hand: unigrams favour the first target (P 1, R 1), bigrams the second (one of two against none)
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2"])
    scores = scorer.score_multi(["c b a", "a b x"], "a b c")
    assert scores["rouge1"] == (1.0, 1.0, 1.0)
    assert scores["rouge2"] == (0.5, 0.5, 0.5)


def test_the_first_of_equally_good_targets_counts() -> None:
    # F is 2/3 against both: P 1/2, R 1 against the first, P 1, R 1/2 against the second would be another pair
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    one = scorer.score_multi(["a", "a b c d"], "a b")["rouge1"]
    other = scorer.score_multi(["a b c d", "a"], "a b")["rouge1"]
    assert (one.precision, one.recall) == (0.5, 1.0)
    assert (other.precision, other.recall) == (1.0, 0.5)
    assert scorer.score_batch([["a", "a b c d"], ["a b c d", "a"]], ["a b", "a b"]) == [
        {"rouge1": one},
        {"rouge1": other},
    ]


@given(st.lists(st.tuples(texts, texts)), st.booleans(), st.sampled_from([1, 2]))
def test_a_batch_scores_as_its_pairs_do(pairs: list[tuple[str, str]], stem: bool, threads: int) -> None:
    scorer = rouge_scorer.RougeScorer([*TYPES, "rouge4"], use_stemmer=stem)
    expected = [scorer.score(target, prediction) for target, prediction in pairs]
    batch = scorer.score_batch([pair[0] for pair in pairs], [pair[1] for pair in pairs], threads=threads)
    assert batch == expected
    assert all(type(value) is float for scores in batch for score in scores.values() for value in score)


@given(st.lists(st.tuples(st.lists(texts, min_size=1, max_size=4), texts)))
def test_a_batch_with_several_targets_scores_as_its_items_do(items: list[tuple[list[str], str]]) -> None:
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=True)
    expected = [scorer.score_multi(targets, prediction) for targets, prediction in items]
    assert scorer.score_batch([item[0] for item in items], [item[1] for item in items]) == expected


@pytest.mark.parametrize("multi", [False, True])
def test_large_batches_are_shared_among_threads_and_score_the_same(multi: bool) -> None:
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=True)
    predictions = [f"the cats {index} sat on {index % 7}\nmats" for index in range(2501)]
    targets: list[Any] = [f"a cat {index % 9} on {index} mats" for index in range(2501)]
    if multi:
        targets = [[target, "the cats sat"][: 1 + index % 2] for index, target in enumerate(targets)]
    batch = scorer.score_batch(targets, predictions, threads=3)
    assert batch == scorer.score_batch(targets, predictions, threads=1)
    assert batch[::250] == [
        scorer.score_multi(target, prediction) if multi else scorer.score(target, prediction)
        for target, prediction in zip(targets[::250], predictions[::250], strict=True)
    ]
    array = scorer.score_array(targets, predictions, threads=2)
    assert array.tolist() == [[list(score) for score in scores.values()] for scores in batch]


def test_errors_in_a_shared_batch_come_back() -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    with pytest.raises(TypeError, match="a text is a str, not NoneType"):
        scorer.score_batch(["a"] * 3000, [*["a"] * 2999, None], threads=2)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="threads=0"):
        scorer.score_batch(["a"], ["a"], threads=0)


def test_a_custom_tokenizer_is_only_called_from_the_callers_thread() -> None:
    class Watcher:
        threads: set[int]

        def tokenize(self, text: str) -> list[str]:
            self.threads.add(threading.get_ident())
            return text.split()

    watcher = Watcher()
    watcher.threads = set()
    rouge_scorer.RougeScorer(["rouge1"], tokenizer=watcher).score_batch(["a"] * 3000, list(map(str, range(3000))))
    assert watcher.threads == {threading.get_ident()}


def test_a_batch_as_an_array_has_precision_recall_and_f() -> None:
    scores = rouge_scorer.RougeScorer(["rouge1", "rouge2"]).score_array(["one two three", "a"], ["one two", "b"])
    assert scores.shape == (2, 2, 3)
    assert scores[0, 0] == pytest.approx([1, 2 / 3, 0.8])
    assert not scores[1].any()


def test_empty_batches_and_no_types_are_fine() -> None:
    assert rouge_scorer.RougeScorer(TYPES).score_batch([], []) == []
    assert rouge_scorer.RougeScorer([]).score_batch(["a"], ["a"]) == [{}]
    assert rouge_scorer.RougeScorer([]).score("a", "a") == {}


class Words:
    """A tokenizer that keeps case and gives tokens that are no strings."""

    def tokenize(self, text: str) -> list[Hashable]:
        return [(word,) for word in text.split()]


def test_any_object_with_tokenize_makes_the_tokens() -> None:
    scorer = rouge_scorer.RougeScorer(TYPES, tokenizer=Words())
    scores = scorer.score("Café Noir\nis open", "Café noir\nis Open")
    # by hand: Café and is agree, in this order, of four tokens each; no bigram does
    half, nothing = scoring.Score(0.5, 0.5, 0.5), scoring.Score(0, 0, 0)
    assert scores == {"rouge1": half, "rouge2": nothing, "rougeL": half, "rougeLsum": half}
    assert scorer.score_batch(["Café Noir\nis open"], ["Café noir\nis Open"]) == [scores]


def test_the_default_tokenizer_gives_the_tokens_that_are_scored() -> None:
    tokenizer = tokenizers.DefaultTokenizer(use_stemmer=True)
    assert tokenizer.tokenize("The U.S. dogs'\nwere running") == ["the", "u", "s", "dog", "were", "run"]
    assert isinstance(tokenizer, tokenizers.Tokenizer)

    class Shouting(tokenizers.DefaultTokenizer):
        def tokenize(self, text: str) -> list[str]:
            return super().tokenize(text.replace("!", "x"))

    assert rouge_scorer.RougeScorer(["rouge1"], tokenizer=Shouting()).score("a!", "a")["rouge1"].recall == 0


def test_tokens_take_the_stems_of_a_given_stemmer() -> None:
    class Cutter:
        def stem(self, word: str) -> str:
            return "é" if word == "fifth" else word[:3]

    assert tokenize.tokenize("Eight of the fifth NINTHS", Cutter()) == ["eig", "of", "the", "nin"]
    assert tokenize.tokenize("It's 42!") == ["it", "s", "42"]


@pytest.mark.parametrize("tokenizer", [None, Words()])
def test_summaries_are_split_into_sentences_on_request(tokenizer: Any) -> None:
    # The sentences of these texts are beyond doubt: one a line gives the same.
    target = "The dog ran home. A cat sat there."
    prediction = "A cat sat there. The dog ran home."
    split = rouge_scorer.RougeScorer(TYPES, split_summaries=True, tokenizer=tokenizer)
    lines = rouge_scorer.RougeScorer(TYPES, tokenizer=tokenizer)
    scores = split.score(target, prediction)
    assert scores["rougeLsum"] == scoring.Score(1, 1, 1)
    assert scores["rougeLsum"] == lines.score(target.replace(". ", ".\n"), prediction.replace(". ", ".\n"))["rougeLsum"]
    assert {name: scores[name] for name in TYPES[:3]} == {
        name: lines.score(target, prediction)[name] for name in TYPES[:3]
    }


@pytest.mark.parametrize("name", ["rouge0", "rouge10", "rouge", "rougel", "rougeLSum", "rougeW", ""])
def test_an_unknown_type_is_a_value_error_when_something_is_scored(name: str) -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1", name])
    for call in (
        lambda: scorer.score("a", "a"),
        lambda: scorer.score_multi(["a"], "a"),
        lambda: scorer.score_batch(["a"], ["a"]),
    ):
        with pytest.raises(ValueError, match=f"Invalid rouge type: {name}"):
            call()


def test_nothing_to_score_against_is_a_value_error() -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    with pytest.raises(ValueError, match="no target"):
        scorer.score_multi([], "a")
    with pytest.raises(ValueError, match="item 1 has no target"):
        scorer.score_batch([["a"], []], ["a", "a"])
    with pytest.raises(ValueError, match="1 targets and 2 predictions"):
        scorer.score_batch(["a"], ["a", "a"])


@pytest.mark.parametrize("text", [None, 3, b"a"])
def test_what_is_no_text_is_a_type_error(text: Any) -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    with pytest.raises(TypeError, match="a text is a str, not"):
        scorer.score("a", text)
    with pytest.raises(TypeError, match="a text is a str, not"):
        scorer.score_batch(["a", "b"], ["a", text])


def test_scorers_and_scores_can_be_pickled() -> None:
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=True)
    scores = scorer.score("the cats were running", "a cat runs")
    assert pickle.loads(pickle.dumps(scorer)).score("the cats were running", "a cat runs") == scores
    again = pickle.loads(pickle.dumps(scores))
    assert again == scores
    assert isinstance(again["rouge1"], scoring.Score)


def test_lone_surrogates_separate_tokens() -> None:
    score = rouge_scorer.RougeScorer(["rouge1"]).score("one\ud800two", "one two")["rouge1"]
    assert score == (1, 1, 1)


def test_arrays_of_texts_are_taken_as_lists_are() -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    texts = np.array(["one two", "three"], dtype=object)
    assert scorer.score_batch(texts, texts) == scorer.score_batch(list(texts), list(texts))  # type: ignore[arg-type]
