"""Evidence: what a measure found in one topic, before it is decided which models count.

Evidence has one method, `values(masks)`: a boolean matrix subsets × models in, an array subsets × peers ×
statistics out. Scoring, jackknifing and the studies of how many models are needed only choose masks; nothing is
ever compared twice.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers


class Evidence(Protocol):
    """What a measure keeps of a topic."""

    @property
    def peers(self) -> tuple[str, ...]:
        """The summarizers that are scored."""

    @property
    def models(self) -> tuple[str, ...]:
        """The summarizers whose models the masks choose from; empty if models do not matter."""

    @property
    def statistics(self) -> tuple[str, ...]:
        """Names of the values that each peer gets."""

    @property
    def own(self) -> Bools:
        """Peers × models: True where the model is the peer's own; it never counts."""

    def values(self, masks: Bools) -> Floats:
        """Subsets × models → subsets × peers × statistics; NaN where there is no value."""

    def counts(self, masks: Bools) -> Floats | None:
        """Subsets × peers × (hits, model count, peer count), which add up over topics; None if nothing does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedEvidence:
    """Values that do not depend on models: judged, imported and model-free measures."""

    peers: tuple[str, ...]
    statistics: tuple[str, ...]
    scores: Floats
    models: tuple[str, ...] = ()

    @property
    def own(self) -> Bools:
        """There are no models, so none is anyone's own."""
        return np.zeros((len(self.peers), 0), dtype=np.bool_)

    def values(self, masks: Bools) -> Floats:
        """The same values for every subset."""
        return np.broadcast_to(self.scores, (len(masks), *self.scores.shape))

    def counts(self, masks: Bools) -> None:  # noqa: ARG002  # the same door as other evidence
        """Fixed values are not ratios of counts."""
        return


@dataclass(frozen=True, kw_only=True, eq=False)
class Reduced:
    """One value a statistic for each peer, and how many models it rests on."""

    values: Floats
    """Peers × statistics."""
    models: Integers
    """Per peer."""
    counts: Floats | None = None
    """Peers × (hits, model count, peer count), where the values are ratios of such; NaN where there is no value."""


def with_all_models(evidence: Evidence) -> Reduced:
    """Every peer against all models but its own."""
    count = len(evidence.models)
    everyone = np.ones((1, count), dtype=np.bool_)
    counts = evidence.counts(everyone)
    return Reduced(
        values=evidence.values(everyone)[0],
        models=count - evidence.own.sum(axis=1),
        counts=None if counts is None else counts[0],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class LeaveOneOut:
    """The scores behind a jackknife: all models but one, each left out in turn."""

    left_out: tuple[str, ...]
    """The model that each subset leaves out."""
    values: Floats
    """Subsets × peers × statistics; of a human peer only without its own model, NaN elsewhere."""
    counts: Floats | None
    """Subsets × peers × (hits, model count, peer count), where the values are ratios of such."""


def leave_one_out(evidence: Evidence, drawn: Integers | None = None) -> LeaveOneOut:
    """The scores with all models but one in turn; none with a single model.

    Args:
        evidence: of one topic.
        drawn: the models that count; by default all. One of them is left out in turn.
    """
    chosen, all_but_one = _masks_without_one(evidence, drawn)
    own = evidence.own[:, chosen].T
    # A system meets every subset; a human only the one without its own model, as in DUC and TAC.
    is_met = own | ~own.any(axis=0)
    counts = evidence.counts(all_but_one)
    return LeaveOneOut(
        left_out=tuple(evidence.models[model] for model in chosen),
        values=np.where(is_met[..., None], evidence.values(all_but_one), np.nan),
        counts=None if counts is None else np.where(is_met[..., None], counts, np.nan),
    )


def _masks_without_one(evidence: Evidence, drawn: Integers | None) -> tuple[Integers, Bools]:
    """The models that are left out in turn, and for each the mask of the others; none if there is only one."""
    chosen = np.arange(len(evidence.models)) if drawn is None else drawn
    if len(chosen) < 2:
        chosen = chosen[:0]
    all_but_one = np.zeros((len(chosen), len(evidence.models)), dtype=np.bool_)
    all_but_one[:, chosen] = ~np.eye(len(chosen), dtype=np.bool_)
    return chosen, all_but_one


def jackknifed(evidence: Evidence, drawn: Integers | None = None) -> Reduced:
    """The mean of the leave-one-out scores; a human peer meets the other models only (spec: DUC 2005–2007, TAC).

    So a system and a human are both compared with M − 1 models. With a single model there is nothing to leave out:
    no value. If models are drawn, each of these is left out in turn, and the others count for nobody.
    """
    chosen, all_but_one = _masks_without_one(evidence, drawn)
    if not len(chosen):
        return _nothing(evidence)
    peers, own = np.nonzero(evidence.own[:, chosen])

    def reduced(by_subset: Floats) -> Floats:
        mean: Floats = by_subset.mean(axis=0)
        # Humans have one score, not a mean: that of the subset that leaves out their own model.
        mean[peers] = by_subset[own, peers]
        return mean

    counts = evidence.counts(all_but_one)
    return Reduced(
        values=reduced(evidence.values(all_but_one)),
        models=np.full(len(evidence.peers), len(chosen) - 1, dtype=np.int64),
        counts=None if counts is None else reduced(counts),
    )


def with_drawn_models(evidence: Evidence, count: int, *, topic: str, seed: int) -> Reduced:
    """Every peer against `count` models drawn for the topic; a human's own model is passed over.

    The draw depends on the seed and the topic's name alone, so that it is the same in any order of topics.
    """
    order = _drawing_order(evidence, topic=topic, seed=seed)
    drawn = _nothing(evidence)
    for peer in range(len(evidence.peers)):
        chosen = [model for model in order if not evidence.own[peer, model]][:count]
        if len(chosen) == count:
            mask = np.zeros((1, len(evidence.models)), dtype=np.bool_)
            mask[0, chosen] = True
            drawn.values[peer] = evidence.values(mask)[0, peer]
            drawn.models[peer] = count
            counts = evidence.counts(mask)
            if drawn.counts is not None and counts is not None:
                drawn.counts[peer] = counts[0, peer]
    return drawn


def jackknifed_on_drawn(evidence: Evidence, count: int, *, topic: str, seed: int) -> Reduced:
    """The jackknife over `count` models drawn for the topic (Dang 2006, Table 15); none where there are fewer."""
    if len(evidence.models) < count:
        return _nothing(evidence)
    return jackknifed(evidence, drawn_models(evidence, count, topic=topic, seed=seed))


def drawn_models(evidence: Evidence, count: int, *, topic: str, seed: int) -> Integers:
    """The models that are drawn for a topic, the same for all its peers; none where there are fewer."""
    if len(evidence.models) < count:
        return np.empty(0, dtype=np.int64)
    return np.sort(_drawing_order(evidence, topic=topic, seed=seed)[:count])


def _drawing_order(evidence: Evidence, *, topic: str, seed: int) -> Integers:
    # crc32, because Python's hash of a string changes from process to process.
    order: Integers = np.random.default_rng([seed, zlib.crc32(topic.encode())]).permutation(len(evidence.models))
    return order


def _nothing(evidence: Evidence) -> Reduced:
    """No value for anyone."""
    peers = len(evidence.peers)
    additive = evidence.counts(np.ones((1, len(evidence.models)), dtype=np.bool_)) is not None
    return Reduced(
        values=np.full((peers, len(evidence.statistics)), np.nan),
        models=np.zeros(peers, dtype=np.int64),
        counts=np.full((peers, 3), np.nan) if additive else None,
    )
