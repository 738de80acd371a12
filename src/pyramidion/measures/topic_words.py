"""Topic signatures: the words that a text has far more often than a background (Lin and Hovy 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pyramidion.measures.backgrounds import SMART, WORDFREQ
from pyramidion.measures.model_free import ModelFree, Preset
from pyramidion.text.inputs import Scripts, contrast_words


@dataclass(frozen=True, slots=True)
class TopicWord:
    """A word of the topic signature."""

    word: str
    """The stem (if stems are taken), or the pair of words."""
    statistic: float
    """−2 log λ in natural logarithms."""
    count: int
    """In the texts."""
    background: float
    """In the background."""


def topic_signatures(
    texts: str | Sequence[str | Sequence[str]],
    *,
    preset: Preset = "paper",
    background: str = WORDFREQ,
    stop: str = SMART,
    stem: bool = True,
    ngram: int = 1,
    tokens: Scripts = "ascii",
    cutoff: float | None = None,
    direction: Literal["over", "any"] | None = None,
) -> list[TopicWord]:
    """The topic words of an input, the strongest first: those on which `topic-share` and its kin rest.

    A word is one if −2 log λ, the log-likelihood ratio of its counts in the texts and in the background (Dunning
    1993), is above the cutoff. Options are those of the measures.

    Args:
        texts: a text, or the documents of an input (each a text, or its sentences).
        preset: "paper" (above 10.83, p < .001, over-represented words only) or "simetrix" (above 23.03, any).
        background: "wordfreq", or a TSV file of word, count.
        stop: stop words: "smart", "none" or a file.
        stem: whether to take stems.
        ngram: 1 for words, 2 for pairs of words (which the background must have).
        tokens: "ascii", or "unicode" for words of every script.
        cutoff: another one, in natural logarithms.
        direction: "over" or "any".

    Example:
        >>> [found.word for found in topic_signatures(documents)][:3]
        ['flood', 'evacu', 'sandbag']
    """
    measure = ModelFree(
        feature="topic-share",
        preset=preset,
        background=background,
        stop=stop,
        stem=stem,
        ngram=ngram,
        tokens=tokens,
        cutoff=cutoff,
        direction=direction,
    )
    documents = [texts] if isinstance(texts, str) else list(texts)
    settings = measure.settings()
    if settings.background is None:
        return []
    words = contrast_words(documents, settings.background, measure.rules)
    found = [
        TopicWord(one.word, one.statistic, one.count, one.background)
        for one in words
        if one.statistic > settings.cutoff and (one.over or not settings.over_only)
    ]
    return sorted(found, key=lambda one: (-one.statistic, one.word))
