"""A summarizer that answers the request of the topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, as_taken, greedy
from tools.demo_campaign.summarizers.words import content_words, cosine, inverse_frequencies, vector


@dataclass(frozen=True)
class RequestMMR:
    """Maximal marginal relevance (Carbonell & Goldstein 1998) against the title and narrative.

    score(s) = λ·cos(s, request) − (1 − λ)·max over the chosen t of cos(s, t), idf-weighted; sentences keep
    the order in which they were chosen.
    """

    balance: float = 0.7

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        idf = inverse_frequencies([content_words(one.text) for one in task.candidates])
        request = vector(content_words(f"{task.title} {task.narrative}"), idf)
        vectors = {one.place: vector(content_words(one.text), idf) for one in task.candidates}

        def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
            own = vectors[one.place]
            repeated = max((cosine(own, vectors[other.place]) for other in taken), default=0.0)
            # 1 lifts every score above 0: MMR goes on until nothing fits.
            return 1 + self.balance * cosine(own, request) - (1 - self.balance) * repeated

        return as_taken(greedy(task.candidates, gain, limit=limit))
