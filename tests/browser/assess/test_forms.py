"""Judging, writing and preferring in a real browser: by mouse, by keyboard, on a phone, and without looking."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, serious

Keep = Callable[[Page, str], Path]
SignIn = Callable[..., BrowserContext]

TOML = """name = "Ferries"
word_limit = 30
questions = { set = "duc2006", focus = { examples = [{ value = 5, text = "Every sentence is about the ferry." }] } }

[summarizers]
SYS-1 = { kind = "participant", name = "secret-system", organisation = "team" }
SYS-2 = { kind = "participant", name = "other-system", organisation = "team" }
"""
TEXT = "The ferry burned off Kiel on Monday.\nAll passengers were saved by fishermen who had seen the smoke."
LONG = " ".join(f"word{number}" for number in range(1, 41))
HEBREW = "המעבורת נשרפה ליד קיל 🚢 <script>alert(1)</script>"


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "campaign.toml").write_text(TOML)
    texts = {"SYS-1": TEXT, "SYS-2": LONG, "HUMAN-A": HEBREW}
    summaries = [
        {"topic": topic, "summarizer": who, "kind": "model" if who == "HUMAN-A" else "peer", "text": f"{topic}: {text}"}
        for topic in ("D1", "D2")
        for who, text in texts.items()
    ]
    documents = [
        {"id": f"APW-{number}", "date": f"2005-01-0{4 - number}", "headline": f"Ferry news {number}", "text": text * 6}
        for number, text in enumerate([TEXT, LONG, "Nothing about ships here.\n"], start=1)
    ]
    topics = [
        {"topic": topic, "title": "Ferry accidents", "narrative": "Which ferries burned, and who was saved?"}
        | {"documents": documents}
        for topic in ("D1", "D2")
    ]
    for name, rows in (("summaries", summaries), ("topics", topics)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return served(folder)


def look(page: Page, keep: Keep, name: str) -> None:
    """Nothing serious for axe, nothing wider than the window, and a picture."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    keep(page, name)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved")


def answers(server: Server, name: str) -> dict[tuple[str, str, str], Any]:
    """By topic, summarizer and question, what someone answered."""
    person = server.assessment.people.find(name=name)
    assert person is not None
    found = {}
    for task in server.assessment.work.tasks(person=person.id):
        for key, value in server.assessment.work.state(task).items():
            match key.split("/"):
                case ["answer", handle, question]:
                    found[task.topic, task.spec["summaries"][handle], question] = value
    return found


def test_an_organiser_plans_and_two_assessors_do_all_three_passes(server: Server, sign_in: SignIn, keep: Keep) -> None:
    for name in ("ann", "bob"):
        server.assessment.people.add(name, "assessor")
    page = sign_in(server, "olga", role="organiser").new_page()
    page.goto(server.address)
    look(page, keep, "home-organiser")
    page.get_by_role("navigation").get_by_role("link", name="Plan").click()
    page.get_by_label("Several assessors for each summary").check()
    page.get_by_role("button", name="Draw a plan").click()
    expect(page.get_by_role("heading", name="2. The plan")).to_be_visible()
    look(page, keep, "plan-drawn")
    page.get_by_role("button", name="Take the plan").first.click()
    expect(page.get_by_role("heading", name="2. Work given out")).to_be_visible()
    keep(page, "plan-taken")

    by_mouse(server, sign_in(server, "ann"), keep)
    by_keyboard_on_a_phone(server, sign_in(server, "bob", width=390, height=844), keep)
    assert len(answers(server, "ann")) == len(answers(server, "bob")) == 2 * 3 * 7


def by_mouse(server: Server, context: BrowserContext, keep: Keep) -> None:
    page = context.new_page()
    page.goto(server.address)
    look(page, keep, "home-assessor")
    expect(page.get_by_text("Opens when you have handed in pass 1 of this topic.")).to_have_count(2)
    page.get_by_role("link", name=re.compile("^Start: Pass 1")).click()
    expect(page.get_by_role("heading", name="Summary 1 of 3")).to_be_visible()
    assert "SYS-" not in page.content()
    look(page, keep, "form-1280")
    for summary in range(1, 4):
        expect(page.get_by_role("heading", name=f"Summary {summary} of 3")).to_be_visible()
        if page.get_by_text("word1 ").count():
            expect(page.get_by_text("Cut at the limit of 30 words: 11 words left out.")).to_be_visible()
            assert "word29" in page.locator(".summary-text").inner_text()
            assert "word30" not in page.locator(".summary-text").inner_text()
        for question in range(5):
            page.locator("fieldset").nth(question).locator("input[value='4']").click()
    expect(page.get_by_text("15 of 15 answers")).to_be_visible()
    page.get_by_role("button", name=re.compile("Previous summary")).click()
    page.get_by_label("Comment").fill("Too short?")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    saved(page)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    look(page, keep, "form-handed-in")
    page.get_by_role("link", name="Go to your work").click()
    for _ in range(5):
        page.get_by_role("link", name=re.compile("^(Start|Continue)")).click()
        expect(page.get_by_role("heading", name="Summary 1 of 3")).to_be_visible()
        while (
            page.get_by_role("button", name="Hand in").count()
            and "15 of" not in page.locator(".form-progress").inner_text()
        ):
            done = page.locator(".form-progress").inner_text().split(" of ")
            if done[0].strip() == done[1].split(" ")[0]:
                break
            page.keyboard.press("4")
        if page.get_by_text("Pass 3").count():
            look(page, keep, "form-pass-3")
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_text("Handed in.")).to_be_visible()
        saved(page)
        page.goto(server.address)
    expect(page.get_by_text("Everything is done")).to_be_visible()
    keep(page, "home-done")


def by_keyboard_on_a_phone(server: Server, context: BrowserContext, keep: Keep) -> None:
    page = context.new_page()
    page.goto(server.address)
    look(page, keep, "home-390")
    for number in range(6):
        page.goto(server.address)
        page.get_by_role("link", name=re.compile("^(Start|Continue)")).press("Enter")
        expect(page.get_by_role("heading", name="Summary 1 of 3")).to_be_visible()
        look(page, keep, f"form-390-{number}") if number in (0, 1) else None
        total = int(re.findall(r"of (\d+) answers", page.locator(".form-progress").inner_text())[0])
        for place in range(total):
            page.keyboard.press(str(1 + place % 5))
        expect(page.get_by_text(f"{total} of {total} answers")).to_be_visible()
        page.get_by_role("button", name="Hand in").press("Enter")
        expect(page.get_by_text("Handed in.")).to_be_visible()
        saved(page)
