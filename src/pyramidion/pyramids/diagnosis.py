"""What a pyramid tells besides a score: what a peer has and misses, tier by tier, and how hard a topic is (§3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.pyramids.gathering import Annotated
from pyramidion.pyramids.incidence import Incidence, Rounding, max_weights
from pyramidion.pyramids.scores import score_subsets


@dataclass(frozen=True, kw_only=True)
class ScuStanding:
    """An SCU in the pyramid, and whether the peer that is looked at expresses it."""

    uid: int
    label: str
    weight: int
    models: tuple[str, ...]
    """Those that contribute to it."""
    present: bool | None = None
    """None when no peer is looked at."""
    mentions: int | None = None
    """How often the peer expresses it; more than once is a repeat."""


@dataclass(frozen=True, kw_only=True)
class Tier:
    """The SCUs of one weight, and of all weights from it up."""

    weight: int
    scus: int
    cumulative: int
    """Number of SCUs of this weight or more."""
    present: int | None = None
    cumulative_present: int | None = None

    @property
    def share(self) -> float | None:
        """What share of the tier the peer has; None for an empty tier, or without a peer."""
        return _share(self.present, self.scus)

    @property
    def cumulative_share(self) -> float | None:
        """What share of all SCUs of this weight or more the peer has."""
        return _share(self.cumulative_present, self.cumulative)


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


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """How hard a topic is: where models agree, everybody knows what to say; where they do not, nobody can."""

    topic: str
    annotator: str
    order: int
    scus: int
    weight: int
    """Total weight."""
    mean_weight: float
    singletons: float
    """Share of the SCUs that only one model has."""
    x_average: float
    """X′."""
    max: float
    """Max(X′)."""
    consensus: float
    """Max(X′) / (X′·n): the mean weight of an optimal summary as a share of the greatest possible; 1 if all agree."""
    tiers: tuple[Tier, ...]
    peers: int
    peers_mean: float
    """Mean modified score of the annotated peers; NaN without any."""
    models_mean: float
    """Mean modified score of the models, each scored by the others; NaN with a single model."""


def diagnose(annotated: Annotated, peer: str | None = None) -> Diagnosis:
    """What the peer has and misses; without a peer, the pyramid alone. A model's own pyramid is that of the others."""
    incidence = annotated.incidence
    mask = incidence.everyone
    column = incidence.peers.index(peer) if peer is not None else None
    if column is not None:
        mask = mask & ~incidence.own[[column]]
    counts = incidence.counts(mask)[0]
    mentions = _mentions(annotated, peer)
    order = [int(index) for index in np.argsort(-counts, kind="stable") if counts[index] > 0]
    scus = tuple(
        ScuStanding(
            uid=incidence.uids[index],
            label=incidence.labels[index],
            weight=int(counts[index]),
            models=tuple(
                model
                for model, has, counted in zip(incidence.models, incidence.contributes[index], mask[0], strict=True)
                if has and counted
            ),
            present=None if column is None else bool(incidence.expresses[index, column]),
            mentions=None
            if column is None
            else mentions.get(incidence.uids[index], int(incidence.expresses[index, column])),
        )
        for index in order
    )
    size = float("nan") if column is None else incidence.sizes[column]
    used = sum(scu.mentions or 0 for scu in scus)
    return Diagnosis(
        topic=annotated.topic,
        annotator=annotated.annotator if peer is not None else _maker(annotated),
        peer=peer,
        models=tuple(model for model, counted in zip(incidence.models, mask[0], strict=True) if counted),
        scus=scus,
        tiers=tiers_of(scus, int(mask.sum()), looked_at=peer is not None),
        unmatched=None if np.isnan(size) else int(size) - used,
    )


def tiers_of(scus: Sequence[ScuStanding], order: int, *, looked_at: bool) -> tuple[Tier, ...]:
    """The tiers of a pyramid of an order, from the top down to weight 1; with what a peer that is looked at has."""
    tiers: list[Tier] = []
    for weight in range(order, 0, -1):
        here = [scu for scu in scus if scu.weight == weight]
        above = [scu for scu in scus if scu.weight >= weight]
        tiers.append(
            Tier(
                weight=weight,
                scus=len(here),
                cumulative=len(above),
                present=sum(bool(scu.present) for scu in here) if looked_at else None,
                cumulative_present=sum(bool(scu.present) for scu in above) if looked_at else None,
            )
        )
    return tuple(tiers)


def difficulty(annotated: Annotated, *, rounding: Rounding = "half-up") -> Difficulty:
    """How hard the topic is, by its tiers and by what peers and models reach."""
    incidence = annotated.incidence
    everyone = incidence.everyone
    counts = incidence.counts(everyone)
    there = counts[counts > 0]
    n = len(incidence.models)
    size = float(incidence.model_sizes(everyone, rounding)[0]) if n else float("nan")
    best = float(max_weights(counts.astype(np.float64), np.array([[size]]))[0, 0])
    human = np.asarray(incidence.own.any(axis=1))
    models = Incidence.of(annotated.pyramid, models_as_peers=incidence.models)
    scores = score_subsets(incidence, everyone, rounding=rounding).modified[0]
    pyramid = diagnose(annotated)
    return Difficulty(
        topic=annotated.topic,
        annotator=_maker(annotated),
        order=n,
        scus=len(there),
        weight=int(there.sum()),
        mean_weight=float(there.mean()) if len(there) else float("nan"),
        singletons=float((there == 1).mean()) if len(there) else float("nan"),
        x_average=size,
        max=best,
        consensus=best / (size * n) if n and size > 0 else float("nan"),
        tiers=pyramid.tiers,
        peers=int((~human).sum()),
        peers_mean=_mean(scores[~human]),
        models_mean=_mean(score_subsets(models, models.everyone, rounding=rounding).modified[0]),
    )


def _maker(annotated: Annotated) -> str:
    """Who made the pyramid, or who used it if that is not said."""
    return annotated.pyramid.annotator or annotated.annotator


def _mentions(annotated: Annotated, peer: str | None) -> dict[int, int]:
    for annotation in annotated.annotations:
        if annotation.summarizer == peer:
            return {match.uid: max(len(match.contributors), 1) for match in annotation.scus if match.present}
    return {}


def _mean(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")


def _share(part: int | None, whole: int) -> float | None:
    return None if part is None or not whole else part / whole
