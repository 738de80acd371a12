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

- `words-1`, `characters-1`: profiles with frozen names, in one form (`text.languages`).

The kernels make the first three, and all stems but Snowball's; the others are made here.

Stems: Porter's algorithm (Program 14(3), 1980) in the dialects that summary evaluation uses.

- `rouge155`: ROUGE-1.5.5. The exceptions of WordNet 2.0 come first (told becomes tell); else Porter, with step 4 as
  four tests one after the other (element becomes elem).
- `martin`: as Martin Porter distributes it, with his extensions; words of up to two letters stay. SIMetrix.
- `nltk`: the default of NLTK's PorterStemmer. rouge-score.

Stems of other languages, `snowball-de` and the like, are in `text.languages`.

Length limits are applied as in ROUGE-1.5.5 (-l, -b): to the raw text, before tokens are made.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, filterfalse
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.errors import InputError, UsageError
from pyramidion.text import _native
from pyramidion.text.languages import (
    CHARACTERS,
    ICU,
    PROFILES,
    SNOWBALL,
    WORDS,
    Snowball,
    characters_of,
    folded_words,
    icu_words,
    snowball,
)
from pyramidion.text.stop import is_stop_word
from pyramidion.text.word_lists import word_lists

MOST_THREADS: Final = 4096


def checked_pairs(pairs: Integers, name: str, row: str) -> Integers:
    """Pairs of indices as the kernels take them; nothing is rounded, and nothing else is taken for a number.

    Args:
        pairs: rows of two indices each.
        name: what messages call them.
        row: what a row is, as in "(peer, model)".

    Raises:
        UsageError: if these are no rows of two whole numbers.
    """
    try:
        array = np.asarray(pairs)
    except ValueError:  # rows of different lengths
        raise UsageError(f"{name} have rows of different lengths: expected rows {row}") from None
    if not array.size:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"{name} have the shape {array.shape}: expected rows {row}")
    # Floats would be cut to whole numbers silently, booleans would be 0 and 1, and a large uint64 would turn
    # negative.
    if array.dtype.kind not in "iu" or array.max() > np.iinfo(np.int64).max:
        indices = array.ravel().tolist()
        wrong = next(filterfalse(_is_index, indices), indices[0])
        raise UsageError(f"{name} contain {wrong!r}: expected rows {row} of indices, as an array of integers")
    return np.ascontiguousarray(array, dtype=np.int64)


def _is_index(value: object) -> bool:
    """Whether a value is a whole number that fits into 64 bits; True and False are none."""
    return type(value) is int and value <= np.iinfo(np.int64).max


def thread_count(threads: int | None) -> int:
    """How many threads share the work: as many as asked for, as PYRAMIDION_THREADS says, or as there are processors."""
    if threads is None:
        setting = os.environ.get("PYRAMIDION_THREADS", "")
        # A setting of the environment that is no number must not stop every command: it is ignored.
        if not setting.isdigit():
            return _processor_count()
        threads = int(setting)
    if not is_integer(threads) or not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"threads={threads}: give a whole number, 1 or more, {MOST_THREADS:,} at most")
    return int(threads)


def _processor_count() -> int:
    """The processors that this process may use; not every system says it."""
    if hasattr(os, "sched_getaffinity"):
        # In a container or under taskset, the machine has more processors than the process may use.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_integer(value: object) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Errors of the kernels in the words of the package."""
    try:
        yield
    # The kernels raise IndexError for a pair that names no text, the others for what texts hold.
    except IndexError as error:
        raise UsageError(str(error)) from None
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


LONGEST: Final = 10**15
"""More words or bytes than any text has."""


def check_limits(words: int | None, bytes: int | None) -> None:
    """Refuses limits that mean nothing."""
    if words is not None and bytes is not None:
        raise UsageError("a text is cut to words or to bytes, not to both: give one of words=, bytes=")
    for name, limit in (("words", words), ("bytes", bytes)):
        if limit is None:
            continue
        if not is_integer(limit):
            raise UsageError(f"{name}={limit}: a limit is a whole number")
        if limit < 1:
            raise UsageError(f"{name}={limit}: a limit is 1 or more; leave it out for no limit")
        if limit > LONGEST:
            raise UsageError(f"{name}={limit:g}: no text is that long; leave it out for no limit")


def check_cells(max_cells: int | None) -> None:
    """Refuses a size of tables that means nothing; None is the usual one."""
    if max_cells is None:
        return
    if not is_integer(max_cells) or not 0 <= max_cells <= LONGEST:
        raise UsageError(f"max_cells={max_cells}: expected a whole number of cells, {LONGEST:,} at most")


def cut(text: str, *, words: int | None = None, bytes: int | None = None, leading_blank_is_word: bool = True) -> str:
    r"""The text, cut to a number of words or bytes.

    Sentences, the lines of the text, are kept whole while the total stays below the limit;
    the next one is cut to what remains, and the rest is dropped. Words are what stands between white space; a
    sentence that starts with white space has an empty first word. Bytes are those of UTF-8; the line breaks between
    sentences are not counted, and a character that the limit cuts through is dropped.

    >>> cut("one two three\nfour five", words=4)
    'one two three\nfour'
    """
    kept = cut_sentences(text.split("\n"), words=words, bytes=bytes, leading_blank_is_word=leading_blank_is_word)
    return "\n".join(kept)


