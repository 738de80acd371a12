"""What every kind of work says of itself.

A kind never tells a summarizer's id: its task's `spec` maps handles ("1", "2", … in the task's own random order) to
summarizers, and pages, events and states hold handles only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from pyramidion.assess.store.work import Changes, Event, State, Task
from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.nouns import Noun, Summary, Topic
from pyramidion.errors import InputError


class RefusedError(InputError):
    """A change that the kind of work does not admit; nothing was stored."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A task with what it needs: the campaign, and the name of who works on it."""

    task: Task
    campaign: Campaign
    person: str
    state: State = field(default_factory=dict)
    """What the task holds, where the page is made."""

    @property
    def topic(self) -> Topic:
        """The topic, as the campaign declares it."""
        return self._data.topic

    def summary(self, handle: str, kind: str = "summaries") -> Summary:
        """The summary that a handle of the task stands for."""
        summarizer = self.task.spec[kind][handle]
        summaries = self._data.models if kind == "models" else self._data.peers
        return next(one for one in summaries if one.summarizer == summarizer)

    @cached_property
    def _data(self) -> TopicData:
        return self.campaign.topic(self.task.topic, peers="all")


class Kind(Protocol):
    """One kind of work."""

    name: str
    title: str
    """What assessors read."""

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """What the page needs besides the state: texts by handle, questions, settings. Blind."""

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """Raise RefusedError if the state can't change in this way."""

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """What the work so far means for the campaign's files."""

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Whether a row of the campaign's files is this task's to replace or remove."""

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """How many of its items are done, and how many there are."""

    def opening(self, piece: Piece) -> State:
        """The state that existing rows of the campaign lead to: work that was done elsewhere goes on here."""
