"""The local engine: neither the groups of topics nor the shards of a campaign change a score, and nothing is gathered twice."""

from collections.abc import Sequence

import pytest
from polars.testing import assert_frame_equal

from pyramidion.campaign import Campaign, TopicData
from pyramidion.engines import local
from pyramidion.engines.evidence_store import EvidenceByMeasure, EvidenceStore, Gather, gather
from pyramidion.measures.base import Measure
from pyramidion.measures.registry import select
from pyramidion.measures.run_context import RunContext
from pyramidion.scores import ScoreTable

MEASURES = ("rouge-2.recall", "pyramid.modified", "question.coherence")


def score(campaign: Campaign, gather: Gather = gather) -> ScoreTable:
    return local.score_shards([campaign], [select(name) for name in MEASURES], gather=gather)


def test_the_size_of_groups_changes_nothing(demo_campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = score(demo_campaign)
    monkeypatch.setattr(local, "GROUP_PEERS", 50)
    order = ["measure", "topic", "summarizer"]
    assert_frame_equal(score(demo_campaign).frame.sort(order), expected.frame.sort(order))


def test_evidence_that_is_kept_is_not_gathered_again(demo_campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Measure] = []

    def counting(measures: Sequence[Measure], topics: Sequence[TopicData], run: RunContext) -> EvidenceByMeasure:
        asked.extend(measures)
        return gather(measures, topics, run)

    monkeypatch.setattr("pyramidion.engines.evidence_store.gather", counting)
    store = EvidenceStore()
    assert score(demo_campaign, store.gather).measures == score(demo_campaign, store.gather).measures == MEASURES
    assert [measure.name() for measure in asked] == ["rouge-2", "pyramid", "question"]
    assert [topic.topic for topic in store.by_topic(asked)] == list(demo_campaign.topic_ids)
