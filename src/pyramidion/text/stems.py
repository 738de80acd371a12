"""Stems: Porter's algorithm (Program 14(3), 1980) in the dialects that summary evaluation uses.

- `rouge155`: ROUGE-1.5.5. The exceptions of WordNet 2.0 come first (told becomes tell); else Porter, with step 4 as
  four tests one after the other (element becomes elem).
- `martin`: as Martin Porter distributes it, with his extensions; words of up to two letters stay. SIMetrix.
- `nltk`: the default of NLTK's PorterStemmer. rouge-score.

Stems of other languages, `snowball-de` and the like, are in `text.languages`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from pyramidion.errors import UsageError
from pyramidion.text import _native
from pyramidion.text.languages import SNOWBALL, Snowball, snowball
from pyramidion.text.word_lists import word_lists

NativeStems: TypeAlias = Literal["rouge155", "martin", "nltk"]
Stems: TypeAlias = NativeStems | Snowball


def stems_name(stem: bool | Stems) -> str:
    """The name of stems, checked: `True` is rouge155, `False` is none."""
    if isinstance(stem, bool):
        return "rouge155" if stem else "none"
    if stem not in (known := (*get_args(NativeStems), *SNOWBALL)):
        raise UsageError(f"unknown stems {stem!r}: choose one of {', '.join(known)}")
    return stem


def stem_word(word: str, *, stems: Stems = "rouge155") -> str:
    """The stem of a lower-case word of any length."""
    return snowball(stems)(word) if stems in SNOWBALL else _native.stem(word, stems_name(stems), word_lists())


def stem_token(token: str, *, stems: Stems = "rouge155") -> str:
    """What a token becomes when a text is stemmed: tokens of up to three bytes stay (martin: two; Snowball: none)."""
    return snowball(stems)(token) if stems in SNOWBALL else _native.stem_token(token, stems_name(stems), word_lists())
