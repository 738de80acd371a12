"""Sign-in, sessions, sizes, and whatever a stranger may send."""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyramidion
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.app import create_app

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1", "3": "HUMAN-A"}}


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient]) -> TestClient:
    return client("organiser", "organiser")


@pytest.fixture
def ann(client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    browser = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    assessment.give_out([Task(id="t1", kind="form", topic="T1", person=person.id, spec=SPEC)])
    return browser


def link_in(page: str) -> str:
    (token,) = re.findall(r'value="[^"]*/join/([^"]+)"', page)
    return f"/join/{token}"


@pytest.mark.slow
def test_someone_is_invited_sets_a_password_signs_in_and_is_shut_out(
    organiser: TestClient, assessment: Assessment
) -> None:
    page = organiser.post("/people", data={"name": " Ann  B. ", "role": "assessor"})
    link = link_in(page.text)
    assert "Invitation for Ann B." in page.text
    assert "Invitation for" not in organiser.get("/people").text  # shown once
    browser = TestClient(create_app(assessment))
    assert browser.get(link).status_code == 200
    assert browser.post(link, data={"password": "short"}).status_code == 422
    assert browser.post(link, data={"password": "long enough 1"}, follow_redirects=False).status_code == 303
    assert TestClient(create_app(assessment)).get(link).status_code == 404
    again = TestClient(create_app(assessment))
    answer = again.post("/sign-in", data={"name": "Ann B.", "password": "long enough 1"}, follow_redirects=False)
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]
    assert again.get("/").status_code == 200
    ann = assessment.people.find(name="Ann B.")
    assert ann is not None
    organiser.post(f"/people/{ann.id}/sign-out")
    assert again.get("/", follow_redirects=False).status_code == 303
    organiser.post(f"/people/{ann.id}/active", data={"active": "false", "confirmed": "yes"})
    answer = again.post("/sign-in", data={"name": "Ann B.", "password": "long enough 1"})
    assert answer.status_code == 401
    organiser.post(f"/people/{ann.id}/active", data={"active": "true"})
    organiser.post(f"/people/{ann.id}/role", data={"role": "guest"})
    noted = organiser.get("/audit").text
    for entry in ("person added", "invitation", "sign-in", "sessions ended", "person shut out", "assessor to guest"):
        assert entry in noted
    me = assessment.people.find(name="organiser")
    assert me is not None
    assert organiser.post(f"/people/{me.id}/role", data={"role": "guest"}).status_code == 422


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u0000b", "a\u202eb"])
def test_names_that_files_and_pages_can_not_hold_are_refused(organiser: TestClient, name: str) -> None:
    assert organiser.post("/people", data={"name": name, "role": "assessor"}).status_code == 422


def test_a_name_is_taken_once(organiser: TestClient) -> None:
    assert organiser.post("/people", data={"name": "ann", "role": "assessor"}).status_code == 200
    assert "already someone called ann" in organiser.post("/people", data={"name": "ann", "role": "guest"}).text


