"""Annotation of pyramids and peers: what the organiser chooses, and which work two annotators have both done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pyramidion.assess.kinds.preference.pairs import shuffle
from pyramidion.assess.store.settings import Settings
from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.nouns import pyramid_of

SETTINGS = {"scores": True, "suggestions": False}
"""What pages of annotation show, and whether they do unless the organiser says otherwise."""


def annotation_settings(settings: Settings) -> dict[str, bool]:
    """What pages of annotation show."""
    chosen = settings.several({_key(name): default for name, default in SETTINGS.items()})
    return {name: bool(chosen[_key(name)]) for name in SETTINGS}


def set_annotation(settings: Settings, name: str, value: bool) -> None:
    """Show something on pages of annotation, or hide it."""
    settings.set(_key(name), value)


def _key(name: str) -> str:
    return f"annotation-{name}"


@dataclass(frozen=True, kw_only=True)
class DoubleAnnotation:
    """Work that two annotators have both done: a topic's pyramid, or some of its peers."""

    kind: str
    """The kind of work that makes a consensus of it."""
    topic: str
    annotators: tuple[str, str]
    summarizers: tuple[str, ...] = ()
    pyramid: str = ""

    @property
    def key(self) -> str:
        """What identifies it in a form."""
        return "/".join((self.kind, self.topic, *self.annotators))

    def specs(self, campaign: Campaign) -> Iterator[dict[str, Any]]:
        """The tasks that make a consensus of it."""
        models = [model.summarizer for model in campaign.topic(self.topic).models]
        handles = {str(number): one for number, one in enumerate(shuffle(models, self.topic, self.kind), start=1)}
        spec = {"models": handles, "annotators": list(self.annotators)}
        if self.kind == "adjudicate":
            yield spec
        for one in shuffle(self.summarizers, self.topic, self.kind):
            yield {**spec, "summaries": {"1": one}, "pyramid": self.pyramid, **_mode(campaign, self, one)}


def find_double_annotations(campaign: Campaign) -> list[DoubleAnnotation]:
    """All that two annotators have both done, by topic; a consensus is no annotator."""
    return [one for topic in campaign.each_topic(peers="all") for one in (*_pyramids(topic), *_peers(topic))]


def _pyramids(topic: TopicData) -> Iterator[DoubleAnnotation]:
    makers = [one.annotator for one in topic.pyramids if not one.consensus]
    for first, second in combinations(dict.fromkeys(makers), 2):
        yield DoubleAnnotation(kind="adjudicate", topic=topic.topic.topic, annotators=(first, second))


def _peers(topic: TopicData) -> Iterator[DoubleAnnotation]:
    """Peers that two annotators matched against the same pyramid."""
    found: dict[tuple[str, str, str], list[str]] = {}
    own = [one for one in topic.annotations if not one.consensus]
    for first, second in combinations(own, 2):
        pyramid = pyramid_of(first, topic.pyramids)
        same = pyramid is not None and pyramid is pyramid_of(second, topic.pyramids)
        if first.summarizer == second.summarizer and first.annotator != second.annotator and pyramid and same:
            a, b = sorted((first.annotator, second.annotator))
            found.setdefault((a, b, pyramid.annotator), []).append(first.summarizer)
    for (a, b, maker), peers in found.items():
        yield DoubleAnnotation(
            kind="adjudicate-peer",
            topic=topic.topic.topic,
            annotators=(a, b),
            summarizers=tuple(dict.fromkeys(peers)),
            pyramid=maker,
        )


def _mode(campaign: Campaign, twice: DoubleAnnotation, summarizer: str) -> dict[str, Any]:
    """Full or light, as both annotated: light if no words were marked."""
    theirs = [
        one
        for one in campaign.topic(twice.topic).annotations
        if one.summarizer == summarizer and one.annotator in twice.annotators
    ]
    marked = any(match.contributors for one in theirs for match in one.scus)
    light = not marked and any(match.present for one in theirs for match in one.scus)
    return {"mode": "light" if light else "full", "non_matching": all(one.unmatched is not None for one in theirs)}
