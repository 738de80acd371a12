"""Letters that a tokenizer drops: measures that read a–z and 0–9 only say so, or refuse texts in another script."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure, MeasureWarning, grouped
from pyramidion.show.wording import listed

ASCII_TOKENS: Final = ("rouge155", "rouge-score", "ascii")
"""Tokenizers that read a–z and 0–9 only."""
_DROPPED_LETTER = r"[\p{L}\p{Nd}&&[^\x00-\x7F]]|\p{L}\p{M}"
"""A letter or digit outside ASCII, or a letter with a combining mark, at which a word is split."""
_LATIN_WORD = r"\p{Latin}[\p{Latin}\p{M}]*"
_OTHER_WORD = (
    # Scripts without spaces between words: each letter counts, as with tokens=unicode.
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"|[\p{L}&&\P{Latin}][\p{L}\p{M}]*"
)
_SHOWN_LETTERS = 30


@dataclass(frozen=True)
class UnreadLetters:
    """What a tokenizer that reads a–z and 0–9 drops of some texts."""

    are_some: bool
    """Whether it drops any letter."""
    foreign_text: str | None
    """The first text with more words in other scripts than in Latin letters; None if there is none."""


def find_unread_letters(texts: pl.Series) -> UnreadLetters:
    """What a tokenizer that reads a–z and 0–9 drops of texts; words count, so that a name in Latin letters is one.

    Examples:
        >>> find_unread_letters(pl.Series(["OpenAI在2024年发布模型"])).foreign_text
        'OpenAI在2024年发布模型'
        >>> find_unread_letters(pl.Series(["Die Fähre brannte", "“Yes”"]))
        UnreadLetters(are_some=True, foreign_text=None)
    """
    # Two lengths are compared much faster than letters are looked for, and most texts of most data are ASCII.
    beyond_ascii = texts.filter(texts.str.len_bytes() != texts.str.len_chars())
    with_dropped = beyond_ascii.filter(beyond_ascii.str.contains(_DROPPED_LETTER))
    other_words = with_dropped.str.count_matches(_OTHER_WORD)
    foreign = with_dropped.filter(other_words > with_dropped.str.count_matches(_LATIN_WORD))
    first = foreign[0] if len(foreign) else None
    return UnreadLetters(are_some=bool(len(with_dropped)), foreign_text=first)


def drops_letters(measure: Measure) -> bool:
    """Whether a measure reads a–z and 0–9 only, and nobody chose that."""
    # By the option, not by the class: measures of other packages may have it, too.
    tokens = getattr(measure, "tokens", None)
    return isinstance(tokens, str) and tokens in ASCII_TOKENS and "tokens" not in measure.chosen_options


def check_letters(measures: Iterable[Measure], texts: pl.Series) -> None:
    """Note that measures drop letters of the texts that they read; refuse texts in a script that they can't read.

    Args:
        measures: of which those count that read a–z and 0–9 only without having been told to.
        texts: what they read.

    Raises:
        UsageError: if a text is in another script.
    """
    concerned = [measure for measure in measures if drops_letters(measure)]
    if not concerned:
        return
    unread = find_unread_letters(texts)
    if not unread.are_some:
        return
    names = listed(list(dict.fromkeys(measure.base for measure in concerned)))
    first = concerned[0]
    reads = "reads" if len(concerned) == 1 else "read"
    remedy = replace(first, tokens="unicode").name()  # type: ignore[call-arg]  # those that drop letters have it
    if unread.foreign_text is None:
        warnings.warn(
            f"{names} {reads} only the letters a–z: other letters of the texts (ä, é, ß …) are dropped, and words are "
            f"split there; tokens=unicode reads all letters, as in {remedy}",
            MeasureWarning,
            stacklevel=2,
        )
        return
    start = " ".join(unread.foreign_text.split())
    if len(start) > _SHOWN_LETTERS:
        start = start[:_SHOWN_LETTERS] + "…"
    raise UsageError(
        f"{names} {reads} only the letters a–z, but texts are in another script (“{start}”) and would be compared by "
        f"their digits and Latin letters alone: use tokens=unicode, which reads every script, as in {remedy}; "
        f"{_choose_default(first)} scores them as they are"
    )


def check_letters_of_topics(measures: Sequence[Measure], topics: Sequence[TopicData]) -> None:
    """As `check_letters`, on the texts of topics: summaries with references, or with documents, as measures need them.

    Raises:
        UsageError: if a text is in another script.
    """
    concerned = [measure for measure in measures if drops_letters(measure)]
    for reads_documents, members in grouped(concerned, lambda measure: "documents" in measure.required).items():
        texts: list[Text] = []
        for topic in topics:
            compared = _document_texts(topic) if reads_documents else _model_texts(topic)
            # Texts that are compared with nothing have no score, and no letter of theirs is read.
            if compared:
                texts += compared
                texts += [peer.text for peer in topic.peers]
        whole_texts = [plain(text) for text in texts]
        # Python remembers whether a text is ASCII; and Polars takes no half of a surrogate pair.
        beyond_ascii = [_replace_surrogates(text) for text in whole_texts if not text.isascii()]
        check_letters(members, pl.Series(beyond_ascii, dtype=pl.String))


def _model_texts(topic: TopicData) -> list[Text]:
    return [model.text for model in topic.models]


def _document_texts(topic: TopicData) -> list[Text]:
    return [document.text for document in (*topic.topic.documents, *topic.topic.background)]


def _replace_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _choose_default(measure: Measure) -> str:
    """The name of a measure with its own tokenizer written out, which `name` leaves out."""
    other = replace(measure, tokens="unicode")  # type: ignore[call-arg]  # those that drop letters have it
    return other.name().replace("tokens=unicode", f"tokens={measure.tokens}")  # type: ignore[attr-defined]
