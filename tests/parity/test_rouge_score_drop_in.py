"""The drop-in beside rouge-score 0.1.2 itself, on any text: the same scores, bit by bit where only ratios matter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.compat import evaluate
from pyramidion.compat.rouge_score import rouge_scorer, scoring, tokenize, tokenizers

theirs = pytest.importorskip("rouge_score.rouge_scorer", reason="the package rouge-score is not installed")
their_scoring = pytest.importorskip("rouge_score.scoring")
their_tokenizers = pytest.importorskip("rouge_score.tokenizers")
their_tokenize = pytest.importorskip("rouge_score.tokenize")
pytestmark = pytest.mark.parity

TYPES = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]
WORDS = ["the", "a", "cat", "cats", "dying", "skies", "Running", "ran", "flies", "İstanbul", "212K", "naïve", "don't"]
WORDS += ["generically", "happily", "enjoy", "42nd"]
THEIRS = {stem: theirs.RougeScorer(TYPES, use_stemmer=stem) for stem in (False, True)}
OURS = {stem: rouge_scorer.RougeScorer(TYPES, use_stemmer=stem) for stem in (False, True)}

lines = st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join)
texts = st.lists(lines, max_size=5).map("\n".join) | st.text(max_size=100)


class Letters:
    """A tokenizer whose tokens of a text are not those of its lines."""

    def tokenize(self, text: str) -> list[str]:
        return [first + second for first, second in pairwise(text)]


@contextmanager
def global_seed(seed: int) -> Iterator[None]:
    """NumPy's global generator in a known state, and then as it was."""
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert list(ours) == list(theirs)
    for name, score in ours.items():
        assert tuple(score) == tuple(theirs[name]), name


@settings(max_examples=300)
@given(texts, texts, st.booleans())
def test_a_pair_scores_as_in_rouge_score(target: str, prediction: str, stem: bool) -> None:
    assert_same(OURS[stem].score(target, prediction), THEIRS[stem].score(target, prediction))


@given(st.lists(texts, min_size=1, max_size=4), texts, st.booleans())
def test_several_targets_score_as_in_rouge_score(targets: list[str], prediction: str, stem: bool) -> None:
    expected = THEIRS[stem].score_multi(targets, prediction)
    assert_same(OURS[stem].score_multi(targets, prediction), expected)
    assert_same(OURS[stem].score_batch([targets, targets], [prediction, prediction], threads=2)[1], expected)


@given(texts, texts)
def test_custom_tokenizers_score_as_in_rouge_score(target: str, prediction: str) -> None:
    ours = rouge_scorer.RougeScorer(TYPES, tokenizer=Letters())
    assert_same(
        ours.score(target, prediction), theirs.RougeScorer(TYPES, tokenizer=Letters()).score(target, prediction)
    )


@given(st.lists(st.lists(st.integers(0, 3), max_size=8), min_size=2, max_size=2))
def test_tokens_of_any_kind_score_as_in_rouge_score(sequences: list[list[int]]) -> None:
    class Digits:
        def tokenize(self, text: str) -> list[int]:
            return [int(digit) for digit in text]

    target, prediction = ("".join(map(str, sequence)) for sequence in sequences)
    expected = theirs.RougeScorer(TYPES, tokenizer=Digits()).score(target, prediction)
    assert_same(rouge_scorer.RougeScorer(TYPES, tokenizer=Digits()).score(target, prediction), expected)


@given(texts, st.booleans())
def test_the_default_tokenizer_gives_the_tokens_of_rouge_score(text: str, stem: bool) -> None:
    expected = their_tokenizers.DefaultTokenizer(stem).tokenize(text)
    assert tokenizers.DefaultTokenizer(stem).tokenize(text) == expected


class Cutter:
    """Stems that may be empty or hold what is no token."""

    def stem(self, word: str) -> str:
        return {"flies": "", "cats": "ça", "skies": "a b"}.get(word, word[:4])


