"""Text that is being typed: in the browser at once, on the server within two seconds, and never another than shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.keystrokes import Killable
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.doing import saved
from browser.assess.lockerbie import MODELS, PEERS
from browser.conftest import SLOWEST_PAGE, chromium_program

Keep = Callable[[Page, str], None]
SignIn = Callable[..., BrowserContext]

TYPED = "What was typed and never sent"
SCU = {"label": "", "comment": "", "contributors": [{"model": "1", "parts": [[0, 4]]}]}


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    """Someone with a piece of work of each kind in which people type."""
    rows = [
        {"topic": "T1", "summarizer": name, "kind": kind, "text": text}
        for kind, texts in (("model", MODELS), ("peer", PEERS))
        for name, text in texts.items()
    ]
    server = served(write_campaign(tmp_path / "campaign", rows))
    models = {str(number): name for number, name in enumerate(MODELS, start=1)}
    server.give("ann", "w1", "write", "T1", {})
    server.give("ann", "f1", "form", "T1", {"pass": 1, "summaries": {"1": "SYS-1"}})
    server.give("ann", "p1", "preference", "T1", {"pairs": {"1": ["SYS-1", "HUMAN-A"]}})
    for task in ("label", "comment"):
        server.give("ann", task, "pyramid", "T1", {"models": models})
        store(server, task, {"scu/1": SCU})
    return server


def store(server: Server, task: str, changes: dict[str, Any]) -> None:
    """Store an event as if it came from another computer."""
    from uuid import uuid4

    from pyramidion.assess.store.work import Event

    found = server.assessment.work.task(task)
    assert found is not None
    event = Event(id=str(uuid4()), version=found.version + 1, action="write", changes=changes)
    server.assessment.append(found, found.person, [event])


def field(page: Page, task: str) -> Locator:
    """Where the page of a task takes text."""
    if task == "comment":
        page.get_by_role("button", name=re.compile("^SCU 1,")).click()
    labels = {"w1": "Your summary", "f1": "Comment (optional)", "p1": "Reason (optional)"}
    labels |= {"label": "Label of SCU 1", "comment": "Comment"}
    return page.get_by_label(labels[task], exact=True)


def text_in(server: Server, task: str) -> str:
    """What the server has of the text of a task."""
    state = server.state(task)
    keys = {"w1": "text", "f1": "comment/1", "p1": "reason/1"}
    return str(state.get(keys[task], "") if task in keys else state["scu/1"][task])


def wait_until(condition: Callable[[], bool], page: Page) -> None:
    until = time.monotonic() + SLOWEST_PAGE / 1000  # scripts of a page that loads slowly begin late
    while not condition():
        assert time.monotonic() < until
        page.wait_for_timeout(20)


def stop_time(page: Page, address: str) -> None:
    """Open a page whose clock stands still until the test moves it: no timer fires by itself."""
    page.clock.install(time=0)
    page.goto(address)
    page.clock.pause_at(3_600)


@pytest.fixture
def killable(browser: Browser, tmp_path: Path) -> Iterator[Callable[[], Killable]]:
    """Starts browsers on one profile, one after the other."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("finds the browser's processes in /proc")
    started: list[Killable] = []

    def start() -> Killable:
        started.append(Killable(browser.browser_type, chromium_program(), tmp_path / "profile"))
        return started[-1]

    yield start
    started[-1].context.close()


def cookie_of(server: Server, name: str, role: str = "assessor") -> Any:
    people = server.assessment.people
    person = people.find(name=name) or people.add(name, role)  # type: ignore[arg-type]
    return {"name": "pyramidion_session", "value": people.sign_in(person).token, "url": server.address}


KEPT = """async (text) => {
  const request = indexedDB.open("pyramidion-assess");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const all = database.transaction("events").objectStore("events").getAll();
  const rows = await new Promise((resolve) => (all.onsuccess = () => resolve(all.result)));
  database.close();
  return JSON.stringify(rows).includes(text);
}"""
TASKS = ("w1", "f1", "p1", "label", "comment")


