"""What a pyramid tells besides a score: what a peer has and misses, tier by tier, and how hard a topic is (§3.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import Contributor, Scu
from pyramidion.options import Rounding
from pyramidion.pyramids.incidence import Annotated, Incidence, max_weights, whole
from pyramidion.pyramids.scores import score_subsets
from pyramidion.show.tables import Row

NO_PEER = "no summarizer was chosen"


class ScuStanding(Row, record="pyramid-scu"):
    """An SCU in the pyramid, and whether the peer that is looked at expresses it."""

    topic: str
    annotator: str
    summarizer: str = ""
    uid: int
    weight: int
    label: str
    models: tuple[str, ...]
    """Those that contribute to it."""
    wordings: tuple[str, ...] = ()
    """The words of each of `models` that express it, in their order; none where no words are marked."""
    present: bool | None = None
    """None if no peer is looked at."""
    mentions: int | None = None
    """How often the peer expresses it; more than once is a repeat."""
    optimal: Literal["", "all", "some", "none"] = ""
    """Which of the optimal summaries that were asked for contain it."""
    peers: int
    """Annotated peers, without those who wrote the models."""
    expressed: int
    """Peers among `peers` that express it."""
    reason: str = ""


class Tier(Row, record="pyramid-tier"):
    """The SCUs of one weight, and of all weights from it up; what share of them a peer expresses."""

    topic: str
    annotator: str
    summarizer: str = ""
    weight: int
    scus: int
    cumulative_scus: int
    """Number of SCUs of this weight or more."""
    present: int | None = None
    share: float | None = None
    """None for an empty tier, or without a peer."""
    cumulative_present: int | None = None
    cumulative_share: float | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """A pyramid, heaviest SCUs first, with what one peer has of it."""

    topic: str
    annotator: str
    peer: str | None
    models: tuple[str, ...]
    """In the pyramid: a human peer's own model is not."""
    scus: tuple[ScuStanding, ...]
    tiers: tuple[Tier, ...]
    """From the top, empty tiers included."""
    unmatched: int | None = None
    """Number of the peer's units that match no SCU of this pyramid; None when not marked, or without a peer."""

    @property
    def missing(self) -> tuple[ScuStanding, ...]:
        """What the peer does not have, heaviest first."""
        return tuple(scu for scu in self.scus if scu.present is False)

    @property
    def top(self) -> int:
        """The least weight of the top tiers: SCUs that more than half of the models have."""
        return len(self.models) // 2 + 1

    @property
    def missing_from_top(self) -> tuple[ScuStanding, ...]:
        """What the peer does not have of the top tiers, heaviest first."""
        return tuple(scu for scu in self.missing if scu.weight >= self.top)

    @property
    def repeats(self) -> int:
        """How often the peer expresses an SCU again."""
        return sum(max((scu.mentions or 0) - 1, 0) for scu in self.scus)


class Difficulty(Row, record="pyramid-topic"):
    """How hard a topic is: if the models agree, it is clear what to say."""

    topic: str
    annotator: str
    models: tuple[str, ...]
    order: int
    scus: int
    tiers: tuple[int, ...]
    """Number of SCUs of each weight, from the top."""
    weight: int
    """Total weight."""
    mean_weight: float
    singletons: float
    """Share of the SCUs that only one model has."""
    x_average: float
    """X′."""
    max_average: float
    """Max(X′)."""
    consensus: float
    """Max(X′) / (X′·n): the mean weight of an optimal summary as a share of the greatest possible; 1 if all agree."""
    models_mean: float
    """Mean modified score of the models, each scored by the others; NaN with a single model."""
    peers_mean: float
    """Mean modified score of the annotated peers; NaN without any."""
    peers: int
    reason: str = ""

    @property
    def hardness(self) -> tuple[float, ...]:
        """By consensus, then by what peers reach (a single model always agrees with itself); unknown values last."""
        return _or_last(self.consensus), _or_last(self.peers_mean)


def _or_last(value: float) -> float:
    """A value that is sorted; an unknown one comes after all others."""
    if math.isnan(value):
        return math.inf
    return value


def diagnose(annotated: Annotated, peer: str | None = None) -> Diagnosis:
    """What the peer has and misses; without a peer, the pyramid alone. A model's own pyramid is that of the others."""
    incidence = annotated.incidence
    mask = incidence.everyone
    # A human peer is scored by the others' models alone (§3.2): its own would match itself.
    column = incidence.peers.index(peer) if peer is not None else None
    if column is not None:
        mask = mask & ~incidence.own[[column]]
    counts = incidence.counts(mask)[0]
    mentions = _mentions(annotated, peer)
    order = [int(index) for index in np.argsort(-counts, kind="stable") if counts[index] > 0]
    key: dict[str, Any] = {
        "topic": annotated.topic,
        "annotator": annotated.annotator if peer is not None else _maker(annotated),
        "summarizer": peer or "",
        "reason": NO_PEER if peer is None else "",
    }
    # Writers of models express their own SCUs by definition: they would make every SCU look easy.
    other_peers = [
        place for place, summarizer in enumerate(incidence.peers) if summarizer not in annotated.pyramid.models
    ]
    expressed = incidence.expresses[:, other_peers].sum(axis=1)
    scus_by_uid = {scu.uid: scu for scu in annotated.pyramid.scus}
    scus: list[ScuStanding] = []
    for index in order:
        present = scu_mentions = None
        if column is not None:
            present = bool(incidence.expresses[index, column])
            # A file that only says that an SCU is present has it once.
            scu_mentions = mentions.get(incidence.uids[index], int(present))
        models = tuple(compress(incidence.models, incidence.contributes[index] & mask[0]))
        scu = ScuStanding(
            uid=incidence.uids[index],
            label=incidence.labels[index],
            weight=int(counts[index]),
            models=models,
            wordings=_wordings(scus_by_uid[incidence.uids[index]], models, annotated.texts),
            present=present,
            mentions=scu_mentions,
            peers=len(other_peers),
            expressed=int(expressed[index]),
            **key,
        )
        scus.append(scu)
    # The size counts all units of the peer, matched or not; NaN where unmatched ones were not marked.
    size = float("nan") if column is None else incidence.sizes[column]
    used = sum(scu.mentions or 0 for scu in scus)
    unmatched = None if np.isnan(size) else int(size) - used
    # Usually the number of models; weights by contributors may exceed it.
    top = max(int(mask.sum()), int(counts.max(initial=0)))
    return Diagnosis(
        topic=key["topic"],
        annotator=key["annotator"],
        peer=peer,
        models=tuple(compress(incidence.models, mask[0])),
        scus=tuple(scus),
        tiers=tuple(_tier(scus, weight, key) for weight in range(top, 0, -1)),
        unmatched=unmatched,
    )


