"""Words for content: pronounceable pseudo-words, and the sentences that can express a unit.

A unit of content has four to six words of its own, in pairs that stay together as a noun and its name do, so that
bigrams follow content, too. A phrasing puts the pairs in one of two orders, some words replaced by their synonyms,
among function words of English, so that stop lists and stemmers find what they look for. All sentences are equally
long: how much a summary tells depends on what it chose, not on how it was put.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

PHRASINGS = 3
OWN_WORDS = (4, 5, 6)

_DETERMINERS = ("the", "a", "this", "some", "its", "that", "each", "their")
_SINGLES = ("of", "in", "for", "by", "with", "on", "from", "at", "was", "and", "the", "is", "to", "has", "as", "not")
_DOUBLES = (
    "of the",
    "in a",
    "was the",
    "and the",
    "for the",
    "by a",
    "has been",
    "to the",
    "from the",
    "is a",
    "with the",
    "at the",
    "on a",
    "as the",
    "was not",
    "had a",
)
_CHOICES = 16
"""Every list of function words divides this, so that one draw serves for all."""

# How many function words stand before each own word; never inside a pair. Together: SENTENCE_WORDS.
_PATTERNS: dict[int, tuple[tuple[int, ...], ...]] = {
    4: ((2, 0, 2, 0),),
    5: ((1, 0, 1, 0, 1), (2, 0, 1, 0, 0), (1, 0, 2, 0, 0), (1, 0, 0, 0, 2)),
    6: ((1, 0, 1, 0, 0, 0), (1, 0, 0, 0, 1, 0), (2, 0, 0, 0, 0, 0)),
}
_ORDERS = ((0, 1, 2, 3, 4, 5), (2, 3, 0, 1, 4, 5))

_ONSETS = "bdklmnrtvz"
_VOWELS = "aeiou"
# Last syllables that Porter's stemmer leaves alone, so that no two words fall together.
_LAST_VOWELS = "aou"
_CODAS = ("", "n", "m", "k")


@cache
def lexicon() -> tuple[str, ...]:
    """All pseudo-words: three syllables each, 300,000 of them."""
    syllables = [onset + vowel for onset, vowel in product(_ONSETS, _VOWELS)]
    last = [onset + vowel + coda for onset, vowel, coda in product(_ONSETS, _LAST_VOWELS, _CODAS)]
    return tuple(map("".join, product(syllables, syllables, last)))


def word_units(units: int, synonyms: float, rng: np.random.Generator) -> list[str]:
    """The sentences of a topic: phrasing p of unit u is the sentence u · PHRASINGS + p.

    Each unit has words that no other unit of the topic has; a phrasing replaces each of them by its synonym with
    probability `synonyms`.
    """
    words = lexicon()
    most = max(OWN_WORDS)
    choices = rng.choice(len(words), size=(units, most, 2), replace=False).tolist()
    sizes = rng.integers(len(OWN_WORDS), size=units).tolist()
    replaced = (rng.random((units, PHRASINGS, most)) < synonyms).tolist()
    # Index 0 chooses the pattern, 1 the order of the pairs, the others the function words before each own word.
    chosen = rng.integers(_CHOICES, size=(units, PHRASINGS, most + 2)).tolist()
    sentences: list[str] = []
    for unit in range(units):
        size = OWN_WORDS[sizes[unit]]
        for phrasing in range(PHRASINGS):
            draws = chosen[unit][phrasing]
            patterns = _PATTERNS[size]
            pattern, order = patterns[draws[0] % len(patterns)], _ORDERS[draws[1] % 2]
            pieces: list[str] = []
            for place, before in enumerate(pattern):
                if before:
                    pieces.append(_function_words(place, before, draws[place + 2]))
                word = order[place]
                pieces.append(words[choices[unit][word][replaced[unit][phrasing][word]]])
            sentence = " ".join(pieces)
            sentences.append(f"{sentence[0].upper()}{sentence[1:]}.")
    return sentences


def _function_words(place: int, count: int, draw: int) -> str:
    if place == 0:
        determiner = _DETERMINERS[draw % len(_DETERMINERS)]
        if count == 1:
            return determiner
        return f"{_SINGLES[draw % 8]} {determiner}"
    if count == 1:
        return _SINGLES[draw]
    return _DOUBLES[draw]
