"""Summarizers that trust the leading sentences of news texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, zip_longest

from tools.demo_campaign.summarizers.base import Piece, Task, as_taken, fill, whole


@dataclass(frozen=True)
class LeadOfMostRecent:
    """DUC's baseline (Dang 2006, section 2): the leading sentences of the most recent document.

    It stops at the first sentence that does not fit, so that its text reads on without a gap.
    """

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        most_recent = max(task.documents, key=lambda document: document.date)
        pieces: list[Piece] = []
        for sentence in most_recent.sentences:
            limit -= len(sentence.words)
            if limit < 0:
                break
            pieces.append(whole(sentence))
        return tuple(pieces)


@dataclass(frozen=True)
class RoundRobin:
    """First sentences round robin: the first of each document, then the second of each, while they fit.

    The coverage baseline of DUC 2001 and 2002 (Over & Liggett 2002, *Introduction to DUC*).
    """

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        rounds = zip_longest(*(document.sentences for document in task.documents))
        order = [sentence for sentence in chain.from_iterable(rounds) if sentence is not None]
        return as_taken(fill(order, limit=limit))
