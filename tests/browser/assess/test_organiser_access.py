"""What an organiser meets on her way in and out, and what the pages tell her: in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import MODELS, PEERS
from pyramidion.assess.web.server import start_link

Keep = Callable[[Page, str], None]
PASSWORD = "long enough 1"


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    rows = [
        {"topic": "T1", "summarizer": name, "kind": kind, "text": text}
        for kind, texts in (("model", MODELS), ("peer", PEERS))
        for name, text in texts.items()
    ]
    return served(write_campaign(tmp_path / "campaign", rows))


def look(page: Page, keep: Keep, name: str) -> None:
    """Nothing serious for axe, nothing wider than the window, and a picture."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    keep(page, name)


def test_the_organiser_stays_in_or_comes_back(
    server: Server, watched: Callable[..., BrowserContext], keep: Keep
) -> None:
    page = watched().new_page()
    page.goto(start_link(server.assessment, server.address))
    page.goto(f"{server.address}/people")
    page.get_by_role("textbox", name="Name").fill("ann")
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("Invitation link").input_value()

    page.goto(link)
    expect(page.get_by_role("heading", name="You are signed in as organiser")).to_be_visible()
    look(page, keep, "join-instead")
    page.get_by_role("link", name="Stay signed in as organiser").click()
    expect(page.get_by_role("link", name="People", exact=True)).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="You have no password yet")).to_be_visible()
    look(page, keep, "sign-out-without-password")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Set password and sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    look(page, keep, "sign-in")
    page.get_by_label("Name").fill("organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="organiser", exact=True).click()
    expect(page.get_by_label("Current password")).to_be_visible()
    look(page, keep, "password")

    page.goto(link)
    page.get_by_role("link", name="Sign out and continue as ann").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Set password and sign in").click()
    expect(page.get_by_role("link", name="ann (assessor)")).to_be_visible()


def test_names_of_systems_and_plans_without_new_work_are_explained(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Keep
) -> None:
    page = sign_in(server, "olga", role="organiser").new_page()
    page.goto(f"{server.address}/people")
    page.get_by_role("textbox", name="Name").fill("SYS-1")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("alert")).to_contain_text("SYS-1 is also the id of a system of this campaign")
    look(page, keep, "people-refused")
    page.get_by_role("button", name="Invite").click()  # the form holds the proposal
    expect(page.get_by_role("heading", name="Invitation for SYS-1-person")).to_be_visible()

    server.assessment.people.add("SYS-2", "assessor")  # by an earlier version of the program
    page.goto(f"{server.address}/people")
    expect(page.get_by_role("heading", name="SYS-2 needs another name")).to_be_visible()
    look(page, keep, "people-misnamed")
    page.get_by_label("New name").fill("bob")
    page.get_by_role("button", name="Change the name").click()
    expect(page.get_by_text("SYS-2 is called bob now")).to_be_visible()

    for message in (r"pieces? of work (was|were) given out", "Nothing was given out: people already have"):
        page.goto(f"{server.address}/plan")
        page.get_by_role("button", name="Draw a plan").click()
        if message.startswith("Nothing"):
            expect(page.get_by_text("Activating this plan gives out nothing")).to_be_visible()
            look(page, keep, "plan-drawn-again")
        page.get_by_role("button", name="Activate the plan").first.click()
        expect(page.get_by_text(re.compile(message))).to_be_visible()
    look(page, keep, "plan-nothing-given")
