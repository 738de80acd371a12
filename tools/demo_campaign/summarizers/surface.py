"""Summarizers that read nothing: chance and length. They are the floor that the others must pass."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Piece, Task, as_taken, chronological, fill, ranked


@dataclass(frozen=True)
class RandomSentences:
    """Sentences drawn at random, in the order drawn.

    The usual floor of extractive summarization (Lin & Hovy 2003, *The potential and limitations of automatic
    sentence extraction*). The draw depends on the seed and the topic alone.
    """

    seed: int = 0

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        order = list(task.candidates)
        random.Random(f"{self.seed}/{task.topic}").shuffle(order)
        return as_taken(fill(order, limit=limit))


@dataclass(frozen=True)
class LongestSentences:
    """The longest sentences, in source order: length alone as a sign of content.

    Sentence length is one of the features of Kupiec, Pedersen & Chen 1995, *A trainable document summarizer*.
    """

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        order = ranked(task.candidates, [len(one.words) for one in task.candidates])
        return chronological(fill(order, limit=limit))
