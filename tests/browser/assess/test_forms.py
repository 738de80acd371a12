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
from browser.assess.doing import saved
from pyramidion.assess.gold import GoldItem, add_gold, let_see

Keep = Callable[[Page, str], None]
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
    page.get_by_role("button", name="Activate the plan").first.click()
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
        total = int(re.findall(r"of (\d+) answers", page.locator(".form-progress").inner_text())[0])
        for _ in range(total):
            page.keyboard.press("4")
        expect(page.get_by_text(f"{total} of {total} answers")).to_be_visible()
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
        if number < 2:
            look(page, keep, f"form-390-{number}")
        total = int(re.findall(r"of (\d+) answers", page.locator(".form-progress").inner_text())[0])
        for place in range(total):
            page.keyboard.press(str(1 + place % 5))
        expect(page.get_by_text(f"{total} of {total} answers")).to_be_visible()
        page.get_by_role("button", name="Hand in").press("Enter")
        expect(page.get_by_text("Handed in.")).to_be_visible()
        saved(page)


class Blind:
    """Someone who neither sees the page nor has a mouse: keys, and what a screen reader is told of the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tree = page.context.new_cdp_session(page)
        self.tree.send("Accessibility.enable")

    def nodes(self) -> list[dict[str, Any]]:
        found = self.tree.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in found if not node.get("ignored")]

    def focus(self) -> tuple[str, str]:
        """Role and name of what has the focus."""
        for node in self.nodes():
            focused = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}.get("focused")
            if focused and node["role"]["value"] != "RootWebArea":
                return node["role"]["value"], node.get("name", {}).get("value", "")
        return "", ""

    def hears(self, text: str) -> bool:
        return any(text in node.get("name", {}).get("value", "") for node in self.nodes())

    def tab_to(self, role: str, name: str, *, key: str = "Tab") -> None:
        for _ in range(60):
            self.page.keyboard.press(key)
            found = self.focus()
            if found[0] == role and re.match(name, found[1]):
                return
        raise AssertionError(f"{role} {name!r} can't be reached by {key}")


def test_pass_1_without_looking(server: Server, sign_in: SignIn) -> None:
    summaries = {"1": "SYS-2", "2": "HUMAN-A", "3": "SYS-1"}
    server.give("ann", "t1", "form", "D1", {"pass": 1, "summaries": summaries})
    page = sign_in(server, "ann").new_page()
    page.goto(server.address)
    blind = Blind(page)
    blind.tab_to("link", "Start: Pass 1: linguistic quality")
    page.keyboard.press("Enter")
    page.wait_for_url("**/task/t1")
    expect(page.get_by_role("heading", name="Summary 1 of 3")).to_be_attached()
    for number in range(1, 4):
        assert blind.hears(f"Summary {number} of 3")
        blind.tab_to("region", "Summary")
        for question in ("Grammaticality", "Non-redundancy", "Referential clarity", "Focus", "Coherence"):
            blind.tab_to("radio", "1 Very Poor")
            assert blind.hears(question)
            for _ in range(number):
                page.keyboard.press("ArrowDown")
            assert blind.focus() == ("radio", f"{number + 1} {['Poor', 'Barely Acceptable', 'Good'][number - 1]}")
        if number < 3:
            blind.tab_to("button", "Next summary")
            page.keyboard.press("Enter")
            assert blind.focus() == ("heading", f"Summary {number + 1} of 3")
    blind.tab_to("button", "Hand in", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Handed in.")).to_be_attached()
    saved(page)
    found = answers(server, "ann")
    assert {found["D1", who, "coherence"] for who in summaries.values()} == {2, 3, 4}
    assert [found["D1", summaries[handle], "focus"] for handle in "123"] == [2, 3, 4]
    assert server.state("t1")["done"] is True


def test_writing_preferring_and_practising(server: Server, sign_in: SignIn, keep: Keep) -> None:
    server.give("ann", "w1", "write", "D1", {})
    server.give("ann", "p1", "preference", "D1", {"pairs": {"1": ["SYS-1", "SYS-2"], "2": ["HUMAN-A", "SYS-1"]}})
    context = sign_in(server, "ann")
    page = context.new_page()

    page.goto(f"{server.address}/task/w1")
    expect(page.get_by_role("button", name=re.compile("Ferry news 3"))).to_be_visible()
    page.get_by_label("Search").fill("fishermen")
    expect(page.get_by_text("in 1 document")).to_be_visible()
    expect(page.locator(".document mark").first).to_have_text("fishermen")
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name=re.compile("Ferry news 3")).click()
    page.get_by_role("button", name="Mark as read").click()
    editor = page.get_by_label("Your summary", exact=True)
    editor.fill("word " * 31)
    expect(page.get_by_text("31 of 30 words: 1 word too many")).to_be_visible()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("The text is 1 word too long.")).to_be_visible()
    look(page, keep, "write-1280")
    editor.fill("A ferry burned. 🚢 All were saved.")
    page.get_by_label("Search").focus()
    saved(page)
    page.reload()
    expect(page.get_by_label("Your summary", exact=True)).to_have_value("A ferry burned. 🚢 All were saved.")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    assert server.state("w1") == {"text": "A ferry burned. 🚢 All were saved.", "read/APW-3": True, "done": True}

    page.goto(f"{server.address}/task/p1")
    expect(page.get_by_role("heading", name="Pair 1 of 2")).to_be_visible()
    look(page, keep, "preference-1280")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Pair 2 of 2")).to_be_visible()
    page.get_by_label("Reason").fill("Both are fine")
    page.get_by_role("radio", name="Tie").check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    assert server.state("p1") == {"choice/1": "left", "choice/2": "tie", "reason/2": "Both are fine", "done": True}

    practise(server, context, sign_in, keep)


def practise(server: Server, ann: BrowserContext, sign_in: SignIn, keep: Keep) -> None:
    """The organiser answers, the assessor does, and sees the organiser's answers beside."""
    olga = sign_in(server, "olga", role="organiser").new_page()
    olga.goto(f"{server.address}/practice")
    olga.get_by_label("Number of summaries").fill("1")
    with olga.expect_navigation():  # which would overtake the one that follows
        olga.get_by_role("button", name="Start").click()
    for number in (5, 1, 1):
        olga.goto(f"{server.address}/practice")
        olga.get_by_role("link", name="Answer the questions yourself").click()
        expect(olga.get_by_role("heading", name="Summary 1 of 1")).to_be_visible()
        for _ in range(number):
            olga.keyboard.press("3")
        olga.get_by_role("button", name="Hand in").click()
        expect(olga.get_by_text("Handed in.")).to_be_visible()
        saved(olga)
    olga.goto(f"{server.address}/practice")
    look(olga, keep, "practice")
    with olga.expect_navigation():
        olga.get_by_role("button", name="Give to all assessors").click()
    page = ann.new_page()
    page.goto(server.address)
    page.get_by_role("link", name=re.compile("^Start: Practice")).click()
    expect(page.get_by_role("heading", name="Summary 1 of 1")).to_be_visible()
    for digit in "12345":
        page.keyboard.press(digit)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("The organiser also chose 3.")).to_have_count(1)
    expect(page.get_by_text("The organiser chose 3; you chose 1.")).to_be_visible()
    look(page, keep, "practice-feedback")


