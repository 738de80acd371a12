"""Work over HTTP: events are stored once, in order, or refused."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1", "3": "HUMAN-A"}}


@pytest.fixture
def ann(client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    browser = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    assessment.work.add([Task(id="t1", kind="form", topic="T1", person=person.id, spec=SPEC)])
    return browser


def event(version: int, **changes: Any) -> dict[str, Any]:
    keys = {key.replace("__", "/"): value for key, value in changes.items()}
    return {"id": str(uuid.uuid4()), "version": version, "action": "answer", "changes": keys, "seconds": 2.5}


def test_an_answer_is_stored_and_comes_back(ann: TestClient) -> None:
    sent = event(1, answer__1__clear=4)
    assert ann.post("/api/task/t1/events", json={"events": [sent]}).json() == {"version": 1}
    assert ann.get("/api/task/t1").json()["state"] == {"answer/1/clear": 4}


def test_an_event_sent_twice_is_stored_once(ann: TestClient) -> None:
    sent = event(1, answer__1__clear=4)
    for _ in range(2):
        assert ann.post("/api/task/t1/events", json={"events": [sent]}).json() == {"version": 1}
    assert len(ann.get("/api/task/t1").json()["history"]) == 1


def test_a_stale_event_is_refused_with_the_newer_state(ann: TestClient) -> None:
    ann.post("/api/task/t1/events", json={"events": [event(1, answer__1__clear=4)]})
    answer = ann.post("/api/task/t1/events", json={"events": [event(1, answer__1__clear=2)]})
    assert answer.status_code == 409
    assert answer.json()["state"] == {"answer/1/clear": 4}


@pytest.mark.parametrize(
    "changes", [{"answer__1__clear": 6}, {"answer__9__clear": 3}, {"answer__1__good": 3}, {"x": 1}]
)
def test_what_the_form_does_not_ask_is_refused(ann: TestClient, changes: dict[str, Any]) -> None:
    assert ann.post("/api/task/t1/events", json={"events": [event(1, **changes)]}).status_code == 422
    assert ann.get("/api/task/t1").json()["version"] == 0


def test_nothing_tells_who_wrote_a_summary(ann: TestClient) -> None:
    for path in ("/", "/task/t1", "/api/task/t1"):
        answer = ann.get(path)
        assert answer.status_code == 200
        assert "SYS-" not in answer.text
        assert "HUMAN-" not in answer.text


def test_work_of_others_does_not_exist(ann: TestClient, client: Callable[[str, Role], TestClient]) -> None:
    assert client("bob", "assessor").get("/api/task/t1").status_code == 404
