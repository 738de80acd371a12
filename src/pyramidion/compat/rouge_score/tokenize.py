"""The tokens of rouge-score, with a stemmer of your own: `rouge_score.tokenize`."""

from __future__ import annotations

import re
from typing import Final, Protocol

from pyramidion.text.tokens import tokenise

_VALID: Final = re.compile("[a-z0-9]+")


class Stemmer(Protocol):
    """Anything with NLTK's method `stem`."""

    def stem(self, word: str, /) -> str:
        """The stem of a lower-case word."""


def tokenize(text: str, stemmer: Stemmer | None = None) -> list[str]:
    """Runs of a-z and 0-9 of the lower-cased text; the stemmer is asked about those of more than three letters.

    A stem that is not made of a-z and 0-9 is dropped.
    """
    tokens = tokenise(text, tokens="rouge_score")
    if stemmer is None:
        return tokens
    stems = (stemmer.stem(token) if len(token) > 3 else token for token in tokens)
    return [stem for stem in stems if _VALID.fullmatch(stem)]
