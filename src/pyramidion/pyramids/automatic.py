"""Automatic matching of peers with pyramids, and the threshold that agrees best with the annotators of other topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Match, PeerAnnotation, Pyramid, TopicData, plain
from pyramidion.pyramids.incidence import preferred
from pyramidion.pyramids.suggestions import Idf, presence

THRESHOLDS: Floats = np.arange(1, 21) / 20
"""Those that are tried: 0.05, 0.10, …, 1."""
UNCALIBRATED = 0.5
"""The threshold where no other topic was annotated."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """What automatic matching takes from a campaign: how rare words are, and how far thresholds agree with people."""

    idf: Idf
    agreement: Mapping[str, Floats]
    """Of each annotated topic and for each of `THRESHOLDS`, the number of decisions that agree with the annotators."""

    @classmethod
    def of(cls, topics: Iterable[TopicData], idf: Idf) -> Calibration:
        """From topics with all their summaries; those without annotations say nothing."""
        agreement = {topic.topic.topic: _agreement(preferred(topic), idf) for topic in topics if topic.annotations}
        return cls(idf, {topic: agreements for topic, agreements in agreement.items() if agreements.any()})

    @classmethod
    def of_campaign(cls, campaign: Campaign) -> Calibration:
        """From a whole campaign."""
        return cls.of(campaign.each_topic(peers="all"), Idf.of(campaign))

    def threshold(self, topic: str) -> float | None:
        """The threshold that agrees best with the annotations of all other topics; None if there are none.

        If several agree equally well, it is the lowest.
        """
        other_topics = [agreements for name, agreements in self.agreement.items() if name != topic]
        if other_topics:
            return float(THRESHOLDS[int(np.sum(other_topics, axis=0).argmax())])
        return None


def pyramids_of(topic: TopicData, annotator: str | None = None) -> list[Pyramid]:
    """The pyramids that peers are matched with: those of an annotator, else the consensus, else all."""
    if annotator is not None:
        return [pyramid for pyramid in topic.pyramids if pyramid.annotator == annotator]
    consensus_pyramids = [pyramid for pyramid in topic.pyramids if pyramid.consensus]
    return consensus_pyramids or list(topic.pyramids)


def match_automatically(
    pyramid: Pyramid, topic: TopicData, idf: Idf, *, threshold: float = UNCALIBRATED
) -> list[PeerAnnotation]:
    """The topic's peers as the matcher would annotate them: an SCU is present if its recall reaches the threshold."""
    peers = {peer.summarizer: plain(peer.text) for peer in topic.peers}
    # Floats hold the twentieths of the thresholds only nearly.
    is_present = presence(pyramid, peers, _models(topic), idf) >= threshold - 1e-9
    annotations: list[PeerAnnotation] = []
    for column, peer in enumerate(peers):
        presences = zip(pyramid.scus, is_present[:, column].tolist(), strict=True)
        annotation = PeerAnnotation(
            topic=pyramid.topic,
            summarizer=peer,
            annotator="automatic",
            pyramid=pyramid.annotator,
            scus=tuple(Match(uid=scu.uid, present=present) for scu, present in presences),
        )
        annotations.append(annotation)
    return annotations


def judged_presence(topic: TopicData, idf: Idf) -> tuple[Floats, Sequence[bool]]:
    """For each SCU and annotated peer of a topic: its recall, and whether the annotator found it."""
    texts = {summary.summarizer: plain(summary.text) for summary in (*topic.models, *topic.peers)}
    recalls: list[Floats] = [np.zeros(0)]
    judged: list[bool] = []
    for pyramid in topic.pyramids:
        annotations = [annotation for annotation in topic.annotations_of(pyramid) if annotation.summarizer in texts]
        if not annotations:
            continue
        peers = {annotation.summarizer: texts[annotation.summarizer] for annotation in annotations}
        column = {peer: number for number, peer in enumerate(peers)}
        recall = presence(pyramid, peers, _models(topic), idf)
        for annotation in annotations:
            present = {match.uid for match in annotation.scus if match.present}
            recalls.append(recall[:, column[annotation.summarizer]])
            judged += [scu.uid in present for scu in pyramid.scus]
    return np.concatenate(recalls), judged


def _agreement(topic: TopicData, idf: Idf) -> Floats:
    recalls, judged = judged_presence(topic, idf)
    decided = recalls[:, None] >= THRESHOLDS - 1e-9
    agreed: Floats = (decided == np.array(judged, dtype=np.bool_)[:, None]).sum(axis=0).astype(np.float64)
    return agreed


def _models(topic: TopicData) -> dict[str, str]:
    return {model.summarizer: plain(model.text) for model in topic.models}
