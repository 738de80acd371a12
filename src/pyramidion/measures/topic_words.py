"""Topic signatures: the words that a text has far more often than a background (Lin and Hovy 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack

from pyramidion.measures.model_free import ModelFree, Preset
from pyramidion.text.inputs import ContrastedWord, Scripts, contrast_words


class TopicWordKeywords(TypedDict, total=False):
    """The options of `topic-share` that say which words are topic words."""

    preset: Preset
    stem: bool
    ngram: int
    background: str
    stop: str
    tokens: Scripts
    cutoff: float | None
    direction: Literal["over", "any"] | None


def topic_signatures(
    texts: str | Sequence[str | Sequence[str]], **options: Unpack[TopicWordKeywords]
) -> list[ContrastedWord]:
    """The topic words of an input, the strongest first: those on which `topic-share` and its kin rest.

    A word is one if −2 log λ, the log-likelihood ratio of its counts in the texts and in the background (Dunning
    1993), is above the cutoff. Each has a `word` (the stem, or the pair of words), its `statistic` −2 log λ, and its
    `count` in the texts and in the `background`.

    Args:
        texts: a text, or the documents of an input (each a text, or its sentences).
        options: those of the measure `topic-share`, such as `preset="simetrix"`, `background="counts.tsv"`,
            `stop="none"`, `stem=False`, `ngram=2`, `tokens="unicode"`, `cutoff=10` or `direction="any"`.

    Examples:
        >>> [found.word for found in topic_signatures(documents)][:3]
        ['flood', 'evacu', 'sandbag']
    """
    measure = ModelFree(feature="topic-share", **options)
    documents = [texts] if isinstance(texts, str) else list(texts)
    settings = measure.settings()
    if settings.background is None:
        return []
    words = contrast_words(documents, settings.background, measure.rules)
    topic_words = [word for word in words if word.statistic > settings.cutoff]
    if settings.over_only:
        topic_words = [word for word in topic_words if word.over]
    return sorted(topic_words, key=lambda word: (-word.statistic, word.word))
