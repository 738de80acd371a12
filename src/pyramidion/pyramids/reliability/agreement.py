"""`pyramid agreement`: how far the annotators of pyramids and of peers agree, and what that does to scores."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from pyramidion.campaign import Campaign, CampaignWarning, PeerAnnotation, Pyramid, TopicData, plain
from pyramidion.errors import InputError, UsageError, did_you_mean, mention
from pyramidion.options import PyramidAgreementOptions
from pyramidion.pyramids.reliability.across import ScoresAcross, models_across, peers_across
from pyramidion.pyramids.reliability.alpha import Alpha, peer_agreement, pyramid_agreement
from pyramidion.pyramids.reliability.merge import merge_topics
from pyramidion.show.tables import Finding, Row
from pyramidion.show.wording import counted


class PyramidAgreement(Finding):
    """Krippendorff's α for each topic; if asked for, scores across annotations."""

    record_kinds: ClassVar[tuple[str, ...]] = ("alpha", "annotation-score", "annotation-difference", "annotation-anova")

    alphas: tuple[Alpha, ...]
    across: tuple[ScoresAcross, ...] = ()
    options: PyramidAgreementOptions

    def rows(self) -> Iterator[Row]:
        """α, then scores under each annotation, their differences, and the analysis of variance."""
        yield from self.alphas
        for table in across_rows(self.across):
            yield from table


def across_rows(across: Sequence[ScoresAcross]) -> tuple[list[Row], list[Row], list[Row]]:
    """Scores under each annotation, differences, and analyses of variance."""
    scores: list[Row] = []
    differences: list[Row] = []
    for topic_scores in across:
        scores += topic_scores.score_rows()
        differences += topic_scores.difference_rows()
    return scores, differences, [topic_scores.anova_row() for topic_scores in across]


def measure_agreement(
    sources: Sequence[tuple[str, Campaign]],
    options: PyramidAgreementOptions | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> PyramidAgreement:
    """How far annotators agree. Topics of several sources are the same if their models are the same.

    Args:
        sources: names and what was read there; an annotator without a name gets that of the source.
        options: distances, normalising, bootstrap, scores across annotations.
        seed: of the bootstrap.
        progress: called with the number of topics done since the last call.
    """
    options = options or PyramidAgreementOptions()
    topics = merge_topics(sources)
    if not topics:
        names = ", ".join(name for name, _ in sources)
        raise InputError(f"{names}: found no pyramid; agreement needs the pyramids of two annotators")
    chosen = [topic for topic in topics if options.topic in (None, topic.topic.topic)]
    if not chosen:
        hint = did_you_mean(str(options.topic), [topic.topic.topic for topic in topics])
        raise UsageError(
            f"{mention('topic', options.topic)}: no such topic with a pyramid{hint} see `pyramidion describe`"
        )
    alphas: list[Alpha] = []
    for topic in chosen:
        alphas += topic_agreement(topic, options, seed=seed)
        if progress:
            progress(1)
    if not alphas:
        raise InputError(
            "no topic has pyramids by two annotators, and no peer was annotated twice with one pyramid; give the files "
            "of both annotators, or a campaign that has both"
        )
    # Topics without a row had one annotator only.
    single = len(chosen) - len({row.topic for row in alphas})
    if single:
        message = f"{single} of {counted(len(chosen), 'topic')} left out: a single annotator"
        warnings.warn(message, CampaignWarning, stacklevel=2)
    across: list[ScoresAcross] = []
    if options.across:
        for topic in chosen:
            across += topic_scores_across(topic, include_self=options.include_self)
    return PyramidAgreement(alphas=tuple(alphas), across=tuple(across), options=options)


def topic_agreement(topic: TopicData, options: PyramidAgreementOptions | None = None, *, seed: int = 0) -> list[Alpha]:
    """α of a topic's pyramids and of its peers' annotations; nothing if there is only one annotator.

    Args:
        topic: with all its summaries as peers (`campaign.topic(id, peers="all")`).
        options: distances, normalising and bootstrap.
        seed: of the bootstrap.
    """
    options = options or PyramidAgreementOptions()
    texts = {summary.summarizer: plain(summary.text) for summary in (*topic.models, *topic.peers)}
    alphas: list[Alpha] = []
    pyramids = _by_coders(topic)
    if len(pyramids) > 1:
        models = {model.summarizer: plain(model.text) for model in topic.models}
        alphas += pyramid_agreement(pyramids, models, options, seed=seed)
    for pyramid, several in _annotated_twice(topic):
        alphas += peer_agreement(pyramid, several, texts, options, seed=seed)
    return alphas


def topic_scores_across(topic: TopicData, *, include_self: bool = False) -> list[ScoresAcross]:
    """Scores of a topic's models with each pyramid, and of its peers with each annotation, if two annotators made some.

    What they agreed on, their consensus, comes last, as in Table 1 of Nenkova & Passonneau 2004.
    """
    across: list[ScoresAcross] = []
    pyramids = _by_coders(topic)
    if len(pyramids) > 1:
        agreed_pyramids = [pyramid for pyramid in topic.pyramids if pyramid.consensus]
        across += models_across([*pyramids, *agreed_pyramids], include_self=include_self)
    for pyramid, several in _annotated_twice(topic):
        peers = {annotation.summarizer for annotation in several}
        agreed = [annotation for annotation in topic.annotations_of(pyramid) if annotation.consensus]
        across += peers_across(pyramid, [*several, *(one for one in agreed if one.summarizer in peers)])
    return across


def _by_coders(topic: TopicData) -> list[Pyramid]:
    """The pyramids of annotators: a consensus of theirs is no annotator."""
    return [pyramid for pyramid in topic.pyramids if not pyramid.consensus]


def _annotated_twice(topic: TopicData) -> list[tuple[Pyramid, Sequence[PeerAnnotation]]]:
    """Per pyramid, the annotations of peers that several annotators matched with it."""
    annotated_twice: list[tuple[Pyramid, Sequence[PeerAnnotation]]] = []
    for pyramid in topic.pyramids:
        annotations = [annotation for annotation in topic.annotations_of(pyramid) if not annotation.consensus]
        times = Counter(annotation.summarizer for annotation in annotations)
        several = [annotation for annotation in annotations if times[annotation.summarizer] > 1]
        if several:
            annotated_twice.append((pyramid, several))
    return annotated_twice
