"""When forms open: the order of passes is the server's rule, not the page's."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.form.passes import lock_reason
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task

SUMMARIES = {"1": "SYS-2", "2": "HUMAN-A"}
THIRD = """
[[questions]]
name = "overall"
text = "How good is it?"
pass = 3
"""


@pytest.fixture
def ann(folder: Path, client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    with (folder / "campaign.toml").open("a") as file:
        file.write(THIRD)
    browser = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    assessment.work.add(
        Task(id=f"{topic}p{number}", kind="form", topic=topic, person=person.id, spec=spec)
        for topic in ("T1", "T2")
        for number in (1, 2, 3)
        for spec in [{"pass": number, "summaries": SUMMARIES}]
    )
    return browser


def hand_in(browser: TestClient, task: str, question: str) -> int:
    changes: dict[str, Any] = {f"answer/{handle}/{question}": 4 for handle in SUMMARIES} | {"done": True}
    event = {"id": str(uuid.uuid4()), "version": 1, "action": "hand-in", "changes": changes, "seconds": 2.5}
    return browser.post(f"/api/task/{task}/events", json={"events": [event]}).status_code


def opens(browser: TestClient, task: str) -> bool:
    answers = {browser.get(path).status_code for path in (f"/task/{task}", f"/api/task/{task}")}
    assert answers in ({200}, {403})
    return answers == {200}


def test_pass_3_opens_after_passes_1_and_2_of_all_topics_and_then_hides_them(ann: TestClient) -> None:
    for topic in ("T1", "T2"):
        assert not opens(ann, f"{topic}p2")
        assert hand_in(ann, f"{topic}p2", "good") == 422
        assert hand_in(ann, f"{topic}p1", "clear") == 200
        assert not opens(ann, "T1p3")
        assert hand_in(ann, "T1p3", "overall") == 422
        assert opens(ann, f"{topic}p2")
        assert hand_in(ann, f"{topic}p2", "good") == 200
    assert opens(ann, "T1p3")
    assert opens(ann, "T2p3")
    assert not opens(ann, "T1p1")
    assert "put away until you have handed in pass 3" in ann.get("/").text.lower()
    for topic in ("T1", "T2"):
        assert hand_in(ann, f"{topic}p3", "overall") == 200
    assert opens(ann, "T1p1")
    assert "Everything is done" in ann.get("/").text


def test_work_that_was_handed_in_changes_only_when_it_is_opened_again(ann: TestClient) -> None:
    assert hand_in(ann, "T1p1", "clear") == 200
    event = {"id": str(uuid.uuid4()), "version": 2, "action": "answer", "changes": {"answer/1/clear": 2}}
    assert ann.post("/api/task/T1p1/events", json={"events": [event]}).status_code == 422
    event["changes"] = {"done": None}
    assert ann.post("/api/task/T1p1/events", json={"events": [event]}).json() == {"version": 2}


def test_practice_has_no_passes_to_wait_for() -> None:
    practice = Task(id="a", kind="form", topic="T1", person="p", spec={"pass": 3}, practice=True)
    waiting = Task(id="b", kind="form", topic="T1", person="p", spec={"pass": 1})
    assert lock_reason(practice, [practice, waiting]) == ""
    third = Task(id="c", kind="form", topic="T2", person="p", spec={"pass": 3})
    assert lock_reason(third, [practice, waiting, third]) == (
        "Opens when you have handed in pass 1 of all topics: 1 form to go."
    )
