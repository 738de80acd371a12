"""Length limits as ROUGE-1.5.5 applies them (-l, -b): to the raw text, before tokens are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyramidion.errors import UsageError
from pyramidion.text import _native
from pyramidion.text.calling import is_whole

LONGEST: Final = 10**15
"""More words or bytes than any text has."""


def check_limits(words: int | None, bytes: int | None) -> None:
    """Refuses limits that mean nothing."""
    if words is not None and bytes is not None:
        raise UsageError("a text is cut to words or to bytes, not to both: give one of words=, bytes=")
    for name, limit in (("words", words), ("bytes", bytes)):
        if limit is not None and not is_whole(limit):
            raise UsageError(f"{name}={limit}: a limit is a whole number")
        if limit is not None and limit < 1:
            raise UsageError(f"{name}={limit}: a limit is 1 or more; leave it out for no limit")
        if limit is not None and limit > LONGEST:
            raise UsageError(f"{name}={limit:g}: no text is that long; leave it out for no limit")


def check_cells(max_cells: int | None) -> None:
    """Refuses a size of tables that means nothing; None is the usual one."""
    if max_cells is not None and not (is_whole(max_cells) and 0 <= max_cells <= LONGEST):
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
        sentence.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")
        for sentence, size in zip(sentences, sizes, strict=False)
    ]
