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
    """The topics of each rare word, one word after the other."""

    names: Sequence[str]
    """Of all topics."""
    numbers: Mapping[str, int]
    """Of all words; those that are not rare have no topics."""
    starts: Integers
    """By word, where its topics begin; one more than there are words."""
    topics: Integers

    @classmethod
    def of(cls, spoken: Mapping[str, Collection[str]]) -> RareWords:
        """From the words of each topic."""
        numbers: dict[str, int] = {}
        words = np.fromiter(
            (numbers.setdefault(word, len(numbers)) for text in spoken.values() for word in text), dtype=np.int64
        )
        topics = np.repeat(np.arange(len(spoken)), [len(text) for text in spoken.values()])
        counts = np.bincount(words, minlength=len(numbers))
        rare = counts <= min(RARE, len(spoken) / 2)
        kept = np.nonzero(rare[words])[0]
        starts = np.concatenate([[0], np.cumsum(np.where(rare, counts, 0))])
        return cls(list(spoken), numbers, starts, topics[kept[np.argsort(words[kept], kind="stable")]])

    def numbered(self, words: Iterable[str]) -> list[int]:
        """The numbers of the words that any topic has."""
        return [self.numbers[word] for word in words if word in self.numbers]

    def topics_of(self, word: int) -> list[str]:
        """The topics of a word; none if it is not rare."""
        return [self.names[topic] for topic in self.topics[self.starts[word] : self.starts[word + 1]]]

    def votes(self, words: Iterable[int]) -> dict[str, float]:
        """By topic, how strongly the words speak for it: each by the logarithm of how few topics have it."""
        votes: dict[str, float] = defaultdict(float)
        for word in words:
            topics = self.topics_of(word)
            for topic in topics:
                votes[topic] += math.log(len(self.names) / len(topics))
        return votes

    def most_shared(self, texts: Sequence[Sequence[int]]) -> Integers:
        """For each text, the largest number of its words that one topic has."""
        words = np.fromiter(chain.from_iterable(texts), dtype=np.int64)
        first, counts = self.starts[words], self.starts[words + 1] - self.starts[words]
        before = np.cumsum(counts) - counts
        topics = self.topics[np.repeat(first - before, counts) + np.arange(counts.sum())]
        text = np.repeat(np.repeat(np.arange(len(texts)), [len(one) for one in texts]), counts)
        pairs, times = np.unique(text * len(self.names) + topics, return_counts=True)
        most = np.zeros(len(texts), dtype=np.int64)
        np.maximum.at(most, pairs // len(self.names), times)
        return most
