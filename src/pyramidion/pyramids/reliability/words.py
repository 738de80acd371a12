"""The words of summaries as units of coding, and which contributors cover them.

A word is a maximal run of characters that are not blank; it is in a contributor if a part overlaps it by a character.
Contributors can be normalised: function words and punctuation at the edges of their parts are then not counted.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.campaign.nouns import Parts, Pyramid
from pyramidion.text.sentences import sentence_spans

_WORD = re.compile(r"\S+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")

# The closed classes of English: articles, pronouns, auxiliaries, prepositions, conjunctions. Words of content that stop
# lists have as well (two, new, help) are not among them.
_FUNCTION_WORDS: Final = """
    a an the this that these those such each every either neither both all any some no
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    myself ourselves yourself yourselves himself herself itself themselves
    who whom whose which what that when where while why how whether if then than there here
    am is are was were be been being do does did done doing have has had having
    will would shall should can could may might must ought
    about above across after against along among amid around as at before behind below beneath beside besides between
    beyond by despite down during except for from in inside into near of off on onto out outside over past per since
    through throughout till to toward towards under until unto up upon via with within without
    and or but nor so yet because although though unless not also too
"""
FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, eq=False)
class Words:
    """All words of some summaries, one summary after the other."""

    words: tuple[str, ...]
    starts: Integers
    ends: Integers
    sentences: Integers
    """Per word the number of its sentence, counted through all summaries."""
    first: Mapping[str, tuple[int, int]]
    """Per summary where its words begin and end."""

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Words:
        """The words of each summary's text."""
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        sentences: list[int] = []
        first: dict[str, tuple[int, int]] = {}
        sentence = 0
        for summary, text in texts.items():
            begin = len(words)
            sentence_ends = np.array([end for _, end in sentence_spans(text)], dtype=np.int64)
            for match in _WORD.finditer(text):
                words.append(match[0])
                starts.append(match.start())
                ends.append(match.end())
            within = np.searchsorted(sentence_ends, np.array(starts[begin:], int), side="right")
            sentences += (sentence + within).tolist()
            first[summary] = (begin, len(words))
            sentence += len(sentence_ends) + 1
        return cls(tuple(words), np.array(starts, int), np.array(ends, int), np.array(sentences, int), first)

    def __len__(self) -> int:
        return len(self.words)

    def span(self, summary: str, start: int, end: int) -> tuple[int, int]:
        """Which words (from, to) of a summary the part [start, end) overlaps."""
        begin, stop = self.first[summary]
        first = begin + int(np.searchsorted(self.ends[begin:stop], start, side="right"))
        last = begin + int(np.searchsorted(self.starts[begin:stop], end, side="left"))
        return first, max(first, last)


@dataclass(frozen=True, eq=False)
class Marking:
    """Which words an annotator put where."""

    members: Bools
    """Words × columns (SCUs)."""
    stripped: Bools
    """Words that only normalising took out: nobody said anything about these."""


def contributors_of(pyramid: Pyramid, models: Container[str]) -> Iterator[tuple[int, str, Parts]]:
    """The contributors of the models whose texts are known, as `cover` takes them; columns are the SCUs."""
    for column, scu in enumerate(pyramid.scus):
        for contributor in scu.contributors:
            if contributor.model in models:
                yield column, contributor.model, contributor.parts


def mark(words: Words, pyramid: Pyramid, *, normalise: bool = False) -> Marking:
    """Which words the SCUs of a pyramid cover."""
    return cover(words, contributors_of(pyramid, words.first), len(pyramid.scus), normalise=normalise)


def cover(
    words: Words, contributors: Iterable[tuple[int, str, Parts]], columns: int, *, normalise: bool = False
) -> Marking:
    """Which words are covered by the contributors, given as (column, summary, parts).

    With `normalise`, function words and punctuation at the edges of each part are left out; a contributor that
    consists of nothing else is kept as it is.
    """
    members = np.zeros((len(words), columns), dtype=np.bool_)
    marked = np.zeros(len(words), dtype=np.bool_)
    for column, summary, parts in contributors:
        spans = [words.span(summary, start, end) for start, end in parts]
        for start, end in spans:
            marked[start:end] = True
        if normalise:
            spans = _strip_function_words(words, spans)
        for start, end in spans:
            members[start:end, column] = True
    return Marking(members, marked & ~members.any(axis=1))


def is_function_word(word: str) -> bool:
    """Whether a word, without the punctuation around it, says nothing by itself."""
    bare = _EDGES.sub("", word).casefold()
    return not bare or bare in FUNCTION_WORDS


def _strip_function_words(words: Words, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        while start < end and is_function_word(words.words[start]):
            start += 1
        while start < end and is_function_word(words.words[end - 1]):
            end -= 1
        if start < end:
            kept.append((start, end))
    return kept or spans
