"""Writing a model: the documents to read, the request, and an editor (spec: four writers for each topic).

State: `text` the model so far, `read/DOCUMENT` true, `done` true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Kind, Piece, RefusedError
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


class Write(Kind[Summary]):
    """One model summary."""

    name = "write"
    title = "Write a model summary"
    makes = Summary

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request and the documents, oldest first."""
        topic = piece.topic
        return {
            "request": request_of(piece),
            "limit": piece.campaign.word_limit,
            "documents": [_shown(one) for one in sorted(topic.documents, key=lambda one: one.date)],
            "background": [_shown(one) for one in sorted(topic.background, key=lambda one: one.date)],
        }

    def check_field(self, piece: Piece, state: State, key: str, value: Any) -> None:
        """A text, and marks on documents."""
        known = {one.id for one in (*piece.topic.documents, *piece.topic.background)}
        field, _, rest = key.partition("/")
        if key == "text":
            check_text(value, "a model", LONGEST)
        elif field != "read" or rest not in known:
            super().check_field(piece, state, key, value)
        elif value is not True and value is not None:
            raise RefusedError("a document is read (true) or not (absent)")

    def check_complete(self, piece: Piece, state: State) -> None:
        """There are words, within the limit."""
        words, limit = count_words(state.get("text", "")), piece.campaign.word_limit
        if not words:
            raise RefusedError("there is no text yet")
        if limit and words > limit:
            raise RefusedError(f"the text has {counted(words, 'word')}; the limit is {limit}")
        if reason := self.held_back(piece):
            raise RefusedError(reason)

    def held_back(self, piece: Piece) -> str:
        """A model by someone called like a system would take the place of the system's summary."""
        others = [one for one in piece.campaign.summaries if one.summarizer == piece.person and one.kind != "model"]
        return NAME_IS_TAKEN if others or is_system(piece.campaign, piece.person) else ""

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:  # noqa: ARG002  # as every kind is asked
        """The model, once it is handed in: a draft is no reference."""
        if not state.get("done") or not state.get("text", "").strip():
            return []
        return [Summary(topic=piece.task.topic, summarizer=piece.person, kind="model", text=state["text"].strip())]

    def is_own(self, piece: Piece, row: Summary) -> bool:
        """The model of this person for this topic."""
        return row.kind == "model" and row.summarizer == piece.person

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Documents read, and the text handed in."""
        documents = len(piece.topic.documents) + len(piece.topic.background)
        read = sum(key.startswith("read/") for key in state)
        return read + bool(state.get("done")), documents + 1

    def opening(self, piece: Piece) -> State:
        """The model that the campaign already has."""
        return next(({"text": plain(one.text)} for one in self.own(piece)), {})


def is_system(campaign: Campaign, name: str) -> bool:
    """Whether a name is the id of a summarizer that is not human; writers of models are."""
    return name in campaign.summarizer_ids and campaign.kind_of(name) != "human"


def _shown(document: Document) -> dict[str, str]:
    known = {name: getattr(document, name) for name in ("id", "date", "headline")}
    return {**known, "text": plain(document.text)}
