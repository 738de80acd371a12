"""Which models and which peers express which SCU of a pyramid, as arrays: all of them, over many subsets at once.

The weights, D and Max of every sub-pyramid follow from the SCU × model and SCU × peer incidence by matrix products.
What scores are made of them is in `scores`; how a campaign's annotations find their pyramid is in `gathering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import Campaign, PeerAnnotation, Pyramid, TopicData, plain
from pyramidion.campaign.nouns import pyramid_of
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import PeerChoice, Rounding, SubPyramidOptions, WeightRule
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

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
    texts: Mapping[str, str] = field(default_factory=dict)
    """By model, the text that contributors mark words of; without texts, only their labels have words."""

    @property
    def rule(self) -> WeightRule:
        """What an SCU weighs in it."""
        if self.incidence.numbers is None:
            return "models"
        return "contributors"


def without_pyramid(topic: TopicData) -> tuple[PeerAnnotation, ...]:
    """Annotations of the topic's peers that can't be assigned to one of its pyramids; they are not scored."""
    peers = {peer.summarizer for peer in topic.peers}
    lost = (annotation for annotation in topic.annotations if pyramid_of(annotation, topic.pyramids) is None)
    return tuple(annotation for annotation in lost if annotation.summarizer in peers)


def answers_only_listed(annotation: PeerAnnotation) -> bool:
    """Whether an annotation says nothing about SCUs that it does not list: it names absent ones, or answers a draw."""
    return annotation.draw is not None or any(not match.present for match in annotation.scus)


@dataclass(frozen=True, kw_only=True)
class PartialAnswers:
    """Annotations of some topics that answer for a part of the SCUs only."""

    left_out: int = 0
    """Answers to drawn questions, which are no annotations of a whole peer and have no score."""
    scored: int = 0
    """Annotations that name absent SCUs, but not all; scores count what they do not name as absent."""


def count_partial_answers(topics: Iterable[TopicData], annotator: str | None = None) -> PartialAnswers:
    """Count the annotations of chosen peers that answer for a part of the SCUs only, of one annotator or of all."""
    left_out = scored = 0
    for topic in topics:
        peers = {peer.summarizer for peer in topic.peers}
        for pyramid in topic.pyramids:
            uids = {scu.uid for scu in pyramid.scus}
            whole = {(note.summarizer, note.annotator) for note in topic.annotations_of(pyramid)}
            drawn: set[tuple[str, str]] = set()
            for note in topic.answers_about(pyramid):
                if note.summarizer not in peers or annotator not in (None, note.annotator):
                    continue
                key = (note.summarizer, note.annotator)
                if note.draw is not None:
                    drawn.add(key)
                elif answers_only_listed(note):
                    scored += not uids <= {match.uid for match in note.scus}
            left_out += len(drawn - whole)
    return PartialAnswers(left_out=left_out, scored=scored)


def warnings_of_partial_answers(partial: PartialAnswers) -> Iterator[str]:
    """What must be said where plain scores are computed although only a part of the SCUs was answered."""
    estimate = '`using="auto-pyramid"` estimates scores from answers to a part of the SCUs'
    if partial.left_out:
        yield (
            f"{counted(partial.left_out, 'peer')} not scored: only drawn SCUs were answered, and a plain score would "
            f"count the others as absent; {estimate}"
        )
    if partial.scored:
        yield (
            f"scores of {counted(partial.scored, 'peer')} may be too low: the annotation names absent SCUs, but says "
            f"nothing about some others, which a plain score counts as absent; {estimate}"
        )


def chosen_topics(
    campaigns: Sequence[Campaign], options: SubPyramidOptions, *, peers: PeerChoice = "all"
) -> list[TopicData]:
    """The topics that were chosen; a topic, annotator or model that does not exist is a usage error."""
    pyramids = list(chain.from_iterable(campaign.pyramids for campaign in campaigns))
    annotations = chain.from_iterable(campaign.annotations for campaign in campaigns)
    makers = [pyramid.annotator for pyramid in pyramids]
    users = [annotation.annotator for annotation in annotations]
    names = {
        "topic": list(chain.from_iterable(campaign.topic_ids for campaign in campaigns)),
        "annotator": list(filter(None, makers + users)),
        "model": list(chain.from_iterable(pyramid.models for pyramid in pyramids)),
    }
    models = [("model", model) for model in options.model]
    asked = [("topic", options.topic), ("annotator", options.annotator), *models]
    for option, name in asked:
        if name is not None:
            check_known(name, names[option], f"{mention(option, name)}: does not exist")
    topics = chain.from_iterable(campaign.each_topic(peers=peers) for campaign in campaigns)
    return [topic for topic in topics if options.topic in (None, topic.topic.topic)]


def most_used(pyramids: Iterable[Annotated]) -> list[Annotated]:
    """Each pyramid once, with the peers of whoever annotated most of them."""
    users = grouped(pyramids, lambda annotated: id(annotated.pyramid))
    # max takes the first of equals: the maker of the pyramid, who comes first in `gather`.
    return [max(several, key=lambda annotated: len(annotated.annotations)) for several in users.values()]


def preferred(topic: TopicData) -> TopicData:
    """The topic without the annotations of peers for which there is something better: a consensus."""

    def rank(annotation: PeerAnnotation) -> tuple[bool, bool]:
        pyramid = pyramid_of(annotation, topic.pyramids)
        return annotation.consensus, pyramid is not None and pyramid.consensus

    best: dict[str, tuple[bool, bool]] = {}
    for annotation in topic.annotations:
        best_so_far = best.get(annotation.summarizer, (False, False))
        best[annotation.summarizer] = max(best_so_far, rank(annotation))
    if not any(map(any, best.values())):
        return topic
    kept = [annotation for annotation in topic.annotations if rank(annotation) == best[annotation.summarizer]]
    return replace(topic, annotations=tuple(kept))


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
    peers = dict.fromkeys(peer.summarizer for peer in topic.peers)
    if annotator is None:
        topic = preferred(topic)
    texts = {model.summarizer: plain(model.text) for model in topic.models}
    agreed: set[str] = set()
    for pyramid in topic.pyramids:
        if pyramid.consensus:
            agreed.update(pyramid.models)
    for pyramid in topic.pyramids:
        by_annotator = grouped(topic.annotations_of(pyramid), lambda annotation: annotation.annotator)
        # A pyramid without an annotator is treated as the work of whoever used it first.
        maker = pyramid.annotator or next(iter(by_annotator), "")
        models = set(pyramid.models)
        systems = peers.keys() - models
        human_scorer = maker if annotator is None else annotator
        for user in dict.fromkeys([maker, *by_annotator]):
            if annotator not in (None, user):
                continue
            annotations = by_annotator.get(user, [])
            chosen = [annotation for annotation in annotations if annotation.summarizer in systems]
            humans: list[str] = []
            if user == human_scorer:
                humans = [peer for peer in peers if peer in models]
            if annotator is None and not pyramid.consensus:
                humans = [peer for peer in humans if peer not in agreed]
            if chosen or humans:
                yield Annotated(
                    topic=topic.topic.topic,
                    annotator=user,
                    pyramid=pyramid,
                    annotations=tuple(chosen),
                    incidence=Incidence.of(pyramid, chosen, models_as_peers=humans, weight=weight, weights=weights),
                    texts=texts,
                )


WeightFunction = Callable[[Bools, Bools], Floats]
"""(SCUs × models, subsets × models) → weights, subsets × SCUs; the weights of SCUs without a model do not count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Incidence:
    """A pyramid and the peers that were matched against it."""

    models: tuple[str, ...]
    peers: tuple[str, ...]
    contributes: Bools
    """SCUs × models: whether the model contributes to the SCU."""
    expresses: Bools
    """SCUs × peers: whether the peer expresses the SCU."""
    sizes: Floats
    """Per peer X, its number of content units; NaN where its non-matching content was not marked."""
    uids: tuple[int, ...]
    labels: tuple[str, ...]
    numbers: Integers | None = None
    """SCUs × models: the number of contributors, where each of them counts; None: a model counts once."""
    weight: WeightFunction | None = None
    """What replaces the number of contributing models (Nenkova & Passonneau 2004, footnote 5)."""

    @classmethod
    def of(
        cls,
        pyramid: Pyramid,
        annotations: Iterable[PeerAnnotation] = (),
        *,
        models_as_peers: Iterable[str] = (),
        weight: WeightFunction | None = None,
        weights: WeightRule | None = None,
    ) -> Incidence:
        """The incidence of a pyramid; its peers are those annotated, and after them the models named.

        An SCU weighs as many as it has contributors, or models, as `weights` says, else as the pyramid does.

        A peer's X = matched SCUs + repeats (each further contributor of an SCU) + non-matching units (the paper,
        §3). A model as a peer expresses what it contributes to, and X is the number of these SCUs.
        """
        # Contributors may be of models that the list lacks, as in files of other programs; they have a column, too.
        models = list(dict.fromkeys([*pyramid.models, *_contributing(pyramid)]))
        column = {model: index for index, model in enumerate(models)}
        row = {scu.uid: index for index, scu in enumerate(pyramid.scus)}
        numbers = np.zeros((len(row), len(models)), dtype=np.int64)
        for index, scu in enumerate(pyramid.scus):
            for contributor in scu.contributors:
                numbers[index, column[contributor.model]] += 1
        contributes = numbers > 0
        annotated = list(annotations)
        named = [column[model] for model in models_as_peers]
        expresses = np.zeros((len(row), len(annotated)), dtype=np.bool_)
        for index, annotation in enumerate(annotated):
            present_uids = [match.uid for match in annotation.scus if match.present]
            # An annotation may name SCUs that were removed from the pyramid later: they count as content that matches
            # nothing.
            expresses[[row[uid] for uid in present_uids if uid in row], index] = True
        annotated_peers = [annotation.summarizer for annotation in annotated]
        annotated_sizes = np.array([size_of(annotation) for annotation in annotated])
        # DUCView and NIST count contributors, and their published scores come out only so; the paper counts models.
        counts_contributors = (weights or pyramid.weights) == "contributors"
        return cls(
            models=tuple(models),
            peers=(*annotated_peers, *(models[index] for index in named)),
            contributes=contributes,
            expresses=np.concatenate([expresses, contributes[:, named]], axis=1),
            sizes=np.concatenate([annotated_sizes, contributes[:, named].sum(axis=0)]),
            uids=tuple(row),
            labels=tuple(scu.label for scu in pyramid.scus),
            numbers=numbers if counts_contributors else None,
            weight=weight,
        )

    @classmethod
    def among_models(cls, contributes: Bools, models: Sequence[str] | None = None) -> Incidence:
        """Models only, each of them a peer as well: what is needed to study how scores behave as pyramids grow."""
        matrix = np.asarray(contributes, dtype=np.bool_)
        names = tuple(map(str, range(1, matrix.shape[1] + 1)))
        if models is not None:
            names = tuple(models)
        uids = tuple(range(1, len(matrix) + 1))
        return cls(
            models=names,
            peers=names,
            contributes=matrix,
            expresses=matrix,
            sizes=matrix.sum(axis=0, dtype=np.float64),
            uids=uids,
            labels=tuple(f"SCU {uid}" for uid in uids),
        )

    def sub_pyramid(self, models: Iterable[str]) -> Incidence:
        """The same peers and the pyramid of some of the models; SCUs that none of them has weigh nothing."""
        chosen = set(models)
        kept = [column for column, model in enumerate(self.models) if model in chosen]
        names = tuple(self.models[column] for column in kept)
        numbers = None if self.numbers is None else self.numbers[:, kept]
        return replace(self, models=names, contributes=self.contributes[:, kept], numbers=numbers)

    def only(self, peers: Sequence[int] | Integers) -> Incidence:
        """The same pyramid and some of the peers, by their places."""
        names = tuple(self.peers[peer] for peer in peers)
        return replace(self, peers=names, expresses=self.expresses[:, peers], sizes=self.sizes[peers])

    @property
    def own(self) -> Bools:
        """Peers × models: whether the model is the peer itself."""
        return np.array([[peer == model for model in self.models] for peer in self.peers], dtype=np.bool_).reshape(
            len(self.peers), len(self.models)
        )

    @property
    def everyone(self) -> Bools:
        """The one subset of all models."""
        return np.ones((1, len(self.models)), dtype=np.bool_)

    def counts(self, masks: Bools) -> Integers:
        """Contributing models, or contributors, inside each subset, w_S = |models(SCU) ∩ S|: subsets × SCUs."""
        # Products of floats are done by BLAS, those of whole numbers are not; counts are exact in both.
        counted = self.contributes if self.numbers is None else self.numbers
        return np.rint(masks.astype(np.float64) @ counted.T.astype(np.float64)).astype(np.int64)

    def weights(self, masks: Bools) -> Floats:
        """Weights in the sub-pyramid of each subset, 0 where an SCU is not in it: subsets × SCUs."""
        counts = self.counts(masks)
        if self.weight is None:
            return counts.astype(np.float64)
        weights = np.asarray(self.weight(self.contributes, masks), dtype=np.float64)
        if weights.shape != counts.shape or not (weights[counts > 0] >= 0).all():
            raise UsageError(
                f"the weight function gave an array of shape {weights.shape}; expected weights from 0 up, "
                f"subsets × SCUs: {counts.shape}"
            )
        return np.where(counts > 0, weights, 0.0)

    def matched_weights(self, weights: Floats) -> Floats:
        """D: the summed weight of the distinct SCUs that each peer expresses, subsets × peers."""
        product: Floats = weights @ self.expresses.astype(np.float64)
        return product

    def model_sizes(self, masks: Bools, rounding: Rounding = "half-up") -> Floats:
        """X′ of each subset: the mean number of SCUs in its models, rounded; NaN for the empty subset.

        X′ = (total of counts) / n; taken from whole numbers, so that no half is lost to floating point.
        """
        return rounded_mean(self.counts(masks).sum(axis=1), masks.sum(axis=1), rounding)


