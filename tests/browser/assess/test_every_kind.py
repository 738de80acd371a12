"""Every kind of work with two tabs, without a server, with a killed browser and with full disks: nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.keystrokes import Killable
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.assess.conftest import Server, on_both_databases, write_campaign
from browser.assess.doing import saved
from browser.assess.lockerbie import MODELS, PEERS, SUMMARIES, TOPICS
from browser.assess.test_peers import HANDLES, PEER, PYRAMIDS, span
from browser.assess.test_typing import cookie_of, killable, wait_until

__all__ = ["killable"]

SignIn = Callable[..., BrowserContext]


@dataclass(frozen=True)
class Work:
    """A piece of work of a kind: what it is about, and keys with which two people do it differently."""

    kind: str
    spec: dict[str, Any]
    keys: tuple[str, ...]
    other_keys: tuple[str, ...]


WORK = {
    "write": Work("write", {}, ("Tab", *"Mine."), ("Tab", *"Another.")),
    "form": Work("form", {"pass": 1, "summaries": {"1": "SYS-1"}}, ("4",), ("2",)),
    "preference": Work("preference", {"pairs": {"1": ["SYS-1", "SYS-2"]}}, ("a",), ("t",)),
    "pyramid": Work("pyramid", {"models": HANDLES}, ("1", "c", "n"), ("2", "e", "n")),
    "peer": Work("peer", {**PEER}, ("c", "a"), ("e", "Shift+ArrowLeft", "a")),
    "light": Work("peer", {**PEER, "mode": "light", "non_matching": False}, ("y",), ("n",)),
    "coverage": Work(
        "coverage",
        {"summaries": {"1": "SYS-2"}, "models": {"1": "HUMAN-D"}, "units": "clauses"},
        ("0",),
        ("a", "3"),
    ),
    "adjudicate": Work("adjudicate", {"models": HANDLES, "annotators": ["cleo", "dan"]}, ("x",), ("q",)),
    "adjudicate-peer": Work(
        "adjudicate-peer", {**PEER, "pyramid": "cleo", "annotators": ["cleo", "dan"]}, ("x",), ("q",)
    ),
}
"""Kinds of work by the id of their task."""

ANNOTATIONS = [
    {
        "topic": "T1",
        "summarizer": "SYS-1",
        "annotator": who,
        "pyramid": "cleo",
        "scus": [{"uid": 1, "contributors": [[span(PEERS["SYS-1"], words)]]}],
        "unmatched": [],
    }
    for who, words in (("cleo", "Two Libyans"), ("dan", "indicted in 1991."))
]

SHOWN = """() => {
  const field = (input) => (["radio", "checkbox"].includes(input.type) ? input.checked : input.value);
  const fields = [...document.querySelectorAll("#work textarea, #work input:not([type=search])")];
  const marks = [...document.querySelectorAll("#work .quote, #work .said, #work .result, #work .unit .soft")];
  return JSON.stringify([
    fields.filter((input) => !input.closest(".detail, .options, .list-head")).map(field),
    marks.map((mark) => mark.textContent),
  ]);
}"""
"""What a page shows of its work."""

ROWS_OF = """async (task) => {
  const request = indexedDB.open("pyramidion-assess");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const all = database.transaction("events").objectStore("events").getAll();
  const rows = await new Promise((resolve) => (all.onsuccess = () => resolve(all.result)));
  database.close();
  return rows.filter((row) => row.task === task).length;
}"""
"""How many events and texts a browser keeps of a task."""


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    """Someone with a piece of work of each kind."""
    pyramids = [{**pyramid, "annotator": who} for pyramid, who in zip(PYRAMIDS, ("cleo", "dan"), strict=True)]
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS, pyramids=pyramids, annotations=ANNOTATIONS)
    server = served(folder)
    for name, work in WORK.items():
        spec = work.spec if work.spec.get("pyramid") != "ann" else {**work.spec, "pyramid": "cleo"}
        server.give("ann", name, work.kind, "T1", spec)
    return server


def opened(context: BrowserContext, server: Server, name: str) -> Page:
    page = context.new_page()
    page.goto(f"{server.address}/task/{name}")
    expect(page.locator("#work .tools-bar")).to_be_visible()
    expect(page.locator("#saved")).not_to_be_empty()
    return page


def do(page: Page, keys: tuple[str, ...]) -> None:
    page.bring_to_front()
    for key in keys:
        if key == "Tab":
            page.get_by_label("Your summary", exact=True).focus()
        else:
            page.keyboard.press(key)
    if keys[0] == "Tab":
        page.get_by_label("Your summary", exact=True).blur()


def shown(page: Page) -> str:
    return str(page.evaluate(SHOWN))


def stored(server: Server, name: str) -> dict[str, Any]:
    return json.loads(json.dumps(server.state(name)))  # type: ignore[no-any-return]


@on_both_databases
def test_two_tabs_see_each_other_and_what_was_overtaken_is_applied_as_it_is_shown(
    server: Server, sign_in: SignIn
) -> None:
    here, elsewhere = sign_in(server, "ann"), sign_in(server, "ann")
    for name, work in WORK.items():
        page, neighbour, stranger = (opened(context, server, name) for context in (here, here, elsewhere))
        untouched = shown(page)
        do(stranger, work.other_keys)  # on another computer
        saved(stranger)
        theirs = stored(server, name)
        assert theirs, name
        do(page, work.keys)
        notice = page.locator(".conflict")
        expect(notice, name).to_contain_text("not saved")
        wait_until(lambda page=page, stranger=stranger: shown(page) == shown(stranger), page)  # type: ignore[misc]
        assert stored(server, name) == theirs, name
        page.get_by_role("button", name="Apply them again").click()
        expect(notice, name).to_have_count(0)
        saved(page)
        mine = stored(server, name)
        assert mine != theirs, name
        last = server.history(name)[-1]
        assert last[1].startswith("again-"), name
        for key, value in last[2].items():
            assert mine.get(key) == json.loads(json.dumps(value)), name
        # The page shows what is stored, and so does the other tab: also if either is opened anew.
        wait_until(lambda page=page, neighbour=neighbour: shown(page) == shown(neighbour), page)  # type: ignore[misc]
        before = shown(page)
        assert before != untouched, name
        page.reload()
        expect(page.locator("#work .tools-bar")).to_be_visible()
        wait_until(lambda page=page, before=before: shown(page) == before, page)  # type: ignore[misc]
        for tab in (page, neighbour, stranger):
            tab.close()


@on_both_databases
def test_work_goes_on_without_a_server_and_is_stored_once_when_it_is_back(server: Server, sign_in: SignIn) -> None:
    context = sign_in(server, "ann")
    pages = {name: opened(context, server, name) for name in WORK}
    server.stop()
    for name, page in pages.items():
        do(page, WORK[name].keys)
        expect(page.locator("#saved"), name).to_contain_text("Offline:")
    before = {name: shown(page) for name, page in pages.items()}
    for name in list(pages)[::2]:  # some of the pages are closed meanwhile
        pages[name].close(run_before_unload=False)
    server.start()
    for name, page in pages.items():
        if page.is_closed():
            pages[name] = opened(context, server, name)
        saved(pages[name])
        assert stored(server, name), name
        assert [version for version, _, _ in server.history(name)] == list(range(1, len(server.history(name)) + 1))
        wait_until(lambda page=pages[name], name=name: shown(page) == before[name], pages[name])  # type: ignore[misc]


@on_both_databases
def test_a_killed_browser_loses_nothing_that_its_database_acknowledged(
    server: Server, killable: Callable[[], Killable]
) -> None:
    browser = killable()
    browser.context.add_cookies([cookie_of(server, "ann")])
    browser.context.route("**/events", lambda route: route.abort())  # the server gets nothing
    before = {}
    for name, work in WORK.items():
        page = opened(browser.context, server, name)
        do(page, work.keys)
        wait_until(lambda page=page, name=name: page.evaluate(ROWS_OF, name) > 0, page)  # type: ignore[misc]
        before[name] = shown(page)
        assert not stored(server, name), name
    browser.kill()

    browser = killable()
    browser.context.add_cookies([cookie_of(server, "ann")])
    for name in WORK:
        page = opened(browser.context, server, name)
        saved(page)
        assert stored(server, name), name
        wait_until(lambda page=page, name=name: shown(page) == before[name], page)  # type: ignore[misc]
        wait_until(lambda page=page, name=name: page.evaluate(ROWS_OF, name) == 0, page)  # type: ignore[misc]
        events = server.history(name)
        assert [version for version, _, _ in events] == list(range(1, len(events) + 1))


FULL_BROWSER = """
const begin = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function (...how) {
  const transaction = begin.apply(this, how);
  if (how[1] === "readwrite" && window.isFull) queueMicrotask(() => transaction.abort());
  return transaction;
};
"""


def test_full_disks_of_the_server_and_of_the_browser_are_told_and_nothing_is_lost(
    server: Server, sign_in: SignIn
) -> None:
    context = sign_in(server, "ann")
    context.add_init_script(FULL_BROWSER)

    def refuse(route: Route) -> None:
        route.fulfill(status=507, content_type="application/json", body='{"detail": "the disk is full"}')

    for name, work in WORK.items():
        page = opened(context, server, name)
        page.route("**/events", refuse)
        page.evaluate("window.isFull = true")
        do(page, work.keys)
        state = page.locator("#saved")
        expect(state, name).to_contain_text("waiting (the disk is full)")
        expect(state, name).to_contain_text("keep this page open")
        before = shown(page)
        page.unroute("**/events")
        saved(page)  # also while the browser's own disk is still full
        assert stored(server, name), name
        page.reload()
        expect(page.locator("#work .tools-bar")).to_be_visible()
        wait_until(lambda page=page, before=before: shown(page) == before, page)  # type: ignore[misc]
        page.close()


def test_the_models_are_those_of_the_topic() -> None:
    assert set(HANDLES.values()) == set(MODELS)  # what the table above names is there
