"""A table that is scored by columns is not read row by row for anything that comes after."""

import json
from pathlib import Path

import pytest

from pyramidion import compare
from pyramidion.run.data import CampaignData


def write_table(path: Path) -> None:
    """Summaries of two systems on three topics, each with a reference."""
    rows = [
        {
            "topic": f"t{topic}",
            "summarizer": system,
            "summary": f"{system} saw {topic} towns",
            "references": ["we saw towns"],
        }
        for topic in range(3)
        for system in ("a", "b", "c")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_compare_does_not_read_the_rows_of_a_table_without_judgments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_table(tmp_path / "d.jsonl")

    def refuse(_: CampaignData) -> None:
        raise AssertionError("the table was read row by row")

    monkeypatch.setattr(CampaignData, "campaign", property(refuse))
    assert compare(tmp_path / "d.jsonl", ["rouge-2.recall"]).measures == ("rouge-2.recall",)
