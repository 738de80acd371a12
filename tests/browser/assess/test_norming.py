"""A norming round in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess import doing
from browser.assess.conftest import Server, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS

TOML = 'name = "Lockerbie"\nword_limit = 60\n[questions]\nset = "duc2006"\n'


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS)
    (folder / "campaign.toml").write_text(TOML)
    return served(folder)


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
    keep(page, "norming")
