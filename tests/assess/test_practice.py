"""Practice and norming: feedback after handing in, answers without names, and nothing of it in the data."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task

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
