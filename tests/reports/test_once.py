"""A report reads its data once and scores every summary once by each measure, however many sections need it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Problems, TopicData
from pyramidion.campaign.sources import CampaignSource
from pyramidion.engines import evidence_store, local
from pyramidion.measures.base import Measure
from pyramidion.run import data as reading

SCORES = "topic,summarizer,judge\nD04,1,0.5\nD04,2,0.25\nD02,1,0.75\n"


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[Measure, str, str]]:
    """How often each summary is scored by each measure."""
    counts: Counter[tuple[Measure, str, str]] = Counter()
    gather = evidence_store.gather

    def counting(measures: Sequence[Measure], topics: Sequence[TopicData]) -> Mapping[Measure, Any]:
        counts.update(
            (measure, topic.topic.topic, peer.summarizer)
            for measure in measures
            for topic in topics
            for peer in topic.peers
        )
        return gather(measures, topics)

    monkeypatch.setattr(evidence_store, "gather", counting)
    assert (local.score_shards.__kwdefaults__ or {})["gather"] is gather  # a stream would not be counted
    return counts


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[Path]:
    """How often each file or folder is read."""
    counts: Counter[Path] = Counter()
    whole = CampaignSource.read

    def counting(source: CampaignSource, problems: Problems) -> Campaign:
        counts[source.path] += 1
        return whole(source, problems)

    monkeypatch.setattr(CampaignSource, "read", counting)
    return counts


@pytest.mark.slow
def test_nothing_is_read_or_scored_twice(
    tmp_path: Path, read: Counter[Path], scored: Counter[tuple[Measure, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text(SCORES, encoding="utf-8")
    joined: list[list[Path]] = []
    columns = getattr(reading, "read_columns")  # noqa: B009  # imported there

    def joining(paths: list[Path], *others: Any, **options: Any) -> Any:
        joined.append(paths)
        return columns(paths, *others, **options)

    monkeypatch.setattr(reading, "read_columns", joining)
    pyramidion.report("demo", tmp_path / "report.html", scores=[scores])
    assert list(read.values()) == [1]
    assert joined == [[scores]]
    assert len({measure for measure, *_ in scored}) >= 6
    assert set(scored.values()) == {1}
