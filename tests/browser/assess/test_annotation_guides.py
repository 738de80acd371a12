"""Guided first tasks of annotation: two minutes, nothing stored; and all their pages at 200 %."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    return served(write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS))


def test_the_guides_lead_through_each_kind_of_annotation(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    page = sign_in(server, "ann", height=1000).new_page()
    panel = page.get_by_role("region", name="Guide")

    def step(text: str) -> None:
        expect(panel).to_contain_text(text)

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def go_on() -> None:
        panel.get_by_role("button", name="Next").click()

    page.goto(f"{server.address}/guide/pyramid")
    step("Two model summaries")
    go_on()
    press("1", *["Shift+ArrowRight"] * 4, "n")
    step("press A to add them")
    press("2", *["Shift+ArrowRight"] * 3, "a")
    step("write a label")
    press("l", "Control+a")
    page.keyboard.type("A ferry burned")
    press("Enter")
    step("The pyramid grows")
    go_on()
    press("1", "End", *["Shift+ArrowLeft"] * 3, "n")
    step("Press Ctrl-Z")
    press("Control+z")
    step("press Hand in")
    keep(page, "guide-pyramid")
    assert serious(page) == []
    page.get_by_role("button", name="Hand in").click()
    step("That is all.")

    page.goto(f"{server.address}/guide/coverage")
    go_on()
    press("a")
    step("0 to 5")
    press("4")
    step("Go on until every clause")
    for _ in range(page.locator(".unit").count()):
        press("0")
    step("press Hand in")

    page.goto(f"{server.address}/guide/adjudicate-peer")
    go_on()
    press("q", "w")
    step("How far both agree")
    expect(page.locator(".message")).to_contain_text("kept")

    page.goto(f"{server.address}/guide/adjudicate")
    go_on()
    press("b")
    step("Krippendorff")
    page.goto(f"{server.address}/guide/peer")
    go_on()
    press("e", *["Shift+ArrowRight"] * 4, "a")
    step("press R")
    assert server.assessment.work.history() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_of_annotation_at_200_percent(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None], scheme: str
) -> None:
    """At 200 %, a window of 1280 pixels shows 640; nothing is cut off."""
    page = sign_in(server, "ann", width=640, height=450, scheme=scheme).new_page()
    for kind in ("pyramid", "peer", "coverage", "adjudicate", "adjudicate-peer"):
        page.goto(f"{server.address}/guide/{kind}")
        expect(page.get_by_role("region", name="Guide")).to_be_visible()
        expect(page.get_by_role("button", name="Hand in")).to_be_visible()
        keep(page, f"{kind}-200-{scheme}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    organiser = sign_in(server, "olga", role="organiser", width=640, scheme=scheme).new_page()
    organiser.goto(f"{server.address}/annotation")
    assert serious(organiser) == []
    keep(organiser, f"annotation-200-{scheme}")
