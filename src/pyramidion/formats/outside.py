"""What readers of other evaluation programs share: texts and scores by item, gathered into a campaign."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Document, Summary, Topic
from pyramidion.campaign.nouns import Text
from pyramidion.files.packed import open_bytes
from pyramidion.files.problems import Place
from pyramidion.files.roles import as_id, is_missing
from pyramidion.formats.files import head_of
from pyramidion.scores import Score, ScoreTable


@dataclass
class Gathered:
    """The parts of a campaign, as items add them; what an item repeats must be the same."""

    name: str
    topics: dict[str, tuple[Document, ...]] = field(default_factory=dict)
    models: dict[str, tuple[Text, ...]] = field(default_factory=dict)
    peers: dict[tuple[str, str], Text] = field(default_factory=dict)
    scores: dict[tuple[str, str, str], float] = field(default_factory=dict)
    named_models: dict[tuple[str, str], Text] = field(default_factory=dict)
    """Models that have names of their own, by topic and name."""
    holes: list[tuple[str, str]] = field(default_factory=list)
    """Items and systems without an output."""

    def add_topic(self, topic: str, documents: Iterable[Any] = (), references: Iterable[Any] = ()) -> None:
        """Documents and references of a topic; the first that come count."""
        texts = [text for text in map(text_of, documents) if text]
        found = tuple(Document(id=str(number), text=text) for number, text in enumerate(texts, start=1))
        self.topics[topic] = self.topics.get(topic) or found
        self.models[topic] = self.models.get(topic) or tuple(text for text in map(text_of, references) if text)

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

    def add_score(self, topic: str, summarizer: str, measure: str, value: Any) -> None:
        """A number; anything else is no score."""
        number = number_of_score(value)
        if number is not None:
            self.scores.setdefault((measure, topic, summarizer), number)

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
            topics=tuple(Topic(topic=topic, documents=documents) for topic, documents in self.topics.items()),
            summaries=(*models, *peers),
            imported=ScoreTable.of(scores),
        )


def note_holes(gathered: Gathered, at: Place) -> None:
    """Say once how many items have no output."""
    if gathered.holes:
        count = len(gathered.holes)
        found = f"{count:,} items without an output"
        at.warning(found, "an output of each item", "They are missing summaries: they get no score.", count=count)


def text_of(value: Any) -> Text | None:
    """A text from a string, a list of strings (sentences), a number, or an object; None if there is none."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return json.dumps(value, ensure_ascii=False)


def listed(value: Any) -> list[Any]:
    """One or several values as a list; nothing as an empty one."""
    if is_missing(value):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def number_of_score(value: Any) -> float | None:
    """A score as a number; true and false are 1 and 0."""
    if isinstance(value, bool | int | float) and not is_missing(value):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if number - number == 0 else None
    return None


def flat_scores(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The scores in a value: a number, or objects of them, whose names are joined by full stops."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat_scores(f"{name}.{key}" if name else str(key), inner)
    elif (number := number_of_score(value)) is not None:
        yield name, number


def id_of(value: Any) -> str | None:
    """An id as text, or None if the value can be none."""
    found = as_id(value)
    return found if isinstance(found, str) and found else None


def object_at(value: Any, *keys: str) -> Mapping[str, Any]:
    """The object under these keys; an empty one if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def names_keys(path: Path, *keys: str) -> bool:
    """Whether the start of a file has all of these keys, in quotes."""
    head = _plain_head(path)
    return head.lstrip()[:1] in (b"{", b"[") and all(f'"{key}"'.encode() in head for key in keys)


def _plain_head(path: Path) -> bytes:
    if not head_of(path).startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return head_of(path)
    try:
        with open_bytes(path) as file:
            return file.read(65_536)
    except OSError:
        return b""


def first_key(held: Mapping[str, Any], named: str, guesses: Sequence[str]) -> Any:
    """The value that the user named, or the first guess that is there."""
    for key in [named] if named else guesses:
        if not is_missing(held.get(key)):
            return held[key]
    return None
