"""Texts that are written from right to left are shown so on the page of every kind of work, and spans are theirs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.doing import saved

TOML = """name = "ספינות"

[[questions]]
name = "clear"
text = "Is it clear?"
scale = [1, 5]
pass = 1
examples = [{ value = 5, text = "כל משפט על המעבורת." }]
"""
FERRY = "המעבורת נשרפה ליד קיל ביום שני. כל הנוסעים ניצלו."
SMOKE = "דייגים ראו עשן, כי המעבורת נשרפה ליד קיל."
RAIN = "ירד גשם. המעבורת נשרפה."
NEWS = "دخان فوق البحر. احترقت العبارة قرب كيل."
"""Arabic, whose letters join."""

ROWS: list[dict[str, Any]] = [
    {"topic": "T1", "summarizer": "A", "kind": "model", "text": FERRY},
    {"topic": "T1", "summarizer": "B", "kind": "model", "text": SMOKE},
    {"topic": "T1", "summarizer": "S1", "kind": "peer", "text": RAIN},
    {"topic": "T1", "summarizer": "S2", "kind": "peer", "text": NEWS},
]
TOPICS = [
    {
        "topic": "T1",
        "title": "תאונות של מעבורות",
        "narrative": "אילו מעבורות נשרפו?",
        "documents": [{"id": "D-1", "headline": "אש בים", "date": "2005-01-03", "text": f"{NEWS}\n{FERRY}"}],
    }
]


def pyramid(annotator: str, *words: str) -> dict[str, Any]:
    contributors = [
        {"model": model, "parts": [[text.index(quote), text.index(quote) + len(quote)]]}
        for model, text, quote in zip("AB", (FERRY, SMOKE), words, strict=False)
    ]
    scu = {"uid": 1, "label": "המעבורת נשרפה", "comment": "", "contributors": contributors}
    return {"topic": "T1", "models": ["A", "B"], "annotator": annotator, "scus": [scu]}


PYRAMIDS = [pyramid("cleo", "המעבורת נשרפה", "המעבורת נשרפה"), pyramid("dan", "ליד קיל", "ליד קיל")]


def annotation(annotator: str, quote: str) -> dict[str, Any]:
    at = RAIN.index(quote)
    match = {"uid": 1, "contributors": [[[at, at + len(quote)]]]}
    about = {"topic": "T1", "summarizer": "S1", "annotator": annotator, "pyramid": "cleo"}
    return {**about, "scus": [match], "unmatched": [[[0, 8]]]}


MODELS = {"1": "A", "2": "B"}
PEER = {"summaries": {"1": "S1"}, "models": MODELS, "pyramid": "cleo", "mode": "full", "non_matching": True}
WORK: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "write": ("write", {}, ()),
    "form": ("form", {"pass": 1, "summaries": {"1": "S1", "2": "S2"}}, ("n",)),
    "preference": ("preference", {"pairs": {"1": ["S1", "S2"]}}, ("t",)),
    "pyramid": ("pyramid", {"models": MODELS}, ("1", "c", "n", "y", "a", "g")),
    "peer": ("peer", PEER, ("c", "a", "o", "e", "u")),
    "light": ("peer", {**PEER, "mode": "light", "non_matching": False}, ("y",)),
    "coverage": ("coverage", {"summaries": {"1": "S1"}, "models": {"1": "A"}, "units": "clauses"}, ("a", "3")),
    "adjudicate": ("adjudicate", {"models": MODELS, "annotators": ["cleo", "dan"]}, ("q",)),
    "adjudicate-peer": ("adjudicate-peer", {**PEER, "annotators": ["cleo", "dan"]}, ("q",)),
}

ASTRAY = r"""() => {
  const letters = /[\u0590-\u06ff]/;
  const astray = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, textContent: text } = walker.currentNode;
    if (!letters.test(text) || parent.closest("option, title, .unseen, .message, script")) continue;
    if (getComputedStyle(parent).direction !== "rtl") astray.push(parent.outerHTML.slice(0, 160));
  }
  for (const field of document.querySelectorAll("main input, main textarea")) {
    if (letters.test(field.value) && getComputedStyle(field).direction !== "rtl") astray.push(field.outerHTML.slice(0, 160));
  }
  return astray;
}"""
"""What has letters of Hebrew or Arabic and runs from left to right."""


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(
        tmp_path / "campaign",
        ROWS,
        topics=TOPICS,
        pyramids=PYRAMIDS,
        annotations=[annotation("cleo", "המעבורת"), annotation("dan", "נשרפה.")],
    )
    (folder / "campaign.toml").write_text(TOML)
    server = served(folder)
    for name, (kind, spec, _) in WORK.items():
        server.give("ann", name, kind, "T1", spec)
    return server


def test_texts_on_every_page_run_from_right_to_left(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    context = sign_in(server, "ann")
    page = context.new_page()
    page.goto(server.address)
    assert page.evaluate(ASTRAY) == []
    astray = {}
    for name, (_, _, keys) in WORK.items():
        page.goto(f"{server.address}/task/{name}")
        expect(page.locator("#work .tools-bar")).to_be_visible()
        if page.locator("#work summary").count():
            page.locator("#work summary").first.click()
        for key in keys:
            page.keyboard.press(key)
        if name == "write":
            page.get_by_label("Your summary", exact=True).fill(FERRY)
        saved(page)
        astray[name] = page.evaluate(ASTRAY)
        assert serious(page) == [], name
        keep(page, f"right-to-left-{name}")
    assert not any(astray.values()), astray


def test_a_drag_from_right_to_left_takes_the_words_between(
    server: Server, sign_in: Callable[..., BrowserContext]
) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/pyramid")
    model = page.get_by_role("listbox", name="Model 1")
    first = model.get_by_role("option", name="המעבורת", exact=True).bounding_box()
    last = model.get_by_role("option", name="קיל", exact=True).bounding_box()
    assert first
    assert last
    assert first["x"] > last["x"]  # the text begins on the right
    page.mouse.move(first["x"] + first["width"] - 2, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + 2, last["y"] + last["height"] / 2, steps=12)
    page.mouse.up()
    for key in ("n", "1", "Home", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "d", "n"):
        page.keyboard.press(key)  # the next word is on the left
    saved(page)
    parts = [
        FERRY[start:end]
        for uid in (1, 2)
        for start, end in server.state("pyramid")[f"scu/{uid}"]["contributors"][0]["parts"]
    ]
    assert parts == ["המעבורת נשרפה ליד קיל", "ליד"]
    contributor = page.locator(".scu[data-uid='1'] .quote > span")
    assert contributor.evaluate("(quote) => getComputedStyle(quote).direction") == "rtl"
