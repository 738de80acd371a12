"""`auto-pyramid`: pyramid scores of peers that a program, not a person, matched with the pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from pyramidion.campaign import Campaign, TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import ONE_VALUE, Measure, Need, Rows, StatisticFacts, option
from pyramidion.measures.pyramid import PyramidEvidence, models_of, over_order
from pyramidion.measures.run_context import RunContext
from pyramidion.options import Rounding
from pyramidion.pyramids import Annotated, Incidence
from pyramidion.pyramids.automatic import UNCALIBRATED, Calibration, match_automatically, pyramids_of
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import Reduced, with_all_models

NOTE = "automatic: a program matched the SCUs"


@dataclass(frozen=True, kw_only=True)
class AutoPyramid(Measure):
    """The modified pyramid score where a program decides which SCUs a peer expresses, by idf-weighted word recall."""

    base_names: ClassVar[tuple[str, ...]] = ("auto-pyramid",)
    needs: ClassVar[frozenset[Need]] = frozenset({"models", "pyramid"})
    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE

    threshold: float | None = option(
        None,
        "recall from which an SCU is present; by default the one that agrees best with the annotations of the other "
        "topics, or 0.5 if there are none",
    )
    rounding: Rounding = option("half-up", "how the mean number of SCUs in a model is rounded")
    annotator: str | None = option(None, "only the pyramid by this annotator, not the mean over pyramids")
    jackknife: bool = option(False, "leave out one model at a time and average")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise UsageError(f"{self.base}: threshold={self.threshold:g}: expected a number above 0, up to 1")

    @classmethod
    def gather_in_run(
        cls, measures: Sequence[Self], topics: Sequence[TopicData], run: RunContext
    ) -> list[Sequence[Evidence | None]]:
        """The incidences of each topic's pyramids with all peers; calibrated on the campaign that is scored."""
        campaign = run.campaign
        if campaign is None:
            return cls.gather(measures, topics)
        calibration = run.remember("auto-pyramid", lambda: Calibration.of_campaign(campaign))
        return [[measure.calibrated_evidence(topic, calibration) for topic in topics] for measure in measures]

    def evidence(self, topic: TopicData) -> Evidence | None:
        """The incidences of the topic's pyramids with all peers, calibrated on the topic alone."""
        campaign = Campaign(topics=(topic.topic,), summaries=topic.models)
        return self.calibrated_evidence(topic, Calibration.of_campaign(campaign))

    def calibrated_evidence(self, topic: TopicData, calibration: Calibration) -> Evidence | None:
        """The incidences of the topic's pyramids with all peers; None without a pyramid.

        An SCU counts as present from the measure's threshold on; without one, from the threshold that agrees best
        with the annotators of the other topics.
        """
        pyramids = pyramids_of(topic, self.annotator)
        if not pyramids or not topic.peers:
            return None
        name = topic.topic.topic
        fitted = calibration.threshold(name) if self.threshold is None else None
        threshold = self.threshold or fitted or UNCALIBRATED
        annotated = []
        for pyramid in pyramids:
            annotations = tuple(match_automatically(pyramid, topic, calibration.idf, threshold=threshold))
            incidence = Incidence.of(pyramid, annotations)
            annotated.append(
                Annotated(topic=name, annotator="", pyramid=pyramid, annotations=annotations, incidence=incidence)
            )
        how = "leave-one-topic-out"
        if self.threshold is not None:
            how = "given"
        elif fitted is None:
            how = "none"
        used = _Used(**vars(self) | {"threshold": threshold}, calibration=how, idf=calibration.idf.name)
        return AutoPyramidEvidence(
            peers=tuple(peer.summarizer for peer in topic.peers),
            models=models_of(annotated),
            annotated=tuple(annotated),
            rounding=self.rounding,
            used=used,
        )

    def reduce(self, evidence: Evidence, *, topic: str, seed: int) -> Reduced:  # noqa: ARG002  # the same door
        """All models, or all but one in turn."""
        if self.jackknife:
            return over_order(evidence, None)
        return with_all_models(evidence)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """As the base does, with the threshold and the idf in each signature."""
        rows = super().rows(evidence, topics, seed=seed)
        signatures = []
        for topic, models in zip(rows.topics, rows.models, strict=True):
            topic_evidence = evidence[int(topic)]
            used = topic_evidence.used if isinstance(topic_evidence, AutoPyramidEvidence) else self
            signatures.append(
                [used.signature(statistic, models=int(models), seed=seed) for statistic in rows.statistics]
            )
        facts = dict.fromkeys(rows.statistics, StatisticFacts(note=NOTE))
        return replace(rows, signatures=signatures, facts=facts)


@dataclass(frozen=True, kw_only=True)
class _Used(AutoPyramid):
    """The measure with the threshold that was used on a topic, and what else its signature says."""

    calibration: str
    """How the threshold was chosen."""
    idf: str

    def facts(self, *, seed: int) -> dict[str, str]:  # noqa: ARG002  # nothing is drawn
        """How the threshold was chosen, and the idf."""
        return {"calibration": self.calibration, "idf": self.idf}


@dataclass(frozen=True, kw_only=True, eq=False)
class AutoPyramidEvidence(PyramidEvidence):
    """The modified scores of a topic."""

    statistics: tuple[str, ...] = ONE_VALUE
    kinds: tuple[str, ...] = ("modified",)
    used: AutoPyramid
    """The measure as it was used here, for signatures."""
