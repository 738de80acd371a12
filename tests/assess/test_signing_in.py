"""Who is let in and who is not: superseded invitations, and an organiser who always finds the way back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.app import create_app
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.routes.access import COOKIE
from pyramidion.assess.server import start_link
from pyramidion.assess.store.people import Role

PASSWORD = "long enough 1"


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient]) -> TestClient:
    """The organiser as the start command's link signs her in: without a password."""
    return client("organiser", "organiser")


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
    session = assessment.people.session(browser.cookies.get(COOKIE, ""))
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
    organiser.post(f"/people/{ann.id}/active", data={"active": "false"})
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
