"""The task of a topic: each has one, so that every change of the topic is an event. Only organisers have this work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, Spec, TopicFacts
from pyramidion.assess.kinds.base import RefusedError, Stage, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import check_text
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Noun, Topic, to_plain

TEXTS = ("title", "narrative", "parent", "part")
LISTS = {"document": "documents", "background": "background"}
"""Beginnings of keys of the state, and the lists of a topic that they become."""
LONGEST_REQUEST = 20_000
LONGEST_DOCUMENT = 2_000_000


class TopicWork(TaskType[Topic]):
    """What a topic is."""

    name = "topic"
    title = "Topic"
    noun_type = Topic
    page: ClassVar[WorkPage | None] = None
    stage = Stage.TOPICS
    is_built_on = True
    is_planned = False

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """Nothing besides the state."""
        return {"topic": context.task.topic}

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Texts, attributes and documents."""
        field, _, id = key.partition("/")
        if key in TEXTS:
            check_text(value, key, LONGEST_REQUEST)
        elif key == "attributes":
            if value is not None and not isinstance(value, dict):
                raise RefusedError("attributes are an object")
        elif field in LISTS and id:
            _check_document(value)
        else:
            super().check_field(context, state, key, value)

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The topic."""
        fields: dict[str, Any] = {key: state.get(key, "") for key in TEXTS}
        for field, name in LISTS.items():
            start = f"{field}/"
            documents = {key.removeprefix(start): value for key, value in state.items() if key.startswith(start)}
            fields[name] = tuple(Document(id=id, **value) for id, value in documents.items())
        return [Topic(topic=context.task.topic, **fields, attributes=state.get("attributes", {}))]

    def is_task_row(self, context: TaskContext, row: Topic) -> bool:
        """Whether a row is the topic: there is one of this id."""
        return True

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Whether it has a title or a request."""
        is_described = bool(state.get("title") or state.get("narrative"))
        return int(is_described), 1

    def initial_state(self, context: TaskContext) -> State:
        """The topic as the file has it."""
        state: State = {}
        for topic in self.task_rows(context):
            state |= {key: getattr(topic, key) for key in TEXTS if getattr(topic, key)}
            if topic.attributes:
                state["attributes"] = dict(topic.attributes)
            for field, name in LISTS.items():
                for document in getattr(topic, name):
                    state[f"{field}/{document.id}"] = document_value(document)
        return state

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """Nothing: organisers describe topics without a plan."""
        return iter(())


def document_value(document: Document) -> dict[str, Any]:
    """A document as the state of a topic holds it: all but its id, which is in the key."""
    fields: dict[str, Any] = to_plain(document)
    del fields["id"]
    return fields


def _check_document(value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, dict) or not {"text"} <= set(value) <= {"text", "date", "headline"}:
        raise RefusedError("a document has a text, and may have a date and a headline")
    for name, field in value.items():
        if name == "text" and _is_list_of_texts(field):
            continue
        check_text(field, f"the {name} of a document", LONGEST_DOCUMENT)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(sentence, str) for sentence in value)


TASK_TYPE = TopicWork()
