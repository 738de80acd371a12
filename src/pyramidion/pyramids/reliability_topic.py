"""All that the annotations of one topic say about reliability: which of them can be compared, and what comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pyramidion.campaign import PeerAnnotation, Pyramid, TopicData, plain, pyramid_of
from pyramidion.pyramids.reliability import Agreement, AgreementOptions, peer_agreement, pyramid_agreement
from pyramidion.pyramids.reliability_scores import ScoresAcross, models_across, peers_across

_DEFAULT = AgreementOptions()


def topic_agreement(topic: TopicData, *, options: AgreementOptions = _DEFAULT) -> list[Agreement]:
    """α of a topic's pyramids and of its peers' annotations; nothing where there is only one annotator.

    Args:
        topic: with all its summaries as peers (`campaign.topic(id, peers="all")`).
        options: distances, normalising and bootstrap.
    """
    texts = {summary.summarizer: plain(summary.text) for summary in (*topic.models, *topic.peers)}
    found: list[Agreement] = []
    if len(topic.pyramids) > 1:
        models = {model.summarizer: plain(model.text) for model in topic.models}
        found += pyramid_agreement(topic.pyramids, models, options=options)
    for pyramid, several in _annotated_twice(topic):
        found += peer_agreement(pyramid, several, texts, options=options)
    return found


def topic_scores_across(topic: TopicData, *, include_self: bool = False) -> list[ScoresAcross]:
    """Scores of a topic's models by each pyramid, and of its peers by each annotation, where there are several."""
    found: list[ScoresAcross] = []
    if len(topic.pyramids) > 1:
        found += models_across(topic.pyramids, include_self=include_self)
    for pyramid, several in _annotated_twice(topic):
        found += peers_across(pyramid, several)
    return found


def _annotated_twice(topic: TopicData) -> list[tuple[Pyramid, Sequence[PeerAnnotation]]]:
    """Per pyramid, the annotations of peers that several annotators matched against it."""
    found: list[tuple[Pyramid, Sequence[PeerAnnotation]]] = []
    for pyramid in topic.pyramids:
        own = [one for one in topic.annotations if pyramid_of(one, topic.pyramids) is pyramid]
        times = Counter(annotation.summarizer for annotation in own)
        several = [annotation for annotation in own if times[annotation.summarizer] > 1]
        if several:
            found.append((pyramid, several))
    return found
