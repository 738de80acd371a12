"""A flat file is read shard by shard: the same rows as the whole, and the same problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.flat.reading import stream_tables
from pyramidion.campaign.flat.tables import open_flat
from pyramidion.campaign.sources import CampaignSource
from pyramidion.files import parquet as parquet_module
from pyramidion.intake.opened import FileTable


def row(topic: int, summarizer: int, **more: Any) -> dict[str, Any]:
    return {
        "topic": f"T{topic}",
        "summarizer": f"S{summarizer}",
        "summary": f"summary {topic} {summarizer}",
        "references": [f"reference {topic}"],
        "documents": [f"document {topic}"],
        "judgments": {"overall": {"A": summarizer, "B": 2}},
    } | more


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        import polars as pl

        pl.DataFrame(rows).write_parquet(path, row_group_size=2)
    else:
        path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def stream(path: Path, shard_rows: int) -> tuple[list[Campaign], Problems]:
    problems = Problems()
    return list(stream_tables([open_flat(FileTable(path), problems)], problems, shard_rows=shard_rows)), problems


@settings(max_examples=60, deadline=None)
@given(
    keys=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), unique=True, max_size=25),
    shard_rows=st.integers(1, 9),
)
def test_shards_hold_the_rows_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, keys: list[tuple[int, int]], shard_rows: int
) -> None:
    path = write(tmp_path_factory.mktemp("stream") / "flat.jsonl", [row(*key) for key in keys])
    whole = CampaignSource(path).read(Problems())
    shards, problems = stream(path, shard_rows)
    assert len(problems) == 0
    peers = [one for shard in shards for one in shard.summaries if one.kind == "peer"]
    assert [(one.topic, one.summarizer) for one in peers] == [(f"T{topic}", f"S{number}") for topic, number in keys]
    assert peers == [one for one in whole.summaries if one.kind == "peer"]
    assert [one for shard in shards for one in shard.judgments] == list(whole.judgments)
    assert all(len([one for one in shard.summaries if one.kind == "peer"]) <= shard_rows for shard in shards)
    seen: set[str] = set()
    for shard in shards:
        here = set(shard.topic_ids)
        assert shard.continued == here & seen
        assert all(shard.topic(topic).models and shard.topic(topic).topic.documents for topic in here)
        seen |= here
    new = [one for shard in shards for one in shard.topics if one.topic not in shard.continued]
    assert new == list(whole.topics)


def test_a_topic_split_over_shards_is_continued_and_its_models_are_peers_once(tmp_path: Path) -> None:
    path = write(tmp_path / "flat.jsonl", [row(1, 1), row(1, 2), row(1, 3)])
    (first, second), _ = stream(path, 2)
    assert (first.continued, second.continued) == (frozenset(), frozenset({"T1"}))
    assert [peer.summarizer for peer in first.topic("T1", peers="all").peers] == ["ref1", "S1", "S2"]
    assert [peer.summarizer for peer in second.topic("T1", peers="all").peers] == ["S3"]
    assert [model.summarizer for model in second.topic("T1").models] == ["ref1"]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_key_that_comes_again_in_another_shard_is_found(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"flat{suffix}", [row(1, 1), row(1, 2), row(2, 1), row(1, 1)])
    shards, problems = stream(path, 2)
    (only,) = problems
    assert (only.line, only.field) == (4, "topic, summarizer")
    assert "first on line 1" in only.found
    assert sum(one.kind == "peer" for shard in shards for one in shard.summaries) == 3


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_references_that_differ_in_another_shard_are_found(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"flat{suffix}", [row(1, 1), row(2, 2), row(1, 3, references=["another"])])
    _, problems = stream(path, 1)
    (only,) = problems
    assert (only.severity, only.line, only.field) == ("error", 3, "references, documents")
    assert "'T1' than on line 1" in only.found


def test_a_parquet_file_gives_the_same_campaign_as_its_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_module, "PIECE_ROWS", (3, 3))
    rows = [row(topic, number) for topic in range(5) for number in range(4)]
    problems = Problems()
    one = CampaignSource(write(tmp_path / "flat.jsonl", rows)).read(problems)
    other = CampaignSource(write(tmp_path / "flat.parquet", rows)).read(problems)
    assert len(problems) == 0
    assert one == other
    assert len(one.summaries) == 25


def test_null_cells_and_dates_of_parquet_are_read_as_jsonl_would_have_them(tmp_path: Path) -> None:
    from datetime import date

    import polars as pl

    path = tmp_path / "flat.parquet"
    pl.DataFrame(
        {
            "topic": ["T1", "T2"],
            "summarizer": ["S", "S"],
            "summary": ["a", "b"],
            "references": [["r"], None],
            "documents": [[{"id": "d", "date": date(2005, 1, 31), "text": "t"}], None],
            "judgments": [{"q": 3.0, "r": None}, {"q": None, "r": 4.0}],
        }
    ).write_parquet(path)
    problems = Problems()
    campaign = CampaignSource(path).read(problems)
    assert (problems.errors, problems.warnings) == (0, 1)  # T2 has no references
    assert [document.date for document in campaign.topics[0].documents] == ["2005-01-31"]
    assert [(one.topic, one.question, one.value) for one in campaign.judgments] == [("T1", "q", 3.0), ("T2", "r", 4.0)]


def test_a_judgment_may_be_plain_or_by_assessor(tmp_path: Path) -> None:
    rows = [row(1, 1, judgments={"overall": 3}), row(1, 2, judgments={"overall": {"A": 4, "B": 5}})]
    campaign = CampaignSource(write(tmp_path / "flat.jsonl", rows)).read(Problems())
    assert [(one.summarizer, one.assessor, one.value) for one in campaign.judgments] == [
        ("S1", "", 3),
        ("S2", "A", 4),
        ("S2", "B", 5),
    ]


def test_only_a_flat_file_has_more_than_one_shard(folder: Path, tmp_path: Path) -> None:
    shards = list(CampaignSource(folder).shards(Problems()))
    assert shards == [CampaignSource(folder).read(Problems())]


@pytest.mark.parametrize("name", ["flat.JSONL", "flat.ndjson", "flat.jsonl"])
def test_the_ending_of_a_flat_file_may_be_in_any_case(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps(row(1, 1)))
    assert CampaignSource(tmp_path / name).read(Problems()).topic_ids == ("T1",)
