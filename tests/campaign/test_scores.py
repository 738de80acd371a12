"""The scores/ of a campaign folder: every score belongs to a summary, and is in one file only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.campaign.sources import CampaignSource
from pyramidion.scores import Score, ScoreTable, write_scores


def test_scores_of_a_folder_belong_to_its_summaries_and_are_there_once(folder: Path) -> None:
    known, lost = Score("m", "D1", "S1", 1), Score("m", "D1", "S9", 1)
    write_scores(ScoreTable.of([known]), folder / "scores" / "a.parquet")
    write_scores(ScoreTable.of([known, lost]), folder / "scores" / "b.parquet")
    problems = Problems()
    CampaignSource(folder).read(problems)
    again, dangling = problems
    assert [(Path(one.file).name, one.field) for one in (again, dangling)] == [
        ("b.parquet", "measure, topic, summarizer"),
        ("b.parquet", "topic, summarizer"),
    ]
    assert "a.parquet has already" in again.found
    assert "1 score without a summary, the first for ('D1', 'S9')" in dangling.found


def test_a_measure_has_one_direction(folder: Path) -> None:
    write_scores(ScoreTable.of([Score("m", "D1", "S1", 1)]), folder / "scores" / "a.parquet")
    low = replace(ScoreTable.of([Score("m", "D2", "S1", 1)]), higher_is_better={"m": False})
    write_scores(low, folder / "scores" / "b.parquet")
    problems = Problems()
    CampaignSource(folder).read(problems)
    (only,) = problems
    assert (Path(only.file).name, only.field) == ("b.parquet", "higher_is_better")
    assert str(folder / "scores" / "a.parquet") in only.found