def test_a_killed_browser_has_everything_that_was_typed(server: Server, killable: Callable[[], Killable]) -> None:
    browser = killable()
    browser.context.add_cookies([cookie_of(server, "ann")])
    browser.context.route("**/events", lambda route: route.abort())  # the server gets nothing
    for task in TASKS:
        page = browser.context.new_page()
        stop_time(page, f"{server.address}/task/{task}")  # nothing is sent because typing paused
        place = field(page, task)
        place.focus()
        page.keyboard.type(f"{TYPED}: {task}")
        wait_until(lambda page=page, task=task: page.evaluate(KEPT, f"{TYPED}: {task}"), page)  # type: ignore[misc]
    assert not any(text_in(server, task) for task in TASKS)
    browser.kill()

    browser = killable()
    browser.context.add_cookies([cookie_of(server, "ann")])
    for task in TASKS:
        page = browser.context.new_page()
        page.goto(f"{server.address}/task/{task}")
        expect(field(page, task)).to_have_value(f"{TYPED}: {task}")
        saved(page)
        assert text_in(server, task) == f"{TYPED}: {task}"
        assert page.evaluate(KEPT, TYPED) is any(task != done for done in TASKS[TASKS.index(task) :])
    assert [len(server.history(task)) for task in TASKS] == [1, 1, 1, 2, 2]  # stored once each


@pytest.mark.parametrize("task", TASKS)
def test_text_typed_without_a_pause_is_on_the_server_within_two_seconds(
    server: Server, sign_in: SignIn, task: str
) -> None:
    page = sign_in(server, "ann").new_page()
    stop_time(page, f"{server.address}/task/{task}")
    place = field(page, task)
    place.focus()
    for letter in "abcdefghij":
        page.keyboard.type(letter)
        page.clock.run_for(200)
    wait_until(lambda: text_in(server, task).startswith("a"), page)
    page.clock.run_for(2_000)
    wait_until(lambda: text_in(server, task) == "abcdefghij", page)
    other = sign_in(server, "ann").new_page()  # another browser, which has nothing of its own
    other.goto(f"{server.address}/task/{task}")
    expect(field(other, task)).to_have_value("abcdefghij")


def test_after_a_conflict_the_text_that_is_handed_in_is_the_one_that_is_shown(
    server: Server, sign_in: SignIn, keep: Keep
) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/w1")
    editor = field(page, "w1")
    expect(editor).to_be_visible()
    store(server, "w1", {"text": "Written on another computer."})
    editor.fill("Written here.")
    editor.blur()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("1 change made here was not saved")
    expect(editor).to_have_value("Written on another computer.")
    notice.get_by_text("What you typed here").click()
    expect(notice.get_by_text("Written here.")).to_be_visible()
    assert serious(page) == []
    keep(page, "conflict")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Decide first about the changes that were not saved")).to_be_visible()
    page.get_by_role("button", name="Apply them again").click()
    expect(editor).to_have_value("Written here.")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    assert server.state("w1") == {"text": editor.input_value(), "done": True}


@pytest.mark.parametrize("task", TASKS)
def test_what_is_being_typed_never_replaces_silently_what_another_tab_stored(
    server: Server, sign_in: SignIn, task: str
) -> None:
    context = sign_in(server, "ann")
    page, other = context.new_page(), context.new_page()
    stop_time(page, f"{server.address}/task/{task}")
    other.goto(f"{server.address}/task/{task}")
    for tab in (page, other):
        expect(field(tab, task)).to_be_visible()
    place = field(page, task)
    place.focus()
    page.keyboard.type("Mine")
    field(other, task).fill("Theirs")
    field(other, task).blur()
    saved(other)
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("1 change made here was not saved")
    expect(place).to_have_value("Theirs")
    page.clock.run_for(5_000)
    assert text_in(server, task) == "Theirs"
    page.reload()  # nothing is lost that nobody decided about
    place = field(page, task)
    expect(notice).to_contain_text("1 change made here was not saved")
    page.get_by_role("button", name="Apply them again").click()
    expect(place).to_have_value("Mine")
    wait_until(lambda: text_in(server, task) == "Mine", page)


REQUEST = "Request: what a summary should answer"


