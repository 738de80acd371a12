"""Which pyramids and peers two annotators have both done: what a consensus can be made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pyramidion.assess.kinds.assignment import Spec, number_handles, shuffle
from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.nouns import pyramid_of


@dataclass(frozen=True, kw_only=True)
class DoubleAnnotation:
    """Work that two annotators have both done: a topic's pyramid, or some of its peers."""

    kind: str
    """The kind of work that makes a consensus of it."""
    topic: str
    annotators: tuple[str, str]
    summarizers: tuple[str, ...] = ()
    """The peers; none where it is a pyramid."""
    pyramid: str = ""
    """The annotator of the pyramid that both matched the peers against."""

    @property
    def key(self) -> str:
        """What identifies it in a form, whoever of the annotators comes first in the files."""
        return "/".join((self.kind, self.topic, *sorted(self.annotators)))

    def specs(self, campaign: Campaign) -> Iterator[Spec]:
        """The tasks that make a consensus of it."""
        models = [model.summarizer for model in campaign.topic(self.topic).models]
        handles = number_handles(shuffle(models, self.topic, self.kind))
        spec = {"models": handles, "annotators": list(self.annotators)}
        if self.kind == "adjudicate":
            yield spec
        for summarizer in shuffle(self.summarizers, self.topic, self.kind):
            mode = self._mode(campaign, summarizer)
            yield {**spec, "summaries": {"1": summarizer}, "pyramid": self.pyramid, **mode}

    def _mode(self, campaign: Campaign, summarizer: str) -> dict[str, Any]:
        """Full or light, as both annotated a peer: light if no words were marked."""
        of_peer = [row for row in campaign.topic(self.topic).annotations if row.summarizer == summarizer]
        annotations = [annotation for annotation in of_peer if annotation.annotator in self.annotators]
        matches = [match for annotation in annotations for match in annotation.scus]
        has_words = any(match.contributors for match in matches)
        is_light = not has_words and any(match.present for match in matches)
        return {
            "mode": "light" if is_light else "full",
            "non_matching": all(annotation.unmatched is not None for annotation in annotations),
        }


def find_double_annotations(campaign: Campaign) -> list[DoubleAnnotation]:
    """All that two annotators have both done, by topic; a consensus is no annotator."""
    doubles: list[DoubleAnnotation] = []
    for topic in campaign.each_topic(peers="all"):
        doubles += _double_pyramids(topic)
        doubles += _double_peers(topic)
    return doubles


def _double_pyramids(topic: TopicData) -> Iterator[DoubleAnnotation]:
    annotators = [pyramid.annotator for pyramid in topic.pyramids if not pyramid.consensus]
    for first, second in combinations(dict.fromkeys(annotators), 2):
        yield DoubleAnnotation(kind="adjudicate", topic=topic.topic.topic, annotators=(first, second))


def _double_peers(topic: TopicData) -> Iterator[DoubleAnnotation]:
    """Peers that two annotators matched against the same pyramid."""
    peers: dict[tuple[str, str, str], list[str]] = {}
    # Answers to drawn questions are no annotations of a whole peer.
    annotations = [row for row in topic.annotations if not row.consensus and row.draw is None]
    for first, second in combinations(annotations, 2):
        if first.summarizer != second.summarizer or first.annotator == second.annotator:
            continue
        pyramid = pyramid_of(first, topic.pyramids)
        if pyramid is None or pyramid is not pyramid_of(second, topic.pyramids):
            continue
        earlier, later = sorted((first.annotator, second.annotator))
        peers.setdefault((earlier, later, pyramid.annotator), []).append(first.summarizer)
    for (earlier, later, annotator), summarizers in peers.items():
        yield DoubleAnnotation(
            kind="adjudicate-peer",
            topic=topic.topic.topic,
            annotators=(earlier, later),
            summarizers=tuple(dict.fromkeys(summarizers)),
            pyramid=annotator,
        )
