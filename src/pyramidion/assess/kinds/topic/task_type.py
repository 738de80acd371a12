"""A topic as the organiser describes it: title, request, documents. Each change is an event; the file follows.

State: `title`, `narrative`, `parent`, `part` texts, `attributes` an object, `document/ID` and `background/ID`
{date, headline, text}, `removed` true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import check_text
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Document, Noun, Topic, to_plain

TEXTS = ("title", "narrative", "parent", "part")
LISTS = {"document": "documents", "background": "background"}
LONGEST_REQUEST = 20_000
LONGEST_DOCUMENT = 2_000_000


class TopicWork(TaskType[Topic]):
    """What a topic is; only organisers have this work."""

    name = "topic"
    title = "Describe a topic"
    noun_type = Topic

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

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:  # noqa: ARG002  # as every kind is asked
        """The topic."""
        texts: dict[str, Any] = {key: state.get(key, "") for key in TEXTS}
        for field, name in LISTS.items():
            start = f"{field}/"
            found = {key.removeprefix(start): value for key, value in state.items() if key.startswith(start)}
            texts[name] = tuple(Document(id=id, **value) for id, value in found.items())
        return [Topic(topic=context.task.topic, **texts, attributes=state.get("attributes", {}))]

    def is_task_row(self, context: TaskContext, row: Topic) -> bool:  # noqa: ARG002  # as every kind is asked
        """There is one topic of this id."""
        return True

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:  # noqa: ARG002  # as every kind is asked
        """Whether it has a title or a request."""
        return int(bool(state.get("title") or state.get("narrative"))), 1

    def initial_state(self, context: TaskContext) -> State:
        """The topic as the file has it."""
        state: State = {}
        for found in self.own(context):
            state |= {key: getattr(found, key) for key in TEXTS if getattr(found, key)}
            if found.attributes:
                state["attributes"] = dict(found.attributes)
            for field, name in LISTS.items():
                for document in getattr(found, name):
                    fields = to_plain(document)
                    state[f"{field}/{fields.pop('id')}"] = fields
        return state


def _check_document(value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, dict) or not {"text"} <= set(value) <= {"text", "date", "headline"}:
        raise RefusedError("a document has a text, and may have a date and a headline")
    for name, part in value.items():
        listed = name == "text" and isinstance(part, list) and all(isinstance(one, str) for one in part)
        if not listed:
            check_text(part, f"the {name} of a document", LONGEST_DOCUMENT)
