"""The campaign's files follow the work, and nothing else in them changes."""

from __future__ import annotations

import gzip
import json
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.campaign_files import CampaignFiles
from pyramidion.assess.file_writer import LATEST, LOOK, FileLock, FileWriter, write_files
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Event, Task
from pyramidion.campaign import CampaignError
from pyramidion.files import locks

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}}
OTHER = '{"topic": "T1", "summarizer":   "SYS-1", "question": "clear", "value": 2, "assessor": "old"}'
OLD = '{"topic":"T1","summarizer":"SYS-1","question":"clear","value":5,"assessor":"ann"}'


@pytest.fixture
def ann(assessment: Assessment) -> Person:
    return assessment.people.add("ann", "assessor")


def give(assessment: Assessment, person: Person, **facts: Any) -> Task:
    assessment.give_out([Task(id="t1", kind="form", topic="T1", person=person.id, spec=SPEC, **facts)])
    found = assessment.work.task("t1")
    assert found is not None
    return found


def change(assessment: Assessment, changes: dict[str, Any]) -> None:
    task = assessment.work.task("t1")
    assert task is not None
    event = Event(id=str(uuid.uuid4()), version=task.version + 1, action="answer", changes=changes, seconds=1.0)
    assessment.append(task, task.person, [event])


def judgments(folder: Path) -> list[tuple[str, str, float]]:
    found = pyramidion.load(folder).judgments
    return [(one.assessor, one.summarizer, one.value) for one in found]


def test_answers_go_to_the_file_and_rows_of_others_keep_their_bytes(
    assessment: Assessment, ann: Person, folder: Path
) -> None:
    (folder / "judgments.jsonl").write_text(OTHER + "\n")
    give(assessment, ann)
    change(assessment, {"answer/1/clear": 4})
    assert write_files(assessment) == ["judgments"]
    assert (folder / "judgments.jsonl").read_text().startswith(OTHER + "\n")
    assert judgments(folder) == [("old", "SYS-1", 2), ("ann", "SYS-2", 4)]
    assert write_files(assessment) == []


def test_a_compressed_file_is_read_and_becomes_a_plain_one(assessment: Assessment, ann: Person, folder: Path) -> None:
    (folder / "judgments.jsonl").write_bytes(gzip.compress(f"{OTHER}\n".encode()))
    give(assessment, ann)
    change(assessment, {"answer/1/clear": 4})
    assert write_files(assessment) == ["judgments"]
    assert (folder / "judgments.jsonl").read_text().startswith(OTHER + "\n")
    assert judgments(folder) == [("old", "SYS-1", 2), ("ann", "SYS-2", 4)]


def test_rows_that_another_program_adds_while_the_server_runs_stay(
    assessment: Assessment, ann: Person, folder: Path
) -> None:
    give(assessment, ann)
    change(assessment, {"answer/1/clear": 4})
    write_files(assessment)
    with (folder / "judgments.jsonl").open("a") as file:
        file.write(OTHER + "\n")
    change(assessment, {"answer/1/clear": 3})
    assert write_files(assessment) == ["judgments"]
    assert judgments(folder) == [("old", "SYS-1", 2), ("ann", "SYS-2", 3)]
    assert {(one.assessor, one.value) for one in assessment.campaign.judgments} == {("old", 2), ("ann", 3)}


def test_the_pages_wait_for_a_command_that_changes_the_campaign(
    assessment: Assessment, ann: Person, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.1)
    give(assessment, ann)
    change(assessment, {"answer/1/clear": 4})
    with locks.lock_campaign(folder):
        with pytest.raises(locks.CampaignLockedError):
            write_files(assessment)
        assert judgments(folder) == []
    assert write_files(assessment) == ["judgments"]


@pytest.mark.parametrize("target", ["nowhere", "scores"])
def test_a_folder_of_scores_that_is_lost_is_an_error(folder: Path, target: str) -> None:
    (folder / "scores").symlink_to(target)
    with pytest.raises(CampaignError, match=r"scores: error: found .*link"):
        CampaignFiles(folder).read()


def test_a_task_goes_on_from_existing_rows_and_replaces_only_what_it_owns(
    assessment: Assessment, ann: Person, folder: Path
) -> None:
    (folder / "judgments.jsonl").write_text(f"{OLD}\n{OTHER}\n")
    task = give(assessment, ann)
    assert assessment.work.state(task) == {"answer/2/clear": 5}
    assert write_files(assessment) == []  # opened, not worked on
    change(assessment, {"answer/2/clear": None})
    write_files(assessment)
    assert judgments(folder) == [("old", "SYS-1", 2)]


