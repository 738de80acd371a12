"""Summarizers that count words."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from tools.demo_campaign.summarizers.base import (
    Candidate,
    Piece,
    Task,
    as_taken,
    chronological,
    fill,
    ranked,
)
from tools.demo_campaign.summarizers.words import content_words, counts, repeats


@dataclass(frozen=True)
class SumBasic:
    """SumBasic (Nenkova & Vanderwende 2005, *The impact of frequency on summarization*).

    The sentence of the highest mean word probability among those with the most probable word; then the
    probability of each word that it has is squared, so that the next sentence says something else.
    """

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        number = counts(task.candidates)
        total = number.total()
        probability = {word: count / total for word, count in number.items()}
        taken: list[Candidate] = []
        left = [one for one in task.candidates if content_words(one.text)]
        while left := [one for one in left if len(one.words) <= limit]:
            open_words = {word for one in left for word in content_words(one.text)}
            top = max(sorted(open_words), key=lambda word: probability[word])
            having = [one for one in left if top in content_words(one.text)]
            means = [
                math.fsum(probability[word] for word in content_words(one.text)) / len(content_words(one.text))
                for one in having
            ]
            choice = ranked(having, means)[0]
            taken.append(choice)
            left.remove(choice)
            limit -= len(choice.words)
            for word in sorted(set(content_words(choice.text))):
                probability[word] **= 2
        return as_taken(taken)


@dataclass(frozen=True)
class PositionFrequency:
    """Word frequency weighted by position: a word counts more where it occurs early in its document.

    score(s) = Σ_w f(w) / |s|, f(w) = Σ over occurrences of 1 / (1 + sentence index); a near repeat is
    refused.
    After Luhn 1958, *The automatic creation of literature abstracts*, and the position-weighted counts of
    Yih, Goodman, Vanderwende & Suzuki 2007, *Multi-document summarization by maximizing informative
    content-words*.
    """

    ceiling: float = 0.5

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        weight: defaultdict[str, float] = defaultdict(float)
        for one in task.candidates:
            for word in content_words(one.text):
                weight[word] += 1 / (1 + one.place.index)
        scores = [
            math.fsum(weight[word] for word in sorted(set(content_words(one.text)))) / len(one.words)
            for one in task.candidates
        ]
        order = ranked(task.candidates, scores)
        return chronological(fill(order, limit=limit, refuse=repeats(self.ceiling)))


@dataclass(frozen=True)
class TopicSignature:
    """Topic signatures (Lin & Hovy 2000, *The automated acquisition of topic signatures*).

    Words that are more frequent in the topic than elsewhere with -2 log λ > 10.83 (p < .001, Dunning 1993)
    are its signature; a sentence scores their share among its content words (Conroy, Schlesinger & O'Leary
    2006).
    """

    cutoff: float = 10.83
    ceiling: float = 0.5

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        here = counts(task.candidates)
        there = counts(sentence for document in task.elsewhere for sentence in document.sentences)
        signature = {
            word
            for word, count in here.items()
            if log_likelihood_ratio(count, here.total(), there[word], there.total()) > self.cutoff
        }
        scores = []
        for one in task.candidates:
            words = set(content_words(one.text))
            scores.append(len(words & signature) / len(words) if words else 0.0)
        order = ranked(task.candidates, scores)
        return chronological(fill(order, limit=limit, refuse=repeats(self.ceiling)))


def log_likelihood_ratio(k1: int, n1: int, k2: int, n2: int) -> float:
    """Return -2 log λ for k1 of n1 against k2 of n2; 0 when the word is not more frequent in the first."""
    if not n1 or not n2 or k1 / n1 <= k2 / n2:
        return 0.0

    def log_likelihood(k: int, n: int, p: float) -> float:
        return (k * math.log(p) if k else 0.0) + ((n - k) * math.log(1 - p) if n > k else 0.0)

    pooled = (k1 + k2) / (n1 + n2)
    apart = log_likelihood(k1, n1, k1 / n1) + log_likelihood(k2, n2, k2 / n2)
    return 2 * (apart - log_likelihood(k1, n1, pooled) - log_likelihood(k2, n2, pooled))
