"""The model-free measures in plain Python, written from their formulas: slow and obvious.

What a careful user would write: standard containers, NLTK's Porter stemmer with a memory of stems, and the input
counted once for all its summaries. Tests hold the kernels against it, benchmarks time it. Nothing is shared with the
package.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from nltk.stem.porter import PorterStemmer

FEATURES = (
    "kl-input-summary",
    "kl-summary-input",
    "js",
    "js-smoothed",
    "cosine",
    "topic-share",
    "topic-coverage",
    "topic-cosine",
    "unigram-probability",
    "multinomial-probability",
)


@dataclass(frozen=True)
class Settings:
    """Where the presets differ; a base of None is the natural logarithm."""

    smoothing: float
    base: float | None
    cutoff: float
    cutoff_base: float | None
    over_only: bool


PAPER = Settings(0.0005, 2, 10.83, None, over_only=True)
SIMETRIX = Settings(0.005, None, 10.0, 10, over_only=False)


@dataclass
class Reader:
    """From a text to the words that are counted."""

    stop: frozenset[str] = frozenset()
    stem: bool = True
    ngram: int = 1
    known: dict[str, str] = field(default_factory=dict)
    stemmer: PorterStemmer = field(default_factory=lambda: PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS))

    def words(self, text: str) -> list[str]:
        words = re.sub("[^A-Za-z0-9 ]", " ", text).lower().split()
        kept = [self._stem(word) for word in words if word not in self.stop]
        return kept if self.ngram == 1 else [" ".join(pair) for pair in pairwise(kept)]

    def _stem(self, word: str) -> str:
        if not self.stem:
            return word
        if word not in self.known:
            self.known[word] = self.stemmer.stem(word, to_lowercase=False)
        return self.known[word]


@dataclass(frozen=True)
class Background:
    """Counts of a large collection, and the idf of its words; unseen ones have the idf of one document in all."""

    counts: Mapping[str, float]
    idf: Mapping[str, float]
    unseen: float

    @cached_property
    def size(self) -> float:
        return sum(self.counts.values())

    def weight(self, word: str) -> float:
        return self.idf.get(word, self.unseen)


@dataclass
class Input:
    """The documents of a topic, counted once."""

    documents: Iterable[str]
    reader: Reader
    background: Background
    settings: Settings

    def __post_init__(self) -> None:
        self.counts = Counter(word for document in self.documents for word in self.reader.words(document))
        self.size = sum(self.counts.values())
        self.signatures = self._signatures()

    def _signatures(self) -> dict[str, float]:
        found = {}
        total = self.background.size
        for word, count in self.counts.items():
            before = self.background.counts.get(word, 0)
            statistic = likelihood_ratio(count, self.size, before, total)
            if self.settings.cutoff_base:
                statistic /= math.log(self.settings.cutoff_base)
            over = count / self.size > before / total if total else True
            if statistic > self.settings.cutoff and (over or not self.settings.over_only):
                found[word] = statistic
        return found

    def features(self, summary: str) -> list[float]:
        """All ten, in the order of `FEATURES`."""
        words = self.reader.words(summary)
        counts = Counter(words)
        vocabulary = set(self.counts) | set(counts)
        p, q = self._smoothed(self.counts, vocabulary), self._smoothed(counts, vocabulary)
        raw_p, raw_q = self._raw(self.counts, vocabulary), self._raw(counts, vocabulary)
        topic = {word: count for word, count in self.counts.items() if word in self.signatures}
        return [
            self._kl(p, q),
            self._kl(q, p),
            self._js(raw_p, raw_q),
            self._js(p, q),
            self._cosine(self.counts, counts),
            sum(word in self.signatures for word in words) / len(words) if words else 0.0,
            len(set(topic) & set(counts)) / len(topic) if topic else math.nan,
            self._cosine(topic, counts) if topic else math.nan,
            self._unigram(counts),
            self._multinomial(counts),
        ]

    def _smoothed(self, counts: Mapping[str, int], vocabulary: Iterable[str]) -> dict[str, float]:
        delta = self.settings.smoothing
        total = sum(counts.values()) + delta * 1.5 * len(self.counts)
        return {word: (counts.get(word, 0) + delta) / total for word in vocabulary}

    def _raw(self, counts: Mapping[str, int], vocabulary: Iterable[str]) -> dict[str, float]:
        total = sum(counts.values())
        return {word: counts.get(word, 0) / total if total else 0.0 for word in vocabulary}

    def _log(self, number: float) -> float:
        return math.log(number) if self.settings.base is None else math.log(number, self.settings.base)

    def _kl(self, p: Mapping[str, float], q: Mapping[str, float]) -> float:
        return sum(p[word] * self._log(p[word] / q[word]) for word in p if p[word])

    def _js(self, p: Mapping[str, float], q: Mapping[str, float]) -> float:
        middle = {word: (p[word] + q[word]) / 2 for word in p}
        return (self._kl(p, middle) + self._kl(q, middle)) / 2

    def _cosine(self, a: Mapping[str, int], b: Mapping[str, int]) -> float:
        first = {word: count * self.background.weight(word) for word, count in a.items()}
        second = {word: count * self.background.weight(word) for word, count in b.items()}
        dot = sum(weight * second[word] for word, weight in first.items() if word in second)
        norms = math.hypot(*first.values()), math.hypot(*second.values())
        if not norms[0]:
            return math.nan  # an input whose words weigh nothing can't be compared
        return dot / (norms[0] * norms[1]) if norms[1] else 0.0

    def _unigram(self, counts: Mapping[str, int]) -> float:
        known = {word: count for word, count in counts.items() if word in self.counts}
        return sum(count * math.log10(self.counts[word] / self.size) for word, count in known.items())

    def _multinomial(self, counts: Mapping[str, int]) -> float:
        ways = log10_factorial(sum(counts.values()))
        ways -= sum(map(log10_factorial, counts.values()))
        return ways + self._unigram(counts)


def log10_factorial(number: int) -> float:
    return math.lgamma(number + 1) / math.log(10)


def likelihood_ratio(k1: float, n1: float, k2: float, n2: float) -> float:
    """−2 log λ (natural) that a word is as likely in the input as in the background (Dunning 1993)."""

    def log_likelihood(k: float, n: float, p: float) -> float:
        return (k * math.log(p) if k else 0.0) + ((n - k) * math.log(1 - p) if n - k else 0.0)

    together = (k1 + k2) / (n1 + n2)
    apart = log_likelihood(k1, n1, k1 / n1) + (log_likelihood(k2, n2, k2 / n2) if n2 else 0.0)
    return 2 * (apart - log_likelihood(k1, n1, together) - log_likelihood(k2, n2, together))


def all_features(inputs: Iterable[tuple[Input, Sequence[str]]]) -> list[list[float]]:
    """The features of all summaries of all inputs."""
    return [one.features(summary) for one, summaries in inputs for summary in summaries]