def test_practice_is_never_written_and_withdrawn_work_is_taken_back(
    assessment: Assessment, ann: Person, folder: Path
) -> None:
    give(assessment, ann, practice=True)
    change(assessment, {"answer/1/clear": 4})
    assert write_files(assessment) == []
    assessment.work.add([Task(id="t2", kind="form", topic="T1", person=ann.id, spec=SPEC)])
    event = Event(id=str(uuid.uuid4()), version=1, action="answer", changes={"answer/1/clear": 1})
    assessment.work.append("t2", ann.id, [event], assessment.check)
    write_files(assessment)
    assert judgments(folder) == [("ann", "SYS-2", 1)]
    assessment.work.withdraw("t2")
    write_files(assessment)
    assert judgments(folder) == []


def test_errors_that_someone_leaves_in_a_file_stop_the_writer_and_lose_nothing(
    assessment: Assessment, ann: Person, folder: Path
) -> None:
    give(assessment, ann)
    change(assessment, {"answer/1/clear": 4})
    (folder / "judgments.jsonl").write_text("{ half a row")
    with pytest.raises(pyramidion.campaign.CampaignError):
        write_files(assessment)
    assert (folder / "judgments.jsonl").read_text() == "{ half a row"
    assert [one.value for one in assessment.campaign.judgments] == [4]
    change(assessment, {"answer/2/clear": 1})  # people go on
    (folder / "judgments.jsonl").unlink()
    write_files(assessment)
    assert judgments(folder) == [("ann", "SYS-2", 4), ("ann", "SYS-1", 1)]


class Clock:
    """Stands in for the module `time`: it goes on only when a test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds


def test_the_files_follow_within_three_seconds_and_at_once_what_is_handed_in(
    assessment: Assessment, ann: Person, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("pyramidion.assess.file_writer.time", clock)
    give(assessment, ann)
    writer = FileWriter(assessment)
    writer.look()
    change(assessment, {"answer/1/clear": 4})
    writer.look()
    clock.seconds += LATEST - LOOK - 0.1
    writer.look()
    assert not (folder / "judgments.jsonl").exists()
    clock.seconds += 0.1
    writer.look()
    assert judgments(folder) == [("ann", "SYS-2", 4)]
    change(assessment, {"answer/2/clear": 4, "done": True})
    writer.look()
    assert len(judgments(folder)) == 2


@pytest.mark.slow
def test_while_a_writer_runs_no_other_server_writes(assessment: Assessment, ann: Person, folder: Path) -> None:
    give(assessment, ann)
    writer = FileWriter(assessment)
    assessment.on_change = writer.wake
    writer.start()
    try:
        change(assessment, {"answer/1/clear": 4, "answer/2/clear": 4, "done": True})
        wait_for(folder / "judgments.jsonl")
        assert FileLock(folder / ".assessment.lock").hold() is False
    finally:
        writer.stop()
    assert len(judgments(folder)) == 2


def wait_for(path: Path) -> None:
    """Wait until there is such a file; two minutes are enough on the busiest machine."""
    limit = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < limit, f"no {path.name}"
        time.sleep(0.02)


@pytest.mark.slow
def test_the_last_answers_are_written_when_the_server_stops(assessment: Assessment, ann: Person, folder: Path) -> None:
    give(assessment, ann)
    write_files(assessment)
    writer = FileWriter(assessment)
    writer.start()
    change(assessment, {"answer/1/clear": 4})
    writer.stop()
    assert judgments(folder) == [("ann", "SYS-2", 4)]


def test_a_folder_without_summaries_is_a_campaign_to_be_written(tmp_path: Path) -> None:
    (tmp_path / "topics.jsonl").write_text(json.dumps({"topic": "T1", "title": "Ferries"}) + "\n")
    opened = Assessment(tmp_path)
    assert opened.campaign.topic_ids == ("T1",)
    opened.close()


def test_a_folder_that_is_no_campaign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pyramidion.errors.InputError, match="found no campaign"):
        Assessment(tmp_path)
    with pytest.raises(pyramidion.errors.InputError, match="found no folder"):
        Assessment(tmp_path / "x")
