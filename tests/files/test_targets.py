"""No output overwrites what is read, or a file of a campaign, unless the user says so; a campaign's nouns never."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyramidion.assess.assessment import DATABASE
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.settings import FILE
from pyramidion.errors import UsageError
from pyramidion.files.targets import OWN_FILES, check_output


def test_the_campaigns_own_files_are_all_known() -> None:
    database = {f"{DATABASE}{ending}" for ending in ("", "-wal", "-shm")}  # the two that SQLite keeps beside it
    assert {FILE, *database, *(f"{name}.jsonl" for name in NOUNS)} == OWN_FILES


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "campaign"
    (folder / "scores").mkdir(parents=True)
    for name in ("summaries.jsonl", "scores/judge.parquet", "notes.md"):
        (folder / name).write_bytes(b"")
    return folder


@pytest.mark.parametrize("replace", [False, True])
def test_nouns_are_never_replaced_even_where_they_are_links_or_missing(campaign: Path, replace: bool) -> None:
    (campaign.parent / "link.jsonl").symlink_to(campaign / "summaries.jsonl")
    (campaign.parent / "real.jsonl").write_bytes(b"")
    (campaign / "topics.jsonl").symlink_to(campaign.parent / "real.jsonl")
    for name in ("summaries.jsonl", "judgments.jsonl", "../link.jsonl", "../real.jsonl", "scores/../coverage.jsonl"):
        with pytest.raises(UsageError, match="write to another file"):
            check_output(campaign / name, str(campaign), replace=replace)


def test_other_files_of_a_campaign_are_replaced_when_the_user_says_so(campaign: Path) -> None:
    for name in ("scores/judge.parquet", "notes.md"):
        for data in (campaign, "demo"):
            with pytest.raises(UsageError, match="add `replace=True`"):
                check_output(campaign / name, data)
            check_output(campaign / name, data, replace=True)
    check_output(campaign / "scores" / "new.parquet", campaign)


def test_what_is_read_besides_is_replaced_when_the_user_says_so(tmp_path: Path) -> None:
    data, scores, output = tmp_path / "a.jsonl", tmp_path / "s.csv", tmp_path / "out.csv"
    for path in (data, scores, output):
        path.write_bytes(b"")
    for replace in (False, True):
        with pytest.raises(UsageError, match="is the data itself"):
            check_output(data, (data,), scores, replace=replace)
    with pytest.raises(UsageError, match="is read by this command; write to another file, or add `replace=True`"):
        check_output(scores, data, scores)
    check_output(scores, data, scores, replace=True)
    check_output(output, data, scores)
    check_output(None, data)


def test_a_file_in_a_folder_that_is_read_needs_replace(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_bytes(b"")
    with pytest.raises(UsageError, match="which is read"):
        check_output(texts / "a.txt", texts)
    check_output(texts / "b.txt", texts)
