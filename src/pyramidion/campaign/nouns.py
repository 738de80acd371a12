"""The nouns of a campaign, as they stand in its files: topics, summaries, judgments, summarizers, questions.

The content nouns (pyramids and what belongs to them) are in `content`. A field that we do not know is kept in
`unknown` and written back.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Text = str | tuple[str, ...]
"""A text as given: one string, or its sentences when these are known."""

Id = Annotated[str, msgspec.Meta(min_length=1)]
"""The key of a topic, a summarizer, a question: any string that is not empty."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
"""A whole number that counts something."""

UNKNOWN_KEY = "(unknown)"


class Noun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of everything that is read from and written to a file.

    Values that never refer back to themselves: keeping them from the garbage collector makes reading a quarter faster.
    """

    unknown: dict[str, Any] = msgspec.field(default_factory=dict, name=UNKNOWN_KEY)


class Document(Noun, frozen=True, kw_only=True):
    """A source text of a topic."""

    id: Id
    text: Text
    date: str = ""
    headline: str = ""


class Topic(Noun, frozen=True, kw_only=True):
    """An input: documents, a request (title, narrative), for update tasks also background documents."""

    topic: Id
    title: str = ""
    narrative: str = ""
    documents: tuple[Document, ...] = ()
    background: tuple[Document, ...] = ()
    parent: str = ""
    part: str = ""
    attributes: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)


class Summary(Noun, frozen=True, kw_only=True):
    """A text that a summarizer wrote for a topic: a model (human reference) or a peer (under evaluation)."""

    topic: Id
    summarizer: Id
    kind: Literal["model", "peer"]
    text: Text


class Judgment(Noun, frozen=True, kw_only=True):
    """An assessor's answer to a question about a summary."""

    topic: Id
    summarizer: Id
    question: Id
    value: int | float
    assessor: str = ""


class ImportedScore(Noun, frozen=True, kw_only=True):
    """A value that another program gave to a summary."""

    measure: Id
    topic: Id
    summarizer: Id
    value: float
    signature: str = ""
    higher_is_better: bool = True
    note: str = ""
    """What must be said wherever the value shows, such as "simulated judgments"."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What a score table has only one value for."""
        return self.measure, self.topic, self.summarizer


class Summarizer(Noun, frozen=True, kw_only=True):
    """Whoever wrote summaries: a human, a baseline or a participant (a system)."""

    kind: Literal["human", "baseline", "participant"] = "participant"
    name: str = ""
    organisation: str = ""


class Question(Noun, frozen=True, kw_only=True):
    """What assessors are asked, on which scale (lowest, highest) and in which pass over the summaries."""

    name: Id
    text: str = ""
    scale: tuple[int, int] = (1, 5)
    pass_number: Positive = msgspec.field(default=1, name="pass")


def plain(text: Text) -> str:
    """The text as one string; known sentences are joined by line breaks. Offsets count in this string."""
    return text if isinstance(text, str) else "\n".join(text)
