"""Flat export: the mark of simulated data stays, and what is lost is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest

from pyramidion.campaign import Campaign, Judgment, Problems, Summary, write_flat
from pyramidion.campaign.flat import writing as flat_writing
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError
from pyramidion.scores import Score, ScoreTable

PEERS = tuple(Summary(topic=f"T{n % 3}", summarizer=f"S{n}", kind="peer", text="words") for n in range(10))


def losses(campaign: Campaign, path: Path) -> list[str]:
    problems = Problems()
    write_flat(campaign, path, problems=problems)
    assert problems.errors == 0
    return [found for problem in problems for found in problem.found.split("; ")]


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet"])
def test_what_was_simulated_stays_said(tmp_path: Path, name: str) -> None:
    write_flat(Campaign(summaries=PEERS, simulated="texts, judgments"), tmp_path / name)
    assert CampaignSource(tmp_path / name).read(Problems()).simulated == "texts, judgments"
    assert all(shard.simulated == "texts, judgments" for shard in CampaignSource(tmp_path / name).shards(Problems()))


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet"])
def test_nothing_is_said_of_data_that_is_not_simulated(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_flat(Campaign(summaries=PEERS), path)
    columns = (
        pl.read_parquet(path).columns if path.suffix == ".parquet" else json.loads(path.read_text().split("\n")[0])
    )
    assert "simulated" not in columns


def test_rows_that_say_different_things_are_simulated_in_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    marks = ["judgments", "", "texts, judgments"]
    rows = [{"topic": "T", "summarizer": f"S{n}", "summary": "x", "simulated": mark} for n, mark in enumerate(marks)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert CampaignSource(path).read(Problems()).simulated == "judgments, texts"


def test_a_flat_campaign_loses_nothing(tmp_path: Path) -> None:
    reference = Summary(topic="T0", summarizer="ref1", kind="model", text="words")
    campaign = Campaign(name="flat", simulated="texts", summaries=(reference, *PEERS))
    assert losses(campaign, tmp_path / "flat.jsonl") == []
    assert losses(campaign, tmp_path / "flat.parquet") == []


def test_every_loss_is_said(folder: Path, tmp_path: Path) -> None:
    campaign = replace(
        CampaignSource(folder).read(Problems()),
        imported=ScoreTable.of([Score(measure="m", topic="D1", summarizer="S1", value=1)]),
    )
    said = losses(campaign, tmp_path / "flat.jsonl")
    assert said == [
        "campaign settings: name, word limit, questions",
        "names and kinds (human, system) of 1 summarizer",
        "topic fields: part",
        "who wrote 2 references",
        "1 imported score",
        "1 preference",
        "2 units of the sample",
        "1 pyramid",
        "1 annotation",
        "1 row of coverage",
    ]
    assert losses(campaign, tmp_path / "flat.parquet") == [*said[:3], "sentence boundaries", *said[3:]]


def test_a_human_summary_that_is_no_reference_does_not_become_a_system(tmp_path: Path) -> None:
    further = Summary(topic="T0", summarizer="H", kind="model", text="words", extra=True)
    answer = Judgment(topic="T0", summarizer="H", question="q", value=2)
    campaign = Campaign(summaries=(*PEERS, further), judgments=(answer,))
    said = losses(campaign, tmp_path / "flat.jsonl")
    assert said == ["1 human summary that is not a reference, with 1 human score"]
    assert CampaignSource(tmp_path / "flat.jsonl").read(Problems()).summaries == (
        *sorted(PEERS, key=lambda one: one.topic),
    )


def test_unknown_keys_that_a_flat_row_uses_itself_are_lost_and_that_is_said(tmp_path: Path) -> None:
    odd = Summary(topic="T", summarizer="S", kind="peer", text="words", unknown={"references": ["x"], "colour": "red"})
    said = losses(Campaign(summaries=(odd,)), tmp_path / "flat.jsonl")
    assert said == ["unknown keys of summaries that are called like ours: references"]
    (read,) = CampaignSource(tmp_path / "flat.jsonl").read(Problems()).summaries
    assert read.unknown == {"colour": "red"}


def test_runs_of_a_judge_are_averaged_and_what_is_known_of_an_answer_is_dropped(tmp_path: Path) -> None:
    first = Judgment(topic="T0", summarizer="S0", question="q", assessor="judge", value=2, seconds=3)
    answers = (first, msgspec.structs.replace(first, value=5, run=2, comment="Better."))
    peer = Summary(topic="T0", summarizer="S0", kind="peer", text="words")
    campaign = Campaign(name="flat", summaries=(peer,), judgments=answers)
    said = losses(campaign, tmp_path / "flat.jsonl")
    assert said == [
        "fields of human scores: seconds, comment",
        "1 answer of repeated runs of a judge (their mean is stored)",
    ]
    assert [one.value for one in CampaignSource(tmp_path / "flat.jsonl").read(Problems()).judgments] == [3.5]


def test_a_parquet_file_is_written_in_pieces_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_writing, "ROWS_AT_ONCE", 3)
    path = tmp_path / "flat.parquet"
    write_flat(Campaign(summaries=PEERS), path)
    assert sorted(pl.read_parquet(path)["summarizer"]) == sorted(peer.summarizer for peer in PEERS)
    assert pl.read_parquet(path)["topic"].is_sorted()


def test_a_campaign_without_peers_gives_a_file_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "flat.parquet"
    write_flat(Campaign(), path)
    assert (pl.read_parquet(path).height, "summary" in pl.read_parquet(path).columns) == (0, True)


def test_a_text_that_parquet_cannot_hold_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "flat.parquet"
    path.write_text("old")
    broken = Summary(topic="T", summarizer="S", kind="peer", text="\ud800")
    with pytest.raises((UnicodeEncodeError, pl.exceptions.PolarsError)):
        write_flat(Campaign(summaries=(broken,)), path)
    assert [file.name for file in tmp_path.iterdir()] == ["flat.parquet"]
    assert path.read_text() == "old"


def test_another_ending_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.jsonl, \.ndjson, \.parquet"):
        write_flat(Campaign(summaries=PEERS), tmp_path / "flat.csv")
    assert list(tmp_path.iterdir()) == []
