"""Words and stems of many languages, from libraries that know them (the extra `languages`).

- `icu` tokens: words as ICU finds them (Unicode's rules; dictionaries for Chinese, Japanese, Thai, Lao, Khmer and
  Burmese), case-folded and brought to one form (NFC). What has no letter, mark or number is no word.
- `snowball-de` and the like: Snowball's stems; the part after the hyphen is the language's code (ISO 639-1).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

from pyramidion.errors import MissingExtraError

ICU: Final = "icu"
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


@lru_cache(maxsize=8)
def snowball(stem: str) -> Callable[[str], str]:
    """The stemmer of a name such as `snowball-de`: a function from a lower-case word to its stem."""
    function: Callable[[str], str] = _stemmers().Stemmer(stem.removeprefix("snowball-")).stemWord
    return function


def library_versions(*, tokens: object, stem: object) -> dict[str, str]:
    """The versions that numbers depend on, for signatures."""
    icu = {"icu": str(_icu().icu_version)} if tokens == ICU else {}
    stems = {"snowball": str(_stemmers().version())} if stem in SNOWBALL else {}
    return {**icu, **stems}


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
