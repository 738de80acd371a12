"""Who is let in and who is not: superseded invitations, and an organiser who always finds the way back."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from assess.serving import MAIN, PATIENCE_SECONDS, Server
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.web.access import COOKIE
from pyramidion.assess.web.app import create_app
from pyramidion.assess.web.server import organiser_link, start_link
from pyramidion.errors import UsageError

PASSWORD = "long enough 1"


@pytest.fixture
def organiser(assessment: Assessment) -> TestClient:
    """The organiser as the start command's link signs her in: without a password."""
    browser = TestClient(create_app(assessment))
    carry_token(browser, browser.get(start_link(assessment, "")).text)
    return browser


def carry_token(browser: TestClient, page: str) -> None:
    """Let the browser's requests carry the token that a page of the session holds."""
    browser.headers["x-csrf-token"] = re.findall(r'name="csrf" content="([^"]+)"', page)[0]


def invite(organiser: TestClient, name: str, role: Role = "assessor") -> str:
    page = organiser.post("/people", data={"name": name, "role": role})
    (token,) = re.findall(r'value="[^"]*/join/([^"]+)"', page.text)
    return f"/join/{token}"


def invite_again(organiser: TestClient, assessment: Assessment, name: str) -> str:
    person = assessment.people.find(name=name)
    assert person is not None
    page = organiser.post(f"/people/{person.id}/invite")
    (token,) = re.findall(r'value="[^"]*/join/([^"]+)"', page.text)
    return f"/join/{token}"


def signed_in_as(browser: TestClient, assessment: Assessment) -> str:
    """The name of whoever the browser's cookie belongs to; empty if nobody."""
    session = assessment.people.session(browser.cookies.get(COOKIE) or "")
    return session.person.name if session else ""


def test_a_superseded_invitation_sets_no_password(organiser: TestClient, assessment: Assessment) -> None:
    first = invite(organiser, "ann")
    second = invite_again(organiser, assessment, "ann")
    stranger = TestClient(create_app(assessment))
    assert stranger.get(first).status_code == 404
    assert stranger.post(first, data={"password": PASSWORD}).status_code == 404
    assert assessment.people.check_password("ann", PASSWORD) is None
    assert TestClient(create_app(assessment)).get(second).status_code == 200


def test_an_invitation_that_was_not_used_ends_with_the_password_and_when_someone_is_shut_out(
    organiser: TestClient, assessment: Assessment
) -> None:
    link = invite(organiser, "ann")
    ann = assessment.people.find(name="ann")
    assert ann is not None
    organiser.post(f"/people/{ann.id}/active", data={"active": "false", "confirmed": "yes"})
    organiser.post(f"/people/{ann.id}/active", data={"active": "true"})
    assert TestClient(create_app(assessment)).get(link).status_code == 404
    link = invite_again(organiser, assessment, "ann")
    assessment.people.set_password(ann.id, PASSWORD)
    assert TestClient(create_app(assessment)).get(link).status_code == 404


def test_an_older_link_of_the_start_command_is_superseded_too(assessment: Assessment) -> None:
    first, second = (start_link(assessment, "") for _ in range(2))
    browser = TestClient(create_app(assessment))
    assert browser.get(first, follow_redirects=False).status_code == 404
    assert browser.get(second, follow_redirects=False).status_code == 303


def test_an_invitation_opened_by_someone_who_is_signed_in_asks_first(
    organiser: TestClient, assessment: Assessment
) -> None:
    link = invite(organiser, "ann")
    page = organiser.get(link)
    assert "You are signed in as organiser" in page.text
    assert "This invitation is for ann" in page.text
    assert 'name="password"' not in page.text
    unasked = organiser.post(link, data={"password": PASSWORD}, follow_redirects=False)
    assert unasked.status_code == 409
    assert signed_in_as(organiser, assessment) == "organiser"
    assert assessment.people.check_password("ann", PASSWORD) is None  # nothing was used up or set
    assert organiser.get("/people").status_code == 200

    before = organiser.cookies[COOKIE]
    page = organiser.get(link, params={"instead": "yes"})
    assert 'name="password"' in page.text
    organiser.post(link, data={"password": PASSWORD, "instead": "yes"})
    assert signed_in_as(organiser, assessment) == "ann"
    assert assessment.people.session(before) is None  # the organiser is signed out, as the page said


