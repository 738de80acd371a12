"""Content words, counts and cosines: the little linguistics that the summarizers and the judgments need."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from pyramidion.text.tokens import tokenise
from tools.demo_campaign.summarizers.base import Candidate

_FUNCTION_WORDS = """
    a an the this that these those of in on at by for from to with into over under between through during
    after before and or but nor so as than then is are was were be been being has have had do does did will
    would can could may might must shall should it its he she they them his her their him who whom whose which
    what when where while there here also such any some each both own about against up down out off again
    further once only very just because until if how all more most other same too we us our you your i me my
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that carry grammar rather than content; negations and numbers are not among them."""


@lru_cache(maxsize=8192)
def content_words(text: str) -> tuple[str, ...]:
    """Stems of the content words in text order, repeated as often as they occur; stop words are dropped."""
    return tuple(tokenise(text, tokens="rouge155", stem=True, stop=True))


def counts(sentences: Iterable[Candidate]) -> Counter[str]:
    """Content words of some sentences, counted."""
    return Counter(word for sentence in sentences for word in content_words(sentence.text))


def inverse_frequencies(units: Sequence[Iterable[str]]) -> dict[str, float]:
    """idf(w) = log(N / n_w) + 1 over N sets of words, n_w of which hold w."""
    held = Counter(word for unit in units for word in sorted(set(unit)))
    return {word: math.log(len(units) / number) + 1.0 for word, number in held.items()}


def vector(words: Iterable[str], idf: Mapping[str, float] | None = None) -> dict[str, float]:
    """Counts of words, times idf where it is given (1 for an unknown word)."""
    return {word: number * (idf.get(word, 1.0) if idf else 1.0) for word, number in Counter(words).items()}


def cosine(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    """Cosine of two sparse vectors; 0 when one is empty."""
    dot = math.fsum(value * two[word] for word, value in one.items() if word in two)
    if dot == 0:
        return 0.0
    return dot / math.sqrt(math.fsum(v * v for v in one.values()) * math.fsum(v * v for v in two.values()))


def overlap(one: str, two: str) -> float:
    """Shared content words over those of the text that has fewer; 0 when one has none."""
    first, second = set(content_words(one)), set(content_words(two))
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def repeats(ceiling: float) -> Callable[[Candidate, Sequence[Candidate]], bool]:
    """Redundancy control for `fill`: refuse what overlaps with a taken sentence by more than the ceiling."""

    def refuse(candidate: Candidate, taken: Sequence[Candidate]) -> bool:
        return any(overlap(candidate.text, other.text) > ceiling for other in taken)

    return refuse
