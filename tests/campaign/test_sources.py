"""Sources say whether they stream, and can be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.sources import CampaignSource, RowSource, WholeCampaign
from pyramidion.run.data import source_of

ROWS = [{"topic": "1", "summarizer": name, "summary": "a ferry", "references": ["ferry"]} for name in ("A", "B")]


def test_rows_of_a_generator_can_be_read_twice() -> None:
    source = RowSource(row for row in ROWS)
    assert source.read(Problems()) == source.read(Problems())
    assert len(source.read(Problems()).summaries) == 3
    assert [len(shard.summaries) for shard in source.shards(Problems())] == [3]


@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")
def test_flat_files_and_rows_stream_and_nothing_else_does(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "flat.jsonl").write_text('{"topic": "1", "summarizer": "A", "summary": "x"}', encoding="utf-8")
    (tmp_path / "judge.csv").write_text("topic,summarizer,judge\n1,A,1\n", encoding="utf-8")
    assert CampaignSource(tmp_path / "flat.jsonl").streams
    assert RowSource(ROWS).streams
    assert not CampaignSource(tmp_path / "judge.csv").streams
    assert not CampaignSource(folder).streams
    assert not WholeCampaign(Campaign()).streams
    assert not source_of("demo").streams
