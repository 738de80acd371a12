"""The word lists that ship with the package, read once: the SMART stop words and the WordNet 2.0 exceptions.

Where they come from and how they were derived: tools/derive_word_lists.py and NOTICE.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pyramidion.text import _native


def read_data(name: str) -> str:
    """A data file of the text room, as text."""
    return (files("pyramidion.text") / "data" / name).read_text(encoding="utf-8")


@cache
def word_lists() -> _native.WordLists:
    """Both lists, ready for the kernels."""
    return _native.WordLists(read_data("smart_stop_words.txt"), read_data("wordnet_exceptions.tsv"))
