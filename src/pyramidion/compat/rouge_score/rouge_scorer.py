"""The scorer, with the names and types of `rouge_score.rouge_scorer`, and scoring of many pairs in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import chain, repeat
from operator import attrgetter
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.compat.rouge_score.counts import (
    Counts,
    Scores,
    TokenizerLike,
    best_of_targets,
    check_types,
    count_texts,
    scores_of,
)
from pyramidion.compat.rouge_score.scoring import BaseScorer, Score
from pyramidion.compat.rouge_score.tokenizers import DefaultTokenizer
from pyramidion.errors import InputError
from pyramidion.text.overlap import rouge_score_counter
from pyramidion.text.tokens import thread_count

Result = TypeVar("Result")
Targets: TypeAlias = Sequence[str] | Sequence[Sequence[str]]
"""A text, or a list of texts, for each prediction."""

_Part: TypeAlias = tuple[list[Any], list[str]]
"""The targets of some items, all texts or all lists of texts, and their predictions."""

_ITEMS_IN_A_PART: Final = 1000
_PARTS_OF_A_THREAD: Final = 4
_ONE_PAIR: Final[Integers] = np.array([[0, 1]])
_f_measure = attrgetter("fmeasure")


class RougeScorer(BaseScorer):
    """Scores predictions against targets, with the numbers of rouge-score 0.1.2.

    Args:
        rouge_types: `rouge1` … `rouge9`, `rougeL` (the texts as one sequence), `rougeLsum` (sentence by sentence).
        use_stemmer: whether tokens of more than three letters are stemmed (Porter as in NLTK).
        split_summaries: whether rougeLsum finds the sentences itself, instead of taking lines. rouge-score asks
            NLTK's punkt here, and this asks pyramidion's own splitter: where they differ, rougeLsum may.
        tokenizer: an object with `tokenize(text)`, instead of the default one.

    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("The quick brown fox jumps over the lazy dog", "The quick brown dog jumps on the log.")["rouge1"]
    Score(precision=0.75, recall=0.6666666666666666, fmeasure=0.7058823529411765)
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: TokenizerLike | None = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = DefaultTokenizer(use_stemmer) if tokenizer is None else tokenizer
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores of one pair, by type.

        Raises:
            ValueError: for an unknown type.
        """
        if (quick_scores := self._score_quickly([target], prediction)) is not None:
            types, (scores,) = quick_scores
            return dict(zip(types, scores, strict=True))
        names = check_types(self.rouge_types)
        rows = scores_of(self._count([prediction, target], _ONE_PAIR, names))[0].tolist()
        return {name: Score(*row) for name, row in zip(names, rows, strict=True)}

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """For each type, the score against the target with the highest F-measure; the first wins a tie.

        Raises:
            ValueError: for an unknown type, or when there is no target.
        """
        targets = targets if isinstance(targets, str | list | tuple) else list(targets)
        if (
            not isinstance(targets, str)
            and targets
            and (quick_scores := self._score_quickly(targets, prediction)) is not None
        ):
            types, scores = quick_scores
            best = [max(of_type, key=_f_measure) for of_type in zip(*scores, strict=True)]  # the first of equals
            return dict(zip(types, best, strict=True))
        return self.score_batch([targets], [prediction])[0]

    def _score_quickly(self, targets: Sequence[str], prediction: str) -> tuple[list[str], list[list[Score]]] | None:
        """The types, and their scores for each target; None if that takes more than the kernels, or is an error."""
        tokenizer = self._tokenizer
        if type(tokenizer) is not DefaultTokenizer or self._split_summaries:
            return None
        types, count = _prepared(tuple(self.rouge_types), tokenizer.use_stemmer)
        try:
            return types, [list(map(_score_of, count(prediction, target))) for target in targets]
        except (TypeError, ValueError):
            return None  # to be said in our own words

    def score_batch(
        self, targets: Targets, predictions: Sequence[str], *, threads: int | None = None
    ) -> list[dict[str, Score]]:
        """The scores of many pairs, in few calls of the kernels; rouge-score has no such method.

        The same as `score` for each target and prediction, or `score_multi` where an item has a list of targets. A
        text that occurs several times is read once (in each part of the work).

        Args:
            targets: a text, or a list of texts, for each prediction.
            predictions: the texts to score.
            threads: how many threads share the work; by default as many as there are processors.

        Raises:
            ValueError: for an unknown type, lists of different lengths, or an item without a target.
        """
        types = check_types(self.rouge_types)
        if not types:
            return [{} for _ in predictions]

        def score(part: _Part) -> list[dict[str, Score]]:
            precision, recall, f = self._score_part(part, types).reshape(-1, 3).T.tolist()
            # Loops in C: making these objects would otherwise take a fifth of the time of the whole call.
            made = map(tuple.__new__, repeat(Score), zip(precision, recall, f, strict=True))
            by_item = zip(*[made] * len(types), strict=True)
            return list(map(dict, map(zip, repeat(types), by_item)))

        return list(chain.from_iterable(self._in_parts(score, targets, predictions, threads)))

    def score_array(self, targets: Targets, predictions: Sequence[str], *, threads: int | None = None) -> Scores:
        """As `score_batch`, as an array: items × types × (precision, recall, F-measure)."""
        types = check_types(self.rouge_types)
        parts = self._in_parts(lambda part: self._score_part(part, types), targets, predictions, threads)
        return np.concatenate([np.empty((0, len(types), 3)), *parts])

    def _in_parts(
        self, score: Callable[[_Part], Result], targets: Targets, predictions: Sequence[str], threads: int | None
    ) -> list[Result]:
        """Scores the items in parts, each on one thread.

        The kernels run without Python's lock, so that one thread makes Python objects while another one counts.
        """
        target_lists, texts = _as_lists(targets), list(predictions)
        if len(target_lists) != len(texts):
            raise ValueError(f"{len(target_lists)} targets and {len(texts)} predictions: expected equal numbers")
        workers = _thread_count(threads)
        if type(self._tokenizer) is not DefaultTokenizer:
            workers = 1  # nobody promised that others can be called from several threads
        if workers == 1 or len(texts) <= _ITEMS_IN_A_PART:
            return [score((target_lists, texts))] if texts else []
        size = max(_ITEMS_IN_A_PART, -(-len(texts) // (_PARTS_OF_A_THREAD * workers)))
        parts = [(target_lists[at : at + size], texts[at : at + size]) for at in range(0, len(texts), size)]
        with ThreadPoolExecutor(min(workers, len(parts))) as pool:
            return list(pool.map(score, parts))

    def _score_part(self, part: _Part, types: Sequence[str]) -> Scores:
        targets, predictions = part
        single = isinstance(targets[0], str)
        rows: list[Any] = targets if single else list(chain.from_iterable(targets))
        sizes = 1 if single else np.fromiter(map(len, targets), dtype=np.int64, count=len(targets))
        texts = list(dict.fromkeys(chain(rows, predictions)))
        number = dict(zip(texts, range(len(texts)), strict=True))
        pairs = np.empty((len(rows), 2), dtype=np.int64)
        pairs[:, 0] = np.repeat(np.fromiter(map(number.__getitem__, predictions), np.int64, len(predictions)), sizes)
        pairs[:, 1] = np.fromiter(map(number.__getitem__, rows), np.int64, len(rows))
        scores = scores_of(self._count(texts, pairs, types))
        return scores if isinstance(sizes, int) else best_of_targets(scores, sizes)

    def _count(self, texts: Sequence[str], pairs: Integers, types: Sequence[str]) -> Counts:
        try:
            return count_texts(texts, pairs, types, self._tokenizer, split_summaries=self._split_summaries)
        except InputError:
            for text in texts:
                if not isinstance(text, str):
                    raise TypeError(f"a text is a str, not {type(text).__name__}: {text!r:.60}") from None
            raise


@lru_cache(maxsize=64)
def _prepared(rouge_types: tuple[str, ...], stem: bool) -> tuple[list[str], Callable[[str, str], list[list[float]]]]:
    """The distinct types, and what counts them in one pair."""
    types = check_types(rouge_types)
    return types, rouge_score_counter(types, stem=stem)


def _score_of(counts: list[float]) -> Score:
    """As `scores_of` of one pair and type: arrays of a single number would take most of the time."""
    hits, target, prediction, _ = counts
    precision, recall = hits / max(prediction, 1.0), hits / max(target, 1.0)
    total = precision + recall
    fmeasure = 2 * precision * recall / total if total > 0 else 0.0
    return Score(precision, recall, fmeasure)


def _as_lists(targets: Targets) -> list[Any]:
    """The targets as they are when all are texts, which is the usual case; else a list of texts for each item."""
    if set(map(type, targets)) <= {str}:
        return list(targets)
    target_lists = [[target] if isinstance(target, str) else target for target in targets]
    for item, its_targets in enumerate(target_lists):
        if len(its_targets) == 0:
            raise ValueError(f"item {item} has no target to score against")
    return target_lists


def _thread_count(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise ValueError(f"threads={threads}: give 1 or more")
    return thread_count(threads)
