"""ROUGE as the library Hugging Face evaluate computes it: `evaluate.load("rouge").compute`, without the download."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final

from pyramidion.compat.rouge_score.counts import check_types
from pyramidion.compat.rouge_score.rouge_scorer import RougeScorer
from pyramidion.compat.rouge_score.scoring import make_draw, resampled_percentiles

ROUGE_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def compute(
    *,
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Callable[[str], Iterable[Hashable]] | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> dict[str, Any]:
    """ROUGE F-measures of many predictions, as `evaluate` 0.4 returns them.

    Args:
        predictions: the texts to score.
        references: a text, or a list of texts, for each prediction; of several the one with the highest F-measure
            counts, type by type.
        rouge_types: by default rouge1, rouge2, rougeL and rougeLsum (whose sentences are lines).
        use_aggregator: whether to return one number for all predictions: the median of 1,000 bootstrap means, which
            is close to the mean but not equal to it. Without it, a list with a number for each prediction.
        use_stemmer: whether tokens are stemmed.
        tokenizer: a function from a text to its tokens.
        seed: makes the bootstrap repeatable, with the numbers that `evaluate` gives under `np.random.seed(seed)`.
            Without it the draws come from NumPy's global generator.
        threads: how many threads share the work; by default as many as there are processors.

    Raises:
        ValueError: for an unknown type, lists of different lengths, or no predictions.

    >>> compute(predictions=["hello there", "general kenobi"], references=["hello there", "general grievous"],
    ...         rouge_types=["rouge1", "rougeL"], use_aggregator=False)
    {'rouge1': [1.0, 0.5], 'rougeL': [1.0, 0.5]}
    """
    types = check_types(ROUGE_TYPES if rouge_types is None else rouge_types)
    if len(predictions) != len(references):
        raise ValueError(
            f"Mismatch in the number of predictions ({len(predictions)}) and references ({len(references)})"
        )
    if not predictions:
        raise ValueError("there are no predictions: give at least one")
    adapted = None if tokenizer is None else _FunctionTokenizer(tokenizer)
    scorer = RougeScorer(types, use_stemmer=use_stemmer, tokenizer=adapted)
    scores = scorer.score_array(references, predictions, threads=threads)
    if not use_aggregator:
        return {name: scores[:, column, 2].tolist() for column, name in enumerate(types)}
    draw = make_draw(seed)
    return {
        name: float(resampled_percentiles(scores[:, column], 0.95, 1000, draw)[1, 2])
        for column, name in enumerate(types)
    }


class _FunctionTokenizer:
    """A function as a tokenizer object."""

    def __init__(self, function: Callable[[str], Iterable[Hashable]]) -> None:
        self.tokenize = function
