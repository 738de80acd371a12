"""A norming round in the browser, and the organiser's pages in every size and colour scheme."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess import doing
from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS

TOML = 'name = "Lockerbie"\nword_limit = 60\n[questions]\nset = "duc2006"\n'
PAGES = [
    *("", "people", "plan", "practice", "topics", "systems", "questions", "annotation", "export", "audit"),
    *("dashboard", "dashboard/agreement", "dashboard/leaderboards", "dashboard/gold", "tokens", "crowd"),
]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = {"1280": 1280, "zoomed": 640, "390": 390}
"""1280 px, the same at 200 % zoom, and a phone."""


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS)
    (folder / "campaign.toml").write_text(TOML)
    return served(folder)


def look(page: Page, keep: Callable[[Page, str], None], name: str) -> None:
    """Nothing wider than the window, and a picture."""
    keep(page, name)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, name


def everywhere(page: Page, address: str, keep: Callable[[Page, str], None], name: str) -> None:
    """One page in all sizes, light and dark; axe looks at both colour schemes, and at the page on a phone."""
    for size, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(address)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            look(page, keep, f"{name}-{size}-{scheme}")
            if size == "1280" or (size, scheme) == ("390", "light"):
                assert serious(page) == [], f"{name}-{size}-{scheme}"


def test_all_judge_the_same_summaries_and_then_see_each_other_without_names(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    for name in ("ann", "bob"):
        server.assessment.people.add(name, "assessor")
    olga = sign_in(server, "olga", role="organiser").new_page()
    olga.goto(f"{server.address}/practice")
    olga.get_by_label("Norming: everyone sees").check()
    olga.get_by_label("Number of summaries").fill("2")
    olga.get_by_role("button", name="Start").click()
    for name in ("ann", "bob"):
        page = sign_in(server, name).new_page()
        for _ in range(3):
            page.goto(server.address)
            expect(page.get_by_role("link", name="The others' answers")).to_have_count(0)
            page.get_by_role("link", name=re.compile("^Start: Practice")).click()
            page.wait_for_url("**/task/*")
            with (
                page.expect_navigation()
            ):  # practice loads its page again, which would overtake the `goto` that follows
                doing.form(page)
    page.goto(server.address)
    page.get_by_role("link", name="The others' answers").first.click()
    expect(page.get_by_text("2 have handed in.")).to_be_visible()
    expect(page.get_by_role("columnheader", name="You")).to_have_count(2)
    expect(page.get_by_role("columnheader", name="Assessor 2")).to_have_count(2)
    assert not re.search("ann|SYS-|HUMAN-", page.locator("main").inner_text())
    expect(page.locator("#alpha")).to_contain_text("α")
    everywhere(page, page.url, keep, "norming")


def test_organisers_pages_at_1280_px_at_200_percent_and_on_a_phone(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    for name in ("ann", "bob", "Christopher-with-a-long-name"):
        server.assessment.people.add(name, "assessor")
    server.assessment.people.add("gus", "guest")
    page = sign_in(server, "olga", role="organiser").new_page()
    page.goto(f"{server.address}/plan")
    page.get_by_label("Several assessors for each summary").check()
    page.get_by_role("button", name="Draw a plan").click()
    page.get_by_role("button", name="Activate the plan").first.click()
    for name in ("ann", "bob"):
        judging = sign_in(server, name).new_page()
        judging.goto(server.address)
        link = judging.get_by_role("link", name=re.compile("^Start:"))
        if link.count():
            link.click()
            doing.form(judging)
    page.goto(f"{server.address}/plan")
    with page.expect_navigation():
        page.get_by_role("button", name="Draw a plan").click()
    page.goto(f"{server.address}/people")
    page.locator("input[name=name]").fill("cleo")
    page.get_by_role("button", name="Invite", exact=True).click()
    look(page, keep, "people-invited")
    for name in PAGES:
        everywhere(page, f"{server.address}/{name}", keep, name.replace("/", "-") or "home")
