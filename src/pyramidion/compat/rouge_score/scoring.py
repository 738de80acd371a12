"""Scores and their bootstrap, with the names and types of `rouge_score.scoring`."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.resampling import block_sizes, multiplicities

Draw: TypeAlias = Callable[..., Any]
"""`draw(low, high, size=shape)` gives whole numbers from low to high − 1."""

_DRAWS_AT_ONCE: Final = 1 << 20


class Score(NamedTuple):
    """Precision, recall and F-measure of one pair under one ROUGE type."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """What the bootstrap says about a mean: lower limit, median, upper limit. Each is a score."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(abc.ABC):
    """Anything that scores a prediction against a target."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores of a pair, by type."""


class BootstrapAggregator:
    """Collects scores and gives percentile intervals of their means.

    The mid value is the median of the means of the resamples, as in rouge-score: close to the mean, but not equal to
    it. Each type has draws of its own.

    Args:
        confidence_interval: the share of resamples between low and high.
        n_samples: how many resamples.
        seed: makes the draws repeatable: the numbers are those that rouge-score gives after `np.random.seed(seed)`.
            Without it the draws come from NumPy's global generator, as in rouge-score, and differ from run to run.
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000, *, seed: int | None = None) -> None:
        if not 0 <= confidence_interval <= 1:
            raise ValueError(f"confidence_interval must be in range [0, 1], not {confidence_interval}")
        if n_samples <= 0:
            raise ValueError(f"n_samples must be positive, not {n_samples}")
        self._confidence_interval = confidence_interval
        self._n_samples = n_samples
        self._seed = seed
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one item: a score (any named tuple of numbers) for each type."""
        for score_type, score in scores.items():
            self._scores.setdefault(score_type, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The intervals of all types that were added, in the order in which they first came."""
        draw = make_draw(self._seed)
        result = {}
        for score_type, scores in self._scores.items():
            make = type(scores[0])
            rows = resampled_percentiles(
                np.array(scores, dtype=np.float64), self._confidence_interval, self._n_samples, draw
            )
            result[score_type] = AggregateScore(*(make(*row) for row in rows))
        return result


def make_draw(seed: int | None) -> Draw:
    """What draws items: NumPy's legacy generator, global or seeded: only it gives the draws of rouge-score."""
    return np.random.randint if seed is None else np.random.RandomState(seed).randint


def resampled_percentiles(values: Floats, confidence_interval: float, n_samples: int, draw: Draw) -> Floats:
    """Low, mid and high (rows) of the resampled means of each column of items × statistics."""
    items = len(values)
    means = np.empty((n_samples, values.shape[1]))
    first = 0
    for size in block_sizes(n_samples, items, most=_DRAWS_AT_ONCE):
        drawn = multiplicities(draw(0, items, size=(size, items)), items)
        means[first : first + size] = drawn @ values / items
        first += size
    tail = (1 - confidence_interval) / 2
    limits: Floats = np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0)
    return limits


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
