"""A campaign as a file of another program or data set gives it, row by row: topics, texts, judgments, scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.campaign import (
    Campaign,
    Document,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Question,
    QuestionSet,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place
from pyramidion.files.roles import is_missing
from pyramidion.formats.json_values import flat_scores
from pyramidion.formats.text_files import number_of
from pyramidion.scores import Score, ScoreTable


@dataclass
class Gathered:
    """The parts of a campaign, as rows add them; what a row repeats must be the same."""

    name: str
    questions: Sequence[str] = ()
    summarizers: dict[str, Summarizer] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    models: dict[str, tuple[Text, ...]] = field(default_factory=dict)
    """By topic, models without names: they become ref1, ref2, …"""
    named_models: dict[tuple[str, str], Text] = field(default_factory=dict)
    """Models that have names of their own, by topic and name."""
    peers: dict[tuple[str, str], Text] = field(default_factory=dict)
    judgments: list[Judgment] = field(default_factory=list)
    pyramids: list[Pyramid] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)
    scores: dict[tuple[str, str, str], float] = field(default_factory=dict)
    holes: list[tuple[str, str]] = field(default_factory=list)
    """Items and systems without an output."""

    def keep_topic(self, topic: Topic) -> None:
        """A topic; the first that has documents counts."""
        known = self.topics.get(topic.topic)
        if known is None or (topic.documents and not known.documents):
            self.topics[topic.topic] = topic

    def add_topic(self, topic: str, documents: Iterable[Any] = (), references: Iterable[Any] = ()) -> None:
        """Documents and references of a topic; the first that come count."""
        texts = [text for text in map(text_of, documents) if text]
        found = tuple(Document(id=str(number), text=text) for number, text in enumerate(texts, start=1))
        self.keep_topic(Topic(topic=topic, documents=found))
        self.models[topic] = self.models.get(topic) or tuple(text for text in map(text_of, references) if text)

    def add_model(self, topic: str, name: str, text: Any) -> None:
        """A model with a name of its own, if there is a text; the first that comes counts."""
        if isinstance(text, str | list):
            self.named_models.setdefault((topic, name), tuple(text) if isinstance(text, list) else text)

    def add_peer(self, topic: str, summarizer: str, text: Any, at: Place) -> None:
        """A summary; none is a hole, and another text for the same key an error."""
        found = text_of(text)
        if found is None:
            self.holes.append((topic, summarizer))
            return
        if isinstance(text, dict):
            at.warning("an object as output", "a text", "It was kept as JSON.", field="output")
        known = self.peers.setdefault((topic, summarizer), found)
        if known != found:
            at.error(
                f"another output of {summarizer!r} for {topic!r}",
                "one output for each item and system",
                "Keep one run, or give the runs different names.",
            )

    def add_judgment(self, topic: str, summarizer: str, question: str, value: Any, assessor: str = "") -> bool:
        """An answer; says whether it is a number, which an answer must be. Whole numbers are kept as such."""
        number = None if isinstance(value, bool) else number_of(value)
        if number is not None:
            answer = int(number) if number.is_integer() else number
            self.judgments.append(
                Judgment(topic=topic, summarizer=summarizer, assessor=assessor, question=question, value=answer)
            )
        return number is not None

    def add_score(self, topic: str, summarizer: str, measure: str, value: Any) -> None:
        """A number, or objects of them, whose names are joined by full stops; anything else is no score."""
        for name, number in flat_scores(measure, value):
            self.scores.setdefault((name, topic, summarizer), number)

    def note_holes(self, at: Place) -> None:
        """Say once how many items have no output."""
        if self.holes:
            count = len(self.holes)
            found = f"{count:,} items without an output"
            at.warning(found, "an output of each item", "They are missing summaries: they get no score.", count=count)

    def note_no_row(self, at: Place, expected: str) -> None:
        """A file without a single row is an error, unless its rows have errors."""
        if not self.topics and not at.problems.errors:
            at.error("no row", expected, "Check the file.")

    def campaign(self, description: str = "") -> Campaign:
        """Everything as one campaign."""
        holes = {*self.holes} - self.peers.keys()
        models = [
            Summary(topic=topic, summarizer=f"ref{number}", kind="model", text=text)
            for topic, texts in self.models.items()
            for number, text in enumerate(texts, start=1)
        ]
        models += [
            Summary(topic=topic, summarizer=name, kind="model", text=text)
            for (topic, name), text in self.named_models.items()
        ]
        peers = [
            Summary(topic=topic, summarizer=who, kind="peer", text=text) for (topic, who), text in self.peers.items()
        ]
        scores = (
            Score(measure=measure, topic=topic, summarizer=who, value=value)
            for (measure, topic, who), value in self.scores.items()
            if (topic, who) not in holes
        )
        return Campaign(
            name=self.name,
            description=description,
            summarizers=self.summarizers,
            questions=QuestionSet(tuple(Question(name=name) for name in self.questions)),
            topics=tuple(self.topics.values()),
            summaries=(*models, *peers),
            judgments=tuple(self.judgments),
            pyramids=tuple(self.pyramids),
            annotations=tuple(self.annotations),
            imported=ScoreTable.of(scores),
        )


def text_of(value: Any) -> Text | None:
    """A text from a string, a list of strings (sentences), a number, or an object; None if there is none."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return json.dumps(value, ensure_ascii=False)
