"""From a topic of a campaign to incidences: who matched which peers with which pyramid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pyramidion.campaign import Campaign, PeerAnnotation, Pyramid, TopicData
from pyramidion.campaign.nouns import pyramid_of
from pyramidion.errors import check_known
from pyramidion.options import PeerChoice, SubPyramidOptions, WeightRule
from pyramidion.pyramids.incidence import Incidence, WeightFunction
from pyramidion.tables import grouped

NO_PYRAMID = "their topic has several pyramids; name the annotator of theirs in `pyramid` of annotations.jsonl"


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

    @property
    def rule(self) -> WeightRule:
        """What an SCU weighs in it."""
        return "models" if self.incidence.numbers is None else "contributors"


def without_pyramid(topic: TopicData) -> tuple[PeerAnnotation, ...]:
    """Annotations of the topic's peers that can't be assigned to one of its pyramids; they are not scored."""
    peers = {peer.summarizer for peer in topic.peers}
    lost = (one for one in topic.annotations if pyramid_of(one, topic.pyramids) is None)
    return tuple(one for one in lost if one.summarizer in peers)


def chosen_topics(
    campaigns: Sequence[Campaign], options: SubPyramidOptions, *, peers: PeerChoice = "all"
) -> list[TopicData]:
    """The topics that were chosen; a topic, annotator or model that does not exist is a usage error."""
    pyramids = [pyramid for campaign in campaigns for pyramid in campaign.pyramids]
    users = [one.annotator for campaign in campaigns for one in campaign.annotations]
    known = {
        "--topic": [id for campaign in campaigns for id in campaign.topic_ids],
        "--annotator": [name for name in (*(pyramid.annotator for pyramid in pyramids), *users) if name],
        "--model": [model for pyramid in pyramids for model in pyramid.models],
    }
    models = [("--model", model) for model in options.model]
    asked = [("--topic", options.topic), ("--annotator", options.annotator), *models]
    for option, given in asked:
        if given is not None:
            check_known(given, known[option], f"{option} {given}: does not exist")
    topics = (topic for campaign in campaigns for topic in campaign.each_topic(peers=peers))
    return [topic for topic in topics if options.topic in (None, topic.topic.topic)]


def most_used(found: Iterable[Annotated]) -> list[Annotated]:
    """Each pyramid once, with the peers of whoever annotated most of them."""
    users = grouped(found, lambda one: id(one.pyramid))
    return [max(several, key=lambda one: len(one.annotations)) for several in users.values()]


def preferred(topic: TopicData) -> TopicData:
    """The topic without the annotations of peers for which there is something better: a consensus."""

    def rank(annotation: PeerAnnotation) -> tuple[bool, bool]:
        pyramid = pyramid_of(annotation, topic.pyramids)
        return annotation.consensus, pyramid is not None and pyramid.consensus

    best: dict[str, tuple[bool, bool]] = {}
    for one in topic.annotations:
        best[one.summarizer] = max(best.get(one.summarizer, (False, False)), rank(one))
    if not any(map(any, best.values())):
        return topic
    return replace(topic, annotations=tuple(one for one in topic.annotations if rank(one) == best[one.summarizer]))


def gather(
    topic: TopicData,
    *,
    annotator: str | None = None,
    weight: WeightFunction | None = None,
    weights: WeightRule | None = None,
) -> Iterator[Annotated]:
    """The incidences of a topic, one for each pyramid and annotator; their peers are among `topic.peers`.

    A model among the peers is a human peer of each pyramid that it is in, once: it expresses the SCUs that it
    contributes to, whoever matched the others. Unless an annotator is named, a peer with a consensus has no other
    incidence: that of a consensus annotation, or else of the consensus pyramid.

    Args:
        topic: what the campaign holds about it.
        annotator: only who made or used a pyramid under this name; None for everyone, or their consensus.
        weight: what replaces the number of contributing models.
        weights: whether contributors or models are counted; None: as each pyramid says.
    """
    wanted = dict.fromkeys(peer.summarizer for peer in topic.peers)
    if annotator is None:
        topic = preferred(topic)
    agreed = {model for pyramid in topic.pyramids if pyramid.consensus for model in pyramid.models}
    for pyramid in topic.pyramids:
        by_annotator = grouped(topic.annotations_of(pyramid), lambda one: one.annotator)
        # A pyramid without an annotator is treated as the work of whoever used it first.
        maker = pyramid.annotator or next(iter(by_annotator), "")
        models = set(pyramid.models)
        for who in dict.fromkeys([maker, *by_annotator]):
            if annotator not in (None, who):
                continue
            found = by_annotator.get(who, [])
            chosen = [one for one in found if one.summarizer in wanted and one.summarizer not in models]
            scores_humans = who == (maker if annotator is None else annotator)
            humans = [peer for peer in wanted if peer in models] if scores_humans else []
            if annotator is None and not pyramid.consensus:
                humans = [peer for peer in humans if peer not in agreed]
            if chosen or humans:
                yield Annotated(
                    topic=topic.topic.topic,
                    annotator=who,
                    pyramid=pyramid,
                    annotations=tuple(chosen),
                    incidence=Incidence.of(pyramid, chosen, models_as_peers=humans, weight=weight, weights=weights),
                )
