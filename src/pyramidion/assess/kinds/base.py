"""What every kind of work says of itself: the contract between a package of this folder and all pages.

| who asks | what it needs |
|---|---|
| page of a task (web/tasks.py, web/mail.py) | `page`, `heading`, `material`, `check`, `lock_reason`, `suggest` |
| guide (web/guide.py) | `page`, `specs`, `material`; the steps are in the package's guide.js |
| plan (web/plan.py) | `is_planned`, `plan_choices`, `draw`, `specs`, and what compares new work with known work |
| progress (web/home.py, web/dashboard.py) | `heading`, `progress`, `lock_reason` |
| campaign's files (campaign_view.py) | `stage`, `is_built_on`, `nouns`, `owns_row`, `initial_state` |
| export (web/export.py) | `export_tables` |

A kind never tells a summarizer's id: its task's `spec` maps handles ("1", "2", … in the task's own random order) to
summarizers, and pages, events and states hold handles only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pyramidion.assess.kinds.assignment import Assignment, PlanChoice, PlanSettings, Spec, TopicFacts, draw_judges
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
from pyramidion.pyramids.suggestions import Idf
from pyramidion.text.tokens import cut

FILES: Mapping[type[Noun], str] = {noun: name for name, noun in NOUNS.items()}
NounT = TypeVar("NounT", bound=Topic | Summary | Judgment | Preference | Pyramid | PeerAnnotation | Coverage)


class RefusedError(InputError):
    """A change that the kind of work does not admit; nothing was stored."""


class Stage(IntEnum):
    """The order in which work builds on work: a task sees the work of earlier stages, and never that of its own."""

    TOPICS = 0
    MODELS = 1
    PYRAMIDS = 2
    CONSENSUS = 3
    JUDGING = 4
    PEER_CONSENSUS = 5


@dataclass(frozen=True)
class WorkPage:
    """How the page of a kind of work is made: addresses of its script and of further styles, and its width."""

    script: str
    wide: bool = True
    styles: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TaskContext:
    """A task with what it needs: the campaign, and the name of the person who works on it."""

    task: Task
    campaign: Campaign
    person: str
    state: State = field(default_factory=dict)
    """What the task holds, where the page is made."""

    @property
    def spec(self) -> Spec:
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

    def summary(self, handle: str) -> Summary:
        """The summary that a handle of the task stands for."""
        summarizer = self.spec["summaries"][handle]
        return next(summary for summary in self.data.peers if summary.summarizer == summarizer)

    def model(self, handle: str) -> Summary:
        """The model that a handle of the task stands for."""
        summarizer = self.spec["models"][handle]
        return next(model for model in self.data.models if model.summarizer == summarizer)

    def is_about(self, summarizer: str) -> bool:
        """Whether the summary of someone is among those of the task."""
        return summarizer in self.spec["summaries"].values()

    @property
    def word_limit(self) -> int | None:
        """The limit in words at which summaries of the topic are cut before anyone judges them; None: no limit."""
        return self.campaign.word_limit_of(self.task.topic)

    @property
    def whole_peer(self) -> str:
        """The text of the one summary of the task, with what lies beyond the limit."""
        (handle,) = self.spec["summaries"]
        return plain(self.summary(handle).text)

    @property
    def peer(self) -> str:
        """The text of the one summary of the task as it is judged, cut at the limit in words.

        It is the beginning of the whole text, so places in it are places in the campaign's file.
        """
        return cut_text(self.whole_peer, self.word_limit)

    @property
    def models(self) -> dict[str, str]:
        """The texts of the task's models by handle."""
        return {handle: plain(self.model(handle).text) for handle in self.spec["models"]}


@dataclass(frozen=True, kw_only=True)
class SuggestionRequest:
    """What suggestions are asked about: selected words ("span"), an SCU, or all models."""

    about: str
    model: str | None = None
    parts: tuple[tuple[int, int], ...] = ()
    uid: int | None = None


def cut_text(text: str, limit: int | None) -> str:
    """A text up to a limit in words: the one rule for every kind of work."""
    return cut(text, words=limit, leading_blank_is_word=False) if limit else text


