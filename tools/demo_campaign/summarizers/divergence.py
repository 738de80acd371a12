"""Summarizers that keep the word distribution of the summary near that of the documents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, as_taken, greedy
from tools.demo_campaign.summarizers.words import content_words, counts


@dataclass(frozen=True)
class KLGreedy:
    """KLSum (Haghighi & Vanderwende 2009, *Exploring content models for summarization*, 3.2).

    Adds the sentence that leaves the least KL(documents ‖ summary), the summary smoothed by adding
    `smoothing` to the count of each word of the documents; stops when no sentence fits.
    """

    smoothing: float = 1.0

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        source = counts(task.candidates)
        total = source.total()

        def divergence(summary: Counter[str]) -> float:
            size = summary.total() + self.smoothing * len(source)
            return math.fsum(
                count / total * math.log(count / total * size / (summary[word] + self.smoothing))
                for word, count in source.items()
            )

        # KL(P ‖ Q) is at most log(1 / min Q): above it by 1, every fitting sentence has a gain.
        bound = 1 + math.log((total + self.smoothing * len(source)) / self.smoothing) if total else 0.0

        def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
            return bound - divergence(counts(taken) + Counter(content_words(one.text)))

        return as_taken(greedy(task.candidates, gain, limit=limit))
