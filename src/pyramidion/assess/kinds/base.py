"""What every kind of work says of itself.

A kind never tells a summarizer's id: its task's `spec` maps handles ("1", "2", … in the task's own random order) to
summarizers, and pages, events and states hold handles only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pyramidion.assess.store.work import Changes, Event, State, Task, changed
from pyramidion.campaign.campaign import NOUNS, Campaign, TopicData
from pyramidion.campaign.nouns import (
    Coverage,
    Judgment,
    Noun,
    PeerAnnotation,
    Preference,
    Pyramid,
    Summary,
    Topic,
    plain,
)
from pyramidion.errors import InputError

FILES: Mapping[type[Noun], str] = {noun: name for name, noun in NOUNS.items()}
NounT = TypeVar("Made", bound=Topic | Summary | Judgment | Preference | Pyramid | PeerAnnotation | Coverage)


class RefusedError(InputError):
    """A change that the kind of work does not admit; nothing was stored."""


@dataclass(frozen=True, kw_only=True)
class TaskContext:
    """A task with what it needs: the campaign, and the name of who works on it."""

    task: Task
    campaign: Campaign
    person: str
    state: State = field(default_factory=dict)
    """What the task holds, where the page is made."""

    @property
    def spec(self) -> Mapping[str, Any]:
        """What the task is about."""
        return self.task.spec

    @property
    def topic(self) -> Topic:
        """The topic, as the campaign declares it."""
        return self.data.topic

    @cached_property
    def data(self) -> TopicData:
        """What the campaign has about the topic, with everyone's summaries as peers."""
        return self.campaign.topic(self.task.topic, peers="all")

    def summary(self, handle: str, kind: str = "summaries") -> Summary:
        """The summary that a handle of the task stands for."""
        summarizer = self.spec[kind][handle]
        summaries = self.data.models if kind == "models" else self.data.peers
        return next(one for one in summaries if one.summarizer == summarizer)

    def is_about(self, summarizer: str) -> bool:
        """Whether the summary of someone is among those of the task."""
        return summarizer in self.spec["summaries"].values()

    @property
    def peer(self) -> str:
        """The text of the one summary of the task."""
        (handle,) = self.spec["summaries"]
        return plain(self.summary(handle).text)

    @property
    def models(self) -> dict[str, str]:
        """The texts of the task's models by handle."""
        return {handle: plain(self.summary(handle, "models").text) for handle in self.spec["models"]}


class TaskType(ABC, Generic[NounT]):
    """One kind of work: what its page shows, which changes it admits, and what it means for the campaign's files."""

    name: ClassVar[str]
    title: ClassVar[str]
    """What assessors read."""
    noun_type: type[NounT]
    """The rows of the campaign's files that it leads to."""
    has_suggestions: ClassVar[bool] = False
    """Whether its page may offer suggestions."""

    @abstractmethod
    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """What the page needs besides the state: texts by handle, questions, settings. Blind."""

    def check(self, context: TaskContext, state: State, changes: Changes) -> None:
        """Raise RefusedError if the state can't change in this way.

        What was handed in does not change unless it is opened again; it is handed in when nothing is missing.
        """
        if state.get("done") and "done" not in changes:
            raise RefusedError("this work was handed in: open it again to change it")
        for key, value in changes.items():
            if key != "done":
                self.check_field(context, state, key, value)
            elif value is not True and value is not None:
                raise RefusedError("done is true or absent")
        if changes.get("done"):
            self.check_complete(context, changed(state, changes))

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:  # noqa: ARG002  # kinds with fields look
        """Raise RefusedError if a field can't have this value (None: it is taken out), or does not exist."""
        raise RefusedError(f"this work has no field {key!r}")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Raise RefusedError if work in this state can't be handed in."""

    @abstractmethod
    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """What the work so far means for the campaign's files."""

    def hold_back_reason(self, context: TaskContext) -> str:  # noqa: ARG002  # kinds with a reason look
        """Why the work must not go to the campaign's files now, though it is stored; empty if it may."""
        return ""

    def owns_row(self, context: TaskContext, noun: Noun) -> bool:
        """Whether a row of the campaign's files is this task's to replace or remove."""
        return isinstance(noun, self.noun_type) and noun.topic == context.task.topic and self.is_task_row(context, noun)

    @abstractmethod
    def is_task_row(self, context: TaskContext, row: NounT) -> bool:
        """Whether a row about the topic is by who has the task, and about what it is about."""

    def own(self, context: TaskContext) -> list[NounT]:
        """The rows of the campaign's files that are this task's."""
        return [row for row in getattr(context.campaign, FILES[self.noun_type]) if self.owns_row(context, row)]

    @abstractmethod
    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """How many of its items are done, and how many there are."""

    @abstractmethod
    def initial_state(self, context: TaskContext) -> State:
        """The state that existing rows of the campaign lead to: work that was done elsewhere goes on here."""
