"""Who may do what, for every route there is; and no answer to an assessor tells who wrote a summary.

A new route needs a line in WHO; a new kind of work needs one in SPECS.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.app import create_app

ALL = frozenset({"organiser", "assessor", "guest", "nobody"})
SIGNED_IN = ALL - {"nobody"}
WORKERS = frozenset({"organiser", "assessor"})
ORGANISER = frozenset({"organiser"})
READERS = frozenset({"organiser", "guest"})

WHO: dict[str, frozenset[str]] = {
    "GET /health": ALL,
    "GET /sign-in": ALL,
    "POST /sign-in": ALL,
    "GET /join/{token}": ALL,
    "POST /join/{token}": ALL,
    "GET /start/{token}": ALL,
    "GET /password": SIGNED_IN,
    "POST /password": SIGNED_IN,
    "POST /sign-out": ALL,  # who is not signed in lands on the same page
    "GET /": SIGNED_IN,
    "GET /task/{id}": WORKERS,
    "GET /api/tasks": WORKERS,
    "GET /api/openapi.json": SIGNED_IN,
    "GET /api/task/{id}": WORKERS,
    "POST /api/task/{id}/events": WORKERS,
    "GET /api/task/{id}/agreement": WORKERS,
    "POST /api/task/{id}/suggestions": WORKERS,
    "GET /annotation": ORGANISER,
    "POST /annotation/settings": ORGANISER,
    "POST /annotation/adjudicate": ORGANISER,
    "GET /guide/{kind}": WORKERS,
    "GET /norming/{id}": WORKERS,
    "GET /dashboard": READERS,
    "GET /dashboard/agreement": READERS,
    "GET /dashboard/leaderboards": ORGANISER,
    "GET /dashboard/estimates": ORGANISER,
    "GET /dashboard/gold": ORGANISER,
    "POST /dashboard/gold": ORGANISER,
    "POST /dashboard/gold/remove": ORGANISER,
    "POST /dashboard/gold/feedback": ORGANISER,
    "GET /dashboard/report": ORGANISER,
    "GET /plan": ORGANISER,
    "POST /plan/draw": ORGANISER,
    "POST /plan/change": ORGANISER,
    "POST /plan/drop": ORGANISER,
    "POST /plan/late": ORGANISER,
    "POST /plan/sample": ORGANISER,
    "POST /plan/sample/drop": ORGANISER,
    "POST /plan/leave": ORGANISER,
    "POST /moves/{id}/undo": ORGANISER,
    "GET /work": ORGANISER,
    "GET /work/{id}": ORGANISER,
    "POST /work/{id}/give": ORGANISER,
    "GET /practice": ORGANISER,
    "POST /practice": ORGANISER,
    "POST /practice/{id}/publish": ORGANISER,
    "GET /topics": ORGANISER,
    "POST /topics": ORGANISER,
    "POST /topics/limit": ORGANISER,
    "POST /api/topic/draft": ORGANISER,
    "GET /topic": ORGANISER,
    "POST /topic": ORGANISER,
    "POST /topic/remove": ORGANISER,
    "GET /systems": ORGANISER,
    "POST /systems": ORGANISER,
    "POST /system/remove": ORGANISER,
    "GET /questions": ORGANISER,
    "POST /questions": ORGANISER,
    "POST /questions/set": ORGANISER,
    "POST /questions/preview": ORGANISER,
    "POST /api/questions/draft": ORGANISER,
    "POST /removed/{id}/put-back": ORGANISER,
    "GET /people": ORGANISER,
    "POST /people": ORGANISER,
    "POST /people/{id}/invite": ORGANISER,
    "POST /people/{id}/name": ORGANISER,
    "POST /people/{id}/role": ORGANISER,
    "POST /people/{id}/active": ORGANISER,
    "POST /people/{id}/sign-out": ORGANISER,
    "POST /people/{id}/judges": ORGANISER,
    "POST /people/{id}/reset-password": ORGANISER,
    "POST /people/list": ORGANISER,
    "GET /crowd": ORGANISER,
    "POST /crowd": ORGANISER,
    "POST /crowd/places": ORGANISER,
    "GET /crowd/{key}": ALL,
    "POST /crowd/{key}/consent": ALL,
    "POST /crowd/{key}/check": ALL,
    "GET /tokens": ORGANISER,
    "POST /tokens": ORGANISER,
    "POST /tokens/{id}/withdraw": ORGANISER,
    "GET /api/work/{id}": ORGANISER,
    "GET /audit": ORGANISER,
    "GET /export": ORGANISER,
    "GET /export/events.jsonl": ORGANISER,
    "GET /export/{name}.zip": ORGANISER,
}

MODELS = {"1": "HUMAN-B", "2": "HUMAN-A", "3": "HUMAN-C"}
SPECS: dict[str, dict[str, Any]] = {
    "form": {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1", "3": "HUMAN-A"}},
    "write": {},
    "pyramid": {"models": MODELS},
    "peer": {"summaries": {"1": "SYS-1"}, "models": MODELS, "pyramid": "", "mode": "full", "non_matching": True},
    "coverage": {"summaries": {"1": "SYS-1"}, "models": {"1": "HUMAN-A"}, "units": "clauses"},
    "preference": {"pairs": {"1": ["SYS-1", "SYS-2"], "2": ["HUMAN-A", "SYS-1"]}},
}
TOLD_ELSEWHERE = {"content", "adjudicate", "adjudicate-peer", "topic"}
"""Kinds that need the work of others first, or are done by organisers; their own tests look at what they tell."""


def routes_of(app: FastAPI) -> list[APIRoute]:
    return [route for route in app.routes if isinstance(route, APIRoute)]


def names(app: FastAPI) -> list[str]:
    return sorted(f"{method} {route.path}" for route in routes_of(app) for method in route.methods or ())


def request(client: TestClient, route: str, **places: str) -> Any:
    method, _, path = route.partition(" ")
    place = {"id": "t-form", "token": "x", "name": "campaign", "kind": "form", "key": "x", **places}
    return client.request(method, path.format_map(place), follow_redirects=False)


def test_every_route_says_whom_it_serves(assessment: Assessment) -> None:
    app = create_app(assessment)
    assert names(app) == sorted(WHO)
    others = [route for route in app.routes if not isinstance(route, APIRoute)]
    assert [getattr(route, "path", "") for route in others] == [
        "/static",
        "/kinds",
    ]  # scripts and styles: for everybody


def test_of_a_kind_of_work_everybody_gets_its_scripts_and_nothing_else(assessment: Assessment) -> None:
    browser = TestClient(create_app(assessment))
    assert browser.get("/kinds/form/page.js").headers["content-type"].startswith("text/javascript")
    for path in ("form/task_type.py", "topic/topic.html", "registry.py", "form", "form/%2e%2e/registry.py"):
        assert browser.get(f"/kinds/{path}").status_code == 404, path


@pytest.mark.slow
@pytest.mark.parametrize("role", sorted(ALL))
def test_routes_serve_only_those_that_they_are_for(
    assessment: Assessment, client: Callable[[str, Role], TestClient], role: str
) -> None:
    for route, allowed in WHO.items():
        browser = TestClient(create_app(assessment)) if role == "nobody" else client(f"some-{role}", cast(Role, role))
        answer = request(browser, route)
        sent_away = answer.status_code in (401, 403) and "sign-in" not in route
        sent_away |= answer.status_code == 303 and answer.headers["location"] == "/sign-in" and "nobody" not in allowed
        assert sent_away == (role not in allowed), (role, route, answer.status_code)
        assert answer.status_code < 500, (role, route, answer.text)
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "route",
    [
        route
        for route in WHO
        if route.startswith("POST") and not any(door in route for door in ("sign-in", "join", "/crowd/{key}"))
    ],
)
def test_unsafe_requests_without_the_token_of_the_session_are_refused(
    client: Callable[[str, Role], TestClient], route: str
) -> None:
    browser = client("someone", "organiser")
    del browser.headers["x-csrf-token"]
    assert request(browser, route).status_code == 403
    method, _, path = route.partition(" ")
    assert browser.request(method, path.format(id="x"), data={"csrf": "guessed"}).status_code == 403


@pytest.mark.slow
def test_no_answer_to_an_assessor_or_guest_tells_who_wrote_a_summary(
    assessment: Assessment, client: Callable[[str, Role], TestClient]
) -> None:
    assert set(SPECS) | TOLD_ELSEWHERE >= set(TASK_TYPES), "a kind of work without an entry in SPECS"
    browser, other, guest = client("ann", "assessor"), client("bob", "assessor"), client("eve", "guest")
    person = assessment.people.find(name="ann")
    assert person is not None
    kinds = [kind for kind in SPECS if kind in TASK_TYPES]
    assessment.give_out(
        Task(id=f"t-{kind}", kind=kind, topic="T1", person=person.id, spec=SPECS[kind]) for kind in kinds
    )
    # Answers to events: stored, refused and stale ones.
    for kind in kinds:
        for version, changes in ((1, {"x": "SYS"}), (1, {"comment/1": "fine"}), (9, {"done": True})):
            event = {"id": str(uuid.uuid4()), "version": version, "action": "try", "changes": changes, "seconds": 1}
            answer = browser.post(f"/api/task/t-{kind}/events", json={"events": [event]})
            assert answer.status_code in (200, 409, 422), answer.text
            assert "SYS-" not in answer.text
            assert "HUMAN-" not in answer.text
    seen = 0
    for route in sorted(WHO, key=lambda route: "sign-out" in route):
        for kind in kinds if "{id}" in route else ["form"]:
            for who in (browser, other, guest):
                answer = request(who, route, id=f"t-{kind}", kind=kind)
                told = answer.text + str(answer.headers)
                assert not [secret for secret in ("SYS-", "HUMAN-", "Secret", "Hidden") if secret in told], route
                seen += answer.status_code == 200
    assert seen >= 2 + 2 * len(kinds)
