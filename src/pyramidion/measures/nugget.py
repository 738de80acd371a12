"""Nugget scores: the share of a topic's nuggets that an answer supports, as AutoNuggetizer gives it.

A nugget is an SCU that is vital or okay instead of weighing as many as models express it. The scores are those of
Pradeep et al. ("The Great Nugget Recall: Automating Fact Extraction and RAG Evaluation with Large Language Models",
2025): over all nuggets (A), over vital nuggets alone (V), and over all with okay nuggets weighing half (W); each
with half credit for partial support, or strict, without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import PeerAnnotation, Pyramid, TopicData
from pyramidion.measures.base import Measure, Need, option
from pyramidion.pyramids.incidence import gather
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import FixedEvidence

STATISTICS = ("vital-strict", "vital", "all-strict", "all", "weighted-strict", "weighted")
PARTIAL = 0.5
"""What partial support counts where it counts."""


@dataclass(frozen=True, kw_only=True)
class Nugget(Measure):
    """The share of nuggets that an answer supports: of vital ones, of all, or weighted; strict or with half credit."""

    base_names: ClassVar[tuple[str, ...]] = ("nugget",)
    needs: ClassVar[frozenset[Need]] = frozenset({"pyramid"})
    statistics: ClassVar[tuple[str, ...] | None] = STATISTICS
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    okay: float = option(0.5, "what an okay nugget weighs in weighted scores; a vital one weighs 1", least=0, most=1)
    annotator: str | None = option(None, "only this annotator, not the mean over annotators")

    def evidence(self, topic: TopicData) -> Evidence | None:
        """The scores of each peer, a mean over annotators; None if the topic has no nuggets."""
        values: dict[str, list[Floats]] = {}
        chosen = topic.with_rater(self.annotator)
        for annotated in gather(chosen, annotator=self.annotator):
            if not annotated.pyramid.is_nugget_list:
                continue
            for annotation in annotated.annotations:
                scores = score_nuggets(annotated.pyramid, annotation, okay=self.okay)
                values.setdefault(annotation.summarizer, []).append(scores)
        if not values:
            return None
        undefined = np.full(len(STATISTICS), np.nan)
        peers = tuple(peer.summarizer for peer in topic.peers)
        rows = [np.mean(values.get(peer, [undefined]), axis=0) for peer in peers]
        return FixedEvidence(peers=peers, statistics=STATISTICS, scores=np.array(rows))


def score_nuggets(pyramid: Pyramid, annotation: PeerAnnotation, *, okay: float = PARTIAL) -> Floats:
    """The scores of one answer, in the order of STATISTICS; NaN where there is no nugget of the kind.

    A = Σ s / n over all nuggets, with s = 1 for support, ½ for partial support (strict: 0) and else 0; V the same over
    vital nuggets; W = (Σ_vital s + okay · Σ_okay s) / (n_vital + okay · n_okay). A nugget whose importance is not known
    is in A, and weighs as an okay one in W.
    """
    matches = {match.uid: match for match in annotation.scus}
    is_vital = np.array([scu.importance == "vital" for scu in pyramid.scus])
    judged = [matches.get(scu.uid) for scu in pyramid.scus]
    supports = np.array([match is not None and match.present for match in judged], dtype=np.float64)
    partly = np.array([match is not None and match.partial and not match.present for match in judged], dtype=np.float64)
    credits = (supports, supports + PARTIAL * partly)
    weights = (is_vital.astype(np.float64), np.ones(len(is_vital)), np.where(is_vital, 1.0, okay))
    return np.array([_share(credit, weight) for weight in weights for credit in credits])


def _share(credit: Floats, weight: Floats) -> float:
    """The weighted mean of the credits; NaN where nothing weighs anything."""
    total = float(weight.sum())
    if total == 0:
        return float("nan")
    return float(credit @ weight) / total
