"""ROUGE as the library Hugging Face evaluate computes it: `load("rouge").compute`, `add` and `add_batch`, offline."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, TypedDict, Unpack

from pyramidion.compat.rouge_score.counts import check_types
from pyramidion.compat.rouge_score.rouge_scorer import RougeScorer
from pyramidion.compat.rouge_score.scoring import make_draw, resampled_percentiles

ROUGE_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def load(path: str = "rouge", config_name: str | None = None, **_: object) -> RougeModule:
    """The metric, as `evaluate.load("rouge")` gives it.

    Raises:
        ValueError: for any other metric.
    """
    if path.rpartition("/")[2].removesuffix(".py") != "rouge" or config_name not in (None, "default"):
        raise ValueError(f"there is no metric {path!r} here; there is: rouge")
    return RougeModule()


class ComputeKeywords(TypedDict, total=False):
    """The options of `compute`."""

    rouge_types: Sequence[str] | None
    use_aggregator: bool
    use_stemmer: bool
    tokenizer: Callable[[str], Iterable[Hashable]] | None
    seed: int | None
    threads: int | None


class RougeModule:
    """Collects predictions and references, and scores them; what was collected is forgotten when it is scored.

    >>> rouge = load("rouge")
    >>> rouge.add(prediction="hello there", reference="hello there")
    >>> rouge.add_batch(predictions=["general kenobi"], references=["general grievous"])
    >>> rouge.compute(rouge_types=["rouge1"], use_aggregator=False)
    {'rouge1': [1.0, 0.5]}
    """

    name = "rouge"

    def __init__(self) -> None:
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def add(self, *, prediction: str, reference: str | Sequence[str] | None = None, references: Any = None) -> None:
        """Add one prediction with its reference, or list of references."""
        targets = reference if references is None else references
        if targets is None:
            raise ValueError("the reference is missing")
        self._predictions.append(prediction)
        self._references.append(_as_target(targets))

    def add_batch(self, *, predictions: Iterable[str], references: Iterable[Any]) -> None:
        """Add many; lists, arrays, columns of data frames: anything that can be iterated."""
        texts, targets = list(predictions), [_as_target(reference) for reference in references]
        _check_lengths(texts, targets)
        self._predictions += texts
        self._references += targets

    def compute(
        self,
        *,
        predictions: Iterable[str] | None = None,
        references: Iterable[Any] | None = None,
        **options: Unpack[ComputeKeywords],
    ) -> dict[str, Any]:
        """The scores of everything that was added, these included; options as for `compute`."""
        if (predictions is None) != (references is None):
            raise ValueError("give predictions and references, or neither")
        if predictions is not None and references is not None:
            self.add_batch(predictions=predictions, references=references)
        texts, targets = self._predictions, self._references
        self._predictions, self._references = [], []
        return compute(predictions=texts, references=targets, **options)


def _as_target(reference: Any) -> Any:
    """A reference, or a list of them, from whatever holds them."""
    return reference if isinstance(reference, str) else list(reference)


def _check_lengths(predictions: Sequence[Any], references: Sequence[Any]) -> None:
    if len(predictions) != len(references):
        raise ValueError(
            f"Mismatch in the number of predictions ({len(predictions)}) and references ({len(references)})"
        )


def compute(
    *,
    predictions: Iterable[str],
    references: Iterable[str] | Iterable[Sequence[str]],
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
    if rouge_types is None:
        rouge_types = ROUGE_TYPES
    types = check_types(rouge_types)
    texts, targets = list(predictions), [_as_target(reference) for reference in references]
    _check_lengths(texts, targets)
    if not texts:
        raise ValueError("there are no predictions: give at least one")
    adapted = None if tokenizer is None else _FunctionTokenizer(tokenizer)
    scorer = RougeScorer(types, use_stemmer=use_stemmer, tokenizer=adapted)
    scores = scorer.score_array(targets, texts, threads=threads)
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