def size_of(annotation: PeerAnnotation) -> float:
    """X of an annotated peer; NaN when its non-matching content was not marked.

    SCUs that the pyramid does not have count as they are: content units that match nothing.
    """
    if annotation.unmatched is None:
        return float("nan")
    # Light annotation says that an SCU is there without saying where: that is one content unit.
    matched = sum(max(len(match.contributors), 1) for match in annotation.scus if match.present)
    return float(matched + len(annotation.unmatched))


def rounded_mean(totals: Integers, orders: Integers, rounding: Rounding) -> Floats:
    """The quotient of totals and orders under one of the four roundings; NaN where the order is 0."""
    # The empty subset has no mean; it becomes NaN below, without a division by 0 on the way.
    divisor = np.maximum(orders, 1)
    if rounding == "interpolate":
        mean = totals / divisor
    elif rounding == "floor":
        mean = (totals // divisor).astype(np.float64)
    elif rounding == "ceil":
        mean = (-(-totals // divisor)).astype(np.float64)
    else:
        mean = ((2 * totals + divisor) // (2 * divisor)).astype(np.float64)
    return np.where(orders > 0, mean, np.nan)


def max_weights(weights: Floats, sizes: Floats) -> Floats:
    """Max(X): the greatest summed weight that X content units can have, the sum of the X largest weights.

    Equal to formula 1 of the paper (§3). X beyond the number of SCUs gives the total weight; a fractional X takes
    the fraction of the next weight; NaN gives NaN.

    Args:
        weights: subsets × SCUs.
        sizes: subsets × any number of X; one row serves all subsets.
    """
    scus = weights.shape[1]
    # At the end the last sum once more, for the weight after the last SCU.
    sums = np.zeros((len(weights), scus + 2))
    np.cumsum(-np.sort(-weights, axis=1), axis=1, out=sums[:, 1:-1])
    # One column more than there are SCUs, so that even the largest X has a neighbour above it.
    sums[:, -1] = sums[:, -2]
    chosen_sizes = np.clip(np.broadcast_to(sizes, (len(weights), np.shape(sizes)[-1])), 0, scus)
    is_defined = ~np.isnan(chosen_sizes)
    whole = np.floor(np.where(is_defined, chosen_sizes, 0.0)).astype(np.int64)
    below = np.take_along_axis(sums, whole, axis=1)
    above = np.take_along_axis(sums, whole + 1, axis=1)
    return np.where(is_defined, below + (chosen_sizes - whole) * (above - below), np.nan)


def whole(value: float) -> float:
    """A count as a whole number if it is one."""
    if float(value).is_integer():
        return int(value)
    return float(value)


def subsets(models: int, order: int, *, without: Iterable[int] = ()) -> Bools:
    """Every subset of an order, as masks: C(n, k) × n; models `without` are in none of them."""
    left_out = set(without)
    chosen = list(combinations([index for index in range(models) if index not in left_out], order))
    masks = np.zeros((len(chosen), models), dtype=np.bool_)
    if chosen and order:
        masks[np.arange(len(chosen))[:, None], np.array(chosen)] = True
    return masks


def _contributing(pyramid: Pyramid) -> Iterable[str]:
    """The models of all contributors, as often as they contribute."""
    contributors = chain.from_iterable(scu.contributors for scu in pyramid.scus)
    return (contributor.model for contributor in contributors)
