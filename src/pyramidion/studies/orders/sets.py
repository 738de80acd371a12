"""The summaries that are studied, and their scores by every pyramid of the others, order by order.

A set holds the models of a topic's pyramid; each is a peer of the pyramids without it.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import Pyramid, TopicData, plain
from pyramidion.errors import UsageError, check_known
from pyramidion.options import PyramidScoreName
from pyramidion.pyramids.incidence import Incidence, subsets
from pyramidion.pyramids.scores import score_subsets
from pyramidion.text.tokens import tokenise

FEWEST = 3
"""Summaries in a set: two to compare, and one to make a pyramid of."""
DECIMALS = 9
"""Differences are rounded to this many decimals before they are compared with a threshold."""
BLOCK_CELLS = 4_000_000
"""Subsets × pairs that are compared at a time: memory stays bounded, whatever the number of summaries."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SummarySet:
    """The summaries of one topic and the SCUs that they share."""

    topic: str
    incidence: Incidence
    annotator: str = ""
    tokens: Floats | None = None
    """Summaries × types: how often a summary has a token, for unigram overlap; None where there are no texts."""
    see: Mapping[str, float] = field(default_factory=dict)
    """SEE coverage by summarizer, where it was judged."""

    @classmethod
    def of(
        cls,
        contributes: ArrayLike,
        *,
        topic: str = "",
        summarizers: Sequence[str] | None = None,
        texts: Sequence[str] | None = None,
    ) -> SummarySet:
        """A set from a plain matrix: SCUs × summaries, whether the summary expresses the SCU.

        Args:
            contributes: the matrix, of anything that is true or false.
            topic: its name, on which random draws depend.
            summarizers: names of the columns; by default 1, 2, ….
            texts: of the summaries, for unigram overlap.
        """
        matrix = np.asarray(contributes, dtype=np.bool_)
        if matrix.ndim != 2:
            raise UsageError(f"found an array of {matrix.ndim} dimensions; expected a matrix, SCUs × summaries")
        incidence = Incidence.among_models(matrix, summarizers)
        for what, names in (("summarizers", summarizers), ("texts", texts)):
            if names is not None and len(names) != matrix.shape[1]:
                raise UsageError(f"found {len(names)} {what}; expected {matrix.shape[1]}, one for each column")
        return cls(topic=topic, incidence=incidence, tokens=None if texts is None else count_tokens(texts))

    @classmethod
    def of_pyramid(cls, pyramid: Pyramid, topic: TopicData, *, see: Mapping[str, float] | None = None) -> SummarySet:
        """The models of a pyramid, with their texts."""
        texts = {model.summarizer: plain(model.text) for model in topic.models}
        incidence = Incidence.of(pyramid, models_as_peers=pyramid.models)
        tokens = None
        if all(model in texts for model in incidence.models):
            tokens = count_tokens([texts[model] for model in incidence.models])
        return cls(
            topic=pyramid.topic,
            annotator=pyramid.annotator,
            incidence=incidence,
            tokens=tokens,
            see=see or {},
        )

    @property
    def summarizers(self) -> tuple[str, ...]:
        """Who wrote the summaries, in the order of the columns."""
        return self.incidence.models

    def column_of(self, summarizer: str) -> int:
        """The column of a summarizer, or an error that lists those that exist."""
        check_known(summarizer, self.summarizers, f"topic {self.topic!r} has no model by {summarizer!r}")
        return self.summarizers.index(summarizer)

    def __len__(self) -> int:
        return len(self.incidence.models)


def count_tokens(texts: Sequence[str]) -> Floats:
    """Texts × types: tokens as `rouge-1(stop=yes)` counts them, stems of words that are no stop words."""
    counters = [Counter(tokenise(text, stem=True, stop=True)) for text in texts]
    types = dict.fromkeys(token for counter in counters for token in counter)
    column = {token: index for index, token in enumerate(types)}
    counts = np.zeros((len(texts), len(column)))
    for row, counter in enumerate(counters):
        for token, count in counter.items():
            counts[row, column[token]] = count
    return counts


@dataclass(frozen=True, eq=False)
class Subsets:
    """Subsets of an order: all of them, or a sample."""

    masks: Bools
    """Subsets × summaries: whether the summary is in it."""
    exhaustive: bool