def test_the_guides_lead_through_an_example_that_is_stored_nowhere(server: Server, sign_in: SignIn, keep: Keep) -> None:
    page = sign_in(server, "ann").new_page()
    panel = page.get_by_role("region", name="Guide")

    def follow(step: str) -> None:
        expect(panel.get_by_text(step)).to_be_visible()
        panel.get_by_role("button", name="Next").click()

    page.goto(f"{server.address}/guide/form")
    follow("It stays in sight")
    look(page, keep, "guide-form")
    follow("Read the summary")
    expect(panel.get_by_role("button", name="Next")).to_be_disabled()
    for _ in range(6):
        page.keyboard.press("4")
    follow("Go on until all questions")
    follow("You can go back to any summary")
    follow("comment on the summary")
    page.get_by_role("button", name="Hand in").click()
    expect(panel.get_by_text("That is all.")).to_be_visible()
    for kind in ("write", "preference", "pyramid", "peer", "coverage"):
        page.goto(f"{server.address}/guide/{kind}")
        expect(panel.get_by_text("This is an example to try")).to_be_visible()
        expect(page.locator(".guided")).to_have_count(1)
        look(page, keep, f"guide-{kind}")
    assert server.assessment.work.history() == []


def test_pages_scroll_at_once_so_that_nothing_moves_away_under_a_click(server: Server, sign_in: SignIn) -> None:
    server.give("ann", "t1", "form", "D1", {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}})
    page = sign_in(server, "ann", height=400).new_page()
    page.goto(f"{server.address}/task/t1")
    expect(page.get_by_role("heading", name="Summary 1 of 2")).to_be_visible()
    assert page.evaluate("() => { window.scrollTo(0, 100); return window.scrollY; }") == 100


def test_right_answers_that_are_known_are_told_as_soon_as_a_form_is_handed_in(
    server: Server, sign_in: SignIn, keep: Keep
) -> None:
    let_see(server.assessment, True)
    for question, low, comment in (("content-responsiveness", 4, "It names ships."), ("overall-responsiveness", 1, "")):
        item = GoldItem(topic="D1", summarizer="SYS-2", question=question, low=low, high=5, comment=comment)
        add_gold(server.assessment, item)
    server.give("ann", "form", "form", "D1", {"pass": 2, "summaries": {"1": "SYS-1", "2": "SYS-2"}})
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/form")
    for key in "22":
        expect(page.get_by_role("heading", name=re.compile("^Summary"))).to_be_visible()
        page.keyboard.press(key)
    assert "ships" not in page.content()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("1 right answer is known: you gave 0 of 1.")).to_be_visible()
    expect(page.get_by_role("link", name="Go to your work")).to_be_focused()
    page.get_by_role("status").get_by_role("button", name="Summary 2").click()
    expect(page.get_by_text("The right answer is 4 to 5; you chose 2. It names ships.")).to_be_visible()
    look(page, keep, "gold-feedback")
    page.get_by_role("button", name="Open again").click()
    expect(page.get_by_text("right answer is known")).to_have_count(0)
