"""Pyramid scores as a measure: `pyramid.original`, `.modified`, `.comprehensive`, `.recall` (Nenkova and others 2004).

The scores themselves are in `pyramids.scores`; here a topic becomes evidence, so that score tables have pyramid scores
like all others, for any subset of models.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import TopicData
from pyramidion.campaign.raters import PYRAMID
from pyramidion.errors import UsageError
from pyramidion.measures.base import (
    Measure,
    MeasureWarning,
    ModelEvidence,
    Need,
    Rows,
    StatisticFacts,
    check_named,
    option,
    with_signatures_of,
)
from pyramidion.measures.judged import note_on_raters, sign_by_raters
from pyramidion.options import RecallWeights, Rounding, WeightRule
from pyramidion.pyramids.incidence import (
    NO_PYRAMID,
    Annotated,
    Incidence,
    WeightFunction,
    count_partial_answers,
    gather,
    warnings_of_partial_answers,
    without_pyramid,
)
from pyramidion.pyramids.scores import NOT_MARKED, PyramidScores, score_order, score_subsets
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import Reduced, with_all_models
from pyramidion.show.wording import together
from pyramidion.statistics.values import quotients

STATISTICS = ("original", "modified", "comprehensive")
NEED_MARKS = ("original", "comprehensive")
"""Those that also count what is not in the pyramid, and need that to be marked."""


@dataclass(frozen=True, kw_only=True)
class PyramidMeasure(Measure):
    """The weight of a peer's SCUs as a share of the greatest possible weight; the mean over annotators."""

    base_names: ClassVar[tuple[str, ...]] = ("pyramid",)
    needs: ClassVar[frozenset[Need]] = frozenset({"models", "pyramid"})
    statistics: ClassVar[tuple[str, ...] | None] = STATISTICS
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    rounding: Rounding = option("half-up", "how the mean number of SCUs in a model is rounded")
    annotator: str | None = option(None, "only this annotator, not the mean over annotators")
    jackknife: bool = option(False, "leave out one model at a time and average")
    order: int | None = option(None, "mean over all sub-pyramids of this many models", least=1)
    include_self: bool = option(False, "score a human against the pyramid that includes their own model")
    weights: WeightRule | None = option(
        None, "whether an SCU weighs its contributors, as at NIST, or its models; by default as the pyramid says"
    )
    weight: WeightFunction | None = option(
        None, "a Python function: the weight of an SCU, instead of the number of contributing models"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order is not None and self.jackknife:
            raise UsageError(f"{self.base}: give jackknife=yes or order=, not both")
        uses_sub_pyramids = self.jackknife or self.order is not None
        if self.include_self and uses_sub_pyramids:
            raise UsageError(f"{self.base}: include_self=yes is for the whole pyramid, not for sub-pyramids")
        if isinstance(self.weight, str):
            raise UsageError(f"{self.base}: weight={self.weight}: expected a function, which only Python can give")
        check_named(self.base, "weight function", self.weight)

    @classmethod
    def family_of(cls, statistic: str | None) -> type[Measure]:
        """The recall has weights of its own; the name `pyramid` alone stays for the three scores of the paper."""
        return PyramidRecall if statistic == "recall" else cls

    def evidence(self, topic: TopicData) -> Evidence | None:
        """The incidences of the topic's annotated pyramids; None without any."""
        chosen = topic.with_rater(self.annotator)
        gathered = gather(chosen, annotator=self.annotator, weight=self.weight, weights=self.weights)
        # Nuggets have no weight by models; the measure `nugget` scores them.
        annotated = tuple(part for part in gathered if not part.pyramid.is_nugget_list)
        if not annotated:
            return None
        return PyramidEvidence(
            peers=tuple(peer.summarizer for peer in topic.peers),
            models=models_of(annotated),
            annotated=tuple(annotated),
            rounding=self.rounding,
            include_self=self.include_self,
        )

    def reduce(self, evidence: Evidence, *, topic: str, seed: int) -> Reduced:  # noqa: ARG002  # the same door
        """All models, all but one in turn, or every subset of an order."""
        if self.jackknife or self.order is not None:
            return over_order(evidence, self.order)
        return with_all_models(evidence)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """As the base does, with notes on means over annotators and on content that was not marked."""
        rows = super().rows(evidence, topics, seed=seed)
        pyramid_evidence = [part for part in evidence if isinstance(part, PyramidEvidence)]
        lost = sum(len(without_pyramid(topic)) for topic in topics)
        if lost:
            warnings.warn(f"{self.base}: {lost} annotations are not scored: {NO_PYRAMID}", MeasureWarning, stacklevel=2)
        for message in warnings_of_partial_answers(count_partial_answers(topics, self.annotator)):
            warnings.warn(f"{self.base}: {message}", MeasureWarning, stacklevel=2)
        has_several_annotators = any(part.several_annotators for part in pyramid_evidence)
        is_unmarked = any(part.unmarked for part in pyramid_evidence)
        note = together(
            "mean over annotators" if has_several_annotators else "", note_on_raters(topics, self.annotator, PYRAMID)
        )
        facts = dict.fromkeys(rows.statistics, StatisticFacts(note=note))
        if is_unmarked:
            for statistic in set(NEED_MARKS).intersection(rows.statistics):
                facts[statistic] = StatisticFacts(note=note, lacking=NOT_MARKED)
        rows = replace(rows, facts=facts)
        annotated = chain.from_iterable(part.annotated for part in pyramid_evidence)
        rules = {annotation.rule for annotation in annotated}
        if self.weights is None and len(rules) == 1:
            # The pyramids decided how SCUs are weighed: signatures say it.
            rows = with_signatures_of(replace(self, weights=rules.pop()), rows, seed=seed)
        raters: dict[tuple[int, str], set[str]] = defaultdict(set)
        for number, topic in enumerate(topics):
            for annotation in topic.with_rater(self.annotator).annotations:
                if self.annotator in (None, annotation.annotator):
                    raters[number, annotation.summarizer].add(annotation.annotator)
        judges = [topic.annotating_judges for topic in topics]
        return sign_by_raters(self, rows, judges, lambda number, peer, _: raters[number, peer], seed=seed)


@dataclass(frozen=True, kw_only=True)
class PyramidRecall(PyramidMeasure):
    """The weight of a peer's SCUs as a share of the weight of all SCUs of the pyramid; the mean over annotators.

    With equal weights it is the score of Litepyramid (Shapira et al. 2019): the share of SCUs that a peer expresses.
    """

    statistics: ClassVar[tuple[str, ...] | None] = ("recall",)
    default_statistic: ClassVar[str | None] = "recall"

    weights: RecallWeights | None = option(  # type: ignore[assignment]  # one more than pyramid scores have
        None, "whether an SCU weighs its contributors, its models, or as much as any other (equal)"
    )

    def name(self, statistic: str | None = None) -> str:
        """The canonical name, always with the statistic: `pyramid` alone is another measure."""
        return super().name(statistic or "recall")

    def evidence(self, topic: TopicData) -> Evidence | None:
        """The incidences of the topic's annotated pyramids; None without any."""
        weight = weigh_equally if self.weights == "equal" else self.weight
        rule: WeightRule | None = None if self.weights == "equal" else self.weights
        chosen = topic.with_rater(self.annotator)
        annotated = tuple(gather(chosen, annotator=self.annotator, weight=weight, weights=rule))
        if not annotated:
            return None
        return PyramidEvidence(
            peers=tuple(peer.summarizer for peer in topic.peers),
            models=models_of(annotated),
            statistics=("recall",),
            kinds=("recall",),
            annotated=annotated,
            rounding=self.rounding,
            include_self=self.include_self,
        )


def weigh_equally(contributes: Bools, masks: Bools) -> Floats:
    """Subsets × SCUs: the same weight for every SCU; those without a model in the subset do not count anyway."""
    return np.ones((len(masks), len(contributes)))


def models_of(annotated: Iterable[Annotated]) -> tuple[str, ...]:
    """The models of all pyramids, each once."""
    models = chain.from_iterable(annotation.incidence.models for annotation in annotated)
    return tuple(dict.fromkeys(models))


@dataclass(frozen=True, kw_only=True, eq=False)
class PyramidEvidence(ModelEvidence):
    """The incidences of one topic, one for each annotator; the values are means over them."""

    statistics: tuple[str, ...] = STATISTICS
    kinds: tuple[str, ...] = STATISTICS
    """Which pyramid scores the statistics are."""
    annotated: tuple[Annotated, ...]
    rounding: Rounding
    include_self: bool = False

    @property
    def own(self) -> Bools:
        """Peers × models: whether the model is the peer's own; none is with `include_self`."""
        return super().own & (not self.include_self)

    @property
    def unmarked(self) -> bool:
        """Whether a peer's non-matching content was not marked."""
        return any(np.isnan(annotated.incidence.sizes).any() for annotated in self.annotated)

    @property
    def several_annotators(self) -> bool:
        """Whether the value of a peer is a mean over annotators."""
        peers = list(chain.from_iterable(annotation.incidence.peers for annotation in self.annotated))
        return len(peers) > len(set(peers))

    def values(self, masks: Bools) -> Floats:
        """Scores in the sub-pyramid of each subset; a mean over the annotators that give a value."""

        def scores(incidence: Incidence) -> PyramidScores:
            """The scores of one annotator's incidence under every mask."""
            columns = [self.models.index(model) for model in incidence.models]
            return score_subsets(incidence, masks[:, columns], rounding=self.rounding, include_self=self.include_self)

        return self._mean_over_annotators(scores, len(masks))

    def over_order(self, order: int | None) -> Reduced:
        """The mean over every sub-pyramid of an order; None leaves out one model at a time (jackknife).

        Each pyramid has sub-pyramids of its own models, which need not be those of another annotator; one that has
        too few gives no value.
        """

        def scores(incidence: Incidence) -> PyramidScores:
            """The mean scores of one annotator's incidence over the sub-pyramids of the order."""
            models = len(incidence.models)
            models_used = models - 1 if order is None else order
            if not 1 <= models_used <= models:
                return score_subsets(incidence, np.zeros((1, models), dtype=np.bool_))
            return score_order(incidence, models_used, rounding=self.rounding)

        model_count = len(self.models) - 1 if order is None else order
        return Reduced(
            values=self._mean_over_annotators(scores, 1)[0],
            models=np.full(len(self.peers), model_count, dtype=np.int64),
        )

    def _mean_over_annotators(self, scores_of: Callable[[Incidence], PyramidScores], subsets: int) -> Floats:
        """Subsets × peers × statistics: the mean over annotators that give a value; NaN where none does."""
        shape = (subsets, len(self.peers), len(self.kinds))
        total, count = np.zeros(shape), np.zeros(shape)
        row = {peer: index for index, peer in enumerate(self.peers)}
        for annotated in self.annotated:
            scores = scores_of(annotated.incidence)
            values = np.stack([getattr(scores, statistic) for statistic in self.kinds], axis=-1)
            peers = [row[peer] for peer in annotated.incidence.peers]
            is_defined = ~np.isnan(values)
            total[:, peers] += np.where(is_defined, values, 0.0)
            count[:, peers] += is_defined
        return quotients(total, count)


def over_order(evidence: Evidence, order: int | None) -> Reduced:
    """The mean over sub-pyramids, as `PyramidEvidence.over_order`."""
    if not isinstance(evidence, PyramidEvidence):
        raise TypeError(f"{type(evidence).__name__} is no evidence of pyramids")
    return evidence.over_order(order)