@given(texts)
def test_a_stemmer_of_ones_own_gives_the_tokens_of_rouge_score(text: str) -> None:
    assert tokenize.tokenize(text, Cutter()) == their_tokenize.tokenize(text, Cutter())


@pytest.mark.parametrize("error_case", [["rouge0"], ["rouge10"], ["rougeLSum"], ["rouge1", "bleu"]])
def test_unknown_types_are_value_errors_in_both(error_case: list[str]) -> None:
    for module in (theirs, rouge_scorer):
        scorer = module.RougeScorer(error_case)
        with pytest.raises(ValueError, match="rouge"):
            scorer.score("a b", "a b")


scores = st.builds(scoring.Score, *[st.floats(0, 1)] * 3)


@settings(max_examples=25)
@given(
    st.lists(st.fixed_dictionaries({"rouge1": scores, "rougeL": scores}), min_size=1, max_size=12),
    st.integers(0, 2**32 - 1),
    st.floats(0, 1),
    st.integers(1, 50),
)
def test_with_a_seed_the_bootstrap_is_that_of_rouge_score(
    items: list[dict[str, scoring.Score]], seed: int, confidence: float, samples: int
) -> None:
    seeded = scoring.BootstrapAggregator(confidence, samples, seed=seed)
    unseeded = scoring.BootstrapAggregator(confidence, samples)
    original = their_scoring.BootstrapAggregator(confidence, samples)
    for item in items:
        for aggregator in (seeded, unseeded, original):
            aggregator.add_scores(item)
    with global_seed(seed):
        expected = original.aggregate()
    with global_seed(seed):
        drawn = unseeded.aggregate()
    for name, limits in expected.items():
        for mine in (seeded.aggregate()[name], drawn[name]):
            assert mine._fields == limits._fields
            for limit in ("low", "mid", "high"):
                assert getattr(mine, limit) == pytest.approx(getattr(limits, limit), abs=1e-12), (name, limit)


def test_many_items_are_drawn_in_the_same_order_as_in_rouge_score() -> None:
    # more draws than are made at once: the stream has to go on across blocks
    values = np.random.default_rng(0).random((3000, 3))
    aggregators = [scoring.BootstrapAggregator(seed=5), their_scoring.BootstrapAggregator()]
    for row in values:
        for aggregator in aggregators:
            aggregator.add_scores({"rouge1": scoring.Score(*row)})
    with global_seed(5):
        expected = aggregators[1].aggregate()["rouge1"]
    ours = aggregators[0].aggregate()["rouge1"]
    assert np.array(ours) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("multi", [False, True])
def test_compute_gives_what_evaluate_makes_of_rouge_score(multi: bool) -> None:
    """Hugging Face evaluate 0.4 (metrics/rouge): score or score_multi, then mid.fmeasure of the bootstrap, or lists."""
    predictions = ["the cats sat\non a mat", "running dogs", "nothing alike", "", "a b c d"]
    references: list[Any] = ["a cat sat on the mat", "the dog runs", "other words", "x", "d c b a"]
    if multi:
        references = [[one, f"another {other}"] for one, other in zip(references, predictions, strict=True)]
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = theirs.RougeScorer(types, use_stemmer=True)
    aggregator = their_scoring.BootstrapAggregator()
    score = scorer.score_multi if multi else scorer.score
    scored = [score(reference, prediction) for reference, prediction in zip(references, predictions, strict=True)]
    for item in scored:
        aggregator.add_scores(item)
    with global_seed(11):
        expected = {name: limits.mid.fmeasure for name, limits in aggregator.aggregate().items()}
    ours = evaluate.compute(predictions=predictions, references=references, use_stemmer=True, seed=11)
    assert ours == pytest.approx(expected, abs=1e-12)
    assert list(ours) == types
    lists = evaluate.compute(predictions=predictions, references=references, use_stemmer=True, use_aggregator=False)
    assert lists == {name: [item[name].fmeasure for item in scored] for name in types}
