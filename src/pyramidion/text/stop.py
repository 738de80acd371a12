"""Stop words: the SMART list as ROUGE-1.5.5 and SIMetrix use it, tested on the surface token before stemming."""

from __future__ import annotations

from functools import cache

from pyramidion.text.word_lists import read_data, word_lists


@cache
def stop_words() -> frozenset[str]:
    """The SMART stop words (598 lines; two of them repeat another one)."""
    return frozenset(read_data("smart_stop_words.txt").split())


def is_stop_word(token: str) -> bool:
    """Whether `-s` of ROUGE-1.5.5 drops this lower-case token."""
    return word_lists().is_stop_word(token)
