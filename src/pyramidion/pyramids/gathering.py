"""From a topic of a campaign to incidences: who matched which peers with which pyramid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyramidion.campaign import PeerAnnotation, Pyramid, TopicData, pyramid_of
from pyramidion.pyramids.incidence import Incidence, WeightFunction

NO_PYRAMID = "their topic has several pyramids; say in `pyramid` of annotations.jsonl by which annotator theirs is"


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotated:
    """A pyramid and the peers that one annotator matched with it: what the scores of these peers rest on."""

    topic: str
    annotator: str
    """Who matched the peers with the pyramid."""
    pyramid: Pyramid
    annotations: tuple[PeerAnnotation, ...]
    incidence: Incidence
    """Its peers are the annotated ones, then models as human peers."""


def without_pyramid(topic: TopicData) -> tuple[PeerAnnotation, ...]:
    """Annotations of the topic's peers that can't be told to belong to one of its pyramids; nothing scores them."""
    peers = {peer.summarizer for peer in topic.peers}
    lost = (one for one in topic.annotations if pyramid_of(one, topic.pyramids) is None)
    return tuple(one for one in lost if one.summarizer in peers)


def gather(
    topic: TopicData, *, annotator: str | None = None, weight: WeightFunction | None = None
) -> Iterator[Annotated]:
    """The incidences of a topic, one for each pyramid and annotator; their peers are among `topic.peers`.

    A model among the peers is a human peer of each pyramid that it is in, once: it expresses the SCUs that it
    contributes to, whoever matched the others.

    Args:
        topic: what the campaign holds about it.
        annotator: only who made or used a pyramid under this name; None for everyone.
        weight: what replaces the number of contributing models.
    """
    wanted = dict.fromkeys(peer.summarizer for peer in topic.peers)
    matched: list[dict[str, list[PeerAnnotation]]] = [{} for _ in topic.pyramids]
    for annotation in topic.annotations:
        pyramid = pyramid_of(annotation, topic.pyramids)
        for index, one in enumerate(topic.pyramids):
            if one is pyramid:
                matched[index].setdefault(annotation.annotator, []).append(annotation)
    for pyramid, by_annotator in zip(topic.pyramids, matched, strict=True):
        # A pyramid that names nobody is taken for the work of whoever used it first.
        maker = pyramid.annotator or next(iter(by_annotator), "")
        models = set(pyramid.models)
        for who in dict.fromkeys([maker, *by_annotator]):
            if annotator not in (None, who):
                continue
            found = by_annotator.get(who, [])
            chosen = [one for one in found if one.summarizer in wanted and one.summarizer not in models]
            scores_humans = who == (maker if annotator is None else annotator)
            humans = [peer for peer in wanted if peer in models] if scores_humans else []
            if chosen or humans:
                yield Annotated(
                    topic=topic.topic.topic,
                    annotator=who,
                    pyramid=pyramid,
                    annotations=tuple(chosen),
                    incidence=Incidence.of(pyramid, chosen, models_as_peers=humans, weight=weight),
                )
