"""What is scored: items made of the embedded campaign's sentences, and those of real campaigns that are at hand."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyramidion

SHORT: Final = (3, 18)
"""Sentences and words a sentence of a summary of the size of those of CNN/DM."""


@dataclass(frozen=True)
class Item:
    """A prediction (peer) and its targets (models); a line of a text is a sentence."""

    prediction: str
    targets: tuple[str, ...]


def embedded_items(count: int, *, models: int = 1, size: tuple[int, int] = SHORT, seed: int = 0) -> list[Item]:
    """Items of which no two texts are equal, from the sentences of the embedded campaign.

    A text has `size` = (sentences, words a sentence), give or take a third. Half of the sentences of a target are
    taken from the same places as those of the prediction; every tenth word is replaced by one of another topic.
    """
    rng = random.Random(seed)
    topics = [[line.split() for line in lines] for lines in _sentences_by_topic()]
    words = sorted({word for topic in topics for sentence in topic for word in sentence})
    sentences, length = size

    def vary(number: int) -> int:
        return max(1, round(number * rng.uniform(2 / 3, 4 / 3)))

    def line(topic: list[list[str]], place: int) -> str:
        wanted, taken = vary(length), list[str]()
        while len(taken) < wanted:
            taken += topic[place % len(topic)]
            place += 1
        return " ".join(rng.choice(words) if rng.random() < 0.1 else word for word in taken[:wanted])

    def text(topic: list[list[str]], places: Sequence[int]) -> str:
        return "\n".join(line(topic, place) for place in places)

    items = []
    for _ in range(count):
        topic = rng.choice(topics)
        places = [rng.randrange(len(topic)) for _ in range(vary(sentences))]
        targets = []
        for _ in range(models):
            others = [rng.choice(places) if rng.random() < 0.5 else rng.randrange(len(topic)) for _ in places]
            targets.append(text(topic, others))
        items.append(Item(text(topic, places), tuple(targets)))
    return items


def real_items(name: str) -> list[Item] | None:
    """Every peer of a real campaign with its topic's models; None where PYRAMIDION_DATA does not have the campaign."""
    folder = os.environ.get("PYRAMIDION_DATA")
    if folder is None or not (Path(folder) / name / "summaries.jsonl").exists():
        return None
    campaign = pyramidion.load(Path(folder) / name)
    models: dict[str, list[str]] = {}
    for summary in campaign.summaries:
        if summary.kind == "model":
            models.setdefault(summary.topic, []).append(_as_lines(summary.text))
    return [
        Item(_as_lines(summary.text), tuple(models[summary.topic]))
        for summary in campaign.summaries
        if summary.kind == "peer"
    ]


def fresh(items: Sequence[Item]) -> list[Item]:
    """Equal texts as new objects, so that nothing that Python remembers about a string helps a second round."""

    def copy(text: str) -> str:
        return (text + " ")[:-1]

    copies: dict[str, str] = {}
    for item in items:
        for text in (item.prediction, *item.targets):
            if text not in copies:
                copies[text] = copy(text)
    return [Item(copies[item.prediction], tuple(copies[target] for target in item.targets)) for item in items]


def describe(items: Sequence[Item]) -> str:
    """How many items there are, and how long their texts."""
    predictions = [len(item.prediction.split()) for item in items]
    targets = [len(target.split()) for item in items for target in item.targets]
    return (
        f"{len(items):,} predictions of {sum(predictions) / len(predictions):.0f} words, "
        f"targets of {sum(targets) / len(targets):.0f}"
    )


def _sentences_by_topic() -> list[list[str]]:
    topics = pyramidion.load("demo").topics
    return [
        [line for document in topic.documents for line in _as_lines(document.text).splitlines()] for topic in topics
    ]


def _as_lines(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else "\n".join(text)
