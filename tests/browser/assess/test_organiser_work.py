"""Organisers look at the work of others without changing it, and move it only after they have seen what will happen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.doing import saved, select, text
from browser.assess.lockerbie import SUMMARIES, TOPICS

MODELS = {"1": "HUMAN-B", "2": "HUMAN-A", "3": "HUMAN-D", "4": "HUMAN-C"}
SUMMARY = {"summaries": {"1": "SYS-1"}}
WORK: dict[str, dict[str, Any]] = {
    "pyramid": {"models": MODELS},
    "form": {"pass": 1, **SUMMARY},
    "write": {},
    "preference": {"pairs": {"1": ["SYS-1", "SYS-2"]}},
    "coverage": {**SUMMARY, "models": {"1": "HUMAN-A"}, "units": "clauses"},
    "peer": {**SUMMARY, "models": MODELS, "pyramid": "", "mode": "full", "non_matching": True},
}


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    server = served(write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS))
    for kind, spec in WORK.items():
        server.give("ann", kind, kind, "T1", spec)
    server.assessment.people.add("bob", "assessor")
    return server


def test_every_kind_of_work_is_looked_at_without_changing_it(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    page = sign_in(server, "olga", role="organiser").new_page()
    for kind in WORK:
        page.goto(f"{server.address}/work/{kind}")
        waits = page.get_by_text("There is no pyramid of this topic yet")
        expect(page.get_by_text("Read-only", exact=True).or_(waits)).to_be_visible()
        expect(page.get_by_role("button", name="Hand in")).to_have_count(0)
        for key in ("1", "a", "n", "Shift+ArrowRight", "n", "2", "r", "Control+z"):
            page.keyboard.press(key)
        assert server.history(kind) == [], kind
        assert serious(page) == [], kind
        keep(page, f"look-{kind}")


def test_the_moments_of_a_pyramid(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    ann = sign_in(server, "ann").new_page()
    ann.goto(f"{server.address}/task/pyramid")
    for writer in ("HUMAN-B", "HUMAN-D"):
        select(text(ann, writer), "Two")
        ann.keyboard.press("n")
    saved(ann)
    page = sign_in(server, "olga", role="organiser").new_page()
    page.goto(f"{server.address}/work")
    page.get_by_role("row", name=re.compile("pyramid", re.I)).get_by_role("link").click()
    expect(page.locator(".scu")).to_have_count(2)
    keep(page, "look-now")
    page.get_by_role("link", name="One back").click()
    expect(page.locator(".scu")).to_have_count(1)
    expect(page.get_by_text("One on")).to_be_visible()
    page.get_by_role("link", name="At the start").click()
    expect(page.locator(".scu")).to_have_count(0)
    assert len(server.history("pyramid")) == 2


def test_work_changes_hands_after_confirmation_and_comes_back(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    ann = sign_in(server, "ann").new_page()
    ann.goto(f"{server.address}/task/form")
    expect(ann.get_by_role("heading", name="Summary 1 of 1")).to_be_visible()
    ann.keyboard.press("4")
    saved(ann)
    page = sign_in(server, "olga", role="organiser").new_page()
    page.goto(f"{server.address}/plan")
    page.get_by_role("button", name="Give open work to others… of ann").click()
    expect(page.get_by_role("heading", name="Give the open work of ann to others?")).to_be_visible()
    expect(page.get_by_text("1 piece of work was begun")).to_be_visible()
    keep(page, "leave-confirm")
    assert serious(page) == []
    page.get_by_role("button", name="Give 6 pieces of work to others").click()
    expect(page.get_by_role("heading", name="What you gave out and moved")).to_be_visible()
    keep(page, "plan-moves")
    assert serious(page) == []
    # The page that is still open says what happened to the work.
    ann.keyboard.press("5")
    expect(ann.locator("#saved")).to_have_text(re.compile("taken back by the organiser"))
    page.get_by_role("button", name=re.compile("^Undo")).click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("rowheader", name=re.compile("^Undone: 6 pieces"))).to_be_visible()
    # What waited in the browser is stored now.
    ann.reload()
    saved(ann)
    assert server.state("form")["answer/1/clear"] == 5
