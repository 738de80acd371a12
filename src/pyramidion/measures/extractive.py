"""Extractive measures: how much of a summary was copied from its input, how much is new, how much is repeated.

They describe a summary rather than judge it: coverage, density and compression (Grusky, Naaman and Artzi 2018), novel
and repeated n-grams, length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Literal, Self

import numpy as np

from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.measures.base import ONE_VALUE, FeatureMeasure, Need, check_named, option
from pyramidion.scores import Evidence, FixedEvidence
from pyramidion.text.tokens import UNICODE_VERSION, tokenise

TokensOption = Literal["unicode", "rouge155", "blanks"] | Callable[[str], Sequence[str]]
"""A tokenizer by name, or, from Python, a function from a text to its tokens."""
Tokens = Sequence[str]


@dataclass(frozen=True, kw_only=True)
class _TokenMeasure(FeatureMeasure):
    """What the extractive measures share: tokens of a summary and of the documents of its topic."""

    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    tokens: TokensOption = option(
        "unicode", "unicode: words of every script; rouge155: as ROUGE-1.5.5; blanks: split at white space"
    )

    WITHOUT_INPUT: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_named(self.base, "tokenizer", self.tokens)

    @property
    def required(self) -> frozenset[Need]:
        """Documents, unless only the summary counts."""
        if self.feature in self.WITHOUT_INPUT:
            return frozenset()
        return self.needs

    def facts(self, *, seed: int) -> Mapping[str, str]:
        """Which Unicode tables the tokens come from."""
        unicode = {"unicode": UNICODE_VERSION} if self.tokens == "unicode" else {}
        return {**super().facts(seed=seed), **unicode}

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """Each text is tokenised once for all measures that tokenise it in the same way."""
        evidence: list[list[Evidence | None]] = [[] for _ in measures]
        tokenizers = {measure.tokens for measure in measures}
        for topic in topics:
            tokens = {tokenizer: _TopicTokens(topic, tokenizer) for tokenizer in tokenizers}
            for measure, by_topic in zip(measures, evidence, strict=True):
                by_topic.append(measure._on(tokens[measure.tokens]))
        return list(evidence)

    def _on(self, read: _TopicTokens) -> Evidence | None:
        """Values on one topic; None if it lacks documents."""
        # Documents without any token count as none: everything in a summary would be new.
        lacks_documents = bool(self.required) and not any(read.documents)
        if lacks_documents or not read.topic.peers:
            return None
        return FixedEvidence(
            peers=tuple(peer.summarizer for peer in read.topic.peers),
            statistics=ONE_VALUE,
            scores=np.array([[self.value(summary, read)] for summary in read.summaries]),
        )

    def value(self, summary: Tokens, read: _TopicTokens) -> float:
        """The value of one summary; NaN where it is not defined."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Extractive(_TokenMeasure):
    """How much of a summary was copied from its input (coverage, density), its compression, its length in words."""

    base_names: ClassVar[tuple[str, ...]] = ("coverage", "density", "compression", "length")
    WITHOUT_INPUT: ClassVar[frozenset[str]] = frozenset({"length"})

    @property
    def higher_is_better(self) -> bool | None:
        """None: a long summary, or one that copies much, is neither better nor worse."""
        return None

    def value(self, summary: Tokens, read: _TopicTokens) -> float:
        """With fragments F of the summary S and the input A (Grusky et al. 2018, §4).

        coverage = Σ|f| / |S|, density = Σ|f|² / |S|, compression = |A| / |S|. Nothing is defined on an empty summary
        but its length.
        """
        if self.feature == "length":
            return float(len(summary))
        if not summary:
            return np.nan
        if self.feature == "compression":
            return sum(map(len, read.documents)) / len(summary)
        lengths = read.fragments(tuple(summary))
        if self.feature == "density":
            return sum(length * length for length in lengths) / len(summary)
        return sum(lengths) / len(summary)


MOST_WORDS = 100
"""Words of an n-gram: every n-gram of a document is kept, and those of a thousand words would fill the memory."""


