"""People and systems never share an id: whatever someone is called, no system's summary is replaced or lost."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import pyramidion
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.kinds.base import RefusedError
from pyramidion.assess.person_names import name_problems
from pyramidion.assess.store.people import Person, Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.server import start_link

WORDS = "A model in words of my own."


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient]) -> TestClient:
    return client("olga", "organiser")


def texts(folder: Path) -> dict[tuple[str, str], tuple[str, Any]]:
    """Kind and text of each summary of the files, by topic and summarizer."""
    found = pyramidion.load(folder).summaries
    return {(one.topic, one.summarizer): (one.kind, one.text) for one in found}


def give(assessment: Assessment, person: Person, topic: str = "T1", id: str = "w1") -> None:
    assessment.give_out([Task(id=id, kind="write", topic=topic, person=person.id)])


def change(assessment: Assessment, changes: dict[str, Any], id: str = "w1", *, unchecked: bool = False) -> None:
    """Store an event; unchecked, as an earlier version of the program did."""
    task = assessment.work.task(id)
    assert task is not None
    event = Event(id=str(uuid.uuid4()), version=task.version + 1, action="write", changes=changes)
    if unchecked:
        assessment.work.append(id, task.person, [event], lambda *_: None)
    else:
        assessment.append(task, task.person, [event])


@pytest.mark.parametrize("name", ["SYS-2", "SYS-1", "consensus"])
def test_a_name_that_a_system_has_is_refused_with_a_proposal_that_works(
    organiser: TestClient, assessment: Assessment, name: str
) -> None:
    page = organiser.post("/people", data={"name": f" {name} ", "role": "assessor"})
    assert page.status_code == 422
    assert assessment.people.find(name=name) is None
    (proposal,) = re.findall(r'<input name="name" value="([^"]+)"', page.text)
    assert f"such as {proposal}" in page.text
    assert organiser.post("/people", data={"name": proposal, "role": "assessor"}).status_code == 200
    assert assessment.people.find(name=proposal) is not None


def test_a_writer_of_models_of_the_campaign_is_invited_as_herself_and_goes_on(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    assert organiser.post("/people", data={"name": "HUMAN-A", "role": "assessor"}).status_code == 200
    person = assessment.people.find(name="HUMAN-A")
    assert person is not None
    give(assessment, person)
    task = assessment.work.task("w1")
    assert task is not None
    assert assessment.work.state(task)["text"].startswith("Summary of T1")
    change(assessment, {"text": WORDS})
    change(assessment, {"done": True})
    write_files(assessment)
    assert texts(folder)["T1", "HUMAN-A"] == ("model", WORDS)
    assert name_problems(assessment) == {}


def test_what_someone_called_like_a_system_writes_is_kept_and_waits_for_another_name(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    person = assessment.people.add("SYS-2", "assessor")  # by an earlier version of the program
    assessment.people.set_password(person.id, "long enough 1")
    form = Task(id="f1", kind="form", topic="T1", person=person.id, spec={"pass": 1, "summaries": {"1": "SYS-2"}})
    assessment.give_out([form])
    change(assessment, {"answer/1/clear": 4}, "f1")
    give(assessment, person)
    change(assessment, {"text": WORDS})
    write_files(assessment)
    before = texts(folder)
    with pytest.raises(RefusedError, match="ask the organiser") as refused:
        change(assessment, {"done": True})
    assert "SYS" not in str(refused.value)  # assessors do not learn what systems are called
    write_files(assessment)
    assert texts(folder) == before

    page = organiser.get("/people").text
    assert "SYS-2 is also the id of a system" in page
    assert "1 needs another name" in organiser.get("/").text
    assert "SYS-2 is also the id of a system" in organiser.get("/export").text
    taken = organiser.post(f"/people/{person.id}/name", data={"name": "SYS-3"})
    assert taken.status_code == 422
    assert organiser.post(f"/people/{person.id}/name", data={"name": "ann"}).status_code == 200
    assert name_problems(assessment) == {}
    ann = assessment.people.check_password("ann", "long enough 1")
    assert ann is not None
    assert assessment.people.check_password("SYS-2", "long enough 1") is None
    task = assessment.work.task("w1")
    assert task is not None
    assert (task.person, assessment.work.state(task)["text"]) == (ann.id, WORDS)
    change(assessment, {"done": True})
    write_files(assessment)
    assert texts(folder) == {**before, ("T1", "ann"): ("model", WORDS)}
    assert [one.assessor for one in pyramidion.load(folder).judgments] == ["ann"]  # her answers follow her


def test_rows_under_a_former_name_are_replaced_also_after_a_restart(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    person = assessment.people.add("SYS-2", "assessor")
    assessment.give_out(
        [Task(id="f1", kind="form", topic="T1", person=person.id, spec={"pass": 1, "summaries": {"1": "SYS-1"}})]
    )
    change(assessment, {"answer/1/clear": 4}, "f1")
    write_files(assessment)
    organiser.post(f"/people/{person.id}/name", data={"name": "ann"})
    again = Assessment(folder)  # which reads the rows that were written under the former name
    write_files(again)
    again.close()
    assert [(one.assessor, one.value) for one in pyramidion.load(folder).judgments] == [("ann", 4)]


def test_a_database_in_which_such_a_model_was_handed_in_replaces_nothing(assessment: Assessment, folder: Path) -> None:
    before = texts(folder)
    person = assessment.people.add("SYS-2", "assessor")
    give(assessment, person)
    change(assessment, {"text": WORDS, "done": True}, unchecked=True)
    write_files(assessment)
    assert texts(folder) == before
    again = Assessment(folder)
    write_files(again)
    assert {(one.topic, one.summarizer) for one in again.campaign.summaries} == set(before)
    assert list(name_problems(again)) == [person.id]
    again.close()
    assert texts(folder) == before


def test_a_system_that_comes_later_keeps_its_summaries(assessment: Assessment, folder: Path) -> None:
    person = assessment.people.add("lead", "assessor")
    give(assessment, person)
    give(assessment, person, "T2", "w2")
    change(assessment, {"text": WORDS, "done": True})
    write_files(assessment)
    row = {"topic": "T2", "summarizer": "lead", "kind": "peer", "text": "The first words of the documents."}
    with (folder / "summaries.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    change(assessment, {"text": WORDS}, "w2")
    with pytest.raises(RefusedError, match="ask the organiser"):
        change(assessment, {"done": True}, "w2")
    write_files(assessment)
    assert texts(folder)["T2", "lead"] == ("peer", row["text"])
    assert texts(folder)["T1", "lead"] == ("model", WORDS)
    assert list(name_problems(assessment)) == [person.id]


def test_a_name_on_which_the_work_of_others_rests_stays(organiser: TestClient, assessment: Assessment) -> None:
    person = assessment.people.add("SYS-2", "assessor")
    spec = {"models": {"1": "HUMAN-A", "2": "HUMAN-B"}, "annotators": ["SYS-2", "olga"]}
    assessment.give_out([Task(id="a1", kind="adjudicate", topic="T1", person=person.id, spec=spec)])
    page = organiser.post(f"/people/{person.id}/name", data={"name": "ann"})
    assert page.status_code == 422
    assert "rests on" in page.text
    assert assessment.people.find(name="ann") is None


def test_names_change_only_where_they_must(organiser: TestClient, assessment: Assessment) -> None:
    person = assessment.people.add("ann", "assessor")
    assert organiser.post(f"/people/{person.id}/name", data={"name": "bob"}).status_code == 422


def test_the_organiser_of_a_campaign_with_a_system_called_organiser_has_another_name(
    folder: Path, assessment: Assessment
) -> None:
    row = {"topic": "T1", "summarizer": "organiser", "kind": "peer", "text": "Some words."}
    with (folder / "summaries.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    for _ in range(2):
        start_link(assessment, "")
    assert [one.name for one in assessment.people.all()] == ["organiser-person"]