def _wordings(scu: Scu, models: Sequence[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    """The words of each model that express the SCU; empty if no model has any."""
    wordings = []
    for model in models:
        contributors = [contributor for contributor in scu.contributors if contributor.model == model]
        words = [marked_words(contributor, texts.get(model, "")) for contributor in contributors]
        wordings.append(" / ".join(filter(None, words)))
    if any(wordings):
        return tuple(wordings)
    return ()


def marked_words(contributor: Contributor, text: str) -> str:
    """The words that a contributor marks in the text of its model, parts that are apart joined by `…`.

    A label comes first: files that have one hold words there which are in no part. White space becomes single blanks.
    """
    if contributor.label:
        return " ".join(contributor.label.split())
    parts = [" ".join(text[start:end].split()) for start, end in sorted(contributor.parts)]
    return " … ".join(filter(None, parts))


def _tier(scus: Sequence[ScuStanding], weight: int, key: Mapping[str, Any]) -> Tier:
    # Empty tiers stay in: a gap between the top and the rest is what a reader looks for.
    here = [scu for scu in scus if scu.weight == weight]
    above = [scu for scu in scus if scu.weight >= weight]
    present = cumulative = None
    if key["summarizer"]:
        present = sum(bool(scu.present) for scu in here)
        cumulative = sum(bool(scu.present) for scu in above)
    return Tier(
        weight=weight,
        scus=len(here),
        cumulative_scus=len(above),
        present=present,
        share=_share(present, len(here)),
        cumulative_present=cumulative,
        cumulative_share=_share(cumulative, len(above)),
        **{**key, "reason": key["reason"] or "the tier is empty"},
    )


def difficulty(annotated: Annotated, *, rounding: Rounding = "half-up") -> Difficulty:
    """How hard the topic is, by its tiers and by what peers and models reach."""
    incidence = annotated.incidence
    everyone = incidence.everyone
    counts = incidence.counts(everyone)
    weights = counts[counts > 0]
    n = len(incidence.models)
    size = float(incidence.model_sizes(everyone, rounding)[0]) if n else float("nan")
    best = float(max_weights(counts.astype(np.float64), np.array([[size]]))[0, 0])
    # A human's score belongs to the mean of the models, which says how well people do.
    human = np.asarray(incidence.own.any(axis=1))
    models = Incidence.of(annotated.pyramid, models_as_peers=incidence.models, weights=annotated.rule).sub_pyramid(
        incidence.models
    )
    scores = score_subsets(incidence, everyone, rounding=rounding).modified[0]
    peers_mean = _mean(scores[~human])
    models_mean = _mean(score_subsets(models, models.everyone, rounding=rounding).modified[0])
    reasons: list[str] = []
    if np.isnan(peers_mean):
        reasons.append("no peer was annotated")
    if np.isnan(models_mean):
        reasons.append("a single model has no others to be scored with")
    if not len(weights):
        reasons.append("the pyramid has no SCU")
    consensus = float("nan")
    if n and size > 0:
        consensus = best / (size * n)
    return Difficulty(
        topic=annotated.topic,
        annotator=_maker(annotated),
        models=incidence.models,
        order=n,
        scus=len(weights),
        tiers=tuple(int((weights == weight).sum()) for weight in range(n, 0, -1)),
        weight=int(weights.sum()),
        mean_weight=_mean(weights),
        singletons=_mean(weights == 1),
        x_average=whole(size),
        max_average=whole(best),
        consensus=consensus,
        models_mean=models_mean,
        peers_mean=peers_mean,
        peers=int((~human).sum()),
        reason="; ".join(reasons),
    )


def _maker(annotated: Annotated) -> str:
    """Who made the pyramid, or who used it if its maker is not named."""
    return annotated.pyramid.annotator or annotated.annotator


def _mentions(annotated: Annotated, peer: str | None) -> dict[int, int]:
    for annotation in annotated.annotations:
        if annotation.summarizer == peer:
            return {match.uid: max(len(match.contributors), 1) for match in annotation.scus if match.present}
    return {}


def _mean(values: Floats | Integers | Bools) -> float:
    """The mean of the values that are defined; NaN without any."""
    defined = values[~np.isnan(values)]
    if len(defined):
        return float(defined.mean())
    return float("nan")


def _share(part: int | None, whole: int) -> float | None:
    if part is None or not whole:
        return None
    return part / whole
