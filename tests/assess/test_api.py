"""Programs use the HTTP API with tokens that organisers make and withdraw."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store import schema
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.app import create_app

Client = Callable[[str, Role], TestClient]
SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}}


def make_token(assessment: Assessment, organiser: TestClient, name: str) -> str:
    """Make a token on the page, as an organiser does."""
    person = assessment.people.find(name=name)
    assert person is not None
    page = organiser.post("/tokens", data={"person": person.id, "purpose": "nightly copy"})
    assert page.status_code == 200
    shown = re.search(r'id="token"[^>]* value="(pyramidion_[\w-]+)"', page.text)
    assert shown is not None
    return shown[1]


def program(assessment: Assessment, token: str) -> TestClient:
    """A program without cookies that sends a token."""
    return TestClient(create_app(assessment), headers={"Authorization": f"Bearer {token}"}, follow_redirects=False)


def events(*changes: dict[str, Any]) -> dict[str, Any]:
    """Events that follow one another from the first version on."""
    sent = [
        {"id": str(uuid.uuid4()), "version": number, "action": "answer", "changes": change}
        for number, change in enumerate(changes, start=1)
    ]
    return {"events": sent}


def test_a_program_does_the_work_of_its_person(both: Assessment, client: Client) -> None:
    assessment = both
    organiser = TestClient(create_app(assessment))
    boss = assessment.people.add("boss", "organiser")
    session = assessment.people.sign_in(boss)
    organiser.cookies.set("pyramidion_session", session.token)
    organiser.headers["x-csrf-token"] = session.csrf
    ann = assessment.people.add("ann", "assessor")
    assessment.give_out([Task(id="0", kind="form", topic="T1", person=ann.id, spec=SPEC)])

    of_ann = program(assessment, make_token(assessment, organiser, "ann"))
    (task,) = of_ann.get("/api/tasks").json()["tasks"]
    assert task == {
        "person": "ann",
        "id": "0",
        "kind": "form",
        "topic": "T1",
        "title": task["title"],
        "practice": False,
        "version": 0,
        "finished": 0,
        "total": 2,
        "done": False,
        "locked": None,
    }
    shown = of_ann.get("/api/task/0").json()
    assert "SYS-" not in str(shown), "programs are as blind as their people"
    sent = events({"answer/1/clear": 4}, {"answer/2/clear": 2}, {"done": True})
    assert of_ann.post("/api/task/0/events", json=sent).json() == {"version": 3}
    assert of_ann.post("/api/task/0/events", json=sent).json() == {"version": 3}, "sent again is stored once"
    assert of_ann.post("/api/task/0/events", json=events({"answer/1/clear": 5})).status_code == 409
    assert of_ann.get("/api/tasks?everyone=true").status_code == 403
    assert of_ann.get("/api/work/0").status_code == 403

    of_boss = program(assessment, make_token(assessment, organiser, "boss"))
    assert of_boss.get("/api/tasks").json() == {"tasks": []}
    assert [row["person"] for row in of_boss.get("/api/tasks?everyone=true").json()["tasks"]] == ["ann"]
    work = of_boss.get("/api/work/0").json()
    assert (work["person"], work["state"]["answer/1/clear"], work["state"]["done"]) == ("ann", 4, True)
    assert [(event["version"], event["person"]) for event in work["history"]] == [(1, "ann"), (2, "ann"), (3, "ann")]
    assert of_boss.get("/api/task/0").status_code == 404, "it is not the organiser's own work"
    assert of_boss.get("/api/work/none").status_code == 404


def test_a_token_that_is_withdrawn_or_whose_person_is_shut_out_opens_nothing(
    assessment: Assessment, client: Client
) -> None:
    organiser = client("boss", "organiser")
    ann = assessment.people.add("ann", "assessor")
    first, second = (program(assessment, make_token(assessment, organiser, "ann")) for _ in range(2))
    assert first.get("/api/tasks").status_code == second.get("/api/tasks").status_code == 200
    page = organiser.get("/tokens").text
    assert "pyramidion_" not in page, "a token is shown once"
    assert organiser.post(re.findall(r'action="(/tokens/\w+/withdraw)"', page)[0]).status_code == 200
    assert sorted([first.get("/api/tasks").status_code, second.get("/api/tasks").status_code]) == [200, 401]
    assessment.people.change(ann.id, active=False)
    assert {first.get("/api/tasks").status_code, second.get("/api/tasks").status_code} == {401}
    assert organiser.post("/tokens/none/withdraw").status_code == 404


def test_tokens_open_the_api_and_no_page(assessment: Assessment, client: Client) -> None:
    token = make_token(assessment, client("boss", "organiser"), "boss")
    of_boss = program(assessment, token)
    for page in ("/", "/people", "/tokens", "/export"):
        assert of_boss.get(page).headers["location"] == "/sign-in"
    assert of_boss.post("/tokens", data={"person": "x", "purpose": "y"}).headers["location"] == "/sign-in"
    for header in (f"Basic {token}", "Bearer", f"Bearer {token}x", token, "Bearer é"):
        answer = TestClient(create_app(assessment)).get("/api/tasks", headers=[(b"authorization", header.encode())])
        assert answer.status_code == 401
    assert TestClient(create_app(assessment)).get("/api/openapi.json").status_code == 401
    with assessment.engine.connect() as connection:
        rows = connection.execute(sa.select(schema.api_tokens)).all()
    assert token not in str(rows), "only the hash is stored"


def test_only_organisers_make_tokens(assessment: Assessment, client: Client) -> None:
    ann = client("ann", "assessor")
    assert ann.get("/tokens").status_code == 403
    assert ann.post("/tokens", data={"person": "x", "purpose": "y"}).status_code == 403
    boss = client("boss", "organiser")
    assert "what the token is for" in boss.post("/tokens", data={"person": "x", "purpose": " "}).text
    assert "Choose a person" in boss.post("/tokens", data={"person": "x", "purpose": "y"}).text
    assert [entry["action"] for entry in assessment.people.audit()].count("token made") == 0
    make_token(assessment, boss, "boss")
    assert assessment.people.audit(1)[0]["action"] == "token made"


def test_the_schema_names_what_the_page_of_the_server_documents(assessment: Assessment, client: Client) -> None:
    described = client("ann", "assessor").get("/api/openapi.json").json()
    assert all(path.startswith("/api/") for path in described["paths"])
    documented = {"/api/tasks", "/api/task/{id}", "/api/task/{id}/events", "/api/work/{id}", "/api/openapi.json"}
    assert documented <= set(described["paths"])
    assert described["security"] == [{"token": []}]
