"""Evidence of several measures on several topics, and how studies that choose models themselves come by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import TopicData
from pyramidion.engines.outputs import average_outputs, split_outputs
from pyramidion.measures.base import Measure, grouped
from pyramidion.measures.registry import Selection
from pyramidion.measures.run_context import NO_RUN, RunContext
from pyramidion.scores import Evidence

EvidenceByMeasure = Mapping[Measure, Sequence[Evidence | None]]
"""By measure, the evidence of each topic of a group; None where the topic lacks what the measure needs."""
Gather = Callable[[Sequence[Measure], Sequence[TopicData]], EvidenceByMeasure]


@dataclass(frozen=True, kw_only=True)
class TopicEvidence:
    """What measures found in one topic; a measure whose needs it lacks is not there."""

    topic: str
    evidence: Mapping[Measure, Evidence]


def rests_on_answers(measure: Measure) -> bool:
    """Whether a measure rests on answers or scores of others: they are about a system, not about one of its outputs."""
    return not measure.required.isdisjoint({"judgments", "imported"})


def gather(
    measures: Sequence[Measure], topics: Sequence[TopicData], run: RunContext = NO_RUN
) -> dict[Measure, Sequence[Evidence | None]]:
    """By measure, the evidence of each topic; measures of one family are gathered together."""
    families: dict[type[Measure], list[Measure]] = grouped(measures, type)
    evidence: dict[Measure, Sequence[Evidence | None]] = {}
    has_runs = any(topic.has_runs for topic in topics)
    outputs = list(map(split_outputs, topics)) if has_runs else topics
    for family, members in families.items():
        seen_topics = topics if rests_on_answers(members[0]) else outputs
        evidence |= dict(zip(members, family.gather_in_run(members, seen_topics, run), strict=True))
    return evidence


class EvidenceStore:
    """Evidence that is kept: each measure is gathered once for each group of topics.

    Args:
        run: what measures are offered.
    """

    def __init__(self, run: RunContext = NO_RUN) -> None:
        self._run = run
        self._kept: dict[tuple[str, ...], dict[Measure, Sequence[Evidence | None]]] = {}

    def gather(self, measures: Sequence[Measure], topics: Sequence[TopicData]) -> EvidenceByMeasure:
        """As the function `gather`, but what is there already is not gathered again."""
        # By the group, not by the topic: measures share work within a group, and the same groups come again in the
        # same order.
        kept = self._kept.setdefault(tuple(topic.topic.topic for topic in topics), {})
        lacking = [measure for measure in measures if measure not in kept]
        if lacking:
            kept |= gather(lacking, topics, self._run)
        return {measure: kept[measure] for measure in measures}

    def by_topic(self, measures: Iterable[Measure]) -> list[TopicEvidence]:
        """What these measures found in each topic."""
        requested = list(measures)
        by_topic: list[TopicEvidence] = []
        for topics, kept in self._kept.items():
            gathered = {measure: kept[measure] for measure in requested if measure in kept}
            for number, topic in enumerate(topics):
                evidence = {measure: of_topics[number] for measure, of_topics in gathered.items()}
                present = {measure: average_outputs(item) for measure, item in evidence.items() if item is not None}
                by_topic.append(TopicEvidence(topic=topic, evidence=present))
        return by_topic


def single_model_scores(evidence: Iterable[TopicEvidence], selection: Selection) -> list[Floats]:
    """For each topic the scores of a measure's statistic against single models: models × peers."""
    scores = []
    for topic in evidence:
        of_measure = topic.evidence.get(selection.measure)
        if of_measure is not None and of_measure.models:
            # Each row of the identity is a mask with one model: all of them at the cost of one matrix product.
            values = of_measure.values(np.eye(len(of_measure.models), dtype=np.bool_))
            statistic = selection.statistic or of_measure.statistics[0]
            scores.append(values[:, :, of_measure.statistics.index(statistic)])
    return scores
