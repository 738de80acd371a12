"""Summarizers with one fault each, so that every question of the assessors has somebody who fails it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tools.demo_campaign.summarizers.base import Candidate, Piece, Task, fill, whole
from tools.demo_campaign.summarizers.centroid import Centroid
from tools.demo_campaign.summarizers.words import FUNCTION_WORDS, repeats


@dataclass(frozen=True)
class Telegraphic:
    """Drops function words and swaps neighbours: much content in broken grammar.

    Sentence compression gone wrong: Knight & Marcu 2000, *Statistics-based summarization*, drop words so that
    the sentence stays grammatical; this one does not care. A function word goes with probability `drop`, a
    word changes places with the next one with probability `swap`.
    """

    drop: float = 0.6
    swap: float = 0.08
    seed: int = 0
    choice: Centroid = field(default_factory=Centroid)

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        draw = random.Random(f"{self.seed}/{task.topic}")
        refuse = repeats(self.choice.ceiling)
        taken: list[Candidate] = []
        pieces: list[Piece] = []
        for candidate in self.choice.ranking(task):
            if refuse(candidate, taken):
                continue
            piece = self.broken(candidate, draw)
            if len(piece.kept) <= limit:
                taken.append(candidate)
                pieces.append(piece)
                limit -= len(piece.kept)
        return tuple(pieces)

    def broken(self, source: Candidate, draw: random.Random) -> Piece:
        """The sentence without most of its grammar."""
        kept = [
            index
            for index, word in enumerate(source.words)
            if word.strip("\"'“”‘’(),;:").casefold() not in FUNCTION_WORDS or draw.random() >= self.drop
        ]
        index = 0
        while index < len(kept) - 1:
            if draw.random() < self.swap:
                kept[index], kept[index + 1] = kept[index + 1], kept[index]
                index += 1
            index += 1
        return Piece(source, tuple(kept))


@dataclass(frozen=True)
class OffTopic:
    """Opening sentences of other topics' documents: each readable, all off the point.

    A check on measures without models, which ask whether a summary is near its input (Louis & Nenkova 2009):
    this one is near the wrong input.
    """

    seed: int = 0

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        order = [sentence for document in task.elsewhere for sentence in document.sentences[:3]]
        random.Random(f"{self.seed}/{task.topic}").shuffle(order)
        return tuple(whole(one) for one in fill(order, limit=limit))


@dataclass(frozen=True)
class Repeating:
    """Says everything twice: the centroid's best sentences for half the limit, then once more.

    What extraction from redundant news does when nobody controls it, the reason for maximal marginal
    relevance (Carbonell & Goldstein 1998).
    """

    choice: Centroid = field(default_factory=Centroid)

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        taken = fill(self.choice.ranking(task), limit=limit // 2)
        return tuple(whole(one) for one in (*taken, *taken))


@dataclass(frozen=True)
class CutAtLimit:
    """The centroid's best sentences without redundancy control, the last one cut at the limit.

    Summaries over the limit were truncated at DUC (Dang 2006, section 2); this one lets that happen.
    """

    choice: Centroid = field(default_factory=Centroid)

    def __call__(self, task: Task, *, limit: int) -> tuple[Piece, ...]:
        """Summarize the task."""
        pieces: list[Piece] = []
        for candidate in self.choice.ranking(task):
            if limit <= 0:
                break
            piece = Piece(candidate, whole(candidate).kept[:limit])
            pieces.append(piece)
            limit -= len(piece.kept)
        return tuple(pieces)
