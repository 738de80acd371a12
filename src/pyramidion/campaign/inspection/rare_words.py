"""Words that few topics have, and which topics these are: what tells the topic of a text."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pyramidion.arrays import Integers

RARE = 12
"""Words that occur in more topics than this say little about the topic; so the work stays linear."""


@dataclass(frozen=True, eq=False)
class RareWords:
    """The topics of each rare word, one word after the other.

    Words are their hashes, in order: millions of texts are looked up by sorting, where a dictionary of strings would
    leave the processor's cache for each word. That two words have the same 64 bits does not happen in any language.
    """

    names: Sequence[str]
    """Of all topics."""
    words: Integers
    starts: Integers
    """By word, where its topics begin; one more than there are words."""
    topics: Integers

    @classmethod
    def of(cls, spoken: Mapping[str, Collection[str]]) -> RareWords:
        """From the words of each topic."""
        words = _hashes(spoken.values())
        topics = np.repeat(np.arange(len(spoken)), [len(text) for text in spoken.values()])
        order = np.argsort(words, kind="stable")
        distinct, counts = np.unique(words[order], return_counts=True)
        rare = counts <= min(RARE, len(spoken) / 2)
        starts = np.concatenate([[0], np.cumsum(counts[rare])])
        return cls(list(spoken), distinct[rare], starts, topics[order[np.repeat(rare, counts)]])

    def topics_of(self, word: str) -> list[str]:
        """The topics of a word; none if it is not rare."""
        place = int(np.searchsorted(self.words, hash(word)))
        if place == len(self.words) or self.words[place] != hash(word):
            return []
        return [self.names[topic] for topic in self.topics[self.starts[place] : self.starts[place + 1]]]

    def votes(self, words: Iterable[str]) -> dict[str, float]:
        """By topic, how strongly the words speak for it: each by the logarithm of how few topics have it."""
        votes: dict[str, float] = defaultdict(float)
        for word in words:
            topics = self.topics_of(word)
            for topic in topics:
                votes[topic] += math.log(len(self.names) / len(topics))
        return votes

    def most_shared(self, texts: Sequence[Collection[str]]) -> Integers:
        """For each text, the largest number of its words that one topic has."""
        most = np.zeros(len(texts), dtype=np.int64)
        if not len(self.words):
            return most
        words, text = _hashes(texts), np.repeat(np.arange(len(texts)), list(map(len, texts)))
        order = np.argsort(words)
        places = np.minimum(np.searchsorted(self.words, words[order]), len(self.words) - 1)
        is_rare = self.words[places] == words[order]
        places, text = places[is_rare], text[order[is_rare]]
        first, counts = self.starts[places], self.starts[places + 1] - self.starts[places]
        before = np.cumsum(counts) - counts
        topics = self.topics[np.repeat(first - before, counts) + np.arange(counts.sum())]
        pairs, times = np.unique(np.repeat(text, counts) * len(self.names) + topics, return_counts=True)
        np.maximum.at(most, pairs // len(self.names), times)
        return most


def _hashes(texts: Iterable[Collection[str]]) -> Integers:
    return np.fromiter(map(hash, chain.from_iterable(texts)), dtype=np.int64)