@dataclass(frozen=True, kw_only=True)
class NgramShare(_TokenMeasure):
    """The share of a summary's n-grams that its input lacks (novelty), or that it repeats (redundancy)."""

    base_names: ClassVar[tuple[str, ...]] = ("novelty", "redundancy")
    WITHOUT_INPUT: ClassVar[frozenset[str]] = frozenset({"redundancy"})

    n: int = option(2, "length of the n-grams", least=1, most=MOST_WORDS)

    @property
    def higher_is_better(self) -> bool | None:
        """Repetition is a defect; new words are neither good nor bad."""
        if self.feature == "redundancy":
            return False
        return None

    def value(self, summary: Tokens, read: _TopicTokens) -> float:
        """Shares of the distinct n-grams of the summary; a summary of fewer than n words has none (NaN)."""
        counts = Counter(_ngrams(summary, self.n))
        if not counts:
            return np.nan
        if self.feature == "novelty":
            return sum(ngram not in read.ngrams(self.n) for ngram in counts) / len(counts)
        return sum(count > 1 for count in counts.values()) / len(counts)


def _ngrams(tokens: Tokens, n: int) -> Iterator[tuple[str, ...]]:
    """The n-grams of a text in order, repeated ones included."""
    # Not strict: the shortest slice ends the n-grams.
    return zip(*(tokens[start:] for start in range(n)), strict=False)


class _TopicTokens:
    """The tokens of a topic, and what is looked up in its documents; made when first needed."""

    def __init__(self, topic: TopicData, tokens: TokensOption) -> None:
        self.topic = topic
        self._tokens = tokens
        # A cache of the instance, not of the class: it goes with the topic.
        self.ngrams: Callable[[int], set[tuple[str, ...]]] = cache(self._find_ngrams)
        self.fragments: Callable[[tuple[str, ...]], list[int]] = cache(self._find_fragments)

    @cached_property
    def summaries(self) -> list[Tokens]:
        """The tokens of each peer of the topic."""
        return [_tokens(peer.text, self._tokens) for peer in self.topic.peers]

    @cached_property
    def documents(self) -> list[Tokens]:
        """The tokens of each source document."""
        return [_tokens(document.text, self._tokens) for document in self.topic.topic.documents]

    def _find_ngrams(self, n: int) -> set[tuple[str, ...]]:
        """The n-grams of the documents; none crosses from one document to the next."""
        ngrams: set[tuple[str, ...]] = set()
        for document in self.documents:
            ngrams.update(_ngrams(document, n))
        return ngrams

    def _find_fragments(self, summary: tuple[str, ...]) -> list[int]:
        """The lengths of a summary's extractive fragments."""
        return fragment_lengths(summary, self._source)

    @cached_property
    def _source(self) -> InputIndex:
        """Where the words of the documents stand."""
        return InputIndex(self.documents)


class InputIndex:
    """An input as one sequence of tokens, with an index of where words and pairs of words stand."""

    def __init__(self, documents: Sequence[Tokens]) -> None:
        self.tokens: list[str | None] = []
        for document in documents:
            self.tokens += [*document, None]  # what no word equals, so that nothing crosses into the next document
        self.words: frozenset[str | None] = frozenset(self.tokens)
        pairs: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
        for start, pair in enumerate(zip(self.tokens, self.tokens[1:], strict=False)):
            pairs[pair].append(start)
        self.pairs: dict[tuple[str | None, str | None], list[int]] = dict(pairs)


def fragment_lengths(summary: Sequence[str], source: InputIndex) -> list[int]:
    """The greedy fragments of a summary in its source (Grusky et al. 2018, Figure 3), as lengths.

    From each place of the summary the longest match is taken, and the next place is behind it. As in the paper's
    procedure, the search goes on behind a match, not inside it. Matches of one word never decide where the search goes
    on, so that only places where two words fit are looked at: this makes it fast.
    """
    lengths: list[int] = []
    tokens = source.tokens
    start, end = 0, len(summary)
    while start < end:
        longest = int(summary[start] in source.words)
        behind = 0
        places: Sequence[int] = ()
        # The last word has no pair, and matches alone or not at all.
        if start + 1 < end:
            places = source.pairs.get((summary[start], summary[start + 1]), ())
        for place in places:
            if place < behind:
                continue
            length = 2
            # tokens ends in None, which no word equals: the index never runs past it.
            while start + length < end and tokens[place + length] == summary[start + length]:
                length += 1
            behind = place + length
            longest = max(longest, length)
        if longest:
            lengths.append(longest)
        start += max(longest, 1)
    return lengths


def _tokens(text: Text, tokens: TokensOption) -> Tokens:
    """The tokens of a text in lower case."""
    if tokens == "blanks":
        return plain(text).lower().split()
    return tokenise(text, tokens=tokens)
