"""Practice and norming: feedback after handing in, answers without names, and nothing of it in the data."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task

Client = Callable[[str, Role], TestClient]


@pytest.fixture
def organiser(client: Client, assessment: Assessment) -> TestClient:
    for name in ("ann", "bob"):
        assessment.people.add(name, "assessor")
    return client("olga", "organiser")


def hand_in(browser: TestClient, assessment: Assessment, name: str, value: int, comment: str = "") -> list[Task]:
    """Answer everything that someone has to practise."""
    person = assessment.people.find(name=name)
    assert person is not None
    tasks = assessment.work.tasks(person=person.id, practice=True)
    questions = {1: "clear", 2: "good"}
    for task in tasks:
        changes: dict[str, Any] = {
            f"answer/{one}/{questions[task.spec['pass']]}": value for one in task.spec["summaries"]
        }
        changes |= {"comment/1": comment} if comment else {}
        event = {"id": str(uuid.uuid4()), "version": 1, "action": "done", "changes": {**changes, "done": True}}
        assert browser.post(f"/api/task/{task.id}/events", json={"events": [event]}).status_code == 200
    return tasks


def test_assessors_see_the_organisers_answers_when_they_have_handed_in(
    organiser: TestClient, client: Client, assessment: Assessment
) -> None:
    organiser.post("/practice", data={"sort": "practice", "topic": "T1", "number": "2"})
    (one,) = assessment.settings.get("practice-rounds")
    publish = f"/practice/{one['id']}/publish"
    assert "answer the questions yourself first" in organiser.post(publish).text
    hand_in(organiser, assessment, "olga", 4, "Because it is clear.")
    assert organiser.post(publish).status_code == 200
    ann = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    first = assessment.work.tasks(person=person.id)[0]
    assert "feedback" not in ann.get(f"/api/task/{first.id}").json()["material"]
    hand_in(ann, assessment, "ann", 2)
    feedback = ann.get(f"/api/task/{first.id}").json()["material"]["feedback"]
    assert [one["answers"] for one in feedback.values()] == [{"clear": 4}, {"clear": 4}]
    assert "Because it is clear." in str(feedback)
    assert "SYS-" not in str(feedback)
    assert "The organiser&#39;s answers" in ann.get("/").text


def test_norming_shows_answers_without_names_and_agreement_after_handing_in(
    organiser: TestClient, client: Client, assessment: Assessment
) -> None:
    organiser.post("/practice", data={"sort": "norming", "topic": "T2", "number": "4"})
    (one,) = assessment.settings.get("practice-rounds")
    page = f"/norming/{one['id']}"
    ann, bob = client("ann", "assessor"), client("bob", "assessor")
    assert ann.get(page).status_code == 404
    hand_in(ann, assessment, "ann", 5, "I like it.")
    assert bob.get(page).status_code == 404
    assert "at least two have handed in" in ann.get(page).text
    hand_in(bob, assessment, "bob", 3)
    shown = ann.get(page).text
    assert "bob" not in shown
    assert "SYS-" not in shown
    assert "HUMAN-" not in shown
    assert "Krippendorff" in shown
    assert shown.count('<td class="r">3</td>') == shown.count('<td class="r">5</td>') == 8
    assert "I like it." in bob.get(page).text
    assert client("gus", "guest").get(page).status_code == 403


def test_norming_says_when_all_answers_are_equal(organiser: TestClient, client: Client, assessment: Assessment) -> None:
    organiser.post("/practice", data={"sort": "norming", "topic": "T2", "number": "4"})
    (one,) = assessment.settings.get("practice-rounds")
    for name in ("ann", "bob"):
        hand_in(client(name, "assessor"), assessment, name, 4)
    assert "clear: all answers are equal, so agreement is perfect" in organiser.get(f"/norming/{one['id']}").text


def test_a_round_of_more_summaries_than_there_are_is_refused(organiser: TestClient) -> None:
    answer = organiser.post("/practice", data={"sort": "norming", "topic": "T2", "number": "99"})
    assert answer.status_code == 422
    assert "choose 1 to 7" in answer.text


# Pyramids and peers

SCU = {"label": "It is a summary", "comment": ""}


def make_pyramid(assessment: Assessment, name: str, end: int) -> None:
    """Mark the first words of two models as an SCU, in all practice of someone."""
    person = assessment.people.find(name=name)
    assert person is not None
    for task in assessment.work.tasks(person=person.id, kind="pyramid", practice=True):
        contributors = [{"model": handle, "parts": [[0, end]]} for handle in ("1", "2")]
        changes: tuple[dict[str, Any], ...] = ({"scu/1": {**SCU, "contributors": contributors}}, {"done": True})
        for version, change in enumerate(changes, start=1):
            event = Event(id=str(uuid.uuid4()), version=version, action="scu", changes=change)
            assessment.append(task, person.id, [event])


def test_pyramids_are_practised_and_compared_with_the_organisers(
    organiser: TestClient, client: Client, assessment: Assessment
) -> None:
    ann = client("ann", "assessor")
    data = {"sort": "practice", "topic": "T1", "number": "1", "kind": "pyramid"}
    organiser.post("/practice", data=data)
    (round_,) = assessment.settings.get("practice-rounds")
    assert organiser.post(f"/practice/{round_['id']}/publish").status_code == 422  # the organiser comes first
    make_pyramid(assessment, "olga", 7)
    assert organiser.post(f"/practice/{round_['id']}/publish").status_code == 200
    assert ann.get(f"/norming/{round_['id']}").status_code == 404
    make_pyramid(assessment, "ann", 10)
    assert "Compare" in ann.get("/").text
    page = ann.get(f"/norming/{round_['id']}").text
    assert "The organiser: 1 SCU" in page
    assert "You: 1 SCU" in page
    assert "It is a summary" in page
    assert "Krippendorff" in page
    assert "HUMAN-" not in page
    write_files(assessment)
    assert not (assessment.folder / "pyramids.jsonl").exists()  # practice never enters the data


def test_norming_with_peers_shows_all_without_names(
    organiser: TestClient, client: Client, assessment: Assessment
) -> None:
    scu = {"uid": 1, "label": "It is a summary", "contributors": [{"model": "HUMAN-A", "parts": [[0, 7]]}]}
    pyramid = {"topic": "T1", "annotator": "someone", "models": ["HUMAN-A", "HUMAN-B", "HUMAN-C"], "scus": [scu]}
    data = {"sort": "norming", "topic": "T1", "number": "2", "kind": "peer"}
    assert "has no pyramid yet" in organiser.post("/practice", data=data).text
    (assessment.folder / "pyramids.jsonl").write_text(json.dumps(pyramid) + "\n")
    ann, bob = client("ann", "assessor"), client("bob", "assessor")
    organiser.post("/practice", data=data)
    (round_,) = assessment.settings.get("practice-rounds")
    for name, end in (("ann", 7), ("bob", 10)):
        person = assessment.people.find(name=name)
        assert person is not None
        tasks = assessment.work.tasks(person=person.id, kind="peer", practice=True)
        assert len(tasks) == 2
        for task in tasks:
            decision = {"present": True, "contributors": [[[0, end]]]}
            changes: tuple[dict[str, Any], ...] = ({"scu/1": decision}, {"done": True})
            for version, change in enumerate(changes, start=1):
                event = Event(id=str(uuid.uuid4()), version=version, action="match", changes=change)
                assessment.append(task, person.id, [event])
    for browser, names in ((ann, "ann bob"), (bob, "bob ann")):
        page = browser.get(f"/norming/{round_['id']}").text
        assert "You: 1 SCU" in page
        assert "Assessor 2: 1 SCU" in page
        assert not re.search(rf"\b{names.split()[1]}\b", page)
        assert "SYS-" not in page
    assert "Assessor 1: 1 SCU" in organiser.get(f"/norming/{round_['id']}").text