@pytest.mark.slow
def test_after_five_wrong_passwords_one_has_to_wait(assessment: Assessment) -> None:
    person = assessment.people.add("ann", "assessor")
    assessment.people.set_password(person.id, "long enough 1")
    browser = TestClient(create_app(assessment))
    tries = [browser.post("/sign-in", data={"name": "ann", "password": "wrong"}).status_code for _ in range(6)]
    assert tries == [401] * 5 + [429]
    answer = browser.post("/sign-in", data={"name": "ANN", "password": "long enough 1"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 301


def test_behind_a_proxy_with_tls_cookies_are_secure_and_links_are_public(assessment: Assessment) -> None:
    person = assessment.people.add("boss", "organiser")
    token = assessment.people.invite(person.id)
    app = create_app(assessment, hosts=["assess.example.org"], address="https://assess.example.org")
    browser = TestClient(app, base_url="https://assess.example.org")
    answer = browser.get(f"/start/{token}", follow_redirects=False)
    assert "Secure" in answer.headers["set-cookie"]
    assert "max-age" in answer.headers["strict-transport-security"]
    assert TestClient(app).get("/health").status_code == 421
    csrf = re.findall(r'name="csrf" content="([^"]+)"', browser.get("/people").text)[0]
    page = browser.post("/people", data={"name": "x", "role": "guest", "csrf": csrf}).text
    assert 'value="https://assess.example.org/join/' in page


def test_bodies_that_are_too_large_are_refused_with_and_without_their_length(ann: TestClient) -> None:
    large = b'{"events": "' + b"x" * 4_000_001 + b'"}'
    headers = {"content-type": "application/json"}
    assert ann.post("/api/task/t1/events", content=large, headers=headers).status_code == 413

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(large), 500_000):
            yield large[start : start + 500_000]

    assert ann.post("/api/task/t1/events", content=chunks(), headers=headers).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"events": []}',
        b'{"events": [1]}',
        b"[" * 20_000,
        b'{"events": [{"id": "%s", "version": 1, "action": "x", "changes": {"a": NaN}}]}' % (b"0" * 36),
        b'{"events": [{"id": "%s", "version": 1, "action": "x", "changes": {"comment/1": "\\ud800"}}]}' % (b"0" * 36),
        b'{"events": [{"id": "%s", "version": 1, "action": "x", "changes": {"\\ud800": 1}}]}' % (b"0" * 36),
        b'{"events": [{"id": "%s", "version": 1e99, "action": "x", "changes": {"a": 1}}]}' % (b"0" * 36),
        b'{"events": [{"id": "%s", "version": 1, "action": "x", "seconds": Infinity, "changes": {"a": 1}}]}'
        % (b"0" * 36),
        "{“events”: 1}".encode(),
        b"\xff\xfe",
    ],
)
def test_broken_bodies_are_refused_and_nothing_is_stored(ann: TestClient, body: bytes) -> None:
    answer = ann.post("/api/task/t1/events", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert ann.get("/api/task/t1").json()["version"] == 0


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(st.text(max_size=20), VALUES, min_size=1, max_size=3), version=st.integers(-1, 3))
def test_any_json_is_stored_or_refused_but_never_an_error(
    ann: TestClient, changes: dict[str, Any], version: int
) -> None:
    event = {"id": str(uuid.uuid4()), "version": version, "action": "try", "changes": changes, "seconds": 1}
    answer = ann.post("/api/task/t1/events", content=json.dumps({"events": [event]}))
    assert answer.status_code in (200, 409, 422)


HOSTILE = "</script><script>alert(1)</script>\" onload=x {{7*7}} \u202e &lt; '"


def test_hostile_texts_come_as_text(client: Callable[[str, Role], TestClient], folder: Path) -> None:
    (folder / "campaign.toml").write_text(f"name = {json.dumps(HOSTILE)}\n")
    row = {"topic": HOSTILE, "summarizer": HOSTILE, "kind": "peer", "text": HOSTILE}
    (folder / "summaries.jsonl").write_text(json.dumps(row) + "\n")
    browser = client(HOSTILE, "organiser")
    for path in ("/", "/people", "/audit", "/export", "/sign-in", "/join/x"):
        page = browser.get(path).text
        assert "<script>alert" not in page
        assert "onload=x" not in page or '" onload' not in page
        assert "49" not in re.findall(r"<title>(.*?)</title>", page, re.S)[0]


@pytest.mark.slow
def test_everything_can_be_exported_and_is_noted(
    organiser: TestClient, ann: TestClient, assessment: Assessment, tmp_path: Path
) -> None:
    event = {
        "id": str(uuid.uuid4()),
        "version": 1,
        "action": "answer",
        "changes": {"answer/1/clear": 4},
        "seconds": 2.5,
    }
    assert ann.post("/api/task/t1/events", json={"events": [event]}).status_code == 200
    answer = organiser.get("/export/campaign.zip")
    assert answer.headers["content-disposition"] == 'attachment; filename="campaign.zip"'
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path / "taken")
    (judgment,) = pyramidion.load(tmp_path / "taken").judgments
    assert (judgment.assessor, judgment.summarizer, judgment.value) == ("ann", "SYS-2", 4)
    tables = zipfile.ZipFile(io.BytesIO(organiser.get("/export/tables.zip").content))
    assert tables.read("judgments-by-summary.csv") == b"topic,summarizer,assessor,run,clear\nT1,SYS-2,ann,1,4\n"
    (line,) = map(json.loads, organiser.get("/export/events.jsonl").text.splitlines())
    assert (line["person"], line["seconds"], line["changes"]) == ("ann", 2.5, {"answer/1/clear": 4})
    ducview = zipfile.ZipFile(io.BytesIO(organiser.get("/export/ducview.zip").content))
    assert {"T1.pyr", "T2.pyr"} <= set(ducview.namelist())
    # NIST's layout has no place for these names: the page says so, and no zip with notes only is given.
    refused = organiser.get("/export/nist.zip")
    assert refused.status_code == 422
    assert "Nothing of this campaign can be written in this layout." in refused.text
    assert "topics like D0601" in refused.text
    assert organiser.get("/export/other.zip").status_code == 404
    assert organiser.get("/audit").text.count("<td>export</td>") == 4
