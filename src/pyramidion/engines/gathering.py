"""Evidence of several measures on several topics, and how studies that choose models themselves come by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import TopicData
from pyramidion.measures.base import Measure, grouped
from pyramidion.measures.registry import Selection
from pyramidion.measures.run_context import NO_RUN, RunContext
from pyramidion.scores import Evidence

Gathered = Mapping[Measure, Sequence[Evidence | None]]
"""By measure, the evidence of each topic of a batch; None where the topic lacks what the measure needs."""
Gather = Callable[[Sequence[Measure], Sequence[TopicData]], Gathered]


@dataclass(frozen=True, kw_only=True)
class TopicEvidence:
    """What measures found in one topic; a measure whose needs it lacks is not there."""

    topic: str
    evidence: Mapping[Measure, Evidence]


def gather(
    measures: Sequence[Measure], topics: Sequence[TopicData], run: RunContext = NO_RUN
) -> dict[Measure, Sequence[Evidence | None]]:
    """By measure, the evidence of each topic; measures of one family are gathered together."""
    families: dict[type[Measure], list[Measure]] = grouped(measures, type)
    return {
        measure: gathered
        for family, members in families.items()
        for measure, gathered in zip(members, family.gather_in_run(members, topics, run), strict=True)
    }


class EvidenceStore:
    """Evidence that is kept: each measure is gathered once for each batch of topics.

    Args:
        run: what measures are offered.
    """

    def __init__(self, run: RunContext = NO_RUN) -> None:
        self._run = run
        self._kept: dict[tuple[str, ...], dict[Measure, Sequence[Evidence | None]]] = {}

    def gather(self, measures: Sequence[Measure], topics: Sequence[TopicData]) -> Gathered:
        """As the function `gather`, but what is there already is not gathered again."""
        kept = self._kept.setdefault(tuple(topic.topic.topic for topic in topics), {})
        if lacking := [measure for measure in measures if measure not in kept]:
            kept |= gather(lacking, topics, self._run)
        return {measure: kept[measure] for measure in measures}

    def by_topic(self, measures: Iterable[Measure]) -> list[TopicEvidence]:
        """What these measures found in each topic."""
        return [
            TopicEvidence(
                topic=topic,
                evidence={
                    measure: found
                    for measure in measures
                    if measure in kept and (found := kept[measure][number]) is not None
                },
            )
            for topics, kept in self._kept.items()
            for number, topic in enumerate(topics)
        ]


def single_model_scores(evidence: Iterable[TopicEvidence], selection: Selection) -> list[Floats]:
    """For each topic the scores of a measure's statistic against single models: models × peers."""
    found = []
    for topic in evidence:
        one = topic.evidence.get(selection.measure)
        if one is not None and one.models:
            values = one.values(np.eye(len(one.models), dtype=np.bool_))
            found.append(values[:, :, one.statistics.index(selection.statistic or one.statistics[0])])
    return found
