"""A summarizer for update parts: what is new against the background."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, chronological, greedy
from tools.demo_campaign.summarizers.words import content_words, counts


@dataclass(frozen=True)
class NewWords:
    """Frequent words that the background does not have.

    After the "new words" measure of Allan, Wade & Bolivar 2003, *Retrieval and novelty detection at the
    sentence level*. A word weighs its share in the documents, divided by 1 + `discount` × its count in the
    background; a sentence gains the weight of the words that the summary does not have yet, per √length.
    Without background this is plain word coverage.
    """

    discount: float = 0.5

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        here = counts(task.candidates)
        known = counts(sentence for document in task.background for sentence in document.sentences)
        total = here.total()
        weight = {word: n / total / (1 + self.discount * known[word]) for word, n in here.items() if n > 1}

        def gain(one: Candidate, taken: Sequence[Candidate]) -> float:
            had = {word for other in taken for word in content_words(other.text)}
            new = sorted(set(content_words(one.text)) - had)
            return math.fsum(weight.get(word, 0.0) for word in new) / math.sqrt(len(one.words))

        return chronological(greedy(task.candidates, gain, limit=limit))
