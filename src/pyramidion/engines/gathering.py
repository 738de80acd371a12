"""Evidence of several measures on several topics, and how studies that choose models themselves come by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pyramidion.campaign import TopicData
from pyramidion.measures.base import Measure, grouped
from pyramidion.scores import Evidence

Gathered = Mapping[Measure, Sequence[Evidence | None]]
"""By measure, the evidence of each topic of a batch; None where the topic lacks what the measure needs."""
WhenGathered = Callable[[Sequence[TopicData], Gathered], None]
"""Called with every batch of topics before it is scored."""


@dataclass(frozen=True, kw_only=True)
class TopicEvidence:
    """What measures found in one topic; a measure whose needs it lacks is not there."""

    topic: str
    evidence: Mapping[Measure, Evidence]


def gather(measures: Sequence[Measure], topics: Sequence[TopicData]) -> dict[Measure, Sequence[Evidence | None]]:
    """By measure, the evidence of each topic; measures of one family are gathered together."""
    families: dict[type[Measure], list[Measure]] = grouped(measures, type)
    return {
        measure: gathered
        for family, members in families.items()
        for measure, gathered in zip(members, family.gather(members, topics), strict=True)
    }


def keep_evidence(kept: list[TopicEvidence]) -> WhenGathered:
    """For `score_shards(when_gathered=…)`: keep what is scored, so that nothing is compared twice."""

    def keep(topics: Sequence[TopicData], gathered: Gathered) -> None:
        for number, topic in enumerate(topics):
            found = {measure: one for measure, each in gathered.items() if (one := each[number]) is not None}
            kept.append(TopicEvidence(topic=topic.topic.topic, evidence=found))

    return keep
