"""What different annotations do to scores: the same summaries scored under each, and a one-way analysis of variance.

Table 1 of Nenkova & Passonneau 2004, for models by the annotators' pyramids and for peers by their annotations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import PeerAnnotation, Pyramid
from pyramidion.options import PyramidScoreName
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.reliability.alpha import peer_dice
from pyramidion.pyramids.scores import score_subsets
from pyramidion.show.tables import Row, grouped
from pyramidion.show.wording import defined
from pyramidion.statistics.one_way import OneWay, one_way

Scored = Literal["models", "peers"]
NO_DICE = "only peers have a Dice coefficient"
SCORE_NAMES: tuple[PyramidScoreName, ...] = ("original", "modified")


class AnnotationScore(Row, record="annotation-score"):
    """The score of a summary under one annotation."""

    topic: str
    scored: Scored
    annotator: str
    summarizer: str
    measure: str
    value: float
    reason: str = "not annotated, or undefined"


class AnnotationDifference(Row, record="annotation-difference"):
    """How far annotations differ on a summary."""

    topic: str
    scored: Scored
    summarizer: str
    measure: str
    difference: float
    """The largest between two annotations."""
    dice: float | None
    """Of a peer: the overlap of the SCUs that annotators found."""
    reason: str = ""


class AnnotationAnova(Row, record="annotation-anova"):
    """Whether annotations differ beyond the differences between summaries: one-way analysis of variance."""

    topic: str
    scored: Scored
    measure: str
    f: float | None = None
    df_between: int | None = None
    df_within: int | None = None
    p: float | None = None
    reason: str = "too few scores for an analysis of variance"


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoresAcross:
    """Scores of the same summaries under different annotations of a topic."""

    topic: str
    scored: Scored
    score: PyramidScoreName
    annotators: tuple[str, ...]
    summarizers: tuple[str, ...]
    values: Floats
    """Annotators × summarizers; NaN where an annotator did not annotate the summary, or the score is not defined."""
    dice: Mapping[str, float] = field(default_factory=dict)
    """Of peers: how far the SCUs that annotators found are the same (`peer_dice`)."""

    @property
    def differences(self) -> Floats:
        """Per summarizer, the largest difference between two annotations; NaN where fewer than two give a score."""
        is_defined = ~np.isnan(self.values)
        largest = np.where(is_defined, self.values, -np.inf).max(axis=0, initial=-np.inf)
        # nanmin would warn about summaries that nobody annotated.
        least = np.where(is_defined, self.values, np.inf).min(axis=0, initial=np.inf)
        several = is_defined.sum(axis=0) > 1
        return np.where(several, np.where(several, largest, 0.0) - np.where(several, least, 0.0), np.nan)

    @property
    def anova(self) -> OneWay | None:
        """Annotations as groups, summaries as observations; None with fewer than two groups, or one in each.

        The scores that table 1 of the paper prints give F(2, 9) = .106, p = .901.
        """
        groups = [row[~np.isnan(row)] for row in self.values]
        # One-way, as in the paper: a two-way analysis of the scores printed there would give F = 1.21, not .11.
        return one_way([group for group in groups if len(group)])

    @property
    def _key(self) -> dict[str, Any]:
        return {"topic": self.topic, "scored": self.scored, "measure": f"pyramid.{self.score}"}

    def score_rows(self) -> Iterator[AnnotationScore]:
        """The score of each summary under each annotation."""
        for annotator, values in zip(self.annotators, self.values, strict=True):
            for summarizer, value in zip(self.summarizers, values, strict=True):
                # Files of DUCView do not say who annotated them.
                name = annotator or "(unnamed)"
                yield AnnotationScore(annotator=name, summarizer=summarizer, value=float(value), **self._key)

    def difference_rows(self) -> Iterator[AnnotationDifference]:
        """How far annotations differ on each summary."""
        for summarizer, value in zip(self.summarizers, self.differences, strict=True):
            reason = "fewer than two annotations give a score" if np.isnan(value) else NO_DICE
            yield AnnotationDifference(
                summarizer=summarizer,
                difference=float(value),
                dice=self.dice.get(summarizer),
                reason=reason,
                **self._key,
            )

    def anova_row(self) -> AnnotationAnova:
        """Whether annotations differ beyond the differences between summaries."""
        anova = self.anova
        if anova is None:
            return AnnotationAnova(**self._key)
        f = anova.f if np.isfinite(anova.f) else None
        return AnnotationAnova(
            f=f,
            df_between=anova.between,
            df_within=anova.within,
            p=defined(anova.p),
            reason="no annotation gives two summaries different scores, so F is undefined",
            **self._key,
        )


def models_across(pyramids: Sequence[Pyramid], *, include_self: bool = False) -> list[ScoresAcross]:
    """The models of a topic scored with each annotator's pyramid.

    Args:
        pyramids: of one topic, each by another annotator; one may be their consensus.
        include_self: whether a model is scored with the whole pyramid, which contains it (as table 1 of the paper seems
            to do), not with that of the others.
    """
    in_all = set(pyramids[0].models).intersection(*(pyramid.models for pyramid in pyramids))
    common = [model for model in pyramids[0].models if model in in_all]
    coded = [(pyramid.annotator, Incidence.of(pyramid, models_as_peers=common)) for pyramid in pyramids]
    return list(_across(coded, common, include_self=include_self, topic=pyramids[0].topic, scored="models"))


def peers_across(pyramid: Pyramid, annotations: Sequence[PeerAnnotation]) -> list[ScoresAcross]:
    """The peers that several annotators matched against one pyramid, scored as each of them saw it."""
    by_annotator = grouped(annotations, lambda annotation: annotation.annotator)
    coded = [(annotator, Incidence.of(pyramid, several)) for annotator, several in by_annotator.items()]
    peers = list(dict.fromkeys(annotation.summarizer for annotation in annotations))
    dice = peer_dice([annotation for annotation in annotations if not annotation.consensus])
    return list(_across(coded, peers, include_self=True, topic=pyramid.topic, scored="peers", dice=dice))


def _across(
    coded: Sequence[tuple[str, Incidence]],
    summarizers: Sequence[str],
    *,
    topic: str,
    scored: Scored,
    include_self: bool,
    dice: Mapping[str, float] | None = None,
) -> Iterator[ScoresAcross]:
    """The summaries under the annotation of each annotator."""
    scores = [score_subsets(incidence, incidence.everyone, include_self=include_self) for _, incidence in coded]
    annotators = tuple(annotator for annotator, _ in coded)
    for name in SCORE_NAMES:
        values = np.full((len(coded), len(summarizers)), np.nan)
        for row, ((_, incidence), annotation_scores) in enumerate(zip(coded, scores, strict=True)):
            by_peer = dict(zip(incidence.peers, getattr(annotation_scores, name)[0], strict=True))
            values[row] = [by_peer.get(summarizer, np.nan) for summarizer in summarizers]
        yield ScoresAcross(
            topic=topic,
            scored=scored,
            score=name,
            annotators=annotators,
            summarizers=tuple(summarizers),
            values=values,
            dice=dice or {},
        )