def cut_sentences(
    sentences: Sequence[str],
    *,
    words: int | None = None,
    bytes: int | None = None,
    leading_blank_is_word: bool = True,
) -> list[str]:
    """As `cut`, for a text whose sentences are known."""
    check_limits(words, bytes)
    sizes = _native.cut_sizes(sentences, _native.Limit(words or 0, bytes or 0, leading_blank_is_word))
    return [
        # Sizes are bytes of UTF-8, as ROUGE-1.5.5 counts; "ignore" drops a character that the limit cuts through.
        sentence.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")
        for sentence, size in zip(sentences, sizes, strict=False)
    ]


NativeStems: TypeAlias = Literal["rouge155", "martin", "nltk"]
Stems: TypeAlias = NativeStems | Snowball


def stems_name(stem: bool | Stems) -> str:
    """The name of stems, checked: `True` is rouge155, `False` is none."""
    if isinstance(stem, bool):
        return "rouge155" if stem else "none"
    names = (*get_args(NativeStems), *SNOWBALL)
    if stem not in names:
        raise UsageError(f"unknown stems {stem!r}: choose one of {', '.join(names)}")
    return stem


def stem_word(word: str, *, stems: Stems = "rouge155") -> str:
    """The stem of a lower-case word of any length."""
    if stems in SNOWBALL:
        return snowball(stems)(word)
    return _native.stem(word, stems_name(stems), word_lists())


def stem_token(token: str, *, stems: Stems = "rouge155") -> str:
    """What a token becomes when a text is stemmed: tokens of up to three bytes stay (martin: two; Snowball: none)."""
    if stems in SNOWBALL:
        return snowball(stems)(token)
    return _native.stem_token(token, stems_name(stems), word_lists())


TokenFunction: TypeAlias = Callable[[str], Sequence[str]]
Tokens: TypeAlias = str | TokenFunction
TOKENS: Final = ("rouge155", "unicode", "rouge_score")
"""The names of the tokenizers in the kernels."""
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
    names = (*TOKENS, ICU, *PROFILES)
    if tokens not in names:
        raise UsageError(f"unknown tokens {tokens!r}: choose one of {', '.join(names)}, or give a function")
    return tokens


def are_native(tokens: Tokens, stem: bool | Stems) -> bool:
    """Whether the kernels read texts in this way; else tokens are made here, one text at a time."""
    return isinstance(tokens, str) and tokens not in (ICU, *PROFILES) and stem not in SNOWBALL


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
    starts = [0] * len(sentences)
    if isinstance(text, str):
        # + 1: the line break itself.
        starts = [0, *accumulate(len(line) + 1 for line in sentences)]
    return [
        Token(surface, form, sentence, starts[sentence] + start, starts[sentence] + end)
        for sentence, start, end, surface, form in rows
    ]


def _rows_in_python(
    sentences: Sequence[str], tokens: Tokens, stem: bool | Stems, stop: bool
) -> list[tuple[int, int, int, str, str]]:
    """Tokens that the kernels do not make: (sentence, start, end, surface, form)."""
    stems: Stems = stem if isinstance(stem, str) else "rouge155"
    rows: list[tuple[int, int, int, str, str]] = []
    for index, sentence in enumerate(sentences):
        for start, end, surface in _words(sentence, tokens):
            # The surface is tested, before stemming, as -s of ROUGE-1.5.5 does: its list has words, not stems.
            if stop and is_stop_word(surface):
                continue
            form = stem_token(surface, stems=stems) if stem else surface
            rows.append((index, start, end, surface, form))
    return rows


def _words(sentence: str, tokens: Tokens) -> Iterable[tuple[int, int, str]]:
    """The words of a sentence with their places: by a function, by ICU, or by the kernels."""
    if not isinstance(tokens, str):
        return _words_of_function(sentence, tokens)
    if tokens_name(tokens) == ICU:
        return icu_words(sentence)
    if tokens == CHARACTERS:
        return characters_of(sentence)
    if tokens == WORDS:
        places = [(token.start, token.end) for token in locate_tokens(sentence, tokens="unicode")]
        return folded_words(sentence, places)
    return [(token.start, token.end, token.surface) for token in locate_tokens(sentence, tokens=tokens)]


def _words_of_function(sentence: str, function: TokenFunction) -> Iterator[tuple[int, int, str]]:
    """Tokens of a user's function, each looked for in its sentence after the one before it."""
    lowered = sentence.lower()
    # Many tokenizers lower-case. A few characters get longer by that (İ), and then places in the lowered text are
    # wrong.
    haystacks = (sentence, lowered) if len(lowered) == len(sentence) else (sentence,)
    cursor = 0
    for surface in function(sentence):
        places = [text.find(surface, cursor) for text in haystacks]
        start = min(filter(_is_place, places), default=None)
        if start is None:  # the function changed the word: it stands nowhere, and nothing is skipped
            yield cursor, cursor, surface
            continue
        cursor = start + len(surface)
        yield start, cursor, surface


def _is_place(place: int) -> bool:
    """Whether `str.find` found something."""
    return place >= 0
