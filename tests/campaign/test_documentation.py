"""The examples of the reference page are files that read without any problem."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyramidion.campaign import Problems
from pyramidion.campaign.sources import CampaignSource

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "campaign-format.md"
EXAMPLES = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE.read_text(encoding="utf-8"), flags=re.DOTALL))
SINGLE = ("flat.jsonl", "long.csv", "wide.csv")


def problems_of(path: Path) -> list[str]:
    problems = Problems()
    CampaignSource(path).read(problems)
    return list(map(str, problems))


def test_the_files_of_the_folder_fit_together(tmp_path: Path) -> None:
    names = set(EXAMPLES) - set(SINGLE)
    assert len(names) == 9
    for name in names:
        (tmp_path / name).write_text(EXAMPLES[name], encoding="utf-8")
    assert problems_of(tmp_path) == []


@pytest.mark.parametrize("name", SINGLE)
def test_a_single_file_reads_without_a_problem(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(EXAMPLES[name], encoding="utf-8")
    assert problems_of(tmp_path / name) == []
    assert CampaignSource(tmp_path / name).read(Problems()).topic_ids == ("q1",)
