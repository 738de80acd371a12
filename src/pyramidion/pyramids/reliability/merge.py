"""Annotations that come as separate files, brought together: what is of the same models is of one topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from pyramidion.campaign import Campaign, PeerAnnotation, Pyramid, Summary, Topic, TopicData, plain
from pyramidion.campaign.nouns import pyramid_of


def merge_topics(sources: Sequence[tuple[str, Campaign]]) -> list[TopicData]:
    """Topics of several sources (a name and what was read), each with the annotators of all of them.

    Topics are the same when their models have the same names and texts, peers when they have the same text. Every
    annotator keeps a pyramid, also if it equals another's; only the copy that comes with annotations (in a .pan) refers
    to the equal one. An annotator without a name, or with that of another, is called by the source's name. A single
    source is used as it is.
    """
    if len(sources) == 1:
        campaign = sources[0][1]
        return [topic for topic in campaign.each_topic(peers="all") if topic.pyramids]
    merged: dict[tuple[tuple[str, str], ...], _GrowingTopic] = {}
    topics: list[tuple[str, TopicData]] = []
    for name, campaign in sources:
        topics += [(name, topic) for topic in campaign.each_topic(peers="all")]
    # Pyramids come before the annotations that refer to them.
    for name, topic in sorted(topics, key=lambda named_topic: bool(named_topic[1].annotations)):
        if topic.pyramids:
            models = tuple(sorted((model.summarizer, plain(model.text)) for model in topic.models))
            merged.setdefault(models, _GrowingTopic(topic)).add(name, topic)
    return [merged_topic.topic() for merged_topic in merged.values()]


@dataclass
class _GrowingTopic:
    """A topic that grows as sources are added to it."""

    first: TopicData
    pyramids: list[Pyramid] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)
    peers: list[Summary] = field(default_factory=list)

    def add(self, source: str, topic: TopicData) -> None:
        used = [pyramid_of(annotation, topic.pyramids) for annotation in topic.annotations]
        pyramids = [self._pyramid(pyramid, source, copy=pyramid in used) for pyramid in topic.pyramids]
        texts = {summary.summarizer: summary for summary in topic.peers}
        for annotation in topic.annotations:
            belongs = pyramid_of(annotation, topic.pyramids)
            summary = texts.get(annotation.summarizer)
            if belongs is None or summary is None:
                continue
            peer = self._peer(summary, annotation.annotator)
            taken = self._annotators(peer)
            self.annotations.append(
                msgspec.structs.replace(
                    annotation,
                    topic=self.topic_id,
                    summarizer=peer.summarizer,
                    annotator=_choose_free_name(annotation.annotator, source, taken),
                    pyramid=pyramids[topic.pyramids.index(belongs)].annotator,
                )
            )

    @property
    def topic_id(self) -> str:
        return self.first.topic.topic

    def topic(self) -> TopicData:
        return TopicData(
            topic=Topic(topic=self.topic_id),
            models=self.first.models,
            peers=tuple(self.peers),
            pyramids=tuple(self.pyramids),
            annotations=tuple(self.annotations),
        )

    def _pyramid(self, pyramid: Pyramid, source: str, *, copy: bool) -> Pyramid:
        """The known pyramid that this one is a copy of, or this one under a name of its own."""
        for earlier in self.pyramids:
            same = copy or (pyramid.annotator and pyramid.annotator == earlier.annotator)
            if same and list(_list_content(earlier)) == list(_list_content(pyramid)):
                return earlier
        annotator = _choose_free_name(pyramid.annotator, source, {earlier.annotator for earlier in self.pyramids})
        renamed = msgspec.structs.replace(pyramid, topic=self.topic_id, annotator=annotator)
        self.pyramids.append(renamed)
        return renamed

    def _peer(self, summary: Summary, annotator: str) -> Summary:
        """The peer with the same text, or this one under a name that no other has.

        Two systems may write the same text: what one annotator matched under two names is of two peers.
        """
        same = [peer for peer in self.peers if plain(peer.text) == plain(summary.text)]
        for peer in sorted(same, key=lambda peer: peer.summarizer != summary.summarizer):
            if peer.summarizer == summary.summarizer or annotator not in self._annotators(peer):
                return peer
        names = {peer.summarizer for peer in self.peers}
        summarizer = _choose_free_name(summary.summarizer, summary.summarizer, names)
        self.peers.append(msgspec.structs.replace(summary, topic=self.topic_id, summarizer=summarizer))
        return self.peers[-1]

    def _annotators(self, peer: Summary) -> set[str]:
        """Who has annotated a peer so far."""
        annotations = [annotation for annotation in self.annotations if annotation.summarizer == peer.summarizer]
        return {annotation.annotator for annotation in annotations}


def _list_content(pyramid: Pyramid) -> Iterator[tuple[object, ...]]:
    """What makes two pyramids the same: uids, labels and contributors, whoever made them."""
    for scu in pyramid.scus:
        contributors = [(contributor.model, contributor.parts) for contributor in scu.contributors]
        yield (scu.uid, scu.label, contributors)


def _choose_free_name(name: str, other: str, used: set[str]) -> str:
    """The name, or the other one, or that with a number, whichever nobody has."""
    if name and name not in used:
        return name
    candidate, number = other, 2
    while candidate in used:
        candidate, number = f"{other} ({number})", number + 1
    return candidate
