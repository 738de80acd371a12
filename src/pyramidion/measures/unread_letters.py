"""Letters that a tokenizer drops: measures that read a–z and 0–9 only say so, or refuse texts in another script.

Some words with accents in English texts are no event, and one text in another script among many is no error: shares
decide (`MANY_LETTERS`, `MANY_TEXTS`, `MANY_FOREIGN`). In SummEval, REALSumm and the demo campaign fewer than 0.1 % of
the texts lose 1 % of their letters; in German, French, Spanish or Polish nearly every longer text does.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure, MeasureWarning
from pyramidion.show.wording import counted, listed

ASCII_TOKENS: Final = ("rouge155", "rouge-score", "ascii")
"""Tokenizers that read a–z and 0–9 only."""
MANY_LETTERS: Final = 0.01
"""A text in which this share of the characters is dropped loses letters that matter."""
MANY_TEXTS: Final = 0.05
"""Where this share of the texts loses letters that matter, a note says so."""
MANY_FOREIGN: Final = 0.1
"""Where more than this share of the references (or documents) is in another script, scores would mislead."""
UNREAD_NOTE: Final = "other letters than a–z are dropped (tokens=unicode reads them)"
"""What stands next to the scores."""

_DROPPED_LETTER = r"[\p{L}\p{Nd}&&[^\x00-\x7F]]|[A-Za-z]\p{M}"
"""A letter or digit outside ASCII, or a letter with a combining mark, at which a word is split."""
_WORD_WITH_DROPPED = r"([\p{L}\p{M}]*(?:[\p{L}&&[^\x00-\x7F]]|[A-Za-z]\p{M})[\p{L}\p{M}]*)"
_LATIN_WORD = r"\p{Latin}[\p{Latin}\p{M}]*"
_OTHER_WORD = (
    # Scripts without spaces between words: each letter counts, as with tokens=unicode.
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"|[\p{L}&&\P{Latin}][\p{L}\p{M}]*"
)
_SAMPLE = 5000
"""Of the texts of a batch, at most about twice as many are looked at: shares need no more."""
_SHOWN_LETTERS = 30


@dataclass(frozen=True)
class UnreadLetters:
    """What a tokenizer that reads a–z and 0–9 drops of some texts."""

    texts: int = 0
    losing: int = 0
    """Texts that lose letters that matter."""
    foreign: int = 0
    """Texts with more words in other scripts than in Latin letters."""
    word: str = ""
    """A word with a letter that is dropped."""
    foreign_text: str = ""
    """The start of a text in another script."""
    is_estimate: bool = False
    """Whether only some texts were looked at, so that counts are about right."""

    def __add__(self, other: UnreadLetters) -> UnreadLetters:
        return UnreadLetters(
            self.texts + other.texts,
            self.losing + other.losing,
            self.foreign + other.foreign,
            self.word or other.word,
            self.foreign_text or other.foreign_text,
            self.is_estimate or other.is_estimate,
        )


@dataclass(frozen=True)
class LetterLosses:
    """What is dropped of the summaries of a run, and of the references or documents that they are compared with."""

    summaries: UnreadLetters = UnreadLetters()
    compared: UnreadLetters = UnreadLetters()

    def __add__(self, other: LetterLosses) -> LetterLosses:
        return LetterLosses(self.summaries + other.summaries, self.compared + other.compared)

    @property
    def is_unreadable(self) -> bool:
        """Whether so much of what summaries are compared with is in another script that scores would mislead."""
        return self.compared.foreign > MANY_FOREIGN * self.compared.texts

    @property
    def is_notable(self) -> bool:
        """Whether enough texts lose letters for a note."""
        both = self.summaries + self.compared
        # One text may be about a café in Malmö; of a text and its reference in German, both lose letters.
        lose_several = both.losing >= min(2, max(both.texts, 1))
        return both.foreign > 0 or (lose_several and both.losing >= MANY_TEXTS * both.texts)


def find_unread_letters(texts: pl.Series) -> UnreadLetters:
    """What a tokenizer that reads a–z and 0–9 drops of texts; words count, so that a name in Latin letters is one.

    Args:
        texts: strings. Of more than some thousands, every k-th is looked at.

    Examples:
        >>> find_unread_letters(pl.Series(["OpenAI在2024年发布模型"])).foreign_text
        'OpenAI在2024年发布模型'
        >>> find_unread_letters(pl.Series(["Die Fähre brannte", "“Yes”"]))
        UnreadLetters(texts=2, losing=1, foreign=0, word='Fähre', foreign_text='', is_estimate=False)
    """
    # Two lengths are compared much faster than letters are looked for, and most texts of most data are ASCII. Each
    # letter beyond ASCII has at least one byte more than characters.
    step = max(len(texts) // _SAMPLE, 1)
    sample = texts.gather_every(step) if step > 1 else texts
    lengths = sample.str.len_chars()
    extra_bytes = sample.str.len_bytes() - lengths
    sample = sample.filter((extra_bytes > 0) & (extra_bytes >= MANY_LETTERS * lengths))
    dropped = sample.str.count_matches(_DROPPED_LETTER)
    losing = sample.filter((dropped > 0) & (dropped >= MANY_LETTERS * sample.str.len_chars()))
    if not len(losing):
        return UnreadLetters(texts=len(texts), is_estimate=step > 1)
    foreign = losing.filter(losing.str.count_matches(_OTHER_WORD) > losing.str.count_matches(_LATIN_WORD))
    return UnreadLetters(
        texts=len(texts),
        losing=min(len(losing) * step, len(texts)),
        foreign=min(len(foreign) * step, len(texts)),
        word=losing[:1].str.extract(_WORD_WITH_DROPPED).fill_null("")[0],
        foreign_text=_start_of(foreign[0]) if len(foreign) else "",
        is_estimate=step > 1,
    )


def drops_letters(measure: Measure) -> bool:
    """Whether a measure reads a–z and 0–9 only, and nobody chose that."""
    # By the option, not by the class: measures of other packages may have it, too.
    tokens = getattr(measure, "tokens", None)
    return isinstance(tokens, str) and tokens in ASCII_TOKENS and "tokens" not in measure.chosen_options


def reads_documents(measure: Measure) -> bool:
    """Whether a measure compares summaries with documents; others compare them with references."""
    return "documents" in measure.required


def losses_of_columns(summaries: pl.DataFrame) -> LetterLosses:
    """What is dropped of the columns `summary` and `references`."""
    return LetterLosses(_unread_of_column(summaries["summary"]), _unread_of_column(summaries["references"]))


def losses_of_topics(topics: Iterable[TopicData], *, documents: bool) -> LetterLosses:
    """What is dropped of the summaries of topics, and of their documents or references.

    Args:
        topics: those without documents, or references, have no score, and no letter of theirs is read.
        documents: whether summaries are compared with documents.
    """
    summaries: list[Text] = []
    compared: list[Text] = []
    for topic in topics:
        texts = _document_texts(topic) if documents else [model.text for model in topic.models]
        if texts:
            compared += texts
            summaries += [peer.text for peer in topic.peers]
    return LetterLosses(_unread_of_texts(summaries), _unread_of_texts(compared))


def report_losses(measures: Sequence[Measure], losses: LetterLosses) -> bool:
    """Note that measures drop letters of the texts that they read; refuse texts in a script that they can't read.

    Args:
        measures: those that drop letters (`drops_letters`).
        losses: what they drop.

    Returns:
        Whether there was something to note.

    Raises:
        UsageError: if what summaries are compared with is in another script.
    """
    if not measures or not losses.is_notable:
        return False
    names = listed(list(dict.fromkeys(measure.base for measure in measures)))
    first = measures[0]
    reads = "reads" if len(measures) == 1 else "read"
    remedy = replace(first, tokens="unicode").name()  # type: ignore[call-arg]  # those that drop letters have it
    if losses.is_unreadable:
        raise UsageError(
            f"{names} {reads} only the letters a–z, but {_share(losses.compared, losses.compared.foreign)} that "
            f"summaries are compared with are in another script (“{losses.compared.foreign_text}”): only digits and "
            f"Latin letters would count; use tokens=unicode, which reads every script, as in {remedy}; "
            f"{_choose_default(first)} scores them as they are"
        )
    both = losses.summaries + losses.compared
    if both.foreign:
        example = f"in another script (“{both.foreign_text}”)"
        what = f"{_share(both, both.foreign)} {_are(both.foreign)} {example}, of which next to nothing is read"
    else:
        texts = _share(both, both.losing)
        what = f"in {texts} other letters are dropped, and words are split there (“{both.word}”)"
    message = f"{names} {reads} only the letters a–z: {what}; tokens=unicode reads all letters, as in {remedy}"
    warnings.warn(message, MeasureWarning, stacklevel=3)
    return True


def _share(letters: UnreadLetters, part: int) -> str:
    """`all 4 texts`, `3 of 40 texts`, `about 300 of 20,000 texts`."""
    if part >= letters.texts:
        return "the text" if letters.texts == 1 else f"all {counted(letters.texts, 'text')}"
    about = "about " if letters.is_estimate else ""
    return f"{about}{part:,} of {counted(letters.texts, 'text')}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _start_of(text: str) -> str:
    start = " ".join(text.split())
    return start if len(start) <= _SHOWN_LETTERS else start[:_SHOWN_LETTERS] + "…"


def _unread_of_column(texts: pl.Series) -> UnreadLetters:
    # References are lists of texts, and texts may be lists of sentences.
    while isinstance(texts.dtype, pl.List):
        texts = texts.explode()
    return find_unread_letters(texts.drop_nulls().cast(pl.String))


def _unread_of_texts(texts: Iterable[Text]) -> UnreadLetters:
    whole_texts = [plain(text) for text in texts]
    # Python remembers whether a text is ASCII; and Polars takes no half of a surrogate pair.
    beyond_ascii = [_replace_surrogates(text) for text in whole_texts if not text.isascii()]
    return replace(find_unread_letters(pl.Series(beyond_ascii, dtype=pl.String)), texts=len(whole_texts))


def _document_texts(topic: TopicData) -> list[Text]:
    return [document.text for document in (*topic.topic.documents, *topic.topic.background)]


def _replace_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _choose_default(measure: Measure) -> str:
    """The name of a measure with its own tokenizer written out, which `name` leaves out."""
    other = replace(measure, tokens="unicode")  # type: ignore[call-arg]  # those that drop letters have it
    return other.name().replace("tokens=unicode", f"tokens={measure.tokens}")  # type: ignore[attr-defined]
