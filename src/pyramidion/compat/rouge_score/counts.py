"""From texts to scores: hits and totals of many pairs at once, and precision, recall and F-measure from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, Protocol

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.compat.rouge_score.tokenizers import DefaultTokenizer
from pyramidion.text.overlap import OverlapKind, count_rouge_score, count_token_overlaps
from pyramidion.text.sentences import split_sentences

Counts = Floats
Scores = Floats
"""Items × types × (precision, recall, F-measure)."""

SUMMARY_LEVEL: Final = "rougeLsum"
_KINDS: Final = {"rougeL": OverlapKind("l"), **{f"rouge{n}": OverlapKind("n", n) for n in range(1, 10)}}


class TokenizerLike(Protocol):
    """Anything with a method `tokenize`; tokens are any values that can be hashed."""

    def tokenize(self, text: str, /) -> Iterable[Hashable]:
        """The tokens of a text."""


def check_types(rouge_types: Iterable[str]) -> list[str]:
    """The distinct types in their order; a ValueError for an unknown one."""
    types = list(dict.fromkeys(rouge_types))
    for name in types:
        if name not in _KINDS and name != SUMMARY_LEVEL:
            raise ValueError(f"Invalid rouge type: {name} (expected rouge1 … rouge9, rougeL or rougeLsum)")
    return types


def count_texts(
    texts: Sequence[str],
    pairs: Integers,
    types: Sequence[str],
    tokenizer: TokenizerLike,
    *,
    split_summaries: bool,
) -> Counts:
    """(pairs, types, 4): hits, total of the target, total of the prediction; pairs are (prediction, target).

    Runs on one thread; the kernels run without Python's lock.
    """
    native = type(tokenizer) is DefaultTokenizer  # a subclass may make other tokens
    if native and not (split_summaries and SUMMARY_LEVEL in types):
        return _count_natively(texts, pairs, types, tokenizer)
    out = np.empty((len(pairs), len(types), 4))
    flat = [column for column, name in enumerate(types) if name != SUMMARY_LEVEL]
    summary = [column for column, name in enumerate(types) if name == SUMMARY_LEVEL]
    flat_types = [types[column] for column in flat]
    if native:
        split = ["\n".join(split_sentences(text)) for text in texts]
        out[:, flat] = _count_natively(texts, pairs, flat_types, tokenizer)
        out[:, summary] = _count_natively(split, pairs, [SUMMARY_LEVEL], tokenizer)
        return out
    numbers: dict[Hashable, str] = {}  # the kernels compare strings: equal tokens get equal ones

    def tokens_of(text: str) -> list[str]:
        return [numbers.setdefault(token, str(len(numbers))) for token in tokenizer.tokenize(text)]

    if flat:
        kinds = [_KINDS[name] for name in flat_types]
        made = [[tokens_of(text)] for text in texts]
        out[:, flat] = count_token_overlaps(made, pairs, kinds, threads=1)
    if summary:
        sentences_of: Callable[[str], list[str]] = split_sentences if split_summaries else _split_lines
        lines = list(map(sentences_of, texts))
        made = [[tokens_of(sentence) for sentence in sentences if sentence] for sentences in lines]
        out[:, summary] = count_token_overlaps(made, pairs, [OverlapKind("l")], threads=1)
    return out


def _split_lines(text: str) -> list[str]:
    """The lines of a text, which rouge-score takes for its sentences."""
    return text.split("\n")


def _count_natively(texts: Sequence[str], pairs: Integers, types: Sequence[str], tokenizer: TokenizerLike) -> Counts:
    assert isinstance(tokenizer, DefaultTokenizer)
    return count_rouge_score(texts, pairs, types, stem=tokenizer.use_stemmer, threads=1)


def scores_of(counts: Counts) -> Scores:
    """Precision, recall and F-measure of (pairs, types, 4) counts; 0 where a text has nothing to count."""
    hits, target, prediction = counts[..., 0], counts[..., 1], counts[..., 2]
    scores = np.empty((*hits.shape, 3))
    precision = np.divide(hits, np.maximum(prediction, 1), out=scores[..., 0])
    recall = np.divide(hits, np.maximum(target, 1), out=scores[..., 1])
    total = precision + recall
    scores[..., 2] = 0
    np.divide(2 * precision * recall, total, out=scores[..., 2], where=total > 0)
    return scores


def best_of_targets(scores: Scores, targets_per_item: Integers) -> Scores:
    """For each item and type, the score of its target with the highest F-measure; the first wins a tie.

    The rows of an item are adjacent, and every item has at least one.
    """
    starts = np.cumsum(targets_per_item) - targets_per_item
    item_of_row = np.repeat(np.arange(len(targets_per_item)), targets_per_item)
    f = scores[..., 2]
    is_best = f == np.maximum.reduceat(f, starts, axis=0)[item_of_row]
    best = np.empty((len(starts), *scores.shape[1:]))
    for column in range(scores.shape[1]):
        rows = np.flatnonzero(is_best[:, column])
        first = rows[np.unique(item_of_row[rows], return_index=True)[1]]
        best[:, column] = scores[first, column]
    return best
