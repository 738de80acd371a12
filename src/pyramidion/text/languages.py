"""Words and stems of many languages, from libraries that know them (the extra `languages`).

- `icu` tokens: words as ICU finds them (Unicode's rules; dictionaries for Chinese, Japanese, Thai, Lao, Khmer and
  Burmese), case-folded and brought to one form (NFC). What has no letter, mark or number is no word.
- `words-1`, `characters-1`: profiles, whose numbers never change under their names. Words of any script, or single
  characters (grapheme clusters: a letter or number with its marks), compared in one form: compatibility forms are the
  same (NFKC: full-width letters, ligatures), and case is folded fully (ß is ss). Needs no library.
- `snowball-de` and the like: Snowball's stems; the part after the hyphen is the language's code (ISO 639-1).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

from pyramidion.errors import MissingExtraError

ICU: Final = "icu"
WORDS: Final = "words-1"
CHARACTERS: Final = "characters-1"
PROFILES: Final = (WORDS, CHARACTERS)
"""Tokenizers whose numbers never change under their names: another rule gets another number."""
Profile: TypeAlias = Literal["words-1", "characters-1"]
Snowball: TypeAlias = Literal[
    "snowball-ar", "snowball-ca", "snowball-cs", "snowball-da", "snowball-de", "snowball-el", "snowball-en",
    "snowball-eo", "snowball-es", "snowball-et", "snowball-eu", "snowball-fa", "snowball-fi", "snowball-fr",
    "snowball-ga", "snowball-hi", "snowball-hu", "snowball-hy", "snowball-id", "snowball-it", "snowball-lt",
    "snowball-ne", "snowball-nl", "snowball-no", "snowball-pl", "snowball-pt", "snowball-ro", "snowball-ru",
    "snowball-sr", "snowball-st", "snowball-sv", "snowball-ta", "snowball-tr", "snowball-yi",
]  # fmt: skip
SNOWBALL: Final[tuple[str, ...]] = get_args(Snowball)


def icu_words(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of a text: start and end in code points, and the form that is compared."""
    end = 0
    for word in _icu().breakers.WordBreaker(text, "root"):  # its segments() counts UTF-16 units
        start, end = end, end + len(word)
        if any(unicodedata.category(character)[0] in "LMN" for character in word):
            yield start, end, unicodedata.normalize("NFC", word.casefold())


def fold(word: str) -> str:
    """The form in which a word is compared: full case folding of the compatibility form (NFKC), without joiners.

    Unicode promises that neither ever changes for a character that is assigned, so only new characters depend on the
    version of its tables.

    >>> fold("Ｓｔｒａßｅ"), fold("ﬁn"), fold("co\u00adoperate")
    ('strasse', 'fin', 'cooperate')
    """
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


def folded_words(text: str, words: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """The profile `words-1`: words of a text, given by their places, each with the form that is compared."""
    for start, end in words:
        yield start, end, fold(text[start:end])


def characters_of(text: str) -> Iterator[tuple[int, int, str]]:
    """The profile `characters-1`: letters and numbers one by one, each with its marks (grapheme clusters).

    Marks (M) and joiners (Cf) belong to the character before them; parts of a Korean syllable belong together.
    Everything else separates and is no token.

    >>> [form for _, _, form in characters_of("東京 2026!")]
    ['東', '京', '2', '0', '2', '6']
    """
    start = -1
    for position, character in enumerate(text):
        category = unicodedata.category(character)
        is_inside = start >= 0
        continues = category[0] == "M" or category == "Cf"
        continues = continues or (_is_jamo(character) and is_inside and _is_jamo(text[position - 1]))
        if is_inside and continues:
            continue
        if is_inside:
            yield start, position, fold(text[start:position])
        start = position if category[0] in "LN" else -1
    if start >= 0:
        yield start, len(text), fold(text[start:])


def _is_jamo(character: str) -> bool:
    """Whether a character is a part of a Korean syllable that may be written with several."""
    return "\u1100" <= character <= "\u11ff"


@lru_cache(maxsize=8)
def snowball(stem: str) -> Callable[[str], str]:
    """The stemmer of a name such as `snowball-de`: a function from a lower-case word to its stem."""
    function: Callable[[str], str] = _stemmers().Stemmer(stem.removeprefix("snowball-")).stemWord
    return function


def library_versions(*, tokens: object, stem: object) -> dict[str, str]:
    """The versions that numbers depend on, for signatures."""
    icu = {"icu": str(_icu().icu_version)} if tokens == ICU else {}
    forms = {"normalization": unicodedata.unidata_version} if tokens in PROFILES else {}
    stems = {"snowball": str(_stemmers().version())} if stem in SNOWBALL else {}
    return {**icu, **forms, **stems}


def _icu() -> Any:
    """The package icu4py, which an extra brings."""
    try:
        import icu4py.breakers
    except ImportError:
        raise MissingExtraError("tokens=icu", "languages") from None
    return icu4py


def _stemmers() -> Any:
    """The package PyStemmer, which an extra brings."""
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Snowball stems", "languages") from None
    return Stemmer
