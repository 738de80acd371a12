"""The centroid summarizer: sentences near the centre of the documents."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, chronological, fill, ranked
from tools.demo_campaign.summarizers.words import (
    content_words,
    cosine,
    counts,
    inverse_frequencies,
    repeats,
    vector,
)


@dataclass(frozen=True)
class Centroid:
    """MEAD's centroid, position and first-sentence features, with redundancy control.

    Radev, Jing, Styś & Tam 2004, *Centroid-based summarization of multiple documents*. Each feature is at
    most 1: the centroid value Σ tf·idf over the words of the centroid (scaled by the highest), the position value
    √(1/i), the cosine with the document's first sentence. A near repeat of a sentence is refused.
    """

    centroid: float = 1.0
    position: float = 0.4
    first: float = 0.3
    ceiling: float = 0.45
    size: int = 40

    def scores(self, task: Task) -> list[float]:
        """The score of each candidate of the task."""
        idf = inverse_frequencies([counts(document.sentences) for document in (*task.documents, *task.elsewhere)])
        mean: defaultdict[str, float] = defaultdict(float)
        for word, number in counts(task.candidates).items():
            mean[word] = number / len(task.documents) * idf[word]
        top = sorted(mean, key=lambda word: (-mean[word], word))[: self.size]
        centre = {word: mean[word] for word in top}
        raw = [sum(centre.get(word, 0.0) for word in sorted(set(content_words(one.text)))) for one in task.candidates]
        highest = max(raw, default=0.0) or 1.0
        opening = {document.id: vector(content_words(document.sentences[0].text), idf) for document in task.documents}
        return [
            self.centroid * value / highest
            + self.position * (1 / (1 + one.place.index)) ** 0.5
            + self.first * cosine(vector(content_words(one.text), idf), opening[one.place.document])
            for one, value in zip(task.candidates, raw, strict=True)
        ]

    def ranking(self, task: Task) -> list[Candidate]:
        """Candidates from the best to the worst."""
        return ranked(task.candidates, self.scores(task))

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        return chronological(fill(self.ranking(task), limit=limit, refuse=repeats(self.ceiling)))
