"""The task of a writer: one model summary of a topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    NumberChoice,
    PlanChoice,
    PlanSettings,
    Spec,
    TopicFacts,
    draw_writers,
)
from pyramidion.assess.kinds.base import RefusedError, Stage, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import check_text, count_words, request_of
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Noun, Summary, plain
from pyramidion.show.wording import counted

LONGEST = 50_000
NAME_IS_TAKEN = (
    "under your name a model summary can't be stored in this campaign: your text is kept; "
    "ask the organiser to change your name on the page People, then hand it in"
)
"""Assessors do not learn what systems are called."""
WRITERS = NumberChoice(name="writers", label="Model writers for each topic", default=4, highest=20)


class WriteWork(TaskType[Summary]):
    """One model summary."""

    name = "write"
    title = "Model summary"
    is_about_summaries = False
    noun_type = Summary
    page: ClassVar[WorkPage | None] = WorkPage("kinds/write/page.js", styles=("static/forms.css",))
    stage = Stage.MODELS
    is_built_on = True
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = (WRITERS,)

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The request and the documents, oldest first."""
        topic = context.topic
        return {
            "request": request_of(context),
            "limit": context.word_limit,
            "documents": _shown_documents(topic.documents),
            "background": _shown_documents(topic.background),
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """A text, and marks on documents."""
        documents = {document.id for document in (*context.topic.documents, *context.topic.background)}
        field, _, rest = key.partition("/")
        if key == "text":
            check_text(value, "a model", LONGEST)
        elif field != "read" or rest not in documents:
            super().check_field(context, state, key, value)
        elif value is not True and value is not None:
            raise RefusedError("a document is read (true) or not (absent)")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """There are words, within the limit."""
        words = count_words(state.get("text", ""))
        limit = context.word_limit
        if not words:
            raise RefusedError("there is no text yet")
        if limit and words > limit:
            raise RefusedError(f"the text has {counted(words, 'word')}; the limit is {limit}")
        if reason := self.hold_back_reason(context):
            raise RefusedError(reason)

    def hold_back_reason(self, context: TaskContext) -> str:
        """A model by someone called like a system would take the place of the system's summary."""
        if is_system(context.campaign, context.person):
            return NAME_IS_TAKEN
        for summary in context.campaign.summaries:
            if summary.summarizer == context.person and summary.kind != "model":
                return NAME_IS_TAKEN
        return ""

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The model, once it is handed in: a draft is no reference."""
        # What was handed in and opened again is no model until it is handed in again.
        text = state.get("text", "").strip()
        if not text or not state.get("done"):
            return []
        return [Summary(topic=context.task.topic, summarizer=context.person, kind="model", text=text)]

    def is_task_row(self, context: TaskContext, row: Summary) -> bool:
        """Whether a summary is the model of this person for this topic."""
        return row.kind == "model" and row.summarizer == context.person

    def counted_in(self, spec: Spec) -> str:
        """Documents, each a step to read, and the text."""
        return "steps"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Documents read, and the text handed in."""
        documents = len(context.topic.documents) + len(context.topic.background)
        read = sum(key.startswith("read/") for key in state)
        return read + bool(state.get("done")), documents + 1

    def initial_state(self, context: TaskContext) -> State:
        """The model that the campaign already has."""
        models = self.task_rows(context)
        if not models:
            return {}
        return {"text": plain(models[0].text)}

    def draw(
        self,
        topics: Sequence[TopicFacts],
        people: Sequence[str],
        options: PlanSettings,
        earlier: Mapping[str, int] | None = None,
    ) -> list[Assignment]:
        """As many writers as a topic still needs."""
        return draw_writers(topics, people, options, WRITERS.value_in(options), earlier)

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """One task; the topic says everything."""
        yield {}


def is_system(campaign: Campaign, name: str) -> bool:
    """Whether a name is the id of a summarizer that is not human; writers of models are."""
    return name in campaign.summarizer_ids and campaign.kind_of(name) != "human"


def _shown_documents(documents: Iterable[Document]) -> list[dict[str, str]]:
    """Documents as the page gets them, oldest first."""
    return [
        {"id": document.id, "date": document.date, "headline": document.headline, "text": plain(document.text)}
        for document in sorted(documents, key=lambda document: document.date)
    ]


TASK_TYPE = WriteWork()