def draw_subsets(summaries: Sequence[int], order: int, *, width: int, limit: int, topic: str, seed: int) -> Subsets:
    """All subsets of an order of the given summaries; if there are more than `limit`, a sample of that many.

    Draws are uniform, with replacement, and depend on the seed, the topic and the order alone.
    """
    if comb(len(summaries), order) <= limit:
        left_out = set(range(width)) - set(summaries)
        return Subsets(subsets(width, order, without=left_out), exhaustive=True)
    generator = generator_for(topic, order, seed=seed)
    # The first of a random order are a random subset, for all draws at once.
    places = np.argsort(generator.random((limit, len(summaries))), axis=1)[:, :order]
    masks = np.zeros((limit, width), dtype=np.bool_)
    masks[np.arange(limit)[:, None], np.asarray(summaries)[places]] = True
    return Subsets(masks, exhaustive=False)


def generator_for(topic: str, *numbers: int, seed: int) -> np.random.Generator:
    """A generator of the topic's own, the same in any order of topics."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode()), *numbers])


@dataclass(frozen=True, eq=False)
class OrderScores:
    """Scores by pyramids of one order."""

    order: int
    values: Floats
    """Subsets × summaries; NaN where the summary is in the pyramid: a pyramid never scores its own models."""
    exhaustive: bool
    """Whether all subsets of this order were taken."""


def scores_by_order(
    summaries: SummarySet, *, score: PyramidScoreName = "original", limit: int = 20_000, seed: int = 0
) -> tuple[OrderScores, ...]:
    """Scores by the pyramids of orders 1 … N − 1 (at N − 1, leave-one-out), for a set of N summaries."""
    size = len(summaries)
    scores = []
    for order in range(1, size):
        # All other orders are compared with it.
        most = limit if order < size - 1 else size  # leave-one-out is never a sample
        drawn = draw_subsets(range(size), order, width=size, limit=most, topic=summaries.topic, seed=seed)
        scores.append(OrderScores(order, pyramid_scores(summaries, drawn, score), drawn.exhaustive))
    return tuple(scores)


def pyramid_scores(summaries: SummarySet, drawn: Subsets, score: PyramidScoreName) -> Floats:
    """Subsets × summaries; NaN where the summary is in the pyramid."""
    # Models in the pyramid are masked below, so that nothing has to be taken out of it first.
    scores = score_subsets(summaries.incidence, drawn.masks, include_self=True)
    values: Floats = getattr(scores, score)
    return np.where(drawn.masks, np.nan, values)


def leave_one_out(summaries: SummarySet, score: PyramidScoreName = "original") -> Floats:
    """Each summary by the pyramid of all others: what the paper treats as reliable (order 9 of ten)."""
    masks = ~np.eye(len(summaries), dtype=np.bool_)
    values: Floats = np.diagonal(pyramid_scores(summaries, Subsets(masks, exhaustive=True), score)).copy()
    return values


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of summaries of a set, and how their scores differ by the pyramid of all others."""

    first: Integers
    second: Integers
    difference: Floats
    """First − second at order N − 1, rounded."""

    @classmethod
    def of(cls, scores: tuple[OrderScores, ...]) -> Pairs:
        """The pairs of the scored summaries."""
        # nanmax of one value is that value; the others are NaN, because the summary is in the pyramid.
        reliable = np.nanmax(scores[-1].values, axis=0)  # one pyramid has a value for each
        first, second = np.triu_indices(len(reliable), k=1)
        return cls(first, second, np.round(reliable[first] - reliable[second], DECIMALS))

    def differences(self, scores: OrderScores) -> Iterator[Floats]:
        """First − second by each pyramid that contains neither, rounded; NaN if it contains one.

        Subsets × pairs, some subsets at a time.
        """
        for values in split_blocks(scores.values, len(self.first)):
            yield np.round(values[:, self.first] - values[:, self.second], DECIMALS)


def split_blocks(values: Floats, pairs: int) -> Iterator[Floats]:
    """Some rows at a time: with this number of pairs they have at most `BLOCK_CELLS` cells."""
    rows = max(1, BLOCK_CELLS // max(pairs, 1))
    return (values[start : start + rows] for start in range(0, len(values), rows))
