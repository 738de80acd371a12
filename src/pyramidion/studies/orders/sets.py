"""The summaries that are studied: per topic, the models of a pyramid, each a peer of the pyramids without it."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Pyramid, TopicData, plain
from pyramidion.errors import UsageError
from pyramidion.pyramids.incidence import Incidence, subsets
from pyramidion.text.tokens import tokenise

FEWEST = 3
"""Summaries in a set: two to compare, and one to make a pyramid of."""


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
        for what, given in (("summarizers", summarizers), ("texts", texts)):
            if given is not None and len(given) != matrix.shape[1]:
                raise UsageError(f"found {len(given)} {what}; expected {matrix.shape[1]}, one for each column")
        return cls(topic=topic, incidence=incidence, tokens=None if texts is None else count_tokens(texts))

    @classmethod
    def of_pyramid(cls, pyramid: Pyramid, topic: TopicData, *, see: Mapping[str, float] | None = None) -> SummarySet:
        """The models of a pyramid, with their texts."""
        texts = {model.summarizer: plain(model.text) for model in topic.models}
        incidence = Incidence.of(pyramid, models_as_peers=pyramid.models)
        known = all(model in texts for model in incidence.models)
        return cls(
            topic=pyramid.topic,
            annotator=pyramid.annotator,
            incidence=incidence,
            tokens=count_tokens([texts[model] for model in incidence.models]) if known else None,
            see=see or {},
        )

    @property
    def summarizers(self) -> tuple[str, ...]:
        """Who wrote the summaries, in the order of the columns."""
        return self.incidence.models

    def __len__(self) -> int:
        return len(self.incidence.models)


def count_tokens(texts: Sequence[str]) -> Floats:
    """Texts × types: tokens as `rouge-1(stop=yes)` counts them, stems of words that are no stop words."""
    counted = [Counter(tokenise(text, stem=True, stop=True)) for text in texts]
    column = {token: index for index, token in enumerate(dict.fromkeys(token for one in counted for token in one))}
    counts = np.zeros((len(texts), len(column)))
    for row, one in enumerate(counted):
        for token, count in one.items():
            counts[row, column[token]] = count
    return counts


@dataclass(frozen=True, eq=False)
class Drawn:
    """Subsets of an order: all of them, or a sample."""

    masks: Bools
    exhaustive: bool


def draw_subsets(summaries: Sequence[int], order: int, *, width: int, limit: int, topic: str, seed: int) -> Drawn:
    """All subsets of an order of the given summaries; if there are more than `limit`, a sample of that many.

    Draws are uniform, with replacement, and depend on the seed, the topic and the order alone.
    """
    if comb(len(summaries), order) <= limit:
        left_out = set(range(width)) - set(summaries)
        return Drawn(subsets(width, order, without=left_out), exhaustive=True)
    generator = generator_for(topic, order, seed=seed)
    places = np.argsort(generator.random((limit, len(summaries))), axis=1)[:, :order]
    masks = np.zeros((limit, width), dtype=np.bool_)
    masks[np.arange(limit)[:, None], np.asarray(summaries)[places]] = True
    return Drawn(masks, exhaustive=False)


def generator_for(topic: str, *numbers: int, seed: int) -> np.random.Generator:
    """A generator of the topic's own, the same in any order of topics."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode()), *numbers])
