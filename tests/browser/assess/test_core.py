"""What every page of work rests on: events are stored once each and in order, whatever happens in between."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, on_both_databases, write_campaign
from browser.assess.doing import saved

pytestmark = on_both_databases

OPEN = """async () => {
  const { loadTask } = await import("/static/js/task.js");
  const { statusBar } = await import("/static/js/status.js");
  const root = document.querySelector("#work");
  window.task = await loadTask(root);
  root.replaceChildren(statusBar(window.task));
}"""


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    texts = [f"Number {number} says the same again." for number in range(4)]
    rows = [{"topic": "T1", "summarizer": f"S{i}", "kind": "peer", "text": text} for i, text in enumerate(texts)]
    server = served(write_campaign(tmp_path / "campaign", rows))
    summaries = {str(number + 1): f"S{number}" for number in range(4)}
    server.give("ann", "t1", "form", "T1", {"pass": 1, "summaries": summaries})
    return server


@pytest.fixture
def ann(server: Server, sign_in: Callable[..., BrowserContext]) -> BrowserContext:
    return sign_in(server, "ann")


def opened(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    page.route("**/kinds/form/page.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    page.goto(f"{server.address}/task/t1")
    page.evaluate(OPEN)
    return page


def comment(page: Page, text: str, summary: int = 1) -> None:
    page.evaluate("([key, text]) => window.task.change('comment', {[key]: text})", [f"comment/{summary}", text])


def comments(server: Server) -> list[Any]:
    return [value for _, _, changes in server.history("t1") for value in changes.values()]


def test_nothing_is_lost_when_the_network_or_the_server_or_the_browser_goes(
    server: Server, sign_in: Callable[..., BrowserContext]
) -> None:
    context = sign_in(server, "ann")
    page = opened(context, server)
    shown = page.locator("#saved")
    for number in range(5):
        comment(page, f"a{number}")
    saved(page)

    context.set_offline(True)
    for number in range(3):
        comment(page, f"b{number}")
    expect(shown).to_have_text("Offline: 3 waiting")
    context.set_offline(False)
    saved(page)

    server.stop()
    for number in range(4):
        comment(page, f"c{number}")
    expect(shown).to_have_text("Offline: 4 waiting")
    page.close()  # the browser goes away while events wait
    server.start()
    page = opened(context, server)
    saved(page)
    assert page.evaluate("window.task.state['comment/1']") == "c3"
    wanted = [f"{letter}{number}" for letter, count in (("a", 5), ("b", 3), ("c", 4)) for number in range(count)]
    assert comments(server) == wanted
    assert [version for version, _, _ in server.history("t1")] == list(range(1, 13))


def test_an_answer_that_got_lost_on_its_way_back_does_not_store_an_event_twice(
    server: Server, ann: BrowserContext
) -> None:
    page = opened(ann, server)
    lost: list[bool] = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            lost.append(True)
            route.fetch()  # the server stores it
            route.abort()
        else:
            route.continue_()

    page.route("**/events", lose)
    comment(page, "first")
    comment(page, "second")
    saved(page)
    assert comments(server) == ["first", "second"]


WATCH_STATUS = """
window.shown = [];
new MutationObserver(() => {
  const text = document.querySelector("#saved")?.textContent;
  if (text) window.shown.push(text);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


def test_a_page_that_opens_never_says_saved_while_something_waits(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    page.route("**/events", lambda route: route.abort())
    comment(page, "a")
    expect(page.locator("#saved")).to_have_text("Offline: 1 waiting")
    page.add_init_script(WATCH_STATUS)
    page.on("dialog", lambda dialog: dialog.accept())  # leave although something waits
    page.reload()
    page.evaluate(OPEN)
    expect(page.locator("#saved")).to_have_text("Offline: 1 waiting")
    assert "Saved" not in page.evaluate("window.shown")


def test_changes_that_another_page_sends_while_a_page_opens_are_shown(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    page.route("**/events", lambda route: route.abort())
    comment(page, "a")
    expect(page.locator("#saved")).to_have_text("Offline: 1 waiting")
    page.close(run_before_unload=False)
    page = ann.new_page()
    page.route("**/kinds/form/page.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    held: list[Any] = []
    page.route("**/api/task/t1", lambda route: route.continue_() if held else held.append(route))
    page.goto(f"{server.address}/task/t1")
    page.evaluate(f"() => {{ window.opening = ({OPEN})(); }}")
    while not held:
        page.wait_for_timeout(10)
    before = held[0].fetch()
    other = ann.new_page()
    other.goto(server.address)
    expect(other.get_by_text("1 change that waited in this browser was sent.")).to_be_visible()
    held[0].fulfill(response=before)
    page.evaluate("window.opening")
    assert page.evaluate("window.task.state['comment/1']") == "a"


IMPATIENT = """
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 60);
const begin = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function (...how) {
  if (window.isClosed) throw new DOMException("The database connection is closing.", "InvalidStateError");
  return begin.apply(this, how);
};
"""


def test_a_request_that_never_ends_and_a_database_that_closes_stop_nothing(server: Server, ann: BrowserContext) -> None:
    ann.add_init_script(IMPATIENT)
    page = opened(ann, server)
    held: list[Any] = []

    def hold(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)  # and never answer

    page.route("**/events", hold)
    comment(page, "a")
    saved(page)
    page.evaluate("window.isClosed = true")
    comment(page, "b")
    saved(page)
    assert comments(server) == ["a", "b"]


def test_two_tabs_see_each_other_and_a_stranger_overtakes_openly(
    server: Server, ann: BrowserContext, sign_in: Any
) -> None:
    one, two = opened(ann, server), opened(ann, server)
    comment(one, "one")
    two.wait_for_function("() => window.task.state['comment/1'] === 'one'")
    comment(two, "two")
    one.wait_for_function("() => window.task.state['comment/1'] === 'two'")
    saved(one)
    saved(two)
    assert comments(server) == ["one", "two"]

    elsewhere = opened(sign_in(server, "ann"), server)  # another computer
    comment(elsewhere, "three")
    saved(elsewhere)
    comment(one, "four", summary=2)
    expect(one.get_by_role("alert")).to_contain_text("1 change made here was not saved")
    assert one.evaluate("window.task.state") == {"comment/1": "three"}
    assert comments(server) == ["one", "two", "three"]
    one.reload()
    one.evaluate(OPEN)  # what was not saved is still there
    one.get_by_role("button", name="Apply them again").click()
    saved(one)
    expect(one.get_by_role("alert")).to_be_empty()
    assert server.state("t1") == {"comment/1": "three", "comment/2": "four"}


def test_a_change_that_the_server_refuses_is_taken_back_and_explained_and_later_ones_stay(
    server: Server, ann: BrowserContext
) -> None:
    page = opened(ann, server)
    page.evaluate("""() => {
      window.task.change("answer", {"answer/1/clear": 9});
      window.task.change("comment", {"comment/1": "kept"});
    }""")
    expect(page.get_by_role("alert")).to_contain_text("is not on the scale")
    saved(page)
    assert server.state("t1") == {"comment/1": "kept"}


def test_undo_and_redo_have_no_limit_and_survive_a_reload(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    for number in range(4):
        comment(page, str(number))
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    assert page.evaluate("window.task.state") == {"comment/1": "0"}
    saved(page)
    page.reload()
    page.evaluate(OPEN)
    page.get_by_role("button", name="Redo").click()
    assert page.evaluate("window.task.state") == {"comment/1": "1"}
    saved(page)
    page.evaluate("window.task.type('comment', 'comment/1', 'typed')")
    expect(page.locator("#saved")).to_have_text("Saving…")  # from the first letter, not only when typing pauses
    page.get_by_role("button", name="Undo").click()  # takes back what was typed, not what was before it
    assert page.evaluate("window.task.state") == {"comment/1": "1"}
    saved(page)
    assert comments(server) == ["0", "1", "2", "3", "2", "1", "0", "1", "typed", "1"]


MIXED = "Zoé 👩‍👩‍👧 met e\u0301lan.\nThen she left again."


def test_offsets_are_code_points_whatever_the_script(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    found = page.evaluate(
        """async (text) => {
          const { Text, TextView, Selection, joined, without } = await import("/static/js/text.js");
          const selection = new Selection();
          const made = new TextView(text, { name: "Model 1", selection });
          document.querySelector("#work").append(made.element);
          window.view = made;
          return {
            words: made.text.words, characters: made.text.characters.length, joined: joined([[4, 6], [0, 2], [2, 3]]),
            without: without([[0, 9]], [[3, 5]]),
          };
        }""",
        MIXED,
    )
    assert found["words"] == [list(match.span()) for match in re.finditer(r"\S+", MIXED)]
    assert found["characters"] == 3 + 1 + 3 + 5 + 4 + 3 + 4 + 6  # one for each that people see
    assert found["joined"] == [[0, 3], [4, 6]]
    assert found["without"] == [[0, 3], [5, 9]]

    def chosen() -> list[str]:
        parts = page.evaluate("window.view.selection.parts")
        return [MIXED[start:end] for start, end in parts]

    text = page.get_by_role("listbox", name="Model 1")
    text.focus()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Control+ArrowRight", "Control+ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert chosen() == ["Zoé 👩‍👩‍👧", "e\u0301lan."]
    page.keyboard.press("End")
    assert chosen() == []
    page.get_by_role("option", name="left").click()
    page.get_by_role("option", name="again.").click(modifiers=["Shift"])
    page.get_by_role("option", name="met").click(modifiers=["Control"])
    assert chosen() == ["met", "left again."]
    page.get_by_role("option", name="left").click(modifiers=["Control"])
    assert chosen() == ["met", "again."]
    box, other = (page.get_by_role("option", name=name, exact=True).bounding_box() for name in ("Then", "left"))
    assert box is not None
    assert other is not None
    page.mouse.move(box["x"] + 3, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(other["x"] + 3, other["y"] + 5, steps=8)
    page.mouse.up()
    assert chosen() == ["Then she left"]


def test_changes_that_wait_are_sent_from_any_page_which_says_so(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    comment(page, "a")
    saved(page)
    ann.set_offline(True)
    for number in range(3):
        comment(page, f"b{number}")
    expect(page.locator("#saved")).to_have_text("Offline: 3 waiting")
    page.close(run_before_unload=False)
    ann.set_offline(False)
    assert comments(server) == ["a"]
    home = ann.new_page()
    home.goto(server.address)
    expect(home.get_by_text("3 changes that waited in this browser were sent.")).to_be_visible()
    assert comments(server) == ["a", "b0", "b1", "b2"]
    home.reload()
    expect(home.get_by_role("heading", name="Your work")).to_be_visible()
    expect(home.locator(".waiting")).to_be_hidden()


def test_pages_say_what_waits_for_signing_in_and_what_can_not_be_sent(server: Server, ann: BrowserContext) -> None:
    page = opened(ann, server)
    ann.set_offline(True)
    comment(page, "unsent")
    expect(page.locator("#saved")).to_have_text("Offline: 1 waiting")
    page.close(run_before_unload=False)
    ann.set_offline(False)
    cookies = ann.cookies()
    ann.clear_cookies()
    other = ann.new_page()
    other.goto(server.address)
    expect(
        other.get_by_text("1 change waits in this browser, and will be sent when you have signed in.")
    ).to_be_visible()
    # Someone else in the same browser sends nothing of it, and loses nothing of it.
    people = server.assessment.people
    session = people.sign_in(people.find(name="bob") or people.add("bob", "assessor"))
    ann.add_cookies([{"name": "pyramidion_session", "value": session.token, "url": server.address}])
    other.goto(server.address)
    expect(other.get_by_text("1 change of work that is not yours, or was taken back, can't be sent.")).to_be_visible()
    assert comments(server) == []
    ann.clear_cookies()
    ann.add_cookies([{"name": one["name"], "value": one["value"], "url": server.address} for one in cookies])
    other.goto(server.address)
    expect(other.get_by_text("1 change that waited in this browser was sent.")).to_be_visible()
    assert comments(server) == ["unsent"]
