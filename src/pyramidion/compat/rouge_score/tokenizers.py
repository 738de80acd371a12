"""Tokenizer objects for the scorer, with the names of `rouge_score.tokenizers`, and one for other languages."""

from __future__ import annotations

import abc

from pyramidion.text.languages import ICU, Snowball
from pyramidion.text.tokens import tokenise


class Tokenizer(abc.ABC):
    """Base of tokenizers; a scorer takes any object that has `tokenize`."""

    @abc.abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""


class DefaultTokenizer(Tokenizer):
    """Runs of a-z and 0-9 of the lower-cased text, with NLTK's Porter stems if asked for.

    A scorer that has this tokenizer makes its tokens in the kernels and never calls it.
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self.use_stemmer: bool = bool(use_stemmer)

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        if self.use_stemmer:
            return tokenise(text, tokens="rouge_score", stem="nltk")
        return tokenise(text, tokens="rouge_score")


class LanguageTokenizer(Tokenizer):
    """Words of any language as ICU finds them, with Snowball's stems if asked for (the extra `languages`).

    rouge-score has no such tokenizer, but its scorer takes this one.

    >>> LanguageTokenizer(stem="snowball-de").tokenize("Die Häuser am Fluss")
    ['die', 'haus', 'am', 'fluss']
    """

    def __init__(self, stem: Snowball | None = None) -> None:
        self.stem: Snowball | bool = stem or False

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        return tokenise(text, tokens=ICU, stem=self.stem)