class TaskType(ABC, Generic[NounT]):
    """One kind of work: what its page shows, which changes it admits, and what it means for the campaign's files."""

    name: ClassVar[str]
    """What the database holds."""
    title: ClassVar[str]
    """What assessors read."""
    noun_type: type[NounT]
    """The rows of the campaign's files that it leads to."""
    page: ClassVar[WorkPage | None]
    """None: it is no work of assessors, and has a page of the organiser's."""
    stage: ClassVar[Stage] = Stage.JUDGING
    is_built_on: ClassVar[bool] = False
    """Whether work of later stages rests on it."""
    can_be_locked: ClassVar[bool] = False
    """Whether `lock_reason` depends on the person's other tasks, which must then be looked up."""
    is_planned: ClassVar[bool] = True
    """Whether plans give it out."""
    is_about_models: ClassVar[bool] = False
    """Whether it is about a topic's models as a whole, not about the summaries to be judged."""
    is_about_summaries: ClassVar[bool] = True
    """Whether it judges summaries: then late ones are given out, too."""
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = ()
    """What the organiser chooses on the plan page."""
    listing_field: ClassVar[str] = ""
    """The field of a spec that lists several summaries or pairs by number, if one task is about several."""
    has_suggestions: ClassVar[bool] = False
    """Whether its page may offer suggestions."""

    # The page

    @abstractmethod
    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """What the page needs besides the state: texts by handle, questions, settings. Blind."""

    def heading(self, campaign: Campaign, task: Task) -> str:
        """What people read above tasks of this sort."""
        return self.title

    def lock_reason(self, task: Task, tasks: Iterable[Task]) -> str:
        """Why a task can't be opened now; empty if it can.

        Args:
            task: the task.
            tasks: all tasks of the same person.
        """
        return ""

    def suggest(
        self,
        context: TaskContext,
        state: State,
        request: SuggestionRequest,
        idf: Idf,
    ) -> list[dict[str, Any]]:
        """Suggestions for the page, the best first."""
        raise NotImplementedError

    # The state and its changes

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

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Raise RefusedError if a field can't have this value (None: it is taken out), or does not exist."""
        raise RefusedError(f"this work has no field {key!r}")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Raise RefusedError if work in this state can't be handed in."""

    @abstractmethod
    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """How many of its items are done, and how many there are."""

    def counted_in(self, spec: Spec) -> str:
        """What `progress` counts in a task, as people read it after a number."""
        return "answers"

    # The campaign's files

    @abstractmethod
    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """What the work so far means for the campaign's files."""

    def hold_back_reason(self, context: TaskContext) -> str:
        """Why the work must not go to the campaign's files now, though it is stored; empty if it may."""
        return ""

    def owns_row(self, context: TaskContext, noun: Noun) -> bool:
        """Whether a row of the campaign's files is this task's to replace or remove."""
        return isinstance(noun, self.noun_type) and noun.topic == context.task.topic and self.is_task_row(context, noun)

    @abstractmethod
    def is_task_row(self, context: TaskContext, row: NounT) -> bool:
        """Whether a row about the topic is by the person who has the task, and about what the task is about."""

    def task_rows(self, context: TaskContext) -> list[NounT]:
        """The rows of the campaign's files that are this task's."""
        return [row for row in getattr(context.campaign, FILES[self.noun_type]) if self.owns_row(context, row)]

    @abstractmethod
    def initial_state(self, context: TaskContext) -> State:
        """The state that existing rows of the campaign lead to: work that was done elsewhere goes on here."""

    # The plan

    def draw(
        self,
        topics: Sequence[TopicFacts],
        people: Sequence[str],
        options: PlanSettings,
        earlier: Mapping[str, int] | None = None,
    ) -> list[Assignment]:
        """Who does this work on which topic; `earlier`: how many topics each person has already."""
        return draw_judges(self.name, topics, people, options, of_models=self.is_about_models, earlier=earlier)

    @abstractmethod
    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """The tasks of an assignment, as their specs, with summaries in an order of the person's own (blind)."""

    def late_specs(
        self,
        assignment: Assignment,
        late: Sequence[str],
        known: Sequence[Spec],
        campaign: Campaign,
        facts: TopicFacts,
        options: PlanSettings,
    ) -> Iterator[Spec]:
        """The tasks about summaries that came after an assignment was given out.

        Args:
            assignment: all that its person judges on the topic, with the late summaries.
            late: the summarizers whose summaries came late.
            known: the specs of the tasks that the person has already.
            campaign: the campaign.
            facts: what is known about the topic.
            options: those of the plan.
        """
        return self.specs(replace(assignment, summarizers=tuple(late)), campaign, facts, options)

    def subject(self, spec: Spec) -> Hashable:
        """What tells two tasks of one person on one topic apart, besides the items that they list."""
        if self.listing_field:
            return None
        return tuple(spec.get("summaries", {}).values())

    def items(self, spec: Spec) -> Mapping[str, Hashable]:
        """The summaries or pairs that a task lists, by number, such that equal ones are the same work."""
        if not self.listing_field:
            return {}
        return dict(spec[self.listing_field])

    def reorder(self, task: Task, person: str, seed: int) -> Spec:
        """The same work in an order of another person's own, who takes it over."""
        return task.spec

    def waits_for_all_topics(self, task: Task) -> bool:
        """Whether a task is listed after those of all topics, not with those of its own."""
        return False

    def summarizers_in(self, spec: Spec) -> set[str]:
        """The summarizers that a task names."""
        return {*spec.get("models", {}).values(), *spec.get("summaries", {}).values()}

    # The export

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The work as tables for spreadsheets: rows, by the name of a CSV file."""
        return {}
