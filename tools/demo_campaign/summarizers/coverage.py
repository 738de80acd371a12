"""Summarizers that choose a set of sentences that together cover the documents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, chronological, greedy
from tools.demo_campaign.summarizers.words import content_words, cosine, inverse_frequencies, vector


@dataclass(frozen=True)
class BigramCoverage:
    """Concept coverage (Gillick & Favre 2009, *A scalable global model for summarization*), solved greedily.

    Concepts are bigrams of content words that occur in `least` documents or more, weighted by the number of
    documents; a sentence gains the weight of its new concepts, per word.
    """

    least: int = 2

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        spread = Counter(
            concept
            for document in task.documents
            for concept in sorted({pair for one in document.sentences for pair in _bigrams(one)})
        )

        def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
            covered = {concept for other in taken for concept in _bigrams(other)}
            new = {concept for concept in _bigrams(one) if spread[concept] >= self.least} - covered
            return sum(spread[concept] for concept in new) / len(one.words)

        return chronological(greedy(task.candidates, gain, limit=limit))


def _bigrams(one: Candidate) -> set[tuple[str, str]]:
    return set(pairwise(content_words(one.text)))


@dataclass(frozen=True)
class Submodular:
    """Monotone submodular summarization (Lin & Bilmes 2011, *A class of submodular functions*), greedy.

    f(S) = Σ_i min(Σ_{j∈S} sim(i, j), α·Σ_j sim(i, j)) + λ·Σ_D √(Σ_{j∈S∩D} r_j): coverage of every sentence,
    and a reward for taking from different documents D; the gain is divided by length to the power `scale`.
    """

    alpha: float = 0.2
    reward: float = 4.0
    scale: float = 0.5

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        candidates = task.candidates
        words = [content_words(one.text) for one in candidates]
        idf = inverse_frequencies(words)
        vectors = [vector(one, idf) for one in words]
        similarity = [[cosine(one, two) for two in vectors] for one in vectors]
        totals = [math.fsum(row) for row in similarity]
        index = {one.place: number for number, one in enumerate(candidates)}

        def value(chosen: Sequence[int]) -> float:
            covered = math.fsum(
                min(math.fsum(row[j] for j in chosen), self.alpha * total)
                for row, total in zip(similarity, totals, strict=True)
            )
            by_document: dict[str, float] = {}
            for j in chosen:
                name = candidates[j].place.document
                by_document[name] = by_document.get(name, 0.0) + totals[j] / len(candidates)
            return covered + self.reward * math.fsum(math.sqrt(sum_) for sum_ in by_document.values())

        def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
            chosen = [index[other.place] for other in taken]
            more = value([*chosen, index[one.place]]) - value(chosen)
            return more / math.pow(len(one.words), self.scale)

        return chronological(greedy(candidates, gain, limit=limit))
