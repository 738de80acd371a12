"""Changes of one campaign at the same time: one waits for the other, and no answer is lost."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pyramidion
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.errors import InputError
from pyramidion.files import locks
from pyramidion.files.locks import LOCK_FILE, CampaignLockedError, lock_campaign

HEADER = "topic,summarizer,assessor,question,value\n"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "c"
    shutil.copytree(CAMPAIGN_FOLDER, folder)
    return folder


def answers_of(campaign: Path, assessor: str) -> Path:
    """A file with one answer of a new assessor."""
    loaded = pyramidion.load(campaign)
    judgment = loaded.judgments[0]
    path = campaign.parent / f"{assessor}.csv"
    row = f"{judgment.topic},{judgment.summarizer},{assessor},{judgment.question},3\n"
    path.write_text(HEADER + row, encoding="utf-8")
    return path


def assessors_in(campaign: Path) -> set[str]:
    return {judgment.assessor for judgment in pyramidion.load(campaign).judgments}


def test_imports_in_ten_threads_lose_no_answer(campaign: Path) -> None:
    files = {f"new{number}": answers_of(campaign, f"new{number}") for number in range(10)}
    written: set[str] = set()
    refused: list[str] = []

    def add(assessor: str) -> None:
        try:
            pyramidion.import_campaign("judgments", files[assessor], into=campaign)
            written.add(assessor)
        except CampaignLockedError:  # on a computer that is very busy
            refused.append(assessor)

    threads = [threading.Thread(target=add, args=[assessor]) for assessor in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert assessors_in(campaign) & set(files) == written
    assert len(written) + len(refused) == 10
    assert written
    assert not (campaign / LOCK_FILE).exists()


@pytest.mark.slow
def test_imports_in_four_processes_lose_no_answer(campaign: Path) -> None:
    files = {f"new{number}": answers_of(campaign, f"new{number}") for number in range(4)}
    words = [sys.executable, "-m", "pyramidion", "import", "judgments", "--into", str(campaign)]
    commands = {
        assessor: subprocess.Popen([*words, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for assessor, path in files.items()
    }
    written = set()
    for assessor, command in commands.items():
        _, err = command.communicate(timeout=300)
        if command.returncode == 0:
            written.add(assessor)
        else:  # on a computer that is very busy
            assert "another command has been changing this campaign" in err
    assert assessors_in(campaign) & set(files) == written
    assert written


def test_a_campaign_that_is_being_changed_is_refused_after_a_while(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.1)
    answers = answers_of(campaign, "new")
    before = (campaign / "judgments.jsonl").read_bytes()
    with lock_campaign(campaign):
        with pytest.raises(CampaignLockedError, match=f"process {os.getpid()} on .*Nothing was written; try again"):
            pyramidion.import_campaign("judgments", answers, into=campaign)
        assert pyramidion.import_campaign("judgments", answers, into=campaign, dry_run=True).planned
        assert pyramidion.load(campaign).judgments
    assert (campaign / "judgments.jsonl").read_bytes() == before
    assert pyramidion.import_campaign("judgments", answers, into=campaign).written


@pytest.mark.skipif(sys.platform == "win32", reason="kill")
def test_the_lock_of_a_process_that_was_killed_holds_nobody_up(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import pathlib, sys\n"
        "from pyramidion.files.locks import lock_campaign\n"
        "with lock_campaign(pathlib.Path(sys.argv[1])):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", program, str(campaign)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        monkeypatch.setattr(locks, "WAIT_SECONDS", 0.1)
        with pytest.raises(CampaignLockedError, match=f"process {holder.pid} on "), lock_campaign(campaign):
            pass
        holder.send_signal(signal.SIGKILL)
    assert (campaign / LOCK_FILE).exists()
    assert pyramidion.import_campaign("judgments", answers_of(campaign, "new"), into=campaign).written
    assert not (campaign / LOCK_FILE).exists()


def test_a_link_in_place_of_the_lock_is_refused_and_what_it_leads_to_stays(campaign: Path) -> None:
    answers = answers_of(campaign, "new")
    data = campaign.parent / "data.txt"
    data.write_text("data", encoding="utf-8")
    (campaign / LOCK_FILE).symlink_to(data)
    with pytest.raises(InputError, match="found something else than a lock"):
        pyramidion.import_campaign("judgments", answers, into=campaign)
    (campaign / LOCK_FILE).unlink()
    (campaign / LOCK_FILE).hardlink_to(data)
    with pytest.raises(InputError, match="found something else than a lock"):
        pyramidion.import_campaign("judgments", answers, into=campaign)
    assert data.read_text(encoding="utf-8") == "data"


def test_where_nothing_can_be_written_there_is_no_lock(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(locks, "_open", refuse)
    with lock_campaign(campaign), lock_campaign(campaign):
        assert not (campaign / LOCK_FILE).exists()


def test_an_empty_folder_is_still_a_new_campaign(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"topic": "1", "summarizer": "A", "summary": "a ferry", "references": ["the ferry"]}\n')
    assert pyramidion.import_campaign("flat", rows, into=tmp_path / "new").written
