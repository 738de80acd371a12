"""Tokens: how a text is taken apart, by name or by a function of the user's own.

- `rouge155`: what ROUGE-1.5.5 does. ASCII letters are lower-cased, and every byte that is not a letter a-z or a digit
  separates: `don't` gives don, t; `U.S.` gives u, s; `café` gives caf.
- `rouge_score`: the same after Python's `lower()`, as in the package rouge-score.
- `unicode`: words of any script. Letters, marks and numbers (categories L, M, N) make words, case-folded; a mark
  belongs to the character before it; soft hyphens and joiners (Cf) inside a word are left out; everything else
  separates, apostrophes and hyphens too, so that ASCII text has the same tokens as with `rouge155`. Letters of
  scripts that put no space between words (Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer, Myanmar, Javanese,
  Balinese, the Tai scripts) are tokens one by one, with their marks. Texts are not normalised: bring both sides to
  one form (NFC) first if they come from different hands.
- `icu`: words as ICU finds them in any language, by dictionaries where there are no spaces (`text.languages`).

The kernels make all but the last, and all stems but Snowball's; these are made here.

Stems: Porter's algorithm (Program 14(3), 1980) in the dialects that summary evaluation uses.

- `rouge155`: ROUGE-1.5.5. The exceptions of WordNet 2.0 come first (told becomes tell); else Porter, with step 4 as
  four tests one after the other (element becomes elem).
- `martin`: as Martin Porter distributes it, with his extensions; words of up to two letters stay. SIMetrix.
- `nltk`: the default of NLTK's PorterStemmer. rouge-score.

Stems of other languages, `snowball-de` and the like, are in `text.languages`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, TypeAlias, get_args

from pyramidion.errors import UsageError
from pyramidion.text import _native
from pyramidion.text.languages import ICU, SNOWBALL, Snowball, icu_words, snowball
from pyramidion.text.limits import check_limits, cut_sentences
from pyramidion.text.stop import is_stop_word
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


TokenFunction: TypeAlias = Callable[[str], Sequence[str]]
Tokens: TypeAlias = str | TokenFunction
TOKENS: Final = ("rouge155", "unicode", "rouge_score")
"""Those of the kernels."""
UNICODE_VERSION: Final = _native.UNICODE_VERSION
"""The version of Unicode behind `unicode` tokens."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it stands, in code points, half open.

    In a text given as a str, `start` and `end` count from its beginning; in a sequence of sentences, from the
    beginning of the sentence.
    """

    surface: str
    """The token before stemming, lower-cased."""
    form: str
    """What is compared: the stem, or the surface when nothing is stemmed."""
    sentence: int
    start: int
    end: int


def tokens_name(tokens: str) -> str:
    """The name of a tokenizer, checked."""
    if tokens not in (known := (*TOKENS, ICU)):
        raise UsageError(f"unknown tokens {tokens!r}: choose one of {', '.join(known)}, or give a function")
    return tokens


def are_native(tokens: Tokens, stem: bool | Stems) -> bool:
    """Whether the kernels read texts in this way; else tokens are made here, one text at a time."""
    return isinstance(tokens, str) and tokens != ICU and stem not in SNOWBALL


def tokenise(
    text: str | Sequence[str],
    *,
    tokens: Tokens = "rouge155",
    stem: bool | Stems = False,
    stop: bool = False,
) -> list[str]:
    """The tokens of a text, stop words dropped and stems taken if asked for (in this order).

    >>> tokenise("The documents weren't told.", stem=True)
    ['the', 'docum', 'weren', 't', 'tell']
    """
    if isinstance(tokens, str) and are_native(tokens, stem):
        return _native.forms_of(text, word_lists(), tokens_name(tokens), stems_name(stem), stop)
    return [token.form for token in locate_tokens(text, tokens=tokens, stem=stem, stop=stop)]


def locate_tokens(
    text: str | Sequence[str],
    *,
    tokens: Tokens = "rouge155",
    stem: bool | Stems = False,
    stop: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    leading_blank_is_word: bool = True,
    as_lcs_under_byte_limit: bool = False,
) -> list[Token]:
    """The tokens of a text with their places; `words` and `bytes` cut it first.

    `as_lcs_under_byte_limit` gives the text as ROUGE-L and W of ROUGE-1.5.5 see it (`Quirks.lcs_forgets_bytes`).
    """
    check_limits(words, bytes)
    sentences = text.split("\n") if isinstance(text, str) else list(text)
    if isinstance(tokens, str) and are_native(tokens, stem):
        limit = _native.Limit(words or 0, bytes or 0, leading_blank_is_word, as_lcs_under_byte_limit)
        rows = _native.tokens_of(
            sentences, word_lists(), tokens_name(tokens), stems_name(stem), stop, limit, as_lcs_under_byte_limit
        )
    else:
        kept = cut_sentences(sentences, words=words, bytes=bytes, leading_blank_is_word=leading_blank_is_word)
        rows = _rows_in_python(kept, tokens, stem, stop)
    starts = [0, *accumulate(len(line) + 1 for line in sentences)] if isinstance(text, str) else [0] * len(sentences)
    return [
        Token(surface, form, sentence, starts[sentence] + start, starts[sentence] + end)
        for sentence, start, end, surface, form in rows
    ]


def _rows_in_python(
    sentences: Sequence[str], tokens: Tokens, stem: bool | Stems, stop: bool
) -> list[tuple[int, int, int, str, str]]:
    """Tokens that the kernels do not make: (sentence, start, end, surface, form)."""
    named: Stems = stem if isinstance(stem, str) else "rouge155"
    return [
        (index, start, end, surface, stem_token(surface, stems=named) if stem else surface)
        for index, sentence in enumerate(sentences)
        for start, end, surface in _words(sentence, tokens)
        if not (stop and is_stop_word(surface))
    ]


def _words(sentence: str, tokens: Tokens) -> Iterable[tuple[int, int, str]]:
    if not isinstance(tokens, str):
        return _words_of_function(sentence, tokens)
    if tokens_name(tokens) == ICU:
        return icu_words(sentence)
    return [(token.start, token.end, token.surface) for token in locate_tokens(sentence, tokens=tokens)]


def _words_of_function(sentence: str, function: TokenFunction) -> Iterator[tuple[int, int, str]]:
    """Tokens of a user's function, each looked for in its sentence after the one before it."""
    lowered = sentence.lower()
    haystacks = (sentence, lowered) if len(lowered) == len(sentence) else (sentence,)
    cursor = 0
    for surface in function(sentence):
        found = [at for text in haystacks if (at := text.find(surface, cursor)) >= 0]
        start = min(found, default=cursor)
        cursor = start + len(surface) if found else cursor
        yield start, cursor, surface
