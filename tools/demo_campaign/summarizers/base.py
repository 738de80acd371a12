"""What all summarizers share: the task that they get and the extract that they give, traceable by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The place of a sentence: its topic, its document and its index there."""

    topic: str
    document: str
    index: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be taken, with its place and its document's date."""

    place: Place
    text: str
    date: date

    @property
    def words(self) -> tuple[str, ...]:
        """White-space separated words: the unit of the limit."""
        return tuple(self.text.split())


@dataclass(frozen=True, slots=True)
class DatedDocument:
    """A document as a summarizer sees it."""

    id: str
    date: date
    sentences: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A topic to summarize.

    `documents` and `background` (update parts only) are ordered from the oldest to the most recent.
    `elsewhere` holds the documents of other topics: a contrast corpus for fair summarizers, and the source of
    the one that is off topic. `worth` gives the pyramid weights of each sentence's units; only the oracle may
    look.
    """

    topic: str
    title: str
    narrative: str
    documents: tuple[DatedDocument, ...]
    background: tuple[DatedDocument, ...] = ()
    elsewhere: tuple[DatedDocument, ...] = ()
    worth: Mapping[Place, Mapping[str, int]] = field(default_factory=dict)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All sentences of the documents, in order."""
        return tuple(sentence for document in self.documents for sentence in document.sentences)


@dataclass(frozen=True, slots=True)
class Piece:
    """One output sentence: a source sentence and the indices of the words that were kept, in output order."""

    source: Candidate
    kept: tuple[int, ...]

    @property
    def text(self) -> str:
        """The output sentence."""
        words = self.source.words
        return " ".join(words[index] for index in self.kept)


class Summarizer(Protocol):
    """Anything that turns a task into pieces of at most `limit` words altogether."""

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        ...


def whole(source: Candidate) -> Piece:
    """The whole sentence."""
    return Piece(source, tuple(range(len(source.words))))


def fill(
    ranked: Iterable[Candidate],
    *,
    limit: int,
    refuse: Callable[[Candidate, Sequence[Candidate]], bool] | None = None,
) -> list[Candidate]:
    """Take sentences in the given order; pass over those that no longer fit or that `refuse` turns down."""
    taken: list[Candidate] = []
    left = limit
    for candidate in ranked:
        length = len(candidate.words)
        if length <= left and not (refuse and refuse(candidate, taken)):
            taken.append(candidate)
            left -= length
    return taken


def greedy(
    candidates: Sequence[Candidate],
    gain: Callable[[Candidate, Sequence[Candidate]], float],
    *,
    limit: int,
) -> list[Candidate]:
    """Take the fitting sentence of the highest gain, again and again, while a gain is above 0.

    Gains are compared at 9 decimals, so that a sum taken in another order cannot change a summary; of equal
    sentences the first one wins.
    """
    taken: list[Candidate] = []
    left = limit
    while fitting := [one for one in candidates if one not in taken and len(one.words) <= left]:
        gains = [round(gain(one, taken), 9) for one in fitting]
        best = max(gains)
        if best <= 0:
            break
        choice = fitting[gains.index(best)]
        taken.append(choice)
        left -= len(choice.words)
    return taken


def ranked(candidates: Sequence[Candidate], scores: Sequence[float]) -> list[Candidate]:
    """Candidates by falling score (at 9 decimals); of equal ones the first comes first."""
    order = sorted(range(len(candidates)), key=lambda index: (-round(scores[index], 9), index))
    return [candidates[index] for index in order]


def chronological(taken: Iterable[Candidate]) -> tuple[Piece, ...]:
    """Whole sentences, by date, then document, then place in it."""
    order = sorted(taken, key=lambda one: (one.date, one.place))
    return tuple(whole(one) for one in order)


def as_taken(taken: Iterable[Candidate]) -> tuple[Piece, ...]:
    """Whole sentences in the order in which they were taken: what a system does that does not care."""
    return tuple(whole(one) for one in taken)