def test_what_an_organiser_types_about_a_topic_survives_a_killed_browser_and_is_forgotten_when_saved(
    server: Server, killable: Callable[[], Killable], sign_in: SignIn, keep: Keep
) -> None:
    address = f"{server.address}/topic?number=T1"
    browser = killable()
    browser.context.add_cookies([cookie_of(server, "olga", "organiser")])
    browser.context.route("**/draft?*", lambda route: route.abort())
    page = browser.context.new_page()
    stop_time(page, address)
    page.get_by_label(REQUEST).focus()
    page.keyboard.type(TYPED)
    wait_until(lambda: page.evaluate(KEPT, TYPED), page)
    browser.kill()

    browser = killable()
    browser.context.add_cookies([cookie_of(server, "olga", "organiser")])
    page = browser.context.new_page()
    page.goto(address)
    expect(page.get_by_label(REQUEST)).to_have_value(TYPED)
    expect(page.get_by_text("What you typed here before and did not save is back.")).to_be_visible()
    assert serious(page) == []
    keep(page, "topic-restored")
    page.get_by_label("Title").fill("Lockerbie")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#restored")).to_have_count(0)
    expect(page.get_by_label(REQUEST)).to_have_value(TYPED)
    wait_until(lambda: not page.evaluate(KEPT, TYPED), page)
    assert server.assessment.campaign.topic("T1").topic.narrative == TYPED

    page = sign_in(server, "olga").new_page()
    stop_time(page, address)
    page.get_by_label("Title").focus()
    for letter in " 1988, over":
        page.keyboard.type(letter)
        page.clock.run_for(200)
    other = sign_in(server, "olga").new_page()  # another browser, which has nothing of its own
    other.goto(address)

    def has_come() -> bool:
        other.reload()
        return "1988" in other.get_by_label("Title").input_value()

    wait_until(has_come, other)
    expect(other.get_by_label("Title")).to_have_value(re.compile("1988"))
    other.get_by_role("button", name="Discard it").click()
    expect(other.get_by_label("Title")).to_have_value("Lockerbie")
    assert server.assessment.campaign.topic("T1").topic.title == "Lockerbie"


SLOW_DATABASE = """
const waiting = [];
window.openDatabase = () => { window.isOpen = true; waiting.splice(0).forEach((handle) => handle()); };
Object.defineProperty(IDBRequest.prototype, "onsuccess", {
  set(handler) {
    this.addEventListener("success", (event) => {
      const handle = () => handler.call(this, event);
      if (window.isOpen || !(this instanceof IDBOpenDBRequest)) handle();
      else waiting.push(handle);
    });
  },
});
"""


def test_what_an_organiser_types_before_the_browser_has_opened_its_database_is_kept(
    server: Server, sign_in: SignIn
) -> None:
    context = sign_in(server, "olga", role="organiser")
    context.add_init_script(SLOW_DATABASE)
    context.route("**/draft?*", lambda route: route.abort())
    page = context.new_page()
    stop_time(page, f"{server.address}/topic?number=T1")
    page.get_by_label(REQUEST).focus()
    page.keyboard.type(TYPED)
    page.evaluate("window.openDatabase()")
    wait_until(lambda: page.evaluate(KEPT, TYPED), page)


def test_what_an_organiser_types_before_the_script_of_the_page_is_there_is_kept(
    server: Server, sign_in: SignIn
) -> None:
    context = sign_in(server, "olga", role="organiser")
    held: list[Route] = []
    context.route("**/drafts.js", lambda route: held.append(route))
    page = context.new_page()
    page.goto(f"{server.address}/topic?number=T1", wait_until="commit")
    page.get_by_label(REQUEST).fill(TYPED)
    wait_until(lambda: bool(held), page)
    with page.expect_response("**/draft?*", timeout=SLOWEST_PAGE):
        held[0].continue_()
    context.unroute_all()
    page.goto(f"{server.address}/topics")
    page.goto(f"{server.address}/topic?number=T1")
    expect(page.get_by_text("What you typed here before and did not save is back.")).to_be_visible()
    expect(page.get_by_label(REQUEST)).to_have_value(TYPED)
