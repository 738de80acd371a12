"""Summarizers that find central sentences in a graph of similar sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, as_taken, chronological, fill, ranked
from tools.demo_campaign.summarizers.words import content_words, cosine, inverse_frequencies, repeats, vector


@dataclass(frozen=True)
class LexRank:
    """Continuous LexRank with redundancy control.

    Erkan & Radev 2004, *LexRank: graph-based lexical centrality as salience*: PageRank over idf-weighted
    cosines of at least `threshold`; a near repeat is refused.
    """

    threshold: float = 0.1
    damping: float = 0.85
    ceiling: float = 0.5

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        words = [content_words(one.text) for one in task.candidates]
        idf = inverse_frequencies(words)
        vectors = [vector(one, idf) for one in words]
        similarity = np.array([[cosine(one, two) for two in vectors] for one in vectors])
        similarity[similarity < self.threshold] = 0.0
        order = ranked(task.candidates, list(page_rank(similarity, damping=self.damping)))
        return as_taken(fill(order, limit=limit, refuse=repeats(self.ceiling)))


@dataclass(frozen=True)
class TextRank:
    """TextRank (Mihalcea & Tarau 2004, *TextRank: bringing order into texts*, section 4).

    PageRank over the number of shared content words, divided by log|a| + log|b|. It has no redundancy
    control, as it was made for single documents.
    """

    damping: float = 0.85

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        similarity = np.array([[_shared(one, two) for two in task.candidates] for one in task.candidates])
        np.fill_diagonal(similarity, 0.0)
        order = ranked(task.candidates, list(page_rank(similarity, damping=self.damping)))
        return chronological(fill(order, limit=limit))


def _shared(one: Candidate, two: Candidate) -> float:
    first, second = set(content_words(one.text)), set(content_words(two.text))
    size = math.log(len(one.words)) + math.log(len(two.words))
    return len(first & second) / size if size else 0.0


def page_rank(similarity: Floats | Sequence[Sequence[float]], *, damping: float, rounds: int = 100) -> Floats:
    """Stationary weights of a walk over the graph; a node without edges jumps anywhere."""
    matrix = np.asarray(similarity, dtype=np.float64)
    size = len(matrix)
    sums = matrix.sum(axis=1, keepdims=True)
    walk = np.where(sums > 0, matrix / np.where(sums > 0, sums, 1.0), 1.0 / size)
    weights = np.full(size, 1.0 / size)
    for _ in range(rounds):
        weights = (1 - damping) / size + damping * (weights @ walk)
    return weights