def test_whoever_is_invited_again_needs_no_question(organiser: TestClient, assessment: Assessment) -> None:
    ann = TestClient(create_app(assessment))
    ann.post(invite(organiser, "ann"), data={"password": PASSWORD})
    again = invite_again(organiser, assessment, "ann")
    assert 'name="password"' in ann.get(again).text
    assert ann.post(again, data={"password": "another one 2"}, follow_redirects=False).status_code == 303
    assert signed_in_as(ann, assessment) == "ann"


def test_without_a_password_nobody_signs_out_unasked_and_a_password_lets_them_in_again(
    organiser: TestClient, assessment: Assessment
) -> None:
    page = organiser.post("/sign-out")
    assert "You have no password" in page.text
    assert "--link" in page.text
    assert signed_in_as(organiser, assessment) == "organiser"
    me = assessment.people.find(name="organiser")
    assert me is not None
    refused = organiser.post(f"/people/{me.id}/sign-out")
    assert refused.status_code == 422
    assert "set a password" in refused.text
    assert signed_in_as(organiser, assessment) == "organiser"

    short = organiser.post("/password", data={"password": "short", "then": "sign-out"})
    assert short.status_code == 422
    assert "at least 10 characters" in short.text
    organiser.post("/password", data={"password": PASSWORD, "then": "sign-out"})
    assert signed_in_as(organiser, assessment) == ""
    back = organiser.post("/sign-in", data={"name": "organiser", "password": PASSWORD})
    assert back.status_code == 200
    assert signed_in_as(organiser, assessment) == "organiser"
    carry_token(organiser, back.text)
    organiser.post("/sign-out")  # with a password there is no question
    assert signed_in_as(organiser, assessment) == ""


def test_signing_out_without_a_password_is_possible_for_whoever_wants_it(
    organiser: TestClient, assessment: Assessment
) -> None:
    organiser.post("/sign-out", data={"anyway": "yes"})
    assert signed_in_as(organiser, assessment) == ""
    page = organiser.get("/sign-in").text
    assert "pyramidion assess CAMPAIGN --link" in page


def test_a_password_is_changed_by_whoever_knows_it(organiser: TestClient, assessment: Assessment) -> None:
    assert "Current password" not in organiser.get("/password").text
    organiser.post("/password", data={"password": PASSWORD})
    assert signed_in_as(organiser, assessment) == "organiser"  # here; sessions elsewhere have ended
    page = organiser.get("/password").text
    assert "Current password" in page
    carry_token(organiser, page)
    wrong = organiser.post("/password", data={"password": "another one 2", "current": "wrong"})
    assert wrong.status_code == 422
    assert assessment.people.check_password("organiser", "another one 2") is None
    organiser.post("/password", data={"password": "another one 2", "current": PASSWORD})
    assert assessment.people.check_password("organiser", "another one 2") is not None


def test_a_new_link_for_the_organiser_while_the_pages_run(assessment: Assessment, folder: Path) -> None:
    with pytest.raises(UsageError, match="have not been started yet"):
        organiser_link(folder)
    assessment.settings.set("address", "https://assess.example.org")
    first = start_link(assessment, "https://assess.example.org")
    link = organiser_link(folder)
    assert link.startswith("https://assess.example.org/start/")
    browser = TestClient(create_app(assessment))
    path = link.removeprefix("https://assess.example.org")
    assert browser.get(path, follow_redirects=False).status_code == 303
    assert signed_in_as(browser, assessment) == "organiser"
    assert browser.get(first.removeprefix("https://assess.example.org")).status_code == 404
    assert "link for the organiser" in browser.get("/audit").text


@pytest.mark.slow
def test_the_terminal_says_how_the_organiser_gets_back_in(folder: Path) -> None:
    server = Server(folder)
    try:
        assert server.process.stdout is not None
        said = server.said + "".join(server.process.stdout.readline() for _ in range(2))
        assert f"pyramidion assess {folder} --link" in said
        command = [sys.executable, "-c", MAIN, "assess", str(folder), "--link"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True)
        link = printed.stdout.strip()
        assert link.startswith(f"{server.url}/start/")
        assert httpx.get(link, timeout=PATIENCE_SECONDS).headers["location"] == "/"
    finally:
        server.kill()
