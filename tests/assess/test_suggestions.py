"""Suggestions over HTTP: off by default, for selected words, for an SCU, for all models, and in peers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task

MODELS = {"1": "HUMAN-C", "2": "HUMAN-A", "3": "HUMAN-B"}
SCU = {"label": "the summary of T1", "comment": "", "contributors": [{"model": "1", "parts": [[0, 13]]}]}


@pytest.fixture
def ann(client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    browser = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    peer = {"summaries": {"1": "SYS-1"}, "models": MODELS, "pyramid": "", "mode": "full", "non_matching": True}
    for id, kind, spec in (
        ("p", "pyramid", {"models": MODELS}),
        ("q", "peer", peer),
        ("f", "form", {**peer, "pass": 1}),
    ):
        assessment.give_out([Task(id=id, kind=kind, topic="T1", person=person.id, spec=spec)])
    event = {"id": str(uuid.uuid4()), "version": 1, "action": "new-scu", "changes": {"scu/4": SCU}}
    assert browser.post("/api/task/p/events", json={"events": [event]}).status_code == 200
    return browser


def asked(ann: TestClient, task: str, **what: Any) -> Any:
    answer = ann.post(f"/api/task/{task}/suggestions", json=what)
    return answer.json() if answer.status_code == 200 else answer.status_code


@pytest.mark.slow
def test_suggestions_for_words_scus_and_models(ann: TestClient, assessment: Assessment) -> None:
    assert asked(ann, "p", about="models") == 403
    assessment.settings.set("annotation-suggestions", True)
    (similar,) = asked(ann, "p", about="span", model="2", parts=[[0, 7]])
    assert (similar["uid"], similar["label"]) == (4, "the summary of T1")
    spans = asked(ann, "p", about="scu", uid=4)
    assert {one["model"] for one in spans} == {"2", "3"}  # the first contributes already
    proposals = asked(ann, "p", about="models")
    assert {one["model"] for one in proposals[0]["contributors"]} == {"1", "2", "3"}
    (found,) = asked(ann, "q", about="scu", uid=4)
    assert found["parts"][0][0] == 0
    assert asked(ann, "q", about="span", parts=[[0, 7]])[0]["uid"] == 4
    assert "HUMAN" not in str([similar, spans, proposals, found])
    for wrong in ({"about": "scu", "uid": 9}, {"about": "span", "model": "9", "parts": [[0, 7]]}, {"about": "x"}):
        assert asked(ann, "p", **wrong) == 422
    assert asked(ann, "p", about="span", model="1", parts=[[0, 999]]) == 422
    assert asked(ann, "f", about="models") == 404
